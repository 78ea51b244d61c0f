// A figure of two sets of parameters, A and B: what only A finds blue, only B orange, both grey; letters
// next to the labels say it, too.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/export/figure/detail/figure_drawing.h"
#include "core/run/analysis.h"

namespace vantage::figure_detail {

inline constexpr MarkColor kOnlyFirst = {0x56, 0xb4, 0xe9}, kOnlySecond = {0xe6, 0x9f, 0x00},
                           kBothSides = {0xb0, 0xb3, 0xb6};

// The chain with B's parameters.
class SecondChain {
 public:
  // `project`: with these parameters; `results`: of a run with them, maybe. Errors: those of
  // Analysis::open().
  static Result<std::unique_ptr<SecondChain>> open(Project project, const FigureOptions& options,
                                                   const std::filesystem::path& results, FrameRange frames,
                                                   const FrameEffort& effort);
  // Frames ascend. The picture is left to A's. Errors: those of Pipeline::frame().
  Result<FigureFrame> frame(int64_t frame, size_t camera);
  const Project& project() const { return project_; }
  bool ids_of_results() const { return !people_ || people_->from_results(); }

 private:
  SecondChain(Project project, const FigureOptions& options)
      : project_(std::move(project)), options_(options) {}

  const Project project_;
  const FigureOptions& options_;
  std::unique_ptr<Analysis> analysis_;
  FrameEffort effort_;
  std::optional<FigurePeople> people_;
  int64_t next_ = 0;
};

// In one frame. Shares: of the pixels of the picture; nothing: masks are not compared.
struct FigureDisagreement {
  int64_t only_first = 0, only_second = 0, apart = 0;
  std::optional<std::array<double, 2>> only_masked;  // A's alone, B's alone
};
// "People: 1 only A, 0 only B, 2 apart.", "Foreground: 1.20 % of the pixels only A, 0.40 % only B.": a line
// for each that the view shows, short enough for the narrowest figure.
std::vector<std::string> disagreement_lines(const FigureDisagreement& disagreement, const FigureView& view);

// Colours and labels the people of both by whose they are. Both have one size of masks, if any.
FigureDisagreement mark_disagreement(FigureFrame* first, FigureFrame* second);
// Both in one: A's picture and people, B's who differ, and both masks.
FigureFrame joined(const FigureFrame& first, const FigureFrame& second);

// A's and B's half of the view, A's left.
std::array<PixelArea, 2> halves(const PixelArea& view);
// "A: the project" in the upper left corner.
void draw_side_name(Canvas& canvas, const PixelArea& area, const std::string& name, int text_px);

}  // namespace vantage::figure_detail
