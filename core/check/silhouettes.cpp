#include "core/check/silhouettes.h"

#include <algorithm>
#include <cmath>

#include "core/check/detail/silhouette_cells.h"

namespace vantage {
namespace {

constexpr int64_t kMinCells = 30;        // smaller silhouettes say nothing
constexpr int64_t kForeignCells = 200;   // of a silhouette that accuses its camera
constexpr double kSpoiled = 0.10;        // of the others' mean coverage
constexpr double kClearlyBetter = 0.05;  // of the mean coverage, between the best and the next explanation
// The coverage that the others reach without the one wrong camera. Below, masks with holes and strangers are
// the likelier cause.
constexpr double kExchangeGain = 0.20;  // of the mean coverage: less may be noise of small silhouettes
constexpr double kOthersAgree = 0.93;

// Exchanges are far off when wrong: coarser voxels tell them, and every pair is tried. Many cameras make too
// many pairs.
constexpr int64_t kExchangeVoxels = 30'000;
constexpr size_t kMaxExchanged = 8;

// One hull's projection and the grid's reach in every camera; `left_out` takes no part (none: the number of
// cameras).
struct Hull {
  size_t left_out = 0;
  std::vector<Cells> reach, projection;
};

void add_voxel(const std::vector<Footprint>& seen, const std::vector<uint8_t>& met, Hull* hull) {
  int seeing = 0, missing = 0;
  for (size_t c = 0; c < seen.size(); ++c) {
    if (c == hull->left_out || !seen[c].seen()) continue;
    ++seeing;
    missing += !met[c];
  }
  if (seeing < 2) return;
  for (size_t c = 0; c < seen.size(); ++c) {
    if (!seen[c].seen()) continue;
    fill(seen[c], &hull->reach[c]);
    if (missing == 0) fill(seen[c], &hull->projection[c]);
  }
}

SilhouetteShare compare(const Cells& mask, const Cells& reach, const Cells& projection) {
  SilhouetteShare share;
  for (size_t i = 0; i < mask.set.size(); ++i) {
    share.silhouette += mask.set[i] && reach.set[i];
    share.covered += mask.set[i] && projection.set[i];
  }
  return share;
}

void add_to(const SilhouetteShare& share, SilhouetteShare* sum) {
  sum->silhouette += share.silhouette;
  sum->covered += share.covered;
}

// Empty for a camera without a mask or with an empty one.
std::vector<Cells> silhouettes_of(const MaskSet& masks) {
  std::vector<Cells> silhouettes(masks.size());
  for (size_t c = 0; c < masks.size(); ++c) {
    if (!masks[c]) continue;
    Cells cells = shrink(masks[c]);
    if (std::find(cells.set.begin(), cells.set.end(), 1) != cells.set.end())
      silhouettes[c] = std::move(cells);
  }
  return silhouettes;
}

// The mean coverage over the cameras with a silhouette, and the least one.
struct Coverage {
  double mean = 0, least = 0;
};
Coverage coverage_of(const SilhouetteAgreement& agreement) {
  Coverage coverage{0, 1};
  int cameras = 0;
  for (const SilhouetteShare& share : agreement.all) {
    if (share.silhouette < kMinCells) continue;
    coverage.mean += share.value(), coverage.least = std::min(coverage.least, share.value());
    ++cameras;
  }
  if (cameras == 0) return {};
  coverage.mean /= cameras;
  return coverage;
}

// The coverage when cameras a and b are given each other's masks.
Coverage coverage_exchanged(const std::vector<Camera>& cameras, const VoxelGrid& grid,
                            std::span<const MaskSet> moments, size_t a, size_t b) {
  SilhouetteAgreement agreement;
  for (MaskSet masks : moments) {
    std::swap(masks[a], masks[b]);
    add_silhouettes(cameras, grid, masks, &agreement);
  }
  return coverage_of(agreement);
}

}  // namespace

double SilhouetteAgreement::without_camera(size_t left_out) const {
  double sum = 0;
  int cameras = 0;
  for (size_t c = 0; c < without[left_out].size(); ++c) {
    if (c == left_out || without[left_out][c].silhouette < kMinCells) continue;
    sum += without[left_out][c].value();
    ++cameras;
  }
  return cameras > 0 ? sum / cameras : 0;
}

bool is_foreign(const SilhouetteAgreement& agreement, size_t camera) {
  const SilhouetteShare own = agreement.by_others(camera);
  if (own.silhouette < kForeignCells || own.value() >= kForeign) return false;
  double with = 0;
  int others = 0;
  for (size_t c = 0; c < agreement.all.size(); ++c) {
    if (c == camera || agreement.all[c].silhouette < kMinCells) continue;
    with += agreement.all[c].value(), ++others;
  }
  return others >= 2 && agreement.without_camera(camera) - with / others >= kSpoiled;
}

SilhouetteFinding find_exchanged(const std::vector<Camera>& cameras, const VoxelGrid& grid,
                                 std::span<const MaskSet> moments, const StopSource& stop) {
  const VoxelGrid coarse = coarse_grid(grid, kExchangeVoxels);
  double best = -1, next = -1;
  SilhouetteFinding finding{SilhouetteVerdict::disagree, 0, 0};
  for (size_t a = 0; a < cameras.size() && cameras.size() <= kMaxExchanged; ++a)
    for (size_t b = a + 1; b < cameras.size() && !stop.stop_requested(); ++b) {
      if (cameras[a].width_px() != cameras[b].width_px() || cameras[a].height_px() != cameras[b].height_px())
        continue;
      const Coverage coverage = coverage_exchanged(cameras, coarse, moments, a, b);
      next = std::max(next, std::min(best, coverage.mean));
      if (coverage.mean <= best) continue;
      best = coverage.mean;
      finding = {coverage.least >= kMinCoverage ? SilhouetteVerdict::exchanged : SilhouetteVerdict::disagree,
                 a, b};
    }
  const double as_it_is = coverage_exchanged(cameras, coarse, moments, 0, 0).mean;
  if (best - next < kClearlyBetter || best - as_it_is < kExchangeGain)
    finding.verdict = SilhouetteVerdict::disagree;
  return finding;
}

VoxelGrid coarse_grid(const VoxelGrid& grid, int64_t voxels) {
  VoxelGrid coarse = grid;
  const double times =
      std::max(1.0, std::cbrt(static_cast<double>(grid.count()) / static_cast<double>(voxels)));
  coarse.voxel_size_m = grid.voxel_size_m * times;
  const auto fewer = [&](int count) {
    return std::max(1, static_cast<int>(std::floor(count / times + 1e-9)));
  };
  coarse.nx = fewer(grid.nx), coarse.ny = fewer(grid.ny), coarse.nz = fewer(grid.nz);
  return coarse;
}

void add_silhouettes(const std::vector<Camera>& cameras, const VoxelGrid& grid, const MaskSet& masks,
                     SilhouetteAgreement* agreement) {
  const size_t count = cameras.size();
  agreement->all.resize(count);
  agreement->without.resize(count, std::vector<SilhouetteShare>(count));
  const std::vector<Cells> silhouettes = silhouettes_of(masks);
  std::vector<Hull> hulls(count + 1);
  for (size_t h = 0; h <= count; ++h) {
    hulls[h].left_out = h;
    for (const Cells& cells : silhouettes) {
      hulls[h].reach.emplace_back(cells.width, cells.height);
      hulls[h].projection.emplace_back(cells.width, cells.height);
    }
  }
  std::vector<Footprint> seen(count);
  std::vector<uint8_t> met(count);
  for (int z = 0; z < grid.nz; ++z)
    for (int y = 0; y < grid.ny; ++y)
      for (int x = 0; x < grid.nx; ++x) {
        const Eigen::Vector3d point(grid.center(0, x), grid.center(1, y), grid.center(2, z));
        for (size_t c = 0; c < count; ++c) {
          seen[c] = silhouettes[c].width > 0 ? footprint(cameras[c], point, grid.voxel_size_m, silhouettes[c])
                                             : Footprint{};
          met[c] = seen[c].seen() && meets(seen[c], silhouettes[c]);
        }
        for (Hull& hull : hulls) add_voxel(seen, met, &hull);
      }
  for (size_t c = 0; c < count; ++c) {
    add_to(compare(silhouettes[c], hulls[count].reach[c], hulls[count].projection[c]), &agreement->all[c]);
    for (size_t h = 0; h < count; ++h)
      add_to(compare(silhouettes[c], hulls[h].reach[c], hulls[h].projection[c]), &agreement->without[h][c]);
  }
}

SilhouetteFinding judge(const SilhouetteAgreement& agreement) {
  size_t telling = 0;
  bool agree = true;
  for (const SilhouetteShare& share : agreement.all) {
    telling += share.silhouette >= kMinCells;
    agree = agree && (share.silhouette < kMinCells || share.value() >= kMinCoverage);
  }
  if (telling < 2) return {};
  if (agree) return {SilhouetteVerdict::agree, 0};
  // Two cameras that remain nearly always agree, so three cannot tell which one is wrong.
  if (telling < 4) return {SilhouetteVerdict::disagree, 0};
  size_t best = 0;
  double best_value = -1, next_value = -1;
  for (size_t h = 0; h < agreement.all.size(); ++h) {
    if (agreement.all[h].silhouette < kMinCells) continue;
    const double value = agreement.without_camera(h);
    if (value > best_value) {
      next_value = best_value, best_value = value, best = h;
    } else {
      next_value = std::max(next_value, value);
    }
  }
  const bool clear = best_value >= kOthersAgree && best_value - next_value >= kClearlyBetter;
  return clear ? SilhouetteFinding{SilhouetteVerdict::one_wrong, best}
               : SilhouetteFinding{SilhouetteVerdict::disagree, best};
}

}  // namespace vantage
