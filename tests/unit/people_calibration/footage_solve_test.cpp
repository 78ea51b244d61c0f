// Cameras from nothing, by people who walk through simulated rooms.
#include "core/calibration/people/footage_solve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "core/base/quantile.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/people/detail/floor_paths.h"
#include "core/calibration/people/detail/floor_view.h"
#include "core/detections/detection_file.h"
#include "tests/support/data.h"
#include "tests/support/seed.h"
#include "tests/support/walked_footage.h"

namespace vantage {
namespace {

using namespace footage_detail;

// Nothing is stated more exactly than it is.
void expect_covered(const FootageSolution& solution, const test::WalkedFootage& footage, double deviations) {
  const test::FootageErrors errors = test::errors_of(solution, footage.truth, footage.offset_frames);
  EXPECT_LT(std::abs(errors.scale), deviations * solution.scale_std);
  for (size_t c = 0; c < footage.truth.size(); ++c) {
    SCOPED_TRACE(footage.truth[c].name());
    const FootageSolvedCamera& camera = solution.cameras[c];
    if (!camera.placed()) continue;
    EXPECT_LT(errors.turned_deg[c], deviations * camera.turned_std_deg);
    EXPECT_LT(errors.moved_m[c], deviations * camera.moved_std_m);
    EXPECT_LT(std::abs(errors.focal[c]), deviations * camera.focal_std);
    EXPECT_LE(std::abs(errors.offset_frames[c]), deviations * camera.offset_std_frames);
  }
}

TEST(CamerasFromFootage, AreFoundWithLensesAndOffsets) {
  const test::WalkedFootage footage =
      test::walked_footage({.seed = 7, .cameras = 3, .people = 3, .seconds = 40});
  const auto solution = solve_from_footage(footage.input, {});
  ASSERT_TRUE(solution) << solution.error().message();
  const test::FootageErrors errors = test::errors_of(*solution, footage.truth, footage.offset_frames);
  for (size_t c = 0; c < footage.truth.size(); ++c) {
    EXPECT_LT(errors.turned_deg[c], 2);
    EXPECT_LT(errors.moved_m[c], 0.4);
    EXPECT_LT(std::abs(errors.focal[c]), 0.1);
    EXPECT_LT(std::abs(errors.offset_frames[c]), 1);
    EXPECT_EQ(solution->cameras[c].camera.name(), footage.truth[c].name());
  }
  EXPECT_LT(std::abs(errors.scale), 0.15);
  expect_covered(*solution, footage, 4);
}

TEST(CamerasFromFootage, JointsAreFarMoreExactThanBoxes) {
  const test::WalkedFootage footage =
      test::walked_footage({.seed = 7, .cameras = 3, .people = 3, .seconds = 40, .joints = true});
  const auto solution = solve_from_footage(footage.input, {});
  ASSERT_TRUE(solution) << solution.error().message();
  const test::FootageErrors errors = test::errors_of(*solution, footage.truth, footage.offset_frames);
  for (size_t c = 0; c < footage.truth.size(); ++c) {
    EXPECT_LT(errors.turned_deg[c], 0.3);
    EXPECT_LT(errors.moved_m[c], 0.08);
    EXPECT_LT(std::abs(errors.focal[c]), 0.03);
    EXPECT_LT(std::abs(errors.offset_frames[c]), 0.2);
  }
  expect_covered(*solution, footage, 4);
}

// Real joints, with hidden and mistaken ones; people hardly walk. Principal points are up to 2.7 degrees off.
TEST(CamerasFromFootage, AreFoundByRealJoints) {
  VANTAGE_NEED_DATA(folder, "shelf-detections");
  const std::vector<Camera> truth = read_calibration(folder / "calibration.json", {}).value().cameras;
  FootageInput input;
  for (size_t c = 0; c < truth.size(); ++c) {
    const int width_px = truth[c].width_px(), height_px = truth[c].height_px();
    const auto file = read_detection_file(folder / "detection" / (std::to_string(c) + ".txt"),
                                          {.width_px = width_px, .height_px = height_px});
    ASSERT_TRUE(file) << file.error().message();
    input.cameras.push_back({truth[c].name(), width_px, height_px, 25, file->frames});
  }
  const auto solution = solve_from_footage(input, {});
  ASSERT_TRUE(solution) << solution.error().message();
  const auto placed = [](const FootageSolvedCamera& camera) { return camera.placed(); };
  EXPECT_GE(std::ranges::count_if(solution->cameras, placed), 4);
  const std::vector<double> in_step(truth.size(), 0);
  const test::FootageErrors errors = test::errors_of(*solution, truth, in_step);
  for (size_t c = 0; c < truth.size(); ++c) {
    SCOPED_TRACE(truth[c].name());
    EXPECT_LT(errors.turned_deg[c], 1);
    EXPECT_LT(errors.moved_m[c], 0.25);
    EXPECT_LT(std::abs(errors.offset_frames[c]), 1);
  }
}

// A camera that shows other people, and one that shows nobody, are named; the others are placed.
TEST(CamerasFromFootage, StayOpenWherePeopleDoNotPlaceThem) {
  test::WalkedFootage footage = test::walked_footage({.seed = 7, .cameras = 3, .people = 3, .seconds = 40});
  footage.input.cameras.push_back(
      test::walked_footage({.seed = 8, .cameras = 2, .people = 3, .seconds = 40}).input.cameras[1]);
  footage.input.cameras.back().name = "elsewhere";
  footage.input.cameras.push_back(footage.input.cameras.front());
  footage.input.cameras.back().name = "blind";
  for (CameraDetections& frame : footage.input.cameras.back().frames) frame.people.clear();
  size_t most = 0;
  const auto solution = solve_from_footage(footage.input, {}, [&](const FootageProgress& progress) {
    most = static_cast<size_t>(
        std::ranges::count_if(progress.found, [](const auto& one) { return one.has_value(); }));
  });
  ASSERT_TRUE(solution) << solution.error().message();
  ASSERT_EQ(solution->cameras.size(), 5U);
  EXPECT_EQ(most, 3U);
  for (size_t c = 0; c < 5; ++c) {
    SCOPED_TRACE(solution->cameras[c].name);
    EXPECT_EQ(solution->cameras[c].placed(), c < 3);
    EXPECT_EQ(solution->cameras[c].reason.empty(), c < 3);
  }
  EXPECT_NE(solution->cameras[3].remedy.find("elsewhere"), std::string::npos);
  EXPECT_NE(solution->cameras[4].reason.find("from head to feet"), std::string::npos);
  expect_covered(*solution, footage, 4);
}

TEST(CamerasFromFootage, AreNeverConfidentlyWrong) {
  for (uint32_t room = 0; room < 3; ++room) {
    const uint32_t seed = test::test_seed() + room;
    SCOPED_TRACE(seed);
    const test::WalkedFootage footage = test::walked_footage({.seed = seed, .cameras = 3, .seconds = 30});
    if (const auto solution = solve_from_footage(footage.input, {})) expect_covered(*solution, footage, 6);
  }
}

TEST(CamerasFromFootage, SameInputSameBytes) {
  const test::WalkedFootage footage =
      test::walked_footage({.seed = 7, .cameras = 2, .people = 2, .seconds = 30});
  const auto first = solve_from_footage(footage.input, {}), second = solve_from_footage(footage.input, {});
  ASSERT_EQ(first.has_value(), second.has_value());
  if (!first) return;
  for (size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(first->cameras[c].camera.cam_from_world().matrix(),
              second->cameras[c].camera.cam_from_world().matrix());
    EXPECT_EQ(first->cameras[c].turned_std_deg, second->cameras[c].turned_std_deg);
    EXPECT_EQ(first->cameras[c].offset_frames, second->cameras[c].offset_frames);
  }
}

// The figures of resources/docs/performance/calibration.md: VANTAGE_FOOTAGE_ROOMS=1001:1061, seeds; boxes, or
// joints with VANTAGE_FOOTAGE_JOINTS=1.
TEST(CamerasFromFootage, ManyRooms) {
  const char* const seeds = std::getenv("VANTAGE_FOOTAGE_ROOMS");
  unsigned begin = 0, end = 0;
  if (!seeds || std::sscanf(seeds, "%u:%u", &begin, &end) != 2)
    GTEST_SKIP() << "set VANTAGE_FOOTAGE_ROOMS=A:B";
  std::vector<double> turned_deg, moved_m, focal, offset_frames, scale;
  int all = 0, some = 0, wrong = 0;
  for (uint32_t seed = begin; seed < end; ++seed) {
    const test::WalkedFootage footage =
        test::walked_footage({.seed = seed, .joints = std::getenv("VANTAGE_FOOTAGE_JOINTS") != nullptr});
    const auto solution = solve_from_footage(footage.input, {});
    std::cout << "room " << seed << ": " << footage.truth.size() << " cameras, " << footage.people
              << " people, " << std::lround(footage.seconds) << " s: ";
    if (!solution) {
      std::cout << solution.error().message() << std::endl;
      continue;
    }
    const test::FootageErrors errors = test::errors_of(*solution, footage.truth, footage.offset_frames);
    double worst = std::abs(errors.scale) / solution->scale_std;
    size_t placed = 0;
    std::string open;
    for (size_t c = 0; c < footage.truth.size(); ++c) {
      const FootageSolvedCamera& camera = solution->cameras[c];
      if (!camera.placed()) {
        open += "; " + camera.name + ": " + camera.reason + ". " + camera.remedy;
        continue;
      }
      worst =
          std::max({worst, errors.turned_deg[c] / camera.turned_std_deg,
                    errors.moved_m[c] / camera.moved_std_m, std::abs(errors.focal[c]) / camera.focal_std});
      turned_deg.push_back(errors.turned_deg[c]), moved_m.push_back(errors.moved_m[c]);
      focal.push_back(std::abs(errors.focal[c]));
      if (++placed == 1) continue;
      worst = std::max(worst, std::abs(errors.offset_frames[c]) / camera.offset_std_frames);
      offset_frames.push_back(std::abs(errors.offset_frames[c]));
    }
    scale.push_back(std::abs(errors.scale));
    (open.empty() ? all : some) += 1, wrong += worst > 3;
    std::cout << placed << " solved, at most " << worst << " deviations off" << open << std::endl;
  }
  ASSERT_GT(all, 0);
  std::cout << all << " of " << end - begin << " solved, " << some << " in part, " << wrong
            << " beyond three deviations; medians " << upper_median(turned_deg) << " deg, "
            << upper_median(moved_m) << " m, focal length " << upper_median(focal) << ", "
            << upper_median(offset_frames) << " frames, scale " << upper_median(scale) << std::endl;
  EXPECT_EQ(wrong, 0);
}

class Degenerate : public testing::TestWithParam<test::FootageKind> {};

// Such footage fits many cameras about as well: it is refused, in words.
TEST_P(Degenerate, FootageIsRefused) {
  for (uint32_t room = 0; room < 2; ++room) {
    const uint32_t seed = test::test_seed() + room;
    SCOPED_TRACE(seed);
    const bool alone =
        GetParam() != test::FootageKind::standing && GetParam() != test::FootageKind::no_common;
    // The first and the third of three cameras would have the same people.
    const int cameras = GetParam() == test::FootageKind::no_common ? 2 : 3;
    const test::WalkedFootage footage = test::walked_footage(
        {.kind = GetParam(), .seed = seed, .cameras = cameras, .people = alone ? 1 : 3, .seconds = 30});
    const auto solution = solve_from_footage(footage.input, {});
    if (solution) {
      for (const FootageSolvedCamera& camera : solution->cameras)
        ADD_FAILURE() << camera.name << (camera.placed() ? " solved, margin " : " open, ") << camera.margin;
      continue;
    }
    EXPECT_EQ(solution.error().kind, ErrorKind::bad_data);
    EXPECT_FALSE(solution.error().remedy.empty());
  }
}
INSTANTIATE_TEST_SUITE_P(CamerasFromFootage, Degenerate,
                         testing::Values(test::FootageKind::standing, test::FootageKind::one_line,
                                         test::FootageKind::no_common, test::FootageKind::to_and_fro,
                                         test::FootageKind::circle));

TEST(CamerasFromFootage, WrongInputIsNamed) {
  test::WalkedFootage footage = test::walked_footage({.seed = 1, .cameras = 2, .people = 1, .seconds = 5});
  FootageInput one = footage.input;
  one.cameras.resize(1);
  EXPECT_EQ(solve_from_footage(one, {}).error().kind, ErrorKind::invalid_argument);
  FootageInput no_rate = footage.input;
  no_rate.cameras[1].frame_rate = 0;
  EXPECT_EQ(solve_from_footage(no_rate, {}).error().where, "cam2");
  FootageInput no_one = footage.input;
  for (CameraDetections& frame : no_one.cameras[1].frames) frame.people.clear();
  const auto empty = solve_from_footage(no_one, {});
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().kind, ErrorKind::bad_data);
  EXPECT_EQ(empty.error().where, "cam2");
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(solve_from_footage(footage.input, stop).error().kind, ErrorKind::cancelled);
}

// Boxes of a camera that looks down by 20 degrees.
struct ExactView {
  PictureSize size{1280, 720};
  FloorValues values = {};
  ExactView() {
    values[kLogFocal] = std::log(0.8), values[kTilt] = 20 * M_PI / 180, values[kRoll] = 0.02;
    values[kHeight] = 2.8;
  }
  BoxMark mark(double time_s, double x_m, double y_m, double height_m) const {
    const UprightBox<double> box = upright_box<double>(size, values.data(), x_m, y_m, height_m);
    return {time_s, box.top, box.bottom, box.middle, 4, 5, 4};
  }
};

TEST(FloorView, OneCameraShowsItsTiltAndHeight) {
  const ExactView view;
  std::vector<PictureTrack> tracks(4);
  for (size_t t = 0; t < tracks.size(); ++t)
    for (int i = 0; i < 60; ++i)
      tracks[t].marks.push_back(view.mark(0.2 * i, 4 + 4 * std::fabs(std::sin(0.1 * i + t)),
                                          2.5 * std::cos(0.13 * i + 2.0 * t), 1.69));
  const std::vector<FloorView> found = views_of(view.size, tracks, {});
  ASSERT_FALSE(found.empty());
  const auto nearest = std::ranges::min_element(found, {}, [&](const FloorView& one) {
    return std::abs(one.values[kLogFocal] - view.values[kLogFocal]);
  });
  EXPECT_NEAR(nearest->values[kLogFocal], view.values[kLogFocal], 0.2);
  EXPECT_NEAR(nearest->values[kHeight], view.values[kHeight], 0.3);
  EXPECT_NEAR(nearest->values[kTilt], view.values[kTilt], 0.1);
}

TEST(FloorView, HiddenFeetLeaveThePositionToTheHead) {
  const ExactView view;
  BoxMark mark = view.mark(0, 6, 1, 1.7);
  auto whole = position_of(view.size, view.values, mark, 1.7, 0.03);
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->feet);
  EXPECT_NEAR((whole->at_m - Eigen::Vector2d(6, 1)).norm(), 0, 0.01);
  mark.bottom_px -= 0.4 * mark.height_px();
  const auto hidden = position_of(view.size, view.values, mark, 1.7, 0.03);
  ASSERT_TRUE(hidden);
  EXPECT_FALSE(hidden->feet);
  // The box's middle is on the body's axis higher up then, and the head says less than the feet.
  EXPECT_NEAR((hidden->at_m - Eigen::Vector2d(6, 1)).norm(), 0, 0.1);
  EXPECT_GT(hidden->covariance.trace(), whole->covariance.trace());
}

TEST(FloorPaths, PosesAreInvertedAndJoined) {
  const FloorPose a{0.7, {1, -2}, 3}, b{-2.5, {0.5, 4}, -1};
  const Eigen::Vector2d at(0.3, 0.9);
  EXPECT_NEAR((a.then(b)(at) - b(a(at))).norm(), 0, 1e-12);
  EXPECT_NEAR((a.inverse()(a(at)) - at).norm(), 0, 1e-12);
  EXPECT_NEAR(a.then(a.inverse()).delay_s, 0, 1e-12);
}

PersonDetection box_at(double left_px, double top_px) {
  PersonDetection box;
  box.left_px = static_cast<float>(left_px), box.top_px = static_cast<float>(top_px);
  box.width_px = 60, box.height_px = 160;
  return box;
}

// Whoever comes out where two boxes meet may be either.
TEST(PictureTracks, EndWhereTwoPeopleMeet) {
  FootageCamera camera{"cam1", 1280, 720, 12.5, {}};
  for (int f = 0; f < 60; ++f)
    camera.frames.push_back({true, {box_at(200 + 8 * f, 300), box_at(680 - 8 * f, 304)}});
  const std::vector<PictureTrack> tracks = picture_tracks(camera);
  EXPECT_GE(tracks.size(), 4U);
  for (const PictureTrack& track : tracks) {
    const double begin = track.marks.front().middle_px;
    double last = begin;
    const bool to_right = track.marks.back().middle_px > begin;
    for (const BoxMark& mark : track.marks) {
      EXPECT_GE((to_right ? 1 : -1) * (mark.middle_px - last), -1);
      last = mark.middle_px;
    }
  }
}

TEST(PictureTracks, WhatABorderCutsIsNotSeen) {
  FootageCamera camera{"cam1", 1280, 720, 12.5, {}};
  for (int f = 0; f < 20; ++f) camera.frames.push_back({true, {box_at(300 + 2 * f, 560)}});
  const std::vector<PictureTrack> tracks = picture_tracks(camera);
  ASSERT_EQ(tracks.size(), 1U);
  EXPECT_EQ(tracks[0].marks.front().bottom_std_px, 0);
  EXPECT_GT(tracks[0].marks.front().top_std_px, 0);
}

}  // namespace
}  // namespace vantage
