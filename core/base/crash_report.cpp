#include "core/base/crash_report.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include "core/base/file.h"
#include "core/base/instruction_sets.h"
#include "core/base/log.h"
#include "core/base/process_owner.h"

namespace vantage {
namespace {

constexpr std::string_view kPrefix = "crash-", kSuffix = ".txt";
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int kFrames = 100;

// Text that the handler reads: complete before it is named.
template <size_t N>
class FixedText {
 public:
  void set(std::string_view text) {
    set_.store(false, std::memory_order_release);
    const size_t length = std::min(text.size(), N - 1);
    std::memcpy(text_.data(), text.data(), length);
    text_[length] = '\0';
    set_.store(length > 0, std::memory_order_release);
  }
  const char* get() const { return set_.load(std::memory_order_acquire) ? text_.data() : nullptr; }

 private:
  std::array<char, N> text_ = {};
  std::atomic<bool> set_ = false;
};

FixedText<PATH_MAX> report_path, copy_path;
FixedText<200> program_text, device_text;
std::string file_name;                    // of reports
std::array<char, 1 << 16> handler_stack;  // for a stack that is used up

// ---- in the handler: nothing that takes a lock or memory

void put(int fd, const char* text) {
  if (text) [[maybe_unused]]
    const ssize_t written = ::write(fd, text, std::strlen(text));
}

void put_number(int fd, uint64_t value, unsigned base) {
  char digits[24];
  char* at = digits + sizeof digits - 1;
  *at = '\0';
  do {
    *--at = "0123456789abcdef"[value % base];
    value /= base;
  } while (value > 0);
  put(fd, at);
}

const char* signal_name(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV, memory that is not there";
    case SIGBUS:
      return "SIGBUS, memory or a mapped file that cannot be read";
    case SIGFPE:
      return "SIGFPE, a division by zero";
    case SIGILL:
      return "SIGILL, an instruction that this processor does not have";
    default:
      return "SIGABRT, a check of its own";
  }
}

void write_report(int fd, int signal, const siginfo_t* info) {
  put(fd, program_text.get());
  put(fd, "died of ");
  put(fd, signal_name(signal));
  if (signal != SIGABRT && info)
    put(fd, ", at 0x"), put_number(fd, reinterpret_cast<uintptr_t>(info->si_addr), 16);
  if (const char* const device = device_text.get()) put(fd, "\ndevice: "), put(fd, device);
  put(fd, "\n\nstack (addr2line -Cfe PROGRAM OFFSET names the lines):\n");
  void* frames[kFrames];
  ::backtrace_symbols_fd(frames, ::backtrace(frames, kFrames), fd);
  put(fd, "\nlast lines of the log:\n");
  recent_log_lines().for_each([fd](const char* line) { put(fd, line), put(fd, "\n"); });
}

void on_fault(int signal, siginfo_t* info, void*) {
  for (const int each : kSignals) ::signal(each, SIG_DFL);  // a fault in here ends the program
  for (const auto* const path : {&report_path, &copy_path}) {
    if (!path->get()) continue;
    const int fd = ::open(path->get(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) continue;
    write_report(fd, signal, info);
    ::close(fd);
    put(STDERR_FILENO, "\ndied of ");
    put(STDERR_FILENO, signal_name(signal));
    put(STDERR_FILENO, "; what is known of it: ");
    put(STDERR_FILENO, path->get());
    put(STDERR_FILENO, "\n");
  }
  ::raise(signal);
}

}  // namespace

void report_crashes(std::string_view program, std::string_view version) {
  std::array<char, 32> started = {};
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  ::gmtime_r(&now, &utc);
  std::strftime(started.data(), started.size(), "%Y%m%dT%H%M%SZ", &utc);
  file_name = std::string(kPrefix) + started.data() + "-" + std::to_string(::getpid()) + std::string(kSuffix);
  program_text.set(std::string(program) + " " + std::string(version) + "\nbuild: " + build_id() +
                   "\nstarted: " + started.data() + "\ninstruction set: " + instruction_set_in_use().name +
                   "\n");
  if (make_folder(crash_folder())) report_path.set((crash_folder() / file_name).string());

  void* frame[1];
  ::backtrace(frame, 1);  // loads what it needs, which the handler may not
  const stack_t stack = {handler_stack.data(), 0, handler_stack.size()};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : kSignals) ::sigaction(signal, &action, nullptr);
}

void set_crash_report_device(std::string_view description) {
  device_text.set(description);
}

void set_crash_report_copy(const std::filesystem::path& folder) {
  copy_path.set(folder.empty() || file_name.empty() ? std::string() : (folder / file_name).string());
}

std::filesystem::path crash_folder() {
  return state_folder() / "crashes";
}

std::vector<std::filesystem::path> crash_reports(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> reports;
  std::error_code code;
  for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kPrefix) && name.ends_with(kSuffix)) reports.push_back(entry->path());
  }
  std::sort(reports.rbegin(), reports.rend());  // names begin with the time
  return reports;
}

namespace {

struct Search {
  uintptr_t address = 0;  // of code of ours
  std::string id;
};

bool holds(const dl_phdr_info& object, uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    const uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= begin && address < begin + segment.p_memsz) return true;
  }
  return false;
}

size_t padded(size_t size) {
  return (size + 3) / 4 * 4;
}

// The build's note among the notes of a segment.
std::string id_in(const char* at, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const size_t length = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (length > size) return {};
    const char* const name = at + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      const auto* const bytes = reinterpret_cast<const unsigned char*>(name + padded(note.n_namesz));
      std::string id;
      for (size_t i = 0; i < note.n_descsz; ++i) id += fmt::format("{:02x}", static_cast<unsigned>(bytes[i]));
      return id;
    }
    at += length, size -= length;
  }
  return {};
}

int look_at(dl_phdr_info* object, size_t, void* data) {
  auto* const search = static_cast<Search*>(data);
  if (!holds(*object, search->address)) return 0;
  for (int i = 0; i < object->dlpi_phnum && search->id.empty(); ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE)
      search->id = id_in(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
  }
  return 1;
}

std::string of_file() {
  Dl_info object = {};
  struct stat about = {};
  if (::dladdr(reinterpret_cast<const void*>(&of_file), &object) == 0 || !object.dli_fname ||
      ::stat(object.dli_fname, &about) != 0)
    return {};
  return fmt::format("{:x}-{:x}", about.st_size, about.st_mtime);
}

}  // namespace

const std::string& build_id() {
  static const std::string id = [] {
    Search search{reinterpret_cast<uintptr_t>(&of_file), {}};
    ::dl_iterate_phdr(look_at, &search);
    return search.id.empty() ? of_file() : search.id;
  }();
  return id;
}

}  // namespace vantage
