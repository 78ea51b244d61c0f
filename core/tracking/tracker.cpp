#include "core/tracking/tracker.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage {
namespace {

struct Place {
  double x_m, y_m;
};
Place predict(const TrackerMemory::Track& track, double passed_s) {
  const double coast_s = std::min(passed_s, Tracker::kCoast_s);
  return {track.x_m + track.speed_x * coast_s, track.y_m + track.speed_y * coast_s};
}

}  // namespace

Sight sight_of(int cameras, int without_picture) {
  constexpr int kShare = 8;
  return kShare * without_picture >= cameras && without_picture > 0 ? Sight::reduced : Sight::whole;
}

// The expected positions of the tracks in this frame.
std::vector<ExpectedTrack> Tracker::expected(int64_t frame, double max_speed_m_per_s) const {
  std::vector<ExpectedTrack> expected;
  for (const TrackerMemory::Track& track : memory_.tracks) {
    const double unseen_s = static_cast<double>(frame - track.last_frame) * frame_s_;
    const auto [x_m, y_m] = predict(track, unseen_s);
    const double gate_m = parameters_.gate_m + max_speed_m_per_s * unseen_s;
    expected.push_back({x_m, y_m, track.height_m, gate_m, track.id > 0 ? 0 : 1});
  }
  return expected;
}

// Per detection the index of its track, -1 where none is near enough.
Result<std::vector<int32_t>> Tracker::associate(int64_t frame, std::span<const ExpectedTrack> tracks,
                                                std::span<const FloorDetection> detections) const {
  const AssociationProblem problem{tracks, detections, parameters_.height_weight};
  const bool many = tracks.size() * detections.size() >= static_cast<size_t>(parameters_.device_from_pairs);
  if (association_ && many) return association_->associate(problem, frame);
  return associate_greedily(problem);
}

Tracker::Limits Tracker::limits(int64_t frame) const {
  const auto frames = [&](double seconds) { return static_cast<int64_t>(std::floor(seconds / frame_s_)); };
  const double looks = std::max(1.0, 1 / (kConfirmRate * frame_s_));  // for each that is asked for
  const auto span = static_cast<int64_t>(std::floor((parameters_.confirm_frames - 1) * looks)) + 1;
  const auto missed = static_cast<int64_t>(std::floor(looks)) - 1;
  if (frame >= memory_.recovered_frame)
    return {parameters_.max_speed_m_per_s, parameters_.smoothing_s, frames(parameters_.keep_s), span, missed};
  return {kOutageSpeed * parameters_.max_speed_m_per_s, kOutageSmoothing * parameters_.smoothing_s,
          frames(std::max(parameters_.keep_s, parameters_.outage_keep_s)),
          std::max(span, frames(parameters_.outage_confirm_s)), missed};
}

void Tracker::follow(TrackerMemory::Track& track, int64_t frame, const FloorDetection& seen,
                     double smoothing_s) const {
  const double passed_s = static_cast<double>(frame - track.last_frame) * frame_s_;
  const double n = ++track.hits;
  const double theta = std::exp(-passed_s / smoothing_s);
  const double place_weight = std::max(1 - theta * theta, 2 * (2 * n - 1) / (n * (n + 1)));
  const double speed_weight = std::max((1 - theta) * (1 - theta), 6 / (n * (n + 1)));
  const auto [x_m, y_m] = predict(track, passed_s);
  const double dx = seen.x_m - x_m, dy = seen.y_m - y_m;
  track.x_m = x_m + place_weight * dx, track.y_m = y_m + place_weight * dy;
  track.speed_x += speed_weight * dx / passed_s, track.speed_y += speed_weight * dy / passed_s;
  const double height_weight = std::max(1 - std::exp(-passed_s / kHeight_s), 1 / n);
  track.height_m += height_weight * (seen.height_m - track.height_m);
  track.last_frame = frame;
}

// Tracks whose people a rejected peak shows go on with it and take no detection; whether there are any.
bool Tracker::follow_hidden(int64_t frame, std::span<const FloorDetection> detections,
                            std::span<const int32_t> track_of, std::span<const FloorDetection> rejected,
                            double smoothing_s, std::vector<ExpectedTrack>* tracks) {
  constexpr double kNothing_m = -1;
  std::vector<ExpectedTrack> near = *tracks;
  for (size_t t = 0; t < near.size(); ++t) {
    const TrackerMemory::Track& track = memory_.tracks[t];
    const bool sure = frame >= std::max(track.sure_frame, memory_.recovered_frame);
    near[t].gate_m = track.id > 0 && sure ? kHidden_m : kNothing_m;
  }
  for (size_t d = 0; d < detections.size(); ++d) {
    if (track_of[d] < 0) continue;
    ExpectedTrack& track = near[track_of[d]];
    if (association::in_gate(track, association::weight_m2(track, detections[d], parameters_.height_weight)))
      track.gate_m = kNothing_m;
  }
  const std::vector<int32_t> hidden = associate_greedily({near, rejected, parameters_.height_weight});
  for (size_t r = 0; r < rejected.size(); ++r) {
    if (hidden[r] < 0) continue;
    const auto track = static_cast<size_t>(hidden[r]);
    follow(memory_.tracks[track], frame, rejected[r], smoothing_s);
    (*tracks)[track].gate_m = kNothing_m;
  }
  return std::any_of(hidden.begin(), hidden.end(), [](int32_t track) { return track >= 0; });
}

// Detections join their tracks; one without begins its own.
void Tracker::take(int64_t frame, std::span<const ExpectedTrack> tracks,
                   std::span<const FloorDetection> detections, double smoothing_s,
                   std::vector<int32_t>* track_of) {
  for (size_t d = 0; d < detections.size(); ++d) {
    const FloorDetection& seen = detections[d];
    if ((*track_of)[d] < 0) {
      (*track_of)[d] = static_cast<int32_t>(memory_.tracks.size());
      memory_.tracks.push_back({0, seen.x_m, seen.y_m, 0, 0, seen.height_m, frame, frame, frame, 1});
      continue;
    }
    const auto t = static_cast<size_t>((*track_of)[d]);
    const double away_m2 = association::weight_m2(tracks[t], seen, parameters_.height_weight);
    if (away_m2 > kDoubt_m * kDoubt_m)
      memory_.tracks[t].sure_frame = frame + 1 + static_cast<int64_t>(std::floor(kDoubt_s / frame_s_));
    follow(memory_.tracks[t], frame, seen, smoothing_s);
    memory_.tracks[t].found_frame = frame;
  }
}

// The nearest lost track that expected its person where `track` began, or null.
TrackerMemory::Track* Tracker::lost_beside(const TrackerMemory::Track& track, int64_t frame) {
  const auto seconds = [&](int64_t frames) { return static_cast<double>(frames) * frame_s_; };
  const Place first = predict(track, -seconds(frame - track.first_frame));
  TrackerMemory::Track* nearest = nullptr;
  double nearest_m2 = 0;
  for (TrackerMemory::Track& lost : memory_.tracks) {
    const bool shown = lost.found_frame == frame || lost.last_frame > lost.found_frame;
    if (lost.id == 0 || shown || lost.found_frame > track.first_frame) continue;
    const Place place = predict(lost, seconds(track.first_frame - lost.last_frame));
    const ExpectedTrack expected{place.x_m, place.y_m, lost.height_m, parameters_.rejoin_m, 0};
    const double away_m2 =
        association::weight_m2(expected, {first.x_m, first.y_m, track.height_m}, parameters_.height_weight);
    if (!association::in_gate(expected, away_m2) || (nearest && away_m2 >= nearest_m2)) continue;
    nearest = &lost, nearest_m2 = away_m2;
  }
  return nearest;
}

// A new one, or that of a lost track, which then has none and is forgotten.
void Tracker::give_number(TrackerMemory::Track& track, int64_t frame) {
  TrackerMemory::Track* lost = lost_beside(track, frame);
  if (!lost)
    track.id = memory_.next_id++;
  else if (static_cast<double>(frame - track.first_frame) * frame_s_ >= kRejoin_s)
    std::swap(track.id, lost->id);
}

Result<std::vector<TrackedPerson>> Tracker::update(int64_t frame, std::span<const FloorDetection> detections,
                                                   std::span<const FloorDetection> rejected, Sight sight) {
  if (sight == Sight::reduced)
    memory_.recovered_frame = frame + 1 + static_cast<int64_t>(std::floor(kRecovery_s / frame_s_));
  const Limits now = limits(frame);
  std::erase_if(memory_.tracks, [&](const TrackerMemory::Track& track) {
    const int64_t missed = frame - track.found_frame - 1;
    return track.id == 0 ? track.found_frame < memory_.last_frame - now.confirm_missed
                         : missed > now.keep_frames;
  });
  std::vector<ExpectedTrack> tracks = expected(frame, now.max_speed_m_per_s);
  VANTAGE_ASSIGN(std::vector<int32_t> track_of, associate(frame, tracks, detections));
  if (follow_hidden(frame, detections, track_of, rejected, now.smoothing_s, &tracks)) {
    VANTAGE_ASSIGN(track_of, associate(frame, tracks, detections));
  }
  take(frame, tracks, detections, now.smoothing_s, &track_of);
  std::vector<TrackedPerson> tracked;
  for (const int32_t t : track_of) {
    TrackerMemory::Track& track = memory_.tracks[t];
    if (track.id == 0 && track.hits >= parameters_.confirm_frames &&
        frame - track.first_frame + 1 >= now.confirm_span)
      give_number(track, frame);
    tracked.push_back({track.id, track.x_m, track.y_m, track.height_m, track.speed_x, track.speed_y});
  }
  memory_.last_frame = frame;
  return tracked;
}

template <>
const ParameterTable& parameter_table<TrackingParameters>() {
  using P = TrackingParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "tracking", "Tracks",
      {
          choice<&P::method>("Tracker", {"greedy", "paths", "automatic"},
                             "greedy assigns IDs frame by frame; paths assigns them again from all frames "
                             "together when the analysis ends; automatic: paths in recordings, greedy live."),
          real<&P::max_speed_m_per_s>("Maximum speed", "m/s", 0.5, 12,
                                      "How fast a person may leave the predicted path."),
          real<&P::keep_s>("Keep lost tracks", "s", 0, 10,
                           "How long a track waits for a person whom no camera sees."),
          real<&P::outage_keep_s>("Keep during an outage", "s", 0, 10,
                                  "The same while a camera delivers no pictures, if that is longer.", expert),
          integer<&P::confirm_frames>("Frames to confirm", "frames", 1, 50,
                                      "Detections in a row before a new person gets an ID; at more than 25 "
                                      "frames/s for as long as so many take there.",
                                      expert),
          real<&P::outage_confirm_s>(
              "Confirm during an outage", "s", 0, 10,
              "Time of such detections while a camera delivers no pictures, if that is longer.", expert),
          real<&P::gate_m>("Gate", "m", 0.05, 2,
                           "Distance from the predicted position that always counts as the same person.",
                           expert),
          real<&P::rejoin_m>(
              "Rejoin within", "m", 0, 5,
              "A new person this close to where a lost one was expected gets its ID; 0: never.", expert),
          real<&P::height_weight>(
              "Height weight", "", 0, 10,
              "Metres on the floor that a metre of difference in height counts as; 0: only positions count.",
              expert),
          real<&P::smoothing_s>(
              "Smoothing", "s", 0.02, 5,
              "Time over which positions and speeds are averaged; longer follows turns more slowly.", expert),
          integer<&P::device_from_pairs>(
              "Pairs for the GPU", "pairs", 0, 1'000'000'000,
              "From so many pairs of track and detection on they are associated on the GPU, where the "
              "analysis has one; fewer are faster on the CPU, with the same result.",
              expert),
      });
  return table;
}

}  // namespace vantage
