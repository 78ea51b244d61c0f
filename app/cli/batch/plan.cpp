// vantage-cli plan: splits recordings into tasks for a cluster, or for the processors of one machine.

#include <fmt/core.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <thread>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/batch/submit.h"
#include "app/cli/common/command.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/batch/merge.h"
#include "core/batch/plan.h"
#include "core/batch/task_files.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;

struct PlanOptions {
  std::vector<std::string> projects, vary;
  std::string out, backend = "auto", seams = "warm-up", warm_up = "auto";
  SetOption set;
  double minutes = 10, overlap_s = 4;
  int threads = 2;
  bool json = false;
};

// The given project files, and those of given folders and their subfolders, by name.
std::vector<fs::path> project_files(const std::vector<std::string>& given) {
  std::vector<fs::path> files;
  for (const fs::path path : given) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
      if (entry.path().extension() == ".vantage" && entry.is_regular_file()) found.push_back(entry.path());
    if (found.empty())
      fail_command({ErrorKind::not_found, "there is no project here", path.string(),
                    "Name a folder with *.vantage files, or the files."});
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

// Every combination of the values of --vary, each as assignments.
std::vector<std::vector<std::string>> combinations(const std::vector<std::string>& vary) {
  std::vector<std::vector<std::string>> all = {{}};
  for (const std::string& text : vary) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw CLI::ValidationError("--vary", "'" + text + "' is not of the form STAGE.PARAMETER=VALUE,VALUE");
    std::vector<std::vector<std::string>> next;
    for (const std::string& value : CLI::detail::split(text.substr(equals + 1), ','))
      for (std::vector<std::string> one : all) {
        one.push_back(text.substr(0, equals + 1) + value);
        next.push_back(std::move(one));
      }
    all = std::move(next);
  }
  return all;
}

// A folder name that no scene has yet.
std::string free_name(const fs::path& project, const std::vector<std::string>& varied,
                      const BatchPlan& plan) {
  std::string name = project.stem().string();
  for (const std::string& assignment : varied) name += "-" + assignment;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && !std::strchr("-_=.", c)) c = '_';
  const auto taken = [&](const std::string& wanted) {
    return std::any_of(plan.scenes.begin(), plan.scenes.end(),
                       [&](const PlannedScene& scene) { return scene.name == wanted; });
  };
  std::string free = name;
  for (int number = 2; taken(free); ++number) free = name + "-" + std::to_string(number);
  return free;
}

SurveyOptions survey_options(const PlanOptions& options, const Backends& backends) {
  SurveyOptions survey;
  survey.backends = backends.on_device();
  survey.hardware = backends.hardware;
  survey.seams = options.seams == "hand-over" ? Seams::hand_over : Seams::warm_up;
  survey.overlap_s = options.overlap_s;
  survey.stop = interrupted();
  if (options.warm_up == "auto") return survey;
  double seconds = -1;
  if (!CLI::detail::lexical_cast(options.warm_up, seconds) || !(seconds >= 0))
    throw CLI::ValidationError("--warm-up",
                               "'" + options.warm_up + "' is neither auto nor a number of seconds");
  survey.warm_up_s = seconds;
  return survey;
}

void print_plan(const BatchPlan& plan, const fs::path& file) {
  for (const PlannedScene& scene : plan.scenes) {
    fmt::print("{}: {} frames, {:.1f} frames/s on this machine\n", scene.name, scene.frames,
               scene.seconds_per_frame > 0 ? 1 / scene.seconds_per_frame : 0.0);
    for (const PlannedInput& input : scene.inputs)
      if (input.checksum == 0) fmt::print("  {} has no video that can be read\n", input.camera);
  }
  const TaskNeeds needs = task_needs(plan);
  fmt::print("{} tasks ({}); each at most {} threads, {:.1f} GB, {:.0f} min\n{}\n", plan.tasks.size(),
             seams_name(plan.seams), needs.threads, needs.host_bytes * 1e-9, std::ceil(needs.seconds / 60),
             file.string());
}

nlohmann::ordered_json json_of(const BatchPlan& plan, const fs::path& file) {
  const TaskNeeds needs = task_needs(plan);
  return {{"plan", file.string()},    {"scenes", plan.scenes.size()},   {"tasks", plan.tasks.size()},
          {"threads", needs.threads}, {"host_bytes", needs.host_bytes}, {"seconds", needs.seconds}};
}

void plan(const PlanOptions& options) {
  const std::vector<std::vector<std::string>> varied = combinations(options.vary);
  // Speed is measured under the conditions of a task.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(options.threads));
  const Backends backends = value_or_fail(open_backends(options.backend, nullptr));
  const SurveyOptions survey = survey_options(options, backends);
  BatchPlan made;
  made.version = VANTAGE_VERSION;
  made.seams = survey.seams;
  made.backend = options.backend;
  made.threads = options.threads;
  for (const fs::path& project : project_files(options.projects))
    for (const std::vector<std::string>& variant : varied) {
      std::vector<std::string> set = options.set.assignments;
      set.insert(set.end(), variant.begin(), variant.end());
      PlannedScene scene = value_or_fail(survey_scene(project, set, survey));
      scene.name = free_name(project, variant, made);
      made.scenes.push_back(std::move(scene));
      add_tasks(made.scenes.size() - 1, 60 * options.minutes, &made);
    }
  check_or_fail(write_plan(made, options.out));
  check_or_fail(write_cluster_script(made, options.out));
  const fs::path file = fs::path(options.out) / kPlanFile;
  options.json ? print_json(json_of(made, file)) : print_plan(made, file);
}

}  // namespace

void add_plan(CLI::App& app) {
  auto options = std::make_shared<PlanOptions>();
  CLI::App* command = app.add_subcommand(
      "plan", "Split recordings into tasks that processes on any machines run independently.");
  command->footer(
      "Writes DIR/plan.json and DIR/vantage.sbatch. The tasks: `run --plan`, or `submit` for a cluster with "
      "Slurm; then `merge`. The speed is measured on some frames.\n"
      "Example: vantage-cli plan nights --out work --minutes 10");
  command->add_option("projects", options->projects, "project files, and folders with such files")
      ->required()
      ->type_name("PROJECT")
      ->check(CLI::ExistingPath);
  command->add_option("--out", options->out, "folder of the plan and its tasks")
      ->required()
      ->type_name("DIR");
  options->set.add_to(*command);
  command
      ->add_option("--vary", options->vary,
                   "a parameter and its values; every recording is analysed with each, repeatable")
      ->type_name("STAGE.PARAMETER=VALUE,VALUE");
  command->add_option("--minutes", options->minutes, "maximum length of a task, in minutes of the recording")
      ->check(CLI::Range(0.01, 1e6))
      ->capture_default_str();
  command
      ->add_option("--seams", options->seams,
                   "warm-up: tasks run in any order, each starts a little earlier; hand-over: each task "
                   "continues from the state of the one before, with the results of a single run")
      ->check(CLI::IsMember({"warm-up", "hand-over"}))
      ->capture_default_str();
  command
      ->add_option("--warm-up", options->warm_up,
                   "how much earlier a task starts, in seconds; auto: as the parameters need")
      ->type_name("SECONDS|auto")
      ->capture_default_str();
  command
      ->add_option("--overlap", options->overlap_s,
                   "how much longer a task runs, in seconds, so that the next one recognises its people")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "threads of a task")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_backend_option(*command, options->backend, "device of the tasks; auto: the one that each is granted");
  add_json_flag(*command, &options->json);
  command->callback([options] { plan(*options); });
}

// vantage-cli merge: merges the results of a plan's tasks into ordinary results folders.

namespace {

struct MergeCommand {
  std::string folder, out;
  std::optional<double> window_s;
  bool json = false;
};

void print_text(const std::vector<MergedScene>& scenes) {
  for (const MergedScene& scene : scenes) {
    int64_t joined = 0, before = 0;
    for (const Seam& seam : scene.seams) joined += seam.joined, before += seam.before;
    fmt::print("{}: {} frames of {} tasks, {} bytes a frame", scene.name, scene.frames, scene.tasks,
               scene.frames > 0 ? scene.bytes / scene.frames : 0);
    if (!scene.seams.empty())
      fmt::print("; at {} seams {} of {} tracks joined", scene.seams.size(), joined, before);
    fmt::print("\n{}\n", scene.folder.string());
    for (const std::string& note : scene.notes) fmt::print("  {}\n", redact_credentials(note));
    for (const Gap& gap : scene.gaps) fmt::print("  {}\n", redact_credentials(gap_text(gap)));
  }
}

nlohmann::ordered_json json_of(const std::vector<MergedScene>& scenes) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const MergedScene& scene : scenes) {
    nlohmann::ordered_json seams = nlohmann::ordered_json::array(), gaps = nlohmann::ordered_json::array();
    for (const Seam& seam : scene.seams)
      seams.push_back(
          {{"frame", seam.frame}, {"before", seam.before}, {"after", seam.after}, {"joined", seam.joined}});
    for (const Gap& gap : scene.gaps) gaps.push_back(gap_text(gap));
    out.push_back({{"scene", scene.name},
                   {"results", scene.folder.string()},
                   {"frames", scene.frames},
                   {"bytes", scene.bytes},
                   {"seams", seams},
                   {"gaps", gaps},
                   {"notes", scene.notes}});
  }
  return out;
}

void merge(const MergeCommand& command) {
  const std::filesystem::path folder = command.folder;
  const BatchPlan plan = value_or_fail(read_plan(folder / kPlanFile));
  MergeOptions options;
  options.out = command.out;
  options.window_s = command.window_s;
  options.stop = interrupted();
  Progress progress("merge");
  options.progress = [&progress](int64_t done, int64_t total) { progress.update(done, total); };
  const std::vector<MergedScene> scenes = value_or_fail(merge_tasks(plan, folder, options));
  command.json ? print_json(json_of(scenes)) : print_text(scenes);
  for (const MergedScene& scene : scenes)
    if (!scene.gaps.empty()) throw CLI::RuntimeError(static_cast<int>(TaskExit::gaps));
}

}  // namespace

void add_merge(CLI::App& app) {
  auto options = std::make_shared<MergeCommand>();
  CLI::App* command =
      app.add_subcommand("merge", "Merge the results of a plan's tasks into ordinary results folders.");
  command->footer(
      "Refuses tasks that are not complete or do not belong together. A plan of one recording gives one "
      "results folder, a plan of several a folder for each. Exit codes: 0 done, 3 done, and tasks had gaps, "
      "1 "
      "failed.\n"
      "Example: vantage-cli merge work --out week");
  command->add_option("folder", options->folder, "the plan's folder")
      ->required()
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  command
      ->add_option(
          "--out", options->out,
          "folder for the results; if absent NAME.results next to each project, where the window finds them")
      ->type_name("RESULTS");
  command
      ->add_option("--window", options->window_s,
                   "length in seconds of the windows for paths, in place of the project's; 0: all frames at "
                   "once, which needs memory for all of them")
      ->check(CLI::NonNegativeNumber)
      ->type_name("SECONDS");
  add_json_flag(*command, &options->json);
  command->callback([options] { merge(*options); });
}

}  // namespace vantage::cli
