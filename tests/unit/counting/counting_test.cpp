#include "core/tracks/counting/counting.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vantage {
namespace {

PersonPath walk(int64_t id, const std::vector<Eigen::Vector2d>& places, int64_t first_frame = 0) {
  PersonPath path{id, {}};
  for (const Eigen::Vector2d& place : places)
    path.points.push_back(
        {first_frame + static_cast<int64_t>(path.points.size()), place.x(), place.y(), 1.7, 0.9, true, 0});
  return path;
}

const FloorLine kLine{"door", {0, 0}, {0, 2}};  // looking along y: the left is where x is negative
const FloorZone kCorner{"corner", {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}};  // an L

TEST(FloorShapes, InsideIsTheDistanceFromTheBorder) {
  EXPECT_NEAR(distance_inside_m(kCorner, {0.5, 0.5}), 0.5, 1e-12);
  EXPECT_NEAR(distance_inside_m(kCorner, {1.5, 1.5}), -0.5, 1e-12) << "in the notch";
  EXPECT_NEAR(distance_inside_m(kCorner, {-3, -4}), -5, 1e-12);
  EXPECT_NEAR(distance_left_m(kLine, {-0.7, 5}), 0.7, 1e-12);
  EXPECT_TRUE(meets(kLine, {-1, 1}, {1, 1}));
  EXPECT_FALSE(meets(kLine, {-1, 3}, {1, 3})) << "beyond its end";
  EXPECT_FALSE(meets(kLine, {1, 1}, {2, 1}));
}

TEST(Crossings, CountBothWaysWithPlaceAndFrame) {
  const std::vector<PersonPath> paths = {walk(1, {{-1, 1}, {-0.5, 1}, {0.5, 1}, {1, 1}}),
                                         walk(2, {{1, 0.5}, {0.3, 0.5}, {-0.3, 0.5}}, 10)};
  const auto found = crossings(paths, kLine);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].id, 1);
  EXPECT_EQ(found[0].frame, 2);
  EXPECT_FALSE(found[0].to_left);
  EXPECT_NEAR(found[0].x_m, 0.5, 1e-12);
  EXPECT_EQ(found[1].frame, 12);
  EXPECT_TRUE(found[1].to_left);
}

TEST(Crossings, SwayingOnTheLineCountsOnceAndTurningBackNever) {
  const std::vector<PersonPath> sways = {
      walk(1, {{-1, 1}, {-0.1, 1}, {0.1, 1}, {-0.1, 1}, {0.1, 1}, {0.5, 1}})};
  EXPECT_EQ(crossings(sways, kLine).size(), 1u);
  const std::vector<PersonPath> turns = {walk(1, {{-1, 1}, {-0.1, 1}, {0.1, 1}, {-0.5, 1}})};
  EXPECT_TRUE(crossings(turns, kLine).empty());
  const std::vector<PersonPath> around = {walk(1, {{-1, 1}, {-1, 3}, {1, 3}, {1, 1}})};
  EXPECT_TRUE(crossings(around, kLine).empty());
}

TEST(Visits, EndOnlyBeyondTheMargin) {
  const std::vector<PersonPath> paths = {
      walk(7, {{-1, 0.5}, {0.1, 0.5}, {-0.1, 0.5}, {0.1, 0.5}, {-0.5, 0.5}, {0.5, 0.5}})};
  const auto found = visits(paths, kCorner);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].first_frame, 1);
  EXPECT_EQ(found[0].last_frame, 3);
  EXPECT_EQ(found[1].first_frame, 5);
  EXPECT_EQ(found[1].last_frame, 5);
}

TEST(FloorUse, TimeWayAndPeopleAddUp) {
  std::vector<Eigen::Vector2d> places;
  for (int i = 0; i <= 20; ++i) places.push_back({0.05 + 0.1 * i, 0.55});
  const std::vector<PersonPath> paths = {walk(1, places), walk(2, places, 5)};
  const FloorUse use = floor_use(paths, {0, 0, 1, 2, 1}, 10);
  EXPECT_NEAR(use.person_s[0], 2.0, 1e-9);
  EXPECT_NEAR(use.walked_m[0], 2.0, 1e-9);
  EXPECT_EQ(use.people[0], 2);
  EXPECT_NEAR(use.person_s[0] + use.person_s[1], 4.0, 1e-9) << "the last place is outside";
  const auto figures = walk_figures(paths, 10);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_NEAR(figures[1].walked_m, 2.0, 1e-9);
  EXPECT_NEAR(figures[1].mean_speed_m_per_s, 1.0, 1e-9);
  EXPECT_NEAR(figures[1].top_speed_m_per_s, 1.0, 1e-9);
  EXPECT_EQ(figures[1].last_frame, 25);
}

}  // namespace
}  // namespace vantage
