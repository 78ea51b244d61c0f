// Grids of tags, drawn through known cameras: corners, orders, hidden parts, and whole solves.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <opencv2/imgproc.hpp>
#include <random>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/board_detector.h"
#include "core/calibration/solve/board_solve.h"
#include "tests/support/drawn_board.h"

namespace vantage {
namespace {

const Board kApril = grid_of_tags(6, 5, {"DICT_APRILTAG_36h11", 0.088, 0.0264});
const Board kAruco = grid_of_tags(4, 3, {"DICT_5X5_100", 0.12, 0.04, 7});
constexpr double kPixels_per_m = 5000;  // of prints
constexpr int kMargin_px = 120;

// A print on white paper, and where its corners lie in it.
class Print {
 public:
  Print(const Board& board, TagStyle style) : board_(board), drawing_(draw_board(board, style).value()) {
    const auto pixels = [](double length_m) {
      return static_cast<int>(std::lround(length_m * kPixels_per_m));
    };
    picture_ = cv::Mat(pixels(drawing_.height_m) + 2 * kMargin_px, pixels(drawing_.width_m) + 2 * kMargin_px,
                       CV_8U, cv::Scalar(230));
    for (const BoardRectangle& dark : drawing_.dark) {
      const cv::Point from(kMargin_px + pixels(dark.left_m), kMargin_px + pixels(dark.top_m));
      const cv::Point to(kMargin_px + pixels(dark.left_m + dark.width_m),
                         kMargin_px + pixels(dark.top_m + dark.height_m));
      picture_(cv::Rect(from, to)) = 25;
    }
  }

  const cv::Mat& picture() const { return picture_; }
  cv::Matx33d print_from_board() const {
    const double scale = kPixels_per_m;
    return {scale, 0,      kMargin_px - 0.5 + scale * drawing_.first_x_m,
            0,     -scale, kMargin_px - 0.5 + scale * drawing_.first_y_m,
            0,     0,      1};
  }
  cv::Point2d corner(int index) const {
    const cv::Vec3d p = print_from_board() * cv::Vec3d(board_.x_m(index), board_.y_m(index), 1);
    return {p[0], p[1]};
  }

 private:
  Board board_;
  BoardDrawing drawing_;
  cv::Mat picture_;
};

cv::Matx33d board_to_picture(const Camera& camera, const Eigen::Isometry3d& pose) {
  const PinholeCamera<double>& m = camera.model();
  const Eigen::Matrix3d& turn = pose.linear();
  const Eigen::Vector3d& shift = pose.translation();
  const cv::Matx33d k(m.fx_px, 0, m.cx_px, 0, m.fy_px, m.cy_px, 0, 0, 1);
  return k * cv::Matx33d(turn(0, 0), turn(0, 1), shift[0], turn(1, 0), turn(1, 1), shift[1], turn(2, 0),
                         turn(2, 1), shift[2]);
}

Camera pinhole(double k1 = 0) {
  PinholeCamera<double> m;
  m.width_px = 1280, m.height_px = 960, m.fx_px = m.fy_px = 1000, m.cx_px = 642, m.cy_px = 477;
  m.k1 = k1;
  m.rotation_cam_from_world[0] = m.rotation_cam_from_world[4] = m.rotation_cam_from_world[8] = 1;
  return Camera::make("cam", m).value();
}

// Pictures through a camera, whose lens is bent once for all of them: drawn three times as large without a
// lens' bend, bent, and made smaller.
class Painter {
 public:
  explicit Painter(const Camera& camera) : camera_(camera) {
    const PinholeCamera<double>& m = camera.model();
    map_.create(kFine * m.height_px, kFine * m.width_px, CV_32FC2);
    for (int y = 0; y < map_.rows; ++y)
      for (int x = 0; x < map_.cols; ++x) {
        const auto at = camera.undistort({(x - kMiddle) / kFine, (y - kMiddle) / kFine});
        map_.at<cv::Vec2f>(y, x) =
            at ? cv::Vec2f(fine(m.fx_px * at->x() + m.cx_px), fine(m.fy_px * at->y() + m.cy_px))
               : cv::Vec2f(-1, -1);
      }
  }

  cv::Mat seen(const Print& print, const Eigen::Isometry3d& pose, double blur_px, double noise,
               unsigned seed) const {
    const PinholeCamera<double>& m = camera_.model();
    const cv::Matx33d scale(kFine, 0, kMiddle, 0, kFine, kMiddle, 0, 0, 1);
    const cv::Matx33d flat_from_print =
        scale * board_to_picture(camera_, pose) * print.print_from_board().inv();
    cv::Mat flat, bent, picture;
    cv::warpPerspective(print.picture(), flat, flat_from_print, map_.size(), cv::INTER_LINEAR,
                        cv::BORDER_CONSTANT, cv::Scalar(110));
    cv::remap(flat, bent, map_, {}, cv::INTER_LINEAR, cv::BORDER_CONSTANT, cv::Scalar(110));
    cv::resize(bent, picture, {m.width_px, m.height_px}, 0, 0, cv::INTER_AREA);
    cv::GaussianBlur(picture, picture, {}, blur_px);
    std::mt19937 random(seed);
    std::normal_distribution<double> grain(0, noise);
    for (int y = 0; y < picture.rows; ++y)
      for (int x = 0; x < picture.cols; ++x)
        picture.at<uint8_t>(y, x) = cv::saturate_cast<uint8_t>(picture.at<uint8_t>(y, x) + grain(random));
    return picture;
  }

 private:
  static constexpr int kFine = 3;
  static constexpr double kMiddle = (kFine - 1) / 2.0;
  static float fine(double x_px) { return static_cast<float>(kFine * x_px + kMiddle); }

  Camera camera_;
  cv::Mat map_;
};

cv::Mat seen(const Print& print, const Camera& camera, const Eigen::Isometry3d& pose, double blur_px,
             double noise, unsigned seed) {
  static std::map<double, Painter> painters;  // by k1, in which the tests' cameras differ
  return painters.try_emplace(camera.model().k1, camera)
      .first->second.seen(print, pose, blur_px, noise, seed);
}

// Before the camera, slanted and turned about its sight.
Eigen::Isometry3d pose_of_board(const Board& board, double distance_m, double slant, double turn) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = (Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitZ()) *
                   Eigen::AngleAxisd(M_PI + slant, Eigen::Vector3d::UnitX()))
                      .toRotationMatrix();
  const Eigen::Vector3d middle(board.x_m(board.columns - 1) / 2, board.y_m(board.corner_count() - 1) / 2, 0);
  pose.translation() = Eigen::Vector3d(0.02, -0.03, distance_m) - pose.linear() * middle;
  return pose;
}

std::optional<std::vector<BoardCorner>> found_in(const cv::Mat& picture, const Board& board) {
  return find_board({picture.data, picture.cols, picture.rows, picture.step}, board);
}

struct Misses {
  double mean_px = 0, max_px = 0, outwards_px = 0;  // outwards: from the tag's middle
};

Misses misses_of(const Board& board, const std::vector<BoardCorner>& corners, const Camera& camera,
                 const Eigen::Isometry3d& pose) {
  Misses misses;
  const auto projected = [&](double x_m, double y_m) {
    return camera.project(pose * Eigen::Vector3d(x_m, y_m, 0)).value();
  };
  for (const BoardCorner& corner : corners) {
    const Eigen::Vector2d truth = projected(board.x_m(corner.index), board.y_m(corner.index));
    const Eigen::Vector2d off = Eigen::Vector2d(corner.x_px, corner.y_px) - truth;
    const double step = board.tags->side_m + board.tags->gap_m, half = board.tags->side_m / 2;
    const Eigen::Vector2d middle = projected(corner.index % board.columns / 2 * step + half,
                                             corner.index / board.columns / 2 * step + half);
    misses.mean_px += off.norm(), misses.max_px = std::max(misses.max_px, off.norm());
    misses.outwards_px += off.dot((truth - middle).normalized());
  }
  misses.mean_px /= static_cast<double>(corners.size());
  misses.outwards_px /= static_cast<double>(corners.size());
  return misses;
}

struct Case {
  const char* name;
  const Board& board;
  TagStyle style;
};
const Case kCases[] = {{"aprilgrid as Kalibr's", kApril, TagStyle::kalibr},
                       {"AprilTags as OpenCV's", kApril, TagStyle::opencv},
                       {"ArUco as OpenCV's", kAruco, TagStyle::opencv},
                       {"ArUco as Kalibr's", kAruco, TagStyle::kalibr}};

TEST(TagBoard, CornersOfEveryKindThroughBlurAndNoise) {
  for (const Case& one : kCases) {
    const Print print(one.board, one.style);
    for (const double blur_px : {0.6, 1.2})
      for (const double distance_m : {1.0, 1.8}) {
        SCOPED_TRACE(std::string(one.name) + " " + std::to_string(blur_px) + " " +
                     std::to_string(distance_m));
        const Camera camera = pinhole(-0.12);
        const Eigen::Isometry3d pose = pose_of_board(one.board, distance_m, 0.4, 0.2);
        const auto found = found_in(seen(print, camera, pose, blur_px, 3, 5), one.board);
        EXPECT_TRUE(found);
        if (!found) continue;
        EXPECT_GE(found->size(), 0.95 * one.board.corner_count());
        const Misses misses = misses_of(one.board, *found, camera, pose);
        fmt::print(
            "{:22} blur {:.1f} px, {:.1f} m: {:3} corners, off by {:.3f} px, at most {:.3f}, outwards "
            "{:+.3f}\n",
            one.name, blur_px, distance_m, found->size(), misses.mean_px, misses.max_px, misses.outwards_px);
        EXPECT_LT(misses.mean_px, 0.1);
        EXPECT_LT(misses.max_px, 0.6);
        EXPECT_LT(std::abs(misses.outwards_px), 0.05);
      }
  }
}

TEST(TagBoard, AnyTurnOfTheBoardNamesTheSameCorners) {
  for (const Case& one : kCases) {
    const Print print(one.board, one.style);
    for (const double turn : {M_PI / 2, M_PI, -M_PI / 2, 2.4}) {
      const Camera camera = pinhole();
      const Eigen::Isometry3d pose = pose_of_board(one.board, 1.3, -0.3, turn);
      const auto found = found_in(seen(print, camera, pose, 0.8, 2, 6), one.board);
      EXPECT_TRUE(found) << one.name << ' ' << turn;
      if (!found) continue;
      EXPECT_LT(misses_of(one.board, *found, camera, pose).max_px, 0.6) << one.name << ' ' << turn;
    }
  }
}

TEST(TagBoard, AnyPartOfItWillDo) {
  for (const Case& one : kCases) {
    const Print print(one.board, one.style);
    const Camera camera = pinhole();
    const Eigen::Isometry3d pose = pose_of_board(one.board, 1.1, 0.3, 0.1);
    cv::Mat picture = seen(print, camera, pose, 0.8, 2, 7);
    picture(cv::Rect(650, 0, 630, 960)) = 128;  // somebody stands before the right half
    const auto found = found_in(picture, one.board);
    EXPECT_TRUE(found) << one.name;
    if (!found) continue;
    EXPECT_LE(found->size(), static_cast<size_t>(one.board.corner_count()) / 2) << one.name;
    EXPECT_GE(found->size(), 16u) << one.name;
    EXPECT_LT(misses_of(one.board, *found, camera, pose).max_px, 0.6) << one.name;
  }
}

TEST(TagBoard, DarkAndLightMayBeExchanged) {
  const Print print(kAruco, TagStyle::opencv);
  const Camera camera = pinhole();
  const Eigen::Isometry3d pose = pose_of_board(kAruco, 1.3, 0.3, 0.1);
  const auto found = found_in(255 - seen(print, camera, pose, 0.8, 2, 8), kAruco);
  ASSERT_TRUE(found);
  EXPECT_LT(misses_of(kAruco, *found, camera, pose).max_px, 0.6);
}

// One row says neither where the next ones are nor, with it, which end is up.
TEST(TagBoard, OneRowIsNotEnough) {
  const Print print(kAruco, TagStyle::opencv);
  const Camera camera = pinhole();
  const Eigen::Isometry3d pose = pose_of_board(kAruco, 1.0, 0, 0);
  cv::Mat picture = seen(print, camera, pose, 0.8, 2, 9);
  picture(cv::Rect(0, 0, 1280, 540)) = 128;
  EXPECT_FALSE(found_in(picture, kAruco));
}

TEST(TagBoard, ABoardOfOtherNumbersIsNotTaken) {
  const Print print(kApril, TagStyle::kalibr);
  const cv::Mat picture = seen(print, pinhole(), pose_of_board(kApril, 1.3, 0.3, 0.1), 0.8, 2, 10);
  EXPECT_FALSE(found_in(picture, grid_of_tags(5, 6, *kApril.tags)));
  BoardTags other = *kApril.tags;
  other.dictionary = "DICT_APRILTAG_25h9";
  EXPECT_FALSE(found_in(picture, grid_of_tags(6, 5, other)));
}

TEST(TagBoard, WhatIsWrongWithAGridIsSaid) {
  const auto message = [](const Board& board) {
    const Status status = check_board(board);
    return status ? std::string() : status.error().message();
  };
  EXPECT_EQ(message(kApril), "");
  EXPECT_NE(message(grid_of_tags(1, 5, *kApril.tags)).find("2 to 50 tags"), std::string::npos);
  EXPECT_NE(message(grid_of_tags(6, 6, {"DICT_APRILTAG_25h9", 0.1, 0.03})).find("has (35)"),
            std::string::npos);
  EXPECT_NE(message(grid_of_tags(6, 5, {"DICT_APRILTAG_36h11", 0.1, 0})).find("gap"), std::string::npos);
  EXPECT_NE(message(grid_of_tags(6, 5, {"tag36h11", 0.1, 0.03})).find("DICT_APRILTAG_36h11"),
            std::string::npos);
  EXPECT_EQ(board_text(kApril), "grid of 6 x 5 tags of DICT_APRILTAG_36h11");
}

// Two cameras, neither lens known: what comes out beside what was drawn.
TEST(TagBoard, AWholeSolveFindsLensesAndPoses) {
  const Print print(kApril, TagStyle::kalibr);
  const Camera left = pinhole(-0.12), right = pinhole(-0.08);
  Eigen::Isometry3d right_from_left = Eigen::Isometry3d::Identity();
  right_from_left.linear() = Eigen::AngleAxisd(0.38, Eigen::Vector3d::UnitY()).toRotationMatrix();
  right_from_left.translation() = right_from_left.linear() * Eigen::Vector3d(-0.5, 0.02, 0.05);
  BoardsInput input{.boards = {kApril}, .cameras = {}, .views = {}, .lens_views = {}};
  std::mt19937 random(11);
  std::vector<Eigen::Isometry3d> poses;
  for (int i = 0; i < 14; ++i) poses.push_back(test::carried_board(kApril, 0.3, 1.2, &random));
  for (int c = 0; c < 2; ++c) {
    const Camera& camera = c == 0 ? left : right;
    input.cameras.push_back({.name = c == 0 ? "left" : "right", .width_px = 1280, .height_px = 960});
    for (size_t i = 0; i < poses.size(); ++i) {
      const Eigen::Isometry3d pose = c == 0 ? poses[i] : right_from_left * poses[i];
      auto found = found_in(seen(print, camera, pose, 0.8, 3, static_cast<unsigned>(20 + i)), kApril);
      if (found) input.views.push_back({c, static_cast<int64_t>(i), std::move(*found)});
    }
  }
  EXPECT_GE(input.views.size(), 24u);
  const auto solved = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(solved) << solved.error().message();
  const auto& cameras = solved->cameras;
  for (const CameraSolution& camera : cameras) {
    fmt::print("{}: RMS {:.3f} px, fx {:.2f} +- {:.2f} px\n", camera.camera.name(), camera.rms_px,
               camera.camera.model().fx_px, camera.lens_std[kFx]);
    EXPECT_LT(camera.rms_px, 0.12);
    EXPECT_NEAR(camera.camera.model().fx_px, 1000, 2);
  }
  const Eigen::Isometry3d between =
      cameras[1].camera.cam_from_world() * cameras[0].camera.cam_from_world().inverse();
  const double apart_mm = 1000 * (between.translation() - right_from_left.translation()).norm();
  const double turned_deg =
      Eigen::AngleAxisd(between.linear().transpose() * right_from_left.linear()).angle() * 180 / M_PI;
  fmt::print("right from left: {:.2f} mm, {:.4f} degrees off\n", apart_mm, turned_deg);
  EXPECT_LT(apart_mm, 2);
  EXPECT_LT(turned_deg, 0.05);
}

}  // namespace
}  // namespace vantage
