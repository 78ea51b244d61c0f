// One project opened for analysis: recording and pipeline on a device. The command line uses it directly, the
// window through a Session.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/carving/cut.h"
#include "core/detections/detection_file.h"
#include "core/detections/engine.h"
#include "core/image/backend/registry.h"
#include "core/live/live_frame_source.h"
#include "core/people/occupancy/coverage.h"
#include "core/pipeline/memory_needed.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"
#include "core/video/frame_source.h"

namespace vantage {

struct AnalysisOptions {
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;  // null: software decoding
  bool host_display = false;                 // adds the display stage (copies to the host) on Device::cuda
  bool keep_confidence = false;              // the carving stage keeps the confidence volume
  PipelineOptions pipeline;
  // Available memory; as reported by system and device where not stated.
  MemoryAvailable memory;
  // Given: the project's videos are cameras, and files are played in real time. Nothing: the same with the
  // defaults if one of them is an address.
  std::optional<LiveOptions> live;
  // Passwords of live cameras; null: the file at default_credential_path().
  std::shared_ptr<const CredentialStore> credentials;
  StopSource stop;  // ends the wait for live cameras
  // Detects people in cameras without a detection file, instead of the project's model.
  PictureDetector detect = {};
  // Treats cameras with missing videos as if these had ended; without a missing empty-scene clip the scene is
  // learnt. Otherwise, and where all are missing or some are live, that is an error.
  bool without_missing = false;
  // Requires without_missing. Also leaves out videos that cannot be opened; opens every video once more.
  bool without_damaged = false;
};

class Analysis {
 public:
  // Opens every video, learns empty-scene clips lazily (at the first frame), fits the grid if the project has
  // none. Without a calibration the chain ends at the foreground, as note() states. out_of_memory before
  // anything large is allocated.
  static Result<std::unique_ptr<Analysis>> open(const Project& project, const AnalysisOptions& options);
  ~Analysis();

  // The pictures of a frame, with other cached artifacts; runs only the video stage. With host_display the
  // pictures have host copies.
  Result<FrameResultRef> pictures(int64_t frame, const StopSource& stop);

  // A slice of the result's confidence volume; null without foreground or calibration. A device's indicators
  // are copied to the host for it.
  Result<std::shared_ptr<const VolumeCut>> cut(const FrameResult& result, const CarvingParameters& parameters,
                                               const CutPlane& plane);

  // The frame's indicators in host memory, one per camera; empty where a camera has no picture.
  Result<std::vector<Image>> host_indicators(const FrameResult& result);
  // A camera's picture of the frame in host memory; empty where it has none.
  Result<Picture> host_picture(const FrameResult& result, size_t camera);
  // The shell's voxels by linear ID, in host memory; none without a volume.
  Result<std::vector<uint32_t>> host_shell(const FrameResult& result);
  // The chain's device, for additional computations.
  const DeviceBackends& backends() const;

  FrameSource& source();
  LiveFrameSource* live();  // null: files are played
  Pipeline& pipeline();
  const VoxelGrid* grid() const;  // null without a calibration
  // The calibrations in force at a frame set; none without a calibration.
  std::vector<PinholeCamera<double>> cameras(int64_t frame) const;
  const FloorCoverage* coverage() const;          // likewise
  const std::vector<std::string>& notes() const;  // remarks for users: decoder fallbacks, missing calibration
  std::optional<DetectorProvenance> detector() const;  // nothing: no model is used
  Device device() const;
  const MemoryPlan& memory() const;

 private:
  struct Impl;
  explicit Analysis(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace vantage
