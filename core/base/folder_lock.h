// Keeps other programs that take it out of a file while it is read, changed and replaced. The lock is the
// folder's, as the file itself is replaced. Where a file system knows no such locks the time between reading
// and replacing is as short, but not guarded.
#pragma once

#include <filesystem>

namespace vantage {

class FolderLock {
 public:
  // Locks the folder that `file` lies in; waits for it.
  explicit FolderLock(const std::filesystem::path& file);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_;  // -1: nothing is locked
};

}  // namespace vantage
