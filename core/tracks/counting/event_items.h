// Events close in time and place are one line to look at, which can be unfolded: each joins the newest item
// whose first event was raised within kTogether_s before and within kTogether_m. So an item lasts kTogether_s
// at most, however many follow one another. What is counted everywhere is events, never items.
#pragma once

#include <span>
#include <vector>

#include "core/tracks/counting/rules.h"

namespace vantage {

inline constexpr double kTogether_s = 10, kTogether_m = 2;

// Indices into the events, by the frame in which they were raised; items in the order of their first event.
using EventItem = std::vector<size_t>;
std::vector<EventItem> group_events(std::span<const FloorEvent> events, double frame_rate);

// Below this, events are stated with the time in which they happened, not by the hour.
inline constexpr double kMinRateSpan_s = 3600;
// Events an hour over the frames with known people; 0 where there are none.
double events_per_hour(size_t events, size_t known_frames, double frame_rate);

}  // namespace vantage
