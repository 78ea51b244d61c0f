#include "core/metrics/track_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace vantage {
namespace {

using Sums = std::span<const double>;
using Terms = std::vector<double>;
constexpr size_t kHotaAlphas = HotaMetrics::kAlphas;

double quotient(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : std::numeric_limits<double>::quiet_NaN();
}

double first_by_second(Sums s) {
  return quotient(s[0], s[1]);
}

Terms hota_terms(const FrameCounts& c) {
  Terms terms{c.true_rows + c.given_rows};
  terms.insert(terms.end(), c.hota_matched.begin(), c.hota_matched.end());
  terms.insert(terms.end(), c.hota_association.begin(), c.hota_association.end());
  return terms;
}

double hota_of(Sums s) {
  double sum = 0;
  for (size_t a = 0; a < kHotaAlphas; ++a) {
    const double matched = s[1 + a], association = s[1 + kHotaAlphas + a];
    const double detection = quotient(matched, s[0] - matched);
    if (std::isnan(detection)) return detection;
    if (matched > 0) sum += std::sqrt(detection * association / matched);
  }
  return sum / static_cast<double>(kHotaAlphas);
}

constexpr std::array<TrackFigure, 13> kFigures = {{
    {.name = "moda",
     .title = "MODA",
     .meaning = "1 minus missed and false people, as a share of the true ones",
     .terms = [](const FrameCounts& c) { return Terms{2 * c.matched - c.given_rows, c.true_rows}; },
     .of = first_by_second},
    {.name = "modp",
     .title = "MODP",
     .meaning = "mean over frames of how near matched people are, 0 to 1",
     .needs_false = false,
     .terms = [](const FrameCounts& c) { return Terms{c.mean_similarity, c.frames_with_match}; },
     .of = first_by_second},
    {.name = "mota",
     .title = "MOTA",
     .meaning = "MODA minus changes of identity, as a share of the true people",
     .terms =
         [](const FrameCounts& c) { return Terms{2 * c.matched - c.given_rows - c.switches, c.true_rows}; },
     .of = first_by_second},
    {.name = "motp",
     .title = "MOTP",
     .meaning = "mean over matches of how near matched people are, 0 to 1",
     .needs_false = false,
     .terms = [](const FrameCounts& c) { return Terms{c.similarity, c.matched}; },
     .of = first_by_second},
    {.name = "recall",
     .title = "Recall",
     .meaning = "share of the true people that are found",
     .needs_false = false,
     .terms = [](const FrameCounts& c) { return Terms{c.matched, c.true_rows}; },
     .of = first_by_second},
    {.name = "precision",
     .title = "Precision",
     .meaning = "share of the found people that are true",
     .terms = [](const FrameCounts& c) { return Terms{c.matched, c.given_rows}; },
     .of = first_by_second},
    {.name = "idf1",
     .title = "IDF1",
     .meaning = "F1 score of positions with the right ID",
     .terms = [](const FrameCounts& c) { return Terms{2 * c.identity_matched, c.true_rows + c.given_rows}; },
     .of = first_by_second},
    {.name = "idr",
     .title = "IDR",
     .meaning = "share of the true people that are found under the right ID",
     .needs_false = false,
     .terms = [](const FrameCounts& c) { return Terms{c.identity_matched, c.true_rows}; },
     .of = first_by_second},
    {.name = "hota",
     .title = "HOTA",
     .meaning = "higher order tracking accuracy",
     .terms = hota_terms,
     .of = hota_of},
    {.name = "floor_error_m",
     .title = "Floor error",
     .unit = "m",
     .meaning = "mean distance of found from true positions",
     .better = Better::lower,
     .world = true,
     .needs_false = false,
     .terms = [](const FrameCounts& c) { return Terms{c.floor_error_m, c.matched}; },
     .of = first_by_second},
    {.name = "ospa_m",
     .title = "OSPA",
     .unit = "m",
     .meaning = "optimal sub-pattern assignment, mean over frames",
     .better = Better::lower,
     .world = true,
     .terms = [](const FrameCounts& c) { return Terms{c.ospa_m, c.frames}; },
     .of = first_by_second},
    {.name = "gospa_m",
     .title = "GOSPA",
     .unit = "m",
     .meaning = "generalised optimal sub-pattern assignment, mean over frames",
     .better = Better::lower,
     .world = true,
     .terms = [](const FrameCounts& c) { return Terms{c.gospa_m, c.frames}; },
     .of = first_by_second},
    {.name = "switches",
     .title = "ID switches",
     .meaning = "changes of identity along true people",
     .better = Better::lower,
     .needs_false = false,
     .terms = [](const FrameCounts& c) { return Terms{c.switches}; },
     .of = [](Sums s) { return s[0]; }},
}};

StepTerms steps_of(const TrackFigure& figure, const std::vector<FrameCounts>& frames) {
  StepTerms terms;
  for (const FrameCounts& frame : frames) {
    const Terms one = figure.terms(frame);
    terms.width = one.size();
    terms.values.insert(terms.values.end(), one.begin(), one.end());
  }
  return terms;
}

// The counts with the frames that only the others have.
std::vector<FrameCounts> with_frames(const std::vector<FrameCounts>& frames,
                                     const std::vector<FrameCounts>& others) {
  std::map<int64_t, FrameCounts> all;
  for (const FrameCounts& other : others) all[other.frame] = {.frame = other.frame, .frames = 1};
  for (const FrameCounts& one : frames) all[one.frame] = one;
  std::vector<FrameCounts> together;
  for (const auto& [number, counts] : all) together.push_back(counts);
  return together;
}

FigureVerdict verdict_of(const TrackFigure& figure, const FigureInterval& difference) {
  if (!difference.known()) return FigureVerdict::too_short;
  if (difference.from <= 0 && difference.to >= 0) return FigureVerdict::not_told;
  const bool higher = difference.from > 0;
  return higher == (figure.better == Better::higher) ? FigureVerdict::better : FigureVerdict::worse;
}

}  // namespace

std::span<const TrackFigure> track_figures() {
  return kFigures;
}

std::vector<const TrackFigure*> track_figures(TrackSpace space) {
  std::vector<const TrackFigure*> figures;
  for (const TrackFigure& figure : kFigures)
    if (space == TrackSpace::world || !figure.world) figures.push_back(&figure);
  return figures;
}

const TrackFigure* find_track_figure(std::string_view name) {
  const auto found = std::ranges::find(kFigures, name, &TrackFigure::name);
  return found == kFigures.end() ? nullptr : &*found;
}

FigureInterval figure_interval(const TrackFigure& figure, const std::vector<FrameCounts>& frames,
                               const BootstrapOptions& options) {
  FigureInterval interval = bootstrap_interval(steps_of(figure, frames), figure.of, options);
  // All samples are equal, as where no one was missed: the variation is unknown.
  if (!interval.known() || interval.from != interval.to) return interval;
  interval.from = interval.to = std::numeric_limits<double>::quiet_NaN();
  interval.why_unknown = "all frames are alike";
  return interval;
}

std::string_view verdict_text(FigureVerdict verdict) {
  constexpr std::array<std::string_view, 4> kTexts = {"better", "worse", "not told apart",
                                                      "too short to tell"};
  return kTexts[static_cast<size_t>(verdict)];
}

std::vector<ComparedFigure> compare_figures(const std::vector<FrameCounts>& first,
                                            const std::vector<FrameCounts>& second, TrackSpace space,
                                            const BootstrapOptions& options) {
  const std::vector<FrameCounts> a = with_frames(first, second), b = with_frames(second, first);
  std::vector<ComparedFigure> compared;
  for (const TrackFigure* figure : track_figures(space)) {
    const StepTerms of_a = steps_of(*figure, a), of_b = steps_of(*figure, b);
    StepTerms both{of_a.width + of_b.width, {}};
    for (size_t t = 0; t < of_a.steps(); ++t)
      for (const StepTerms* terms : {&of_a, &of_b})
        both.values.insert(both.values.end(),
                           terms->values.begin() + static_cast<std::ptrdiff_t>(t * terms->width),
                           terms->values.begin() + static_cast<std::ptrdiff_t>((t + 1) * terms->width));
    const auto difference = [figure, width = of_a.width](Sums sums) {
      return figure->of(sums.subspan(width)) - figure->of(sums.first(width));
    };
    ComparedFigure& one = compared.emplace_back();
    one.figure = figure;
    one.first = figure->value(sum_of(a)), one.second = figure->value(sum_of(b));
    one.difference = bootstrap_interval(both, difference, options);
    one.verdict = verdict_of(*figure, one.difference);
  }
  return compared;
}

}  // namespace vantage
