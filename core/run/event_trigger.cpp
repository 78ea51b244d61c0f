#include "core/run/event_trigger.h"

#include <algorithm>
#include <utility>

namespace vantage {

void EventTrigger::add(std::span<const FloorEvent> events) {
  bool first = true;
  for (const FloorEvent& event : events) {
    const Key key{event.rule, event.id, event.first_frame};
    if (open_.erase(key) == 0 && std::exchange(first, false)) raised_frame_ = event.raised_frame;
    if (event.last_frame)
      until_ = std::max(until_, *event.last_frame + after_);
    else
      open_.insert(key);
  }
}

}  // namespace vantage
