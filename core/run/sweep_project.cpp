#include "core/run/sweep_project.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/trace.h"
#include "core/pipeline/kept_frames.h"
#include "core/run/sweep_folder.h"

namespace vantage {
namespace {

Status cut(FrameRange* span, int64_t frames) {
  span->end = std::min(span->end, frames);
  if (span->begin >= 0 && span->begin < span->end) return {};
  return fail(ErrorKind::invalid_argument, "a span has no frame of the recording",
              fmt::format("frames from {}", span->begin),
              fmt::format("Choose frames from 0 to {}.", frames - 1));
}

Status cut_spans(SweepSpans* spans, int64_t frames) {
  VANTAGE_TRY(cut(&spans->tune, frames));
  if (!spans->test) return {};
  VANTAGE_TRY(cut(&*spans->test, frames));
  // Frames on which a value was chosen cannot test it.
  if (spans->test->begin < spans->tune.end && spans->tune.begin < spans->test->end)
    return fail(ErrorKind::invalid_argument, "the tuning and the test span have frames in common", "sweep",
                "Separate them: the test span shows how good a value is on other frames.");
  return {};
}

// Removes the folder in every case.
struct Scratch {
  const std::filesystem::path& folder;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
};

nlohmann::ordered_json head_of(const Project& project, const std::string& device,
                               const SweepRequest& request) {
  return sweep_head(project, device, request.points, request.spans, request.how,
                    request.how.truth.empty() ? std::string() : project.path.string());
}

// Next to the project; null for a project that was never saved.
Result<std::unique_ptr<SweepFolder>> open_folder(const Project& project, const std::string& device,
                                                 const SweepRequest& request, const Pipeline& pipeline) {
  if (project.path.empty()) return std::unique_ptr<SweepFolder>();
  VANTAGE_ASSIGN(const nlohmann::ordered_json plan,
                 sweep_plan(head_of(project, device, request), request.points, request.how, pipeline));
  VANTAGE_ASSIGN(std::unique_ptr<SweepFolder> folder,
                 SweepFolder::open(kept_sweep_folder(project, plan), plan, false));
  drop_old_sweeps(project);
  return folder;
}

}  // namespace

Status sweep_project(const Project& project, const DeviceBackends& backends,
                     const std::string& device_description, SweepRequest request,
                     const std::function<void(size_t point, const SweepPoint& figures)>& measured,
                     const StopSource& stop) {
  TraceRecorder trace;
  AnalysisOptions options;
  options.backends = backends;
  options.backends.context.trace = &trace;
  options.stop = stop;
  options.pipeline.cache_bytes = 0;  // each frame is used once
  if (!project.path.empty()) options.pipeline.kept = std::make_shared<KeptFrames>(kept_folder(project.path));
  VANTAGE_ASSIGN(const auto analysis, Analysis::open(project, options));
  VANTAGE_ASSIGN(const int64_t frames, analysis->source().wait_for_frame_count(stop));
  VANTAGE_TRY(cut_spans(&request.spans, frames));
  std::vector<Project> projects;
  for (size_t i = 0; i < request.points.points.size(); ++i)
    projects.push_back(project_at(project, request.points, i));
  SweepRun run(*analysis, options.backends, device_description);
  VANTAGE_ASSIGN(request.how.timed_stages, run.varying_stages(projects));
  VANTAGE_ASSIGN(const std::unique_ptr<SweepFolder> folder,
                 open_folder(project, device_description, request, analysis->pipeline()));
  const std::filesystem::path scratch =
      folder ? folder->part()
             : std::filesystem::temp_directory_path() / ("vantage-sweep-" + std::to_string(::getpid()));
  const Scratch removed{scratch};
  Status status;
  for (size_t i = 0; i < projects.size() && status; ++i) {
    if (folder && folder->points().contains(i)) {
      measured(i, folder->points().at(i));
      continue;
    }
    Result<SweepPoint> point = run.measure(projects[i], request.spans, request.how, scratch, stop);
    if (!point) {
      status = fail(point.error());
      break;
    }
    measured(i, *point);
    if (folder) status = folder->add(i, std::move(*point));
  }
  if (folder && !folder->points().empty())
    VANTAGE_TRY(
        write_sweep_table({request.points, request.how.metrics, folder->points(),
                           request.spans.test.has_value(), head_of(project, device_description, request)},
                          folder->path()));
  return status;
}

}  // namespace vantage
