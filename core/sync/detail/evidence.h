// The evidence of all pairs of a camera for its alignment: log L (pair.h) of all blocks of the camera's pairs
// along the alignment, less a cost for each change and for the drift. Clocks are seldom far off, and a change
// that is not there explains a little of the noise.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "core/sync/detail/pair.h"

namespace vantage::sync_detail {

// Base frames, the end excluded.
struct Span {
  double begin = 0, end = 0;
};

// All pairs of a recording compared with the alignment of the cameras that is tried on them. A pair's table
// counts in blocks of its first camera: where they lie in base frames follows from that camera's alignment,
// as far as it is known.
class AlignedPairs {
 public:
  // The alignment is changed from outside while it is searched for. Pairs whose `used` is false are left out.
  AlignedPairs(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
               const std::vector<CameraAlignment>& cameras);

  size_t size() const { return pairs_.size(); }
  const PairAnalysis& operator[](size_t p) const { return pairs_[p]; }
  bool usable(size_t p) const { return usable_[p]; }
  const EstimateOptions& options() const { return options_; }
  const std::vector<CameraAlignment>& cameras() const { return cameras_; }
  const CameraAlignment& camera(int c) const { return cameras_[c]; }

  double base_frame(const PairAnalysis& pair, double block) const;
  int block_at(const PairAnalysis& pair, double base_frame) const;
  Span span() const;  // that any usable pair has blocks for
  // The pair's lag over the span, measured along its path. `sigma` is 0 where nothing can be said.
  LagMeasure measure(size_t p, const Span& span) const;

  // A pair's own path is wrong by a frame here and there, which its lags' mean is smeared by, and a pair
  // whose first block is wrong was left out: from here on all pairs are measured along the alignment, where
  // they agree with it.
  void follow_alignment();

 private:
  const std::vector<PairAnalysis>& pairs_;
  const EstimateOptions& options_;
  const std::vector<CameraAlignment>& cameras_;
  std::vector<bool> usable_;             // by pair
  std::vector<std::vector<int>> paths_;  // by pair: lags by block that it is measured along
};

inline constexpr double kSameChange_s = 0.5;  // changes of one camera nearer than this are one
inline constexpr double kChangeCost = 8;      // nats that a change must explain over all of a camera's pairs

inline constexpr int kLargestChange = 40;  // frames that are lost or gained at once
inline constexpr int kChangeSizes = 2 * kLargestChange + 1;
using Gains = std::array<double, kChangeSizes>;  // nats, of being s - kLargestChange frames off

// True within `beside` base frames of a change or of the frames that it lost: the camera has no picture of
// that time.
bool is_lost(const CameraAlignment& camera, double base_frame, double beside);

class Evidence {
 public:
  explicit Evidence(const AlignedPairs& pairs) : pairs_(pairs) {}
  void set_span(const Span& span) { span_ = span; }
  const Span& span() const { return span_; }
  double step() const;  // base frames from one look to the next

  // The evidence of the camera's pairs for its frame being `beside` its alignment at that base frame, in
  // nats.
  double likelihood(size_t camera, double base_frame, int beside) const;
  // log L of pair p with the camera `beside` its alignment, less that of the alignment, over the frames that
  // can be compared under both; empty where none can.
  std::optional<double> gain(size_t p, size_t camera, double base_frame, int beside) const;
  // Adds the gains of every change; false where nothing can be compared.
  bool add_gains(size_t p, size_t camera, double base_frame, Gains* gains) const;
  // The evidence of pair p for the alignment there, in nats.
  double of_pair(size_t p, double base_frame) const;
  double of(size_t camera) const;  // nats
  double of_all() const;
  // Frames that the camera most likely is off its alignment, at every step of the span.
  std::vector<int> path_beside(size_t camera) const;

 private:
  struct Look {
    double nats = 0, frames = 0;
  };
  // Frames of a pair's first and second camera.
  struct Place {
    double first = 0, second = 0;
    void move(bool first_camera, int frames) { (first_camera ? first : second) += frames; }
  };
  bool has(size_t p, size_t camera) const;  // a usable pair of the camera
  Place place(const PairAnalysis& pair, double base_frame) const;
  static Look look(const PairAnalysis& pair, const Place& place);
  // A pair of the camera where it is aligned.
  struct Aligned {
    Place place;
    Look look;
    bool is_first = false;
  };
  std::optional<Aligned> aligned(size_t p, size_t camera, double base_frame) const;
  static std::optional<double> gain(const PairAnalysis& pair, const Aligned& here, int beside);
  double change_cost(size_t camera, double base_frame) const;

  const AlignedPairs& pairs_;
  Span span_;
};

// Weights of the evidence, measured from the signals themselves.
//
// log L (pair.h) counts frames and lines for as independent as the whole curve says, and pairs for at least
// as correlated as its model goes down to. With foreground of real pictures a pair may be much less sure than
// that for a second or two: a person who stands, another who walks in step. Where the alignment is known, a
// lag off it gains G nats over a stretch of time, and a likelihood that is right has
//
//   mean of exp(G) = 1
//
// (the mean of a likelihood ratio under what it is divided by). So the pair's weight is the largest w up to 1
// with
//
//   mean of exp(kMargin w G) <= 1   over stretches of a second and all lags up to kLargestChange off it,
//
// the margin being for what a window's few stretches do not show.

// Weights by pair; from the span's begin to `end`, away from the cameras' changes. 1 where nothing can be
// said.
std::vector<double> pair_weights(const AlignedPairs& pairs, const Evidence& evidence, double end);
// Adds what is gained at a base frame by every change; false where nothing can be compared.
using AddGains = std::function<bool(double base_frame, Gains* gains)>;
// The weight of any such gains, over the complete span.
double weight_of(const AlignedPairs& pairs, const Evidence& evidence, const AddGains& add_gains);

}  // namespace vantage::sync_detail
