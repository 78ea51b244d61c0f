// Finds the frame lines of a results file by frame number without an index: lines are in order of frames, so
// the file itself is searched by bisection. Also reads a file that is still appended to; text after the last
// newline is ignored. A file that is renamed or replaced is read as it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

// The number that a frame line begins with; nothing for other lines.
std::optional<int64_t> frame_of_line(std::string_view line);

// The text in frame lines whose people are unknown because too few cameras had a picture.
inline constexpr std::string_view kUnknownPeople = R"("people":{"count":null,)";

// results.jsonl of the folder or, before a run has finished, the file that it writes.
std::filesystem::path results_file(const std::filesystem::path& folder);

// Size of the complete lines of an open file: up to and including its last newline. `path` is for errors; the
// file's position does not change.
Result<int64_t> whole_lines_bytes(int file, const std::filesystem::path& path);

// Thread-safe.
class FrameLines {
 public:
  // Errors: not_found; bad_data without a first line.
  static Result<FrameLines> open(const std::filesystem::path& file);
  ~FrameLines();
  FrameLines(FrameLines&& other) noexcept;
  FrameLines& operator=(FrameLines&&) = delete;

  const std::string& header() const { return header_; }

  // The frame's line without its newline; not_found where the file does not have the frame.
  Result<std::string> line(int64_t frame) const;
  // The last frame's line; nothing in a file without frames.
  Result<std::optional<std::string>> last() const;
  // Numbers of frames, and of frames whose people are unknown; reads the complete file.
  struct Count {
    int64_t lines = 0, unknown = 0;
  };
  Result<Count> count() const;

  struct Range {
    std::string text;             // complete lines, each with its newline
    std::optional<int64_t> next;  // the first frame of the range that did not fit
  };
  // Frames `from` to `to` (excluded): as many as fit, at least one if there is one.
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
  int64_t body_ = 0;  // offset of the first frame's line
};

}  // namespace vantage
