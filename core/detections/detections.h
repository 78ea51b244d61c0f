// A detector's people in one camera's picture: boxes, and keypoints where there are any. Code that uses them
// does not depend on their source, a file of another program or a model in the chain.
#pragma once

#include <cstdint>
#include <vector>

namespace vantage {

// A joint in a picture, in pixels as recorded; (0, 0) is the centre of the top left pixel.
struct Keypoint {
  float x_px = 0, y_px = 0;
  float score = 0;  // 0 to 1; 0: not seen, without a position
};

// One person in one picture. The box is [left, left + width) x [top, top + height) in the same pixels and may
// extend beyond the picture.
struct PersonDetection {
  float left_px = 0, top_px = 0, width_px = 0, height_px = 0;
  float score = 1;                  // 0 to 1
  std::vector<Keypoint> keypoints;  // in the order of their skeleton; empty: none
};

// One camera's detections of one frame. A frame that was not examined is unknown and is not evidence; a known
// one without people is evidence that no one is there.
struct CameraDetections {
  bool known = false;
  std::vector<PersonDetection> people;
};

}  // namespace vantage
