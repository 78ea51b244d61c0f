// The frame lines of a results file, found by frame number without an index: lines come in order of frames,
// so the file itself is searched, by halves. Reads also a file that is still appended to; what follows
// the last newline is not there yet. A file that is renamed or replaced is read on as it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

// The number that a frame line begins with; nothing where it is none.
std::optional<int64_t> frame_of_line(std::string_view line);

// The text in a frame line whose people are unknown: too few cameras had a picture.
inline constexpr std::string_view kUnknownPeople = R"("people":{"count":null,)";

// results.jsonl of the folder, or, where no run has finished, what one has written so far.
std::filesystem::path results_file(const std::filesystem::path& folder);

// How many bytes the whole lines of an open file take: up to behind its last newline. `path` is for errors;
// the file's position stays.
Result<int64_t> whole_lines_bytes(int file, const std::filesystem::path& path);

// May be used from several threads.
class FrameLines {
 public:
  // not_found where there is no such file; bad_data where it has no first line.
  static Result<FrameLines> open(const std::filesystem::path& file);
  ~FrameLines();
  FrameLines(FrameLines&& other) noexcept;
  FrameLines& operator=(FrameLines&&) = delete;

  const std::string& header() const { return header_; }

  // Without its newline; not_found where the file does not hold the frame.
  Result<std::string> line(int64_t frame) const;
  // The last one; nothing in a file without frames.
  Result<std::optional<std::string>> last() const;
  // How many there are, and in how many of them people are unknown, by reading the whole file.
  struct Count {
    int64_t lines = 0, unknown = 0;
  };
  Result<Count> count() const;

  struct Range {
    std::string text;             // whole lines, each with its newline
    std::optional<int64_t> next;  // the first frame of the range that did not fit
  };
  // Frames `from` to `to`, that one excluded: as many as fit, at least one of those there are.
  Result<Range> range(int64_t from, int64_t to, int64_t max_lines, size_t max_bytes) const;

 private:
  FrameLines(int file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}
  Result<std::string> bytes_at(int64_t offset, size_t max) const;
  Result<int64_t> end() const;
  Result<int64_t> line_start(int64_t offset, int64_t end) const;
  Result<std::string> line_at(int64_t offset, int64_t end) const;
  Result<int64_t> first_from(int64_t frame, int64_t end) const;

  int file_;
  std::filesystem::path path_;
  std::string header_;
  int64_t body_ = 0;  // where the first frame's line begins
};

}  // namespace vantage
