#include "core/heads/head_search.h"

#include <algorithm>
#include <cmath>

#include "core/heads/head_window.h"

namespace vantage {
namespace {

constexpr size_t kRowSlack = 160;  // vectors read beyond a row's end

size_t padded(size_t bytes) {
  return (bytes + kRowSlack + 63) / 64 * 64;
}

void plan_octaves(HeadSearch* search, int count) {
  size_t offset = 0;
  for (int o = 0; o < count; ++o) {
    HeadOctave octave;
    octave.width = search->width >> o;
    octave.height = search->height >> o;
    octave.stride = padded(static_cast<size_t>(octave.width));
    octave.offset = offset;
    if (o > 0) offset += octave.stride * static_cast<size_t>(octave.height);
    search->octaves.push_back(octave);
  }
  search->octave_bytes = offset;
}

// Levels whose heads are of a size that is looked for.
void plan_levels(HeadSearch* search, const HeadParameters& parameters) {
  size_t offset = 0;
  int octaves = 1;
  for (int l = 0;; ++l) {
    HeadLevel level;
    level.scale = std::exp2(static_cast<double>(l) / kHeadLevelsPerOctave);
    level.octave = l / kHeadLevelsPerOctave;
    level.step = static_cast<int32_t>(std::lround(65536 * level.scale / std::exp2(level.octave)));
    level.width = static_cast<int>(search->width / level.scale);
    level.height = static_cast<int>(search->height / level.scale);
    if (level.width < kHeadWindow || level.height < kHeadWindow) break;
    const double head = kHeadHeight * level.scale, half_step = std::exp2(0.5 / kHeadLevelsPerOctave);
    if (head > parameters.largest_px * half_step) break;
    if (head * half_step < parameters.smallest_px) continue;
    level.window_step = level.scale < 1.99 ? parameters.stride : 1;
    level.stride = padded(static_cast<size_t>(level.width));
    level.offset = offset;
    offset += level.stride * static_cast<size_t>(level.height);
    octaves = level.octave + 1;
    search->levels.push_back(level);
  }
  search->level_bytes = offset + kRowSlack;
  plan_octaves(search, octaves);
}

// Heads on the ray through a pixel: the range of their heights in the picture, nothing when there are none.
struct SizeRange {
  double smallest_px, largest_px;
};
std::optional<SizeRange> sizes_at(const Camera& camera, const HeadParameters& parameters, double x,
                                  double y) {
  constexpr double kSmallHead_m = 0.19, kLargeHead_m = 0.29, kNearest_m = 0.3, kFarthest_m = 100;
  constexpr double kBelowTop_m = 0.12;  // a head's centre
  const std::optional<Ray> ray = camera.ray({x, y});
  if (!ray) return {};
  const double z0 = ray->origin_in_world_m.z(), dz = ray->direction_in_world.z();
  double near = kNearest_m, far = kFarthest_m;
  const double low = parameters.min_height_m - kBelowTop_m, high = parameters.max_height_m - kBelowTop_m;
  if (std::abs(dz) < 1e-9) {
    if (z0 < low || z0 > high) return {};
  } else {
    const double a = (low - z0) / dz, b = (high - z0) / dz;
    near = std::max(near, std::min(a, b));
    far = std::min(far, std::max(a, b));
    if (near > far) return {};
  }
  const double focal = 0.5 * (camera.model().fx_px + camera.model().fy_px);
  return SizeRange{focal * kSmallHead_m / far, focal * kLargeHead_m / near};
}

bool fits(const Camera& camera, const HeadParameters& parameters, const HeadLevel& level, int x, int y) {
  const double head = kHeadHeight * level.scale, step = std::exp2(1.0 / kHeadLevelsPerOctave);
  std::optional<SizeRange> all;
  for (const int dy : {0, kHeadTileHeight / 2, kHeadTileHeight})
    for (const int dx : {0, kHeadTileWidth / 2, kHeadTileWidth}) {
      const double px =
          std::min(level.scale * (x + dx + kHeadLeft + 0.5 * kHeadWidth), camera.width_px() - 1.0);
      const double py =
          std::min(level.scale * (y + dy + kHeadTop + 0.5 * kHeadHeight), camera.height_px() - 1.0);
      const std::optional<SizeRange> here = sizes_at(camera, parameters, px, py);
      if (!here) continue;
      if (!all) all = here;
      all->smallest_px = std::min(all->smallest_px, here->smallest_px);
      all->largest_px = std::max(all->largest_px, here->largest_px);
    }
  return all && head * step >= all->smallest_px && head <= all->largest_px * step;
}

int64_t windows_in(const HeadLevel& level, int x, int y) {
  const auto count = [&](int first, int size, int end) {
    const int last = std::min(first + size, end - kHeadWindow + 1);
    return static_cast<int64_t>((last - first + level.window_step - 1) / level.window_step);
  };
  return count(x, kHeadTileWidth, level.width) * count(y, kHeadTileHeight, level.height);
}

}  // namespace

Result<HeadSearch> plan_head_search(int width, int height, const HeadParameters& parameters,
                                    const Camera* camera) {
  if (width < 1 || height < 1 || width > kHeadMostSide || height > kHeadMostSide)
    return fail(ErrorKind::invalid_argument,
                "a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                    " pixels is too large for head detection",
                "heads", "At most 8191 pixels a side are searched.");
  if (camera && (camera->width_px() != width || camera->height_px() != height))
    return fail(ErrorKind::invalid_argument,
                "the calibration is for pictures of " + std::to_string(camera->width_px()) + " x " +
                    std::to_string(camera->height_px()) + " pixels, not " + std::to_string(width) + " x " +
                    std::to_string(height),
                camera->name());
  HeadSearch search;
  search.width = width;
  search.height = height;
  plan_levels(&search, parameters);
  for (size_t l = 0; l < search.levels.size(); ++l) {
    HeadLevel& level = search.levels[l];
    for (int y = 0; y + kHeadWindow <= level.height; y += kHeadTileHeight)
      for (int x = 0; x + kHeadWindow <= level.width; x += kHeadTileWidth) {
        if (camera && !fits(*camera, parameters, level, x, y)) continue;
        search.tiles.push_back({static_cast<int32_t>(l), x, y});
        search.windows += windows_in(level, x, y);
        if (!level.searched()) level.first_row = y;
        level.end_row = std::min(level.height, y + kHeadTileHeight + kHeadWindow - 1);
      }
  }
  return search;
}

}  // namespace vantage
