#include "app/cli/algorithms/heightmap_truth.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/assignment.h"
#include "core/base/file.h"
#include "core/height_map/height_map_io.h"
#include "core/image/pfm.h"
#include "core/metrics/tracking_metrics.h"
#include "core/results/results_pictures.h"

namespace vantage::cli {
namespace {

constexpr double kReach_m = 0.3;
constexpr double kMinVisible = 0.5;

struct TruthHead {
  double x_m, y_m;
  int left, top, right, bottom;
  bool counts;
};

Result<std::vector<TruthHead>> read_heads(const std::filesystem::path& path, int64_t frame, int width,
                                          int height) {
  VANTAGE_ASSIGN(const std::string text, read_file(path));
  VANTAGE_ASSIGN(const std::vector<TrackRow> rows, read_mot_csv(text, path.string()));
  std::vector<TruthHead> heads;
  for (const TrackRow& row : rows) {
    if (row.frame != frame + 1) continue;  // files count from 1
    TruthHead head{row.x_m, row.y_m, static_cast<int>(row.left_px), static_cast<int>(row.top_px), 0, 0, true};
    head.right = head.left + static_cast<int>(row.width_px),
    head.bottom = head.top + static_cast<int>(row.height_px);
    // A head that the picture's border cuts may show too little to be found.
    const bool cut = head.left <= 0 || head.top <= 0 || head.right >= width || head.bottom >= height;
    head.counts = row.confidence >= kMinVisible && !cut;
    heads.push_back(head);
  }
  return heads;
}

// For each truth head the found one, -1 where none.
std::vector<int> match(const std::vector<TruthHead>& truth, const std::vector<HeightMapHead>& found) {
  ScoreMatrix scores(static_cast<int>(truth.size()), static_cast<int>(found.size()));
  const auto distance = [&](int t, int f) {
    const TruthHead& a = truth[static_cast<size_t>(t)];
    const HeightMapHead& b = found[static_cast<size_t>(f)];
    return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
  };
  for (int t = 0; t < scores.rows; ++t)
    for (int f = 0; f < scores.columns; ++f) scores.at(t, f) = std::max(0.0, kReach_m - distance(t, f));
  std::vector<int> matched = assign_maximum(scores);
  for (int t = 0; t < scores.rows; ++t) {
    int& f = matched[static_cast<size_t>(t)];
    if (f >= 0 && distance(t, f) > kReach_m) f = -1;
  }
  return matched;
}

template <typename F>
void for_each_pixel(const TruthHead& head, const ImageView<const float>& truth, const F& work) {
  for (int y = std::max(0, head.top); y < std::min(head.bottom, truth.height); ++y)
    for (int x = std::max(0, head.left); x < std::min(head.right, truth.width); ++x)
      if (truth.at(x, y) > 0) work(x, y, static_cast<double>(truth.at(x, y)));
}

void count_pixels(const TruthHead& head, const ImageView<const float>& truth,
                  const ImageView<const float>& heights_m, HeightTruthReport::Pixels& pixels) {
  for_each_pixel(head, truth, [&](int x, int y, double height_m) {
    ++pixels.all;
    const double away = std::abs(static_cast<double>(heights_m.at(x, y)) - height_m);
    pixels.with_height += !std::isnan(away);
    pixels.within_5cm += away <= 0.05;
    pixels.within_2_5cm += away <= 0.025;
  });
}

double top_of(const TruthHead& head, const ImageView<const float>& truth) {
  double top = 0;
  for_each_pixel(head, truth, [&](int, int, double height_m) { top = std::max(top, height_m); });
  return top;
}

}  // namespace

Result<HeightTruthReport> compare_with_truth(const std::filesystem::path& folder, const std::string& camera,
                                             int64_t frame, const HeightEstimate& estimate) {
  const HeightMap& map = estimate.map;
  const std::vector<HeightMapHead>& heads = estimate.heads;
  VANTAGE_ASSIGN(const Image image,
                 read_pfm(folder / "heights" / camera / frame_file_name(frame, "pfm"), HostPool::shared()));
  if (image.width() != map.width || image.height() != map.height)
    return fail(ErrorKind::invalid_argument, "the ground truth has another size than the map",
                folder.string());
  VANTAGE_ASSIGN(const std::vector<TruthHead> truth,
                 read_heads(folder / ("heads_" + camera + ".csv"), frame, map.width, map.height));
  const ImageView<const float> heights = image.view<float>();
  const ImageView<const float> found = estimate.heights_m.view<float>();
  VANTAGE_ASSIGN(const Image labels, heights_in_metres(map, HostPool::shared()));
  HeightTruthReport report;
  const std::vector<int> matched = match(truth, heads);
  report.found_heads = static_cast<int>(heads.size());
  for (size_t t = 0; t < truth.size(); ++t) {
    if (!truth[t].counts) {
      report.found_heads -= matched[t] >= 0;
      continue;
    }
    ++report.truth_heads;
    if (matched[t] < 0) continue;
    ++report.matched;
    const HeightMapHead& head = heads[static_cast<size_t>(matched[t])];
    report.mean_distance_m += std::hypot(head.x_m - truth[t].x_m, head.y_m - truth[t].y_m);
    report.mean_top_error_m += head.height_m - top_of(truth[t], heights);
    count_pixels(truth[t], heights, found, report.pixels);
    count_pixels(truth[t], heights, labels.view<float>(), report.of_labels);
  }
  if (report.matched > 0) report.mean_distance_m /= report.matched, report.mean_top_error_m /= report.matched;
  for (int y = 0; y < map.height; ++y)
    for (int x = 0; x < map.width; ++x) {
      const bool head = heights.at(x, y) > 0, height = !std::isnan(found.at(x, y));
      report.missed += head && !height;
      report.invented += height && !head;
    }
  return report;
}

}  // namespace vantage::cli
