// People as a detector sees them in one camera's picture: boxes, and keypoints where there are any. They come
// from files of other programs or from a model inside the chain; code that uses them cannot tell which.
#pragma once

#include <cstdint>
#include <vector>

namespace vantage {

// A joint in a picture. Pixels of the camera's picture as recorded, (0, 0) the centre of the top left pixel.
struct Keypoint {
  float x_px = 0, y_px = 0;
  float score = 0;  // 0 to 1; 0: not seen, its place means nothing
};

// One person in one picture. The box is [left, left + width) x [top, top + height) in the same pixels and may
// reach beyond the picture.
struct PersonDetection {
  float left_px = 0, top_px = 0, width_px = 0, height_px = 0;
  float score = 1;                  // 0 to 1
  std::vector<Keypoint> keypoints;  // in the order of their set's skeleton; empty: none
};

// One camera's detections of one frame. A frame that was not examined is unknown, which is no
// evidence; a known one without people is evidence that no one is there.
struct CameraDetections {
  bool known = false;
  std::vector<PersonDetection> people;
};

}  // namespace vantage
