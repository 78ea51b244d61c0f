// vantage-cli submit and status: submits a plan to Slurm, and reports the progress of its tasks.

#include "app/cli/batch/submit.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/batch/plan.h"
#include "core/batch/task_files.h"

namespace vantage::cli {
namespace {

// Uses Slurm through its commands: submits jobs and reads their states.

struct SlurmJob {
  std::string id;    // its number
  std::string what;  // "tasks", "merge"
};

struct SubmitOptions {
  bool merge = true;
  std::filesystem::path out;      // the merge's; empty: the default of `merge`
  int at_most = 0;                // maximum number of tasks at a time; 0: no limit
  bool gpu = false;               // one for each task
  std::vector<std::string> more;  // options of sbatch for every job
};

namespace fs = std::filesystem;
constexpr const char* kJobsFile = "jobs.json";

struct Answer {
  int code = -1;  // 127: the program does not exist
  std::string out, err;
};

std::string read_pipe(int from) {
  std::string text;
  std::array<char, 4096> block;
  for (ssize_t got = 0; (got = ::read(from, block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<size_t>(got));
  ::close(from);
  return text;
}

// Runs a program without a shell. Its output is short, so that neither pipe fills.
Answer answer_of(const std::vector<std::string>& words) {
  int out[2], err[2];
  if (::pipe(out) != 0) return {};
  if (::pipe(err) != 0) {
    ::close(out[0]), ::close(out[1]);
    return {};
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(out[1], 1), ::dup2(err[1], 2);
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(out[1]), ::close(err[1]);
  Answer answer{-1, read_pipe(out[0]), read_pipe(err[0])};
  int status = 0;
  if (child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status))
    answer.code = WEXITSTATUS(status);
  return answer;
}

// The job's number.
Result<std::string> sbatch(std::vector<std::string> words) {
  words.insert(words.begin(), {"sbatch", "--parsable"});
  const Answer answer = answer_of(words);
  if (answer.code == 127)
    return fail(ErrorKind::not_found, "there is no sbatch here", {},
                "Submit from a machine of the cluster, or use `vantage-cli run --plan` or Snakemake.");
  if (answer.code != 0)
    return fail(ErrorKind::unsupported,
                "sbatch refuses the job: " + answer.err.substr(0, answer.err.find('\n')));
  return answer.out.substr(0, answer.out.find_first_of(";\n"));  // "17;cluster"
}

std::string array_of(const std::vector<size_t>& elements, int at_most) {
  std::string text = "--array=";
  for (size_t i = 0; i < elements.size(); ++i) {
    size_t last = i;
    while (last + 1 < elements.size() && elements[last + 1] == elements[last] + 1) ++last;
    text += (i > 0 ? "," : "") + std::to_string(elements[i]);
    if (last > i) text += "-" + std::to_string(elements[last]);
    i = last;
  }
  return at_most > 0 ? text + "%" + std::to_string(at_most) : text;
}

// Lists of elements, one per array: all tasks, or for each span the scenes that have it.
std::vector<std::vector<size_t>> arrays_of(const BatchPlan& plan) {
  std::vector<std::vector<size_t>> arrays(1);
  for (size_t i = 0; i < plan.tasks.size(); ++i) {
    if (plan.seams == Seams::warm_up) {
      arrays[0].push_back(i);
      continue;
    }
    const auto span = static_cast<size_t>(plan.tasks[i].span);
    if (arrays.size() <= span) arrays.resize(span + 1);
    arrays[span].push_back(plan.tasks[i].scene);
  }
  return arrays;
}

std::string quoted(const fs::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// `wait`: the jobs that a job waits for, in the form of sbatch --dependency.
Result<std::string> submit_merge(const fs::path& folder, const SubmitOptions& options,
                                 const std::string& wait) {
  std::vector<std::string> words = options.more;
  std::error_code code;
  const fs::path out = fs::weakly_canonical(options.out, code);
  words.insert(words.end(),
               {"--job-name=vantage-merge", "--cpus-per-task=2", "--mem=4096M", wait,
                "--kill-on-invalid-dep=yes", "--output=" + (folder / "logs/merge-%j.txt").string(), "--wrap",
                quoted(own_program()) + " merge " + quoted(folder) +
                    (options.out.empty() ? "" : " --out " + quoted(out)) +
                    "; code=$?; [ $code = 3 ] && exit 0; exit $code"});
  return sbatch(words);
}

Status write_jobs(const std::vector<SlurmJob>& jobs, const fs::path& folder) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SlurmJob& job : jobs) list.push_back({{"id", job.id}, {"what", job.what}});
  return write_file_atomically(folder / kJobsFile, json_text(list, 1) + "\n");
}

// Submits an array of all tasks or, with hand-over, one per span, whose elements are the scenes and wait for
// those of the previous span; and the merge after them. Stores the jobs in jobs.json of the folder. Errors:
// not_found where there is no sbatch; sbatch's own.
Result<std::vector<SlurmJob>> submit_plan(const BatchPlan& plan, const fs::path& folder,
                                          const SubmitOptions& options) {
  std::vector<SlurmJob> jobs;
  VANTAGE_TRY(write_cluster_script(plan, folder));
  const std::vector<std::vector<size_t>> arrays = arrays_of(plan);
  std::string all;
  for (size_t span = 0; span < arrays.size(); ++span) {
    std::vector<std::string> words = options.more;
    words.push_back(array_of(arrays[span], options.at_most));
    if (options.gpu) words.push_back("--gres=gpu:1");
    if (plan.seams == Seams::hand_over) {
      words.push_back("--export=ALL,VANTAGE_SPAN=" + std::to_string(span));
      if (span > 0) words.push_back("--dependency=aftercorr:" + jobs.back().id);
      words.push_back("--kill-on-invalid-dep=yes");
    }
    words.push_back((folder / kClusterScript).string());
    VANTAGE_ASSIGN(std::string id, sbatch(words));
    all += ":" + id;
    jobs.push_back({std::move(id), "tasks"});
    VANTAGE_TRY(write_jobs(jobs, folder));  // submitted jobs are stored even if the next one fails
  }
  if (!options.merge) return jobs;
  VANTAGE_ASSIGN(std::string id, submit_merge(folder, options, "--dependency=afterok" + all));
  jobs.push_back({std::move(id), "merge"});
  VANTAGE_TRY(write_jobs(jobs, folder));
  return jobs;
}

// The jobs of jobs.json; none if nothing was submitted.
std::vector<SlurmJob> submitted_jobs(const fs::path& folder) {
  std::vector<SlurmJob> jobs;
  const Result<std::string> text = read_file(folder / kJobsFile);
  const auto list = parse_json(text ? *text : "[]");
  if (!list.is_array()) return jobs;
  for (const auto& job : list)
    if (job.is_object()) jobs.push_back({job.value("id", ""), job.value("what", "")});
  return jobs;
}

// Slurm's states of these jobs with the number of elements in each ("RUNNING 4"), by job, from sacct, else
// squeue. Empty where neither is available.
std::map<std::string, std::string> slurm_states(const std::vector<SlurmJob>& jobs) {
  if (jobs.empty()) return {};
  std::string ids;
  for (const SlurmJob& job : jobs) ids += (ids.empty() ? "" : ",") + job.id;
  Answer answer = answer_of({"sacct", "-n", "-P", "-X", "-j", ids, "--format=JobID,State"});
  if (answer.code != 0) answer = answer_of({"squeue", "-h", "-r", "-j", ids, "-o", "%i|%T"});
  std::map<std::string, std::map<std::string, int>> counted;
  std::istringstream lines(answer.code == 0 ? answer.out : "");
  for (std::string line; std::getline(lines, line);) {
    const size_t bar = line.find('|');
    if (bar == std::string::npos) continue;
    ++counted[line.substr(0, line.find_first_of("_|"))][line.substr(bar + 1)];
  }
  std::map<std::string, std::string> states;
  for (const auto& [id, of_job] : counted)
    for (const auto& [state, count] : of_job) append_item(&states[id], state + " " + std::to_string(count));
  return states;
}

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct FolderCommand {
  std::string folder;
  bool json = false;
};

struct SubmitCommand : FolderCommand {
  SubmitOptions options;
  std::string out;
  bool no_merge = false;
};

fs::path plan_folder(const std::string& folder) {
  std::error_code code;
  return fs::weakly_canonical(folder, code);
}

void submit(const SubmitCommand& command) {
  const fs::path folder = plan_folder(command.folder);
  const BatchPlan plan = value_or_fail(read_plan(folder / kPlanFile));
  SubmitOptions options = command.options;
  options.out = command.out, options.merge = !command.no_merge;
  const std::vector<SlurmJob> jobs = value_or_fail(submit_plan(plan, folder, options));
  ordered_json list = ordered_json::array();
  for (const SlurmJob& job : jobs) {
    list.push_back({{"id", job.id}, {"what", job.what}});
    if (!command.json) fmt::print("job {}: {}\n", job.id, job.what);
  }
  if (command.json) print_json(list);
}

void print_status(const BatchPlan& plan, const BatchStatus& status, const std::vector<SlurmJob>& jobs,
                  const std::map<std::string, std::string>& states) {
  for (size_t i = 0; i < status.tasks.size(); ++i) {
    const TaskStatus& task = status.tasks[i];
    std::string more = redact_credentials(task.sentence);
    if (task.state == TaskState::running) more = std::to_string(static_cast<int>(100 * task.share)) + " %";
    if (task.state == TaskState::failed && task.again) more += " (worth trying again)";
    fmt::print("{:4}  {:16} {:14} {}\n", i, plan.scene_of(i).name, task_state_name(task.state), more);
  }
  for (const SlurmJob& job : jobs) {
    const auto known = states.find(job.id);
    fmt::print("job {} ({}): {}\n", job.id, job.what,
               known == states.end() ? "no longer known to Slurm" : known->second.c_str());
  }
  fmt::print("{} of {} done, {} of them with gaps; {} running, {} failed",
             status.count(TaskState::done) + status.count(TaskState::gaps), status.tasks.size(),
             status.count(TaskState::gaps), status.count(TaskState::running),
             status.count(TaskState::failed) + status.count(TaskState::stopped));
  if (status.left_s > 0) fmt::print("; about {:.0f} min left", status.left_s / 60 + 0.5);
  fmt::print("\n");
}

void print_status_json(const BatchPlan& plan, const BatchStatus& status, const std::vector<SlurmJob>& jobs,
                       const std::map<std::string, std::string>& states) {
  ordered_json tasks = ordered_json::array(), slurm = ordered_json::array();
  for (size_t i = 0; i < status.tasks.size(); ++i)
    tasks.push_back({{"task", i},
                     {"scene", plan.scene_of(i).name},
                     {"state", task_state_name(status.tasks[i].state)},
                     {"share", status.tasks[i].share},
                     {"sentence", status.tasks[i].sentence},
                     {"again", status.tasks[i].again}});
  for (const SlurmJob& job : jobs) {
    const auto known = states.find(job.id);
    slurm.push_back({{"id", job.id},
                     {"what", job.what},
                     {"states", known == states.end() ? ordered_json() : ordered_json(known->second)}});
  }
  const ordered_json out = {{"tasks", tasks}, {"jobs", slurm}, {"left_s", status.left_s}};
  print_json(out);
}

void status(const FolderCommand& command) {
  const fs::path folder = plan_folder(command.folder);
  const BatchPlan plan = value_or_fail(read_plan(folder / kPlanFile));
  const std::vector<SlurmJob> jobs = submitted_jobs(folder);
  (command.json ? print_status_json : print_status)(plan, batch_status(plan, folder), jobs,
                                                    slurm_states(jobs));
}

void add_folder(CLI::App& command, FolderCommand& options) {
  command.add_option("folder", options.folder, "the plan's folder")
      ->required()
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  add_json_flag(command, &options.json);
}

}  // namespace

void add_submit(CLI::App& app) {
  auto options = std::make_shared<SubmitCommand>();
  CLI::App* command = app.add_subcommand("submit", "Submit a plan's tasks to Slurm, followed by the merge.");
  command->footer(
      "Calls sbatch with DIR/vantage.sbatch and prints the jobs' numbers. Tasks that are complete end at "
      "once, so that the same command continues after a failure.\n"
      "Example: vantage-cli submit work --out week --at-most 20");
  add_folder(*command, *options);
  command
      ->add_option("--out", options->out,
                   "folder for the merged results; if absent NAME.results next to each project")
      ->type_name("RESULTS");
  command->add_flag("--no-merge", options->no_merge, "submit no merge");
  command
      ->add_option("--at-most", options->options.at_most, "tasks at a time; 0: as many as the cluster runs")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  command->add_flag("--gpu", options->options.gpu, "one GPU for each task (--gres=gpu:1)");
  command
      ->add_option("--sbatch", options->options.more,
                   "an option for sbatch, repeatable: --sbatch=--partition=gpu")
      ->type_name("OPTION");
  command->callback([options] { submit(*options); });
}

void add_status(CLI::App& app) {
  auto options = std::make_shared<FolderCommand>();
  CLI::App* command =
      app.add_subcommand("status", "Progress of a plan's tasks: done, running, failed and why, time left.");
  command->footer("Example: vantage-cli status work");
  add_folder(*command, *options);
  command->callback([options] { status(*options); });
}

extern const char* const kScriptTemplate;  // cluster_template.cpp, generated by the build

namespace {

// Time before the end of a task at which it is told to stop: the script requests a minute, and Slurm may
// signal up to a minute earlier (sbatch's --signal).
constexpr long long kNoticeMinutes = 2;

void put(const std::string& name, const std::string& value, std::string* text) {
  const std::string place = "@" + name + "@";
  for (size_t at = text->find(place); at != std::string::npos; at = text->find(place, at + value.size()))
    text->replace(at, place.size(), value);
}

}  // namespace

std::filesystem::path own_program() {
  std::error_code code;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", code);
  return code ? std::filesystem::path("vantage-cli") : program;
}

Status write_cluster_script(const BatchPlan& plan, const std::filesystem::path& folder) {
  std::error_code code;
  const TaskNeeds needs = task_needs(plan);
  std::string text = kScriptTemplate;
  put("THREADS", std::to_string(needs.threads), &text);
  put("MEMORY_MB", std::to_string(std::llround(std::ceil(needs.host_bytes / 1048576))), &text);
  put("MINUTES", std::to_string(std::llround(std::ceil(needs.seconds / 60)) + kNoticeMinutes), &text);
  put("FOLDER", std::filesystem::weakly_canonical(folder, code).string(), &text);
  put("PROGRAM", own_program().string(), &text);
  VANTAGE_TRY(make_folder(folder / "logs"));
  return write_file_atomically(folder / kClusterScript, text);
}

}  // namespace vantage::cli
