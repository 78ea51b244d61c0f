// Tracks on the floor by greedy association: each frame the nearest pair of track and detection inside the
// gate is joined first, then the next nearest, and so on; tracks with a number go before those without. A
// track goes on at constant speed while it is not seen, for kCoast_s at most, and its gate grows:
//
//   gate = gate_m + max_speed_m_per_s * (time since it was seen)
//
// The distance of a detection d from the predicted position, whose height differs by h from the track's, is
// sqrt(d^2 + (height_weight h)^2): where people hide one another, what is found in a wrong position has a
// wrong height too. The pairs are association.h's.
//
// A person who is hidden for a short time is not found, but a peak is rejected where they stand, and what is
// found instead stands beside them. So a track with an ID continues with a rejected peak within kHidden_m of
// where it is expected, where nothing was found that near; what it would have taken farther away is somebody
// else. Not within kDoubt_s of taking somebody more than kDoubt_m away itself: that may have been a ghost,
// which is rejected now; and not while a camera is away: peaks are rejected everywhere then. Nobody is given
// out for a rejected peak, and a track lives no longer by it.
//
// While a camera is away (Sight::reduced), and kRecovery_s after, people are found less surely: somebody is
// missing for a second, or found where nobody stands. Then a new number takes outage_confirm_s, lost tracks
// are kept for outage_keep_s, smoothing takes kOutageSmoothing times as long and gates grow kOutageSpeed
// times as fast.
//
// Place and speed follow the detections by a fading-memory filter (N. Morrison, "Introduction to Sequential
// Smoothing and Prediction", 1969): with r the detection's distance from the predicted position, t the time
// passed and theta = exp(-t / smoothing_s),
//
//   place = predicted + (1 - theta^2) r,      speed = speed + (1 - theta)^2 r / t
//
// where the first n detections weigh as in a straight line fitted to them: 2 (2n - 1) / (n (n + 1)) and
// 6 / (n (n + 1)). Height is the mean of what was seen, over kHeight_s.
//
// A detection that joins no track starts one; it gets a number (from 1, never reused) once it was seen in
// confirm_frames frames in a row of those looked at. Equal distances: the older track, then the earlier
// detection.
//
// A person who comes out from behind others may stand beside the gate, or their track may have left with a
// ghost. So where a new number is due, a lost track (with a number, not found since the new one began, and
// not shown by a rejected peak) hands its number over if its person was expected within rejoin_m of where the
// new one began. That is decided kRejoin_s after it began: until then the new one may be the ghost, and the
// person come back.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/parameters.h"
#include "core/tracking/association.h"

namespace vantage {

// The tracker that numbers the people of a run's results: this tracker, or core/path_tracking, which takes
// this one's place when all frames are there. Automatic: paths in recordings, this tracker live.
enum class TrackingMethod : uint8_t { greedy, paths, automatic };

struct TrackingParameters {
  TrackingMethod method = TrackingMethod::automatic;
  double max_speed_m_per_s = 1;
  double keep_s = 1;
  double outage_keep_s = 3;
  int confirm_frames = 3;
  double outage_confirm_s = 1;
  double gate_m = 0.5;
  double rejoin_m = 1;
  double height_weight = 1.5;
  double smoothing_s = 0.15;
  int device_from_pairs = 30'000;
};
template <>
const ParameterTable& parameter_table<TrackingParameters>();

// Whether about as many cameras as ever saw a frame.
enum class Sight : uint8_t { whole, reduced };
// Reduced: an eighth of the cameras or more has no picture. Of many, one more or less changes little.
Sight sight_of(int cameras, int without_picture);

// The track that a detection belongs to, in this frame.
struct TrackedPerson {
  int64_t id = 0;                         // 0: not confirmed yet
  double x_m = 0, y_m = 0, height_m = 0;  // the track's, filtered
  double speed_x = 0, speed_y = 0;        // m/s, likewise
};

// Everything a tracker remembers; a plain value, so a copy is a checkpoint.
struct TrackerMemory {
  struct Track {
    int64_t id = 0;  // 0: not confirmed
    double x_m = 0, y_m = 0, speed_x = 0, speed_y = 0, height_m = 0;
    int64_t first_frame = 0, last_frame = 0;  // that it was followed in
    int64_t found_frame = 0;                  // the last that somebody was found in
    int hits = 0;
    int64_t sure_frame = 0;  // from which on it may go on with a rejected peak
  };
  std::vector<Track> tracks;  // oldest first
  int64_t next_id = 1;
  int64_t last_frame = -1;      // that was looked at
  int64_t recovered_frame = 0;  // the first that no outage before it concerns
};

class Tracker {
 public:
  static constexpr double kCoast_s = 0.5;
  static constexpr double kHeight_s = 1;
  static constexpr double kRecovery_s = 0.5;
  static constexpr double kHidden_m = 0.2;
  static constexpr double kDoubt_m = 0.12, kDoubt_s = 0.5;
  static constexpr double kRejoin_s = 0.2;
  static constexpr double kOutageSmoothing = 2;
  static constexpr double kOutageSpeed = 2;
  // Frames with device_from_pairs pairs of track and detection or more are associated by `association`, all
  // others, and all where it is null, by the calling thread; the pairs are the same.
  explicit Tracker(double frame_rate, std::unique_ptr<TrackAssociation> association = nullptr)
      : frame_s_(1 / frame_rate), association_(std::move(association)) {}
  void set_parameters(const TrackingParameters& parameters) { parameters_ = parameters; }

  // The detections of one frame and the peaks rejected in it; frames come in order, some may be missing. Per
  // detection its track. Errors: those of the association, after which the memory is that of no frame.
  Result<std::vector<TrackedPerson>> update(int64_t frame, std::span<const FloorDetection> detections,
                                            std::span<const FloorDetection> rejected = {},
                                            Sight sight = Sight::whole);

  const TrackerMemory& memory() const { return memory_; }
  void restore(TrackerMemory memory) { memory_ = std::move(memory); }
  void reset() { memory_ = {}; }

 private:
  // The parameters' limits for one frame.
  struct Limits {
    double max_speed_m_per_s = 0, smoothing_s = 0;
    int64_t keep_frames = 0;
    int64_t confirm_span = 0;  // frames from the first to the last detection
  };
  Limits limits(int64_t frame) const;
  std::vector<ExpectedTrack> expected(int64_t frame, double max_speed_m_per_s) const;
  Result<std::vector<int32_t>> associate(int64_t frame, std::span<const ExpectedTrack> tracks,
                                         std::span<const FloorDetection> detections) const;
  bool follow_hidden(int64_t frame, std::span<const FloorDetection> detections,
                     std::span<const int32_t> track_of, std::span<const FloorDetection> rejected,
                     double smoothing_s, std::vector<ExpectedTrack>* tracks);
  void take(int64_t frame, std::span<const ExpectedTrack> tracks, std::span<const FloorDetection> detections,
            double smoothing_s, std::vector<int32_t>* track_of);
  TrackerMemory::Track* lost_beside(const TrackerMemory::Track& track, int64_t frame);
  void give_number(TrackerMemory::Track& track, int64_t frame);
  void follow(TrackerMemory::Track& track, int64_t frame, const FloorDetection& seen,
              double smoothing_s) const;

  double frame_s_;
  std::unique_ptr<TrackAssociation> association_;
  TrackingParameters parameters_;
  TrackerMemory memory_;
};

}  // namespace vantage
