#include "core/heads/heads.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/heads/head_window.h"
#include "core/heads/heads_parameters.h"

namespace vantage {

NmsOptions head_suppression(const HeadParameters& parameters) {
  NmsOptions options;
  options.rule.threshold = static_cast<float>(parameters.overlap);
  return options;
}

namespace {

// Suppresses boxes that share more than half of the smaller one with a better one; boxes come the best first.
void drop_parts(std::vector<Detection>* boxes) {
  NmsRule rule;
  rule.overlap = NmsOverlap::smaller;
  rule.threshold = 0.5f;
  std::vector<Detection> kept;
  for (const Detection& box : *boxes) {
    const nms::Corners corners = nms::corners_of(box);
    const bool part = std::any_of(kept.begin(), kept.end(), [&](const Detection& better) {
      const nms::Corners other = nms::corners_of(better);
      return nms::overlaps(rule, other, nms::area_of(other, 0), corners, nms::area_of(corners, 0));
    });
    if (!part) kept.push_back(box);
  }
  *boxes = std::move(kept);
}

bool looks_for_faint(const HeadSearch& search, const HeadParameters& parameters) {
  return parameters.guided && search.camera.has_value();
}

// Windows in the order of their keys.
struct Windows {
  std::vector<uint32_t> keys;
  std::vector<Detection> boxes;  // in the picture that is searched
  std::vector<int32_t> excess;   // what each says
};

Windows windows_of(std::vector<HeadHit> hits, const HeadSearch& search, int32_t from) {
  std::sort(hits.begin(), hits.end(), [](const HeadHit& a, const HeadHit& b) { return a.key < b.key; });
  Windows windows;
  for (const HeadHit& hit : hits) {
    const HeadLevel& level = search.levels[hit.key >> 26];
    windows.keys.push_back(hit.key);
    windows.boxes.push_back(heads::detection_of(hit.key, static_cast<float>(level.scale)));
    windows.excess.push_back(heads::excess_of(hit.score, from, level.window_step));
  }
  return windows;
}

// The windows of a level that may speak together with a window: boxes that share more than half of their
// union begin less than a height apart.
template <typename Function>
void for_each_near(const Windows& windows, const HeadSearch& search, size_t window, size_t level,
                   const Function& function) {
  const double scale = search.levels[level].scale;
  const double reach = kHeadHeight * std::max(scale, search.levels[windows.keys[window] >> 26].scale);
  const auto row_at = [&](double y) {
    return static_cast<int>(std::clamp(y / scale - kHeadTop, 0.0, double{kMaxHeadPictureSide}));
  };
  const int first = row_at(windows.boxes[window].y - reach), last = row_at(windows.boxes[window].y + reach);
  const auto begin = windows.keys.begin();
  const auto key = [&](int x, int y) { return heads::key_of(static_cast<int>(level), x, y); };
  const auto from = std::lower_bound(begin, windows.keys.end(), key(0, first));
  const auto end = std::upper_bound(from, windows.keys.end(), key(kMaxHeadPictureSide, last));
  for (auto i = from; i != end; ++i) function(static_cast<size_t>(i - begin));
}

// The boxes with what is said together for each as their scores.
std::vector<Detection> boxes_with_scores(const Windows& windows, const HeadSearch& search, float score_unit) {
  std::vector<Detection> boxes = windows.boxes;
  tbb::parallel_for(size_t{0}, boxes.size(), [&](size_t i) {
    // Nor is one of twice the other's area.
    constexpr size_t kLevels = kHeadLevelsPerOctave / 2;
    const size_t level = windows.keys[i] >> 26;
    int32_t sum = 0;
    for (size_t l = level - std::min(level, kLevels); l < std::min(level + kLevels + 1, search.levels.size());
         ++l)
      for_each_near(windows, search, i, l, [&](size_t j) {
        if (heads::windows_overlap(windows.boxes[i], windows.boxes[j])) sum += windows.excess[j];
      });
    boxes[i].score = heads::final_score(sum, score_unit);
  });
  return boxes;
}

// The kept boxes that score at least `min`, in the camera's picture, weighed by their size.
std::vector<Detection> boxes_from(float min, const Detection* boxes, const int32_t* kept, int32_t count,
                                  const HeadSearch& search, const HeadParameters& parameters) {
  std::vector<Detection> found;
  for (int32_t i = 0; i < count; ++i) {
    std::optional<Detection> box = box_in_picture(search, boxes[kept[i]]);
    if (!box) continue;
    box->score *= static_cast<float>(likelihood_of_size(search, parameters, *box));
    if (box->score >= min) found.push_back(*box);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Detection& a, const Detection& b) { return a.score > b.score; });
  drop_parts(&found);
  return found;
}

}  // namespace

int32_t faint_windows_from(const HeadModel& model, const HeadParameters& parameters) {
  return std::min(model.accept_from, static_cast<int32_t>(std::lround(parameters.faint * model.accept_from)));
}

int32_t windows_from(const HeadSearch& search, const HeadModel& model, const HeadParameters& parameters) {
  return looks_for_faint(search, parameters) ? faint_windows_from(model, parameters) : model.accept_from;
}

std::vector<Detection> final_heads(const Detection* boxes, const int32_t* kept, int32_t count,
                                   const HeadSearch& search, const HeadModel& model,
                                   const HeadParameters& parameters) {
  const auto min = static_cast<float>(parameters.threshold * model.head_from * model.score_unit);
  return boxes_from(min, boxes, kept, count, search, parameters);
}

Result<std::vector<Detection>> suppress_heads(std::vector<HeadHit> hits, const HeadSearch& search,
                                              const HeadModel& model, const HeadParameters& parameters) {
  std::erase_if(hits, [&](const HeadHit& hit) { return hit.score < model.accept_from; });
  const std::vector<Detection> boxes =
      boxes_with_scores(windows_of(std::move(hits), search, model.accept_from), search, model.score_unit);
  VANTAGE_ASSIGN(const NmsResult kept, non_maximum_suppression_cpu(boxes, head_suppression(parameters)));
  return final_heads(boxes.data(), kept.kept.data(), static_cast<int32_t>(kept.kept.size()), search, model,
                     parameters);
}

Status add_faint_heads(std::vector<HeadHit> hits, const HeadSearch& search, const HeadModel& model,
                       const HeadParameters& parameters, HeadsInView* view) {
  if (!looks_for_faint(search, parameters)) return {};
  const Windows windows = windows_of(std::move(hits), search, faint_windows_from(model, parameters));
  for (size_t i = 0; i < windows.boxes.size(); ++i) {
    std::optional<Detection> window = box_in_picture(search, windows.boxes[i]);
    if (!window) continue;
    window->score = heads::final_score(windows.excess[i], model.score_unit);
    view->windows.push_back(*window);
  }
  const std::vector<Detection> boxes = boxes_with_scores(windows, search, model.score_unit);
  VANTAGE_ASSIGN(const NmsResult kept, non_maximum_suppression_cpu(boxes, head_suppression(parameters)));
  view->faint = boxes_from(model.score_unit, boxes.data(), kept.kept.data(),
                           static_cast<int32_t>(kept.kept.size()), search, parameters);
  return {};
}

Status check_head_picture(const Picture& picture, const HeadSearch& search, MemoryKind memory) {
  const int width = search.turn.picture_width, height = search.turn.picture_height;
  if (!picture || picture.width() != width || picture.height() != height)
    return fail(ErrorKind::invalid_argument,
                "a picture of " + std::to_string(picture.width()) + " x " + std::to_string(picture.height()) +
                    " pixels where " + std::to_string(width) + " x " + std::to_string(height) +
                    " were expected",
                "heads");
  if (picture.place().kind != memory)
    return fail(ErrorKind::invalid_argument, "the picture lies in another memory than the detector's",
                "heads");
  return {};
}

template <>
const ParameterTable& parameter_table<HeadParameters>() {
  using P = HeadParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "heads", "Head detection",
      {
          boolean<&P::enabled>("Detect heads", "Search for heads in every camera's picture."),
          real<&P::threshold>(
              "Threshold", "", 0.05, 20,
              "Times the score that the model demands of a head: higher finds less and errs less.",
              logarithmic),
          real<&P::overlap>(
              "Maximum overlap", "", 0, 1,
              "Of two boxes that overlap more (intersection over union) the weaker one is suppressed.",
              expert),
          real<&P::smallest_px>("Smallest head", "px", 11, 1000,
                                "Height in the picture; below 11 px nothing is searched for.", expert,
                                logarithmic),
          real<&P::largest_px>("Largest head", "px", 11, 4000, "Height in the picture.", expert, logarithmic),
          integer<&P::stride_px>("Stride", "px", 1, 2,
                                 "From window to window where windows are smaller than 48 px; 1 elsewhere.",
                                 expert),
          real<&P::min_height_m>(
              "Minimum height", "m", 0.3, 2.5,
              "With a calibration, heads of people smaller than this are not searched for.", expert),
          real<&P::max_height_m>("Maximum height", "m", 0.5, 3,
                                 "With a calibration, heads of people taller than this are not searched for.",
                                 expert),
          boolean<&P::upright>("Turn upright",
                               "With a calibration, the picture of a camera that hangs askew is turned "
                               "before heads are searched for.",
                               expert),
          boolean<&P::guided>("Combine views",
                              "With a calibration, a head of which no view is sure is found where several "
                              "views together suggest it."),
          real<&P::faint>("Faint windows", "", 0.3, 1,
                          "Times the score that the model demands of a window: from there on it counts where "
                          "other views suggest the same head.",
                          expert),
          real<&P::together>("Combined score", "", 0.2, 20,
                             "Times the score that a head in one view needs: what several views must reach "
                             "together for one of which none is sure.",
                             expert, logarithmic),
      });
  return table;
}

}  // namespace vantage
