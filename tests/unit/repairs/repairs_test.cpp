#include "core/tracks/repairs/repairs.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

// Stands at x from `first` up to and without `end`.
PersonPath standing(int64_t id, double x_m, int64_t first, int64_t end) {
  PersonPath path{id, {}};
  for (int64_t frame = first; frame < end; ++frame) path.points.push_back({frame, x_m, 0, 1.7, 0.9, true, 0});
  return path;
}

double x_at(const PersonPath& path, int64_t frame) {
  for (const PathPoint& point : path.points)
    if (point.frame == frame) return point.x_m;
  return -1;
}

TEST(Repairs, JoinMakesOneOfTwo) {
  const auto result = apply_repairs({standing(3, 1, 0, 10), standing(5, 1.2, 15, 20)},
                                    {{RepairKind::join, {16, 1.2, 0.1}, {9, 1, 0}}});
  EXPECT_TRUE(result.unmet.empty());
  ASSERT_EQ(result.paths.size(), 1u);
  EXPECT_EQ(result.paths[0].id, 3);
  EXPECT_EQ(result.paths[0].points.size(), 15u);
  EXPECT_EQ(result.paths[0].points.front().frame, 0);
}

TEST(Repairs, SplitBeginsAnotherPerson) {
  const auto result =
      apply_repairs({standing(1, 0, 0, 10), standing(2, 5, 0, 10)}, {{RepairKind::split, {4, 0, 0}, {}}});
  ASSERT_EQ(result.paths.size(), 3u);
  EXPECT_EQ(result.paths[0].points.size(), 4u);
  EXPECT_EQ(result.paths[2].id, 3);
  EXPECT_EQ(result.paths[2].points.front().frame, 4);
}

TEST(Repairs, SwapExchangesFromTheFrameOn) {
  const auto result = apply_repairs({standing(1, 0, 0, 10), standing(2, 3, 2, 8)},
                                    {{RepairKind::swap, {5, 0, 0}, {5, 3, 0}}});
  EXPECT_TRUE(result.unmet.empty());
  ASSERT_EQ(result.paths.size(), 2u);
  EXPECT_EQ(x_at(result.paths[0], 4), 0);
  EXPECT_EQ(x_at(result.paths[0], 5), 3);
  EXPECT_EQ(x_at(result.paths[1], 4), 3);
  EXPECT_EQ(x_at(result.paths[1], 9), 0);
}

TEST(Repairs, RemoveMakesNobody) {
  const auto result =
      apply_repairs({standing(1, 0, 0, 10), standing(2, 3, 0, 10)}, {{RepairKind::remove, {5, 0.4, 0}, {}}});
  ASSERT_EQ(result.paths.size(), 1u);
  EXPECT_EQ(result.paths[0].id, 2);
}

TEST(Repairs, TheNearestIsMeantAndEachRepairSeesTheEarlierOnes) {
  const auto result =
      apply_repairs({standing(1, 0, 0, 10), standing(2, 0.3, 0, 10)},
                    {{RepairKind::remove, {5, 0.25, 0}, {}}, {RepairKind::remove, {5, 0.25, 0}, {}}});
  EXPECT_TRUE(result.paths.empty());
  EXPECT_TRUE(result.unmet.empty());
}

TEST(Repairs, WhatNoLongerHoldsIsListedWithItsReason) {
  const auto result = apply_repairs({standing(1, 0, 0, 10), standing(2, 3, 5, 15)},
                                    {{RepairKind::join, {2, 0, 0}, {12, 3, 0}},
                                     {RepairKind::split, {5, 3, 0}, {}},
                                     {RepairKind::remove, {20, 0, 0}, {}},
                                     {RepairKind::swap, {7, 0, 0}, {8, 3, 0}},
                                     {RepairKind::split, {4, 0, 0}, {}}});
  ASSERT_EQ(result.unmet.size(), 4u);
  EXPECT_NE(result.unmet[0].why.find("frame 5"), std::string::npos);
  EXPECT_EQ(result.unmet[1].number, 1u);
  EXPECT_NE(result.unmet[2].why.find("frame 20"), std::string::npos);
  EXPECT_EQ(result.paths.size(), 3u) << "the last one holds";
}

TEST(Repairs, AreHeldAgainstWhomTheyMean) {
  const std::vector<PersonPath> paths = {standing(1, 0, 0, 10), standing(2, 3, 2, 8),
                                         standing(3, 0.2, 0, 10)};
  EXPECT_EQ(why_not(paths, {{RepairKind::remove, {5, 0, 0}, {}}, 1, 0}), "");
  EXPECT_NE(why_not(paths, {{RepairKind::remove, {5, 0, 0}, {}}, 3, 0}).find("person 1 is"),
            std::string::npos);
  EXPECT_NE(why_not(paths, {{RepairKind::split, {5, 9, 9}, {}}, 1, 0}).find("no one is"), std::string::npos);
  EXPECT_NE(why_not(paths, {{RepairKind::remove, {9, 3, 0}, {}}, 2, 0}), "") << "not there in that frame";
  EXPECT_EQ(why_not(paths, {{RepairKind::swap, {5, 0, 0}, {5, 3, 0}}, 1, 2}), "");
  EXPECT_NE(why_not(paths, {{RepairKind::swap, {5, 0, 0}, {5, 3, 0}}, 1, 3}), "");
  EXPECT_NE(why_not(paths, {{RepairKind::join, {5, 0, 0}, {5, 3, 0}}, 1, 2}).find("both people"),
            std::string::npos)
      << "what does not hold is not written either";
}

TEST(Repairs, NamesAreThoseOfWhoStandsThereInTheEnd) {
  const auto named = [](int64_t frame, double x_m, const char* name) {
    return IdentityRepair{RepairKind::name, {frame, x_m, 0}, {}, name};
  };
  const std::vector<PersonPath> paths = {standing(1, 0, 0, 10), standing(2, 3, 0, 10), standing(4, 5, 0, 10)};
  const auto result = apply_repairs(paths, {named(2, 0, "Anna"),
                                            named(2, 3, "Bob"),
                                            {RepairKind::split, {5, 0, 0}, {}},
                                            named(7, 0, "Carl"),
                                            named(2, 5, "Dora"),
                                            named(3, 5, "Emil"),
                                            named(20, 0, "nobody")});
  EXPECT_EQ(result.names, (PersonNames{{1, "Anna"}, {2, "Bob"}, {4, "Emil"}, {5, "Carl"}}))
      << "also where an identity is repaired behind its name";
  ASSERT_EQ(result.unmet.size(), 1u);
  EXPECT_EQ(result.unmet[0].number, 6u);
  EXPECT_EQ(names_of(result.paths, {named(2, 5, "Dora"), named(2, 3, "Bob"), named(3, 5, "Emil")}, 4),
            (std::vector<size_t>{0, 2}));
  EXPECT_TRUE(apply_repairs(paths, {named(2, 0, "Anna"), named(3, 0, "")}).names.empty());
  EXPECT_EQ(why_not(paths, {named(2, 0, "Anna"), 1, 0}), "");
  EXPECT_NE(why_not(paths, {named(2, 0, "Anna"), 2, 0}), "");
}

TEST(Repairs, ThePlaceThatIsStatedTellsOfOneAlone) {
  std::vector<PersonPath> paths = {standing(1, 0, 0, 10), standing(2, 0, 3, 10)};
  for (const size_t i : {0, 4}) {
    PathPoint point = paths[0].points[i];
    point.seen = false;
    paths[0].points.set(i, point);
  }
  const auto place = unambiguous_position(paths, 1, 1);
  ASSERT_TRUE(place);
  EXPECT_EQ(*place, (PlaceInTime{1, 0, 0}));
  EXPECT_EQ(unambiguous_position(paths, 1, 6), place) << "in frame 6 the other stands at the same place";
  EXPECT_EQ(unambiguous_position(paths, 1, 0), place) << "not seen in frame 0";
  EXPECT_FALSE(unambiguous_position(paths, 7, 1));
}

}  // namespace
}  // namespace vantage
