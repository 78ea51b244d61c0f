#include "core/sync/detail/stretches.h"

#include <algorithm>

#include "core/sync/detail/reconcile.h"

namespace vantage::sync_detail {
namespace {

constexpr double kWindow_s = 6, kGuard_s = 0.4, kMinStretch_s = 1;
constexpr int kMaxWindows = 360;
constexpr double kMinStretchSigma = 0.02, kTolerance = 0.5;  // frames

}  // namespace

std::vector<Window> make_windows(const Span& span, const std::vector<Jump>& jumps, double frame_rate) {
  std::vector<Window> windows;
  if (span.begin >= span.end) return windows;
  const double guard = kGuard_s * frame_rate;
  const double wanted = std::max(kWindow_s * frame_rate, (span.end - span.begin) / kMaxWindows);
  std::vector<double> cuts = {span.begin};
  for (const Jump& jump : jumps) cuts.push_back(jump.base_frame);
  cuts.push_back(span.end);
  for (size_t s = 0; s + 1 < cuts.size(); ++s) {
    const double begin = cuts[s] + (s > 0 ? guard : 0),
                 length = cuts[s + 1] - (s + 2 < cuts.size() ? guard : 0) - begin;
    if (length < kMinStretch_s * frame_rate) continue;
    const int count = std::max(1, static_cast<int>(length / wanted));
    for (int i = 0; i < count; ++i)
      windows.push_back({{begin + length * i / count, begin + length * (i + 1) / count}, s});
  }
  return windows;
}

std::vector<std::vector<MeasuredOffset>> measure_offsets(const AlignedPairs& pairs,
                                                         const std::vector<Window>& windows) {
  const int base = pairs.options().base;
  std::vector<std::vector<MeasuredOffset>> measured(pairs.cameras().size());
  for (const Window& window : windows) {
    std::vector<OffsetEdge> edges;
    for (size_t p = 0; p < pairs.size(); ++p) {
      if (!pairs.usable(p)) continue;
      const LagMeasure lag = pairs.measure(p, window.span);
      if (lag.sigma > 0)
        edges.push_back({pairs[p].estimate.first, pairs[p].estimate.second, lag.lag, lag.sigma});
    }
    const auto solved = reconcile_offsets(static_cast<int>(measured.size()), base, &edges, kTolerance);
    for (size_t c = 0; c < measured.size(); ++c)
      if (solved[c] && static_cast<int>(c) != base)
        measured[c].push_back({{(window.span.begin + window.span.end) / 2, solved[c]->value,
                                std::max(kMinStretchSigma, solved[c]->sigma)},
                               window.stretch});
  }
  return measured;
}

}  // namespace vantage::sync_detail
