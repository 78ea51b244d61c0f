// Boards with markers: drawn by OpenCV, and those of a real recording beside caliscope's own solution.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "core/calibration/formats/calibration.h"
#include "core/calibration/solve/board.h"
#include "core/calibration/solve/board_detector.h"
#include "core/calibration/solve/board_solve.h"
#include "core/calibration/solve/clip_offsets.h"
#include "core/calibration/solve/detail/opencv_markers.h"
#include "core/video/video_source.h"
#include "tests/support/data.h"
#include "tests/support/drawn_boards.h"

namespace vantage {
namespace {

const Board kMarkerBoard{
    .columns = 6, .rows = 4, .square_m = 0.06, .markers = BoardMarkers{"DICT_4X4_50", 0.045}};
constexpr int kSquare_px = 60;  // of the drawing

cv::Mat printed() {
  std::vector<int> ids(static_cast<size_t>(kMarkerBoard.marker_count()));
  std::iota(ids.begin(), ids.end(), 0);
  const cv::Size size((kMarkerBoard.columns + 1) * kSquare_px, (kMarkerBoard.rows + 1) * kSquare_px);
  return opencv_markers::drawn(opencv_markers::dictionary_of(cv::aruco::DICT_4X4_50),
                               {{kMarkerBoard.columns + 1, kMarkerBoard.rows + 1}, 0.06f, 0.045f, ids}, size);
}

// A print seen through a homography from its pixels, on a grey wall.
cv::Mat seen(const cv::Mat& print, const cv::Matx33d& picture_from_print) {
  cv::Mat picture;
  cv::warpPerspective(print, picture, picture_from_print, {640, 480}, cv::INTER_AREA, cv::BORDER_CONSTANT,
                      cv::Scalar(128));
  cv::GaussianBlur(picture, picture, {}, 0.8);
  return picture;
}

const cv::Matx33d kSlanted(0.9, 0.12, 90, -0.08, 0.85, 120, 2e-4, 1e-4, 1);

std::optional<std::vector<BoardCorner>> found_in(const cv::Mat& picture) {
  return find_board({picture.data, picture.cols, picture.rows, picture.step}, kMarkerBoard);
}

// Each corner where its index says; rows count from the lowest of the print.
void expect_true_corners(const std::vector<BoardCorner>& corners, const cv::Matx33d& picture_from_print) {
  for (const BoardCorner& corner : corners) {
    const int column = corner.index % kMarkerBoard.columns,
              row = kMarkerBoard.rows - 1 - corner.index / kMarkerBoard.columns;
    const cv::Vec3d p =
        picture_from_print * cv::Vec3d((column + 1) * kSquare_px - 0.5, (row + 1) * kSquare_px - 0.5, 1);
    EXPECT_NEAR(corner.x_px, p[0] / p[2], 0.3) << corner.index;
    EXPECT_NEAR(corner.y_px, p[1] / p[2], 0.3) << corner.index;
  }
}

TEST(MarkerBoard, FindsAllCornersByTheirMarkers) {
  const auto found = found_in(seen(printed(), kSlanted));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), static_cast<size_t>(kMarkerBoard.corner_count()));
  expect_true_corners(*found, kSlanted);
}

TEST(MarkerBoard, DarkAndLightMayBeExchanged) {
  const auto found = found_in(seen(255 - printed(), kSlanted));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), static_cast<size_t>(kMarkerBoard.corner_count()));
  expect_true_corners(*found, kSlanted);
}

TEST(MarkerBoard, AnyPartOfItWillDo) {
  cv::Mat picture = seen(printed(), kSlanted);
  picture(cv::Rect(320, 0, 320, 480)) = 128;  // somebody stands before the right half
  const auto found = found_in(picture);
  ASSERT_TRUE(found);
  EXPECT_LT(found->size(), static_cast<size_t>(kMarkerBoard.corner_count()));
  EXPECT_GE(found->size(), 6u);
  expect_true_corners(*found, kSlanted);
}

std::optional<Board> guessed(const Board& stated) {
  BoardGuess guess(stated);
  for (const cv::Mat& picture :
       {seen(printed(), kSlanted), seen(printed(), cv::Matx33d(0.7, 0, 60, 0, 0.7, 80, 0, 0, 1))})
    guess.look({picture.data, picture.cols, picture.rows, picture.step});
  return guess.shown();
}

TEST(BoardGuess, MarkersShowTheTrueBoard) {
  EXPECT_FALSE(guessed(kMarkerBoard));
  // Exchanged, squares for inner corners, a column too few or too many, far off.
  for (const auto& [columns, rows] :
       {std::pair(4, 6), std::pair(7, 5), std::pair(5, 4), std::pair(8, 4), std::pair(11, 8)}) {
    Board stated = kMarkerBoard;
    stated.columns = columns, stated.rows = rows;
    const auto shown = guessed(stated);
    ASSERT_TRUE(shown) << columns << " x " << rows;
    EXPECT_EQ(shown->columns, kMarkerBoard.columns);
    EXPECT_EQ(shown->rows, kMarkerBoard.rows);
    EXPECT_NE(shown_text(*shown, stated).find("6 x 4"), std::string::npos);
  }
}

TEST(BoardGuess, MarkersShowTheirDictionary) {
  for (const char* dictionary : {"DICT_5X5_100", "DICT_6X6_250", "DICT_APRILTAG_36h11"}) {
    Board stated = kMarkerBoard;
    stated.markers->dictionary = dictionary;
    const auto shown = guessed(stated);
    ASSERT_TRUE(shown) << dictionary;
    EXPECT_EQ(shown->markers->dictionary, "DICT_4X4_50");
  }
  Board larger = kMarkerBoard;
  larger.markers->dictionary = "DICT_4X4_250";  // begins with the same markers
  EXPECT_FALSE(guessed(larger));
}

TEST(BoardGuess, SaysNothingWhereNoMarkerIsSeen) {
  const cv::Mat grey(480, 640, CV_8U, cv::Scalar(128));
  BoardGuess guess(kMarkerBoard);
  guess.look({grey.data, grey.cols, grey.rows, grey.step});
  EXPECT_FALSE(guess.shown());
}

// Alike but for their identities, one partly before the other, and a grid of tags: each is found by its own.
TEST(MarkerBoard, SeveralBoardsInOnePictureAreToldApart) {
  std::vector<Board> boards = boards_alike(kMarkerBoard, 2);
  boards.push_back(grid_of_tags(3, 2, {"DICT_4X4_50", 0.09, 0.03, 40}));
  ASSERT_TRUE(check_boards(boards));
  std::vector<test::PrintedBoard> prints;
  for (const Board& board : boards) prints.emplace_back(board);
  const Camera camera = test::camera_beside("cam", 0, 0);
  const test::BoardPainter painter(camera);
  std::vector<Eigen::Isometry3d> poses;
  for (const auto& [x_m, y_m, z_m, turn] :
       {std::tuple(-0.42, -0.02, 1.1, 0.2), std::tuple(0.02, 0.1, 1.2, -0.3),
        std::tuple(-0.1, 0.42, 1.15, 0.1)}) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.linear() = (Eigen::AngleAxisd(M_PI + 0.2, Eigen::Vector3d::UnitX()) *
                     Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitZ()))
                        .toRotationMatrix();
    pose.translation() = Eigen::Vector3d(x_m, y_m, z_m);
    poses.push_back(pose);
  }
  const std::vector<uint8_t> pixels = test::paint_boards(painter, prints, poses);
  const ImageView<const uint8_t> gray{pixels.data(), painter.width(), painter.height(),
                                      static_cast<size_t>(painter.width())};
  for (size_t b = 0; b < boards.size(); ++b) {
    const auto found = find_board(gray, boards[b]);
    ASSERT_TRUE(found) << b;
    EXPECT_GE(static_cast<int>(found->size()), boards[b].corner_count() / 2) << b;
    for (const BoardCorner& corner : *found) {
      const auto truth = camera.project(
          poses[b] * Eigen::Vector3d(boards[b].x_m(corner.index), boards[b].y_m(corner.index), 0));
      ASSERT_TRUE(truth);
      EXPECT_LT((*truth - Eigen::Vector2d(corner.x_px, corner.y_px)).norm(), 0.5) << b << ' ' << corner.index;
    }
  }
  // Another board alike, which is not there.
  EXPECT_FALSE(find_board(gray, boards_alike(boards[1], 2)[1]));
}

TEST(MarkerBoard, FindsNothingWhereThereIsNone) {
  EXPECT_FALSE(found_in(cv::Mat(480, 640, CV_8U, cv::Scalar(128))));
}

TEST(MarkerBoard, WrongMarkersAreRefused) {
  Board board = kMarkerBoard;
  board.markers->dictionary = "DICT_3X3_7";
  const Status unknown = check_board(board);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message().find("DICT_4X4_1000"), std::string::npos) << unknown.error().message();
  board.markers = {"DICT_4X4_50", 0.06};
  EXPECT_FALSE(check_board(board));
  board.markers = {"DICT_4X4_50", 0.045};
  board.columns = 2;
  EXPECT_TRUE(check_board(board));
}

// ---- the recording

// How many corners caliscope found, by camera and picture.
std::map<std::pair<int, int64_t>, int> corners_of_caliscope(const std::filesystem::path& csv) {
  std::ifstream file(csv);
  std::string line;
  std::getline(file, line);  // names of columns
  std::map<std::pair<int, int64_t>, int> count;
  constexpr int64_t kFirst = 35;  // the sync index of the videos' first pictures
  while (std::getline(file, line)) {
    std::istringstream values(line);
    int64_t index = 0;
    int camera = 0;
    char comma = 0;
    values >> index >> comma >> camera;
    ++count[{camera, index - kFirst}];
  }
  return count;
}

struct HeldRig {
  BoardsInput input;
  double found = 0, known = 0;  // corners: of caliscope's, those found here, and all
};

// Lenses as caliscope has them; poses unknown.
HeldRig caliscope_rig(const std::filesystem::path& folder) {
  HeldRig rig{.input = {.boards = {Board{.columns = 3,
                                         .rows = 4,
                                         .square_m = 0.054,
                                         .markers = BoardMarkers{"DICT_4X4_1000", 0.75 * 0.054}}},
                        .cameras = {},
                        .views = {},
                        .lens_views = {}}};
  const auto given = read_calibration(folder / "camera_array.toml", {});
  if (!given) return rig;
  const std::filesystem::path videos = folder / "calibration/extrinsic";
  auto known = corners_of_caliscope(videos / "CHARUCO/xy_CHARUCO.csv");
  for (const auto& [view, count] : known) rig.known += count;
  for (int c = 0; c < 4; ++c) {
    const auto source = open_video((videos / ("cam_" + std::to_string(c) + ".mp4")).string(), {});
    if (!source) return rig;
    BoardCamera camera{.name = "cam_" + std::to_string(c), .given = given->cameras[c]};
    for (int64_t frame = 0;; ++frame) {
      const auto decoded = (*source)->read();
      if (!decoded) break;
      camera.width_px = decoded->picture.width(), camera.height_px = decoded->picture.height();
      auto corners = find_board(decoded->picture.plane(0), rig.input.boards[0]);
      if (!corners) continue;
      rig.found += std::min<double>(static_cast<double>(corners->size()), known[{c, frame}]);
      rig.input.views.push_back({c, frame, std::move(*corners)});
    }
    rig.input.cameras.push_back(std::move(camera));
  }
  return rig;
}

// Where all cameras' rays to a corner come nearest, in the world; nothing with fewer than two.
std::optional<Eigen::Vector3d> meeting_of(const std::vector<Ray>& rays) {
  if (rays.size() < 2) return {};
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (const Ray& ray : rays) {
    const Eigen::Matrix3d across =
        Eigen::Matrix3d::Identity() - ray.direction_in_world * ray.direction_in_world.transpose();
    sum += across, right += across * ray.origin_in_world_m;
  }
  return sum.ldlt().solve(right);
}

// The sides of the squares between corners that are placed by their rays alone.
void expect_true_squares(const BoardsInput& input, const BoardsSolution& solution) {
  std::map<int64_t, std::map<int, std::vector<Ray>>> rays;
  for (const BoardView& view : input.views)
    for (const BoardCorner& corner : view.corners)
      if (const auto ray = solution.cameras[view.camera].camera.ray({corner.x_px, corner.y_px}))
        rays[view.instant][corner.index].push_back(*ray);
  double count = 0, sum = 0, sum2 = 0;
  for (const auto& [instant, of_corner] : rays)
    for (const auto& [index, seen] : of_corner)
      for (const int step : {1, input.boards[0].columns}) {
        if (step == 1 && index % input.boards[0].columns == input.boards[0].columns - 1) continue;
        const auto next = of_corner.find(index + step);
        const auto a = meeting_of(seen);
        const auto b = next == of_corner.end() ? std::nullopt : meeting_of(next->second);
        if (!a || !b) continue;
        const double off_mm = 1000 * (*a - *b).norm() - 54;
        ++count, sum += off_mm, sum2 += off_mm * off_mm;
      }
  fmt::print("squares: {:.2f} mm +- {:.2f} mm, {:.0f} sides\n", 54 + sum / count,
             std::sqrt(sum2 / count - sum / count * (sum / count)), count);
  EXPECT_LE(std::abs(sum / count), 0.08 + 0.005);
  EXPECT_LE(std::sqrt(sum2 / count - sum / count * (sum / count)), 0.64 * 1.02);
}

// Both solutions laid over each other by the rigid motion that suits their cameras best.
void expect_near_caliscope(const BoardsInput& input, const BoardsSolution& solution) {
  Eigen::Matrix3Xd solved(3, 4), given(3, 4);
  for (Eigen::Index c = 0; c < 4; ++c) {
    const auto camera = static_cast<size_t>(c);
    solved.col(c) = solution.cameras[camera].camera.center_in_world_m();
    given.col(c) = input.cameras[camera].given->center_in_world_m();
  }
  const Eigen::Isometry3d motion(Eigen::umeyama(solved, given, false));
  for (size_t c = 0; c < 4; ++c) {
    const Camera& theirs = *input.cameras[c].given;
    const Eigen::Isometry3d pose = solution.cameras[c].camera.cam_from_world() * motion.inverse();
    const double apart_mm = 1000 * (pose.inverse().translation() - theirs.center_in_world_m()).norm();
    const double turned_deg =
        Eigen::AngleAxisd(pose.linear().transpose() * theirs.rotation_cam_from_world()).angle() * 180 / M_PI;
    fmt::print("{}: {:.1f} mm, {:.2f} degrees from caliscope's\n", theirs.name(), apart_mm, turned_deg);
    EXPECT_LE(apart_mm, 8) << theirs.name();
    EXPECT_LE(turned_deg, 0.45) << theirs.name();
  }
}

TEST(RealMarkerBoard, FourWebcamsBesideCaliscope) {
  VANTAGE_NEED_DATA(folder, "caliscope-4cam/post_optimization");
  const HeldRig rig = caliscope_rig(folder);
  ASSERT_EQ(rig.input.cameras.size(), 4u);
  EXPECT_GE(rig.found, 0.95 * rig.known);
  const auto solution = solve_boards(rig.input, {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  std::vector<double> distances;
  double sum2 = 0;
  for (const CornerResidual& residual : solution->residuals) {
    distances.push_back(std::hypot(residual.x_px, residual.y_px));
    sum2 += distances.back() * distances.back();
  }
  std::sort(distances.begin(), distances.end());
  const double rms_px = std::sqrt(sum2 / static_cast<double>(distances.size()));
  fmt::print("{:.0f} of {:.0f} corners, {} in all, RMS {:.3f} px, median {:.3f} px\n", rig.found, rig.known,
             distances.size(), rms_px, distances[distances.size() / 2]);
  EXPECT_LE(rms_px, 1.62 * 1.02);
  expect_near_caliscope(rig.input, *solution);
  expect_true_squares(rig.input, *solution);
}

// One webcam's clip is out of step by most of a frame, and the man who holds the board moves: corners of a
// picture are off together, which covariances know nothing of.
TEST(RealMarkerBoard, HalvesOfThePicturesTellThatWebcamsAreLessCertain) {
  VANTAGE_NEED_DATA(folder, "caliscope-4cam/post_optimization");
  const HeldRig rig = caliscope_rig(folder);
  const auto plain = solve_boards(rig.input, {.half_turned = {}}),
             checked = solve_boards(rig.input, {.half_turned = {}, .cross_validate = true});
  ASSERT_TRUE(plain && checked && checked->cross_validation);
  const CrossValidation& halves = *checked->cross_validation;
  fmt::print("{}\n", halves.text());
  EXPECT_TRUE(halves.doubtful());
  EXPECT_NE(halves.text().find("enlarged"), std::string::npos);
  for (size_t c = 0; c < 4; ++c) {
    const CameraSolution &a = plain->cameras[c], &b = checked->cameras[c];
    EXPECT_EQ(a.camera.center_in_world_m(), b.camera.center_in_world_m());
    EXPECT_NEAR(b.center_std_m.norm(), halves.ratio * a.center_std_m.norm(), 1e-12);
    EXPECT_LT(halves.cameras[c].held_out_rms_px, 1.25 * halves.cameras[c].expected_rms_px);
  }
  EXPECT_NEAR(checked->together.covariance(0, 0),
              std::pow(halves.ratio, 2) * plain->together.covariance(0, 0), 1e-15);
}

// cam_1 is late by most of a frame; a clip of which pictures are cut off is found to be that much earlier.
TEST(RealMarkerBoard, ClipsOutOfStepAreFoundBesideTheirTimestamps) {
  VANTAGE_NEED_DATA(folder, "caliscope-4cam/post_optimization");
  HeldRig rig = caliscope_rig(folder);
  const auto in_step = solve_boards(rig.input, {.half_turned = {}});
  const auto timed = solve_out_of_step(rig.input, {.half_turned = {}});
  ASSERT_TRUE(in_step) << in_step.error().message();
  ASSERT_TRUE(timed) << timed.error().message();
  for (size_t c = 0; c < 4; ++c) {
    const ClipTiming& clip = timed->clips[c];
    fmt::print("{}: offset {:.3f} +- {:.3f} frames, RMS {:.3f} px (in step {:.3f})\n",
               timed->solution.cameras[c].camera.name(), clip.offset_frames, clip.offset_std_frames,
               timed->solution.cameras[c].rms_px, in_step->cameras[c].rms_px);
    EXPECT_LT(timed->solution.cameras[c].rms_px, in_step->cameras[c].rms_px);
    EXPECT_FALSE(clip.rolling);
  }
  EXPECT_NEAR(timed->clips[1].offset_frames, 0.85, 0.2);
  constexpr int64_t kCut = 7;
  std::erase_if(rig.input.views,
                [](const BoardView& view) { return view.camera == 2 && view.instant < kCut; });
  for (BoardView& view : rig.input.views)
    if (view.camera == 2) view.instant -= kCut;
  const auto cut = solve_out_of_step(rig.input, {.half_turned = {}});
  ASSERT_TRUE(cut) << cut.error().message();
  EXPECT_NEAR(cut->clips[2].offset_frames, timed->clips[2].offset_frames - kCut, 0.02);
}

}  // namespace
}  // namespace vantage
