#include "core/run/describe_run.h"

#include <memory>
#include <utility>

namespace vantage {

Result<RunDescription> describe_run(Analysis& analysis, const DeviceBackends& backends,
                                    std::string device_description) {
  RunDescription run;
  run.device = analysis.device();
  run.device_description = std::move(device_description);
  VANTAGE_ASSIGN(run.transfer, backends.create<MemoryTransfer>({}));
  FrameSource& source = analysis.source();
  run.frame_rate = source.frame_rate();
  for (int i = 0; i < source.camera_count(); ++i) run.videos.push_back(source.info(i));
  if (const VoxelGrid* grid = analysis.grid()) run.grid = *grid;
  if (const FloorCoverage* coverage = analysis.coverage()) run.coverage = *coverage;
  run.detector = analysis.detector();
  run.live = analysis.live() != nullptr;
  run.versions = std::make_shared<const StageVersions>(analysis.pipeline().versions());
  return run;
}

}  // namespace vantage
