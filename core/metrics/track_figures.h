// Figures that compare tracks with ground truth, for any part of a recording, with their intervals
// (block_bootstrap.h), and comparisons of two results over the same frames.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/metrics/block_bootstrap.h"
#include "core/metrics/frame_counts.h"

namespace vantage {

enum class Better : int8_t { lower = -1, neither = 0, higher = 1 };

struct TrackFigure {
  std::string_view name;       // "idf1", as in JSON
  std::string_view title;      // "IDF1"
  std::string_view unit = {};  // "m"; empty: none
  std::string_view meaning = {};
  Better better = Better::higher;
  bool world = false;       // defined only on the floor
  bool needs_false = true;  // undefined for one true person, for whom no found person is false
  // Terms of a frame in the sums, and the figure of these; NaN: there is nothing to divide by.
  std::vector<double> (*terms)(const FrameCounts& counts) = nullptr;
  double (*of)(std::span<const double> sums) = nullptr;

  double value(const FrameCounts& sum) const { return of(terms(sum)); }
};
// moda, modp, mota, motp, recall, precision, idf1, idr, hota, floor_error_m, ospa_m, gospa_m, switches.
std::span<const TrackFigure> track_figures();
// Figures that mean something there.
std::vector<const TrackFigure*> track_figures(TrackSpace space);
const TrackFigure* find_track_figure(std::string_view name);  // null: there is none

// Steps are the compared frames. IDF1, IDR and HOTA are resampled under the assignments of the whole
// recording. Also unknown where all frames are equal, for instance where no one is missed.
FigureInterval figure_interval(const TrackFigure& figure, const std::vector<FrameCounts>& frames,
                               const BootstrapOptions& options = {});

enum class FigureVerdict : uint8_t {
  better,  // B, by more than chance in these frames
  worse,
  not_told,  // the interval of the difference holds 0
  too_short  // there is no interval
};
std::string_view verdict_text(
    FigureVerdict verdict);  // "better", "worse", "not told apart", "too short to tell"

// B against A in the frames of both: the same blocks are drawn of both.
struct ComparedFigure {
  const TrackFigure* figure = nullptr;
  double first = 0, second = 0;  // NaN: unknown
  FigureInterval difference;     // second minus first
  FigureVerdict verdict = FigureVerdict::too_short;
};
// Frames that only one result has people in are frames without people in the other. `space`: of both.
std::vector<ComparedFigure> compare_figures(const std::vector<FrameCounts>& first,
                                            const std::vector<FrameCounts>& second, TrackSpace space,
                                            const BootstrapOptions& options = {});

}  // namespace vantage
