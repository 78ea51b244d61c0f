#include "core/session/detail/live_tracks.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <thread>

#include "core/tracking/tracker.h"
#include "tests/support/seed.h"
#include "tests/support/walkers.h"

namespace vantage {
namespace {

constexpr double kRate = 25;

// The chain's result for such a frame.
FrameResultRef result_of(const SeenFrame& seen, Tracker& tracker) {
  auto people = std::make_shared<PeopleArtifact>();
  people->covered_share = 1;
  std::vector<FloorDetection> detections;
  for (const FloorPerson& person : seen.people) {
    people->found.people.push_back({person.x_m, person.y_m, person.height_m, 60, person.confidence, 4});
    detections.push_back({person.x_m, person.y_m, person.height_m});
  }
  for (const FloorPerson& peak : seen.rejected)
    people->found.rejected.push_back(
        {{peak.x_m, peak.y_m, peak.height_m, 20, peak.confidence, 4}, RejectReason::ghost});
  auto tracks = std::make_shared<TracksArtifact>();
  tracks->tracked = tracker.update(seen.frame, detections).value();
  auto result = std::make_shared<FrameResult>();
  result->frame = seen.frame;
  result->artifacts.people = people, result->artifacts.tracking = tracks;
  return result;
}

// Rounded to the millimetre, as in files.
SeenFrame as_stored(SeenFrame seen) {
  for (auto* people : {&seen.people, &seen.rejected})
    for (FloorPerson& person : *people)
      for (double* value : {&person.x_m, &person.y_m, &person.height_m, &person.confidence})
        *value = std::round(*value * 1000) / 1000;
  return seen;
}

PathParameters windows() {
  PathParameters p;
  p.window_s = 2, p.overlap_s = 1;
  return p;
}

// Every ID once in a frame, and one for everyone whom the chain numbers.
void expect_numbers_of_a_frame(const std::optional<std::vector<int64_t>>& shown, const FrameResult& chain) {
  ASSERT_TRUE(shown);
  ASSERT_EQ(shown->size(), chain.tracks()->tracked.size());
  std::set<int64_t> numbers;
  for (size_t i = 0; i < shown->size(); ++i) {
    const int64_t number = (*shown)[i];
    EXPECT_EQ(number > 0, chain.tracks()->tracked[i].id > 0);
    if (number > 0) {
      EXPECT_TRUE(numbers.insert(number).second) << "twice in frame " << chain.frame;
    }
  }
}

// Adds frames without people until all before `frame` are final, slowly enough that a busy machine skips none
// (PathWorker::kMaxWaiting).
void wait_until_settled(LiveTracks& live, Tracker& tracker, int64_t frame, std::vector<SeenFrame>* seen) {
  constexpr int64_t kEnough = 100, kMax = 500;
  for (int64_t next = frame; live.tracks()->settled_end < frame; ++next) {
    seen->push_back({next, {}, {}});
    ASSERT_TRUE(live.add(*result_of(seen->back(), tracker), kRate));
    std::this_thread::sleep_for(std::chrono::milliseconds(next < frame + kEnough ? 1 : 200));
    ASSERT_LT(next, frame + kMax);
  }
}

// While results are written, their writer finds the paths, from the middle of a window on; afterwards they
// are found here.
TEST(LiveTracks, PathsThatSomebodyElseFindsAreTheSame) {
  std::mt19937 random(test::test_seed());
  Tracker tracker(kRate);
  const auto follower = [] { return std::move(*PathFollower::make(kRate, windows())); };
  LiveTracks live(follower());
  std::unique_ptr<PathWorker> elsewhere;
  std::vector<SeenFrame> seen = test::walkers({.people = 4, .frames = 300}, random);
  const size_t written_from = 110, written_to = 200;
  for (size_t i = 0; i < seen.size(); ++i) {
    if (i == written_from) {
      std::optional<RunningPaths> running = live.hand_over(seen[90].frame);
      ASSERT_TRUE(running);
      EXPECT_FALSE(live.hand_over(0)) << "they are found elsewhere";
      EXPECT_EQ(running->next_frame, seen[i - 1].frame + 1);
      for (const PersonPath& known : running->known) EXPECT_GE(known.points.front().frame, seen[90].frame);
      const auto mail = live.final_ids();
      elsewhere = std::make_unique<PathWorker>(std::move(running->follower), QueuePolicy::block,
                                               [mail](FinalPaths settled) -> Status {
                                                 mail->put(std::move(settled));
                                                 return {};
                                               });
    }
    if (i == written_to) {
      ASSERT_TRUE(elsewhere->finish());
      live.go_on_with(elsewhere->take_follower());
      elsewhere.reset();
    }
    const FrameResultRef result = result_of(seen[i], tracker);
    if (elsewhere) {
      ASSERT_TRUE(elsewhere->add(as_stored(seen[i])));
    }
    ASSERT_TRUE(live.add(*result, kRate));
    expect_numbers_of_a_frame(live.ids_of(*result), *result);
  }
  wait_until_settled(live, tracker, seen.back().frame + 1, &seen);

  PathFollower here = follower();
  std::map<int64_t, size_t> points;
  const auto count = [&](Result<FinalPaths> settled) {
    ASSERT_TRUE(settled);
    for (const PersonPath& part : settled->parts) points[part.id] += part.points.size();
  };
  for (size_t i = 0; i < seen.size(); ++i) {
    if (i == written_to) count(here.finish());
    count(here.add(as_stored(seen[i])));
  }
  const TracksRef tracks = live.tracks();
  for (const PersonPath& path : tracks->paths) EXPECT_EQ(path.points.size(), points[path.id]) << path.id;
  EXPECT_EQ(tracks->paths.size(), points.size());
}

// Events name people before their frame is added, with the IDs it then shows.
TEST(LiveTracks, WhoIsShownIsKnownBeforeTheFrameIsAdded) {
  std::mt19937 random(test::test_seed());
  Tracker tracker(kRate);
  LiveTracks live(PathFollower::make(kRate, windows()).value());
  size_t compared = 0;
  for (const SeenFrame& seen : test::walkers({.people = 4, .frames = 200}, random)) {
    const FrameResultRef result = result_of(seen, tracker);
    const int64_t settled = live.tracks()->settled_end.value();
    std::vector<int64_t> before;
    for (const TrackedPerson& tracked : result->tracks()->tracked)
      before.push_back(live.shown_id(*result, tracked.id));
    ASSERT_TRUE(live.add(*result, kRate));
    if (live.tracks()->settled_end != settled) continue;  // the IDs may have changed
    EXPECT_EQ(live.ids_of(*result), before) << "frame " << seen.frame;
    ++compared;
  }
  EXPECT_GT(compared, 100u);
  EXPECT_EQ(LiveTracks().shown_id(FrameResult(), 7), 7) << "the chain's number is shown";
}

TEST(LiveTracks, WithoutPathsTheChainsNumbersStay) {
  std::mt19937 random(test::test_seed());
  Tracker tracker(kRate);
  LiveTracks live;
  std::map<int64_t, size_t> points;
  for (const SeenFrame& seen : test::walkers({.people = 4, .frames = 100}, random)) {
    const FrameResultRef result = result_of(seen, tracker);
    ASSERT_TRUE(live.add(*result, kRate));
    for (const TrackedPerson& tracked : result->tracks()->tracked)
      if (tracked.id > 0) ++points[tracked.id];
    EXPECT_FALSE(live.ids_of(*result));
  }
  const TracksRef tracks = live.tracks();
  EXPECT_FALSE(tracks->settled_end);
  ASSERT_EQ(tracks->paths.size(), points.size());
  for (const PersonPath& path : tracks->paths) EXPECT_EQ(path.points.size(), points[path.id]);
}

TEST(LiveTracks, SettledNumbersAreThoseOfARecording) {
  std::mt19937 random(test::test_seed());
  Tracker tracker(kRate);
  LiveTracks live(PathFollower::make(kRate, windows()).value());
  std::vector<SeenFrame> seen = test::walkers({}, random);
  for (const SeenFrame& frame : seen) {
    const FrameResultRef result = result_of(frame, tracker);
    ASSERT_TRUE(live.add(*result, kRate));
    expect_numbers_of_a_frame(live.ids_of(*result), *result);
  }
  const int64_t end = seen.back().frame + 1;
  wait_until_settled(live, tracker, end, &seen);
  for (SeenFrame& frame : seen) frame = as_stored(std::move(frame));
  const std::vector<PersonPath> whole = follow_paths(seen, kRate, windows()).value();
  const TracksRef tracks = live.tracks();
  EXPECT_EQ(tracks->latency_s, 2);
  ASSERT_EQ(tracks->paths.size(), whole.size());
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(tracks->paths[i].id, whole[i].id);
    ASSERT_EQ(tracks->paths[i].points.size(), whole[i].points.size());
    for (size_t k = 0; k < whole[i].points.size(); ++k) {
      EXPECT_EQ(tracks->paths[i].points[k].frame, whole[i].points[k].frame);
      EXPECT_EQ(tracks->paths[i].points[k].person, whole[i].points[k].person);
    }
  }
}

// The chain loses a person for longer than it remembers and gives a second ID; paths find one person, and the
// display returns to the first ID.
TEST(LiveTracks, WhatIsShownBecomesWhatIsSettled) {
  Tracker tracker(kRate);
  TrackingParameters forgetful;
  forgetful.keep_s = 0.2;
  tracker.set_parameters(forgetful);
  LiveTracks live(PathFollower::make(kRate, windows()).value());
  std::vector<SeenFrame> seen;
  FrameResultRef result;
  std::set<int64_t> chain;
  for (int64_t frame = 0; frame < 200; ++frame) {
    seen.push_back({frame, {{0, 1, 1, 1.7, 0.95}, {0, 3, 1, 1.7, 0.95}}, {}});
    if (frame >= 50 && frame < 60) seen.back().people.pop_back();
    result = result_of(seen.back(), tracker);
    ASSERT_TRUE(live.add(*result, kRate));
    if (const auto& tracked = result->tracks()->tracked; tracked.size() == 2) chain.insert(tracked[1].id);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_GE(chain.size(), 3u) << "none yet, the first, the second";
  wait_until_settled(live, tracker, 200, &seen);
  const TracksRef tracks = live.tracks();
  ASSERT_EQ(tracks->paths.size(), 2u);
  EXPECT_EQ(tracks->paths[1].points.size(), 200u) << "the gap is bridged";
  EXPECT_EQ(live.ids_of(*result), (std::vector<int64_t>{1, 2}));
  ASSERT_EQ(live.since(190).size(), 2u);
  EXPECT_EQ(live.since(190)[1].points.size(), 10u);
}

}  // namespace
}  // namespace vantage
