#include "app/cli/run/run_summary.h"

#include <cstdio>

#include "app/cli/common/command.h"
#include "app/cli/run/run_live.h"
#include "core/base/json.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/known_volume.h"
#include "core/results/results_live.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

double ratio(double sum, double count) {
  return count > 0 ? sum / count : 0;
}

double frames_per_s(const RunSummary& s) {
  return ratio(static_cast<double>(s.frames), s.seconds);
}

// Without the first, which the opening ends with; nothing: there was no other.
std::optional<double> steady_frames_per_s(const RunSummary& s) {
  if (s.frames < 2 || s.steady_s.value_or(0) <= 0) return std::nullopt;
  return static_cast<double>(s.frames - 1) / *s.steady_s;
}

double mean_litres(const RunSummary& s) {
  return ratio(s.litres_sum, static_cast<double>(s.litres_frames));
}

double mean_people(const RunSummary& s) {
  return ratio(static_cast<double>(s.people_sum), static_cast<double>(s.known_frames));
}

double mean_heads(const RunSummary& s) {
  return ratio(static_cast<double>(s.map_heads), static_cast<double>(s.height_maps));
}

double mean_joined_heads(const RunSummary& s) {
  return ratio(static_cast<double>(s.joined_heads), static_cast<double>(s.height_maps));
}

void add_people(const FrameResult& result, RunSummary* summary) {
  const PeopleArtifact* people = result.people();
  if (!people) return;
  // Where the number of people is unknown some of them may be known, and stand in the tracks.
  for (const FramePerson& person : people_of(result))
    if (person.id() > 0) summary->tracks.add(person.id());
  const std::string why = people->stopped_at.substr(0, people->stopped_at.find(':'));
  const std::optional<size_t> count = people_count(result);
  if (!count) {
    ++summary->unknown_for[why];
    return;
  }
  ++summary->known_frames;
  summary->people_sum += static_cast<int64_t>(*count);
  if (are_carried(result))
    ++summary->carried_frames;
  else if (!why.empty())
    ++summary->stopped_at[why];
}

void add_height_map(const FrameResult& result, RunSummary* summary) {
  const HeightEstimate* map = result.height_map();
  if (!map) return;
  ++summary->height_maps;
  summary->map_heads += static_cast<int64_t>(map->heads.size());
  for (const JoinedHead& joined : result.joined_heads()->joined) summary->joined_heads += joined.person >= 0;
}

void print_people(const RunSummary& s) {
  if (s.known_frames == 0)
    std::printf("number of people unknown, %zu tracks\n", s.tracks.count());
  else if (s.known_frames < s.volumes)
    std::printf("people %.1f on average over %lld of %lld frames, %zu tracks\n", mean_people(s),
                static_cast<long long>(s.known_frames), static_cast<long long>(s.volumes), s.tracks.count());
  else
    std::printf("people %.1f on average, %zu tracks\n", mean_people(s), s.tracks.count());
  if (s.carried_frames > 0)
    std::printf("people carried over between the detector's frames in %lld frames\n",
                static_cast<long long>(s.carried_frames));
  for (const auto& [sentence, frames] : s.unknown_for)
    std::printf("people unknown in %lld frames: %s\n", static_cast<long long>(frames), sentence.c_str());
  for (const auto& [sentence, frames] : s.stopped_at)
    std::printf("no one in %lld frames: %s\n", static_cast<long long>(frames), sentence.c_str());
}

ordered_json health_json(const LiveHealth& health) {
  return parse_ordered_json(live_health_json(health));
}

const char* fault_name(DetectorFault fault) {
  switch (fault) {
    case DetectorFault::none:
      return "none";
    case DetectorFault::blind:
      return "blind";
    case DetectorFault::doubled:
      return "doubled";
    case DetectorFault::shifted:
      return "shifted";
    case DetectorFault::late:
      return "late";
  }
  return "";
}

ordered_json detector_json(const CameraDetector& detector) {
  const DetectorState& state = detector.state;
  ordered_json out = {{"camera", detector.camera},  {"fault", fault_name(state.fault)},
                      {"expected", state.expected}, {"seen", state.seen},
                      {"boxes", state.boxes},       {"doubled", state.doubled}};
  if (state.compared >= DetectorWatch::kMinCompared) {
    out["shift_px"] = {state.shift_x_px, state.shift_y_px};
    out["shift_error_px"] = state.shift_error_px;
  }
  if (state.delay_error_frames > 0) {
    out["delay_frames"] = state.delay_frames;
    out["delay_error_frames"] = state.delay_error_frames;
  }
  return out;
}

ordered_json recording_json(const EndedRecording& recording) {
  const RecordingState& state = recording.state;
  return {{"project", recording.project.string()},
          {"seconds", state.seconds},
          {"bytes", state.bytes},
          {"lost_packets", state.lost_packets},
          {"problem", state.problem.empty() ? ordered_json() : ordered_json(state.problem)}};
}

}  // namespace

void RunSummary::add(const FrameResult& result) {
  ++frames;
  add_height_map(result, this);
  const CarvedVolume* volume = result.volume();
  if (!volume || !volume->counts.get()) return;
  ++volumes;
  if (known_volume(result)) {
    ++litres_frames;
    litres_sum += volume->grid.liters(volume->counts.get()->occupied);
  }
  add_people(result, this);
}

void print_summary_json(const RunSummary& s, const Backends& backends) {
  ordered_json out = {{"frames", s.frames}, {"seconds", s.seconds}, {"frames_per_second", frames_per_s(s)}};
  if (s.opening_s) out["opening_seconds"] = *s.opening_s;
  if (const auto steady = steady_frames_per_s(s)) out["steady_frames_per_second"] = *steady;
  out.update(
      {{"backend", device_name(backends.device)}, {"device", backends.description}, {"results", s.results}});
  out["frames_with_known_people"] = s.known_frames;
  out["frames_with_carried_people"] = s.carried_frames;
  out["mean_people"] = s.known_frames > 0 ? ordered_json(mean_people(s)) : ordered_json();
  out["tracks"] = s.tracks.count();
  out["mean_litres"] = s.litres_frames > 0 ? ordered_json(mean_litres(s)) : ordered_json();
  if (s.height_maps > 0)
    out["height_map"] = {{"mean_heads", mean_heads(s)}, {"mean_joined", mean_joined_heads(s)}};
  for (const CameraDetector& detector : s.detectors) out["detectors"].push_back(detector_json(detector));
  if (s.events) out["events"] = *s.events;
  if (!s.served.empty()) out["served"] = s.served;
  if (s.live) out["live"] = health_json(*s.live);
  if (s.recording) out["recording"] = recording_json(*s.recording);
  for (const EndedRecording& recording : s.event_recordings)
    out["event_recordings"].push_back(recording_json(recording));
  print_json(out);
}

void print_summary(const RunSummary& s, const Backends& backends) {
  std::printf("%lld frames in %.1f s (%.1f frames/s) on %s\n", static_cast<long long>(s.frames), s.seconds,
              frames_per_s(s), backends.description.c_str());
  if (const auto steady = steady_frames_per_s(s))
    std::printf("opening %.1f s, then %.1f frames/s\n", s.opening_s.value_or(0), *steady);
  if (s.litres_frames > 0) std::printf("volume %.1f litres on average\n", mean_litres(s));
  if (s.volumes > 0) print_people(s);
  if (s.height_maps > 0)
    std::printf("height map: %.1f heads on average, %.1f of them joined with people\n", mean_heads(s),
                mean_joined_heads(s));
  for (const CameraDetector& detector : s.detectors)
    if (detector.state.fault != DetectorFault::none)
      std::printf("%s\n", describe(detector.state, detector.camera).c_str());
  if (s.events) std::printf("%lld events\n", static_cast<long long>(*s.events));
  if (s.live) print_health(*s.live);
  if (s.recording) print_recording(*s.recording);
  for (const EndedRecording& recording : s.event_recordings) print_recording(recording);
  std::printf("results in %s\n", s.results.c_str());
}

}  // namespace vantage::cli
