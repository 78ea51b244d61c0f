// One project opened for analysis: recording and pipeline, built for a device. The command line drives it
// directly, the window through a Session.
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
  // Memory that can be taken; asked of the system and the device where none is stated.
  MemoryAvailable memory;
  // Given: the project's videos are cameras, files are played at their own pace. Nothing: likewise, with the
  // defaults, when one of them is an address.
  std::optional<LiveOptions> live;
  // Passwords of live cameras; null: the file at default_credential_path().
  std::shared_ptr<const CredentialStore> credentials;
  StopSource stop;  // ends the wait for live cameras
  // Finds people in the pictures of cameras without a detection file, in place of the project's model.
  PictureDetector detect = {};
  // Cameras whose videos are missing are as if those had ended; without an empty-scene clip that is missing
  // the scene is learnt. Otherwise, and where all are missing or some are live, that is an error.
  bool without_missing = false;
  // Requires without_missing. Leaves out videos that cannot be opened, too; opens every video once more.
  bool without_damaged = false;
};

class Analysis {
 public:
  // Opens every video, learns the empty-scene clips lazily (at the first frame), fits the grid when the
  // project has none. Without a calibration the chain ends at the foreground, and note() states it.
  // out_of_memory, before anything large is taken, where it would not fit.
  static Result<std::unique_ptr<Analysis>> open(const Project& project, const AnalysisOptions& options);
  ~Analysis();

  // The pictures of a frame, with what else of it is cached; nothing but the video stage runs. Where the
  // window needs host copies (host_display), the pictures' are there.
  Result<FrameResultRef> pictures(int64_t frame, const StopSource& stop);

  // A plane cut of the result's confidence volume; null where there is no foreground or no calibration. A
  // device's indicators are copied to the host for it.
  Result<std::shared_ptr<const VolumeCut>> cut(const FrameResult& result, const CarvingParameters& parameters,
                                               const CutPlane& plane);

  // The frame's indicators in host memory, one a camera; empty where a camera has no picture.
  Result<std::vector<Image>> host_indicators(const FrameResult& result);
  // A camera's picture of the frame in host memory; empty where it has none.
  Result<Picture> host_picture(const FrameResult& result, size_t camera);
  // The shell's voxels by number, in host memory; none without a volume.
  Result<std::vector<uint32_t>> host_shell(const FrameResult& result);
  // The device that the chain runs on, for code that computes in addition to it.
  const DeviceBackends& backends() const;

  FrameSource& source();
  LiveFrameSource* live();  // null: files are played
  Pipeline& pipeline();
  const VoxelGrid* grid() const;  // null without a calibration
  // The calibrations in force at a frame set; none without a calibration.
  std::vector<PinholeCamera<double>> cameras(int64_t frame) const;
  const FloorCoverage* coverage() const;  // likewise
  const std::vector<std::string>& notes()
      const;  // what people should know: decoder fallbacks, missing calibration
  std::optional<DetectorProvenance> detector() const;  // nothing: no model is used
  Device device() const;
  const MemoryPlan& memory() const;

 private:
  struct Impl;
  explicit Analysis(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace vantage
