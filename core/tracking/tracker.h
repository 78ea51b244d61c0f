// Tracks on the floor by greedy association: each frame the nearest pair of track and detection inside the
// gate is joined first (association.h), and so on; tracks with a number go before those without. Equal
// distances: the older track, then the earlier detection. Filter, ghosts and handing over of numbers:
// resources/docs/algorithms/tracking.md.
//
//   gate = gate_m + max_speed_m_per_s * (time since it was seen)
//
// A track goes on at constant speed while it is not seen, for kCoast_s at most. The distance of a detection d
// from the predicted position is sqrt(d^2 + (height_weight h)^2), h the difference of heights. Place and
// speed are those of a fading-memory filter (N. Morrison, 1969), height the mean over kHeight_s. A detection
// that joins no track starts one, with a number (from 1, never reused) once it was seen in confirm_frames
// examined frames in a row. A track with an ID may continue with a rejected peak within kHidden_m; no one is
// given out for one. While a camera is away (Sight::reduced), and kRecovery_s after, numbers take
// outage_confirm_s, lost tracks are kept for outage_keep_s; within rejoin_m a lost track hands its number on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/parameters.h"
#include "core/tracking/association.h"

namespace vantage {

// The tracker that numbers the people of a run's results: this tracker, or core/tracking/paths, which takes
// this one's place when all frames are there. Automatic: paths in recordings, this tracker live.
enum class TrackingMethod : uint8_t { greedy, paths, automatic };
constexpr bool is_by_paths(TrackingMethod method, bool live) {
  return method == TrackingMethod::automatic ? !live : method == TrackingMethod::paths;
}

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
    int64_t found_frame = 0;                  // the last that a person was found in
    int hits = 0;
    int64_t sure_frame = 0;  // from which on it may go on with a rejected peak
  };
  std::vector<Track> tracks;  // oldest first
  int64_t next_id = 1;
  int64_t last_frame = -1;      // that was examined
  int64_t recovered_frame = 0;  // the first that no outage before it concerns
};

class Tracker {
 public:
  // At higher rates looks count as many times as they do at this one.
  static constexpr double kConfirmRate = 25;
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
    int64_t confirm_span = 0;    // frames from the first to the last detection
    int64_t confirm_missed = 0;  // of those, how many in a row may be without one
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
