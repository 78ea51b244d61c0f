#include "core/base/process_owner.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

#include "core/base/json.h"

namespace vantage {
namespace {

std::string user_name() {
  std::array<char, 4096> text{};
  struct passwd entry = {};
  struct passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, text.data(), text.size(), &found) == 0 && found) return entry.pw_name;
  return "user " + std::to_string(::getuid());
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string first_word_of(const char* file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

// Field 22 of /proc/PID/stat; nothing where there is no such process, or only what its parent has not yet
// taken note of. The name before it is in brackets and may hold anything.
std::optional<int64_t> start_of(int64_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  std::string state, skipped;
  fields >> state;
  if (state == "Z" || state == "X") return std::nullopt;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  int64_t ticks = 0;
  if (!(fields >> ticks)) return std::nullopt;
  return ticks;
}

std::string process_space() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
}

}  // namespace

ProcessOwner this_process() {
  ProcessOwner owner;
  owner.user = user_name();
  owner.host = host_name();
  owner.program = first_word_of("/proc/self/comm");
  owner.boot = first_word_of("/proc/sys/kernel/random/boot_id");
  owner.process_space = process_space();
  owner.process = ::getpid();
  owner.started_ticks = start_of(owner.process).value_or(0);
  owner.since_utc_s = std::time(nullptr);
  return owner;
}

OwnerState state_of(const ProcessOwner& owner) {
  const ProcessOwner here = this_process();
  if (owner.host != here.host) return OwnerState::unknown;
  if (owner.boot != here.boot) return OwnerState::gone;
  if (owner.process_space != here.process_space) return OwnerState::unknown;
  const std::optional<int64_t> start = start_of(owner.process);
  if (!start || *start != owner.started_ticks) return OwnerState::gone;
  return owner.process == here.process ? OwnerState::self : OwnerState::running;
}

std::string owner_text(const ProcessOwner& owner) {
  return owner.user + "'s " + owner.program + " (process " + std::to_string(owner.process) + ") on " +
         owner.host;
}

std::string owner_to_json(const ProcessOwner& owner) {
  const nlohmann::ordered_json document = {{"user", owner.user},
                                           {"host", owner.host},
                                           {"program", owner.program},
                                           {"process", owner.process},
                                           {"since_utc_s", owner.since_utc_s},
                                           {"started_ticks", owner.started_ticks},
                                           {"boot", owner.boot},
                                           {"process_space", owner.process_space}};
  return json_text(document) + "\n";
}

std::optional<ProcessOwner> owner_from_json(std::string_view text) {
  const auto document = parse_json(text);
  if (!document.is_object()) return std::nullopt;
  try {
    ProcessOwner owner;
    owner.user = document.at("user").get<std::string>();
    owner.host = document.at("host").get<std::string>();
    owner.program = document.at("program").get<std::string>();
    owner.process = document.at("process").get<int64_t>();
    owner.since_utc_s = document.at("since_utc_s").get<int64_t>();
    owner.started_ticks = document.at("started_ticks").get<int64_t>();
    owner.boot = document.at("boot").get<std::string>();
    owner.process_space = document.at("process_space").get<std::string>();
    return owner;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::filesystem::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state && *state) return std::filesystem::path(state) / "vantage";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home ? home : "/tmp") / ".local" / "state" / "vantage";
}

std::filesystem::path config_folder() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config && *config) return std::filesystem::path(config) / "vantage";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home ? home : ".") / ".config" / "vantage";
}

FolderLock::FolderLock(const std::filesystem::path& file)
    : folder_(::open(file.has_parent_path() ? file.parent_path().c_str() : ".",
                     O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ >= 0) ::flock(folder_, LOCK_EX);
}

FolderLock::~FolderLock() {
  if (folder_ >= 0) ::close(folder_);
}

}  // namespace vantage
