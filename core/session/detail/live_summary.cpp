#include "core/session/detail/live_summary.h"

#include <algorithm>

#include "core/pipeline/frame_people.h"

namespace vantage {

void LiveSummary::note(const FrameResult& result, int thinning) {
  const std::optional<size_t> counted = people_count(result);
  const auto count = static_cast<int16_t>(counted ? static_cast<int>(*counted) : -1);
  for (int64_t set = result.frame; set < result.frame + thinning; ++set) add(set, count);
}

void LiveSummary::add(int64_t set, int16_t people) {
  if (set < sets_.first) return;
  while ((set - sets_.first) / sets_.every >= kMax) halve();
  const auto place = static_cast<size_t>((set - sets_.first) / sets_.every);
  if (sets_.entries.size() <= place) sets_.entries.resize(place + 1);
  FrameSummary& entry = sets_.entries[place];
  entry = {FrameState::current, std::max(entry.people, people)};
}

// Whole entries; what is to come is counted set by set again when nothing is left.
void LiveSummary::forget_before(int64_t set) {
  const int64_t gone = std::max<int64_t>(0, set - sets_.first) / sets_.every;
  if (gone == 0) return;
  if (gone >= static_cast<int64_t>(sets_.entries.size())) {
    sets_ = {.entries = {}, .first = set, .every = 1};
    return;
  }
  sets_.entries.erase(sets_.entries.begin(), sets_.entries.begin() + gone);
  sets_.first += gone * sets_.every;
}

// The most people of the two; analysed where one of them is.
void LiveSummary::halve() {
  std::vector<FrameSummary>& entries = sets_.entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    FrameSummary& half = entries[i / 2];
    if (i % 2 == 0)
      half = entries[i];
    else if (entries[i].state == FrameState::current)
      half = {FrameState::current, std::max(half.people, entries[i].people)};
  }
  entries.resize((entries.size() + 1) / 2);
  sets_.every *= 2;
}

}  // namespace vantage
