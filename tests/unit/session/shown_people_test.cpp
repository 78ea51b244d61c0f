#include "core/session/shown_people.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

constexpr int64_t kFrame = 7;

ShownFrameRef frame_of(const std::vector<TrackedPerson>& people, int64_t frame = kFrame) {
  auto result = std::make_shared<FrameResult>();
  result->frame = frame;
  auto found = std::make_shared<PeopleArtifact>();
  auto tracks = std::make_shared<TracksArtifact>();
  tracks->tracked = people;
  for (const TrackedPerson& one : people) {
    FoundPerson person;
    person.x_m = one.x_m, person.y_m = one.y_m;
    found->found.people.push_back(person);
  }
  result->artifacts.people = std::move(found);
  result->artifacts.tracking = std::move(tracks);
  return std::make_shared<ShownFrame>(ShownFrame{.result = std::move(result)});
}

// Stands at x from frame 0 to 9, the frame's `person` in all of them.
PersonPath standing(int64_t id, double x_m, int32_t person) {
  PersonPath path{id, {}};
  for (int64_t frame = 0; frame < 10; ++frame) path.points.push_back({frame, x_m, 0, 1.7, 0.9, true, person});
  return path;
}

TracksRef tracks_of(std::vector<PersonPath> paths) {
  auto tracks = std::make_shared<Tracks>();
  tracks->paths = std::move(paths);
  for (int64_t frame = 0; frame < 10; ++frame) tracks->frames.push_back(frame);
  tracks->index();
  return tracks;
}

TEST(ShownPeople, TracksSayWhoStandsAtAPlaceInTheirFrames) {
  const ShownPeople who(frame_of({{1, 0, 0}, {2, 3, 0}, {3, 9, 0}, {0, 5, 0}}),
                        tracks_of({standing(1, 3, 1), standing(4, 0, 0), standing(8, 5, 3)}));
  ASSERT_EQ(who.people().size(), 4u);
  EXPECT_EQ(who.people()[0].id, 4) << "a repair came between the frame and the tracks";
  EXPECT_EQ(who.people()[1].id, 1);
  EXPECT_EQ(who.people()[2].id, 0) << "nobody stands there by the tracks";
  EXPECT_EQ(who.people()[3].id, 0) << "the session knows no number: results of other parameters";
  EXPECT_EQ(who.find(1)->x_m, 3);
  EXPECT_EQ(who.find(1)->path, who.path(1));
  EXPECT_FALSE(who.find(2));
  EXPECT_EQ(who.find(8)->place, -1) << "on a path, but not the frame's";
}

TEST(ShownPeople, TwoBesideEachOtherAreNotConfused) {
  const ShownPeople who(frame_of({{5, 0, 0}, {6, 0.3, 0}}),
                        tracks_of({standing(6, 0.25, 1), standing(5, 0.2, 0)}));
  EXPECT_EQ(who.people()[0].id, 5) << "0.2 m from its own filtered place";
  EXPECT_EQ(who.people()[1].id, 6);
}

TEST(ShownPeople, FramesBeyondTheTracksKeepWhatTheSessionSays) {
  const ShownPeople who(frame_of({{1, 0, 0}, {2, 3, 0}}, 20), tracks_of({standing(1, 0, 0)}));
  EXPECT_EQ(who.people()[0].id, 1);
  EXPECT_NE(who.people()[0].path, nullptr);
  EXPECT_EQ(who.people()[1].id, 2);
  EXPECT_EQ(who.people()[1].path, nullptr) << "so it cannot be repaired";
  EXPECT_TRUE(ShownPeople().people().empty());
}

TEST(ShownPeople, WhoWasChosenIsFoundAgainByPlace) {
  const ShownPeople before(nullptr, tracks_of({standing(1, 0, 0), standing(2, 3, 1)}));
  EXPECT_EQ(before.same_person(1, kFrame, *tracks_of({standing(11, 0, 0), standing(1, 3, 1)})), 11);
  EXPECT_EQ(before.same_person(1, kFrame, *tracks_of({standing(1, 0.1, 0)})), 1) << "another run, a bit off";
  EXPECT_EQ(before.same_person(1, kFrame, *tracks_of({standing(1, 2, 0)})), 0) << "somebody else's number";
  EXPECT_EQ(before.same_person(1, kFrame, *tracks_of({standing(3, 0.2, 0)})), 0)
      << "removed, a neighbour stays";
}

}  // namespace
}  // namespace vantage
