// Values as bytes of a file that the program writes and reads itself: numbers as they lie in memory
// (little-endian), texts and lists with their length before them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/trace.h"

namespace vantage {

static_assert(std::endian::native == std::endian::little);

template <typename T>
concept PlainNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class ByteWriter {
 public:
  template <PlainNumber T>
  ByteWriter& add(T value) {
    return raw(&value, sizeof value);
  }
  ByteWriter& add(std::string_view text) { return add(uint64_t{text.size()}).raw(text.data(), text.size()); }
  template <PlainNumber T>
  ByteWriter& add(const std::vector<T>& values) {
    return add(uint64_t{values.size()}).raw(values.data(), values.size() * sizeof(T));
  }
  ByteWriter& raw(const void* data, size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a ByteWriter has written. After bytes that end too early everything is 0 or empty, and finish()
// says so; nothing larger than the bytes themselves is ever allocated.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <PlainNumber T>
  void take(T* value) {
    *value = T{};
    raw(value, sizeof *value);
  }
  template <PlainNumber T>
  T take() {
    T value;
    take(&value);
    return value;
  }
  // A view of the bytes given to the constructor.
  std::string_view take_text() {
    const auto size = take<uint64_t>();
    if (!has(size)) return {};
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  template <PlainNumber T>
  void take(std::vector<T>* values) {
    values->clear();
    const auto count = take<uint64_t>();
    if (count > rest_.size() / sizeof(T)) damaged_ = true;
    if (damaged_) return;
    values->resize(count);
    raw(values->data(), count * sizeof(T));
  }
  void raw(void* to, size_t size) {
    if (!has(size)) return;
    std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  size_t left() const { return rest_.size(); }  // bytes
  bool damaged() const { return damaged_; }
  // bad_data where bytes were missing, or some are left.
  Status finish() const {
    if (damaged_) return fail(ErrorKind::bad_data, "the content ends too early");
    if (!rest_.empty()) return fail(ErrorKind::bad_data, "the content does not end where it should");
    return {};
  }

 private:
  bool has(uint64_t size) {
    damaged_ = damaged_ || size > rest_.size();
    return !damaged_;
  }
  std::string_view rest_;
  bool damaged_ = false;
};

// Lets several readers follow the spans of one recorder, each from a place of its own: a live view and a
// server of timings, say. It is the recorder's only caller of take_new().

// May be used from several threads.
class SpanReaders {
 public:
  // `trace` outlives it. At most `max` spans are kept for readers that come late; those lose the oldest.
  explicit SpanReaders(TraceRecorder* trace, size_t max = size_t{1} << 16) : trace_(trace), max_(max) {}

  // The place behind the newest span.
  uint64_t end();
  // The spans from a reader's place on, which goes behind the newest; 0 begins with all that are kept.
  std::vector<TraceSpan> take_new(uint64_t* place);
  // Everything that the recorder keeps.
  std::vector<TraceSpan> snapshot() const { return trace_->snapshot(); }

 private:
  void fetch();

  TraceRecorder* const trace_;
  const size_t max_;
  std::mutex mutex_;             // guards what follows
  std::deque<TraceSpan> spans_;  // the newest
  uint64_t first_ = 0;           // the place of the oldest of them
};

// A text file in pieces of whole lines: results of a day take gigabytes, of which memory holds one piece.

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
