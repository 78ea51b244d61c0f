#include "core/check/common_silhouettes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check/detail/silhouette_cells.h"
#include "core/primitives/integral_image.h"

namespace vantage {
namespace {

constexpr double kMinBlob_m2 = 0.05;  // seen at right angles; a person has 0.4 and more

// Counts of set cells in rectangles, by an integral image.
class CellSums {
 public:
  CellSums() = default;
  explicit CellSums(const Cells& cells) : width_(cells.width), height_(cells.height) {
    sums_.resize(static_cast<size_t>(width_ + 1) * (height_ + 1));
    const ImageView<const uint8_t> set{cells.set.data(), width_, height_, static_cast<size_t>(width_)};
    const ImageView<int> sums{sums_.data(), width_ + 1, height_ + 1, (width_ + 1) * sizeof(int)};
    static_cast<void>(integral_image_cpu(set, sums, IntegralKind::exclusive, 1));  // its sizes fit
  }
  // Whether any is set within `radius` cells of the footprint.
  bool any(const Footprint& f, int radius) const {
    const int x0 = std::max(0, f.x0 - radius), y0 = std::max(0, f.y0 - radius);
    const int x1 = std::min(width_, f.x1 + radius + 1), y1 = std::min(height_, f.y1 + radius + 1);
    return at(x1, y1) - at(x0, y1) - at(x1, y0) + at(x0, y0) > 0;
  }

 private:
  int at(int x, int y) const { return sums_[static_cast<size_t>(y) * (width_ + 1) + x]; }

  int width_ = 0, height_ = 0;
  std::vector<int> sums_;
};

// The cells of a blob around a cell, eight neighbours connected; takes them out of `counts`.
std::vector<size_t> take_blob(size_t start, int width, int height, std::vector<int>* counts,
                              int64_t* pixels) {
  std::vector<size_t> blob = {start};
  *pixels = std::exchange((*counts)[start], 0);
  for (size_t next = 0; next < blob.size(); ++next) {
    const int x = static_cast<int>(blob[next] % width), y = static_cast<int>(blob[next] / width);
    for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
      for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
        const size_t cell = static_cast<size_t>(v) * width + u;
        if ((*counts)[cell] == 0) continue;
        *pixels += std::exchange((*counts)[cell], 0);
        blob.push_back(cell);
      }
  }
  return blob;
}

// Leaves in `cells` those of blobs as large as a good part of a body: an outline is spoilt by the smallest
// speck outside it. depths_m: of the farthest voxel of the loose hull behind each cell.
void drop_small_blobs(const Image& mask, const std::vector<float>& depths_m, double focal_length_px,
                      Cells* cells) {
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  std::vector<int> counts(cells->set.size());
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) {
      const size_t cell = static_cast<size_t>(y / kCell_px) * cells->width + x / kCell_px;
      counts[cell] += cells->set[cell] && view.at(x, y) >= 128;
    }
  std::fill(cells->set.begin(), cells->set.end(), uint8_t{0});
  for (size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] == 0) continue;
    int64_t pixels = 0;
    const std::vector<size_t> blob = take_blob(cell, cells->width, cells->height, &counts, &pixels);
    double depth_m = 0;
    for (const size_t at : blob) depth_m = std::max<double>(depth_m, depths_m[at]);
    const double pixel_m = depth_m / focal_length_px;
    if (static_cast<double>(pixels) * pixel_m * pixel_m < kMinBlob_m2) continue;
    for (const size_t at : blob) cells->set[at] = 1;
  }
}

Image within(const Image& mask, const Cells& cells) {
  Result<Image> copy = Image::make(ImageType::u8, mask.width(), mask.height(), HostPool::shared());
  if (!copy) return {};
  const ImageView<const uint8_t> from = mask.view<uint8_t>();
  const ImageView<uint8_t> to = copy->writable_view<uint8_t>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      to.at(x, y) = cells.at(x / kCell_px, y / kCell_px) ? from.at(x, y) : 0;
  return *copy;
}

void note_depth(const Footprint& f, int width, double depth_m, std::vector<float>* depths_m) {
  for (int y = f.y0; y <= f.y1; ++y)
    for (int x = f.x0; x <= f.x1; ++x) {
      float& depth = (*depths_m)[static_cast<size_t>(y) * width + x];
      depth = std::max(depth, static_cast<float>(depth_m));
    }
}

}  // namespace

CommonSilhouettes::CommonSilhouettes(const std::vector<Camera>& cameras, const VoxelGrid& grid,
                                     double tolerance_px)
    : cameras_(cameras), tolerance_px_(tolerance_px), seen_(cameras.size()) {
  for (size_t c = 0; c < cameras.size(); ++c) {
    const Camera& camera = cameras[c];
    const Cells cells((camera.width_px() + kCell_px - 1) / kCell_px,
                      (camera.height_px() + kCell_px - 1) / kCell_px);
    for (int z = 0; z < grid.nz; ++z)
      for (int y = 0; y < grid.ny; ++y)
        for (int x = 0; x < grid.nx; ++x) {
          const Eigen::Vector3d point(grid.center(0, x), grid.center(1, y), grid.center(2, z));
          seen_[c].push_back({footprint(camera, point, grid.voxel_size_m, cells),
                              static_cast<float>((camera.cam_from_world() * point).z())});
        }
  }
}

std::vector<Image> CommonSilhouettes::of(std::span<const Image> masks) const {
  const size_t count = cameras_.size();
  std::vector<CellSums> sums(count);
  std::vector<Cells> common(count);
  std::vector<std::vector<float>> depths_m(count);
  for (size_t c = 0; c < count; ++c) {
    if (!masks[c]) continue;
    const Cells cells = shrink(masks[c]);
    sums[c] = CellSums(cells);
    common[c] = Cells(cells.width, cells.height);
    depths_m[c].resize(common[c].set.size());
  }
  // Two cameras nearly always find each other a place where both see something; a third rarely does.
  const int least = static_cast<int>(std::min<ptrdiff_t>(
      3, std::count_if(masks.begin(), masks.end(), [](const Image& mask) { return bool(mask); })));
  const int radius = static_cast<int>(std::ceil(tolerance_px_ / kCell_px));
  for (size_t voxel = 0; voxel < (count > 0 ? seen_[0].size() : 0); ++voxel) {
    int seeing = 0;
    bool met = true;
    for (size_t c = 0; met && c < count; ++c) {
      if (!masks[c] || !seen_[c][voxel].footprint.seen()) continue;
      ++seeing;
      met = sums[c].any(seen_[c][voxel].footprint, radius);
    }
    for (size_t c = 0; met && seeing >= least && c < count; ++c) {
      const auto& [footprint, depth_m] = seen_[c][voxel];
      if (!masks[c] || !footprint.seen()) continue;
      fill(footprint, &common[c]);
      note_depth(footprint, common[c].width, depth_m, &depths_m[c]);
    }
  }
  std::vector<Image> result(count);
  for (size_t c = 0; c < count; ++c) {
    if (!masks[c]) continue;
    drop_small_blobs(masks[c], depths_m[c], cameras_[c].model().fx_px, &common[c]);
    result[c] = within(masks[c], common[c]);
  }
  return result;
}

}  // namespace vantage
