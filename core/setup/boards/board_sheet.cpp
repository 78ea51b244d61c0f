#include "core/setup/boards/board_sheet.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/display/canvas.h"
#include "core/setup/boards/project_boards.h"

namespace vantage {
namespace {

constexpr double kPixelsPer_mm = 96 / 25.4;
constexpr MarkColor kDark = {0, 0, 0};
constexpr double kEdge_mm = 5;   // where printers print nothing
constexpr double kFoot_mm = 17;  // ruler and text
constexpr double kRuler_mm = 100;
constexpr double kMinWidth_mm = 120;  // of a page, for ruler and text

struct NamedPaper {
  std::string_view name;
  Paper paper;
};
constexpr std::array kPapers = {NamedPaper{"a0", {841, 1189}},        NamedPaper{"a1", {594, 841}},
                                NamedPaper{"a2", {420, 594}},         NamedPaper{"a3", {297, 420}},
                                NamedPaper{"a4", {210, 297}},         NamedPaper{"a5", {148, 210}},
                                NamedPaper{"letter", {215.9, 279.4}}, NamedPaper{"legal", {215.9, 355.6}},
                                NamedPaper{"tabloid", {279.4, 431.8}}};

// The white about the board: as wide as a bit of its markers at least, and half a square.
double margin_mm(const Board& board) {
  return 1000 * (board.tags ? board.tags->side_m / 6 : board.square_m / 2);
}

class Sheet {
 public:
  Sheet(Canvas* pages, const Paper& page) : pages_(pages), page_(page) {}

  void draw_board(const BoardDrawing& drawing) {
    const double left_mm = (page_.width_mm - 1000 * drawing.width_m) / 2;
    const double top_mm = (page_.height_mm - kFoot_mm - 1000 * drawing.height_m) / 2;
    std::vector<Outline> outlines;
    for (const BoardRectangle& dark : drawing.dark) {
      const double x = left_mm + 1000 * dark.left_m, y = top_mm + 1000 * dark.top_m;
      outlines.push_back(box(x, y, x + 1000 * dark.width_m, y + 1000 * dark.height_m));
    }
    pages_->fill(outlines, kDark);
  }

  void draw_foot(const Board& first, int count, int number) {
    const double left_mm = (page_.width_mm - kRuler_mm) / 2, low_mm = page_.height_mm - kEdge_mm - 6.5;
    constexpr double kLine_mm = 0.2;
    std::vector<Outline> lines = {box(left_mm, low_mm - kLine_mm, left_mm + kRuler_mm, low_mm)};
    for (int tick = 0; tick <= 10; ++tick) {
      const double x = left_mm + tick * kRuler_mm / 10, high = tick % 5 == 0 ? 4 : 2.5;
      // Ticks mark lengths by their middles.
      lines.push_back(box(x - kLine_mm / 2, low_mm - high, x + kLine_mm / 2, low_mm));
    }
    pages_->fill(lines, kDark);
    const int markers = first.marker_count(), lowest = first.first_id() + number * markers;
    text((count == 1 ? std::string()
                     : fmt::format("board {} of {}, identities {} to {}; ", number + 1, count, lowest,
                                   lowest + markers - 1)) +
             "100 mm: print at 100 %, not fitted to the page, and measure",
         low_mm + 3, 2.6);
    text("vantage-cli calibrate boards CAMERA ... " + board_options_text(first, count), low_mm + 6.5, 2.6);
  }

 private:
  static Outline box(double left_mm, double top_mm, double right_mm, double bottom_mm) {
    return rectangle(left_mm * kPixelsPer_mm, top_mm * kPixelsPer_mm, right_mm * kPixelsPer_mm,
                     bottom_mm * kPixelsPer_mm);
  }

  // In the middle of the page, smaller where it would not fit.
  void text(const std::string& words, double y_mm, double size_mm) {
    double size = size_mm * kPixelsPer_mm;
    const double room = (page_.width_mm - 2 * kEdge_mm) * kPixelsPer_mm;
    size *= std::min(1.0, room / pages_->text_width(words, size));
    const double left = (page_.width_mm * kPixelsPer_mm - pages_->text_width(words, size)) / 2;
    pages_->text(words, left, y_mm * kPixelsPer_mm, size, kDark);
  }

  Canvas* pages_;
  Paper page_;
};

// The paper upright or on its side, as the board needs it.
Result<Paper> page_for(const Board& board, const BoardDrawing& drawing, const Paper& paper) {
  const double around_mm = 2 * std::max(kEdge_mm, margin_mm(board));
  const double width_mm = 1000 * drawing.width_m + around_mm;
  const double height_mm = 1000 * drawing.height_m + around_mm + kFoot_mm;
  for (const Paper& page : {paper, Paper{paper.height_mm, paper.width_mm}})
    if (page.width_mm >= std::max(width_mm, kMinWidth_mm) && page.height_mm >= height_mm) return page;
  return fail(
      ErrorKind::invalid_argument,
      fmt::format(
          "the board takes {:.0f} x {:.0f} mm with its margin and a ruler, the paper has {:.0f} x {:.0f} mm",
          std::max(width_mm, kMinWidth_mm), height_mm, paper.width_mm, paper.height_mm),
      "paper", "Take larger paper, such as A2 or 900x650mm, or smaller or fewer squares or tags.");
}

}  // namespace

Result<Paper> paper_named(const std::string& name) {
  const std::string lower = lower_case(name);
  for (const NamedPaper& known : kPapers)
    if (known.name == lower) return known.paper;
  Paper paper;
  int read = 0;
  constexpr double kMax_mm = 5000;  // PDF's own limit is 200 inches
  if (std::sscanf(lower.c_str(), "%lfx%lfmm%n", &paper.width_mm, &paper.height_mm, &read) == 2 &&
      read == static_cast<int>(lower.size()) && paper.width_mm > 0 && paper.height_mm > 0 &&
      paper.width_mm <= kMax_mm && paper.height_mm <= kMax_mm)
    return paper;
  return fail(ErrorKind::invalid_argument, "'" + name + "' is not a size of paper", "paper",
              "Known are A0 to A5, letter, legal, tabloid, and sizes such as 900x650mm, up to 5000 mm.");
}

Result<std::string> board_sheet_pdf(const Board& board, TagStyle style, const Paper& paper) {
  return board_sheets_pdf(board, 1, style, paper);
}

Result<std::string> board_sheets_pdf(const Board& first, int count, TagStyle style, const Paper& paper) {
  const std::vector<Board> boards = boards_alike(first, count);
  VANTAGE_TRY(check_boards(boards));
  VANTAGE_ASSIGN(const BoardDrawing drawing, draw_board(first, style));
  VANTAGE_ASSIGN(const Paper page, page_for(first, drawing, paper));
  VANTAGE_ASSIGN(Canvas pages, Canvas::pdf(page.width_mm * kPixelsPer_mm, page.height_mm * kPixelsPer_mm,
                                           board_text(first)));
  Sheet sheet(&pages, page);
  for (int number = 0; number < count; ++number) {
    if (number > 0) pages.next_page();
    VANTAGE_ASSIGN(const BoardDrawing one, draw_board(boards[number], style));
    sheet.draw_board(one);
    sheet.draw_foot(first, count, number);
  }
  return pages.finish();
}

Result<std::string> fitting_paper(const Board& board, TagStyle style,
                                  const std::vector<std::string>& papers) {
  VANTAGE_ASSIGN(const BoardDrawing drawing, draw_board(board, style));
  Result<std::string> found = std::string();
  for (const std::string& name : papers) {
    VANTAGE_ASSIGN(const Paper paper, paper_named(name));
    const Result<Paper> page = page_for(board, drawing, paper);
    if (page) return name;
    found = fail(page.error());
  }
  return found;
}

}  // namespace vantage
