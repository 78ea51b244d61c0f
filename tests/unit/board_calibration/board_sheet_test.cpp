// Boards printed as PDF: the page's own vectors are painted to pixels, and the board is found in them at its
// true size.
#include "core/setup/boards/board_sheet.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "core/calibration/solve/board_detector.h"
#include "core/setup/boards/project_boards.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

constexpr double kPixelsPer_mm = 5;
constexpr double kMillimetresPerPoint = 25.4 / 72;

struct Rectangle {
  double left_mm, top_mm, right_mm, bottom_mm;
};

struct Page {
  double width_mm = 0, height_mm = 0;
  std::vector<Rectangle> dark;
};

std::string inflated(const std::string& packed) {
  std::string text(64 * packed.size() + 4096, '\0');
  uLongf size = text.size();
  const int code = uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                              reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  text.resize(code == Z_OK ? size : 0);
  return text;
}

// The rectangles of a page's drawing operators: paths of straight lines under a scale and a shift.
std::vector<Rectangle> rectangles_of(const std::string& operators, double height_pt) {
  std::vector<Rectangle> found, path;
  std::vector<double> numbers;
  struct Scale {
    double x = 1, y = 1, dx = 0, dy = 0;
  } now;
  std::vector<Scale> kept;
  bool fresh = true;
  const auto add = [&](double x, double y) {
    const double at_x = kMillimetresPerPoint * (now.x * x + now.dx);
    const double at_y = kMillimetresPerPoint * (height_pt - (now.y * y + now.dy));
    if (fresh) path.push_back({at_x, at_y, at_x, at_y});
    fresh = false;
    Rectangle& last = path.back();
    last.left_mm = std::min(last.left_mm, at_x), last.right_mm = std::max(last.right_mm, at_x);
    last.top_mm = std::min(last.top_mm, at_y), last.bottom_mm = std::max(last.bottom_mm, at_y);
  };
  std::istringstream words(operators);
  for (std::string word; words >> word;) {
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    if (end != word.c_str() && *end == '\0') {
      numbers.push_back(number);
      continue;
    }
    const size_t n = numbers.size();
    if (word == "q") kept.push_back(now);
    if (word == "Q" && !kept.empty()) now = kept.back(), kept.pop_back();
    if (word == "cm" && n >= 6) {
      EXPECT_EQ(numbers[n - 5], 0) << "pages are not turned";
      now = {now.x * numbers[n - 6], now.y * numbers[n - 3], now.x * numbers[n - 2] + now.dx,
             now.y * numbers[n - 1] + now.dy};
    }
    if (word == "m" && n >= 2) fresh = true, add(numbers[n - 2], numbers[n - 1]);
    if (word == "l" && n >= 2) add(numbers[n - 2], numbers[n - 1]);
    if (word == "re" && n >= 4) {
      fresh = true;
      add(numbers[n - 4], numbers[n - 3]);
      add(numbers[n - 4] + numbers[n - 2], numbers[n - 3] + numbers[n - 1]);
    }
    if (word == "f" || word == "f*") found.insert(found.end(), path.begin(), path.end());
    if (word == "f" || word == "f*" || word == "n" || word == "W") path.clear();
    numbers.clear();
  }
  return found;
}

Page page_of(const std::string& pdf) {
  Page page;
  const size_t box = pdf.find("/MediaBox [");
  double width_pt = 0, height_pt = 0;
  if (box == std::string::npos ||
      std::sscanf(pdf.c_str() + box, "/MediaBox [ 0 0 %lf %lf", &width_pt, &height_pt) != 2)
    return page;
  page.width_mm = kMillimetresPerPoint * width_pt, page.height_mm = kMillimetresPerPoint * height_pt;
  for (size_t at = pdf.find("stream\n"); at != std::string::npos; at = pdf.find("stream\n", at + 7)) {
    if (at >= 3 && pdf.compare(at - 3, 3, "end") == 0) continue;
    const size_t end = pdf.find("endstream", at);
    std::vector<Rectangle> found = rectangles_of(inflated(pdf.substr(at + 7, end - at - 7)), height_pt);
    if (found.size() > page.dark.size()) page.dark = std::move(found);
  }
  return page;
}

std::vector<uint8_t> painted(const Page& page, int width, int height) {
  std::vector<double> light(static_cast<size_t>(width) * static_cast<size_t>(height), 1);
  for (const Rectangle& dark : page.dark) {
    const double left = kPixelsPer_mm * dark.left_mm, right = kPixelsPer_mm * dark.right_mm;
    const double top = kPixelsPer_mm * dark.top_mm, bottom = kPixelsPer_mm * dark.bottom_mm;
    for (int y = std::max(0, static_cast<int>(top)); y < std::min<double>(height, bottom); ++y)
      for (int x = std::max(0, static_cast<int>(left)); x < std::min<double>(width, right); ++x)
        light[y * width + x] -= (std::min<double>(right, x + 1) - std::max<double>(left, x)) *
                                (std::min<double>(bottom, y + 1) - std::max<double>(top, y));
  }
  std::vector<uint8_t> pixels;
  for (const double share : light)
    pixels.push_back(static_cast<uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0))));
  return pixels;
}

// All sides between neighbouring corners against what the board says.
void expect_true_size(const Board& board, const std::vector<BoardCorner>& corners) {
  std::map<int, BoardCorner> by_index;
  for (const BoardCorner& corner : corners) by_index[corner.index] = corner;
  for (const auto& [index, a] : by_index)
    for (const int other : {index + 1, index + board.columns}) {
      const auto b = by_index.find(other);
      if (b == by_index.end() || (other == index + 1 && other % board.columns == 0)) continue;
      const double true_mm =
          1000 * std::hypot(board.x_m(other) - board.x_m(index), board.y_m(other) - board.y_m(index));
      const double mm = std::hypot(a.x_px - b->second.x_px, a.y_px - b->second.y_px) / kPixelsPer_mm;
      EXPECT_NEAR(mm, true_mm, 0.05) << index << " to " << other;
    }
}

void expect_found_on_its_page(const Board& board, TagStyle style, const std::string& paper) {
  SCOPED_TRACE(board_text(board) + " on " + paper);
  const auto pdf = board_sheet_pdf(board, style, paper_named(paper).value());
  ASSERT_TRUE(pdf) << pdf.error().message();
  const Page page = page_of(*pdf);
  const int width = static_cast<int>(std::lround(kPixelsPer_mm * page.width_mm));
  const int height = static_cast<int>(std::lround(kPixelsPer_mm * page.height_mm));
  ASSERT_GT(width, 500);
  const std::vector<uint8_t> pixels = painted(page, width, height);
  const auto found = find_board({pixels.data(), width, height, static_cast<size_t>(width)}, board);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), static_cast<size_t>(board.corner_count()));
  expect_true_size(board, *found);
  const auto is_ruler = [](const Rectangle& one) {
    return std::abs(one.right_mm - one.left_mm - 100) < 0.01 && one.bottom_mm - one.top_mm < 1;
  };
  EXPECT_EQ(std::count_if(page.dark.begin(), page.dark.end(), is_ruler), 1);
}

const Board kChessboard{9, 6, 0.025};
const Board kCharuco{
    .columns = 6, .rows = 4, .square_m = 0.03, .markers = BoardMarkers{"DICT_4X4_50", 0.022}};
const Board kTags = grid_of_tags(5, 4, {"DICT_APRILTAG_36h11", 0.03, 0.009, 3});

TEST(BoardSheet, EveryKindIsFoundAtItsTrueSize) {
  expect_found_on_its_page(kChessboard, TagStyle::opencv, "A3");
  expect_found_on_its_page({7, 4, 0.02}, TagStyle::opencv, "letter");
  expect_found_on_its_page(kCharuco, TagStyle::opencv, "A4");
  Board even = kCharuco;
  even.columns = 5, even.rows = 5;
  expect_found_on_its_page(even, TagStyle::opencv, "A3");
  expect_found_on_its_page(kTags, TagStyle::kalibr, "A4");
  expect_found_on_its_page(kTags, TagStyle::opencv, "230x260mm");
  expect_found_on_its_page(grid_of_tags(3, 4, {"DICT_4X4_50", 0.04, 0.02}), TagStyle::opencv, "A3");
}

TEST(BoardSheet, ThePageIsThePaperUprightOrOnItsSide) {
  const Page lying =
      page_of(board_sheet_pdf({10, 6, 0.025}, TagStyle::opencv, paper_named("a3").value()).value());
  EXPECT_NEAR(lying.width_mm, 420, 0.01);
  EXPECT_NEAR(lying.height_mm, 297, 0.01);
  const Page upright =
      page_of(board_sheet_pdf({4, 6, 0.025}, TagStyle::opencv, paper_named("A4").value()).value());
  EXPECT_NEAR(upright.width_mm, 210, 0.01);
  EXPECT_EQ(fitting_paper(kChessboard, TagStyle::opencv, {"A4", "A3", "A2"}).value(), "A3");
}

TEST(BoardSheet, WhatDoesNotFitIsRefusedWithItsSize) {
  const auto pdf = board_sheet_pdf({9, 6, 0.08}, TagStyle::opencv, paper_named("A4").value());
  ASSERT_FALSE(pdf);
  EXPECT_NE(pdf.error().message().find("880 x 657 mm"), std::string::npos) << pdf.error().message();
  const Board many{.columns = 12, .rows = 9, .square_m = 0.02, .markers = BoardMarkers{"DICT_4X4_50", 0.015}};
  EXPECT_FALSE(board_sheet_pdf(many, TagStyle::opencv, paper_named("A2").value()));
  for (const char* name : {"A9", "", "300x", "300x200", "0x100mm", "-5x100mm", "300x200mm "})
    EXPECT_FALSE(paper_named(name)) << name;
  EXPECT_NEAR(paper_named("Letter").value().width_mm, 215.9, 1e-9);
}

TEST(BoardFile, KalibrsTargets) {
  const test::TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    const std::filesystem::path file = folder.path() / "target.yaml";
    std::ofstream(file) << text;
    return read_board(file);
  };
  const auto tags = read(
      "target_type: 'aprilgrid' #gridtype\ntagCols: 6               #number of apriltags\ntagRows: 5\n"
      "tagSize: 0.088           #size of apriltag, edge to edge [m]\ntagSpacing: 0.3\n");
  ASSERT_TRUE(tags) << tags.error().message();
  EXPECT_EQ(board_options_text(*tags),
            "--columns 6 --rows 5 --tags DICT_APRILTAG_36h11 --tag 0.088 --tag-gap 0.0264");
  EXPECT_NEAR(tags->x_m(2), 0.088 + 0.0264, 1e-12);
  const auto squares = read(
      "target_type: 'checkerboard'\ntargetCols: 6\ntargetRows: 7\nrowSpacingMeters: 0.06\n"
      "colSpacingMeters: 0.06\n");
  ASSERT_TRUE(squares) << squares.error().message();
  EXPECT_EQ(board_options_text(*squares), "--columns 6 --rows 7 --square 0.06");
  for (const char* wrong :
       {"", "target_type: 'circlegrid'\n", "tagCols: 6\n", "target_type: 'aprilgrid'\ntagCols: 6\n", "[1, 2]",
        "target_type: 'checkerboard'\ntargetCols: 6\ntargetRows: 7\nrowSpacingMeters: 0.06\n"
        "colSpacingMeters: 0.05\n"})
    EXPECT_FALSE(read(wrong)) << wrong;
  EXPECT_FALSE(read_board(folder.path() / "none.yaml"));
  EXPECT_EQ(board_options_text(kCharuco),
            "--columns 6 --rows 4 --square 0.03 --markers DICT_4X4_50 --marker 0.022");
}

TEST(BoardFile, CaliscopesBoards) {
  const test::TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    const std::filesystem::path file = folder.path() / "charuco.toml";
    std::ofstream(file) << text;
    return read_board(file);
  };
  const std::string kind = "columns = 4\nrows = 5\ndictionary = \"DICT_4X4_1000\"\naruco_scale = 0.75\n";
  const std::string paper = "board_height = 11.0\nboard_width = 8.5\nunits = \"inch\"\n";
  const char* measured = "--columns 3 --rows 4 --square 0.054 --markers DICT_4X4_1000 --marker 0.0405";
  for (const std::string& text : {kind + paper + "square_size_override_cm = 5.4\ninverted = true\n",
                                  kind + paper + "square_size_overide_cm = 5.4\n",
                                  "[charuco]\n" + kind + paper + "square_size_override_cm = 5.4\n"}) {
    const auto board = read(text);
    ASSERT_TRUE(board) << board.error().message();
    EXPECT_EQ(board_options_text(*board), measured);
  }
  const auto drawn = read(kind + paper);
  ASSERT_TRUE(drawn) << drawn.error().message();
  EXPECT_NEAR(drawn->square_m, 8.5 * 0.0254 / 4, 1e-12);
  const auto metric = read(kind + "board_height = 20\nboard_width = 30\nunits = \"cm\"\n");
  ASSERT_TRUE(metric) << metric.error().message();
  EXPECT_NEAR(metric->square_m, 0.04, 1e-12);
  for (const std::string& wrong :
       {std::string(), kind, paper, kind + "units = \"cm\"\n", std::string("columns = [\n"),
        kind + "square_size_override_cm = -5\n", "columns = 4\nrows = -5\n" + paper,
        std::string(
            "columns = 4\nrows = 5\ndictionary = \"DICT_4X4_1000\"\nsquare_size_override_cm = 5.4\n")})
    EXPECT_FALSE(read(wrong)) << wrong;
}

}  // namespace
}  // namespace vantage
