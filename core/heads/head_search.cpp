#include "core/heads/head_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/heads/head_window.h"

namespace vantage {
namespace {

constexpr double kBelowTop_m = 0.12;  // a head's centre
constexpr size_t kRowSlack = 160;     // vectors read beyond a row's end

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

// Levels whose heads are of a size that is searched for.
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
    level.window_step = level.scale < 1.99 ? parameters.stride_px : 1;
    level.stride = padded(static_cast<size_t>(level.width));
    level.offset = offset;
    offset += level.stride * static_cast<size_t>(level.height);
    octaves = level.octave + 1;
    search->levels.push_back(level);
  }
  search->level_bytes = offset + kRowSlack;
  plan_octaves(search, octaves);
}

// How far people lean to the right in the camera's picture, in radians; 0 where that says little.
double lean_of_people(const Camera& camera, const HeadParameters& parameters) {
  constexpr int kPlaces = 9;
  constexpr double kFarthest_m = 30, kUp_m = 0.1, kMin = 4 * std::numbers::pi / 180, kAgree = 0.8;
  const double height_m = 0.5 * (parameters.min_height_m + parameters.max_height_m);
  Eigen::Vector2d sum(0, 0);
  int count = 0;
  for (int i = 0; i < kPlaces * kPlaces; ++i) {
    const Eigen::Vector2d place((i % kPlaces + 0.5) * camera.width_px() / kPlaces,
                                (i / kPlaces + 0.5) * camera.height_px() / kPlaces);
    const std::optional<Ray> ray = camera.ray(place);
    const auto head = ray ? intersect_horizontal_plane(*ray, height_m) : std::nullopt;
    if (!head || (*head - camera.center_in_world_m()).norm() > kFarthest_m) continue;
    const auto above = camera.project(*head + Eigen::Vector3d(0, 0, kUp_m));
    if (!above) continue;
    sum += (*above - place).normalized();
    ++count;
  }
  const double lean = std::atan2(sum.x(), -sum.y());
  return count > 0 && sum.norm() >= kAgree * count && std::abs(lean) >= kMin ? lean : 0;
}

HeadTurn plan_turn(int width, int height, double lean) {
  HeadTurn turn{width, height, width, height};
  const double c = std::cos(lean), s = std::sin(lean);
  const auto turned_width = static_cast<int>(std::ceil(std::abs(c) * width + std::abs(s) * height));
  const auto turned_height = static_cast<int>(std::ceil(std::abs(s) * width + std::abs(c) * height));
  if (lean == 0 || std::max(turned_width, turned_height) > kMaxHeadPictureSide) return turn;
  turn.width = turned_width;
  turn.height = turned_height;
  turn.cosine = static_cast<int32_t>(std::lround(65536 * c));
  turn.sine = static_cast<int32_t>(std::lround(65536 * s));
  return turn;
}

// A position of the turned picture in the camera's; the left edge of the first pixel is 0.
Eigen::Vector2d place_in_picture(const HeadTurn& turn, double x, double y) {
  const double dx = x - 0.5 * turn.width, dy = y - 0.5 * turn.height;
  const double c = turn.cosine / 65536.0, s = turn.sine / 65536.0;
  return {0.5 * turn.picture_width + c * dx - s * dy, 0.5 * turn.picture_height + s * dx + c * dy};
}

// Heads on the ray through a pixel: the range of their heights in the picture, nothing when there are none.
struct SizeRange {
  double smallest_px, largest_px;
};
std::optional<SizeRange> sizes_at(const Camera& camera, const HeadParameters& parameters, double x,
                                  double y) {
  constexpr double kSmallHead_m = 0.19, kLargeHead_m = 0.29, kNearest_m = 0.3, kFarthest_m = 100;
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

bool fits(const Camera& camera, const HeadTurn& turn, const HeadParameters& parameters,
          const HeadLevel& level, int x, int y) {
  const double reach = 0.75 * level.scale * kHeadTileWidth;  // from a point to the tile's farthest window
  const double head = kHeadHeight * level.scale, step = std::exp2(1.0 / kHeadLevelsPerOctave);
  std::optional<SizeRange> all;
  for (const int dy : {0, kHeadTileHeight / 2, kHeadTileHeight})
    for (const int dx : {0, kHeadTileWidth / 2, kHeadTileWidth}) {
      const double px = std::min(level.scale * (x + dx + kHeadLeft + 0.5 * kHeadWidth), turn.width - 1.0);
      const double py = std::min(level.scale * (y + dy + kHeadTop + 0.5 * kHeadHeight), turn.height - 1.0);
      const Eigen::Vector2d place = place_in_picture(turn, px, py);
      const Eigen::Vector2d inside(std::clamp(place.x(), 0.0, camera.width_px() - 1.0),
                                   std::clamp(place.y(), 0.0, camera.height_px() - 1.0));
      if ((place - inside).norm() > reach) continue;
      const std::optional<SizeRange> here = sizes_at(camera, parameters, inside.x(), inside.y());
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
  if (width < 1 || height < 1 || width > kMaxHeadPictureSide || height > kMaxHeadPictureSide)
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
  if (camera) search.camera = *camera;
  search.turn =
      plan_turn(width, height, camera && parameters.upright ? lean_of_people(*camera, parameters) : 0);
  search.width = search.turn.width;
  search.height = search.turn.height;
  plan_levels(&search, parameters);
  for (size_t l = 0; l < search.levels.size(); ++l) {
    HeadLevel& level = search.levels[l];
    for (int y = 0; y + kHeadWindow <= level.height; y += kHeadTileHeight)
      for (int x = 0; x + kHeadWindow <= level.width; x += kHeadTileWidth) {
        if (camera && !fits(*camera, search.turn, parameters, level, x, y)) continue;
        search.tiles.push_back({static_cast<int32_t>(l), x, y});
        search.windows += windows_in(level, x, y);
        if (!level.searched()) level.first_row = y;
        level.end_row = std::min(level.height, y + kHeadTileHeight + kHeadWindow - 1);
      }
  }
  return search;
}

double likelihood_of_size(const HeadSearch& search, const HeadParameters& parameters, const Detection& box) {
  constexpr double kHead_m = 0.24, kWindow = 0.18, kDeviations = 4.5;
  if (!search.camera) return 1;
  const std::optional<Ray> ray =
      search.camera->ray({box.x + 0.5 * double{box.w} - 0.5, box.y + 0.5 * double{box.h} - 0.5});
  if (!ray) return 1;
  const double middle_m = 0.5 * (parameters.min_height_m + parameters.max_height_m) - kBelowTop_m;
  const double deviation_m = (parameters.max_height_m - parameters.min_height_m) / kDeviations;
  std::array<double, 3> log_away{};  // of a lower, an average and a taller person's head
  for (int i = 0; i < 3; ++i) {
    const auto head = intersect_horizontal_plane(*ray, middle_m + (i - 1) * deviation_m);
    if (!head) return 1;
    log_away[i] = std::log((*head - ray->origin_in_world_m).norm());
  }
  const double focal = 0.5 * (search.camera->model().fx_px + search.camera->model().fy_px);
  const double off = std::log(double{box.h} / (focal * kHead_m)) + log_away[1];
  const double people = 0.5 * (log_away[2] - log_away[0]);
  return std::exp(-0.5 * off * off / (kWindow * kWindow + people * people));
}

std::optional<Detection> box_in_picture(const HeadSearch& search, Detection box) {
  if (!search.turn.turned()) return box;
  const Eigen::Vector2d middle =
      place_in_picture(search.turn, box.x + 0.5 * double{box.w}, box.y + 0.5 * double{box.h});
  if (middle.x() < 0 || middle.y() < 0 || middle.x() >= search.turn.picture_width ||
      middle.y() >= search.turn.picture_height)
    return {};
  box.x = static_cast<float>(middle.x() - 0.5 * double{box.w});
  box.y = static_cast<float>(middle.y() - 0.5 * double{box.h});
  return box;
}

}  // namespace vantage
