// Stages' artifacts of frames, kept on disk next to the project, so that a changed parameter recomputes only
// its stage and those after it, also in later sessions.
//
// A folder has a file for each stage, version and build: a version is a hash of everything that determines
// the stage's artifacts (core/pipeline/stage.h), but another build of the program (core/base/crash_report.h)
// may compute others, so the window and vantage-cli have separate files. Records are appended as frames are
// analysed, each with its checksum: a damaged or truncated one counts as absent. The folder has at most
// `max_bytes`; the files used least recently are dropped first. After a write error nothing is kept, and the
// log states it once: an analysis never fails over it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace vantage {

// Thread-safe. Of several processes one writes a file, the others read it.
class KeptFrames {
 public:
  static constexpr int64_t kDefaultMaxBytes = int64_t{1} << 30;

  // The folder is created at the first write. max_bytes <= 0: only reads existing files.
  explicit KeptFrames(std::filesystem::path folder, int64_t max_bytes = kDefaultMaxBytes);
  ~KeptFrames();
  KeptFrames(const KeptFrames&) = delete;
  KeptFrames& operator=(const KeptFrames&) = delete;

  // Nothing where there is none.
  std::optional<std::string> read(std::string_view stage, uint64_t version, int64_t frame);
  // Keeps an existing one unless `replace`.
  void write(std::string_view stage, uint64_t version, int64_t frame, std::string_view bytes, bool replace);
  bool contains(std::string_view stage, uint64_t version, int64_t frame);

  const std::filesystem::path& folder() const { return folder_; }
  int64_t max_bytes() const { return max_bytes_; }
  int64_t bytes() const;  // present size of the folder's files

 private:
  class File;
  File* open(std::string_view stage, uint64_t version, bool to_write);
  bool make_space(int64_t bytes, const File& in_use);
  void give_up(const std::string& why);

  const std::filesystem::path folder_;
  const int64_t max_bytes_;
  mutable std::mutex mutex_;
  std::list<std::unique_ptr<File>> files_;  // open ones, most recently used first
  int64_t bytes_ = 0;
  bool writes_ = false;
};

// The file's name in the folder, of this program.
std::string kept_file_name(std::string_view stage, uint64_t version);
// NAME.kept next to the project, as NAME.results is.
std::filesystem::path kept_folder(const std::filesystem::path& project);

}  // namespace vantage
