#include "core/check/offset_agreement.h"

#include <algorithm>

#include "core/base/clock.h"
#include "core/base/parallel_each.h"
#include "core/check/detail/sample.h"
#include "core/check/detail/scene_places.h"

namespace vantage {
namespace {

constexpr int kMoments = 8;
constexpr int64_t kAgreementVoxels = 200'000;

}  // namespace

Result<std::vector<SilhouetteShare>> offset_agreement(const Project& project,
                                                      const OffsetAgreementOptions& options) {
  if (!project.calibrated())
    return fail(ErrorKind::unsupported, "silhouettes can be compared with a calibration only",
                project.path.string());
  VANTAGE_ASSIGN(const VoxelGrid grid, project.effective_grid());
  VANTAGE_ASSIGN(const auto video, open_video(project.cameras.front().video, {}));
  const VideoInfo info = video->info();
  const double rate = effective_frame_rate(project.cameras.front().frame_rate, info.frame_rate);
  const int64_t last = std::min(options.last_frame, info.frame_count - 1);
  const int64_t first = std::clamp<int64_t>(options.first_frame, 0, std::max<int64_t>(last, 0));
  std::vector<int64_t> moments = sample_moments(last - first + 1, kMoments);
  for (int64_t& moment : moments) moment += first;
  std::vector<CameraSample> samples(project.cameras.size());
  parallel_each(samples.size(), [&](size_t c) {
    samples[c] = sample_camera(project, c, rate, moments, *options.backends, {options.stop, {}});
  });
  if (options.stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
  SilhouetteAgreement agreement;
  const GridViews views(project.calibrations(checked_span(project, moments).begin),
                        coarse_grid(grid, kAgreementVoxels));
  for (size_t m = 0; m < moments.size(); ++m) {
    std::vector<Image> masks;
    for (const CameraSample& sample : samples)
      masks.push_back(m < sample.masks.size() ? sample.masks[m] : Image());
    add_silhouettes(views, masks, &agreement);
  }
  if (agreement.all.empty())
    return fail(ErrorKind::bad_data, "no silhouettes to compare", project.path.string());
  return agreement.all;
}

}  // namespace vantage
