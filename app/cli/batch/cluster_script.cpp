#include "app/cli/batch/cluster_script.h"

#include <cmath>

#include "core/base/file.h"

namespace vantage::cli {

extern const char* const kScriptTemplate;  // cluster_template.cpp, made when the program is built

namespace {

// Before its time ends a task is told to stop: the script asks for a minute, and Slurm may speak up to a
// minute sooner (sbatch's --signal).
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
