#include "core/results/frame_lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace vantage {
namespace {

constexpr size_t kBlock_bytes = 1 << 16;
constexpr size_t kProbe_bytes = 1 << 10;  // about a line
constexpr std::string_view kFrameKey = "{\"frame\":";

tl::unexpected<Error> reading_failed(const std::filesystem::path& path) {
  return fail(ErrorKind::io, std::string("reading failed (") + std::strerror(errno) + ")", path.string());
}

// Reads fewer bytes than `max` only at the end of the file.
Result<std::string> read_at(int file, int64_t offset, size_t max, const std::filesystem::path& path) {
  std::string bytes(max, '\0');
  size_t have = 0;
  while (have < max) {
    const ssize_t got = ::pread(file, bytes.data() + have, max - have, offset + static_cast<int64_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return reading_failed(path);
    if (got == 0) break;
    have += static_cast<size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace

Result<int64_t> whole_lines_bytes(int file, const std::filesystem::path& path) {
  struct stat facts = {};
  if (::fstat(file, &facts) != 0) return reading_failed(path);
  for (int64_t end = facts.st_size; end > 0;) {
    const int64_t begin = std::max<int64_t>(0, end - static_cast<int64_t>(kProbe_bytes));
    VANTAGE_ASSIGN(const std::string bytes, read_at(file, begin, static_cast<size_t>(end - begin), path));
    if (const size_t newline = bytes.rfind('\n'); newline != std::string::npos)
      return begin + static_cast<int64_t>(newline) + 1;
    end = begin;
  }
  return 0;
}

std::optional<int64_t> frame_of_line(std::string_view line) {
  if (!line.starts_with(kFrameKey)) return std::nullopt;
  line.remove_prefix(kFrameKey.size());
  int64_t frame = 0;
  const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), frame);
  if (problem != std::errc() || end == line.data() + line.size() || (*end != ',' && *end != '}'))
    return std::nullopt;
  return frame;
}

// A run that was killed or is in progress has its frames in the other file.
std::filesystem::path results_file(const std::filesystem::path& folder) {
  std::error_code ignored;
  const std::filesystem::path whole = folder / "results.jsonl", part = folder / "results.jsonl.part";
  const bool broken_off = !std::filesystem::exists(whole, ignored) && std::filesystem::exists(part, ignored);
  return broken_off ? part : whole;
}

Result<FrameLines> FrameLines::open(const std::filesystem::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0)
    return fail(ErrorKind::not_found, "there are no results here", file.string(),
                "Analyse the recording first.");
  FrameLines lines(opened, file);
  VANTAGE_ASSIGN(const int64_t end, lines.end());
  if (end == 0)
    return fail(ErrorKind::bad_data, "the file has no header line", file.string(), "Analyse again.");
  VANTAGE_ASSIGN(lines.header_, lines.line_at(0, end));
  lines.body_ = static_cast<int64_t>(lines.header_.size()) + 1;
  return lines;
}

FrameLines::~FrameLines() {
  if (file_ >= 0) ::close(file_);
}

FrameLines::FrameLines(FrameLines&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      path_(std::move(other.path_)),
      header_(std::move(other.header_)),
      body_(other.body_) {}

Result<std::string> FrameLines::bytes_at(int64_t offset, size_t max) const {
  return read_at(file_, offset, max, path_);
}

Result<int64_t> FrameLines::end() const {
  return whole_lines_bytes(file_, path_);
}

// The start of the first line that begins at or after `offset`; `end` where none does.
Result<int64_t> FrameLines::line_start(int64_t offset, int64_t end) const {
  if (offset <= body_) return std::min(body_, end);
  for (int64_t at = offset - 1; at < end;) {
    VANTAGE_ASSIGN(const std::string bytes, bytes_at(at, kProbe_bytes));
    if (const size_t newline = bytes.find('\n'); newline != std::string::npos)
      return std::min(end, at + static_cast<int64_t>(newline) + 1);
    at += static_cast<int64_t>(bytes.size());
  }
  return end;
}

// `offset`: the start of a line, before `end`.
Result<std::string> FrameLines::line_at(int64_t offset, int64_t end) const {
  std::string line;
  for (int64_t at = offset; at < end;) {
    VANTAGE_ASSIGN(const std::string bytes, bytes_at(at, kProbe_bytes));
    const size_t newline = bytes.find('\n');
    line.append(bytes, 0, newline);
    if (newline != std::string::npos) break;
    at += static_cast<int64_t>(bytes.size());
  }
  return line;
}

// The start of the first line of `frame` or a later one; `end` where there is none. Lines without a number
// belong to the line before.
Result<int64_t> FrameLines::first_from(int64_t frame, int64_t end) const {
  int64_t low = body_, high = end, found = end;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    VANTAGE_ASSIGN(int64_t start, line_start(middle, end));
    std::optional<int64_t> number;
    while (start < high) {
      VANTAGE_ASSIGN(const std::string head, bytes_at(start, kFrameKey.size() + 24));
      if ((number = frame_of_line(head))) break;
      VANTAGE_ASSIGN(start, line_start(start + 1, end));
    }
    if (number && *number < frame) {
      low = start + 1;
      continue;
    }
    if (number) found = start;
    high = middle;
  }
  return found;
}

Result<std::string> FrameLines::line(int64_t frame) const {
  VANTAGE_ASSIGN(const int64_t end, this->end());
  VANTAGE_ASSIGN(const int64_t start, first_from(frame, end));
  if (start < end) {
    VANTAGE_ASSIGN(std::string line, line_at(start, end));
    if (frame_of_line(line) == frame) return line;
  }
  return fail(ErrorKind::not_found, "the results do not have frame " + std::to_string(frame), path_.string());
}

Result<std::optional<std::string>> FrameLines::last() const {
  VANTAGE_ASSIGN(int64_t end, this->end());
  while (end > body_) {
    // Searches backwards for the newline before the last line.
    int64_t start = end - 1;
    for (bool found = false; !found && start > body_;) {
      const int64_t begin = std::max<int64_t>(body_, start - static_cast<int64_t>(kProbe_bytes));
      VANTAGE_ASSIGN(const std::string bytes, bytes_at(begin, static_cast<size_t>(start - begin)));
      const size_t newline = bytes.rfind('\n');
      found = newline != std::string::npos;
      start = found ? begin + static_cast<int64_t>(newline) + 1 : begin;
    }
    VANTAGE_ASSIGN(std::string line, line_at(start, end));
    if (frame_of_line(line)) return std::optional(std::move(line));
    end = start;
  }
  return std::optional<std::string>();
}

Result<FrameLines::Count> FrameLines::count() const {
  VANTAGE_ASSIGN(const int64_t end, this->end());
  Count count;
  std::string before;  // the end of the last block: the searched text may begin there
  for (int64_t at = body_; at < end; at += static_cast<int64_t>(kBlock_bytes)) {
    const auto max = static_cast<size_t>(std::min<int64_t>(kBlock_bytes, end - at));
    VANTAGE_ASSIGN(const std::string bytes, bytes_at(at, max));
    count.lines += std::count(bytes.begin(), bytes.end(), '\n');
    before += bytes;
    for (size_t found = before.find(kUnknownPeople); found != std::string::npos;
         found = before.find(kUnknownPeople, found + 1))
      ++count.unknown;
    before.erase(0, before.size() - std::min(before.size(), kUnknownPeople.size() - 1));
  }
  return count;
}

Result<FrameLines::Range> FrameLines::range(int64_t from, int64_t to, int64_t max_lines,
                                            size_t max_bytes) const {
  VANTAGE_ASSIGN(const int64_t end, this->end());
  VANTAGE_ASSIGN(int64_t at, first_from(from, end));
  Range range;
  for (int64_t lines = 0; at < end;) {
    VANTAGE_ASSIGN(const std::string line, line_at(at, end));
    at += static_cast<int64_t>(line.size()) + 1;
    const std::optional<int64_t> frame = frame_of_line(line);
    if (!frame) continue;
    if (*frame >= to) break;
    if (lines > 0 && (lines == max_lines || range.text.size() + line.size() > max_bytes)) {
      range.next = frame;
      break;
    }
    range.text += line + '\n';
    ++lines;
  }
  return range;
}

}  // namespace vantage
