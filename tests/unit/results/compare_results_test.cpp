// Results of two runs compared: against every pairing tried, and as the frames of two folders.
#include "core/results/compare_results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "core/base/file.h"
#include "core/base/json.h"
#include "tests/support/data.h"
#include "tests/support/seed.h"

namespace vantage {
namespace {

FloorPerson person_at(double x_m, double y_m, int64_t id) {
  FloorPerson person;
  person.id = id, person.x_m = x_m, person.y_m = y_m, person.height_m = 1.7;
  return person;
}

// The smallest sum of distances short of the reach, over all ways to pair.
double best_score(const std::vector<FloorPerson>& first, std::vector<FloorPerson> second, double reach_m) {
  while (second.size() < first.size()) second.push_back(person_at(1e6, 1e6, 0));
  std::vector<size_t> order(second.size());
  std::iota(order.begin(), order.end(), size_t{0});
  double best = 0;
  do {
    double score = 0;
    for (size_t i = 0; i < first.size(); ++i) {
      const FloorPerson& other = second[order[i]];
      score += std::max(0.0, reach_m - std::hypot(first[i].x_m - other.x_m, first[i].y_m - other.y_m));
    }
    best = std::max(best, score);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(CompareResults, PairsAreTheBestOfAll) {
  const uint32_t seed = test::test_seed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, 2.5);
  const CompareResultsOptions options;
  for (int round = 0; round < 200; ++round) {
    std::vector<FloorPerson> first(random() % 6), second(random() % 6);
    for (size_t i = 0; i < first.size(); ++i) first[i] = person_at(place(random), place(random), int64_t(i));
    for (size_t i = 0; i < second.size(); ++i)
      second[i] = person_at(place(random), place(random), int64_t(i));
    const std::vector<PersonOfTwo> people = compare_people(first, second, options);
    size_t of_first = 0, of_second = 0;
    double score = 0;
    bool before_differs = true;
    for (const PersonOfTwo& one : people) {
      of_first += one.first.has_value(), of_second += one.second.has_value();
      EXPECT_TRUE(one.first || one.second);
      EXPECT_TRUE(before_differs || !one.differs) << "those that differ come first";
      before_differs = one.differs;
      if (!one.first || !one.second) {
        EXPECT_TRUE(one.differs);
        continue;
      }
      EXPECT_NEAR(one.apart_m, std::hypot(one.first->x_m - one.second->x_m, one.first->y_m - one.second->y_m),
                  1e-12);
      EXPECT_LT(one.apart_m, options.reach_m);
      EXPECT_EQ(one.differs, one.apart_m > options.beyond_m);
      score += options.reach_m - one.apart_m;
    }
    EXPECT_EQ(of_first, first.size());
    EXPECT_EQ(of_second, second.size());
    EXPECT_NEAR(score,
                best_score(first.size() <= second.size() ? first : second,
                           first.size() <= second.size() ? second : first, options.reach_m),
                1e-9);
  }
}

TEST(CompareResults, TheNextDifferenceIsBehindTheFrameOrTheFirst) {
  std::vector<ResultsDifference> all;
  EXPECT_FALSE(next_difference(all, 3, {}));
  EXPECT_FALSE(previous_difference(all, 3, {}));
  for (const int64_t frame : {4, 4, 9}) {
    ResultsDifference& one = all.emplace_back();
    one.first_frame = one.last_frame = frame;
  }
  EXPECT_EQ(next_difference(all, -1, {}), 0u);
  EXPECT_EQ(next_difference(all, 4, 0), 1u) << "two begin in one frame";
  EXPECT_EQ(next_difference(all, 4, 1), 2u);
  EXPECT_EQ(next_difference(all, 4, {}), 2u);
  EXPECT_EQ(next_difference(all, 9, 2), 0u) << "from the start again";
  EXPECT_EQ(next_difference(all, 6, 0), 2u) << "somebody went on to another frame";
  EXPECT_EQ(previous_difference(all, 4, 1), 0u);
  EXPECT_EQ(previous_difference(all, 4, 0), 2u) << "from the end again";
  EXPECT_EQ(previous_difference(all, 9, 2), 1u);
  EXPECT_EQ(previous_difference(all, 6, 2), 1u);
}

// Results of people by frame, as a run writes them.
using PeopleByFrame = std::map<int64_t, std::vector<FloorPerson>>;

class CompareFolders : public ::testing::Test {
 protected:
  std::filesystem::path results(const std::string& name, const PeopleByFrame& frames) const {
    std::string lines = R"({"schema":"vantage-results-1","version":"0","device":"CPU","frame_rate":10.0})"
                        "\n";
    for (const auto& [frame, people] : frames) {
      nlohmann::json line = {
          {"frame", frame}, {"versions", nlohmann::json::object()}, {"cameras", nlohmann::json::array()}};
      nlohmann::json found = nlohmann::json::array();
      for (const FloorPerson& one : people)
        found.push_back({{"id", one.id},
                         {"x_m", one.x_m},
                         {"y_m", one.y_m},
                         {"height_m", one.height_m},
                         {"confidence", 0.9}});
      line["people"] = {{"count", people.size()}, {"people", found}, {"rejected", nlohmann::json::array()}};
      lines += line.dump() + "\n";
    }
    const std::filesystem::path folder = folder_.path() / name;
    EXPECT_TRUE(make_folder(folder));
    EXPECT_TRUE(write_file_atomically(folder / "results.jsonl", lines));
    return folder;
  }
  static PeopleByFrame standing(int64_t from, int64_t to, int64_t id) {
    PeopleByFrame frames;
    for (int64_t frame = from; frame <= to; ++frame) frames[frame] = {person_at(1, 1, id)};
    return frames;
  }
  const test::TemporaryFolder folder_;
};

TEST_F(CompareFolders, DifferencesLastFromTheirFirstFrameToTheirLast) {
  PeopleByFrame first = standing(0, 39, 1), second = standing(0, 39, 8);
  for (int64_t frame = 5; frame < 15; ++frame) first[frame].push_back(person_at(3, 0, 2));
  first[9].pop_back();  // for one frame
  for (int64_t frame = 30; frame < 33; ++frame) second[frame][0].x_m = 1.05 + 0.1 * double(frame - 28);
  const ResultsComparison compared = compare_results(results("a", first), results("b", second)).value();
  EXPECT_EQ(compared.frames, 40);
  EXPECT_EQ(compared.differing, 9 + 2);
  EXPECT_EQ(compared.only_first, 9);
  EXPECT_EQ(compared.apart, 2);
  ASSERT_EQ(compared.differences.size(), 2u);
  EXPECT_EQ(compared.differences[0].kind, DifferenceKind::only_first);
  EXPECT_EQ(compared.differences[0].first_frame, 5);
  EXPECT_EQ(compared.differences[0].last_frame, 14);
  EXPECT_EQ(compared.differences[0].first_id, 2);
  EXPECT_DOUBLE_EQ(compared.differences[0].x_m, 3);
  EXPECT_EQ(difference_text(compared.differences[0], "strict", "loose"),
            "only strict has a person (ID 2), 10 frames");
  EXPECT_EQ(compared.differences[1].kind, DifferenceKind::apart);
  EXPECT_EQ(compared.differences[1].first_frame, 31);
  EXPECT_NEAR(compared.differences[1].apart_m, 0.45, 1e-9);
  EXPECT_EQ(difference_text(compared.differences[1], "strict", "loose"),
            "0.45 m apart (IDs 1 and 8), 2 frames");
}

TEST_F(CompareFolders, PeopleWithoutIdsAreToldApartByTheirPositions) {
  PeopleByFrame first, second;
  for (int64_t frame = 0; frame < 10; ++frame) {
    first[frame] = {person_at(0.1 * double(frame), 0, 0), person_at(0.1 * double(frame), 5, 0)};
    second[frame] = {};
  }
  const auto compared = compare_results(results("a", first), results("b", second)).value();
  ASSERT_EQ(compared.differences.size(), 2u);
  for (const ResultsDifference& one : compared.differences) {
    EXPECT_EQ(one.first_frame, 0);
    EXPECT_EQ(one.last_frame, 9);
  }
  for (int64_t frame = 3; frame < 10; ++frame) first[frame][0].id = 6;  // known from this frame on
  const auto named = compare_results(results("a", first), results("b", second)).value();
  ASSERT_EQ(named.differences.size(), 2u);
  EXPECT_EQ(named.differences[0].first_id + named.differences[1].first_id, 6);
  EXPECT_EQ(named.differences[0].last_frame, 9);
}

TEST_F(CompareFolders, AnIdentityDiffersWhereThePairsChange) {
  const PeopleByFrame first = standing(0, 29, 1);
  PeopleByFrame second = standing(0, 29, 4);
  for (int64_t frame = 12; frame < 30; ++frame) second[frame][0].id = 7;
  const auto compared = compare_results(results("a", first), results("b", second)).value();
  EXPECT_EQ(compared.differing, 0) << "everybody is where they were";
  EXPECT_EQ(compared.identities, 1);
  ASSERT_EQ(compared.differences.size(), 1u);
  EXPECT_EQ(compared.differences[0].first_frame, 12);
  EXPECT_EQ(difference_text(compared.differences[0], "A", "B"), "ID 1 in A is 7 in B, was 4");
  const auto reversed = compare_results(results("b", second), results("a", first)).value();
  ASSERT_EQ(reversed.differences.size(), 1u);
  EXPECT_EQ(difference_text(reversed.differences[0], "B", "A"), "ID 7 in B is 1 in A, which was 4 in B");
}

// One run has the person enter half a second later, which is the same event; another has no such event.
TEST_F(CompareFolders, EventsOfTheProjectsRulesAreCompared) {
  Project project;
  project.zones = {{"shop", {{2, -1}, {4, -1}, {4, 1}, {2, 1}}}};
  project.rules = {{"alarm", RuleKind::enters, "shop"}};
  const auto walking = [&](double late_m, double farthest_m) {
    PeopleByFrame frames;
    for (int64_t frame = 0; frame < 60; ++frame)
      frames[frame] = {person_at(std::min(farthest_m, 0.1 * double(frame) - late_m), 0, 1)};
    return frames;
  };
  CompareResultsOptions options;
  options.project = &project, options.beyond_m = options.reach_m = 10;
  const auto in_time = results("in time", walking(0, 3)), late = results("late", walking(0.5, 3)),
             outside = results("outside", walking(0, 1.5));
  EXPECT_TRUE(compare_results(in_time, late, options).value().differences.empty());
  const auto compared = compare_results(outside, in_time, options).value();
  EXPECT_EQ(compared.events, 1);
  ASSERT_EQ(compared.differences.size(), 1u);
  EXPECT_EQ(compared.differences[0].kind, DifferenceKind::event_second);
  EXPECT_EQ(compared.differences[0].second_id, 1);
  EXPECT_EQ(difference_text(compared.differences[0], "A", "B"), "only B has an event of alarm");
  options.project = nullptr;
  EXPECT_TRUE(compare_results(outside, in_time, options).value().differences.empty());
}

TEST_F(CompareFolders, FramesOfOneRunAloneAreKnownAndNoDifference) {
  const auto compared =
      compare_results(results("a", standing(0, 5, 1)), results("b", standing(4, 9, 2))).value();
  EXPECT_EQ(compared.frames, 2);
  EXPECT_TRUE(compared.differences.empty());
  ASSERT_EQ(compared.by_frame.size(), 10u);
  EXPECT_TRUE(compared.by_frame.at(5).compared());
  EXPECT_TRUE(compared.by_frame.at(3).first && !compared.by_frame.at(3).second);
  EXPECT_EQ(compared.by_frame.at(3).people.at(0).first->id, 1);
  EXPECT_EQ(compared.by_frame.at(6).people.at(0).second->id, 2);
  EXPECT_FALSE(compared.by_frame.at(6).people.at(0).differs);
}

TEST_F(CompareFolders, WithoutACommonFrameNothingIsCompared) {
  const auto a = results("a", standing(0, 4, 1)), b = results("b", standing(5, 9, 1));
  EXPECT_EQ(compare_results(a, b).error().kind, ErrorKind::invalid_argument);
  EXPECT_EQ(compare_results(a, folder_.path() / "nothing").error().kind, ErrorKind::not_found);
  CompareResultsOptions options;
  options.stop.request_stop();
  EXPECT_EQ(compare_results(a, a, options).error().kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace vantage
