// One small sound file of each calibration format, to be damaged by the tests.
#pragma once

#include <string>

namespace vantage::test {

inline const std::string sample_xml = R"(<?xml version="1.0"?>
<opencv_storage>
<mtx type_id="opencv-matrix"><rows>3</rows><cols>3</cols><dt>d</dt>
  <data>500. 0. 320. 0. 505. 240. 0. 0. 1.</data></mtx>
<dist type_id="opencv-matrix"><rows>1</rows><cols>5</cols><dt>d</dt>
  <data>-1.0e-01 2.0e-02 1.0e-03 -2.0e-03 5.0e-03</data></dist>
<rvec type_id="opencv-matrix"><rows>3</rows><cols>1</cols><dt>d</dt><data>1.5 0.25 -0.5</data></rvec>
<tvec type_id="opencv-matrix"><rows>3</rows><cols>1</cols><dt>d</dt><data>-1. 2. 30.</data></tvec>
</opencv_storage>
)";

inline const std::string sample_toml = R"([cam_01]
name = "left"
size = [ 640.0, 480.0]
matrix = [ [ 500.0, 0.0, 320.0], [ 0.0, 505.0, 240.0], [ 0.0, 0.0, 1.0]]
distortions = [ -0.1, 0.02, 0.001, -0.002]
rotation = [ 1.5, 0.25, -0.5]
translation = [ -0.5, 1.0, 4.0]
fisheye = false

[cam_02]
name = "right"
size = [ 640, 480]
matrix = [ [ 510, 0, 321], [ 0, 515, 241], [ 0, 0, 1]]
distortions = [ -0.1, 0.02, 0.001, -0.002, 0.005]
rotation = [ 1.5, -0.25, 0.5]
translation = [ 0.5, 1.0, 4.0]
fisheye = false

[metadata]
adjusted = false
error = 0.0
)";

inline const std::string sample_json =
    R"({"schema": "vantage-calibration-1", "units": "metres", "up": "z", "cameras": [
  {"name": "cam1", "width_px": 640, "height_px": 480, "fx_px": 500, "fy_px": 505.5, "cx_px": 320, "cy_px": 240,
   "distortion": [-0.1, 0.02, 0.001, -0.002, 0.005],
   "rotation_cam_from_world": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
   "translation_cam_from_world_m": [0.125, 1.5, 4]}]}
)";

inline const std::string sample_qca = R"(<?xml version='1.0'?>
<calibration source="test"><cameras>
<camera active="1" serial="cam1">
<fov_video bottom="479" left="0" right="639" top="0"/>
<transform r11="1" r12="0" r13="0" r21="0" r22="0" r23="1" r31="0" r32="-1" r33="0" x="100" y="-2000" z="1500"/>
<intrinsic centerPointU="20480" centerPointV="15360" focalLengthU="32000" focalLengthV="32320" skew="0"
 radialDistortion1="-0.1" radialDistortion2="0.02" radialDistortion3="0.005" tangentalDistortion1="0.001"
 tangentalDistortion2="-0.002"/>
</camera></cameras></calibration>
)";

inline const std::string sample_caliscope = R"([cameras.3]
cam_id = 3
ignore = false
size = [ 640, 480]
matrix = [ [ 500.0, 0.0, 320.0], [ 0.0, 505.0, 240.0], [ 0.0, 0.0, 1.0]]
distortions = [ -0.1, 0.02, 0.001, -0.002, 0.005]
translation = [ -0.5, 1.0, 4.0]
rotation = [ [ 1, 0, 0], [ 0, 0, -1], [ 0, 1, 0]]

[cameras.7]
cam_id = 7
size = [ 640, 480]
matrix = [ [ 500.0, 0.0, 320.0], [ 0.0, 505.0, 240.0], [ 0.0, 0.0, 1.0]]
distortions = [ -0.1, 0.02, 0.001, -0.002, 0.005]
translation = [ 0.5, 1.0, 4.0]
rotation = [ [ 1, 0, 0], [ 0, 0, -1], [ 0, 1, 0]]
)";

inline const std::string sample_panoptic = R"({"calibDataSource": "test", "cameras": [
  {"name": "00_01", "type": "hd", "resolution": [640, 480], "K": [[500, 0, 320], [0, 505, 240], [0, 0, 1]],
   "distCoef": [-0.1, 0.02, 0.001, -0.002, 0.005], "R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
   "t": [[-10], [150], [400]]}]}
)";

inline const std::string sample_k_rt = R"({"0": {"K": [500, 0, 320, 0, 505, 240, 0, 0, 1],
  "RT": [1, 0, 0, -0.5, 0, 0, -1, 1, 0, 1, 0, 4], "imgSize": [640, 480]}}
)";

inline const std::string sample_k_r_t = R"({"units": "mm", "up": "+z", "image_size": [640, 480], "cameras": [
  {"name": "left", "K": [[500, 0, 320], [0, 505, 240], [0, 0, 1]], "dist": [-0.1, 0.02, 0.001, -0.002, 0.005],
   "R": [[1, 0, 0], [0, 0, -1], [0, 1, 0]], "t": [-500, 1000, 4000]}]}
)";

// The text with the first `from` replaced; the test is wrong when there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) return "the sample holds no \"" + from + "\"";
  return text.replace(at, from.size(), to);
}

}  // namespace vantage::test
