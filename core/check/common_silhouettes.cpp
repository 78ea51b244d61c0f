#include "core/check/common_silhouettes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check/detail/silhouette_cells.h"

namespace vantage {
namespace {

constexpr double kMinBlob_m2 = 0.05;  // seen at right angles; a person has 0.4 and more

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
  std::vector<int> counts = pixels_set(mask);
  for (size_t cell = 0; cell < counts.size(); ++cell)
    if (!cells->set[cell]) counts[cell] = 0;
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

std::vector<Image> CommonSilhouettes::of(std::span<const Image> masks) const {
  const std::vector<Camera>& cameras = views_.cameras();
  const size_t count = cameras.size();
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
  for (size_t voxel = 0; voxel < views_.voxels(); ++voxel) {
    int seeing = 0;
    bool met = true;
    for (const GridViews::View& view : views_.of(voxel)) {
      if (!masks[view.camera]) continue;
      ++seeing;
      met = sums[view.camera].any(view.cells, radius);
      if (!met) break;
    }
    if (!met || seeing < least) continue;
    for (const auto& [camera, footprint, depth_m] : views_.of(voxel)) {
      if (!masks[camera]) continue;
      fill(footprint, &common[camera]);
      note_depth(footprint, common[camera].width, depth_m, &depths_m[camera]);
    }
  }
  std::vector<Image> result(count);
  for (size_t c = 0; c < count; ++c) {
    if (!masks[c]) continue;
    drop_small_blobs(masks[c], depths_m[c], cameras[c].model().fx_px, &common[c]);
    result[c] = within(masks[c], common[c]);
  }
  return result;
}

}  // namespace vantage
