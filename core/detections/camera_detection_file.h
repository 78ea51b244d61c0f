// Which file holds what a detector found in one camera's pictures, and how its frames lie to the camera's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vantage {

struct CameraDetectionFile {
  std::string file;          // in a project absolute, on disk relative to the project file; empty: none
  double offset_frames = 0;  // the file's frame simultaneous with frame 0 of this camera
  double frame_rate = 0;     // 0: the file's own, else the camera's
  std::string person_class;  // as DetectionFileOptions; empty: as the file states
  std::string frames_by;     // likewise
  std::optional<int64_t> first_frame;  // likewise
  bool operator==(const CameraDetectionFile&) const = default;
};

}  // namespace vantage
