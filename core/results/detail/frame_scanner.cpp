#include "core/results/detail/frame_scanner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "core/results/detail/results_numbers.h"

namespace vantage::project_detail {
namespace {

constexpr int kMaxDepth = 32, kMaxReserved = 64;
// Numbers up to these lengths are exact as integers of a double, and finite.
constexpr size_t kMaxInteger_digits = 15, kMaxNumber_chars = 40, kMaxExponent_digits = 2;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Every method is false where the text is not what it reads; nothing is read any more then.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool take(char c) {
    skip_spaces();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  bool at_end() {
    skip_spaces();
    return at_ == end_;
  }

  // Plain: printable ASCII without escapes.
  bool string(std::string_view* text) {
    if (!take('"')) return false;
    const char* const begin = at_;
    while (at_ != end_ && *at_ >= ' ' && *at_ < 0x7f && *at_ != '"' && *at_ != '\\') ++at_;
    *text = {begin, static_cast<size_t>(at_ - begin)};
    return at_ != end_ && *at_++ == '"';
  }

  bool word(std::string_view expected) {
    skip_spaces();
    if (!std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  bool boolean(bool* value) {
    *value = word("true");
    return *value || word("false");
  }

  bool integer(int64_t* value) {
    std::string_view text;
    bool whole = false;
    return number(&text, &whole) && whole && parse_integer(text, value);
  }

  bool real(double* value) {
    std::string_view text;
    bool whole = false;
    if (!number(&text, &whole)) return false;
    if (whole) {
      int64_t exact = 0;
      if (!parse_integer(text, &exact)) return false;
      *value = static_cast<double>(exact);
      return true;
    }
    return std::from_chars(text.data(), text.data() + text.size(), *value).ec == std::errc();
  }

  // on_key(key) reads the value.
  template <typename OnKey>
  bool object(const OnKey& on_key) {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      std::string_view key;
      if (!string(&key) || !take(':') || !on_key(key)) return false;
    } while (take(','));
    return take('}');
  }

  // on_entry() reads an entry.
  template <typename OnEntry>
  bool array(const OnEntry& on_entry) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do
      if (!on_entry()) return false;
    while (take(','));
    return take(']');
  }

  bool skip(int depth = 0) {
    skip_spaces();
    if (at_ == end_ || depth > kMaxDepth) return false;
    std::string_view text;
    bool whole = false;
    switch (*at_) {
      case '{':
        return object([&](std::string_view) { return skip(depth + 1); });
      case '[':
        return array([&] { return skip(depth + 1); });
      case '"':
        return string(&text);
      case 't':
      case 'f':
        return boolean(&whole);
      case 'n':
        return word("null");
      default:
        return number(&text, &whole);
    }
  }

 private:
  void skip_spaces() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  }

  bool digits() {
    const char* const begin = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != begin;
  }

  // As JSON writes numbers, short enough to be finite.
  bool number(std::string_view* text, bool* whole) {
    skip_spaces();
    const char* const begin = at_;
    if (at_ != end_ && *at_ == '-') ++at_;
    const char* const first = at_;
    if (!digits() || (*first == '0' && at_ - first > 1)) return false;
    *whole = true;
    if (at_ != end_ && *at_ == '.') {
      ++at_, *whole = false;
      if (!digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_, *whole = false;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      const char* const exponent = at_;
      if (!digits() || static_cast<size_t>(at_ - exponent) > kMaxExponent_digits) return false;
    }
    *text = {begin, static_cast<size_t>(at_ - begin)};
    return text->size() <= kMaxNumber_chars;
  }

  static bool parse_integer(std::string_view text, int64_t* value) {
    return text.size() <= kMaxInteger_digits &&
           std::from_chars(text.data(), text.data() + text.size(), *value).ec == std::errc();
  }

  const char* at_;
  const char* end_;
};

// The keys of an object that count, each once.
template <size_t kCount>
class Keys {
 public:
  constexpr explicit Keys(const std::array<std::string_view, kCount>& names) : names_(names) {}
  // Its place among them; kCount: another one, which does not count.
  size_t find(std::string_view key) const {
    size_t i = 0;
    while (i < kCount && names_[i] != key) ++i;
    return i;
  }

 private:
  std::array<std::string_view, kCount> names_;
};

// False where it came before.
bool note(size_t key, uint32_t* seen) {
  const uint32_t bit = 1U << key;
  return (std::exchange(*seen, *seen | bit) & bit) == 0;
}

bool scan_person(Scanner& scanner, FloorPerson* person, size_t* kept) {
  static constexpr Keys<8> kKeys(
      {"x_m", "y_m", "height_m", "confidence", "id", "colors", "motion", kKeptByPath});
  constexpr uint32_t kNeeded = 0b1111;
  uint32_t seen = 0;
  const bool read = scanner.object([&](std::string_view name) {
    const size_t key = kKeys.find(name);
    if (key < 8 && !note(key, &seen)) return false;
    switch (key) {
      case 0:
        return scanner.real(&person->x_m);
      case 1:
        return scanner.real(&person->y_m);
      case 2:
        return scanner.real(&person->height_m);
      case 3:
        return scanner.real(&person->confidence);
      case 4:
        return scanner.word("null") || scanner.integer(&person->id);
      case 5:
      case 6:
        return scanner.word("null");
      case 7:
        ++*kept;
        return scanner.skip();
      default:
        return scanner.skip();
    }
  });
  return read && (seen & kNeeded) == kNeeded;
}

// `kept`: how many of them a path kept.
bool scan_crowd(Scanner& scanner, std::vector<FloorPerson>* people, size_t* kept) {
  return scanner.array([&] { return scan_person(scanner, &people->emplace_back(), kept); });
}

bool scan_people(Scanner& scanner, StoredFrame* frame) {
  static constexpr Keys<4> kKeys({"count", "people", "rejected", "carried"});
  constexpr uint32_t kNeeded = 0b111;
  uint32_t seen = 0;
  const bool read = scanner.object([&](std::string_view name) {
    const size_t key = kKeys.find(name);
    if (key < 4 && !note(key, &seen)) return false;
    int64_t count = -1;
    size_t none = 0;
    switch (key) {
      case 0:
        if (!scanner.word("null") && (!scanner.integer(&count) || !std::in_range<int>(count))) return false;
        frame->people_count = static_cast<int>(count);
        return true;
      case 1:
        frame->people.reserve(static_cast<size_t>(std::clamp(frame->people_count, 0, kMaxReserved)));
        return scan_crowd(scanner, &frame->people, &frame->kept);
      case 2:
        return scan_crowd(scanner, &frame->rejected, &none);
      case 3:
        return scanner.boolean(&frame->carried);
      default:
        return scanner.skip();
    }
  });
  return read && (seen & kNeeded) == kNeeded;
}

// `of_line`: cameras that show the line's own frame.
bool scan_cameras(Scanner& scanner, StoredFrame* frame, int* of_line) {
  return scanner.array([&] {
    uint32_t seen = 0;
    int64_t shown = 0;
    const bool read = scanner.object([&](std::string_view name) {
      return name == "frame" ? note(0, &seen) && scanner.integer(&shown) : scanner.skip();
    });
    ++frame->cameras;
    frame->without_picture += shown < 0 ? 1 : 0;
    *of_line += seen == 0 ? 1 : 0;
    return read;
  });
}

}  // namespace

std::optional<StoredFrame> scan_frame_line(std::string_view line,
                                           const std::shared_ptr<const StageVersions>& versions) {
  static constexpr Keys<5> kKeys({"frame", "people", "cameras", "continued_on_cpu", "versions"});
  constexpr uint32_t kNeeded = 0b11;
  if (!versions) return std::nullopt;
  Scanner scanner(line);
  StoredFrame frame;
  frame.versions = versions;
  uint32_t seen = 0;
  int of_line = 0;
  const bool read = scanner.object([&](std::string_view name) {
    const size_t key = kKeys.find(name);
    if (key < 5 && !note(key, &seen)) return false;
    switch (key) {
      case 0:
        return scanner.integer(&frame.frame);
      case 1:
        return scanner.word("null") || scan_people(scanner, &frame);
      case 2:
        return scan_cameras(scanner, &frame, &of_line);
      case 3:
        return scanner.boolean(&frame.continued);
      case 4:
        return false;
      default:
        return scanner.skip();
    }
  });
  if (!read || !scanner.at_end() || (seen & kNeeded) != kNeeded) return std::nullopt;
  if (frame.frame < 0) frame.without_picture += of_line;
  return frame;
}

}  // namespace vantage::project_detail
