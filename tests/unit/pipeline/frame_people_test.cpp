// The people of a frame, as one list of the stages' lists, and as the session shows them.
#include "core/pipeline/frame_people.h"

#include <gtest/gtest.h>

#include "core/session/shown_frame.h"

namespace vantage {
namespace {

// Two people; only the first was seen moving.
std::shared_ptr<FrameResult> two_people() {
  auto people = std::make_shared<PeopleArtifact>();
  people->found.people = {{1, 2, 1.7, 60, 0.9, 4}, {3, 4, 1.6, 50, 0.8, 3}};
  auto tracks = std::make_shared<TracksArtifact>();
  tracks->tracked = {{7, 1.1, 2.1, 1.71}, {0, 3, 4, 1.6}};
  auto motion = std::make_shared<MotionArtifact>();
  motion->people = {PersonMotion{{0.5, 0, 0}, 0.1, 3, 400}, std::nullopt};
  auto result = std::make_shared<FrameResult>();
  result->artifacts.people = people, result->artifacts.tracking = tracks, result->artifacts.motion = motion;
  return result;
}

TEST(FramePeople, WhatTheStagesKnowOfSomebodyStandsTogether) {
  const auto result = two_people();
  auto people = std::make_shared<PeopleArtifact>(*result->people());
  people->fused.resize(2);
  people->fused[1].gain_nats = 11.5;
  auto colors = std::make_shared<AppearanceArtifact>();
  colors->people = {{}, {BodyColor{2, {}, {}}}};
  result->artifacts.people = people, result->artifacts.appearance = colors;
  const std::vector<FramePerson> all = people_of(*result);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].id(), 7);
  EXPECT_EQ(all[0].found.x_m, 1);
  EXPECT_EQ(all[0].track->x_m, 1.1);
  ASSERT_TRUE(all[0].motion && *all[0].motion);
  EXPECT_EQ((*all[0].motion)->velocity_m_per_s[0], 0.5);
  EXPECT_TRUE(all[0].colors && all[0].colors->empty());
  EXPECT_EQ(all[1].id(), 0);
  EXPECT_EQ(all[1].fused->gain_nats, 11.5);
  EXPECT_TRUE(all[1].motion && !*all[1].motion) << "estimated, but too little was seen";
  EXPECT_EQ(all[1].colors->at(0).camera, 2);
}

TEST(FramePeople, StagesThatMadeNothingAreNullAndMissingEntriesToo) {
  const auto result = two_people();
  result->artifacts.motion = std::make_shared<MotionArtifact>();
  auto short_of_one = std::make_shared<TracksArtifact>(*result->tracks());
  short_of_one->tracked.pop_back();
  result->artifacts.tracking = short_of_one;
  const std::vector<FramePerson> all = people_of(*result);
  EXPECT_FALSE(all[0].fused || all[0].motion || all[0].colors);
  EXPECT_TRUE(all[0].track);
  EXPECT_FALSE(all[1].track);
  EXPECT_TRUE(people_of(FrameResult()).empty());
}

TEST(ShownFrame, ShowsTheChainsPeopleUnderTheIdsItIsGiven) {
  ShownFrame shown{.result = two_people()};
  EXPECT_EQ(people_of(shown)[0].id(), 7);
  shown.ids = {0, 12};
  const std::vector<FramePerson> all = people_of(shown);
  EXPECT_EQ(all[0].id(), 0);
  EXPECT_EQ(all[1].id(), 12);
  EXPECT_EQ(all[0].track->x_m, 1.1) << "the tracker's position";
  EXPECT_TRUE(all[0].motion);
  EXPECT_EQ(shown.result->tracks()->tracked[0].id, 7) << "the result is everybody's";
}

TEST(ShownFrame, RecordedPeopleTakeThePlaceOfTheChains) {
  ShownFrame shown{.result = two_people()};
  auto recorded = std::make_shared<PeopleArtifact>();
  recorded->found.people = {{5, 6, 1.8, 0, 0.7, 4}};
  recorded->fused.resize(1);
  shown.recorded = recorded;
  shown.ids = {3};
  const std::vector<FramePerson> all = people_of(shown);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].id(), 3);
  EXPECT_EQ(all[0].track->x_m, 5);
  EXPECT_EQ(all[0].fused, recorded->fused.data());
  EXPECT_FALSE(all[0].motion) << "measured of somebody else";
  EXPECT_EQ(shown.people(), recorded.get());
}

}  // namespace
}  // namespace vantage
