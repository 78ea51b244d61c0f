// What a program did to the files of a folder, in order: the file named by VANTAGE_FAULT_JOURNAL holds
// records, each a line "KIND DESCRIPTOR POSITION BYTES" and so many bytes. Nothing is noted where the
// variable is not set.
//
//   O  a descriptor was opened; position 1: the file was emptied, 0: not; the bytes are its path
//   W  bytes were written there            T  the file got the size `position`
//   S  the descriptor was synced           R, L, U, D, M  renamed, linked, unlinked, folder removed, folder
//   made:
//                                          the bytes are its path, of R and L a NUL and the new one
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

class Journal {
 public:
  static constexpr int kDescriptors = 65536;

  Journal() {
    if (const char* const file = std::getenv("VANTAGE_FAULT_JOURNAL"))
      to_ = static_cast<int>(
          syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  }

  bool on() const { return to_ >= 0; }

  void opened(int fd, const char* path, int flags) {
    if (to_ < 0 || fd < 0 || fd >= kDescriptors) return;
    known_[fd] = true;
    flushed_to_[fd] = ::lseek(fd, 0, (flags & O_TRUNC) != 0 ? SEEK_SET : SEEK_END);
    if ((flags & O_APPEND) == 0 && (flags & O_TRUNC) == 0) ::lseek(fd, 0, SEEK_SET);
    note('O', fd, (flags & O_TRUNC) != 0 ? 1 : 0, absolute(path));
  }
  // `end`: of what was written; -1: where the descriptor stands.
  void wrote(int fd, ssize_t count, off_t end = -1) {
    if (to_ < 0 || count <= 0) return;
    if (end < 0) end = ::lseek(fd, 0, SEEK_CUR);
    copy(fd, end - count, count);
    flushed_to_[fd] = end;
  }
  // Of a stream, whose writes go on from where the last flush ended.
  void flushed(int fd) {
    if (to_ < 0) return;
    const off_t end = ::lseek(fd, 0, SEEK_CUR);
    copy(fd, flushed_to_[fd], end - flushed_to_[fd]);
    flushed_to_[fd] = end;
  }
  void resized(int fd, off_t size) {
    if (to_ >= 0) note('T', fd, size, {});
  }
  void synced(int fd) {
    if (to_ >= 0 && fd >= 0 && fd < kDescriptors && known_[fd]) note('S', fd, 0, {});
  }
  void named(char kind, const char* path, const char* other) {
    if (to_ < 0) return;
    std::string names = absolute(path);
    if (*other) names += '\0' + absolute(other);
    note(kind, -1, 0, names);
  }
  // `path` in the folder that a descriptor stands for.
  std::string below(int folder, const char* path) const {
    if (folder == AT_FDCWD || *path == '/') return path;
    char name[PATH_MAX] = "";
    const std::string link = "/proc/self/fd/" + std::to_string(folder);
    const ssize_t length = ::readlink(link.c_str(), name, sizeof name - 1);
    return length > 0 ? std::string(name, static_cast<size_t>(length)) + "/" + path : path;
  }

 private:
  static std::string absolute(const std::string& path) {
    char here[PATH_MAX] = "";
    if (path.starts_with('/') || !::getcwd(here, sizeof here)) return path;
    return std::string(here) + "/" + path;
  }
  // The bytes as they lie in the file: some calls do not have them.
  void copy(int fd, off_t from, ssize_t count) {
    if (count <= 0) return;
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    const int in = static_cast<int>(syscall(SYS_openat, AT_FDCWD, link.c_str(), O_RDONLY | O_CLOEXEC));
    std::string bytes(static_cast<size_t>(count), '\0');
    const ssize_t got = syscall(SYS_pread64, in, bytes.data(), bytes.size(), from);
    syscall(SYS_close, in);
    if (got == count) note('W', fd, from, bytes);
  }
  void note(char kind, int fd, off_t position, const std::string& bytes) const {
    std::string head = std::string(1, kind) + " " + std::to_string(fd) + " " + std::to_string(position) +
                       " " + std::to_string(bytes.size()) + "\n";
    const iovec parts[] = {{head.data(), head.size()}, {const_cast<char*>(bytes.data()), bytes.size()}};
    syscall(SYS_writev, to_, parts, 2);
  }

  int to_ = -1;
  std::atomic<bool> known_[kDescriptors] = {};
  std::atomic<off_t> flushed_to_[kDescriptors] = {};  // of streams
};
