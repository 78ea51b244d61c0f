#include "core/pipeline/detail/person_appearance.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/pipeline/detail/body_points.h"

namespace vantage {
namespace {

// Parts of a body, by height: the head tells little, the feet stand in shadows.
struct Part {
  double low, high;
  bool holds(double share) const { return share >= low && share < high; }
  int points() const {
    int rows = 0;
    for (int row = 0; row < kBodyRows; ++row) rows += holds((row + 1.0) / (kBodyRows + 1.0));
    return rows * kBodyColumns;
  }
};
constexpr Part kTrunk{0.5, 0.84}, kLegs{0.08, 0.46};

std::array<float, 3> color_at(const Picture& picture, const Eigen::Vector2d& pixel) {
  const int x = std::clamp(static_cast<int>(std::lround(pixel.x())), 0, picture.width() - 1);
  const int y = std::clamp(static_cast<int>(std::lround(pixel.y())), 0, picture.height() - 1);
  const float luma = picture.plane(0).at(x, y);
  const ImageView<const uint8_t> first = picture.plane(1);
  if (picture.plane_count() == 2)
    return {luma, static_cast<float>(first.at(x / 2 * 2, y / 2)),
            static_cast<float>(first.at(x / 2 * 2 + 1, y / 2))};
  return {luma, static_cast<float>(first.at(x / 2, y / 2)),
          static_cast<float>(picture.plane(2).at(x / 2, y / 2))};
}

std::optional<std::array<float, 3>> mean_of(const std::vector<BodyPoint>& points, const Part& part,
                                            const Picture& picture) {
  std::array<float, 3> sum{};
  int count = 0;
  for (const BodyPoint& point : points) {
    if (!part.holds(point.height_share)) continue;
    const std::array<float, 3> color = color_at(picture, point.pixel);
    for (size_t i = 0; i < 3; ++i) sum[i] += color[i];
    ++count;
  }
  if (count < kMinSeen * part.points()) return std::nullopt;
  for (float& channel : sum) channel /= static_cast<float>(count);
  return sum;
}

}  // namespace

std::vector<std::vector<BodyColor>> measure_appearance(std::span<const AppearanceView> views,
                                                       std::span<const FoundPerson> people) {
  std::vector<std::vector<BodyColor>> colors(people.size());
  for (size_t person = 0; person < people.size(); ++person)
    for (size_t c = 0; c < views.size(); ++c) {
      if (!views[c].picture || !*views[c].picture) continue;
      const std::vector<BodyPoint> points = visible_points(*views[c].camera, views[c].mask, people, person);
      const auto trunk = mean_of(points, kTrunk, *views[c].picture),
                 legs = mean_of(points, kLegs, *views[c].picture);
      if (trunk || legs) colors[person].push_back({static_cast<int32_t>(c), trunk, legs});
    }
  return colors;
}

}  // namespace vantage
