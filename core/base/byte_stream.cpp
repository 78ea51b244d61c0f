#include "core/base/byte_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

namespace vantage {

void SpanReaders::fetch() {
  std::vector<TraceSpan> fresh = trace_->take_new();
  spans_.insert(spans_.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
  if (spans_.size() <= max_) return;
  const size_t over = spans_.size() - max_;
  spans_.erase(spans_.begin(), spans_.begin() + static_cast<std::ptrdiff_t>(over));
  first_ += over;
}

uint64_t SpanReaders::end() {
  const std::lock_guard lock(mutex_);
  fetch();
  return first_ + spans_.size();
}

std::vector<TraceSpan> SpanReaders::take_new(uint64_t* place) {
  const std::lock_guard lock(mutex_);
  fetch();
  const uint64_t from = std::max(*place, first_);
  *place = first_ + spans_.size();
  return {spans_.begin() + static_cast<std::ptrdiff_t>(from - first_), spans_.end()};
}

namespace {

constexpr size_t kBlock_bytes = size_t{4} << 20;

}  // namespace

Result<LineBlocks> LineBlocks::open(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail(ErrorKind::not_found, std::string("cannot be opened: ") + std::strerror(errno), path.string(),
                "Check the path.");
  struct stat status = {};
  const int64_t size = ::fstat(file, &status) == 0 ? status.st_size : 0;
  return LineBlocks(file, path, size);
}

LineBlocks::~LineBlocks() {
  if (file_ >= 0) ::close(file_);
}

LineBlocks::LineBlocks(LineBlocks&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      path_(std::move(other.path_)),
      size_(other.size_),
      read_(other.read_),
      buffer_(std::move(other.buffer_)),
      given_(other.given_) {}

Result<std::string_view> LineBlocks::next() {
  buffer_.erase(0, std::exchange(given_, 0));
  for (;;) {
    const size_t before = buffer_.size();
    buffer_.resize(before + kBlock_bytes);
    const ssize_t count = ::read(file_, buffer_.data() + before, kBlock_bytes);
    buffer_.resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return fail(ErrorKind::io, std::string("cannot be read: ") + std::strerror(errno), path_.string(),
                  "Check the disk.");
    read_ += count;
    const size_t newline = count > 0 ? buffer_.rfind('\n') : std::string::npos;
    if (count > 0 && newline == std::string::npos) continue;  // a line longer than a piece
    given_ = count == 0 ? buffer_.size() : newline + 1;
    return std::string_view(buffer_).substr(0, given_);
  }
}

double LineBlocks::share() const {
  const auto given = static_cast<double>(read_) - static_cast<double>(buffer_.size() - given_);
  return size_ > 0 ? std::clamp(given / static_cast<double>(size_), 0.0, 1.0) : 1;
}

}  // namespace vantage
