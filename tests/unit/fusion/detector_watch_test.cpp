#include "core/fusion/detector_watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/fusion/body_box.h"
#include "tests/support/seed.h"
#include "tests/unit/fusion/body_ring.h"

namespace vantage {
namespace {

using test::detection_of;
using test::kRingFloor;
using test::ring_of;

constexpr int kFramesALook = 2;

// Changes that a detector makes to one camera's boxes of a frame.
using Distortion = std::function<void(std::vector<PersonDetection>*, std::mt19937*)>;

struct Rehearsal {
  int cameras = 4;
  size_t distorted = 1;
  Distortion distortion = [](auto*, auto*) {};
  int delay_frames = 0;  // of the distorted camera
  int good_looks = 0;    // before its boxes are distorted
  int distorted_looks = 150;
};

// Three people walk in circles, seen by a ring of cameras whose boxes are a few per cent off.
std::vector<DetectorState> watch(const Rehearsal& rehearsal) {
  const auto ring = ring_of(rehearsal.cameras);
  PeopleFusion fusion(kRingFloor, ring);
  DetectorWatch watched(ring, 25);
  std::mt19937 random(test::test_seed());
  std::normal_distribution<float> noise(0, 0.02F);
  const auto detections_at = [&](size_t camera, int frame) {
    CameraDetections one;
    one.known = true;
    for (int person = 0; person < 3; ++person) {
      const double angle = 0.035 * frame + 2.1 * person, radius = 0.7 + 0.2 * person;
      const auto box =
          body_box(ring[camera], radius * std::cos(angle), radius * std::sin(angle), 1.65 + 0.1 * person);
      if (!box.seen) continue;
      PersonDetection seen = detection_of(box);
      const float height = seen.height_px;
      seen.left_px += noise(random) * height, seen.top_px += noise(random) * height;
      one.people.push_back(seen);
    }
    return one;
  };
  for (int look = 0; look < rehearsal.good_looks + rehearsal.distorted_looks; ++look) {
    const int frame = look * kFramesALook;
    std::vector<CameraDetections> detections;
    for (size_t camera = 0; camera < ring.size(); ++camera) {
      const bool distorted = camera == rehearsal.distorted && look >= rehearsal.good_looks;
      detections.push_back(detections_at(camera, frame - (distorted ? rehearsal.delay_frames : 0)));
      if (distorted) rehearsal.distortion(&detections.back().people, &random);
    }
    const auto people = fusion.find({.cameras = detections});
    // IDs by who is nearest to where each person is by now.
    std::vector<int64_t> ids;
    for (const FusedPerson& person : people) {
      int64_t id = 0;
      for (int k = 0; k < 3; ++k) {
        const double angle = 0.035 * frame + 2.1 * k, radius = 0.7 + 0.2 * k;
        if (std::hypot(person.x_m - radius * std::cos(angle), person.y_m - radius * std::sin(angle)) < 0.35)
          id = k + 1;
      }
      ids.push_back(id);
    }
    watched.add(frame, detections, people, ids);
  }
  return watched.states();
}

void expect_only(const std::vector<DetectorState>& states, size_t camera, DetectorFault fault) {
  for (size_t i = 0; i < states.size(); ++i)
    EXPECT_EQ(states[i].fault, i == camera ? fault : DetectorFault::none)
        << "camera " << i << ": " << describe(states[i], "it") << " seen " << states[i].seen << " of "
        << states[i].expected << ", shift " << states[i].shift_x_px << " " << states[i].shift_y_px
        << " delay " << states[i].delay_frames << " +- " << states[i].delay_error_frames;
}

TEST(DetectorWatch, GoodDetectorsHaveNoFault) {
  const auto states = watch({});
  expect_only(states, 0, DetectorFault::none);
  for (const DetectorState& state : states) {
    EXPECT_GT(state.compared, DetectorWatch::kMinCompared);
    EXPECT_TRUE(describe(state, "cam").empty());
    EXPECT_GE(static_cast<double>(state.seen), 0.95 * static_cast<double>(state.expected));
  }
}

TEST(DetectorWatch, ABlindCameraIsNamed) {
  std::bernoulli_distribution missed(0.8);
  const auto states = watch({.distortion = [&](auto* boxes, auto* random) {
    std::erase_if(*boxes, [&](const PersonDetection&) { return missed(*random); });
  }});
  expect_only(states, 1, DetectorFault::blind);
}

// As live cameras do after a day.
TEST(DetectorWatch, ACameraThatTurnsBlindIsNamed) {
  std::bernoulli_distribution missed(0.8);
  const auto states =
      watch({.distortion =
                 [&](auto* boxes, auto* random) {
                   std::erase_if(*boxes, [&](const PersonDetection&) { return missed(*random); });
                 },
             .good_looks = 800,
             .distorted_looks = 500});
  expect_only(states, 1, DetectorFault::blind);
}

TEST(DetectorWatch, ACameraThatReportsPeopleTwiceIsNamed) {
  const auto states = watch({.distortion = [](auto* boxes, auto*) {
    const auto once = *boxes;
    for (PersonDetection box : once) box.left_px += 4, boxes->push_back(box);
  }});
  expect_only(states, 1, DetectorFault::doubled);
}

TEST(DetectorWatch, AShiftedCameraIsNamed) {
  for (const auto& [x_px, y_px] : {std::pair(20.F, 0.F), std::pair(0.F, 20.F), std::pair(-14.F, 14.F)}) {
    const auto states = watch({.distortion = [x = x_px, y = y_px](auto* boxes, auto*) {
      for (PersonDetection& box : *boxes) box.left_px += x, box.top_px += y;
    }});
    expect_only(states, 1, DetectorFault::shifted);
    EXPECT_NEAR(states[1].shift_x_px, x_px, 8);
    EXPECT_NEAR(states[1].shift_y_px, y_px, 8);
  }
}

TEST(DetectorWatch, ALateCameraIsNamed) {
  for (const int delay : {3, -3}) {
    const auto states = watch({.delay_frames = delay});
    expect_only(states, 1, DetectorFault::late);
    EXPECT_NEAR(states[1].delay_frames, delay, 1);
  }
}

TEST(DetectorWatch, OfTwoCamerasNobodyKnowsWhichOneIsWrong) {
  const auto states = watch({.cameras = 2, .distortion = [](auto* boxes, auto*) {
                               for (PersonDetection& box : *boxes) box.left_px += 20;
                             }});
  expect_only(states, 0, DetectorFault::none);
}

}  // namespace
}  // namespace vantage
