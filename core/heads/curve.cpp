#include "core/heads/curve.h"

#include <fmt/core.h>
#include <algorithm>
#include <sstream>

namespace vantage {
namespace {

double overlap(const Detection& d, const GroundTruthHead& t) {
  const double w = std::min(d.x + d.w, t.x + t.w) - std::max(d.x, t.x);
  const double h = std::min(d.y + d.h, t.y + t.h) - std::max(d.y, t.y);
  if (w <= 0 || h <= 0) return 0;
  return w * h / (double{d.w} * d.h + double{t.w} * t.h - w * h);
}

}  // namespace

void HeadCurve::add(std::span<const Detection> detections, std::span<const GroundTruthHead> truth) {
  ++pictures_;
  heads_ += std::count_if(truth.begin(), truth.end(), [](const GroundTruthHead& t) { return t.counts; });
  std::vector<bool> taken(truth.size());
  for (const Detection& d : detections) {
    size_t best = truth.size();
    double best_overlap = 0;
    for (size_t i = 0; i < truth.size(); ++i) {
      if (taken[i] && truth[i].counts) continue;
      const double o = overlap(d, truth[i]);
      if (o < kHeadMatchOverlap || (best < truth.size() && o <= best_overlap)) continue;
      best = i;
      best_overlap = o;
    }
    if (best == truth.size()) {
      scored_.push_back({d.score, false});
    } else if (truth[best].counts) {
      taken[best] = true;
      scored_.push_back({d.score, true});
    }
  }
}

HeadCurve::Point HeadCurve::at_score(double score) const {
  int64_t right = 0, wrong = 0;
  for (const Scored& s : scored_)
    if (s.score >= score) ++(s.right ? right : wrong);
  return {score, heads_ > 0 ? static_cast<double>(right) / static_cast<double>(heads_) : 0,
          pictures_ > 0 ? static_cast<double>(wrong) / static_cast<double>(pictures_) : 0};
}

HeadCurve::Point HeadCurve::at(double false_positives) const {
  std::vector<float> wrong;
  double lowest = 0;
  for (const Scored& s : scored_) {
    lowest = std::min<double>(lowest, s.score);
    if (!s.right) wrong.push_back(s.score);
  }
  std::sort(wrong.begin(), wrong.end(), std::greater<>());
  const auto allowed = static_cast<size_t>(false_positives * static_cast<double>(pictures_));
  // Just above the first that would be too many; scores are multiples of a small unit.
  return at_score(allowed < wrong.size() ? wrong[allowed] + 1e-3 : lowest);
}

std::string HeadCurve::text() const {
  std::string text = "false positives per picture: recall (score) over " + std::to_string(heads_) +
                     " heads in " + std::to_string(pictures_) + " pictures\n";
  for (const double wanted : {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0}) {
    const Point point = at(wanted);
    text += fmt::format("{:.2f}: {:.4f} ({:.2f})\n", wanted, point.recall, point.score);
  }
  return text;
}

Result<std::vector<std::vector<GroundTruthHead>>> read_true_heads(const std::string& text,
                                                                  const std::string& source, int width,
                                                                  int height, double smallest_px) {
  std::vector<std::vector<GroundTruthHead>> frames;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    int frame = 0, id = 0;
    double x, y, w, h, visibility;
    if (std::sscanf(line.c_str(), "%d,%d,%lf,%lf,%lf,%lf,%lf", &frame, &id, &x, &y, &w, &h, &visibility) !=
            7 ||
        frame < 1 || frame > 100'000'000)
      return fail(ErrorKind::bad_data, "line " + std::to_string(number) + " is not a row of heads", source,
                  "Give truth/heads_camN.csv of a folder that vantage-cli synth wrote.");
    const bool cut = x <= 0 || y <= 0 || x + w >= width || y + h >= height;
    if (frames.size() < static_cast<size_t>(frame)) frames.resize(frame);
    frames[static_cast<size_t>(frame) - 1].push_back(
        {static_cast<float>(x), static_cast<float>(y), static_cast<float>(w), static_cast<float>(h),
         !cut && visibility >= kHeadCountsFrom && h >= smallest_px});
  }
  return frames;
}

}  // namespace vantage
