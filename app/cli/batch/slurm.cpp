#include "app/cli/batch/slurm.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "app/cli/batch/cluster_script.h"
#include "core/base/file.h"
#include "core/base/json.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* kJobsFile = "jobs.json";

struct Answer {
  int code = -1;  // 127: there is no such program
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

// Runs a program without a shell. What it prints is little, so that neither pipe fills.
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

// Lists of elements, one an array: all tasks; or of each span the scenes that have it.
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

// `wait`: which jobs a job waits for, as sbatch --dependency has it.
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

}  // namespace

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
    VANTAGE_TRY(write_jobs(jobs, folder));  // what was given to Slurm is known, whatever follows
  }
  if (!options.merge) return jobs;
  VANTAGE_ASSIGN(std::string id, submit_merge(folder, options, "--dependency=afterok" + all));
  jobs.push_back({std::move(id), "merge"});
  VANTAGE_TRY(write_jobs(jobs, folder));
  return jobs;
}

std::vector<SlurmJob> submitted_jobs(const fs::path& folder) {
  std::vector<SlurmJob> jobs;
  const Result<std::string> text = read_file(folder / kJobsFile);
  const auto list = parse_json(text ? *text : "[]");
  if (!list.is_array()) return jobs;
  for (const auto& job : list)
    if (job.is_object()) jobs.push_back({job.value("id", ""), job.value("what", "")});
  return jobs;
}

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
    for (const auto& [state, count] : of_job)
      states[id] += (states[id].empty() ? "" : ", ") + state + " " + std::to_string(count);
  return states;
}

}  // namespace vantage::cli
