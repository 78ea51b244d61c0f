#include "core/batch/plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/trace.h"
#include "core/foreground/foreground.h"
#include "core/project/json_parts.h"
#include "core/run/analysis.h"
#include "core/video/no_video.h"
#include "core/video/video_source.h"

namespace vantage {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view kPlanSchema = "vantage-plan-1", kPlanSchemaPrefix = "vantage-plan-";
constexpr double kProgramBytes = 500e6;  // memory of libraries and program
constexpr double kSlowerMachine = 2;
constexpr double kMinSeconds = 120;

ordered_json input_json(const PlannedInput& input) {
  return {{"camera", input.camera},
          {"video", input.video},
          {"bytes", input.bytes},
          {"checksum", hex64(input.checksum)}};
}

ordered_json scene_json(const PlannedScene& scene, const std::string& version) {
  ordered_json inputs = ordered_json::array();
  for (const PlannedInput& input : scene.inputs) inputs.push_back(input_json(input));
  return {{"name", scene.name},
          {"project", scene.project.string()},
          {"set", scene.set},
          {"hash", hex64(scene.hash(version))},
          {"project_hash", hex64(scene.project_hash)},
          {"parameters_hash", hex64(scene.parameters_hash)},
          {"inputs", inputs},
          {"frame_rate", scene.frame_rate},
          {"frames", scene.frames},
          {"warm_up_frames", scene.warm_up_frames},
          {"overlap_frames", scene.overlap_frames},
          {"start_s", scene.start_s},
          {"seconds_per_frame", scene.seconds_per_frame},
          {"host_bytes", scene.host_bytes},
          {"device_bytes", scene.device_bytes}};
}

ordered_json task_json(const PlannedTask& task) {
  return {{"scene", task.scene},
          {"span", task.span},
          {"warm_begin", task.warm_begin},
          {"begin", task.begin},
          {"end", task.end},
          {"overlap_end", task.overlap_end},
          {"predicted_s", task.predicted_s}};
}

// Throw json::exception for invalid values.
PlannedScene scene_from(const json& from) {
  PlannedScene scene;
  scene.name = from.at("name").get<std::string>();
  scene.project = from.at("project").get<std::string>();
  scene.set = from.at("set").get<std::vector<std::string>>();
  scene.project_hash = from_hex64(from.at("project_hash").get<std::string>());
  scene.parameters_hash = from_hex64(from.at("parameters_hash").get<std::string>());
  for (const json& input : from.at("inputs"))
    scene.inputs.push_back({input.at("camera").get<std::string>(), input.at("video").get<std::string>(),
                            input.at("bytes").get<int64_t>(),
                            from_hex64(input.at("checksum").get<std::string>())});
  scene.frame_rate = from.at("frame_rate").get<double>();
  scene.frames = from.at("frames").get<int64_t>();
  scene.warm_up_frames = from.at("warm_up_frames").get<int64_t>();
  scene.overlap_frames = from.at("overlap_frames").get<int64_t>();
  scene.start_s = from.at("start_s").get<double>();
  scene.seconds_per_frame = from.at("seconds_per_frame").get<double>();
  scene.host_bytes = from.at("host_bytes").get<double>();
  scene.device_bytes = from.at("device_bytes").get<double>();
  return scene;
}

PlannedTask task_from(const json& from) {
  return {from.at("scene").get<size_t>(),       from.at("span").get<int>(),
          from.at("warm_begin").get<int64_t>(), from.at("begin").get<int64_t>(),
          from.at("end").get<int64_t>(),        from.at("overlap_end").get<int64_t>(),
          from.at("predicted_s").get<double>()};
}

// Tasks must follow each other without gaps, scene after scene; returns what is wrong.
std::string fault_of(const BatchPlan& plan) {
  if (plan.tasks.empty()) return "it has no tasks";
  for (size_t i = 0; i < plan.tasks.size(); ++i) {
    const PlannedTask& task = plan.tasks[i];
    const std::string name = "task " + std::to_string(i);
    if (task.scene >= plan.scenes.size()) return name + " is of a scene that is not there";
    const bool first = i == 0 || plan.tasks[i - 1].scene != task.scene;
    const int64_t begin = first ? 0 : plan.tasks[i - 1].end;
    const int span = first ? 0 : plan.tasks[i - 1].span + 1;
    const size_t scene = i == 0 ? 0 : plan.tasks[i - 1].scene + (first ? 1 : 0);
    if (task.scene != scene || task.begin != begin || task.span != span || task.end <= task.begin ||
        task.warm_begin < 0 || task.warm_begin > task.begin || task.overlap_end < task.end)
      return name + " does not follow the one before";
    if (plan.last_of_scene(i) && task.end != plan.scenes[scene].frames)
      return name + " does not end with its recording";
  }
  return plan.tasks.back().scene + 1 == plan.scenes.size() ? "" : "a scene has no tasks";
}

tl::unexpected<Error> not_a_plan(const std::filesystem::path& file, const std::string& what) {
  return fail(ErrorKind::bad_data, "this is not a plan of batch work (" + what + ")", file.string(),
              "Make it again with `vantage-cli plan`.");
}

}  // namespace

std::string_view seams_name(Seams seams) {
  return seams == Seams::hand_over ? "hand-over" : "warm-up";
}

uint64_t PlannedScene::hash(const std::string& version) const {
  Hasher hasher;
  hasher.add(version).add(project_hash).add(parameters_hash).add(set.size());
  for (const std::string& assignment : set) hasher.add(assignment);
  for (const PlannedInput& input : inputs) hasher.add(input.camera).add(input.video);
  hasher.add(frames).add(warm_up_frames).add(overlap_frames);
  return hasher.value();
}

void add_tasks(size_t index, double span_s, BatchPlan* plan) {
  const PlannedScene& scene = plan->scenes[index];
  const double frames = static_cast<double>(scene.frames);
  const auto count = static_cast<int64_t>(std::max(1.0, std::ceil(frames / (span_s * scene.frame_rate))));
  for (int64_t i = 0; i < count; ++i) {
    PlannedTask task{.scene = index, .span = static_cast<int>(i)};
    task.begin = scene.frames * i / count, task.end = scene.frames * (i + 1) / count;
    if (task.end == task.begin) continue;
    task.warm_begin = std::max<int64_t>(0, task.begin - scene.warm_up_frames);
    task.overlap_end = std::min(scene.frames, task.end + scene.overlap_frames);
    task.predicted_s =
        scene.start_s + static_cast<double>(task.overlap_end - task.warm_begin) * scene.seconds_per_frame;
    plan->tasks.push_back(task);
  }
}

TaskNeeds task_needs(const BatchPlan& plan) {
  TaskNeeds needs{plan.threads, 0, kMinSeconds};
  for (const PlannedScene& scene : plan.scenes)
    needs.host_bytes = std::max(needs.host_bytes, kProgramBytes + scene.host_bytes);
  for (const PlannedTask& task : plan.tasks)
    needs.seconds = std::max(needs.seconds, kSlowerMachine * task.predicted_s);
  return needs;
}

Result<BatchPlan> read_plan(const std::filesystem::path& file) {
  VANTAGE_ASSIGN(const std::string text, read_file(file));
  const json from = parse_json(text);
  if (!from.is_object()) return not_a_plan(file, "it is not JSON");
  const std::string schema =
      from.value("schema", json()).is_string() ? from["schema"].get<std::string>() : "";
  if (schema != kPlanSchema && schema.starts_with(kPlanSchemaPrefix))
    return fail(ErrorKind::unsupported, "the plan has a newer format, " + schema, file.string(),
                "Use the newer program, or plan again.");
  if (schema != kPlanSchema) return not_a_plan(file, "it names no schema");
  BatchPlan plan;
  try {
    plan.version = from.at("version").get<std::string>();
    plan.seams = from.at("seams") == seams_name(Seams::hand_over) ? Seams::hand_over : Seams::warm_up;
    plan.backend = from.at("backend").get<std::string>();
    plan.threads = from.at("threads").get<int>();
    for (const json& scene : from.at("scenes")) plan.scenes.push_back(scene_from(scene));
    for (const json& task : from.at("tasks")) plan.tasks.push_back(task_from(task));
  } catch (const json::exception& error) {
    return not_a_plan(file, error.what());
  }
  if (const std::string fault = fault_of(plan); !fault.empty()) return not_a_plan(file, fault);
  return plan;
}

Status write_plan(const BatchPlan& plan, const std::filesystem::path& folder) {
  ordered_json out = {{"schema", kPlanSchema},           {"version", plan.version},
                      {"seams", seams_name(plan.seams)}, {"backend", plan.backend},
                      {"threads", plan.threads},         {"scenes", ordered_json::array()},
                      {"tasks", ordered_json::array()}};
  for (const PlannedScene& scene : plan.scenes) out["scenes"].push_back(scene_json(scene, plan.version));
  for (const PlannedTask& task : plan.tasks) out["tasks"].push_back(task_json(task));
  VANTAGE_TRY(make_folder(folder));
  return write_file_atomically(folder / kPlanFile, json_text(out, 1) + "\n");
}

namespace {

constexpr double kTracksWarmUp_s = 10;   // several times the memory of any tracker
constexpr int64_t kMeasuredFrames = 16;  // after the first, which also learns the scene

double seconds_since(int64_t start_ns) {
  return static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
}

// Measures the first frame separately, before which the chain learns the scene.
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

namespace {

constexpr double kMegabyte = 1024.0 * 1024.0;  // Slurm's

}  // namespace

Granted granted_by(const std::function<const char*(const char*)>& variable) {
  const auto number = [&](const char* name) -> std::optional<int64_t> {
    const char* const text = variable(name);
    if (!text) return std::nullopt;
    const std::string_view digits(text);
    int64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc() || value <= 0) return std::nullopt;  // "4(x2)" is 4 on each of two nodes
    return value;
  };
  Granted granted;
  if (!variable("SLURM_JOB_ID")) return granted;
  granted.by_slurm = true;
  auto threads = number("SLURM_CPUS_PER_TASK");
  if (!threads) threads = number("SLURM_CPUS_ON_NODE");
  if (threads) granted.threads = static_cast<int>(*threads);
  if (const auto of_node = number("SLURM_MEM_PER_NODE"))
    granted.host_bytes = kMegabyte * static_cast<double>(*of_node);
  else if (const auto of_cpu = number("SLURM_MEM_PER_CPU"); of_cpu && threads)
    granted.host_bytes = kMegabyte * static_cast<double>(*of_cpu) * static_cast<double>(*threads);
  const char* const devices = variable("CUDA_VISIBLE_DEVICES");
  granted.gpu = devices && *devices != '\0' && std::string_view(devices) != "NoDevFiles";
  return granted;
}

}  // namespace vantage
