#include "core/batch/task_files.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view kTaskSchema = "vantage-task-1";
constexpr const char* kRecordFile = "task.json";
constexpr size_t kReadBytes = size_t{1} << 20;

std::string text_of(const ordered_json& out) {
  return json_text(out, 1) + "\n";
}

std::optional<uint64_t> hash_of_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  Hasher hasher;
  std::string block(kReadBytes, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0)
    hasher.bytes(block.data(), static_cast<size_t>(in.gcount()));
  return hasher.value();
}

bool is_sealed(const fs::path& folder, const SealedFile& file, bool by_content) {
  std::error_code code;
  const uintmax_t bytes = fs::file_size(folder / file.name, code);
  if (code || static_cast<int64_t>(bytes) != file.bytes) return false;
  return !by_content || hash_of_file(folder / file.name) == file.hash;
}

ordered_json record_json(const TaskRecord& record) {
  ordered_json inputs = ordered_json::array(), gaps = ordered_json::array(), files = ordered_json::array();
  for (const PlannedInput& input : record.inputs)
    inputs.push_back({{"camera", input.camera},
                      {"video", input.video},
                      {"bytes", input.bytes},
                      {"checksum", hex64(input.checksum)}});
  for (const Gap& gap : record.gaps)
    gaps.push_back(
        {{"camera", gap.camera}, {"first", gap.first}, {"last", gap.last}, {"problem", gap.problem}});
  for (const SealedFile& file : record.files)
    files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"hash", hex64(file.hash)}});
  return {{"schema", kTaskSchema},
          {"task", record.task},
          {"result", record.gaps.empty() ? "done" : "done with gaps"},
          {"scene_hash", hex64(record.scene_hash)},
          {"version", record.version},
          {"parameters_hash", hex64(record.parameters_hash)},
          {"project_hash", hex64(record.project_hash)},
          {"inputs", inputs},
          {"device", record.device},
          {"host", record.host},
          {"begin", record.begin},
          {"end", record.end},
          {"frames", record.frames},
          {"seconds", record.seconds},
          {"gaps", gaps},
          {"notes", record.notes},
          {"files", files}};
}

// Throws json::exception where it is not valid.
TaskRecord record_from(const json& from) {
  TaskRecord record;
  record.task = from.at("task").get<size_t>();
  record.scene_hash = from_hex64(from.at("scene_hash").get<std::string>());
  record.version = from.at("version").get<std::string>();
  record.parameters_hash = from_hex64(from.at("parameters_hash").get<std::string>());
  record.project_hash = from_hex64(from.at("project_hash").get<std::string>());
  for (const json& input : from.at("inputs"))
    record.inputs.push_back({input.at("camera").get<std::string>(), input.at("video").get<std::string>(),
                             input.at("bytes").get<int64_t>(),
                             from_hex64(input.at("checksum").get<std::string>())});
  record.device = from.at("device").get<std::string>(), record.host = from.at("host").get<std::string>();
  record.begin = from.at("begin").get<int64_t>(), record.end = from.at("end").get<int64_t>();
  record.frames = from.at("frames").get<int64_t>(), record.seconds = from.at("seconds").get<double>();
  for (const json& gap : from.at("gaps"))
    record.gaps.push_back({gap.at("camera").get<std::string>(), gap.at("first").get<int64_t>(),
                           gap.at("last").get<int64_t>(), gap.at("problem").get<std::string>()});
  record.notes = from.at("notes").get<std::vector<std::string>>();
  for (const json& file : from.at("files"))
    record.files.push_back({file.at("name").get<std::string>(), file.at("bytes").get<int64_t>(),
                            from_hex64(file.at("hash").get<std::string>())});
  return record;
}

// The result of `make` from the file's JSON; nothing where the file is absent or not valid.
template <typename T, typename Make>
std::optional<T> read_report(const fs::path& path, const Make& make) {
  const Result<std::string> text = read_file(path);
  if (!text) return std::nullopt;
  try {
    return make(parse_json_or_throw(*text));
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

Result<std::vector<SealedFile>> sealed_files(const fs::path& folder) {
  std::vector<SealedFile> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), folder).string();
    const std::optional<uint64_t> hash = hash_of_file(entry.path());
    if (!hash) return fail(ErrorKind::io, "cannot be read again", entry.path().string());
    files.push_back({name, static_cast<int64_t>(entry.file_size()), *hash});
  }
  std::sort(files.begin(), files.end(),
            [](const SealedFile& a, const SealedFile& b) { return a.name < b.name; });
  return files;
}

}  // namespace

TaskExit exit_after(const Error& error) {
  switch (error.kind) {
    case ErrorKind::io:
    case ErrorKind::out_of_memory:
    case ErrorKind::device_lost:
    case ErrorKind::cancelled:
      return TaskExit::again;
    case ErrorKind::invalid_argument:
    case ErrorKind::not_found:
    case ErrorKind::unsupported:
    case ErrorKind::bad_data:
      return TaskExit::never;
    case ErrorKind::end_of_stream:
      break;
  }
  return TaskExit::failed;
}

TaskFiles::TaskFiles(fs::path folder, size_t task)
    : complete_(std::move(folder) / "tasks" / fmt::format("{:04}", task)) {}

fs::path TaskFiles::part() const {
  const ProcessOwner owner = this_process();
  return complete_.string() + ".part-" + owner.host + "-" + std::to_string(owner.process);
}

fs::path TaskFiles::beside(const char* suffix) const {
  return complete_.string() + suffix;
}

std::optional<TaskRecord> TaskFiles::record(bool by_content) const {
  auto record = read_report<TaskRecord>(complete_ / kRecordFile, record_from);
  if (!record) return std::nullopt;
  for (const SealedFile& file : record->files)
    if (!is_sealed(complete_, file, by_content)) return std::nullopt;
  return record;
}

Status TaskFiles::commit(TaskRecord sealed) const {
  const fs::path from = part();
  VANTAGE_ASSIGN(sealed.files, sealed_files(from));
  VANTAGE_TRY(write_file_atomically(from / kRecordFile, text_of(record_json(sealed))));
  std::error_code code;
  const auto complete = [&] {
    const auto there = record(true);
    return there && there->scene_hash == sealed.scene_hash;
  };
  if (!complete()) fs::remove_all(complete_, code);
  code = rename_durably(from, complete_);
  if (code && complete()) {
    fs::remove_all(from, code);
    return {};
  }
  if (code) return fail(ErrorKind::io, "cannot be completed (" + code.message() + ")", complete_.string());
  return {};
}

void TaskFiles::remove_stale_parts() const {
  std::error_code code;
  const std::string prefix = complete_.filename().string() + ".part-" + this_process().host + "-";
  std::vector<fs::path> stale;
  for (const fs::directory_entry& entry : fs::directory_iterator(complete_.parent_path(), code)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || entry.path() == part()) continue;
    if (!fs::exists("/proc/" + name.substr(prefix.size()), code)) stale.push_back(entry.path());
  }
  for (const fs::path& path : stale) fs::remove_all(path, code);
}

void TaskFiles::write_progress(const TaskProgress& progress) const {
  const ordered_json out = {
      {"owner", owner_to_json(progress.owner)}, {"done", progress.done}, {"total", progress.total}};
  static_cast<void>(write_file_atomically(beside(".progress.json"), text_of(out)));
}

std::optional<TaskProgress> TaskFiles::progress() const {
  return read_report<TaskProgress>(beside(".progress.json"), [](const json& from) {
    return TaskProgress{owner_from_json(from.at("owner").get<std::string>()).value_or(ProcessOwner()),
                        from.at("done").get<int64_t>(), from.at("total").get<int64_t>()};
  });
}

void TaskFiles::write_failure(const TaskFailure& failure) const {
  const ordered_json out = {{"exit", static_cast<int>(failure.exit)},
                            {"sentence", failure.sentence},
                            {"at_utc_s", static_cast<int64_t>(std::time(nullptr))}};
  static_cast<void>(write_file_atomically(beside(".failed.json"), text_of(out)));
}

std::optional<TaskFailure> TaskFiles::failure() const {
  return read_report<TaskFailure>(beside(".failed.json"), [](const json& from) {
    return TaskFailure{static_cast<TaskExit>(from.at("exit").get<int>()),
                       from.at("sentence").get<std::string>(), from.at("at_utc_s").get<int64_t>()};
  });
}

void TaskFiles::remove_reports(bool failure_too) const {
  std::error_code code;
  fs::remove(beside(".progress.json"), code);
  if (failure_too) fs::remove(beside(".failed.json"), code);
}

namespace {

namespace fs = std::filesystem;

bool reports(const TaskFiles& files, const TaskProgress& progress) {
  switch (state_of(progress.owner)) {
    case OwnerState::self:
    case OwnerState::running:
      return true;
    case OwnerState::gone:
      return false;
    case OwnerState::unknown:
      break;
  }
  std::error_code code;
  const auto written = fs::last_write_time(files.beside(".progress.json"), code);
  return !code && fs::file_time_type::clock::now() - written < std::chrono::duration<double>(kSilence_s);
}

TaskStatus status_of(const TaskFiles& files, const TaskRecord* record) {
  if (record) {
    const bool whole = record->gaps.empty();
    return {whole ? TaskState::done : TaskState::gaps, 1, whole ? "" : gap_text(record->gaps.front())};
  }
  if (const auto progress = files.progress()) {
    const double share =
        progress->total > 0 ? static_cast<double>(progress->done) / static_cast<double>(progress->total) : 0;
    if (reports(files, *progress)) return {TaskState::running, share};
    return {TaskState::stopped, 0, "it began, by " + owner_text(progress->owner) + ", and did not end", true};
  }
  if (const auto failure = files.failure())
    return {TaskState::failed, 0, failure->sentence, failure->exit == TaskExit::again};
  return {};
}

}  // namespace

std::string_view task_state_name(TaskState state) {
  switch (state) {
    case TaskState::waiting:
      return "waiting";
    case TaskState::running:
      return "running";
    case TaskState::stopped:
      return "stopped";
    case TaskState::failed:
      return "failed";
    case TaskState::gaps:
      return "done with gaps";
    case TaskState::done:
      break;
  }
  return "done";
}

int64_t BatchStatus::count(TaskState state) const {
  return std::count_if(tasks.begin(), tasks.end(), [&](const TaskStatus& one) { return one.state == state; });
}

BatchStatus batch_status(const BatchPlan& plan, const fs::path& folder) {
  BatchStatus status;
  double predicted_s = 0, took_s = 0, ahead_s = 0, longest_s = 0;
  for (size_t i = 0; i < plan.tasks.size(); ++i) {
    const TaskFiles files(folder, i);
    const auto record = files.record(false);
    const TaskStatus& one = status.tasks.emplace_back(status_of(files, record ? &*record : nullptr));
    const double all_s = plan.tasks[i].predicted_s, left_s = all_s * (1 - one.share);
    if (record) predicted_s += all_s, took_s += record->seconds;
    if (one.state == TaskState::failed && !one.again) continue;
    ahead_s += left_s, longest_s = std::max(longest_s, left_s);
  }
  const double pace = predicted_s > 0 && took_s > 0 ? took_s / predicted_s : 1;
  const auto side_by_side = static_cast<double>(std::max<int64_t>(1, status.count(TaskState::running)));
  status.left_s = pace * std::max(longest_s, ahead_s / side_by_side);
  return status;
}

}  // namespace vantage
