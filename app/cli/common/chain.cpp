#include "app/cli/common/chain.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cstdio>

#include "app/cli/common/command.h"
#include "core/pipeline/kept_frames.h"
#include "core/project/match_cameras.h"

namespace vantage::cli {
namespace {

int64_t parse_frame(std::string_view text, int64_t otherwise) {
  if (text.empty()) return otherwise;
  int64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size() || value < 0)
    throw CLI::ValidationError("--frames", "'" + std::string(text) + "' is not a frame number");
  return value;
}

}  // namespace

void add_chain_options(CLI::App& command, ChainOptions& options, MoreBackends more) {
  command.add_option("project", options.project, "project file (*.vantage)")->required();
  options.set.add_to(command);
  add_backend_option(command, options.backend, "auto takes a GPU when there is one", more);
}

void add_frames_option(CLI::App& command, ChainOptions& options) {
  command
      .add_option("--frames", options.frames,
                  "frames A to B of the base camera, from 0, B excluded; all of them if absent")
      ->type_name("A:B");
}

FrameRange parse_frames(const std::string& text) {
  if (text.empty()) return {0, INT64_MAX};
  const size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw CLI::ValidationError("--frames", "'" + text + "' is not of the form A:B");
  const FrameRange range{parse_frame(std::string_view(text).substr(0, colon), 0),
                         parse_frame(std::string_view(text).substr(colon + 1), INT64_MAX)};
  if (range.begin >= range.end) throw CLI::ValidationError("--frames", "'" + text + "' holds no frame");
  return range;
}

Project load_project_or_fail(const ChainOptions& options) {
  Project project = value_or_fail(load_project(options.project));
  options.set.apply_to(&project);
  return project;
}

Backends open_backends_or_fail(const ChainOptions& options, TraceRecorder* trace) {
  Backends backends = value_or_fail(open_backends(options.backend, trace));
  for (const std::string& note : backends.notes) fmt::print(stderr, "{}\n", note);
  return backends;
}

OpenedChain open_chain_or_fail(const ChainOptions& options, Project project) {
  OpenedChain chain;
  constexpr size_t kLiveSpans = size_t{1} << 16;  // a live run has no end: the last ones are kept
  chain.trace =
      options.live ? std::make_unique<TraceRecorder>(kLiveSpans) : std::make_unique<TraceRecorder>();
  chain.backends = open_backends_or_fail(options, chain.trace.get());
  chain.project = std::move(project);
  AnalysisOptions analysis;
  analysis.backends = chain.backends.on_device(chain.trace.get());
  analysis.hardware = chain.backends.hardware;
  analysis.keep_confidence = options.keep_confidence;
  analysis.live = options.live;
  analysis.without_missing = options.without_missing;
  analysis.pipeline.cache_bytes = 0;  // each frame is used once
  analysis.pipeline.kept = options.kept;
  if (!options.kept && options.kept_mib > 0)
    analysis.pipeline.kept =
        std::make_shared<KeptFrames>(kept_folder(chain.project.path), options.kept_mib << 20);
  chain.analysis = value_or_fail(Analysis::open(chain.project, analysis));
  for (const std::string& note : chain.analysis->notes()) fmt::print(stderr, "{}\n", note);
  return chain;
}

FrameRange cut_to_recording_or_fail(FrameRange range, FrameSource& source) {
  const int64_t count = value_or_fail(source.wait_for_frame_count(interrupted()));
  if (range.begin >= count)
    fail_command({ErrorKind::invalid_argument, "the recording has only " + std::to_string(count) + " frames",
                  "frame " + std::to_string(range.begin),
                  "Choose frames before " + std::to_string(count) + "."});
  return {range.begin, std::min(range.end, count)};
}

double base_rate_or_fail(const Project& project) {
  FrameSourceOptions source;
  for (const ProjectCamera& camera : project.cameras)
    source.cameras.push_back(
        {camera.name, camera.video, camera.offset_frames, camera.frame_rate, camera.offset_changes});
  return value_or_fail(FrameSource::open(std::move(source)))->frame_rate();
}

int64_t frame_of_moment_or_fail(const char* option, const std::string& text, double frame_rate,
                                const std::optional<RecordingClock>& clock) {
  const Result<TypedTime> time = parse_time(text, frame_rate, clock);
  if (!time) throw CLI::ValidationError(option, time.error().message());
  return time->frame;
}

int camera_named(const Project& project, const std::string& name, const char* option) {
  std::vector<std::string> names;
  for (const ProjectCamera& camera : project.cameras) names.push_back(camera.name);
  const Result<size_t> found = vantage::camera_named(names, name);
  if (!found) throw CLI::ValidationError(option, found.error().what);
  return static_cast<int>(*found);
}

}  // namespace vantage::cli
