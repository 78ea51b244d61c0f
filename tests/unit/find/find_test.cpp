// Answers compared with the plain functions over all points, and with frame by frame counting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "core/tracks/counting/counting.h"
#include "core/tracks/find/question.h"
#include "tests/support/seed.h"

namespace vantage {
namespace {

constexpr double kRate = 10;

PersonPath straight(int64_t id, int64_t first, int64_t last, Eigen::Vector2d from, Eigen::Vector2d to,
                    double height_m = 1.8) {
  PersonPath path{id, {}};
  for (int64_t frame = first; frame <= last; ++frame) {
    const double share =
        last > first ? static_cast<double>(frame - first) / static_cast<double>(last - first) : 0;
    const Eigen::Vector2d place = from + share * (to - from);
    path.points.push_back({frame, place.x(), place.y(), height_m, 0.9, true});
  }
  return path;
}

// People who walk, stand for a while, and are not seen now and then.
std::vector<PersonPath> wanderers(std::mt19937& random, int people, int64_t frames) {
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<PersonPath> paths;
  for (int id = 1; id <= people; ++id) {
    PersonPath path{id, {}};
    Eigen::Vector2d place(6 * unit(random) - 3, 6 * unit(random) - 3), step(0, 0);
    const auto first = static_cast<int64_t>(unit(random) * 200);
    for (int64_t frame = first; frame < frames; ++frame) {
      if (unit(random) < 0.02) {
        const double speed_m = unit(random) < 0.6 ? 0.002 : 0.12, angle = 6.283 * unit(random);
        step = {speed_m * std::cos(angle), speed_m * std::sin(angle)};
      }
      place = (place + step).cwiseMax(-3.5).cwiseMin(3.5);
      if (unit(random) < 0.003) frame += static_cast<int64_t>(40 * unit(random));
      const auto stored = [](double value) { return std::round(value * 1000) / 1000; };
      path.points.push_back({frame, stored(place.x()), stored(place.y()), 1.5 + 0.05 * id, 0.9, true});
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

FloorZone zone() {
  return {"corner", {{-1, -1}, {2, -1.5}, {0.5, 0}, {1.5, 2}, {-1, 1}}};  // not convex
}

using Span = std::tuple<int64_t, int64_t, int64_t>;

TEST(Find, VisitsAndCrossingsAreThoseOfAllPoints) {
  std::mt19937 random(test::test_seed());
  const std::vector<PersonPath> paths = wanderers(random, 12, 5000);
  const TrackIndex index(paths, kRate);
  std::vector<Span> expected, found;
  for (const Visit& visit : visits(paths, zone()))
    expected.emplace_back(visit.first_frame, visit.id, visit.last_frame);
  for (const FoundMoment& moment : index.visits_of(zone(), {}))
    found.emplace_back(moment.first_frame, moment.person, moment.last_frame);
  std::ranges::sort(expected);
  EXPECT_EQ(found, expected);
  EXPECT_GT(expected.size(), 0U);
  const FloorLine line{"door", {-0.5, -2}, {0.7, 2}};
  expected.clear(), found.clear();
  for (const Crossing& crossing : crossings(paths, line))
    expected.emplace_back(crossing.frame, crossing.id, crossing.to_left);
  for (const FoundMoment& moment : index.crossings_of(line, CrossingWay::either, {}))
    found.emplace_back(moment.first_frame, moment.person, *moment.to_left);
  std::ranges::sort(expected);
  EXPECT_EQ(found, expected);
  EXPECT_GT(expected.size(), 0U);
}

// Frame by frame over all pairs.
std::vector<std::tuple<int64_t, int64_t, int64_t, int64_t>> slow_meetings(
    const std::vector<PersonPath>& paths, double closer_m) {
  std::vector<std::tuple<int64_t, int64_t, int64_t, int64_t>> all;
  for (size_t a = 0; a < paths.size(); ++a)
    for (size_t b = a + 1; b < paths.size(); ++b) {
      int64_t first = -1, last = -1, known = INT64_MIN / 2;
      const auto close = [&] {
        if (first >= 0) all.emplace_back(first, paths[a].id, paths[b].id, last);
        first = -1;
      };
      for (const PathPoint& one : paths[a].points) {
        const auto two = paths[b].points.find(one.frame);
        if (!two) continue;
        const double distance_m = std::hypot(one.x_m - two->x_m, one.y_m - two->y_m);
        if (distance_m > closer_m + TrackIndex::kLeaving_m ||
            one.frame - known > TrackIndex::kMaxGap_s * kRate)
          close();
        known = one.frame;
        if (distance_m >= closer_m) continue;
        if (first < 0) first = one.frame;
        last = one.frame;
      }
      close();
    }
  std::ranges::sort(all);
  return all;
}

TEST(Find, MeetingsAreThoseOfEveryFrame) {
  std::mt19937 random(test::test_seed());
  const std::vector<PersonPath> paths = wanderers(random, 6, 4000);
  const TrackIndex index(paths, kRate);
  for (const double closer_m : {0.4, 1.5, 20.0}) {
    std::vector<std::tuple<int64_t, int64_t, int64_t, int64_t>> found;
    for (const FoundMoment& moment : index.meetings(closer_m, {}))
      found.emplace_back(moment.first_frame, moment.person, moment.other, moment.last_frame);
    EXPECT_EQ(found, slow_meetings(paths, closer_m)) << closer_m << " m";
    EXPECT_FALSE(found.empty());
  }
}

TEST(Find, FiltersByTimeLengthHeightAndPerson) {
  const std::vector<PersonPath> paths = {straight(1, 0, 100, {0, 0}, {0, 0}, 1.9),
                                         straight(2, 50, 60, {0.5, 0}, {0.5, 0}, 1.2),
                                         straight(7, 200, 300, {5, 0}, {-5, 0}, 1.6)};
  const TrackIndex index(paths, kRate);
  const FloorZone room{"room", {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}};
  const auto people = [](const std::vector<FoundMoment>& moments) {
    std::vector<int64_t> ids;
    for (const FoundMoment& moment : moments) ids.push_back(moment.person);
    return ids;
  };
  using Ids = std::vector<int64_t>;
  EXPECT_EQ(people(index.visits_of(room, {})), (Ids{1, 2, 7}));
  EXPECT_EQ(people(index.visits_of(room, {.first_frame = 55, .last_frame = 90})), (Ids{1, 2}))
      << "reaches into it";
  EXPECT_EQ(people(index.visits_of(room, {.first_frame = 101, .last_frame = 199})), Ids{});
  EXPECT_EQ(people(index.visits_of(room, {.min_s = 3})), (Ids{1, 7}));
  EXPECT_EQ(people(index.visits_of(room, {.taller_m = 1.5})), (Ids{1, 7}));
  EXPECT_EQ(people(index.visits_of(room, {.shorter_m = 1.5})), Ids{2});
  EXPECT_EQ(people(index.present({.people = {7}})), Ids{7});
  const auto through = index.visits_of(room, {.people = {7}}).at(0);
  EXPECT_EQ(through.first_frame, 230);
  EXPECT_EQ(through.last_frame, 270);
  EXPECT_NEAR(through.x_m, 2, 1e-9);
  EXPECT_NEAR(through.height_m, 1.6, 1e-9);
  const FloorLine line{"middle", {0, -3}, {0, 3}};  // looking along y, left is -x
  EXPECT_EQ(people(index.crossings_of(line, CrossingWay::to_left, {})), Ids{7});
  EXPECT_EQ(people(index.crossings_of(line, CrossingWay::to_right, {})), Ids{});
  const auto met = index.meetings(1, {.people = {2}});
  ASSERT_EQ(met.size(), 1U);
  EXPECT_EQ(met[0].person, 2) << "the one asked for comes first";
  EXPECT_EQ(met[0].other, 1);
  EXPECT_EQ(met[0].first_frame, 50);
  EXPECT_EQ(met[0].last_frame, 60);
  EXPECT_NEAR(met[0].x_m, 0.25, 1e-9);
  EXPECT_EQ(index.meetings(1, {.min_s = 2}).size(), 0U);
  EXPECT_EQ(index.meetings(1, {.shorter_m = 1.5}).size(), 1U) << "one of the two is short";
  EXPECT_TRUE(TrackIndex({}, kRate).meetings(1, {}).empty());
}

TEST(Find, AQuestionIsPutToWhatAnswersIt) {
  std::mt19937 random(test::test_seed());
  std::vector<PersonPath> paths = wanderers(random, 6, 2000);
  // Some seeds lead nobody into the corner or through the door: this one goes there with every seed.
  paths.push_back(straight(7, 0, 100, {1, -0.5}, {-1.5, -0.5}));
  const TrackIndex index(paths, kRate);
  const FloorLine line{"door", {0, -3}, {0, 3}};
  FindQuestion question;
  question.filter.min_s = 2;
  EXPECT_EQ(answer(index, question), index.present(question.filter));
  question.kind = FindKind::visits, question.zone = zone();
  EXPECT_EQ(answer(index, question), index.visits_of(zone(), question.filter));
  EXPECT_FALSE(answer(index, question).empty());
  question.kind = FindKind::meetings, question.closer_m = 0.8;
  EXPECT_EQ(answer(index, question), index.meetings(0.8, question.filter));
  question.filter.min_s = 0;
  question.kind = FindKind::crossings, question.line = line, question.way = CrossingWay::to_left;
  EXPECT_EQ(answer(index, question), index.crossings_of(line, CrossingWay::to_left, question.filter));
  EXPECT_FALSE(answer(index, question).empty());
}

TEST(Find, PeopleAreCalledByNameOrId) {
  const PersonNames names = {{3, "Anna"}, {7, "Anna"}, {9, "12"}};
  EXPECT_EQ(people_called("Anna", names).value(), (std::vector<int64_t>{3, 7}));
  EXPECT_EQ(people_called("8", names).value(), (std::vector<int64_t>{8}));
  EXPECT_EQ(people_called("12", names).value(), (std::vector<int64_t>{9})) << "a name before an ID";
  for (const char* none : {"", "Berta", "-1", "1234567890123456789"})
    EXPECT_FALSE(people_called(none, names)) << none;
}

}  // namespace
}  // namespace vantage
