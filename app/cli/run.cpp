#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/chain.h"
#include "app/cli/check_before_run.h"
#include "app/cli/offset_watch.h"
#include "app/cli/run_live.h"
#include "app/cli/served_run.h"
#include "app/cli/value_or_fail.h"
#include "core/base/different_numbers.h"
#include "core/base/log.h"
#include "core/project/results_events.h"
#include "core/project/results_live.h"
#include "core/project/results_writer.h"

namespace vantage::cli {
namespace {

struct RunOptions {
  ChainOptions chain;
  std::string out;
  std::string offsets = "keep";
  bool sequential = false, json = false, force = false, write_offsets = false;
  ResultsPictureOptions pictures;
  LiveRunOptions live;
  ServeOptions serve;
};

struct RunSummary {
  int64_t frames = 0;
  double seconds = 0;
  double litres_sum = 0;
  int64_t volumes = 0;
  int64_t people_sum = 0, known_frames = 0;  // frames whose count is known
  DifferentNumbers tracks;
  int64_t height_maps = 0, map_heads = 0, joined_heads = 0;  // heads of people that were found otherwise too
  std::string served;                                        // where; empty: nowhere
  std::optional<int64_t> events;                             // of live cameras whose project has rules
  std::optional<LiveHealth> live;             // when the last set was done: the cameras go on meanwhile
  std::map<std::string, int64_t> stopped_at;  // frames without people by where the search stopped
};

Result<RunDescription> describe(const OpenedChain& chain, const ResultsPictureOptions& pictures) {
  RunDescription run;
  run.pictures = pictures;
  if (chain.backends.device != Device::cpu) {
    VANTAGE_ASSIGN(run.transfer,
                   chain.backends.registry.create<MemoryTransfer>(
                       chain.backends.device, {chain.trace.get(), chain.backends.device_index}, {}));
  }
  run.device = chain.backends.device;
  run.device_description = chain.backends.description;
  Recording& recording = chain.analysis->recording();
  run.frame_rate = recording.frame_rate();
  for (int i = 0; i < recording.camera_count(); ++i) run.videos.push_back(recording.info(i));
  if (const VoxelGrid* grid = chain.analysis->grid()) run.grid = *grid;
  if (const FloorCoverage* coverage = chain.analysis->coverage()) run.coverage = *coverage;
  run.live = chain.analysis->live() != nullptr;
  return run;
}

void add_people(const FrameResult& result, RunSummary* summary) {
  const PeopleArtifact* people = result.people();
  if (!people) return;
  if (people->count_known()) {
    ++summary->known_frames;
    summary->people_sum += static_cast<int64_t>(people->found.people.size());
  }
  if (!people->stopped_at.empty())
    ++summary->stopped_at[people->stopped_at.substr(0, people->stopped_at.find(':'))];
  if (const TracksArtifact* tracks = result.tracks())
    for (const TrackedDetection& tracked : tracks->tracked)
      if (tracked.id > 0) summary->tracks.add(tracked.id);
}

void add_height_map(const FrameResult& result, RunSummary* summary) {
  const HeightEstimate* map = result.height_map();
  if (!map) return;
  ++summary->height_maps;
  summary->map_heads += static_cast<int64_t>(map->heads.size());
  for (const JoinedHead& joined : result.joined_heads()->joined) summary->joined_heads += joined.person >= 0;
}

void print_people(const RunSummary& s) {
  if (s.known_frames > 0)
    std::printf("people %.1f on average, %zu tracks\n",
                static_cast<double>(s.people_sum) / static_cast<double>(s.known_frames), s.tracks.count());
  else
    std::printf("number of people unknown: too few cameras see the floor\n");
  for (const auto& [sentence, frames] : s.stopped_at)
    std::printf("nobody in %lld frames: %s\n", static_cast<long long>(frames), sentence.c_str());
}

void add_to_summary(const FrameResult& result, RunSummary* summary) {
  ++summary->frames;
  add_height_map(result, summary);
  const CarvedVolume* volume = result.volume();
  if (!volume || !volume->counts.get()) return;
  add_people(result, summary);
  summary->litres_sum += volume->grid.liters(volume->counts.get()->occupied);
  ++summary->volumes;
}

nlohmann::ordered_json health_json(const LiveHealth& health) {
  return nlohmann::ordered_json::parse(live_health_json(health), nullptr, false);
}

nlohmann::ordered_json recording_json(const Recorder& recorder) {
  const RecordingState state = recorder.state();
  return {
      {"project", recorder.project().path.string()},
      {"seconds", state.seconds},
      {"bytes", state.bytes},
      {"lost_packets", state.lost_packets},
      {"problem", state.problem.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(state.problem)}};
}

void print_summary(const RunSummary& s, const OpenedChain& chain, const Recorder* recorder,
                   const std::string& folder, bool json) {
  const double rate = s.seconds > 0 ? static_cast<double>(s.frames) / s.seconds : 0;
  const double litres = s.volumes > 0 ? s.litres_sum / static_cast<double>(s.volumes) : 0;
  if (json) {
    nlohmann::ordered_json out = {{"frames", s.frames},
                                  {"seconds", s.seconds},
                                  {"frames_per_second", rate},
                                  {"backend", device_name(chain.backends.device)},
                                  {"device", chain.backends.description},
                                  {"results", folder}};
    out["mean_people"] =
        s.known_frames > 0
            ? nlohmann::ordered_json(static_cast<double>(s.people_sum) / static_cast<double>(s.known_frames))
            : nlohmann::ordered_json();
    out["tracks"] = s.tracks.count();
    out["mean_litres"] = s.volumes > 0 ? nlohmann::ordered_json(litres) : nlohmann::ordered_json();
    if (s.height_maps > 0)
      out["height_map"] = {
          {"mean_heads", static_cast<double>(s.map_heads) / static_cast<double>(s.height_maps)},
          {"mean_joined", static_cast<double>(s.joined_heads) / static_cast<double>(s.height_maps)}};
    if (s.events) out["events"] = *s.events;
    if (!s.served.empty()) out["served"] = s.served;
    if (s.live) out["live"] = health_json(*s.live);
    if (recorder) out["recording"] = recording_json(*recorder);
    std::printf("%s\n", out.dump(2).c_str());
    return;
  }
  std::printf("%lld frames in %.1f s (%.1f frames/s) on %s\n", static_cast<long long>(s.frames), s.seconds,
              rate, chain.backends.description.c_str());
  if (s.volumes > 0) std::printf("volume %.1f litres on average\n", litres);
  if (s.volumes > 0) print_people(s);
  if (s.height_maps > 0)
    std::printf("height map: %.1f heads on average, %.1f of them joined with people\n",
                static_cast<double>(s.map_heads) / static_cast<double>(s.height_maps),
                static_cast<double>(s.joined_heads) / static_cast<double>(s.height_maps));
  if (s.events) std::printf("%lld events\n", static_cast<long long>(*s.events));
  if (s.live) print_health(*s.live);
  if (recorder) print_recording(*recorder);
  std::printf("results in %s\n", folder.c_str());
}

void print_memory(const MemoryPlan& plan) {
  const bool on_device = plan.need.device_bytes() > 0;
  std::fprintf(stderr, "memory: at most %s; %s\n", memory_text(plan.need, plan.available).c_str(),
               shares_text(plan.need, on_device).c_str());
}

// What the command line asks for, or an error's exit.
FrameRange range_or_fail(const FrameRange& asked, const OpenedChain& chain) {
  if (!chain.analysis->live()) return cut_to_recording_or_fail(asked, chain.analysis->recording());
  return asked;  // refused before: live cameras have no frames to choose from
}

struct WatchedRules {
  RuleWatch rules;
  std::unique_ptr<EventWriter> file;
};

// Of recordings `count` finds the events, as often as one likes.
std::optional<WatchedRules> watch_rules_or_fail(const OpenedChain& chain, const std::string& folder) {
  const Project& project = chain.project;
  if (!chain.analysis->live() || project.rules.empty()) return std::nullopt;
  const double rate = chain.analysis->recording().frame_rate();
  RuleWatch rules = value_or_fail(RuleWatch::make(project.rules, project.zones, project.lines, rate));
  return WatchedRules{std::move(rules), value_or_fail(EventWriter::open(folder, rate))};
}

// Into the file only while the results are written.
Status tell_events(WatchedRules& watched, const FrameResult& result, const OpenedChain& chain, bool written) {
  const std::vector<FloorEvent> news = news_of(watched.rules, result);
  for (const FloorEvent& event : news)
    std::fprintf(stderr, "event  %s%s %s, x %.2f m, y %.2f m\n", event.rule.c_str(),
                 event.id > 0 ? (": person " + std::to_string(event.id)).c_str() : "",
                 event.last_frame.value_or(event.raised_frame) > event.raised_frame ? "is over" : "raised",
                 event.x_m, event.y_m);
  return written ? watched.file->write(news, chain.analysis->live()->start_utc_s()) : Status();
}

Project load_checked_or_fail(RunOptions* options) {
  Project project = load_project_or_fail(options->chain);
  options->chain.live = chosen_live_options(options->live, project);
  if (!options->chain.live)
    check_before_run(project, options->chain.backend, options->out, options->force);
  else if (!options->chain.frames.empty())
    throw CLI::ValidationError("--frames", "live cameras have no frames to choose from; use --seconds");
  return project;
}

// Every frame of the range, or of live cameras every set, until `take` says false.
Status analyse(const RunOptions& options, const OpenedChain& chain, const FrameRange& range,
               const std::function<bool(const FrameResultRef&)>& take) {
  if (chain.analysis->live()) return run_live(*chain.analysis, options.live.seconds, take, interrupted());
  Progress progress("run");
  int64_t done = 0;
  return chain.analysis->pipeline().analyse(
      range, options.sequential ? ExecutionMode::sequential : ExecutionMode::threaded,
      [&](const FrameResultRef& result) {
        if (!take(result)) return false;
        progress.update(++done, range.end - range.begin);
        return true;
      },
      interrupted());
}

void run(RunOptions options) {
  std::unique_ptr<server::ResultServer> server = open_server_or_fail(options.serve);
  const FrameRange asked = parse_frames(options.chain.frames);
  Project project = load_checked_or_fail(&options);
  OpenedChain chain = open_chain_or_fail(options.chain, std::move(project));
  print_memory(chain.analysis->memory());
  accept_views_or_fail(options.live, chain.project, *chain.analysis);
  const FrameRange range = range_or_fail(asked, chain);
  OffsetWatch offsets(options.offsets, chain);
  const std::unique_ptr<Recorder> recorder =
      start_recording_or_fail(options.live, chain.project, *chain.analysis);
  if (recorder) chain.project = recorder->project();  // what the results are of
  const std::string folder = options.out.empty() ? chain.project.results_folder().string() : options.out;
  Result<RunDescription> description = describe(chain, options.pictures);
  if (!description) fail_command(description.error());
  ServedRun served(std::move(server), options.serve);
  description->line_written = served.line_listener();
  auto writer = ResultsWriter::open(folder, chain.project, *description);
  if (!writer) fail_command(writer.error());
  served.start_or_fail(folder, chain, description->transfer, range);
  std::optional<WatchedRules> watched = watch_rules_or_fail(chain, folder);
  RunSummary summary;
  Status written;
  const int64_t start = trace_now_ns();
  const Status status = analyse(options, chain, range, [&](const FrameResultRef& result) {
    const bool writing = written.has_value();
    served.publish(result);
    if (written) written = (*writer)->write(*result);
    if (written) written = offsets.add(*result);
    if (watched) {
      const Status told = tell_events(*watched, *result, chain, written.has_value());
      if (written) written = told;
    }
    if (written) add_to_summary(*result, &summary);
    const bool live = chain.analysis->live() != nullptr;
    if (live && writing && !written)
      log_error("results are written no longer, the cameras are still analysed: " +
                written.error().message());
    return live || written.has_value();
  });
  if (const LiveRecording* live = chain.analysis->live()) {
    summary.live = live->health();
    (*writer)->set_live_health(*summary.live);
  }
  summary.seconds = static_cast<double>(trace_now_ns() - start) * 1e-9;
  const Status recorded = recorder ? recorder->finish() : Status();
  // However it ended, what was computed is kept and complete.
  const Status finished = (*writer)->finish(chain.trace.get());
  served.stop();  // behind the last lines
  const Status kept = finished ? offsets.finish(folder, options.write_offsets) : Status();
  if (watched) summary.events = watched->rules.raised();
  summary.served = served.url();
  print_summary(summary, chain, recorder.get(), folder, options.json);
  for (const Status& part : {status, written, finished, kept, recorded}) {
    if (part) continue;
    Error error = part.error();
    if (error.kind == ErrorKind::cancelled) error.what = "stopped; the results up to there are complete";
    fail_command(error);
  }
}

}  // namespace

void add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Run the chain over a project's recording and write the results.");
  command->footer(
      "Writes results.jsonl, tracks.csv, coverage.png, shells/, floor/, timings.json and trace.json. Ctrl-C "
      "stops and keeps the results so far. --serve serves the results as they come and ends with the run; "
      "`vantage-cli serve` then serves them from the folder.\n"
      "Example: vantage-cli run hall.vantage --out results --frames 0:250 --set carving.threshold=0.6");
  add_chain_options(*command, options->chain);
  add_frames_option(*command, options->chain);
  command
      ->add_option("--out", options->out, "folder for the results; NAME.results beside the project if absent")
      ->type_name("DIR");
  const auto add_every = [&](const char* name, int64_t& every, const std::string& what) {
    command->add_option(name, every, what + " of every Nth frame; 0: none")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
  };
  add_every("--shells", options->pictures.shells, "PLY files with the volume's shell");
  add_every("--floor-maps", options->pictures.floor_maps, "16-bit PNG files with the floor map");
  add_every("--masks", options->pictures.masks, "PNG files with each camera's foreground mask");
  add_every("--flows", options->pictures.flows,
            ".flo files with each camera's optical flow (with --set flow.enabled=true)");
  add_every("--volumes", options->pictures.volumes,
            "VTI files with the confidence of every voxel, 4 bytes each,");
  add_live_options(*command, options->live);
  add_serve_options(*command, options->serve);
  add_keep_option(*command, options->serve);
  command
      ->add_option(
          "--offsets", options->offsets,
          "watch whether the cameras stay in step: propose says what it finds, apply brings a camera "
          "back into step when it is sure")
      ->check(CLI::IsMember({"keep", "propose", "apply"}))
      ->capture_default_str();
  command->add_flag("--write-offsets", options->write_offsets,
                    "with --offsets apply: what was applied also goes into the project");
  command->add_flag("--sequential", options->sequential,
                    "one thread for the stages; the results are the same");
  command->add_flag("--force", options->force, "run even when the check before it fails");
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options] {
    options->chain.keep_confidence = options->pictures.volumes > 0;
    run(*options);
  });
}

}  // namespace vantage::cli
