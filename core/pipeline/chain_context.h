// The material of a chain: the scene that a project describes, its footage and the device. core/session fills
// it, each stage takes from it what it needs (core/pipeline/stage_type.h).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/stop_token.h"
#include "core/detections/camera_detection_file.h"
#include "core/detections/picture_detector.h"
#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"
#include "core/geometry/floor_shapes.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/backend/memory_transfer.h"
#include "core/people/occupancy/coverage.h"
#include "core/video/frame_source.h"

namespace vantage {

class DetectorInUse;

// A view from whose first frame set on the camera stands otherwise (core/geometry/later_calibration.h).
struct LaterView {
  int64_t from_frame = 0;         // the first frame set
  int64_t from_camera_frame = 0;  // its frame of the camera
  Camera camera;
};

struct ChainCamera {
  std::string name, video;     // the video's file or address
  std::string background;      // the empty-scene clip; empty: none
  bool has_recording = false;  // its video can be opened once more and read as a whole
  double frame_rate = 25;      // frames a second
  CameraDetectionFile detections;
  std::optional<Camera> calibration = {};  // from the beginning
  std::vector<LaterView> later = {};       // in the order of time
};

// The cameras as they all stand from a frame set on until the next span.
struct CalibrationSpan {
  int64_t begin = 0;
  std::vector<Camera> calibrations;
  std::optional<FloorCoverage> coverage;
};

struct ChainContext {
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware = nullptr;  // null: software decoding
  FrameSource& source;                                 // outlives the chain
  bool live = false;
  bool host_display = false;     // views need host copies
  bool keep_confidence = false;  // of the carved volume
  StopSource stop = {};          // ends the learning of scenes

  std::vector<ChainCamera> cameras = {};  // in the project's order
  std::vector<Camera> calibrations = {};  // one for each camera, from the beginning; empty: not calibrated
  std::vector<CalibrationSpan> later_spans = {};  // behind each change of one of them
  double frame_rate = 25;                         // of the base camera, frames a second
  std::optional<VoxelGrid> grid = {};             // as used; nothing without a calibration
  std::optional<VoxelGrid> region = {};           // as the project states it; nothing: the grid was fitted
  std::optional<FloorCoverage> coverage = {};     // nothing without a calibration
  std::vector<FloorZone> areas = {};              // people stand only there; none: everywhere
  FloorRectangle fusion_floor = {};               // where detections are fused
  bool has_detections = false;                    // files, a model or the caller's detector
  std::string detection_model = {};               // a file; empty: none
  PictureDetector detect = {};                    // of the caller, in place of a model; empty: none
  std::filesystem::path detections_folder = {};   // for what the model finds; empty: kept in memory alone
  std::shared_ptr<DetectorInUse> detector = nullptr;  // gets the detector that is used; null: no one asks

  std::vector<std::string> notes = {};  // what people should know, from the stages

  std::vector<PinholeCamera<double>> models() const { return models_of(calibrations); }
  // One for each stage: they run at the same time.
  Result<std::unique_ptr<MemoryTransfer>> make_transfer() const {
    return backends.create<MemoryTransfer>({});
  }
};

}  // namespace vantage
