// Cameras placed by people: bodies of points, whose outlines are exact from every side.
#include "core/calibration/people/people_solve.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <random>

#include "core/calibration/people/detail/solved_poses.h"
#include "core/calibration/people/person_outlines.h"
#include "core/geometry/camera.h"
#include "tests/support/loop_size.h"
#include "tests/unit/people_calibration/walked_room.h"

namespace vantage {
namespace {

using namespace walked_room;

struct Off {
  double degrees = 0, mm = 0;
};
Off off(const Camera& solved) {
  const Camera truth = room()[kMoved];
  return {Eigen::AngleAxisd(solved.rotation_cam_from_world() * truth.rotation_cam_from_world().transpose())
                  .angle() *
              180 / M_PI,
          1000 * (solved.center_in_world_m() - truth.center_in_world_m()).norm()};
}

TEST(PeopleSolve, FindsAMovedCameraExactlyFromExactOutlines) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto solution = solve_from_people(input_of({}, change_of(3, axis, 0.1)), {});
    ASSERT_TRUE(solution) << solution.error().message();
    const PeopleSolvedCamera& camera = solution->cameras[kMoved];
    EXPECT_TRUE(camera.determined);
    EXPECT_LT(off(camera.camera).degrees, 0.005) << axis;
    EXPECT_LT(off(camera.camera).mm, 1) << axis;
    EXPECT_GT(camera.before_px, 5);
    EXPECT_LT(camera.after_px, 0.1);
  }
}

TEST(PeopleSolve, NoiseAndHiddenFeetDoNotBendIt) {
  const Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0.4};
  const auto solution = solve_from_people(input_of(scene, change_of(-2, 1, 0.08)), {});
  ASSERT_TRUE(solution) << solution.error().message();
  const PeopleSolvedCamera& camera = solution->cameras[kMoved];
  EXPECT_TRUE(camera.determined);
  EXPECT_LT(off(camera.camera).degrees, 0.1);
  EXPECT_LT(off(camera.camera).mm, 10);
  EXPECT_LT(off(camera.camera).degrees, 4 * camera.turned_std_deg);
  EXPECT_LT(off(camera.camera).mm, 4000 * camera.moved_std_m);
}

TEST(PeopleSolve, CamerasThatAreRightStay) {
  const Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0.2};
  const auto solution = solve_from_people(input_of(scene, CameraChange::Zero()), {});
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_LT(solution->cameras[kMoved].turned_deg, 0.1);
  EXPECT_LT(solution->cameras[kMoved].moved_m, 0.01);
}

TEST(PeopleSolve, SomebodyWhoStandsStillLeavesItOpen) {
  const Scene scene{.people = 1, .walk = false, .noise_px = 0.5, .hidden = 0};
  const PeopleSolveInput input = input_of(scene, change_of(2, 0, 0.1));
  const auto solution = solve_from_people(input, {});
  ASSERT_TRUE(solution) << solution.error().message();
  const PeopleSolvedCamera& camera = solution->cameras[kMoved];
  EXPECT_FALSE(camera.determined);
  EXPECT_EQ(camera.camera.center_in_world_m(), input.cameras[kMoved].center_in_world_m());
  EXPECT_EQ(camera.after_px, camera.before_px) << "of the pose that was kept";
}

TEST(PeopleSolve, SameInputSameBytes) {
  const Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0.4};
  const PeopleSolveInput input = input_of(scene, change_of(2, 2, 0.05));
  const auto first = solve_from_people(input, {}), second = solve_from_people(input, {});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->cameras[kMoved].change, second->cameras[kMoved].change);
}

TEST(PeopleSolve, SaysWhatIsMissing) {
  PeopleSolveInput input = input_of({}, CameraChange::Zero());
  input.free = {true, true, true, false};  // one camera alone holds nothing
  EXPECT_EQ(solve_from_people(input, {}).error().kind, ErrorKind::invalid_argument);
  input.free = {false, false, true, false};
  input.frames.resize(5);
  const auto few = solve_from_people(input, {});
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().kind, ErrorKind::bad_data);
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(solve_from_people(input_of({}, CameraChange::Zero()), stop).error().kind, ErrorKind::cancelled);
}

// All cameras are wrong, none is held.
PeopleSolveInput all_wrong(const Scene& scene, double degrees, double shift_m, bool boxes) {
  PeopleSolveInput input = input_of(scene, CameraChange::Zero());
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const auto direction = [&] {
    const double x = normal(random), y = normal(random), z = normal(random);
    return Eigen::Vector3d(x, y, z).normalized();
  };
  for (Camera& camera : input.cameras) {
    CameraChange change = CameraChange::Zero();
    change.head<3>() = degrees * M_PI / 180 * direction();
    change.segment<3>(3) = shift_m * direction();
    camera = *changed_camera(camera, change);
  }
  input.free.assign(kCameras, true);
  for (PeopleFrame& frame : input.frames)
    for (auto& outlines : frame.cameras)
      for (PersonOutline& outline : outlines)
        if (boxes) outline.hull_px.clear();
  return input;
}

// Every third frame: enough where no accuracy is asked.
PeopleSolveInput thinned(PeopleSolveInput input) {
  std::erase_if(input.frames, [](const PeopleFrame& frame) { return frame.frame % 3 != 0; });
  return input;
}

// The largest errors after the similarity that lays the solved centres over the true ones.
Off off_aligned(const std::vector<PeopleSolvedCamera>& solved, const Scene& scene = {}) {
  const std::vector<Camera> truth = room(scene.roll_deg);
  Eigen::Matrix3Xd from(3, kCameras), to(3, kCameras);
  for (Eigen::Index c = 0; c < kCameras; ++c) {
    from.col(c) = solved[c].camera.center_in_world_m();
    to.col(c) = truth[c].center_in_world_m();
  }
  const Eigen::Matrix4d fit = Eigen::umeyama(from, to);
  WorldChange change;
  change.scale = fit.block<3, 1>(0, 0).norm();
  change.rotation = fit.topLeftCorner<3, 3>() / change.scale;
  change.translation_m = fit.block<3, 1>(0, 3);
  Off off;
  for (size_t c = 0; c < kCameras; ++c) {
    const CameraChange left = change_between(truth[c], in_changed_world(solved[c].camera, change));
    off.degrees = std::max(off.degrees, left.head<3>().norm() * 180 / M_PI);
    off.mm = std::max(off.mm, 1000 * left.segment<3>(3).norm());
  }
  return off;
}

TEST(PeopleSolveAll, FindsAllCamerasFromOutlines) {
  const Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0.2};
  const PeopleSolveInput input = all_wrong(scene, 2, 0.1, false);
  const auto solution = solve_from_people(input, {});
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_TRUE(solution->all_free);
  for (const PeopleSolvedCamera& camera : solution->cameras) {
    EXPECT_TRUE(camera.determined) << camera.turned_std_deg << " " << camera.moved_std_m;
    EXPECT_GT(camera.before_px, 3);
    EXPECT_LT(camera.after_px, 1.5);
  }
  EXPECT_LT(off_aligned(solution->cameras).degrees, 0.16);
  EXPECT_LT(off_aligned(solution->cameras).mm, 21);
  // The floor is where the feet are, the scale as the given cameras have it.
  EXPECT_NEAR(solution->mean_height_m, 1.675, 0.06);
}

TEST(PeopleSolveAll, SameInputSameBytes) {
  const Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0.2};
  const PeopleSolveInput input = thinned(all_wrong(scene, 2, 0.1, false));
  const auto first = solve_from_people(input, {}), second = solve_from_people(input, {});
  ASSERT_TRUE(first && second);
  for (size_t c = 0; c < kCameras; ++c) EXPECT_EQ(first->cameras[c].change, second->cameras[c].change);
}

TEST(PeopleSolveAll, FindsAllCamerasFromBoxesAlone) {
  const Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0.2};
  const auto solution = solve_from_people(all_wrong(scene, 2, 0.1, true), {});
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_LT(off_aligned(solution->cameras).degrees, 0.7);
  EXPECT_LT(off_aligned(solution->cameras).mm, 80);
}

// Cameras that are rolled see everybody slanted: a box's middle is then neither at the head nor at the feet.
TEST(PeopleSolveAll, BoxesOfSlantedPeople) {
  Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0};
  scene.roll_deg = 15;
  const auto solution = solve_from_people(all_wrong(scene, 1, 0.05, true), {});
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_LT(off_aligned(solution->cameras, scene).degrees, 0.5);
  EXPECT_LT(off_aligned(solution->cameras, scene).mm, 60);
}

// Every second lens is said to be 3 % too long, the others too short; k1 likewise.
PeopleSolveInput with_wrong_lenses(PeopleSolveInput input) {
  double sign = 1;
  for (Camera& camera : input.cameras) {
    PinholeCamera<double> model = camera.model();
    model.fx_px *= 1 + 0.03 * sign, model.fy_px *= 1 + 0.03 * sign, model.k1 += 0.05 * sign;
    camera = Camera::make(camera.name(), model).value();
    sign = -sign;
  }
  return input;
}

TEST(PeopleSolveAll, WrongLensesAreSolvedWhereAsked) {
  const Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0};
  PeopleSolveInput input = with_wrong_lenses(all_wrong(scene, 1, 0.05, false));
  const auto held = solve_from_people(input, {});
  input.solve_lenses = true;
  const auto solution = solve_from_people(input, {});
  ASSERT_TRUE(held && solution);
  EXPECT_LT(off_aligned(solution->cameras).degrees, 0.3);
  EXPECT_LT(off_aligned(solution->cameras).mm, 40);
  for (size_t c = 0; c < kCameras; ++c) {
    const PeopleSolvedCamera& camera = solution->cameras[c];
    const double focal_off = camera.camera.model().fx_px / room()[c].model().fx_px - 1;
    EXPECT_TRUE(camera.determined && camera.lens.verdict == LensVerdict::solved);
    EXPECT_LT(std::abs(focal_off), 0.012) << c;
    EXPECT_LT(std::abs(focal_off), 5 * std::sqrt(camera.covariance(6, 6))) << c;
    EXPECT_NEAR(camera.change[6], camera.camera.model().fx_px / input.cameras[c].model().fx_px - 1, 1e-9);
    EXPECT_NEAR(camera.camera.model().k1, 0, 0.025) << c;
    EXPECT_NEAR(camera.lens.k1_change, camera.camera.model().k1 - input.cameras[c].model().k1, 1e-9);
  }
  EXPECT_TRUE(wrong_lenses(*held).size() > 0);
}

// Nothing is claimed of poses that a wrong lens bends, and nothing changed.
TEST(PeopleSolveAll, AWrongLensThatIsHeldIsNamed) {
  const Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0};
  PeopleSolveInput input = all_wrong(scene, 1, 0.05, false);
  PinholeCamera<double> model = input.cameras[1].model();
  model.fx_px *= 1.04, model.fy_px *= 1.04;
  input.cameras[1] = Camera::make(input.cameras[1].name(), model).value();
  const auto solution = solve_from_people(input, {});
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_EQ(wrong_lenses(*solution), std::vector<size_t>{1});
  const PeopleLens& lens = solution->cameras[1].lens;
  EXPECT_NEAR(lens.focal_change, 1 / 1.04 - 1, 0.012);
  EXPECT_NE(lens_text(lens).find("does not fit"), std::string::npos) << lens_text(lens);
  for (size_t c = 0; c < kCameras; ++c) {
    EXPECT_FALSE(solution->cameras[c].determined);
    EXPECT_EQ(solution->cameras[c].camera.center_in_world_m(), input.cameras[c].center_in_world_m());
    EXPECT_EQ(solution->cameras[c].change, CameraChange::Zero());
    EXPECT_EQ(solution->cameras[c].moved_std_m, solution->cameras[c].moved_any_lens_m);
  }
}

TEST(PeopleSolveAll, RightLensesThatAreHeldAreNotNamed) {
  const int seeds = test::loop_size("VANTAGE_TEST_LENSES", 1);
  for (unsigned seed = 7; seed < 7U + static_cast<unsigned>(seeds); ++seed) {
    Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0.2};
    scene.seed = seed;
    const auto solution = solve_from_people(all_wrong(scene, 1, 0.05, false), {});
    ASSERT_TRUE(solution) << solution.error().message();
    EXPECT_TRUE(wrong_lenses(*solution).empty()) << seed;
    for (const PeopleSolvedCamera& camera : solution->cameras) {
      EXPECT_TRUE(camera.determined) << seed;
      EXPECT_TRUE(lens_is_fixed(camera.lens.verdict));
      EXPECT_NE(camera.lens.verdict, LensVerdict::not_judged);
      EXPECT_GT(camera.moved_any_lens_m, camera.moved_std_m / 2);
    }
  }
}

TEST(PeopleLens, AHeldLensIsJudgedByWhatWouldShow) {
  EXPECT_EQ(judge_fixed_lens({.focal_change = 0.003, .focal_std = 0.005, .k1_change = 0.01, .k1_std = 0.008}),
            LensVerdict::fits);
  EXPECT_EQ(judge_fixed_lens({.focal_change = 0.03, .focal_std = 0.005, .k1_change = 0, .k1_std = 0.008}),
            LensVerdict::wrong);
  EXPECT_EQ(judge_fixed_lens({.focal_change = 0, .focal_std = 0.005, .k1_change = -0.06, .k1_std = 0.008}),
            LensVerdict::wrong);
  EXPECT_EQ(judge_fixed_lens({.focal_change = 0.01, .focal_std = 0.017, .k1_change = 0, .k1_std = 0.008}),
            LensVerdict::open)
      << "three per cent would not show";
  EXPECT_EQ(judge_fixed_lens({.focal_change = 0.009, .focal_std = 0.0005, .k1_change = 0, .k1_std = 0.001}),
            LensVerdict::fits)
      << "masks bend a focal length by as much in any footage";
  EXPECT_TRUE(lens_text({}).empty());
}

// 1 % of the corner's distance, 800 px from the centre, which is at 0.889 of the focal length.
TEST(PeopleLens, CornersShiftByK1) {
  EXPECT_NEAR(corner_shift_px(room()[0], 0.05), 0.05 * (800.0 / 900) * (800.0 / 900) * 800, 1e-9);
  EXPECT_EQ(corner_shift_px(room()[0], 0), 0);
}

TEST(PeopleLens, ALensThatIsNotValidIsAnError) {
  EXPECT_TRUE(people_calibration_detail::with_lens(room()[0], {0.01, 0.1}));
  EXPECT_FALSE(people_calibration_detail::with_lens(room()[0], {-1.5, 0})) << "a negative focal length";
}

TEST(PeopleSolveAll, LensesThatAreRightStay) {
  const Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0.2};
  PeopleSolveInput input = all_wrong(scene, 1, 0.05, false);
  input.solve_lenses = true;
  const auto solution = solve_from_people(input, {});
  ASSERT_TRUE(solution) << solution.error().message();
  for (const PeopleSolvedCamera& camera : solution->cameras) EXPECT_LT(std::abs(camera.change[6]), 0.012);
  input.free[0] = input.free[1] = false;
  EXPECT_EQ(solve_from_people(input, {}).error().kind, ErrorKind::invalid_argument);
}

TEST(PeopleSolveAll, AStatedHeightGivesTheScale) {
  const Scene scene{.people = 2, .walk = true, .noise_px = 0.5, .hidden = 0};
  PeopleSolveInput input = thinned(all_wrong(scene, 1, 0.05, false));
  const auto as_given = solve_from_people(input, {});
  input.mean_height_m = 2 * as_given->mean_height_m;
  const auto solution = solve_from_people(input, {});
  ASSERT_TRUE(as_given && solution);
  EXPECT_NEAR(solution->scale, 2, 1e-9);
  EXPECT_NEAR(solution->mean_height_m, *input.mean_height_m, 1e-9);
  const auto apart = [](const PeopleSolution& one) {
    return (one.cameras[0].camera.center_in_world_m() - one.cameras[2].camera.center_in_world_m()).norm();
  };
  EXPECT_NEAR(apart(*solution), 2 * apart(*as_given), 1e-6);
}

TEST(PeopleSolveAll, SomebodyWhoStandsStillLeavesAllOpen) {
  const Scene scene{.people = 1, .walk = false, .noise_px = 0.5, .hidden = 0};
  for (const bool boxes : {false, true}) {
    const PeopleSolveInput input = all_wrong(scene, 2, 0.1, boxes);
    const auto solution = solve_from_people(input, {});
    ASSERT_TRUE(solution) << solution.error().message();
    for (size_t c = 0; c < kCameras; ++c) {
      EXPECT_FALSE(solution->cameras[c].determined);
      EXPECT_EQ(solution->cameras[c].camera.center_in_world_m(), input.cameras[c].center_in_world_m());
    }
  }
}

TEST(PeopleSolveAll, NobodyAndTwoCamerasAreSaid) {
  PeopleSolveInput input = all_wrong({}, 2, 0.1, false);
  for (PeopleFrame& frame : input.frames) frame.cameras.assign(kCameras, {});
  const auto nobody = solve_from_people(input, {});
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().kind, ErrorKind::bad_data);
  EXPECT_EQ(check_free_cameras({true, true}, false).error().kind, ErrorKind::invalid_argument);
  EXPECT_TRUE(check_free_cameras({true, true, true}, true));
}

TEST(PersonOutlines, BoxAndHullOfAPart) {
  std::vector<uint8_t> mask(100 * 80);
  for (int y = 20; y < 70; ++y)
    for (int x = 30; x < 50; ++x) mask[y * 80 + x] = 255;
  mask[0] = 255;  // a speck
  const auto found = person_outlines({mask.data(), 80, 100, 80});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FLOAT_EQ(found[0].box.left_px, 29.5F);
  EXPECT_FLOAT_EQ(found[0].box.top_px, 19.5F);
  EXPECT_FLOAT_EQ(found[0].box.width_px, 20);
  EXPECT_FLOAT_EQ(found[0].box.height_px, 50);
  double left = 1e9, bottom = -1e9;
  for (const Eigen::Vector2d& corner : found[0].hull_px)
    left = std::min(left, corner.x()), bottom = std::max(bottom, corner.y());
  EXPECT_DOUBLE_EQ(left, 29.5);
  EXPECT_DOUBLE_EQ(bottom, 69.5);
}

}  // namespace
}  // namespace vantage
