#include "core/export/figure/detail/compared_figure.h"

#include <fmt/core.h>
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/results/compare_results.h"

namespace vantage::figure_detail {
namespace {

constexpr int kBetween_px = 2;  // between the halves

// People with their indices in the list as IDs.
std::vector<FloorPerson> numbered(const std::vector<FigurePerson>& people) {
  std::vector<FloorPerson> numbered;
  for (size_t i = 0; i < people.size(); ++i)
    numbered.push_back({.id = static_cast<int64_t>(i),
                        .x_m = people[i].x_m,
                        .y_m = people[i].y_m,
                        .height_m = people[i].height_m});
  return numbered;
}

void mark(FigurePerson* person, bool differs, const MarkColor& color, const char* side) {
  person->color = differs ? color : kBothSides;
  person->differs = differs;
  if (differs) person->label = std::string(side) + ' ' + person->label;
}

std::optional<std::array<double, 2>> compare_masks(const Image& first, const Image& second) {
  if (!first || !second || first.width() != second.width() || first.height() != second.height())
    return std::nullopt;
  const ImageView<const uint8_t> a = first.view<uint8_t>(), b = second.view<uint8_t>();
  int64_t only_first = 0, only_second = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      only_first += a.at(x, y) != 0 && b.at(x, y) == 0;
      only_second += a.at(x, y) == 0 && b.at(x, y) != 0;
    }
  const double pixels = std::max(1.0, static_cast<double>(a.width) * a.height);
  return std::array{static_cast<double>(only_first) / pixels, static_cast<double>(only_second) / pixels};
}

}  // namespace

Result<std::unique_ptr<SecondChain>> SecondChain::open(Project project, const FigureOptions& options,
                                                       const std::filesystem::path& results,
                                                       FrameRange frames, const FrameEffort& effort) {
  std::unique_ptr<SecondChain> second(new SecondChain(std::move(project), options));
  AnalysisOptions analysis;
  analysis.backends = options.backends;
  analysis.hardware = options.hardware;
  analysis.stop = options.stop;
  analysis.pipeline.cache_bytes = 0;
  VANTAGE_ASSIGN(second->analysis_, Analysis::open(second->project_, analysis));
  second->effort_ = effort;
  second->next_ = frames.begin;
  const std::set<FigureOverlay>& overlays = options.view.overlays;
  if (!overlays.contains(FigureOverlay::people) && !overlays.contains(FigureOverlay::trails)) return second;
  second->people_.emplace(second->project_, results, frames,
                          second->analysis_->pipeline().version(kTrackingStage),
                          second->analysis_->source().frame_rate());
  if (overlays.contains(FigureOverlay::trails))
    second->next_ = std::max<int64_t>(0, frames.begin - second->people_->frames_before());
  return second;
}

Result<FigureFrame> SecondChain::frame(int64_t frame, size_t camera) {
  FigureFrame figure;
  for (; next_ <= frame; ++next_) {
    if (options_.stop.stop_requested())
      return fail(ErrorKind::cancelled, "the export was stopped; nothing was kept");
    VANTAGE_ASSIGN(figure.result, analysis_->pipeline().frame(next_, effort_, options_.stop));
    if (people_) people_->add(*figure.result);
  }
  if (people_) {
    figure.people = people_->people(*figure.result);
    figure.trails = people_->trails(*figure.result);
  }
  const ForegroundArtifact* foreground = figure.result->foreground();
  if (!options_.view.overlays.contains(FigureOverlay::mask) || !foreground) return figure;
  VANTAGE_ASSIGN(const std::vector<Image> masks, foreground->host_masks.get());
  if (camera < masks.size()) figure.mask = masks[camera];
  return figure;
}

std::vector<std::string> disagreement_lines(const FigureDisagreement& found, const FigureView& view) {
  std::vector<std::string> lines;
  if (view.overlays.contains(FigureOverlay::people))
    lines.push_back(fmt::format("People: {} only A, {} only B, {} apart.", found.only_first,
                                found.only_second, found.apart));
  if (!view.overlays.contains(FigureOverlay::mask)) return lines;
  lines.emplace_back("Foreground: not known.");
  if (found.only_masked)
    lines.back() = fmt::format("Foreground: {:.2f}\u00a0% only A, {:.2f}\u00a0% only B.",
                               100 * (*found.only_masked)[0], 100 * (*found.only_masked)[1]);
  return lines;
}

FigureDisagreement mark_disagreement(FigureFrame* first, FigureFrame* second) {
  FigureDisagreement found;
  for (const PersonOfTwo& one : compare_people(numbered(first->people), numbered(second->people), {})) {
    found.only_first += one.differs && !one.second;
    found.only_second += one.differs && !one.first;
    found.apart += one.differs && one.first && one.second;
    if (one.first) mark(&first->people[one.first->id], one.differs, kOnlyFirst, "A");
    if (one.second) mark(&second->people[one.second->id], one.differs, kOnlySecond, "B");
  }
  found.only_masked = compare_masks(first->mask, second->mask);
  return found;
}

FigureFrame joined(const FigureFrame& first, const FigureFrame& second) {
  FigureFrame both = first;
  both.other_mask = second.mask;
  std::ranges::copy_if(second.people, std::back_inserter(both.people), &FigurePerson::differs);
  // On top.
  std::ranges::stable_sort(both.people, {}, &FigurePerson::differs);
  return both;
}

std::array<PixelArea, 2> halves(const PixelArea& view) {
  const int middle = view.left + view.width() / 2;
  return {PixelArea{view.left, view.top, middle - kBetween_px, view.bottom},
          PixelArea{middle + kBetween_px, view.top, view.right - view.width() % 2, view.bottom}};
}

void draw_side_name(Canvas& canvas, const PixelArea& area, const std::string& name, int text_px) {
  canvas.label(name, area.left + text_px / 2, area.top + text_px / 2, text_px);
}

}  // namespace vantage::figure_detail
