# One scene in three formats, and the same with lights: `python formats.py formats` with bpy 4.5.
import bpy, math, sys, os

out = sys.argv[1]
os.makedirs(out, exist_ok=True)
bpy.ops.wm.read_factory_settings(use_empty=True)


def mat(name, rgba, rough):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    b = m.node_tree.nodes["Principled BSDF"]
    b.inputs["Base Color"].default_value = rgba
    b.inputs["Roughness"].default_value = rough
    return m


bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=12, location=(-1.2, 0, 0))
bpy.ops.object.shade_smooth()
bpy.context.object.data.materials.append(mat("red", (0.5, 0.05, 0.02, 1), 0.5))
bpy.ops.mesh.primitive_cube_add(size=1.6, location=(1.2, 0, 0))
bpy.context.object.data.materials.append(mat("green", (0.02, 0.3, 0.05, 1), 1.0))
bpy.ops.mesh.primitive_torus_add(location=(0, 1.5, 1), major_segments=24, minor_segments=8)
bpy.context.object.data.materials.append(mat("grey", (0.18, 0.18, 0.18, 1), 0.0))
bpy.ops.export_scene.fbx(filepath=os.path.join(out, "scene.fbx"), object_types={"MESH"})
bpy.ops.wm.obj_export(filepath=os.path.join(out, "scene.obj"))
bpy.ops.export_scene.gltf(filepath=os.path.join(out, "scene.glb"), export_format="GLB")


def light(name, kind, energy, place, turn):
    lamp = bpy.data.lights.new(name, kind)
    lamp.energy = energy
    node = bpy.data.objects.new(name, lamp)
    node.location, node.rotation_euler = place, turn
    bpy.context.scene.collection.objects.link(node)


light("lamp", "POINT", 1000, (4.076, -3.0, 5.9), (0, 0, 0))
light("sun", "SUN", 2, (0, 0, 0), (0.6, 0.3, 0))
camera = bpy.data.objects.new("cam", bpy.data.cameras.new("cam"))
camera.location, camera.rotation_euler = (0, -9, 3), (math.radians(72), 0, 0)
bpy.context.scene.collection.objects.link(camera)
bpy.ops.export_scene.fbx(filepath=os.path.join(out, "lit.fbx"))
bpy.ops.export_scene.gltf(filepath=os.path.join(out, "lit.glb"), export_format="GLB", export_lights=True, export_cameras=True)
