#include "core/setup/alignment/epipolar_pairs.h"

#include "core/base/formatted.h"
#include "core/sync/epipolar.h"

namespace vantage {
namespace {

constexpr double kMinOverlap = 0.02;  // of the tracked volume
constexpr double kVolumeVoxel_m = 0.1;

// The box people are tracked in: the project's, or what the two cameras see in common.
Result<VoxelGrid> volume_of(const Project& project, const Camera& a, const Camera& b) {
  if (project.grid) return *project.grid;
  return fit_grid_to_common_view({a, b}, kVolumeVoxel_m, kDefaultGridHeight_m, 2);
}

}  // namespace

EpipolarPairs choose_epipolar_pairs(const Project& project, int lines, int64_t frame) {
  EpipolarPairs out;
  const std::vector<Camera> cameras = project.calibrations(frame);
  for (const Camera& camera : cameras) out.arguments.cameras.push_back(camera.model());
  for (size_t i = 0; i < cameras.size(); ++i)
    for (size_t j = i + 1; j < cameras.size(); ++j) {
      PairSignals& pair = out.pairs.emplace_back();
      pair.first = static_cast<int>(i), pair.second = static_cast<int>(j);
      EpipolarLinePairs& kept = out.lines.emplace_back();
      EpipolarLines line_pairs;
      if (const auto volume = volume_of(project, cameras[i], cameras[j]))
        line_pairs = choose_epipolar_lines(cameras[i], cameras[j], *volume, lines);
      if (line_pairs.overlap < kMinOverlap || line_pairs.first.empty()) {
        pair.impossible =
            formatted("too little overlap: both cameras see %.1f %% of the volume", 100 * line_pairs.overlap);
        continue;
      }
      pair.a.lines = pair.b.lines = lines;
      kept = {line_pairs.first, line_pairs.second};
      out.arguments.pairs.push_back({pair.first, pair.second, line_pairs.first, line_pairs.second});
      out.extracted.push_back(out.pairs.size() - 1);
    }
  return out;
}

void append_sums(const uint32_t* sums, bool valid, LineSignals* to) {
  for (int r = 0; r < to->lines; ++r)
    to->values.push_back(sums[r] == kNoSignature ? 0.0f : static_cast<float>(sums[r]) / 255.0f);
  to->valid.push_back(valid);
}

}  // namespace vantage
