#include "core/check/silhouettes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "core/check/detail/scene_places.h"
#include "core/primitives/integral_image.h"

namespace vantage {
namespace {

constexpr int64_t kMinCells = 30;       // smaller silhouettes are ignored
constexpr int64_t kForeignCells = 200;  // minimum size of a silhouette that accuses its camera
constexpr double kSpoiled = 0.10;       // share of the others' mean coverage
constexpr double kClearlyBetter =
    0.05;  // share of the mean coverage, between the best and the next explanation
// The coverage that the others must reach without the one wrong camera. Below it, masks with holes and
// strangers are the likelier cause.
constexpr double kExchangeGain = 0.20;  // share of the mean coverage: less may be noise of small silhouettes
constexpr double kOthersAgree = 0.93;

// Exchanged cameras cover very little, so coarser voxels suffice and every pair is tried. With many cameras
// there are too many pairs.
constexpr int64_t kExchangeVoxels = 30'000;
constexpr size_t kMaxExchanged = 8;

// The cells of a camera covered by the hull of all cameras and by each hull that leaves out one. A voxel that
// three or more see is in all of them or in that of one alone, so no plane is needed for each hull.
class HullCells {
 public:
  HullCells(int width, int height, size_t cameras)
      : width_(width),
        height_(height),
        words_((cameras + 63) / 64),
        corners_(static_cast<size_t>(width + 1) * static_cast<size_t>(height + 1)),
        partner_(static_cast<size_t>(width) * static_cast<size_t>(height)) {}

  // Adds a voxel that counts whichever camera is left out.
  void add_always(const Footprint& f) {
    ++corner(f.x0, f.y0), ++corner(f.x1 + 1, f.y1 + 1);
    --corner(f.x1 + 1, f.y0), --corner(f.x0, f.y1 + 1);
  }
  // Adds a voxel that only this camera and `other` see: it counts while neither is left out.
  void add_pair(const Footprint& f, size_t other) {
    const auto number = static_cast<uint32_t>(other + 1);
    each_cell(f, [&](size_t cell) {
      uint32_t& partner = partner_[cell];
      partner = partner == 0 || partner == number ? number : kSeveral;
    });
  }
  // Adds a voxel that counts only where that camera is left out.
  void add_without(const Footprint& f, size_t left_out) {
    if (without_.empty()) without_.resize(partner_.size() * words_);
    each_cell(
        f, [&](size_t cell) { without_[cell * words_ + left_out / 64] |= uint64_t{1} << (left_out % 64); });
  }

  // Cells of the silhouette of camera `own` in each hull, by the camera left out; last, in that of all.
  std::vector<int64_t> counts(const Cells& silhouette, size_t own, size_t cameras) const {
    std::vector<int64_t> counts(cameras + 1);
    int64_t usual = 0;
    std::vector<int> above(static_cast<size_t>(width_) + 1);  // sums of the corners' columns
    for (int y = 0; y < height_; ++y) {
      int always = 0;
      for (int x = 0; x < width_; ++x) {
        const auto column = static_cast<size_t>(x);
        above[column] += corners_[static_cast<size_t>(y) * static_cast<size_t>(width_ + 1) + column];
        always += above[column];
        if (!silhouette.at(x, y)) continue;
        if (always > 0)
          ++usual;
        else
          count_cell(static_cast<size_t>(y) * static_cast<size_t>(width_) + column, own, &usual, &counts);
      }
    }
    for (int64_t& count : counts) count += usual;
    return counts;
  }

 private:
  static constexpr uint32_t kSeveral = UINT32_MAX;  // pairs

  int& corner(int x, int y) {
    return corners_[static_cast<size_t>(y) * static_cast<size_t>(width_ + 1) + static_cast<size_t>(x)];
  }
  template <typename Do>
  void each_cell(const Footprint& f, const Do& with) {
    for (int y = f.y0; y <= f.y1; ++y)
      for (int x = f.x0; x <= f.x1; ++x)
        with(static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x));
  }
  // Counts a cell that not every hull covers.
  void count_cell(size_t cell, size_t own, int64_t* usual, std::vector<int64_t>* counts) const {
    const uint32_t partner = partner_[cell];
    if (partner != 0) {
      ++*usual, --(*counts)[own];
      if (partner != kSeveral) --(*counts)[partner - 1];
    }
    if (without_.empty()) return;
    for (size_t word = 0; word < words_; ++word)
      for (uint64_t bits = without_[cell * words_ + word]; bits != 0; bits &= bits - 1) {
        const size_t left_out = 64 * word + static_cast<size_t>(std::countr_zero(bits));
        const bool by_pair = partner != 0 && left_out != own && partner != left_out + 1;
        (*counts)[left_out] += !by_pair;
      }
  }

  int width_, height_;
  size_t words_;
  std::vector<int> corners_;  // corners of the voxels that always count: their sums give the number of voxels
  std::vector<uint32_t> partner_;  // one per cell: 0, the index of the other camera of a pair + 1, or several
  std::vector<uint64_t> without_;  // one per cell and word: cameras
};

// A camera's silhouette with sums for queries of rectangles.
struct Silhouette {
  Cells cells;
  CellSums sums;
};
using Silhouettes = std::vector<std::shared_ptr<const Silhouette>>;  // one per camera; null: none

// Null for a camera without a mask of its size or with an empty one.
Silhouettes silhouettes_of(const std::vector<Camera>& cameras, const MaskSet& masks) {
  Silhouettes silhouettes(masks.size());
  for (size_t c = 0; c < masks.size(); ++c) {
    if (!masks[c] || masks[c].width() != cameras[c].width_px() || masks[c].height() != cameras[c].height_px())
      continue;
    Cells cells = shrink(masks[c]);
    if (!cells.any()) continue;
    const CellSums sums(cells);
    silhouettes[c] = std::make_shared<const Silhouette>(Silhouette{std::move(cells), sums});
  }
  return silhouettes;
}

// The cells of one camera that the grid reaches, and those that the hulls' projections cover.
struct CameraHulls {
  HullCells reach, projection;
};

// Adds a voxel seen by `seeing`, of which `missing` show no one there.
void add_voxel(std::span<const GridViews::View> seeing, size_t missing, size_t missed,
               std::vector<std::optional<CameraHulls>>* hulls) {
  for (const GridViews::View& view : seeing) {
    CameraHulls& own = *(*hulls)[view.camera];
    if (seeing.size() > 2) {
      own.reach.add_always(view.cells);
      if (missing == 0) own.projection.add_always(view.cells);
      if (missing == 1) own.projection.add_without(view.cells, missed);
      continue;
    }
    const size_t other = seeing[0].camera == view.camera ? seeing[1].camera : seeing[0].camera;
    own.reach.add_pair(view.cells, other);
    if (missing == 0) own.projection.add_pair(view.cells, other);
  }
}

void add_counts(const std::vector<int64_t>& reached, const std::vector<int64_t>& covered, size_t camera,
                SilhouetteAgreement* agreement) {
  const size_t cameras = agreement->all.size();
  agreement->all[camera].silhouette += reached[cameras];
  agreement->all[camera].covered += covered[cameras];
  for (size_t h = 0; h < cameras; ++h) {
    agreement->without[h][camera].silhouette += reached[h];
    agreement->without[h][camera].covered += covered[h];
  }
}

void add_instant(const GridViews& views, const Silhouettes& silhouettes, SilhouetteAgreement* agreement) {
  const size_t count = views.cameras().size();
  agreement->all.resize(count);
  agreement->without.resize(count, std::vector<SilhouetteShare>(count));
  std::vector<std::optional<CameraHulls>> hulls(count);
  for (size_t c = 0; c < count; ++c)
    if (silhouettes[c]) {
      const HullCells none(silhouettes[c]->cells.width, silhouettes[c]->cells.height, count);
      hulls[c] = CameraHulls{none, none};
    }
  std::vector<GridViews::View> seeing;
  for (size_t voxel = 0; voxel < views.voxels(); ++voxel) {
    seeing.clear();
    size_t missing = 0, missed = 0;
    for (const GridViews::View& view : views.of(voxel)) {
      if (!silhouettes[view.camera]) continue;
      seeing.push_back(view);
      if (!silhouettes[view.camera]->sums.any(view.cells, 0)) ++missing, missed = view.camera;
    }
    if (seeing.size() >= 2) add_voxel(seeing, missing, missed, &hulls);
  }
  for (size_t c = 0; c < count; ++c)
    if (hulls[c])
      add_counts(hulls[c]->reach.counts(silhouettes[c]->cells, c, count),
                 hulls[c]->projection.counts(silhouettes[c]->cells, c, count), c, agreement);
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

// The coverage when cameras a and b exchange their silhouettes.
Coverage coverage_exchanged(const GridViews& views, const std::vector<Silhouettes>& moments, size_t a,
                            size_t b) {
  SilhouetteAgreement agreement;
  for (Silhouettes silhouettes : moments) {
    std::swap(silhouettes[a], silhouettes[b]);
    add_instant(views, silhouettes, &agreement);
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
  const GridViews views(cameras, coarse_grid(grid, kExchangeVoxels));
  std::vector<Silhouettes> silhouettes;
  for (const MaskSet& masks : moments) silhouettes.push_back(silhouettes_of(cameras, masks));
  double best = -1, next = -1;
  SilhouetteFinding finding{SilhouetteVerdict::disagree, 0, 0};
  for (size_t a = 0; a < cameras.size() && cameras.size() <= kMaxExchanged; ++a)
    for (size_t b = a + 1; b < cameras.size() && !stop.stop_requested(); ++b) {
      if (cameras[a].width_px() != cameras[b].width_px() || cameras[a].height_px() != cameras[b].height_px())
        continue;
      const Coverage coverage = coverage_exchanged(views, silhouettes, a, b);
      next = std::max(next, std::min(best, coverage.mean));
      if (coverage.mean <= best) continue;
      best = coverage.mean;
      finding = {coverage.least >= kMinCoverage ? SilhouetteVerdict::exchanged : SilhouetteVerdict::disagree,
                 a, b};
    }
  const double as_it_is = coverage_exchanged(views, silhouettes, 0, 0).mean;
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

void add_silhouettes(const GridViews& views, const MaskSet& masks, SilhouetteAgreement* agreement) {
  add_instant(views, silhouettes_of(views.cameras(), masks), agreement);
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

std::vector<int> pixels_set(const Image& mask) {
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  const int width = cells_of(view.width);
  std::vector<int> counts(static_cast<size_t>(width) * static_cast<size_t>(cells_of(view.height)));
  for (int y = 0; y < view.height; ++y) {
    const uint8_t* row = view.row(y);
    int* out = counts.data() + static_cast<size_t>(y / kCell_px) * static_cast<size_t>(width);
    int x = 0;
    for (; x + kCell_px <= view.width; x += kCell_px)
      for (int i = 0; i < kCell_px; ++i) out[x / kCell_px] += row[x + i] >> 7;
    for (; x < view.width; ++x) out[x / kCell_px] += row[x] >> 7;
  }
  return counts;
}

Cells shrink(const Image& mask) {
  Cells cells(cells_of(mask.width()), cells_of(mask.height()));
  const std::vector<int> counts = pixels_set(mask);
  for (size_t i = 0; i < counts.size(); ++i) cells.set[i] = 2 * counts[i] >= kCell_px * kCell_px;
  return cells;
}

CellSums::CellSums(const Cells& cells) : width_(cells.width), height_(cells.height) {
  sums_.resize(static_cast<size_t>(width_ + 1) * static_cast<size_t>(height_ + 1));
  const ImageView<const uint8_t> set{cells.set.data(), width_, height_, static_cast<size_t>(width_)};
  const ImageView<int> sums{sums_.data(), width_ + 1, height_ + 1,
                            static_cast<size_t>(width_ + 1) * sizeof(int)};
  static_cast<void>(integral_image_cpu(set, sums, IntegralKind::exclusive, 1));  // its sizes fit
}

}  // namespace vantage
