#include "core/tracks/counting/entrances.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "tests/support/seed.h"

namespace vantage {
namespace {

PersonPath walk(int64_t id, int64_t first, int64_t last, const Eigen::Vector2d& from,
                const Eigen::Vector2d& to) {
  PersonPath path{id, {}};
  for (int64_t f = first; f <= last; ++f) {
    const Eigen::Vector2d at = from + (to - from) * static_cast<double>(f - first) /
                                          static_cast<double>(std::max<int64_t>(1, last - first));
    path.points.push_back({f, at.x(), at.y(), 1.7, 0.9, true, 0});
  }
  return path;
}

TEST(Entrances, AreWherePeopleComeAndGo) {
  std::vector<PersonPath> paths;
  // Three come in at a door about (0, 0) and leave by another about (5, 0), the last one not before the end.
  for (int64_t i = 0; i < 3; ++i)
    paths.push_back(walk(i + 1, 100 + 50 * i, i == 2 ? 999 : 400 + 50 * i, {0.1 * static_cast<double>(i), 0},
                         {5, 0.2 * static_cast<double>(i)}));
  paths.push_back(walk(4, 300, 500, {0, 0.3}, {5.3, 0}));
  paths.push_back(walk(5, 0, 999, {2, 2}, {3, 3}));     // there from first to last
  paths.push_back(walk(6, 5, 600, {2, 3}, {2.5, -2}));  // lost in the middle, once
  const auto learned = learn_entrances(paths, {0, 999}, 25);
  ASSERT_EQ(learned.size(), 2u);
  EXPECT_EQ(learned[0].zone.name, "entrance 1");
  EXPECT_EQ(learned[0].zone.kind, ZoneKind::entrance);
  EXPECT_EQ(learned[0].appeared, 4);
  EXPECT_EQ(learned[0].disappeared, 0);
  EXPECT_EQ(learned[1].appeared, 0);
  EXPECT_EQ(learned[1].disappeared, 3);
  const auto inside = [&](size_t i, double x, double y) {
    return distance_inside_m(learned[i].zone, {x, y});
  };
  // Circles of 0.4 m about the places, as twelve corners.
  EXPECT_NEAR(inside(0, 0, 0), 0.4, 0.03);
  EXPECT_NEAR(inside(0, 0.2, 0.3), 0.4 - 0.166, 0.03) << "0.166 m from the line of two places";
  EXPECT_LT(inside(0, 1, 0), 0);
  EXPECT_GT(inside(1, 5.3, 0), 0.35);
  EXPECT_LT(inside(1, 2.5, -2), 0);
}

TEST(Entrances, NeedSeveralTracks) {
  const std::vector<PersonPath> paths = {walk(1, 100, 999, {0, 0}, {5, 0}),
                                         walk(2, 200, 999, {0, 0}, {5, 1})};
  EXPECT_TRUE(learn_entrances(paths, {0, 999}, 25).empty());
  EXPECT_EQ(learn_entrances(paths, {0, 999}, 25, 2).size(), 1u);
  EXPECT_TRUE(learn_entrances({}, {0, 999}, 25).empty());
}

// Against every pair of positions, one by one.
TEST(Entrances, OfManyTracksAreChainsOfNearPlaces) {
  std::mt19937 random(test::test_seed());
  std::uniform_real_distribution<double> anywhere(-6, 6);
  std::vector<PersonPath> paths;
  std::vector<Eigen::Vector2d> places;
  for (int64_t id = 1; id <= 150; ++id) {
    places.emplace_back(anywhere(random), anywhere(random));
    paths.push_back(walk(id, 100, 999, places.back(), {0, 0}));
  }
  std::vector<size_t> chain(places.size());
  std::iota(chain.begin(), chain.end(), size_t{0});
  for (size_t i = 0; i < places.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (const auto [low, high] = std::minmax({chain[i], chain[j]}); (places[i] - places[j]).norm() < 0.6)
        std::replace(chain.begin(), chain.end(), high, low);
  std::map<size_t, int64_t> sizes;
  for (const size_t one : chain) ++sizes[one];
  std::multiset<int64_t> expected, found;
  for (const auto& [first, size] : sizes)
    if (size >= 2) expected.insert(size);
  for (const LearnedEntrance& one : learn_entrances(paths, {0, 999}, 25, 2)) found.insert(one.appeared);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace vantage
