// The newest kMax events of live cameras, for the list of a front end.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/tracks/counting/rules.h"

namespace vantage {

using LiveEventsRef = std::shared_ptr<const std::vector<FloorEvent>>;

class LiveEvents {
 public:
  static constexpr size_t kMax = 500;

  // Adds events of RuleWatch in the order they were raised; one that is already listed is replaced.
  void add(std::span<const FloorEvent> news);
  // A new object after each change; never null.
  const LiveEventsRef& events() const { return events_; }

 private:
  LiveEventsRef events_ = std::make_shared<const std::vector<FloorEvent>>();
};

}  // namespace vantage
