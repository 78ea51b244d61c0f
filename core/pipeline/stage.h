// A stage computes one artifact of a frame from those of upstream stages. Artifacts are immutable and keyed
// by (frame, stage, version), the version being a hash of the stage's own parameters and configuration and of
// every upstream version: a changed parameter invalidates only what depends on it.
//
// A stage with memory (foreground, tracking) must process frames in order. Its memory is saved about every
// second; a frame after a seek, a step back or a changed parameter is recomputed by replaying from the
// nearest checkpoint of the same version. So an artifact depends on project and frame, never on the order of
// requests.
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
#include "core/geometry/ignored_region.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/backend/memory_transfer.h"
#include "core/people/occupancy/coverage.h"
#include "core/video/frame_source.h"

namespace vantage {

class Artifact {
 public:
  virtual ~Artifact() = default;
  virtual size_t size_bytes() const = 0;  // this artifact alone; for the cache's bound
  // Waits for transfers from a device. Called once before the artifact is passed to a front end.
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

// The unit of work of the pipeline. A stage derives from StageOf (core/pipeline/artifacts.h), which states
// the artifact that it makes.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::string_view name() const = 0;
  // Names of upstream stages; they may depend on the parameters.
  virtual std::vector<std::string_view> inputs() const = 0;
  virtual bool has_memory() const { return false; }

  // Reads its parameters from the store. Never called during run().
  virtual Status configure(const ParameterStore& parameters) = 0;
  // Hash of its own parameters and configuration (device, cameras, grid, files); the pipeline adds upstream.
  virtual uint64_t own_hash() const = 0;

  // Number of frames that run() may process at the same time, each in a thread; 1 with has_memory(). Valid
  // after configure().
  virtual size_t workers() const { return 1; }

  // `inputs`: the artifacts of the stages in inputs(), and no others. Frames come in order with has_memory(),
  // else in any order. At most workers() calls at a time. ErrorKind::end_of_stream from the video stage ends
  // a run; so does any other error, with complete results so far.
  virtual Result<ArtifactRef> run(int64_t frame, const FrameArtifacts& inputs) = 0;
  // Stores an artifact from run() in a frame's artifacts.
  virtual void put(ArtifactRef made, FrameArtifacts* artifacts) const = 0;

  // For stages with memory: reset (the state before frame 0), save, restore.
  virtual Status reset() { return {}; }
  virtual Result<StageMemoryRef> save() const { return StageMemoryRef{}; }
  virtual Status restore(const StageMemory&) { return {}; }
  // The same for another process: the complete memory as bytes. Errors: unsupported for methods and devices
  // whose memory cannot be written; bad_data for bytes that are not from write_memory().
  virtual Status write_memory(ByteWriter*) const { return {}; }
  virtual Status read_memory(ByteReader*) { return {}; }
};

// Description of a stage without a chain: name, condition, parameters, factory and memory. One object per
// stage, in the stage's own file; core/pipeline/stages.cpp lists them.

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
  // Made from the calibrations and without memory: one instance per span of constant calibrations.
  bool by_calibration = false;
  // The stage whose parameter `enabled` switches it; empty: always on. A switched-off stage stays in the
  // chain and makes empty artifacts, so that switching it needs no other chain.
  std::string_view enabled_by = {};
  bool has_results = true;                // false: it only serves another stage or the window
  ParameterTables (*tables)() = nullptr;  // null: no parameters of its own
  // Null where this chain has no such stage. Called only with a calibration where one is needed.
  Result<std::unique_ptr<Stage>> (*make)(ChainContext& context) = nullptr;
  // Adds the stage's memory while it runs, and that of its artifact of a frame; null: negligible.
  void (*estimate_memory)(const AnalysedScene& scene, MemoryEstimate* estimate) = nullptr;
};

// The inputs of a chain: the scene of a project, its footage and the device. core/session fills it, each
// stage takes what it needs (core/pipeline/stage.h).

class DetectorInUse;

// A calibration of a camera from one frame set on (core/geometry/camera.h).
struct LaterView {
  int64_t from_frame = 0;         // the first frame set
  int64_t from_camera_frame = 0;  // the same in the camera's own frames
  Camera camera;
};

struct ChainCamera {
  std::string name, video;     // the video's file or address
  std::string background;      // the empty-scene clip; empty: none
  bool has_recording = false;  // its video can be opened again and read as a whole
  double frame_rate = 25;      // frames a second
  CameraDetectionFile detections;
  IgnoredRegions ignored = {};
  std::optional<Camera> calibration = {};  // valid from the beginning
  std::vector<LaterView> later = {};       // in the order of time
};

// All cameras' calibrations from a frame set on until the next span.
struct CalibrationSpan {
  int64_t begin = 0;
  std::vector<Camera> calibrations;
  std::optional<FloorCoverage> coverage;
};

struct ChainContext {
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware = nullptr;  // null: software decoding
  FrameSource& source;                                 // must outlive the chain
  bool live = false;
  bool host_display = false;     // front ends need host copies
  bool keep_confidence = false;  // the carved volume's
  StopSource stop = {};          // ends the learning of scenes

  std::vector<ChainCamera> cameras = {};          // in the project's order
  std::vector<Camera> calibrations = {};          // one per camera, from the beginning; empty: not calibrated
  std::vector<CalibrationSpan> later_spans = {};  // one after each change of a calibration
  double frame_rate = 25;                         // the base camera's, frames a second
  std::optional<VoxelGrid> grid = {};             // as used; nothing without a calibration
  std::optional<VoxelGrid> region = {};           // as in the project; nothing: the grid was fitted
  std::optional<FloorCoverage> coverage = {};     // nothing without a calibration
  std::vector<FloorZone> areas = {};              // areas in which people can be; none: everywhere
  FloorRectangle fusion_floor = {};               // area in which detections are fused
  bool has_detections = false;                    // files, a model or the caller's detector
  std::string detection_model = {}, joints_model = {};  // files; empty: none
  PictureDetector detect = {};                          // the caller's, used instead of a model; empty: none
  std::filesystem::path detections_folder = {};  // for the model's detections; empty: kept in memory only
  std::shared_ptr<DetectorInUse> detector = nullptr;  // gets the detector in use; null: not needed

  std::vector<std::string> notes = {};  // remarks of the stages for users

  std::vector<PinholeCamera<double>> models() const { return models_of(calibrations); }
  // One per camera; of videos as they are opened.
  std::vector<IgnoredPixels> ignored_pixels() const;
  // One per stage, since stages run in parallel.
  Result<std::unique_ptr<MemoryTransfer>> make_transfer() const {
    return backends.create<MemoryTransfer>({});
  }
};

}  // namespace vantage
