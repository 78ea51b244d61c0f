#include "core/batch/survey.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/trace.h"
#include "core/foreground/foreground.h"
#include "core/project/parameters_json.h"
#include "core/run/analysis.h"
#include "core/video/no_video.h"
#include "core/video/video_identity.h"

namespace vantage {
namespace {

constexpr double kTracksWarmUp_s = 10;   // several times what any tracker keeps
constexpr int64_t kMeasuredFrames = 16;  // after the first, which also learns the scene

double seconds_since(int64_t start_ns) {
  return static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
}

// The first frame apart: the chain then learns the scene beforehand.
Status measure_speed(Analysis& analysis, const StopSource& stop, PlannedScene* scene) {
  const int64_t begin = std::max<int64_t>(0, scene->frames / 2 - kMeasuredFrames);
  const int64_t start_ns = trace_now_ns();
  int64_t first_ns = 0, last_ns = 0, frames = 0;
  VANTAGE_TRY(analysis.pipeline().analyse(
      {begin, std::min(scene->frames, begin + 1 + kMeasuredFrames)}, ExecutionMode::threaded,
      [&](const FrameResultRef&) {
        last_ns = trace_now_ns();
        if (frames++ == 0) first_ns = last_ns;
        return true;
      },
      stop));
  if (frames == 0) return fail(ErrorKind::bad_data, "no frame of its middle can be analysed");
  scene->start_s = static_cast<double>(first_ns - start_ns) * 1e-9;
  scene->seconds_per_frame =
      frames > 1 ? static_cast<double>(last_ns - first_ns) * 1e-9 / static_cast<double>(frames - 1)
                 : seconds_since(start_ns);
  return {};
}

bool learns_beforehand(const Project& project) {
  if (project.parameters.get<ForegroundParameters>().whole_recording) return true;
  return std::all_of(project.cameras.begin(), project.cameras.end(),
                     [](const ProjectCamera& camera) { return !camera.background.empty(); });
}

}  // namespace

double automatic_warm_up_s(const Project& project, double frame_rate) {
  const auto foreground = project.parameters.get<ForegroundParameters>();
  if (learns_beforehand(project) || !project.has_pictures()) return kTracksWarmUp_s;
  const double forgets_frames = foreground.learning_rate > 0 ? 1 / foreground.learning_rate : 0;
  return std::max(kTracksWarmUp_s, (foreground.learning_frames + forgets_frames) / frame_rate);
}

std::vector<PlannedInput> inputs_of(const Project& project) {
  std::vector<PlannedInput> inputs;
  for (const ProjectCamera& camera : project.cameras) {
    PlannedInput& input = inputs.emplace_back(PlannedInput{camera.name, camera.video});
    if (names_no_video(camera.video)) continue;
    if (const auto identity = identify_video(camera.video))
      input.bytes = identity->bytes, input.checksum = identity->checksum;
  }
  return inputs;
}

Result<Project> load_scene(PlannedScene* scene) {
  VANTAGE_ASSIGN(const std::string text, read_file(scene->project));
  VANTAGE_ASSIGN(Project project, load_project(scene->project));
  for (const std::string& assignment : scene->set) VANTAGE_TRY(set_from_text(&project, assignment));
  scene->project_hash = Hasher().add(text).value();
  scene->parameters_hash = Hasher().add(json_text(parameters_json(project.parameters, false))).value();
  return project;
}

Result<PlannedScene> survey_scene(const std::filesystem::path& path, const std::vector<std::string>& set,
                                  const SurveyOptions& options) {
  PlannedScene scene;
  std::error_code code;
  scene.project = std::filesystem::weakly_canonical(path, code);
  scene.set = set;
  VANTAGE_ASSIGN(const Project project, load_scene(&scene));
  if (project.live())
    return fail(ErrorKind::invalid_argument, "live cameras cannot be planned", path.string(),
                "Plan a recording of them (run --record).");
  scene.inputs = inputs_of(project);
  AnalysisOptions analysis_options;
  analysis_options.backends = options.backends;
  analysis_options.hardware = options.hardware;
  analysis_options.without_missing = analysis_options.without_damaged = true;
  analysis_options.pipeline.cache_bytes = analysis_options.pipeline.checkpoint_bytes = 0;
  analysis_options.pipeline.unseen = UnseenFrames::go_on;
  analysis_options.stop = options.stop;
  VANTAGE_ASSIGN(const auto analysis, Analysis::open(project, analysis_options));
  VANTAGE_ASSIGN(scene.frames, analysis->source().wait_for_frame_count(options.stop));
  scene.frame_rate = analysis->source().frame_rate();
  if (scene.frames <= 0 || scene.frame_rate <= 0)
    return fail(ErrorKind::bad_data, "the recording has no frames", path.string());
  scene.host_bytes = analysis->memory().need.host_bytes();
  scene.device_bytes = analysis->memory().need.device_bytes();
  if (options.seams == Seams::warm_up) {
    const double warm_up_s = options.warm_up_s.value_or(automatic_warm_up_s(project, scene.frame_rate));
    scene.warm_up_frames = std::llround(warm_up_s * scene.frame_rate);
    scene.overlap_frames = std::llround(options.overlap_s * scene.frame_rate);
  }
  VANTAGE_TRY(measure_speed(*analysis, options.stop, &scene));
  return scene;
}

}  // namespace vantage
