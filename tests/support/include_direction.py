#!/usr/bin/env python3
"""Fails on an include that runs against the house rules. Usage: include_direction.py REPOSITORY

tools -> app, gpu, core, and no one knows tools; app -> ui, gpu, core; ui -> core; gpu -> core; core knows none of them; ui and gpu never meet. Qt and VTK only in ui and app,
CUDA headers only in gpu, FFmpeg only in .cpp files of core/video and gpu/codec, GStreamer
only in .cpp files of core/video and core/live/test_cameras, no Eigen in a header that a .cu file
includes. Inside core, ui and gpu a folder uses only those of its own or a lower rank, and a folder without a rank is an
error. Nobody includes another folder's detail/. An algorithm folder of core uses only base, image, geometry, primitives and features; folders of gpu that
share a rank do not know each other."""
import pathlib
import re
import sys

LAYERS = {"core": {"core"}, "gpu": {"gpu", "core"}, "ui": {"ui", "core"}, "app": {"app", "ui", "gpu", "core"},
          "tools": {"tools", "app", "gpu", "core"}}
ALGORITHMS = {"carving", "detections", "foreground", "fusion", "heads", "height_map", "metrics", "optical_flow", "people", "sync", "tracking"}
ALGORITHM_MAY_USE = {"base", "image", "geometry", "primitives", "features"}
# What algorithms hand each other: anyone may use it.
CONTRACTS = {"core/detections/detections.h", "core/detections/skeletons.h", "core/people/floor_person.h", "core/people/mask_samples.h", "core/people/paths_by_frame.h", "core/video/offset_change.h"}
# Lowest first: a core folder may include folders of its own or a lower rank.
CORE_RANK = [{"base"}, {"image", "geometry"}, {"features"}, {"video", "primitives"} | ALGORITHMS, {"calibration", "seal", "tracks"}, {"live", "pipeline"},
             {"project", "display"}, {"results"}, {"setup"}, {"check", "push"}, {"run"}, {"export", "why"}, {"session", "batch"}, {"synth"}]
UI_RANK = [{"widgets", "platform"}, {"views"}, {"panels"}, {"main_window"}]
GPU_RANK = [{"runtime"}, {"carving", "codec", "features", "foreground", "height_map", "image", "interop", "optical_flow", "people", "primitives", "sync", "tracking"},
            {"heads", "occupancy"}]
RANKS = {"core": CORE_RANK, "ui": UI_RANK, "gpu": GPU_RANK}
QT_VTK = re.compile(r"^(Q[A-Z]\w*|Qt\w+/.*|vtk\w+\.h)$")
CUDA = re.compile(r"^(cuda\w*\.h|cuda/.*|cub/.*|thrust/.*|nvml\.h|cooperative_groups.*)$")
FFMPEG = re.compile(r"^lib(av|sw)\w+/")
HTTP = re.compile(r"^microhttpd\.h$")
TLS = re.compile(r"^gnutls/")
PUSH = re.compile(r"^(mosquitto|mqtt_protocol|sqlite3)\.h$|^curl/")
CAIRO = re.compile(r"^(cairo|ft2build\.h|freetype/|fontconfig/)")
OPENCV = re.compile(r"^opencv2/")
CERES = re.compile(r"^ceres/")
CERES_FILES = {"core/calibration/adjust/adjustment.cpp"} | {f"core/calibration/{name}.cpp" for name in (
    "solve/bundle", "solve/points_solve", "people/detail/floor_view", "people/detail/footage_adjustment", "people/detail/footage_joints",
    "people/detail/tangents", "people/detail/upright_people")}
GSTREAMER = re.compile(r"^(gst|glib|gio)/|^glib.h$")
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.M)
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}


def rank(layer: str, folder: str) -> int:
    return next((i for i, group in enumerate(RANKS[layer]) if folder in group), -1)


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    includes = {}
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*")):
            if path.suffix in SUFFIXES:
                includes[path.relative_to(root).as_posix()] = INCLUDE.findall(path.read_text(encoding="utf-8"))
    folders = {tuple(n.split("/")[:2]) for n in includes if n.count("/") > 1}
    problems = [f"{layer}/{folder} has no rank in {pathlib.Path(__file__).name}"
                for layer, folder in sorted(folders) if layer in RANKS and rank(layer, folder) < 0]
    for name, targets in includes.items():
        parts = name.split("/")
        for target in targets:
            other = target.split("/")
            if other[0] in LAYERS and other[0] not in LAYERS[parts[0]]:
                problems.append(f"{name} includes {target}: {parts[0]} must not know {other[0]}")
            if "detail" in other[2:-1] and other[:2] != parts[:2]:
                problems.append(f"{name} includes {target}: detail/ is private to {other[0]}/{other[1]}")
            if QT_VTK.match(target) and parts[0] not in ("ui", "app"):
                problems.append(f"{name} includes {target}: Qt and VTK belong to ui and app")
            if CUDA.match(target) and parts[0] != "gpu":
                problems.append(f"{name} includes {target}: CUDA belongs to gpu")
            if FFMPEG.match(target) and not (name.endswith(".cpp") and parts[:2] in (["core", "video"], ["gpu", "codec"])):
                problems.append(f"{name} includes {target}: FFmpeg belongs to .cpp files of core/video and gpu/codec")
            if GSTREAMER.match(target) and not (name.endswith(".cpp") and (parts[:2] == ["core", "video"] or parts[:3] == ["core", "live", "test_cameras"])):
                problems.append(f"{name} includes {target}: GStreamer belongs to .cpp files of core/video and core/live/test_cameras")
            if OPENCV.match(target) and name != "core/calibration/solve/detail/opencv_markers.h" and not (name.endswith(".cpp") and (
                    parts[:2] in (["core", "calibration"], ["core", "detections"]) or parts[:3] == ["core", "foreground", "knn"])):
                problems.append(f"{name} includes {target}: OpenCV belongs to .cpp files of core/calibration/solve, core/detections, core/calibration/people and core/foreground/knn")
            if CERES.match(target) and not name in CERES_FILES:
                problems.append(f"{name} includes {target}: Ceres belongs to core/calibration/adjust, and its cost functions to .cpp files of adjustments")
            if HTTP.match(target) and not name.startswith("app/server/http_"):
                problems.append(f"{name} includes {target}: libmicrohttpd belongs to app/server/http_*")
            if TLS.match(target) and name not in ("app/server/tls_identity.cpp", "core/seal/signing_key.cpp", "core/push/detail/signature.cpp", "core/video/sha256.cpp"):
                problems.append(f"{name} includes {target}: GnuTLS belongs to app/server/tls_identity.cpp, core/seal/signing_key.cpp, core/video/sha256.cpp and core/push/detail/signature.cpp")
            if PUSH.match(target) and name != "core/live/http_post.cpp" and not (name.endswith(".cpp") and parts[:2] == ["core", "push"]):
                problems.append(f"{name} includes {target}: libmosquitto, libcurl and SQLite belong to .cpp files of core/push, libcurl also to core/live/http_post.cpp")
            if CAIRO.match(target) and name != "core/display/canvas.cpp":
                problems.append(f"{name} includes {target}: Cairo, with its fonts, belongs to core/display/canvas.cpp")
            layer = parts[0]
            if layer in RANKS and other[0] == layer and min(len(parts), len(other)) > 2 and parts[1] != other[1]:
                if layer == "core" and parts[1] in ALGORITHMS and other[1] not in ALGORITHM_MAY_USE and target not in CONTRACTS:
                    problems.append(f"{name} includes {target}: an algorithm uses only {sorted(ALGORITHM_MAY_USE)}")
                if rank(layer, other[1]) > rank(layer, parts[1]):
                    problems.append(f"{name} includes {target}: runs up from {layer}/{parts[1]}")
                if layer == "gpu" and rank(layer, other[1]) == rank(layer, parts[1]):
                    problems.append(f"{name} includes {target}: gpu/{parts[1]} must not know gpu/{other[1]}")
    for name in [n for n in includes if n.endswith((".cu", ".cuh"))]:
        seen, todo = set(), [name]
        while todo:
            current = todo.pop()
            for target in includes.get(current, []):
                if target.startswith("Eigen/"):
                    problems.append(f"{name} reaches {target} through {current}: no Eigen in what a .cu file includes")
                elif target in includes and target not in seen:
                    seen.add(target)
                    todo.append(target)
    for problem in sorted(set(problems)):
        print(problem)
    print(f"{len(includes)} files, {len(set(problems))} wrong includes")
    return 1 if problems or not includes else 0


sys.exit(main())
