#include "core/tracks/counting/event_items.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vantage {

std::vector<EventItem> group_events(std::span<const FloorEvent> events, double frame_rate) {
  std::vector<size_t> order(events.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return events[a].raised_frame < events[b].raised_frame; });
  const double max_frames = kTogether_s * frame_rate;
  std::vector<EventItem> items;
  for (const size_t index : order) {
    const FloorEvent& event = events[index];
    const auto joins = [&](const EventItem& item) {
      const FloorEvent& first = events[item.front()];
      return static_cast<double>(event.raised_frame - first.raised_frame) <= max_frames &&
             std::hypot(event.x_m - first.x_m, event.y_m - first.y_m) <= kTogether_m;
    };
    const auto item = std::find_if(items.rbegin(), items.rend(), joins);
    if (item == items.rend())
      items.push_back({index});
    else
      item->push_back(index);
  }
  return items;
}

double events_per_hour(size_t events, size_t known_frames, double frame_rate) {
  if (known_frames == 0 || frame_rate <= 0) return 0;
  return static_cast<double>(events) * 3600 * frame_rate / static_cast<double>(known_frames);
}

}  // namespace vantage
