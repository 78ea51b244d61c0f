// Non-maximum suppression as its definitions say it: one box after another, in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/primitives/nms.h"

namespace vantage::reference {

inline bool is_detection(const Detection& d) {
  const double limit = 1e15;
  return !std::isnan(d.x) && !std::isnan(d.y) && !std::isnan(d.score) && d.w >= 0 && d.h >= 0 &&
         d.x >= -limit && d.y >= -limit && double{d.x} + d.w <= limit && double{d.y} + d.h <= limit;
}

// 0 where the boxes do not intersect.
inline double overlap(const Detection& own, const Detection& other, NmsOverlap measure, double pixel) {
  const double w =
      std::min(double{own.x} + own.w, double{other.x} + other.w) - std::max(own.x, other.x) + pixel;
  const double h =
      std::min(double{own.y} + own.h, double{other.y} + other.h) - std::max(own.y, other.y) + pixel;
  if (w <= 0 || h <= 0) return 0;
  const double own_area = (own.w + pixel) * (own.h + pixel),
               other_area = (other.w + pixel) * (other.h + pixel);
  if (measure == NmsOverlap::own) return w * h / own_area;
  if (measure == NmsOverlap::other) return w * h / other_area;
  if (measure == NmsOverlap::smaller) return w * h / std::min(own_area, other_area);
  return w * h / (own_area + other_area - w * h);
}

inline bool suppresses(const Detection& other, const Detection& own, const NmsRule& rule) {
  if (rule.per_class && other.class_id != own.class_id) return false;
  const double o = overlap(own, other, rule.overlap, rule.pixel);
  return o > 0 && (rule.inclusive ? o >= double{rule.threshold} : o > double{rule.threshold});
}

// Does a come before b in the greedy order?
inline bool before(std::span<const Detection> d, size_t a, size_t b) {
  return d[a].score > d[b].score || (d[a].score == d[b].score && a < b);
}

inline std::vector<int32_t> greedy(std::span<const Detection> d, const NmsRule& rule) {
  std::vector<size_t> order;
  for (size_t i = 0; i < d.size(); ++i)
    if (is_detection(d[i])) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return before(d, a, b); });
  std::vector<int32_t> kept;
  for (const size_t i : order)
    if (std::none_of(kept.begin(), kept.end(), [&](int32_t k) { return suppresses(d[k], d[i], rule); }))
      kept.push_back(static_cast<int32_t>(i));
  std::sort(kept.begin(), kept.end());
  return kept;
}

inline std::vector<int32_t> map_reduce(std::span<const Detection> d, const NmsRule& rule) {
  std::vector<int32_t> kept;
  for (size_t i = 0; i < d.size(); ++i) {
    if (!is_detection(d[i])) continue;
    const bool goes = std::any_of(d.begin(), d.end(), [&](const Detection& other) {
      return is_detection(other) && other.score > d[i].score && suppresses(other, d[i], rule);
    });
    if (!goes) kept.push_back(static_cast<int32_t>(i));
  }
  return kept;
}

// The new score of each box; NaN for those not kept. `margin` is how close a decision was: the smallest
// distance between the best score and the next, a score and min_score, or an overlap and the threshold.
inline std::vector<double> soft(std::span<const Detection> d, const NmsOptions& options, double& margin) {
  std::vector<double> score(d.size()), taken(d.size(), std::nan(""));
  std::vector<bool> live(d.size());
  for (size_t i = 0; i < d.size(); ++i) score[i] = d[i].score, live[i] = is_detection(d[i]);
  margin = 1;
  for (;;) {
    size_t best = d.size();
    for (size_t i = 0; i < d.size(); ++i)
      if (live[i] && (best == d.size() || score[i] > score[best])) best = i;
    if (best == d.size()) return taken;
    margin = std::min(margin, std::abs(score[best] - double{options.min_score}));
    if (score[best] < double{options.min_score}) return taken;
    live[best] = false;
    for (size_t i = 0; i < d.size(); ++i)
      if (live[i]) margin = std::min(margin, score[best] - score[i]);
    taken[best] = score[best];
    for (size_t i = 0; i < d.size(); ++i) {
      if (options.rule.per_class && d[i].class_id != d[best].class_id) continue;
      const double o = overlap(d[i], d[best], options.rule.overlap, options.rule.pixel);
      if (options.method == NmsMethod::soft_linear) {
        margin = std::min(margin, std::abs(o - double{options.rule.threshold}));
        if (o > double{options.rule.threshold}) score[i] *= 1 - o;
      } else {
        score[i] *= std::exp(-o * o / options.sigma);
      }
    }
  }
}

}  // namespace vantage::reference
