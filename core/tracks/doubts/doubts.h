// Identities that tracks leave in doubt: instants at which a person may go on under another's ID, each with
// the probability that the tracks are wrong there.
//
//   passage  two people came so near each other that they may have exchanged their IDs. Between two sightings
//            of both, C_keep and C_swap are what it costs, in nats, that each went on as the tracks say, or
//            as the other (detail/motion_link.h). An exchange there has the probability p = 1 / (1 +
//            exp(C_swap - C_keep)), an odd number of exchanges over the passage (1 - prod(1 - 2 p)) / 2. The
//            people's mean heights before and behind it then weigh for one or the other.
//   gap      a person was not seen for a while: may the one who came back be another? Weighed against the
//            rate at which tracks begin around there.
//   restart  a track ended, and another began where and when the person may have come back: may they be one?
//            Against the same rate, and against every other track that may be the one.
//
// Places and heights alone are weighed, not colours: tracks do not keep them. tests/support/doubts_judged.py
// compares the probabilities with true identities (resources/docs/performance/people.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tracks/find/track_index.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage {

enum class DoubtKind : uint8_t { passage, gap, restart };
std::string_view doubt_name(DoubtKind kind);  // "passage"

struct Doubt {
  DoubtKind kind = DoubtKind::passage;
  int64_t person = 0, other = 0;  // other: who was passed, or began; 0 of a gap
  // The last place of `person` before it, and the first one behind it: of the person, of a restart the
  // other's.
  PlaceInTime before, behind;
  PlaceInTime other_behind;  // of a passage: the other's, in the same frame as the person's
  double nearest_m = 0;      // of a passage how near they came; else from `before` to `behind`
  double wrong = 0;          // the probability that the tracks are wrong there, 0 to 1
};

// What is to be answered of people who are called so, "3 and Anna came within 0.25 m of each other. …".
std::string question_of(const Doubt& doubt, const std::string& person, const std::string& other,
                        double frame_rate);

// Below it nothing is listed.
inline constexpr double kMinDoubt = 0.05;

// Doubts by frame, then by person. Paths are as TrackIndex has them; frames per second above 0. `known_to` is
// the last frame that was analysed: whose track lasts until then did not end.
std::vector<Doubt> doubtful_identities(const TrackIndex& tracks, int64_t known_to, double least = kMinDoubt);

// How a doubt is answered.
//   right  the tracks are right: stated as same or apart (repairs.h), which changes nothing
//   other  they are not: a passage is swapped, a gap cut, a restart joined
//   cut    who is who behind a passage cannot be told: both are cut there
enum class DoubtAnswer : uint8_t { right, other, cut };
std::vector<IntendedRepair> repairs_for(const Doubt& doubt, DoubtAnswer answer);

// Whether a repair says something about it: those are left out of what is still to be examined.
bool is_answered(const Doubt& doubt, std::span<const PersonPath> paths,
                 const std::vector<IdentityRepair>& repairs);
std::vector<Doubt> unanswered(std::vector<Doubt> doubts, std::span<const PersonPath> paths,
                              const std::vector<IdentityRepair>& repairs);

}  // namespace vantage

namespace vantage::doubt_detail {

// The doubts of each kind, unsorted.

std::vector<Doubt> passages(const TrackIndex& tracks, double least);
std::vector<Doubt> gaps_and_restarts(const TrackIndex& tracks, int64_t known_to, double least);

}  // namespace vantage::doubt_detail
