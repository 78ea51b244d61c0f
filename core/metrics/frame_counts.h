// Contribution of every frame to the figures of a comparison with ground truth, from which they follow for
// any part of it: some frames, a person, a zone, or resampled frames (block_bootstrap.h).
//
// Pairs are decided once, over all frames: CLEAR's matches frame after frame, the identity metrics' and
// HOTA's by their assignments of the whole recording. A part is counted under these; nothing is assigned
// again for it. The figures of all frames are those of evaluate_tracks().
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/metrics/tracking_metrics.h"

namespace vantage {

// Sums, over one frame or several.
struct FrameCounts {
  int64_t frame = 0;                                  // of one: as in the rows
  double frames = 0;                                  // with a true or found person
  double true_rows = 0, given_rows = 0, matched = 0;  // CLEAR's
  double switches = 0;
  double similarity = 0;                              // sum over matches
  double mean_similarity = 0, frames_with_match = 0;  // the frames' means
  double floor_error_m = 0;                           // sum over matches; in the world
  double identity_matched = 0;                        // true rows that have the identity assigned to theirs
  // In the world, under each frame's best pairs (set_distance.h).
  double ospa_m = 0, gospa_m = 0;                        // the frames'
  double localisation = 0, missed = 0, false_found = 0;  // the parts of GOSPA, to the power of the order
  // At each of HOTA's alphas.
  std::array<double, HotaMetrics::kAlphas> hota_matched = {}, hota_association = {};

  FrameCounts& operator+=(const FrameCounts& other);
};

// The comparison of tracks with ground truth, every assignment made.
class MatchedTracks {
 public:
  // Errors: those of evaluate_tracks().
  static Result<MatchedTracks> make(std::vector<TrackRow> truth, std::vector<TrackRow> given,
                                    const EvaluationOptions& options);
  MatchedTracks(MatchedTracks&&) noexcept;
  MatchedTracks& operator=(MatchedTracks&&) noexcept;
  ~MatchedTracks();

  const EvaluationOptions& options() const;
  // Frame by frame, ascending. A match belongs to the part of its true row, a false row to its own; frames
  // without people of the part are left out.
  using Belongs = std::function<bool(const TrackRow& row, bool is_true)>;
  std::vector<FrameCounts> counts(const Belongs& belongs) const;
  std::vector<FrameCounts> counts() const;  // counts everybody
  std::vector<int64_t> true_ids() const;    // ascending

 private:
  struct Matches;
  explicit MatchedTracks(std::unique_ptr<Matches> matches);
  std::unique_ptr<Matches> matches_;
};

FrameCounts sum_of(const std::vector<FrameCounts>& frames);

}  // namespace vantage
