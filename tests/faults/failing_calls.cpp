// A library loaded before a program's own (LD_PRELOAD): counts the calls by which the program changes files
// under one folder, and lets the n-th of them fail, tear, or kill the program. The program itself is the one
// that ships.
//
//   VANTAGE_FAULT_FOLDER  absolute; calls on other files are not counted
//   VANTAGE_FAULT         N:HOW, N from 1; HOW one of
//                           full   no space (ENOSPC)        broken  input/output error (EIO)
//                           torn   half of a write is done, then there is no space any more
//                           kill   SIGKILL in place of the call
//                         nothing: calls are counted only
//   VANTAGE_FAULT_COUNT   a file that gets a byte for each call, its first letter: open write sync rename
//   make link truncate
//   VANTAGE_FAULT_JOURNAL a file that gets what was done, in order (journal.h), for power_loss.py
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/faults/journal.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum class How { nothing, full, broken, torn, kill };

struct Plan {
  char folder[PATH_MAX] = "";
  size_t folder_length = 0;
  long at = 0;
  How how = How::nothing;
  int counted = -1;  // file descriptor

  Plan() {
    if (const char* const named = std::getenv("VANTAGE_FAULT_FOLDER")) {
      std::snprintf(folder, sizeof folder, "%s", named);
      folder_length = std::strlen(folder);
    }
    if (const char* const fault = std::getenv("VANTAGE_FAULT")) {
      char* end = nullptr;
      at = std::strtol(fault, &end, 10);
      const char* const names[] = {"", ":full", ":broken", ":torn", ":kill"};
      for (int i = 1; i < 5; ++i)
        if (std::strcmp(end, names[i]) == 0) how = static_cast<How>(i);
    }
    if (const char* const file = std::getenv("VANTAGE_FAULT_COUNT"))
      counted = static_cast<int>(
          syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  }
};

const Plan& plan() {
  static const Plan made;
  return made;
}

constexpr int kDescriptors = Journal::kDescriptors;
std::atomic<bool> watched[kDescriptors];
std::atomic<long> calls;
std::atomic<bool> full_from_now;

bool inside(const char* path) {
  if (plan().folder_length == 0 || !path) return false;
  char joined[2 * PATH_MAX] = "";
  if (path[0] != '/' && ::getcwd(joined, PATH_MAX)) std::strcat(joined, "/");
  const size_t length = std::strlen(joined);
  std::snprintf(joined + length, sizeof joined - length, "%s", path);
  return std::strncmp(joined, plan().folder, plan().folder_length) == 0;
}
Journal& journal() {
  static Journal made;
  return made;
}
bool is_watched(int fd) {
  return fd >= 0 && fd < kDescriptors && watched[fd].load(std::memory_order_relaxed);
}
int watch(int fd) {
  if (fd >= 0 && fd < kDescriptors) watched[fd] = true;
  return fd;
}

// Counts a call. True: it fails, and errno says why. *torn: half of it is to be done.
bool fails(char letter, bool* torn = nullptr) {
  const Plan& p = plan();
  if (p.counted >= 0) syscall(SYS_write, p.counted, &letter, 1);
  const long number = ++calls;
  if (full_from_now && (letter == 'w' || letter == 'o' || letter == 'm')) return errno = ENOSPC, true;
  if (p.how == How::nothing || number != p.at) return false;
  switch (p.how) {
    case How::kill:
      raise(SIGKILL);
      return true;
    case How::torn:
      full_from_now = true;
      if (torn) return *torn = true, false;
      return errno = ENOSPC, true;
    case How::broken:
      return errno = EIO, true;
    default:
      return errno = ENOSPC, true;
  }
}

template <typename F>
F real(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

bool writes(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0;
}

int open_at(int folder, const char* path, int flags, mode_t mode) {
  const bool counted = writes(flags) && inside(path);
  if (counted && fails('o')) return -1;
  const int fd = static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
  if (journal().on() && inside(path)) journal().opened(fd, path, flags);  // also to sync it
  return counted ? watch(fd) : fd;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

FILE* open_stream(const char* name, const char* path, const char* mode) {
  const bool counted = std::strpbrk(mode, "wa+") && inside(path);
  if (counted && fails('o')) return nullptr;
  FILE* const file = real<FILE* (*)(const char*, const char*)>(name)(path, mode);
  if (file && counted) {
    watch(fileno(file));
    journal().opened(fileno(file), path, *mode == 'w' ? O_CREAT | O_TRUNC : O_CREAT);
  }
  return file;
}

// After the call: `count` bytes lie before the position that the file is at now.
ssize_t written(int fd, ssize_t count) {
  if (is_watched(fd)) journal().wrote(fd, count);
  return count;
}
int done(int result, char kind, const char* path, const char* other = "") {
  if (result == 0 && inside(path)) journal().named(kind, path, other);
  return result;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  return open_stream("fopen", path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return open_stream("fopen64", path, mode);
}
int mkstemp(char* pattern) {
  const bool counted = inside(pattern);
  if (counted && fails('o')) return -1;
  const int fd = real<int (*)(char*)>("mkstemp")(pattern);
  if (counted) journal().opened(fd, pattern, O_CREAT);
  return counted ? watch(fd) : fd;
}
int mkstemp64(char* pattern) {
  return mkstemp(pattern);
}
char* mkdtemp(char* pattern) {
  if (inside(pattern) && fails('m')) return nullptr;
  char* const made = real<char* (*)(char*)>("mkdtemp")(pattern);
  if (made) done(0, 'M', made);
  return made;
}
int mkdir(const char* path, mode_t mode) {
  if (inside(path) && fails('m')) return -1;
  return done(static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode)), 'M', path);
}

ssize_t write(int fd, const void* bytes, size_t count) {
  bool torn = false;
  if (is_watched(fd) && fails('w', &torn)) return -1;
  return written(fd, syscall(SYS_write, fd, bytes, torn ? count / 2 : count));
}
ssize_t pwrite64(int fd, const void* bytes, size_t count, off_t at) {
  bool torn = false;
  if (is_watched(fd) && fails('w', &torn)) return -1;
  const ssize_t done_bytes = syscall(SYS_pwrite64, fd, bytes, torn ? count / 2 : count, at);
  if (is_watched(fd)) journal().wrote(fd, done_bytes, at + done_bytes);
  return done_bytes;
}
ssize_t pwrite(int fd, const void* bytes, size_t count, off_t at) {
  return pwrite64(fd, bytes, count, at);
}
ssize_t writev(int fd, const iovec* parts, int count) {
  bool torn = false;
  if (is_watched(fd) && fails('w', &torn)) return -1;
  if (torn && count > 0) return written(fd, syscall(SYS_write, fd, parts[0].iov_base, parts[0].iov_len / 2));
  return written(fd, syscall(SYS_writev, fd, parts, count));
}
ssize_t sendfile(int to, int from, off_t* offset, size_t count) {
  if (is_watched(to) && fails('w')) return -1;
  return written(to, syscall(SYS_sendfile, to, from, offset, count));
}
ssize_t sendfile64(int to, int from, off_t* offset, size_t count) {
  return sendfile(to, from, offset, count);
}
ssize_t copy_file_range(int from, off_t* from_at, int to, off_t* to_at, size_t count, unsigned flags) {
  if (is_watched(to) && fails('w')) return -1;
  const ssize_t copied = syscall(SYS_copy_file_range, from, from_at, to, to_at, count, flags);
  if (is_watched(to)) journal().wrote(to, copied, to_at ? *to_at : -1);
  return copied;
}
int ftruncate(int fd, off_t size) {
  if (is_watched(fd) && fails('t')) return -1;
  const int result = static_cast<int>(syscall(SYS_ftruncate, fd, size));
  if (result == 0 && is_watched(fd)) journal().resized(fd, size);
  return result;
}
int ftruncate64(int fd, off_t size) {
  return ftruncate(fd, size);
}
int fsync(int fd) {
  if (is_watched(fd) && fails('s')) return -1;
  const int result = static_cast<int>(syscall(SYS_fsync, fd));
  if (result == 0) journal().synced(fd);
  return result;
}
int fdatasync(int fd) {
  if (is_watched(fd) && fails('s')) return -1;
  const int result = static_cast<int>(syscall(SYS_fdatasync, fd));
  if (result == 0) journal().synced(fd);
  return result;
}
int rename(const char* from, const char* to) {
  if (inside(to) && fails('r')) return -1;
  return done(static_cast<int>(syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to)), 'R', from, to);
}
int link(const char* from, const char* to) {
  if (inside(to) && fails('l')) return -1;
  return done(static_cast<int>(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0)), 'L', from, to);
}
int unlink(const char* path) {
  return done(static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0)), 'U', path);
}
int unlinkat(int folder, const char* path, int flags) {
  const std::string whole = journal().below(folder, path);
  const int result = static_cast<int>(syscall(SYS_unlinkat, folder, path, flags));
  return done(result, (flags & AT_REMOVEDIR) != 0 ? 'D' : 'U', whole.c_str());
}
int rmdir(const char* path) {
  return done(static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR)), 'D', path);
}
int remove(const char* path) {
  return unlink(path) == 0 || (errno == EISDIR && rmdir(path) == 0) ? 0 : -1;
}

// The C library's streams write through calls of its own, which nothing outside sees.
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  static const auto original = real<size_t (*)(const void*, size_t, size_t, FILE*)>("fwrite");
  if (!is_watched(fileno(file))) return original(bytes, size, count, file);
  bool torn = false;
  if (fails('w', &torn)) return 0;
  return original(bytes, size, torn ? count / 2 : count, file);
}
int fflush(FILE* file) {
  static const auto original = real<int (*)(FILE*)>("fflush");
  const int result = original(file);
  if (file && is_watched(fileno(file))) journal().flushed(fileno(file));
  return result;
}
int fclose(FILE* file) {
  static const auto original = real<int (*)(FILE*)>("fclose");
  if (is_watched(fileno(file))) {
    fflush(file);
    watched[fileno(file)] = false;
  }
  return original(file);
}
int close(int fd) {
  if (fd >= 0 && fd < kDescriptors) watched[fd] = false;
  return static_cast<int>(syscall(SYS_close, fd));
}

}  // extern "C"
