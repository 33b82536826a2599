"""Imports an FBX or glTF file and prints the world positions of all vertices, as JSON: one list for each frame.

    python import.py FILE SECOND...

Needs the module `bpy` (Blender 4.5). Motions are 30 frames a second.
"""
import json
import sys

import bpy

FPS = 30


def load(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    if path.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0)
    else:
        # Else bones are drawn as a mesh of their own.
        bpy.ops.import_scene.gltf(filepath=path, disable_bone_shape=True)
    assert bpy.context.scene.render.fps == FPS


def positions():
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for thing in bpy.context.scene.objects:
        if thing.type == "MESH":
            there = thing.evaluated_get(graph)
            mesh = there.to_mesh()
            found += [list(there.matrix_world @ vertex.co) for vertex in mesh.vertices]
            there.to_mesh_clear()
    return found


load(sys.argv[1])
frames = []
for second in map(float, sys.argv[2:]):
    frame = second * FPS
    bpy.context.scene.frame_set(int(round(frame)))
    frames.append(positions())
print("\npositions " + json.dumps(frames))
