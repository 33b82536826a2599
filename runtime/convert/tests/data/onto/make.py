# A character without a motion (hero.fbx) and a walk of its bones without a mesh (walk.glb), made with Blender 4.5:
# blender -b -P make.py -- FOLDER
import bpy, math, sys

out = sys.argv[-1]


def rig(prefix):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, 40, 30
    data = bpy.data.armatures.new("Armature")
    armature = bpy.data.objects.new("Armature", data)
    scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")

    def bone(name, head, tail, parent=None):
        made = data.edit_bones.new(prefix + name)
        made.head, made.tail = head, tail
        made.parent = data.edit_bones[prefix + parent] if parent else None

    bone("Hips", (0, 0, 1), (0, 0, 1.3))
    bone("Spine", (0, 0, 1.3), (0, 0, 1.8), "Hips")
    bone("Head", (0, 0, 1.8), (0, 0, 2.1), "Spine")
    for side, x in (("Left", 1), ("Right", -1)):
        bone(side + "UpLeg", (0.2 * x, 0, 1), (0.2 * x, 0, 0.5), "Hips")
        bone(side + "Leg", (0.2 * x, 0, 0.5), (0.2 * x, 0, 0), side + "UpLeg")
        bone(side + "Arm", (0.3 * x, 0, 1.7), (0.8 * x, 0, 1.7), "Spine")
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


armature = rig("mixamorig:")
bpy.ops.mesh.primitive_cube_add(size=1)
body = bpy.context.object
body.name, body.scale, body.location = "Body", (0.5, 0.25, 2), (0, 0, 1)
bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
bpy.ops.object.mode_set(mode="EDIT")
bpy.ops.mesh.subdivide(number_cuts=6)
bpy.ops.object.mode_set(mode="OBJECT")
body.select_set(True)
armature.select_set(True)
bpy.context.view_layer.objects.active = armature
bpy.ops.object.parent_set(type="ARMATURE_AUTO")
bpy.ops.export_scene.fbx(filepath=out + "/hero.fbx", add_leaf_bones=False)

armature = rig("mixamorig:")
for frame in range(1, 41, 3):
    for number, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = "XYZ"
        bone.rotation_euler = (0.5 * math.sin(frame / 6 + number), 0, 0.1 * math.cos(frame / 5 + number))
        bone.keyframe_insert("rotation_euler", frame=frame)
    hips = armature.pose.bones[0]
    hips.location = (0, 0.1 * math.sin(frame / 3), 0)
    hips.keyframe_insert("location", frame=frame)
bpy.ops.export_scene.gltf(filepath=out + "/walk.glb")
