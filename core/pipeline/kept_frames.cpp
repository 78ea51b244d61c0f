#include "core/pipeline/kept_frames.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/crash_report.h"
#include "core/base/hash.h"
#include "core/base/log.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kKeptMark = "vantage kept frames 2\n";
constexpr std::string_view kExtension = ".kept";
constexpr size_t kOpenFiles = 32;  // sweeps make a version for each of their points

// Precedes each record's bytes.
struct RecordHead {
  int64_t frame = 0;
  uint64_t size = 0;
  uint64_t checksum = 0;
};

uint64_t checksum(int64_t frame, std::string_view bytes) {
  return Hasher().add(frame).bytes(bytes.data(), bytes.size()).value();
}

bool read_all(int file, void* to, size_t size, int64_t at) {
  auto* bytes = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t count = ::pread(file, bytes, size, at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count, at += count, size -= static_cast<size_t>(count);
  }
  return true;
}

bool write_all(int file, std::string_view bytes, int64_t at) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file, bytes.data(), bytes.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count)), at += count;
  }
  return true;
}

int64_t size_of(int file) {
  struct stat about{};
  return ::fstat(file, &about) == 0 ? about.st_size : 0;
}

}  // namespace

// The records of one stage and version.
class KeptFrames::File {
 public:
  File(std::string name, const fs::path& path, bool to_write) : name_(std::move(name)), path_(path) {
    file_ = ::open(path.c_str(), (to_write ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC, 0644);
    if (file_ < 0 && to_write) file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) return;
    owned_ = to_write && ::flock(file_, LOCK_EX | LOCK_NB) == 0;
    find_records();
    ::futimens(file_, nullptr);
  }
  ~File() {
    if (file_ >= 0) ::close(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& name() const { return name_; }
  const fs::path& path() const { return path_; }
  bool owned() const { return owned_; }
  bool contains(int64_t frame) const { return records_.contains(frame); }

  std::optional<std::string> read(int64_t frame) {
    const auto found = records_.find(frame);
    if (found == records_.end()) return std::nullopt;
    std::string bytes(found->second.size, '\0');
    if (read_all(file_, bytes.data(), bytes.size(), found->second.at) &&
        checksum(frame, bytes) == found->second.checksum)
      return bytes;
    records_.erase(found);  // it is computed and written again
    return std::nullopt;
  }

  // Number of bytes added; -1: it could not be written.
  int64_t append(int64_t frame, std::string_view bytes) {
    const RecordHead head{frame, bytes.size(), checksum(frame, bytes)};
    std::string record(reinterpret_cast<const char*>(&head), sizeof head);
    record += bytes;
    if (!write_all(file_, record, end_)) {
      static_cast<void>(::ftruncate(file_, end_));
      return -1;
    }
    records_[frame] = {end_ + static_cast<int64_t>(sizeof head), bytes.size(), head.checksum};
    end_ += static_cast<int64_t>(record.size());
    return static_cast<int64_t>(record.size());
  }

 private:
  struct Record {
    int64_t at = 0;
    size_t size = 0;
    uint64_t checksum = 0;
  };

  // A file without the mark is restarted; an incomplete record is dropped.
  void find_records() {
    const int64_t size = size_of(file_);
    std::string there(kKeptMark.size(), '\0');
    end_ = static_cast<int64_t>(kKeptMark.size());
    if (size < end_ || !read_all(file_, there.data(), there.size(), 0) || there != kKeptMark) {
      if (owned_ && (::ftruncate(file_, 0) != 0 || !write_all(file_, kKeptMark, 0))) owned_ = false;
      return;
    }
    RecordHead record;
    while (end_ + static_cast<int64_t>(sizeof record) <= size &&
           read_all(file_, &record, sizeof record, end_)) {
      const int64_t at = end_ + static_cast<int64_t>(sizeof record);
      if (record.frame < 0 || record.size > static_cast<uint64_t>(size - at)) break;
      records_[record.frame] = {at, record.size, record.checksum};
      end_ = at + static_cast<int64_t>(record.size);
    }
    if (owned_ && end_ < size && ::ftruncate(file_, end_) != 0) owned_ = false;
  }

  const std::string name_;
  const fs::path path_;
  int file_ = -1;
  bool owned_ = false;  // this process writes it
  int64_t end_ = 0;
  std::unordered_map<int64_t, Record> records_;  // keyed by frame
};

KeptFrames::KeptFrames(fs::path folder, int64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes), writes_(max_bytes > 0) {
  bytes_ = bytes();
}
KeptFrames::~KeptFrames() = default;

int64_t KeptFrames::bytes() const {
  int64_t total = 0;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, code)) {
    const uintmax_t size = entry.path().extension() == kExtension ? entry.file_size(code) : 0;
    if (!code) total += static_cast<int64_t>(size);
  }
  return total;
}

std::optional<std::string> KeptFrames::read(std::string_view stage, uint64_t version, int64_t frame) {
  const std::lock_guard lock(mutex_);
  File* file = open(stage, version, false);
  return file ? file->read(frame) : std::nullopt;
}

bool KeptFrames::contains(std::string_view stage, uint64_t version, int64_t frame) {
  const std::lock_guard lock(mutex_);
  const File* file = open(stage, version, false);
  return file && file->contains(frame);
}

void KeptFrames::write(std::string_view stage, uint64_t version, int64_t frame, std::string_view bytes,
                       bool replace) {
  const std::lock_guard lock(mutex_);
  if (!writes_) return;
  File* file = open(stage, version, true);
  if (!file || !file->owned() || (file->contains(frame) && !replace)) return;
  if (!make_space(static_cast<int64_t>(bytes.size() + sizeof(RecordHead)), *file))
    return give_up("it holds " + std::to_string(max_bytes_ >> 20) + " MiB, its limit");
  const int64_t added = file->append(frame, bytes);
  if (added < 0) return give_up(std::strerror(errno));
  bytes_ += added;
}

// Null where there is none; a file is made when something is first written.
KeptFrames::File* KeptFrames::open(std::string_view stage, uint64_t version, bool to_write) {
  const std::string name = kept_file_name(stage, version);
  const auto same = std::find_if(files_.begin(), files_.end(),
                                 [&](const std::unique_ptr<File>& file) { return file->name() == name; });
  if (same != files_.end()) {
    files_.splice(files_.begin(), files_, same);
    return files_.front().get();
  }
  const fs::path path = folder_ / name;
  std::error_code code;
  if (!to_write && !fs::exists(path, code)) return nullptr;
  if (to_write && (fs::create_directories(folder_, code), code)) {
    give_up(code.message());
    return nullptr;
  }
  files_.push_front(std::make_unique<File>(name, path, writes_));
  if (files_.size() > kOpenFiles) files_.pop_back();
  return files_.front().get();
}

// False: all existing files are in use.
bool KeptFrames::make_space(int64_t bytes, const File& in_use) {
  while (bytes_ + bytes > max_bytes_) {
    bytes_ = this->bytes();  // others write here, too
    if (bytes_ + bytes <= max_bytes_) break;
    fs::path oldest;
    fs::file_time_type since = fs::file_time_type::max();
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, code)) {
      const bool busy = entry.path() == in_use.path() ||
                        std::any_of(files_.begin(), files_.end(), [&](const std::unique_ptr<File>& file) {
                          return file->path() == entry.path();
                        });
      const fs::file_time_type used = entry.last_write_time(code);
      if (busy || code || entry.path().extension() != kExtension || used >= since) continue;
      oldest = entry.path(), since = used;
    }
    if (oldest.empty() || !fs::remove(oldest, code)) return false;
  }
  return true;
}

void KeptFrames::give_up(const std::string& why) {
  writes_ = false;
  log_warning("what stages make is no longer kept in " + folder_.string() + ": " + why);
}

std::string kept_file_name(std::string_view stage, uint64_t version) {
  const uint64_t build = Hasher().add(build_id()).value();
  return std::string(stage) + "-" + hex64(version) + "-" + hex64(build).substr(8) + std::string(kExtension);
}

fs::path kept_folder(const fs::path& project) {
  return fs::path(project).replace_extension(kExtension);
}

}  // namespace vantage
