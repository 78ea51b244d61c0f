#include "core/foreground/camera_shake.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/image/picture.h"

namespace vantage {
namespace {

constexpr int kLevels = 3, kColumns = 16, kRows = 12;
constexpr int kMargin = 2;
constexpr int kMaxSteps = 6;
constexpr double kConverged_px = 0.02;
// Minimum of the gradients' squares per pixel, in their weakest direction: less is inconclusive.
constexpr double kLeastTexture = 0.3;
// Maximum residual with an offset, as a share of that without one and of the picture's own contrast.
constexpr double kLargestRest = 0.6, kLargestOfContrast = 0.35;

struct Tile {
  int left = 0, top = 0, right = 0, bottom = 0;
  double mean = 0, variance = 0;  // of luma; the variance times the number of pixels
  double mean_gx = 0, mean_gy = 0;
  double xx = 0, xy = 0, yy = 0;  // sums over the gradients less their means

  int pixels() const { return (right - left) * (bottom - top); }
  double mean_variance() const { return variance / pixels(); }
};

std::vector<float> halved(const std::vector<float>& from, int width, int height) {
  std::vector<float> to;
  to.reserve(static_cast<size_t>(width / 2) * static_cast<size_t>(height / 2));
  for (int y = 0; y + 1 < height; y += 2)
    for (int x = 0; x + 1 < width; x += 2) {
      const float* at = from.data() + static_cast<ptrdiff_t>(y) * width + x;
      to.push_back(0.25f * (at[0] + at[1] + at[width] + at[width + 1]));
    }
  return to;
}

std::vector<float> floats_of(const ImageView<const uint8_t>& luma) {
  std::vector<float> values;
  for (int y = 0; y < luma.height; ++y) values.insert(values.end(), luma.row(y), luma.row(y) + luma.width);
  return values;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

struct RestView::Level {
  int width = 0, height = 0;
  std::vector<float> luma, gx, gy;
  std::vector<Tile> tiles;

  Level(std::vector<float> values, int w, int h) : width(w), height(h), luma(std::move(values)) {
    gx.resize(luma.size());
    gy.resize(luma.size());
    for (int y = 1; y + 1 < height; ++y)
      for (int x = 1; x + 1 < width; ++x) {
        const size_t i = index(x, y);
        gx[i] = 0.5f * (luma[i + 1] - luma[i - 1]);
        gy[i] = 0.5f * (luma[index(x, y + 1)] - luma[index(x, y - 1)]);
      }
    for (int row = 0; row < kRows; ++row)
      for (int column = 0; column < kColumns; ++column) add_tile(column, row);
  }

  size_t index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
  }

  void add_tile(int column, int row) {
    const auto edge = [](int i, int count, int size) { return kMargin + i * (size - 2 * kMargin) / count; };
    Tile tile{edge(column, kColumns, width), edge(row, kRows, height), edge(column + 1, kColumns, width),
              edge(row + 1, kRows, height)};
    if (tile.right <= tile.left || tile.bottom <= tile.top) return;
    const int n = tile.pixels();
    double luma_2 = 0, xx = 0, xy = 0, yy = 0;
    for (int y = tile.top; y < tile.bottom; ++y)
      for (int x = tile.left; x < tile.right; ++x) {
        const size_t i = index(x, y);
        const double v = luma[i], a = gx[i], b = gy[i];
        tile.mean += v, luma_2 += v * v, tile.mean_gx += a, tile.mean_gy += b;
        xx += a * a, xy += a * b, yy += b * b;
      }
    tile.mean /= n, tile.mean_gx /= n, tile.mean_gy /= n;
    tile.variance = luma_2 - n * tile.mean * tile.mean;
    tile.xx = xx - n * tile.mean_gx * tile.mean_gx;
    tile.xy = xy - n * tile.mean_gx * tile.mean_gy;
    tile.yy = yy - n * tile.mean_gy * tile.mean_gy;
    tiles.push_back(tile);
  }
};

namespace {

// A tile of a picture compared with the one at rest, with an offset between them.
struct TileFit {
  double difference = 0;  // mean square, brightness and contrast aside
  double bx = 0, by = 0;  // sums of the gradients times the difference
  bool inside = false;
};

template <typename Level>
TileFit fit_tile(const Level& rest, const Tile& tile, const std::vector<float>& picture, double dx, double dy,
                 std::vector<float>* differences) {
  TileFit fit;
  const int whole_x = static_cast<int>(std::floor(dx)), whole_y = static_cast<int>(std::floor(dy));
  if (tile.left + whole_x < 0 || tile.top + whole_y < 0 || tile.right + whole_x >= rest.width ||
      tile.bottom + whole_y >= rest.height)
    return fit;
  fit.inside = true;
  const auto fx = static_cast<float>(dx - whole_x), fy = static_cast<float>(dy - whole_y);
  const float w00 = (1 - fx) * (1 - fy), w10 = fx * (1 - fy), w01 = (1 - fx) * fy, w11 = fx * fy;
  const int columns = tile.right - tile.left, n = tile.pixels();
  differences->resize(static_cast<size_t>(n));
  double sum = 0, with_luma = 0;
  float* to = differences->data();
  for (int y = tile.top; y < tile.bottom; ++y, to += columns) {
    const float* at = picture.data() + rest.index(tile.left + whole_x, y + whole_y);
    const float* below = at + rest.width;
    const float* still = rest.luma.data() + rest.index(tile.left, y);
    float row_sum = 0, row_with = 0;
    for (int x = 0; x < columns; ++x) {
      const float e = w00 * at[x] + w10 * at[x + 1] + w01 * below[x] + w11 * below[x + 1] - still[x];
      to[x] = e;
      row_sum += e;
      row_with += e * (still[x] - static_cast<float>(tile.mean));
    }
    sum += row_sum, with_luma += row_with;
  }
  const auto mean = static_cast<float>(sum / n);
  const auto contrast = static_cast<float>(tile.variance > 0 ? with_luma / tile.variance : 0);
  const float* from = differences->data();
  for (int y = tile.top; y < tile.bottom; ++y, from += columns) {
    const size_t row = rest.index(tile.left, y);
    float squares = 0, bx = 0, by = 0;
    for (int x = 0; x < columns; ++x) {
      const size_t i = row + static_cast<size_t>(x);
      const float e = from[x] - mean - contrast * (rest.luma[i] - static_cast<float>(tile.mean));
      squares += e * e;
      bx += e * (rest.gx[i] - static_cast<float>(tile.mean_gx));
      by += e * (rest.gy[i] - static_cast<float>(tile.mean_gy));
    }
    fit.difference += squares, fit.bx += bx, fit.by += by;
  }
  fit.difference /= n;
  return fit;
}

template <typename Level>
std::vector<TileFit> fit_tiles(const Level& rest, const std::vector<float>& picture, double dx, double dy) {
  std::vector<TileFit> fits;
  std::vector<float> differences;
  for (const Tile& tile : rest.tiles) fits.push_back(fit_tile(rest, tile, picture, dx, dy, &differences));
  return fits;
}

// Weights of tiles; empty: too few are inside the picture.
std::vector<double> weights_of(const std::vector<TileFit>& fits) {
  std::vector<double> inside;
  for (const TileFit& fit : fits)
    if (fit.inside) inside.push_back(fit.difference);
  if (2 * inside.size() < fits.size() || inside.empty()) return {};
  const double usual = std::max(median(inside), 1e-3);
  std::vector<double> weights;
  for (const TileFit& fit : fits) {
    const double more = fit.difference / usual;
    weights.push_back(fit.inside ? 1 / (1 + more * more) : 0);
  }
  return weights;
}

// One step of the search; nothing: the tiles have too little texture.
template <typename Level>
std::optional<std::array<double, 2>> step(const Level& rest, const std::vector<TileFit>& fits,
                                          const std::vector<double>& weights) {
  double xx = 0, xy = 0, yy = 0, bx = 0, by = 0, pixels = 0;
  for (size_t i = 0; i < fits.size(); ++i) {
    const Tile& tile = rest.tiles[i];
    const double w = weights[i];
    xx += w * tile.xx, xy += w * tile.xy, yy += w * tile.yy, bx += w * fits[i].bx, by += w * fits[i].by;
    pixels += w * tile.pixels();
  }
  const double half = (xx + yy) / 2, least = half - std::hypot((xx - yy) / 2, xy);
  if (!(least > kLeastTexture * pixels)) return std::nullopt;
  const double determinant = xx * yy - xy * xy;
  return std::array{-(yy * bx - xy * by) / determinant, -(xx * by - xy * bx) / determinant};
}

double weighed_difference(const std::vector<TileFit>& fits, const std::vector<double>& weights) {
  double sum = 0;
  for (size_t i = 0; i < fits.size(); ++i) sum += weights[i] * fits[i].difference;
  return sum;
}

}  // namespace

int RestView::factor_of(int width_px) {
  return std::max(1, width_px / kWidth_px);
}

RestView::RestView(const ImageView<const uint8_t>& luma, int factor)
    : factor_(factor), width_(luma.width), height_(luma.height) {
  for (int y = 0; y < luma.height; ++y) luma_.insert(luma_.end(), luma.row(y), luma.row(y) + luma.width);
  std::vector<float> values = floats_of(luma);
  int width = luma.width, height = luma.height;
  for (int i = 0; i < kLevels; ++i) {
    std::vector<float> next = halved(values, width, height);
    levels_.emplace_back(std::move(values), width, height);
    values = std::move(next);
    width /= 2, height /= 2;
  }
}

RestView::~RestView() = default;

size_t RestView::size_bytes() const {
  size_t bytes = luma_.size();
  for (const Level& level : levels_) bytes += 3 * sizeof(float) * level.luma.size();
  return bytes;
}

std::optional<SceneOffset> RestView::find(const ImageView<const uint8_t>& luma) const {
  if (luma.width != width_ || luma.height != height_) return std::nullopt;
  std::vector<std::vector<float>> picture = {floats_of(luma)};
  for (int i = 1; i < kLevels; ++i) {
    const Level& finer = levels_[i - 1];
    picture.push_back(halved(picture.back(), finer.width, finer.height));
  }
  double x = 0, y = 0;
  std::vector<double> weights;
  for (int i = kLevels; i-- > 0;) {
    const Level& level = levels_[i];
    const std::vector<float>& shown = picture[i];
    if (i + 1 < kLevels) x *= 2, y *= 2;
    const double reach = kReach_px / (1 << i);
    for (int n = 0; n < kMaxSteps; ++n) {
      const std::vector<TileFit> fits = fit_tiles(level, shown, x, y);
      weights = weights_of(fits);
      const auto by = weights.empty() ? std::nullopt : step(level, fits, weights);
      if (!by) return std::nullopt;
      x += (*by)[0], y += (*by)[1];
      if (!(std::hypot(x, y) <= reach)) return std::nullopt;
      if (std::hypot((*by)[0], (*by)[1]) < kConverged_px) break;
    }
  }
  const SceneOffset offset{x * factor_, y * factor_};
  if (length_px(offset) < kStill_px) return offset;
  const Level& fine = levels_[0];
  const double with = weighed_difference(fit_tiles(fine, picture[0], x, y), weights),
               without = weighed_difference(fit_tiles(fine, picture[0], 0, 0), weights);
  double contrast = 0;
  for (size_t i = 0; i < weights.size(); ++i) contrast += weights[i] * fine.tiles[i].mean_variance();
  if (!(with < kLargestRest * without) || !(with < kLargestOfContrast * contrast)) return std::nullopt;
  return offset;
}

void RestView::write(ByteWriter* to) const {
  to->add(int32_t{factor_}).add(int32_t{width_}).add(int32_t{height_}).add(luma_);
}

Result<std::shared_ptr<const RestView>> RestView::read(ByteReader* from) {
  const auto factor = from->take<int32_t>(), width = from->take<int32_t>(), height = from->take<int32_t>();
  std::vector<uint8_t> luma;
  from->take(&luma);
  if (factor < 1 || width < 1 || height < 1 || std::ssize(luma) != int64_t{width} * height)
    return fail(ErrorKind::bad_data, "the view at rest does not have its size");
  const ImageView<const uint8_t> view{luma.data(), width, height, static_cast<size_t>(width)};
  return std::make_shared<const RestView>(view, factor);
}

Result<ShakenView> find_shake(std::span<const Picture> pictures) {
  ShakenView found;
  found.offsets.resize(pictures.size());
  if (pictures.empty()) return found;
  const int factor = RestView::factor_of(pictures[0].width());
  std::vector<Image> reduced;
  for (const Picture& picture : pictures) {
    VANTAGE_ASSIGN(Image image, reduced_mean(picture.plane(0), factor, HostPool::shared()));
    reduced.push_back(std::move(image));
  }
  const auto look_from = [&](size_t at) {
    found.rest = std::make_shared<const RestView>(reduced[at].view<uint8_t>(), factor);
    tbb::parallel_for(size_t{0}, reduced.size(),
                      [&](size_t i) { found.offsets[i] = found.rest->find(reduced[i].view<uint8_t>()); });
  };
  const size_t first = pictures.size() / 2;
  look_from(first);
  std::vector<double> xs, ys;
  for (const auto& offset : found.offsets)
    if (offset) xs.push_back(offset->x_px), ys.push_back(offset->y_px);
  if (2 * xs.size() < pictures.size()) {
    found.rest = nullptr;
    return found;
  }
  // The picture nearest to the middle of all is the one at rest.
  const SceneOffset middle{median(xs), median(ys)};
  size_t rest = first;
  double nearest = length_px(middle);
  for (size_t i = 0; i < found.offsets.size(); ++i) {
    if (!found.offsets[i]) continue;
    const double away =
        std::hypot(found.offsets[i]->x_px - middle.x_px, found.offsets[i]->y_px - middle.y_px);
    if (away < nearest) nearest = away, rest = i;
  }
  if (rest != first) look_from(rest);
  for (const auto& offset : found.offsets)
    if (offset) found.largest_px = std::max(found.largest_px, length_px(*offset));
  return found;
}

}  // namespace vantage
