// A stage turns what upstream stages made of a frame into one artifact. Artifacts are immutable and keyed by
// (frame, stage, version), the version being a hash of the stage's own parameters and configuration and of
// every upstream version: a changed parameter makes out of date only what depends on it.
//
// A stage with memory (foreground, tracking) must see frames in order. Its memory is saved about every
// second; a frame after a seek, a step back or a changed parameter is recomputed by replaying from the
// nearest checkpoint of the same version. So an artifact depends on project and frame, never on how the
// playhead got there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/byte_stream.h"
#include "core/base/parameters.h"
#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/detections/detection_file.h"
#include "core/detections/engine.h"
#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"
#include "core/geometry/floor_shapes.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/backend/memory_transfer.h"
#include "core/people/occupancy/coverage.h"
#include "core/video/frame_source.h"

namespace vantage {

class Artifact {
 public:
  virtual ~Artifact() = default;
  virtual size_t size_bytes() const = 0;  // held by this artifact alone; for the cache's bound
  // Waits for whatever is still on its way from a device. Called once before the artifact is handed to a
  // front end.
  virtual Status finish() const { return {}; }
};
using ArtifactRef = std::shared_ptr<const Artifact>;

// The state of a stage with memory after a frame.
class StageMemory {
 public:
  virtual ~StageMemory() = default;
  virtual size_t size_bytes() const = 0;
};
using StageMemoryRef = std::shared_ptr<const StageMemory>;

struct FrameArtifacts;  // core/pipeline/artifacts.h

// The unit of work of the pipeline. A stage derives from StageOf (core/pipeline/artifacts.h), which says
// which of a frame's artifacts it makes.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::string_view name() const = 0;
  // Names of upstream stages; they may depend on the parameters.
  virtual std::vector<std::string_view> inputs() const = 0;
  virtual bool has_memory() const { return false; }

  // Takes its parameters from the store. Never called while run() does.
  virtual Status configure(const ParameterStore& parameters) = 0;
  // Hash of its own parameters and configuration (device, cameras, grid, files); upstream is added by the
  // pipeline.
  virtual uint64_t own_hash() const = 0;

  // Frames that run() may work on at the same time, in threads of their own; one while has_memory(). Read
  // after configure().
  virtual size_t workers() const { return 1; }

  // `inputs` holds the artifacts of the stages that inputs() names, and nothing else. Frames come in order
  // while has_memory(); any order otherwise. At most workers() calls at a time. ErrorKind::end_of_stream from
  // the video stage ends a run; any other error ends it too, with complete results so far.
  virtual Result<ArtifactRef> run(int64_t frame, const FrameArtifacts& inputs) = 0;
  // Puts an artifact that run() made among a frame's.
  virtual void put(ArtifactRef made, FrameArtifacts* artifacts) const = 0;

  // For stages with memory: forget (the state before frame 0), save, restore.
  virtual Status reset() { return {}; }
  virtual Result<StageMemoryRef> save() const { return StageMemoryRef{}; }
  virtual Status restore(const StageMemory&) { return {}; }
  // The same for another process: all that it remembers now, as bytes. Errors: unsupported by methods and
  // devices whose memory cannot be written; bad_data where the bytes are not what write_memory() wrote.
  virtual Status write_memory(ByteWriter*) const { return {}; }
  virtual Status read_memory(ByteReader*) { return {}; }
};

// The description of a stage without a chain: its name, when it is there, its parameters, how one is made and
// what memory it takes. One object for each, in the stage's own file; core/pipeline/stages.cpp lists them.

struct AnalysedScene;
struct ChainContext;
class MemoryEstimate;

using ParameterTables = std::vector<const ParameterTable*>;
// The tables of parameter structs: tables_of<CarvingParameters>.
template <typename... P>
ParameterTables tables_of() {
  return {&parameter_table<P>()...};
}

struct StageType {
  std::string_view name;
  bool needs_calibration = false;
  // It is made from the calibrations and has no memory: where cameras stand otherwise later, there is one for
  // each span.
  bool by_calibration = false;
  // The stage whose parameter `enabled` switches it; empty: it is always on. A stage that is switched off
  // stays in the chain and makes empty artifacts, so that switching it needs no other chain.
  std::string_view enabled_by = {};
  bool has_results = true;                // false: it only helps another stage or the window
  ParameterTables (*tables)() = nullptr;  // null: it has no parameters of its own
  // Null where this chain has no such stage. Called only with a calibration where one is needed.
  Result<std::unique_ptr<Stage>> (*make)(ChainContext& context) = nullptr;
  // Adds what the stage holds while it runs, and what it makes of a frame; null: too little to count.
  void (*estimate_memory)(const AnalysedScene& scene, MemoryEstimate* estimate) = nullptr;
};

// The material of a chain: the scene that a project describes, its footage and the device. core/session fills
// it, each stage takes from it what it needs (core/pipeline/stage.h).

class DetectorInUse;

// A view from whose first frame set on the camera stands otherwise (core/geometry/camera.h).
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
