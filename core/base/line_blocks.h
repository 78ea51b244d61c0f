// A text file in pieces of whole lines: results of a day take gigabytes, of which memory holds one piece.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

class LineBlocks {
 public:
  // Errors: not_found.
  static Result<LineBlocks> open(const std::filesystem::path& file);
  ~LineBlocks();
  LineBlocks(LineBlocks&& other) noexcept;
  LineBlocks& operator=(LineBlocks&&) = delete;

  // The lines that follow, some megabytes, each with its newline, which the file's last one may lack. Empty:
  // there are no more. Valid until the next call. Errors: io.
  Result<std::string_view> next();
  // The last bytes that were given come again with the next call: at most what that call gave.
  void put_back(size_t bytes) { given_ -= bytes; }
  // How much of the file was given, 0 to 1, by its size when it was opened.
  double share() const;

 private:
  LineBlocks(int file, std::filesystem::path path, int64_t size)
      : file_(file), path_(std::move(path)), size_(size) {}

  int file_;
  std::filesystem::path path_;
  int64_t size_;
  int64_t read_ = 0;
  std::string buffer_;
  size_t given_ = 0;  // of the buffer, by the last call
};

// Calls act(line) for each line of a text, without its newline.
template <typename Act>
void for_each_line(std::string_view text, const Act& act) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    act(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

}  // namespace vantage
