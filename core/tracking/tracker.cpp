#include "core/tracking/tracker.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage {

// Per detection the index of its track, -1 where none is near enough.
std::vector<int> Tracker::associate(int64_t frame, std::span<const TrackDetection> detections) const {
  struct Pair {
    double distance_m;
    int track, detection;
  };
  std::vector<Pair> pairs;
  for (size_t t = 0; t < memory_.tracks.size(); ++t) {
    const TrackerMemory::Track& track = memory_.tracks[t];
    const double unseen_s = static_cast<double>(frame - track.last_frame) * frame_s_;
    const double x_m = track.x_m + track.speed_x * unseen_s, y_m = track.y_m + track.speed_y * unseen_s;
    const double gate_m = parameters_.gate_m + parameters_.max_speed_m_per_s * unseen_s;
    for (size_t d = 0; d < detections.size(); ++d) {
      const double distance_m = std::hypot(detections[d].x_m - x_m, detections[d].y_m - y_m);
      if (distance_m <= gate_m) pairs.push_back({distance_m, static_cast<int>(t), static_cast<int>(d)});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.distance_m < b.distance_m; });
  std::vector<int> track_of(detections.size(), -1);
  std::vector<bool> taken(memory_.tracks.size());
  for (const Pair& pair : pairs) {
    if (taken[static_cast<size_t>(pair.track)] || track_of[static_cast<size_t>(pair.detection)] >= 0)
      continue;
    taken[static_cast<size_t>(pair.track)] = true;
    track_of[static_cast<size_t>(pair.detection)] = pair.track;
  }
  return track_of;
}

void Tracker::follow(TrackerMemory::Track& track, int64_t frame, const TrackDetection& seen) const {
  const double passed_s = static_cast<double>(frame - track.last_frame) * frame_s_;
  const double weight = 1 - std::exp(-passed_s / parameters_.smoothing_s);
  track.speed_x += weight * ((seen.x_m - track.x_m) / passed_s - track.speed_x);
  track.speed_y += weight * ((seen.y_m - track.y_m) / passed_s - track.speed_y);
  track.height_m += weight * (seen.height_m - track.height_m);
  track.x_m = seen.x_m, track.y_m = seen.y_m;
  track.last_frame = frame;
  ++track.hits;
}

std::vector<TrackedDetection> Tracker::update(int64_t frame, std::span<const TrackDetection> detections) {
  const auto keep = static_cast<int64_t>(std::floor(parameters_.keep_s / frame_s_));
  std::erase_if(memory_.tracks, [&](const TrackerMemory::Track& track) {
    const int64_t missed = frame - track.last_frame - 1;
    return track.id == 0 ? missed > 0 : missed > keep;
  });
  std::vector<int> track_of = associate(frame, detections);
  std::vector<TrackedDetection> tracked;
  for (size_t d = 0; d < detections.size(); ++d) {
    const TrackDetection& seen = detections[d];
    if (track_of[d] < 0) {
      track_of[d] = static_cast<int>(memory_.tracks.size());
      memory_.tracks.push_back({0, seen.x_m, seen.y_m, 0, 0, seen.height_m, frame, 1});
    } else {
      follow(memory_.tracks[static_cast<size_t>(track_of[d])], frame, seen);
    }
    TrackerMemory::Track& track = memory_.tracks[static_cast<size_t>(track_of[d])];
    if (track.id == 0 && track.hits >= parameters_.confirm_frames) track.id = memory_.next_id++;
    tracked.push_back({track.id, track.x_m, track.y_m, track.height_m});
  }
  return tracked;
}

}  // namespace vantage
