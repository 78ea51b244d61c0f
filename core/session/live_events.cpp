#include "core/session/live_events.h"

#include <algorithm>
#include <cstddef>

namespace vantage {

void LiveEvents::add(std::span<const FloorEvent> news) {
  if (news.empty()) return;
  auto events = std::make_shared<std::vector<FloorEvent>>(*events_);
  for (const FloorEvent& event : news) {
    const auto same = std::find_if(events->rbegin(), events->rend(), [&](const FloorEvent& other) {
      return other.rule == event.rule && other.id == event.id && other.first_frame == event.first_frame;
    });
    if (same != events->rend())
      *same = event;
    else
      events->push_back(event);
  }
  if (events->size() > kMax)
    events->erase(events->begin(), events->end() - static_cast<std::ptrdiff_t>(kMax));
  events_ = std::move(events);
}

}  // namespace vantage
