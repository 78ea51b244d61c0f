// Boards with markers of any number of rows, in both patterns that OpenCV has drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/board_detector.h"

namespace vantage {
namespace {

constexpr int kPatternSquare_px = 40;
constexpr double kSquare_m = 0.04;

Board board_of(int squares_across, int squares_down, int first_id = 0) {
  return {.columns = squares_across - 1,
          .rows = squares_down - 1,
          .square_m = kSquare_m,
          .markers = BoardMarkers{"DICT_4X4_250", 0.03, first_id}};
}

// Its top-left square is dark: as `calibrate print` and OpenCV since 4.6 have it.
cv::Mat print_of(const Board& board) {
  const BoardDrawing drawing = draw_board(board, usual_style(board)).value();
  const auto pixels = [](double length_m) {
    return static_cast<int>(std::lround(length_m / kSquare_m * kPatternSquare_px));
  };
  cv::Mat print(pixels(drawing.height_m), pixels(drawing.width_m), CV_8U, cv::Scalar(255));
  for (const BoardRectangle& dark : drawing.dark) {
    const cv::Point from(pixels(dark.left_m), pixels(dark.top_m));
    const cv::Point to(pixels(dark.left_m + dark.width_m), pixels(dark.top_m + dark.height_m));
    print(cv::Rect(from, to)) = 0;
  }
  return print;
}

// Its lowest left square is dark, so that with an even number of rows the top-left one holds a marker: as
// OpenCV before 4.6 has it. A board with a row more, without its first row.
cv::Mat older_print_of(const Board& board) {
  const int across = board.columns + 1, down = board.rows + 1;
  const cv::Mat higher = print_of(board_of(across, down + 1, board.first_id() - across / 2));
  return higher.rowRange(kPatternSquare_px, higher.rows).clone();
}

void expect_found(const cv::Mat& print, const Board& board, const std::string& what) {
  const cv::Matx33d picture_from_print(0.9, 0.12, 60, -0.08, 0.85, 80, 2e-4, 1e-4, 1);
  cv::Mat picture;
  cv::warpPerspective(print, picture, picture_from_print, {640, 480}, cv::INTER_AREA, cv::BORDER_CONSTANT,
                      cv::Scalar(255));
  cv::GaussianBlur(picture, picture, {}, 0.8);
  const auto found = find_board({picture.data, picture.cols, picture.rows, picture.step}, board);
  ASSERT_TRUE(found) << what;
  EXPECT_EQ(static_cast<int>(found->size()), board.corner_count()) << what;
  for (const BoardCorner& corner : *found) {
    const int column = corner.index % board.columns, row = board.rows - 1 - corner.index / board.columns;
    const cv::Vec3d p = picture_from_print * cv::Vec3d((column + 1) * kPatternSquare_px - 0.5,
                                                       (row + 1) * kPatternSquare_px - 0.5, 1);
    EXPECT_NEAR(corner.x_px, p[0] / p[2], 0.3) << what << ' ' << corner.index;
    EXPECT_NEAR(corner.y_px, p[1] / p[2], 0.3) << what << ' ' << corner.index;
  }
}

TEST(MarkerPatterns, AreFoundWithAnyNumberOfRows) {
  for (const auto& [across, down] : {std::pair(7, 5), {7, 6}, {8, 6}, {8, 5}, {4, 6}, {11, 8}}) {
    const std::string size = std::to_string(across) + " x " + std::to_string(down);
    const Board board = board_of(across, down, 20);
    expect_found(print_of(board), board, size);
    expect_found(255 - print_of(board), board, size + ", dark and light exchanged");
    if (down % 2 == 0) expect_found(older_print_of(board), board, size + ", older pattern");
  }
}

}  // namespace
}  // namespace vantage
