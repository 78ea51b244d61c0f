#include "core/foreground/scene_motion.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vantage {
namespace {

constexpr float kMotionNoise = 4;            // times the median change
constexpr float kMinMotion = 4;              // 8-bit steps
constexpr int kMinMovingNear = 3;            // of the nine cells around and with a moving one
constexpr float kMotionClosing = 1.0f / 40;  // of the longer side; the radius

template <typename Value>
struct Cells {
  Cells(int columns_, int rows_)
      : columns(columns_), rows(rows_), values(static_cast<size_t>(columns_) * static_cast<size_t>(rows_)) {}
  Value* row(int y) { return values.data() + static_cast<size_t>(y) * static_cast<size_t>(columns); }
  const Value* row(int y) const {
    return values.data() + static_cast<size_t>(y) * static_cast<size_t>(columns);
  }
  int columns, rows;
  std::vector<Value> values;
};

Cells<float> mean_brightness(const Picture& picture) {
  const ImageView<const uint8_t> luma = picture.plane(0);
  Cells<float> cells((luma.width + kMotionCell - 1) / kMotionCell,
                     (luma.height + kMotionCell - 1) / kMotionCell);
  for (int row = 0; row < cells.rows; ++row)
    for (int column = 0; column < cells.columns; ++column) {
      const int right = std::min((column + 1) * kMotionCell, luma.width);
      const int below = std::min((row + 1) * kMotionCell, luma.height);
      int sum = 0;
      for (int y = row * kMotionCell; y < below; ++y)
        for (int x = column * kMotionCell; x < right; ++x) sum += luma.row(y)[x];
      cells.row(row)[column] = static_cast<float>(sum) / static_cast<float>((below - row * kMotionCell) *
                                                                            (right - column * kMotionCell));
    }
  return cells;
}

float median(std::vector<float> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// 1 where a cell changed by more than light and noise do.
Cells<uint8_t> changed_cells(const Picture& picture, const Picture& later) {
  Cells<float> change = mean_brightness(picture);
  const Cells<float> after = mean_brightness(later);
  for (size_t i = 0; i < change.values.size(); ++i) change.values[i] = after.values[i] - change.values[i];
  const float of_light = median(change.values);
  for (float& value : change.values) value = std::abs(value - of_light);
  const float threshold = std::max(kMinMotion, kMotionNoise * median(change.values));
  Cells<uint8_t> changed(change.columns, change.rows);
  for (size_t i = 0; i < changed.values.size(); ++i) changed.values[i] = change.values[i] > threshold;
  return changed;
}

Cells<uint8_t> without_lonely(const Cells<uint8_t>& cells) {
  Cells<uint8_t> kept = cells;
  for (int y = 0; y < cells.rows; ++y)
    for (int x = 0; x < cells.columns; ++x) {
      int near = 0;
      for (int v = std::max(0, y - 1); v <= std::min(cells.rows - 1, y + 1); ++v)
        for (int u = std::max(0, x - 1); u <= std::min(cells.columns - 1, x + 1); ++u)
          near += cells.row(v)[u];
      if (near < kMinMovingNear) kept.row(y)[x] = 0;
    }
  return kept;
}

enum class Extreme : uint8_t { minimum, maximum };

// Of `count` cells, `step` apart, over windows of 2 * radius + 1 of them that end at the border. Cells are 0
// or 1, so counting the set ones tells.
void take_extreme(const uint8_t* in, int count, int step, int radius, Extreme extreme, uint8_t* out) {
  int set = 0;
  for (int i = 0; i < std::min(radius, count); ++i) set += in[i * step];
  for (int i = 0; i < count; ++i) {
    if (i + radius < count) set += in[(i + radius) * step];
    const int size = std::min(i + radius, count - 1) - std::max(i - radius, 0) + 1;
    out[i * step] = extreme == Extreme::maximum ? set > 0 : set == size;
    if (i - radius >= 0) set -= in[(i - radius) * step];
  }
}

void take_extreme(Cells<uint8_t>& cells, int radius, Extreme extreme) {
  Cells<uint8_t> between(cells.columns, cells.rows);
  for (int y = 0; y < cells.rows; ++y)
    take_extreme(cells.row(y), cells.columns, 1, radius, extreme, between.row(y));
  for (int x = 0; x < cells.columns; ++x)
    take_extreme(between.row(0) + x, cells.rows, cells.columns, radius, extreme, cells.row(0) + x);
}

bool comparable(const Picture& picture, const Picture& later) {
  return picture && later && picture.format() == later.format() && picture.place().kind == MemoryKind::host &&
         later.place().kind == MemoryKind::host;
}

}  // namespace

Result<Image> moving_cells(const Picture& picture, const Picture& later) {
  if (!comparable(picture, later))
    return fail(ErrorKind::invalid_argument, "motion is told from two pictures of one format in host memory");
  Cells<uint8_t> moving = without_lonely(changed_cells(picture, later));
  const int longer = std::max(moving.columns, moving.rows);
  const int radius = std::max(1, static_cast<int>(kMotionClosing * static_cast<float>(longer)));
  take_extreme(moving, radius, Extreme::maximum);
  take_extreme(moving, radius, Extreme::minimum);
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, moving.columns, moving.rows, HostPool::shared()));
  const ImageView<uint8_t> view = image.writable_view<uint8_t>();
  for (int y = 0; y < moving.rows; ++y)
    for (int x = 0; x < moving.columns; ++x) view.row(y)[x] = moving.row(y)[x] ? 255 : 0;
  return image;
}

}  // namespace vantage
