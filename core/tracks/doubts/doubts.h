// Doubtful identities in tracks: instants at which a person may continue under another's ID, each with the
// probability that the tracks are wrong there.
//
//   passage  two people came so close that they may have exchanged IDs (passages.cpp).
//   gap      a person was not seen for a while: is the one who came back another? Compared with the rate at
//            which tracks begin around there.
//   restart  a track ended, and another began where and when the person may have come back: are they one?
//            Compared with the same rate, and with every other track that may be the one.
//
// Only positions and heights are used; where paths compared clothes (PersonReturn), their probability.
// tests/support/doubts_judged.py compares the probabilities with true identities
// (resources/docs/performance/people.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tracking/paths/path_tracker.h"
#include "core/tracks/find/track_index.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage {

enum class DoubtKind : uint8_t { passage, gap, restart };
std::string_view doubt_name(DoubtKind kind);  // "passage"

struct Doubt {
  DoubtKind kind = DoubtKind::passage;
  int64_t person = 0, other = 0;  // restart: the person whose track began; passage: the one who was
                                  // passed; gap: 0
  // The last position of `person` before it, and the first one after it; in a restart the one after it is the
  // other person's.
  PlaceInTime before, behind;
  PlaceInTime other_behind;  // passage: the other's position in the same frame
  double nearest_m = 0;      // minimum distance in a passage; else the distance from `before` to `behind`
  double wrong = 0;          // probability that the tracks are wrong there, 0 to 1
};

// The question to a user about people of these names: "3 and Anna came within 0.25 m of each other. …".
std::string question_of(const Doubt& doubt, const std::string& person, const std::string& other,
                        double frame_rate);

// Less probable doubts are not listed.
inline constexpr double kMinDoubt = 0.05;

// Sorted by frame, then by person. `returns`: those of the tracks; their IDs do not matter. `tracks`: frame
// rate above 0. `known_to`: the last frame that was
// analysed; tracks that last until then did not end.
std::vector<Doubt> doubtful_identities(const TrackIndex& tracks, int64_t known_to, double least = kMinDoubt,
                                       std::span<const PersonReturn> returns = {});

// The user's answer to a doubt:
//   right  the tracks are right: stated as same or apart (repairs.h), which changes nothing
//   other  they are wrong: a passage is swapped, a gap split, a restart joined
//   cut    the people after a passage cannot be told apart: both are split there
enum class DoubtAnswer : uint8_t { right, other, cut };
std::vector<IntendedRepair> repairs_for(const Doubt& doubt, DoubtAnswer answer);

// A repair decides it: answered doubts are no longer listed.
bool is_answered(const Doubt& doubt, std::span<const PersonPath> paths,
                 const std::vector<IdentityRepair>& repairs);
std::vector<Doubt> unanswered(std::vector<Doubt> doubts, std::span<const PersonPath> paths,
                              const std::vector<IdentityRepair>& repairs);

}  // namespace vantage

namespace vantage::doubt_detail {

// Doubts of each kind, unsorted.

std::vector<Doubt> passages(const TrackIndex& tracks, double least);
std::vector<Doubt> gaps_and_restarts(const TrackIndex& tracks, int64_t known_to, double least);

}  // namespace vantage::doubt_detail
