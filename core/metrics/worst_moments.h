// The worst instants of a comparison: people missed, reported where no one is, exchanged, or far off.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/metrics/tracking_metrics.h"

namespace vantage {

enum class MomentKind : uint8_t {
  missed,       // a true person has no one
  false_found,  // a person is found where no one is true
  swapped,      // a true person continues under another identity
  apart,        // found, but off
  mask,         // the foreground fits a mask drawn by hand badly
  slow          // the frame took long
};
inline constexpr std::array<MomentKind, 6> kMomentKinds = {MomentKind::missed,  MomentKind::false_found,
                                                           MomentKind::swapped, MomentKind::apart,
                                                           MomentKind::mask,    MomentKind::slow};
// "missed", "false", "swapped", "apart", "mask", "slow".
std::string_view moment_kind_name(MomentKind kind);

struct WorstMoment {
  MomentKind kind = MomentKind::missed;
  int64_t frame = 0;                        // the one to go to: the first, of `apart` the worst
  int64_t first_frame = 0, last_frame = 0;  // its range, both included
  int64_t true_id = 0, id = 0;              // 0: none on that side
  int64_t id_before = 0;                    // swapped: the true person's identity until then
  double x_m = 0, y_m = 0;                  // in `frame`: of the true person, of a false one its own
  std::string camera = {};                  // mask
  // missed, false_found: frames; swapped: frames that the person has the new identity; apart: metres;
  // mask: IoU; slow: ms.
  double amount = 0;
  bool operator==(const WorstMoment&) const = default;
};
// "person 3 missed, 12 frames".
std::string moment_text(const WorstMoment& moment);

// Instants by CLEAR's matches, of the requested kinds (among the first four), worst first: by amount, then by
// frame. Errors of one person in successive frames of either side are one instant. Frames and identities are
// those of the rows. Errors: those of evaluate_tracks().
Result<std::vector<WorstMoment>> worst_moments(const std::vector<TrackRow>& truth,
                                               const std::vector<TrackRow>& given,
                                               const EvaluationOptions& options,
                                               const std::set<MomentKind>& kinds);

}  // namespace vantage
