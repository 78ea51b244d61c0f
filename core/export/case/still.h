// One picture of one camera as the videos of a case show it, as JPEG: with people drawn on it, with everybody
// unrecognisable, or both. For immediate viewing. A picture whose blur is not certain is blurred as a whole:
// also without results, a calibration, or a mask of the frame.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/export/case/blur.h"
#include "core/export/case/case_export.h"
#include "core/geometry/camera.h"
#include "core/image/backend/memory_transfer.h"
#include "core/pipeline/frame_result.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage {

inline constexpr int kStillWidth_px = 1280;  // wider pictures are reduced

struct StillMarks {
  bool people = false;  // a rectangle and the ID for everybody, with the camera's name, time and frame
  bool blur = false;    // everybody is made unrecognisable
  bool any() const { return people || blur; }
  auto operator<=>(const StillMarks&) const = default;
};

struct Still {
  std::string jpeg;
  std::optional<BlurDoubt> doubt;  // why it is blurred as a whole
};

struct StillOptions {
  Project project;
  int64_t frame = 0;  // of the base camera
  size_t camera = 0;  // by number in the project
  StillMarks marks;
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;
  StopSource stop;
};

// A still of a recording; people as its results know them. Errors: invalid_argument (a camera or frame that
// is not there), not_found (the camera has no picture of the frame), cancelled, those of Analysis::open().
Result<Still> export_still(const StillOptions& options);

// People in the frames of a run as they come. A person who was found some seconds ago, but not in the newest
// frame, may still be there: unseen, at the last position.
class RunPeople {
 public:
  explicit RunPeople(double frame_rate) : frame_rate_(frame_rate) {}
  // Frames ascend. Nothing: the people are unknown.
  std::optional<std::vector<CasePerson>> add(const FrameResult& result);

 private:
  struct Last {
    int64_t frame = 0;
    CasePerson person;
  };
  const double frame_rate_;
  std::map<int64_t, Last> last_;  // by the chain's ID
};

// A run's camera.
struct RunCamera {
  std::string name;
  std::optional<Camera> calibration;
  double frame_rate = 0;
  double start_utc_s = 0;  // of frame 0, since 1970; 0: not known
  bool ids_final = true;   // otherwise no one is given an ID
  std::vector<LaterCalibration> later_calibrations = {};
};
// A still of a run's frame, with the people as RunPeople has them. `transfer` fetches pictures from the
// device. Errors: not_found, those of the device.
Result<Still> still_of(const FrameResult& result, size_t camera, const RunCamera& described,
                       const std::optional<std::vector<CasePerson>>& people, const StillMarks& marks,
                       MemoryTransfer& transfer);

// A clip: one camera's pictures of a span as an MP4 file, made as the videos of a case are (case_export.h),
// without what a case has in addition to them. For immediate viewing; a case is what is handed over.

inline constexpr double kMaxClip_s = 120;

struct ClipOptions {
  Project project;
  FrameRange span;    // frames of the base camera, at most kMaxClip_s; cut to the recording
  size_t camera = 0;  // by number in the project
  CaseOverlays overlays;
  CaseBlur blur;
  std::filesystem::path folder;  // made where it is not there; the file has the camera's name
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;
  StopSource stop;
};

// The clip has no sound. Returns what was made; its `video` is the file's name. Errors: those of
// export_case(); a file that fails is removed.
Result<CaseCamera> export_clip(const ClipOptions& options);

}  // namespace vantage
