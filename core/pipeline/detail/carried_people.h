// The people of frames that no detector examined: those whom the last look found, each as their track goes
// on, at constant speed for Tracker::kCoast_s at most.
//
// No one knows that they are still there, so their confidence falls (carried_confidence), and after keep_s,
// when the tracker gives up too, the frame's people are unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/people/people.h"
#include "core/pipeline/artifacts.h"

namespace vantage {

// The last look, as a plain value: a copy is a checkpoint.
struct LastLook {
  int64_t frame = -1;  // -1: no one has looked
  std::vector<CarriedPerson> people;
};

// `tracked`: the tracks of `found`, in their order.
LastLook last_look(int64_t frame, std::span<const FoundPerson> found, std::span<const TrackedPerson> tracked);

// In a frame behind it; nothing: unknown. `frame_s`: seconds a frame.
std::optional<std::vector<CarriedPerson>> carried_people(const LastLook& look, int64_t frame, double frame_s,
                                                         double keep_s);

}  // namespace vantage
