#include "app/cli/run/reported_run.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "app/cli/run/run_live.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/live/live_relay.h"
#include "core/live/recording_writer.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/memory_needed.h"
#include "core/project/project_store.h"
#include "core/results/results_live.h"
#include "core/results/results_reader.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

double ratio(double sum, double count) {
  return count > 0 ? sum / count : 0;
}

double frames_per_s(const RunSummary& s) {
  return ratio(static_cast<double>(s.frames), s.seconds);
}

// Without the first frame, which includes opening; nothing: there was no other.
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
  const std::string why = people->stopped_at.substr(0, people->stopped_at.find(':'));
  if (!people_count(result))
    ++summary->unknown_for[why];
  else if (!are_carried(result) && !why.empty())
    summary->stopped_at[why].push_back(result.frame);
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
    fmt::print("number of people unknown, {} tracks\n", s.tracks.count());
  else if (s.known_frames < s.volumes)
    fmt::print("people {:.1f} on average over {} of {} frames, {} tracks\n", mean_people(s), s.known_frames,
               s.volumes, s.tracks.count());
  else
    fmt::print("people {:.1f} on average, {} tracks\n", mean_people(s), s.tracks.count());
  if (s.carried_frames > 0)
    fmt::print("people carried over between the detector's frames in {} frames\n", s.carried_frames);
  for (const auto& [sentence, frames] : s.unknown_for)
    fmt::print("people unknown in {} frames: {}\n", frames, sentence);
  for (const auto& [sentence, frames] : s.stopped_at)
    fmt::print("no one in {} frames: {}\n", frames.size(), sentence);
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

Status RunSummary::count_people() {
  VANTAGE_ASSIGN(ResultsReader reader, ResultsReader::open(std::filesystem::path(results) / "results.jsonl"));
  std::vector<int64_t> with_people;
  for (;;) {
    VANTAGE_ASSIGN(const std::vector<StoredFrame> read, reader.next());
    if (read.empty()) break;
    for (const StoredFrame& frame : read) {
      // Where the number of people is unknown some may still be known, and are in the tracks.
      for (const FloorPerson& person : frame.people)
        if (person.id > 0) tracks.add(person.id);
      if (frame.people_count < 0) continue;
      ++known_frames;
      people_sum += frame.people_count;
      carried_frames += frame.carried;
      if (frame.people_count > 0) with_people.push_back(frame.frame);
    }
  }
  for (auto& [sentence, frames] : stopped_at)
    std::erase_if(frames, [&](int64_t frame) { return std::ranges::binary_search(with_people, frame); });
  std::erase_if(stopped_at, [](const auto& one) { return one.second.empty(); });
  return {};
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
  fmt::print("{} frames in {:.1f} s ({:.1f} frames/s) on {}\n", s.frames, s.seconds, frames_per_s(s),
             backends.description);
  if (const auto steady = steady_frames_per_s(s))
    fmt::print("opening {:.1f} s, then {:.1f} frames/s\n", s.opening_s.value_or(0), *steady);
  if (s.litres_frames > 0) fmt::print("volume {:.1f} litres on average\n", mean_litres(s));
  if (s.volumes > 0) print_people(s);
  if (s.height_maps > 0)
    fmt::print("height map: {:.1f} heads on average, {:.1f} of them joined with people\n", mean_heads(s),
               mean_joined_heads(s));
  for (const CameraDetector& detector : s.detectors)
    if (detector.state.fault != DetectorFault::none)
      fmt::print("{}\n", describe(detector.state, detector.camera));
  if (s.events) fmt::print("{} events\n", *s.events);
  if (s.live) print_health(*s.live);
  if (s.recording) print_recording(*s.recording);
  for (const EndedRecording& recording : s.event_recordings) print_recording(recording);
  fmt::print("results in {}\n", s.results);
}

void OffsetReport::add(const OffsetProposal& proposal, bool applied) {
  proposal.delay_s ? add_delay(proposal, applied) : add_frames(proposal, applied);
}

void OffsetReport::add_applied(const AppliedOffset& applied) {
  add(applied.proposal, true);
  changes_[applied.proposal.camera].push_back(applied.change);
}

void OffsetReport::add_frames(const OffsetProposal& proposal, bool applied) {
  const std::string& name = project_.cameras[proposal.camera].name;
  fmt::print(stderr, "frame {}: {} is {} frames {}, confidence {:.3f}{}\n", proposal.base_frame, name,
             std::abs(proposal.frames), proposal.frames > 0 ? "behind" : "ahead", proposal.confidence,
             applied ? "; corrected from the next frame on" : "");
  proposals_.push_back({{"camera", name},
                        {"base_frame", proposal.base_frame},
                        {"frames", proposal.frames},
                        {"confidence", proposal.confidence},
                        {"since", proposal.since},
                        {"applied", applied}});
}

void OffsetReport::add_delay(const OffsetProposal& proposal, bool applied) {
  const std::string& name = project_.cameras[proposal.camera].name;
  fmt::print(stderr, "frame set {}: what {} shows is {:.3f} s {} than what {} shows, confidence {:.3f}{}\n",
             proposal.base_frame, name, std::abs(*proposal.delay_s),
             *proposal.delay_s > 0 ? "older" : "younger", project_.cameras.front().name, proposal.confidence,
             applied ? "; corrected" : "");
  proposals_.push_back({{"camera", name},
                        {"base_frame", proposal.base_frame},
                        {"delay_s", *proposal.delay_s},
                        {"confidence", proposal.confidence},
                        {"applied", applied}});
}

Status OffsetReport::write(const std::string& folder) const {
  nlohmann::ordered_json changes = nlohmann::ordered_json::object();
  for (size_t c = 0; c < changes_.size(); ++c)
    for (const OffsetChange& change : changes_[c])
      changes[project_.cameras[c].name].push_back(
          {{"base_frame", change.base_frame}, {"frames", change.frames}});
  nlohmann::ordered_json report = {{"proposals", proposals_}, {"offset_changes", changes}};
  if (live_) report["live_delays_s"] = project_.live_delays_s();
  return write_file_atomically(folder + "/offsets.json", json_text(report, 1) + "\n");
}

Status OffsetReport::write_project(const std::string& folder) const {
  const auto put_into = [&](Project& stored) -> Status {
    if (stored.cameras.size() != project_.cameras.size())
      return fail(ErrorKind::bad_data, "has other cameras now; the offsets were not written",
                  stored.path.string(), "They are in " + folder + "/offsets.json.");
    for (size_t c = 1; c < stored.cameras.size(); ++c) {
      stored.cameras[c].live_delay_s = project_.cameras[c].live_delay_s;
      for (const OffsetChange& change : changes_[c]) stored.cameras[c].offset_changes.push_back(change);
    }
    return {};
  };
  VANTAGE_ASSIGN(const Project written, change_project_file(project_.path, put_into));
  tell_who_has_it(written.path);
  return {};
}

namespace {

OffsetWatch offset_watch(const std::string& name) {
  if (name == "apply") return OffsetWatch::apply;
  return name == "propose" ? OffsetWatch::propose : OffsetWatch::off;
}

double seconds_between(int64_t start_ns, int64_t end_ns) {
  return static_cast<double>(end_ns - start_ns) * 1e-9;
}

RunOptions run_options(const OpenedChain& chain, std::shared_ptr<ResultsWatcher> watcher) {
  return {chain.backends.on_device(chain.trace.get()), chain.backends.description, std::move(watcher)};
}

}  // namespace

ReportedRun::ReportedRun(const RunArguments& options, OpenedChain& chain, const FrameRange& range,
                         std::unique_ptr<server::ResultServer> server)
    : options_(options),
      chain_(chain),
      range_(range),
      offsets_(chain.project, chain.analysis->live() != nullptr),
      served_(server ? std::make_shared<ServedRun>(std::move(server), options.serve, chain.trace.get())
                     : nullptr),
      run_(chain.project, run_options(chain, served_), *this) {
  run_.attach(*chain.analysis);
  run_.offsets().set_mode(offset_watch(options.offsets));
  if (run_.offsets().mode() != OffsetWatch::off) check_or_fail(run_.offsets().prepare());
  if (chain.analysis->live()) {
    check_or_fail(run_.watch_rules());
    if (chain.project.parameters.get<RecordingParameters>().events) run_.prepare_recordings();
  }
  open_push_or_fail();
  if (!options.live.record.empty()) check_or_fail(run_.record(options.live.record, LiveRelay::kNewest));
  begin_results_or_fail();
}

// Events of a recording are sent only if the user requests it.
void ReportedRun::open_push_or_fail() {
  const bool live = chain_.analysis->live() != nullptr;
  if (options_.push == "never" || (options_.push == "live" && !live)) return;
  check_or_fail(run_.open_push(nullptr));
  if (run_.push() && !live) check_or_fail(run_.watch_rules());
}

void ReportedRun::begin_results_or_fail() {
  summary_.results = options_.out.empty() ? run_.results_project().results_folder().string() : options_.out;
  RunDescription description = value_or_fail(run_.describe());
  description.pictures = options_.pictures;
  ResultsOptions results;
  results.folder = summary_.results;
  if (!chain_.analysis->live()) results.frames = range_.end - range_.begin;
  results.figures_suffice = !served_ && !run_.push() && run_.offsets().mode() == OffsetWatch::off;
  check_or_fail(run_.begin_results(std::move(description), results));
  if (served_) check_or_fail(served_->status());
}

Status ReportedRun::analyse() {
  const StopSource& stop = interrupted();
  if (const LiveFrameSource* cameras = chain_.analysis->live()) {
    LiveProgress progress;
    return run_.follow(options_.live.seconds, stop, [&](const FrameResultRef& result) {
      if (!writing_failed_) summary_.add(*result);
      progress.update(*cameras);
      return true;
    });
  }
  Progress progress("run");
  const int64_t start_ns = trace_now_ns();
  int64_t first_ns = 0;
  const auto mode = options_.sequential ? ExecutionMode::sequential : ExecutionMode::threaded;
  return run_.analyse(range_, mode, stop, [&](const FrameResultRef& result) {
    summary_.add(*result);
    const int64_t now_ns = trace_now_ns();
    if (!summary_.opening_s) first_ns = now_ns, summary_.opening_s = seconds_between(start_ns, now_ns);
    summary_.steady_s = seconds_between(first_ns, now_ns);
    progress.update(result->frame + 1 - range_.begin, range_.end - range_.begin);
    return true;
  });
}

void ReportedRun::on_offset_proposal(const OffsetProposal& proposal) {
  offsets_.add(proposal, false);
}

void ReportedRun::on_offset_applied(const AppliedOffset& applied) {
  const auto camera = static_cast<size_t>(applied.proposal.camera);
  chain_.project.cameras[camera].offset_changes.push_back(applied.change);
  offsets_.add_applied(applied);
}

void ReportedRun::on_delays(const std::vector<OffsetProposal>& proposals) {
  for (const OffsetProposal& proposal : proposals) {
    chain_.project.cameras[proposal.camera].live_delay_s += *proposal.delay_s;
    offsets_.add(proposal, true);
  }
  run_.correct_delays();
}

void ReportedRun::on_events(const std::vector<FloorEvent>& events) {
  for (const FloorEvent& event : events)
    fmt::print(stderr, "event  {}{} {}, x {:.2f} m, y {:.2f} m\n", event.rule,
               event.id > 0 ? (": person " + std::to_string(event.id)).c_str() : "",
               event.last_frame.value_or(event.raised_frame) > event.raised_frame ? "is over" : "raised",
               event.x_m, event.y_m);
}

// Only the streams: the results of all sets are written anyway.
void ReportedRun::on_event_to_record(int64_t raised_frame) {
  if (run_.recorder()) return;
  const Status begun = run_.record(recording_path(chain_.project.path), raised_frame);
  recording_events_ = begun.has_value();
  if (begun) return;
  log_error("the event is not recorded: " + begun.error().message());
  failed_.push_back(begun.error());
}

void ReportedRun::on_events_over() {
  if (!std::exchange(recording_events_, false)) return;
  if (auto ended = run_.finish_recording()) summary_.event_recordings.push_back(std::move(*ended));
}

void ReportedRun::on_writing_failed(const Error& error) {
  log_error("results can no longer be written; the cameras are still analysed: " + error.message());
  writing_failed_ = true;
  failed_.push_back(error);
}

void ReportedRun::on_watching_failed(const Error& error) {
  log_error("the cameras' offsets can no longer be watched: " + error.message());
  failed_.push_back(error);
}

void ReportedRun::finish_push() {
  constexpr double kPatience_s = 5;
  if (!run_.push()) return;
  const bool sent = run_.push()->finish(kPatience_s, StopSource());
  for (const PushState& state : run_.push()->states())
    fmt::print(stderr, "push  {}: {} delivered, {} wait{}{}\n", state.target, state.delivered, state.waiting,
               state.problem.empty() ? "" : "; ", state.problem);
  if (!sent) fmt::print(stderr, "push  what waits is sent next time, or by `vantage-cli push send`\n");
}

std::vector<Error> ReportedRun::finish() {
  if (chain_.analysis->live()) summary_.live = run_.live_health();
  const std::vector<DetectorState> detectors = run_.detectors();
  for (size_t i = 0; i < detectors.size(); ++i)
    summary_.detectors.push_back({chain_.project.cameras[i].name, detectors[i]});
  on_events_over();
  summary_.recording = run_.finish_recording();
  const Status written = run_.end_results().status;
  const Status counted = written ? summary_.count_people() : Status();
  finish_push();
  Status reported;
  if (written && run_.offsets().mode() != OffsetWatch::off) {
    reported = offsets_.write(summary_.results);
    if (reported && options_.write_offsets) reported = offsets_.write_project(summary_.results);
  }
  std::vector<Error> errors = std::move(failed_);
  for (const Status& part :
       {written, counted, reported, summary_.recording ? summary_.recording->status : Status()})
    if (!part) errors.push_back(part.error());
  for (const EndedRecording& recording : summary_.event_recordings)
    if (!recording.status) errors.push_back(recording.status.error());
  return errors;
}

void ReportedRun::print(double seconds) {
  summary_.seconds = seconds;
  if (run_.has_rules()) summary_.events = run_.events_raised();
  if (served_) summary_.served = served_->url();
  (options_.json ? print_summary_json : print_summary)(summary_, chain_.backends);
}

}  // namespace vantage::cli
