#include "core/results/results_reader.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/people/people.h"
#include "core/results/detail/line_schema.h"
#include "core/results/detail/results_people.h"
#include "core/results/frame_lines.h"
#include "core/results/results_versions.h"

namespace vantage::project_detail {
namespace {

// Frame lines in one pass, without a tree of JSON: a day has millions.

constexpr int kMaxDepth = 32, kMaxReserved = 64;
// Numbers of plain text up to these lengths are exact as integers of a double, and finite.
constexpr size_t kMaxInteger_digits = 15, kMaxNumber_chars = 40, kMaxExponent_digits = 2;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Every method is false where the text is not what it reads; nothing is read any more then. Text that is
// known to be JSON may hold escapes and numbers of any length.
class Scanner {
 public:
  Scanner(std::string_view text, bool known_json)
      : at_(text.data()), end_(text.data() + text.size()), known_json_(known_json) {}

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

  // Printable ASCII; escapes stay as they are.
  bool string(std::string_view* text) {
    if (!take('"')) return false;
    const char* const begin = at_;
    for (; at_ != end_ && *at_ >= ' ' && *at_ < 0x7f && *at_ != '"'; ++at_)
      if (*at_ == '\\' && (!known_json_ || ++at_ == end_)) return false;
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
      if (!digits() || (!known_json_ && static_cast<size_t>(at_ - exponent) > kMaxExponent_digits))
        return false;
    }
    *text = {begin, static_cast<size_t>(at_ - begin)};
    return known_json_ || text->size() <= kMaxNumber_chars;
  }

  bool parse_integer(std::string_view text, int64_t* value) const {
    return (known_json_ || text.size() <= kMaxInteger_digits) &&
           std::from_chars(text.data(), text.data() + text.size(), *value).ec == std::errc();
  }

  const char* at_;
  const char* end_;
  bool known_json_;
};

// Reads an object: on_key(i) reads the value of keys[i], others are skipped. False where one of the first
// `needed` keys is missing, or any of them comes twice.
template <size_t kCount, typename OnKey>
bool scan_object(Scanner& scanner, const std::array<std::string_view, kCount>& keys, size_t needed,
                 const OnKey& on_key) {
  uint32_t seen = 0;
  const bool read = scanner.object([&](std::string_view name) {
    size_t key = 0;
    while (key < kCount && keys[key] != name) ++key;
    if (key == kCount) return scanner.skip();
    const uint32_t bit = 1U << key;
    return (std::exchange(seen, seen | bit) & bit) == 0 && on_key(key);
  });
  const uint32_t all = (1U << needed) - 1;
  return read && (seen & all) == all;
}

template <typename Number, size_t kCount>
bool scan_numbers(Scanner& scanner, std::array<Number, kCount>* numbers) {
  size_t count = 0;
  const bool read = scanner.array([&] {
    double value = 0;
    if (!scanner.real(&value)) return false;
    if (count < kCount) (*numbers)[count] = static_cast<Number>(value);
    ++count;
    return true;
  });
  return read && count >= kCount;
}

bool scan_color(Scanner& scanner, BodyColor* color) {
  static constexpr std::array<std::string_view, 3> kKeys = {"camera", "trunk", "legs"};
  return scan_object(scanner, kKeys, 3, [&](size_t key) {
    int64_t camera = 0;
    if (key == 0) {
      const bool read = scanner.integer(&camera) && std::in_range<int32_t>(camera);
      color->camera = static_cast<int32_t>(camera);
      return read;
    }
    return scanner.word("null") || scan_numbers(scanner, &(key == 1 ? color->trunk : color->legs).emplace());
  });
}

bool scan_motion(Scanner& scanner, FloorPerson* person) {
  static constexpr std::array<std::string_view, 1> kKeys = {"m_per_s"};
  std::array<double, 3> velocity = {};
  const bool read = scan_object(scanner, kKeys, 1, [&](size_t) { return scan_numbers(scanner, &velocity); });
  person->velocity_m_per_s = {velocity[0], velocity[1]};
  return read;
}

bool scan_person(Scanner& scanner, FloorPerson* person, size_t* kept) {
  constexpr const auto& kPlace = kPersonKeys<FloorPerson>;
  static constexpr std::array<std::string_view, 8> kKeys = {
      kPlace[0].name, kPlace[1].name, kPlace[2].name, kPlace[3].name, "id", "colors", "motion", kKeptByPath};
  return scan_object(scanner, kKeys, kPlace.size(), [&](size_t key) {
    switch (key) {
      case 4:
        return scanner.word("null") || scanner.integer(&person->id);
      case 5:
        return scanner.word("null") ||
               scanner.array([&] { return scan_color(scanner, &person->colors.emplace_back()); });
      case 6:
        return scanner.word("null") || scan_motion(scanner, person);
      case 7:
        ++*kept;
        return scanner.skip();
      default:
        return scanner.real(&(person->*kPlace[key].member));
    }
  });
}

// `kept`: how many of them a path kept.
bool scan_crowd(Scanner& scanner, std::vector<FloorPerson>* people, size_t* kept) {
  return scanner.array([&] { return scan_person(scanner, &people->emplace_back(), kept); });
}

bool scan_people(Scanner& scanner, StoredFrame* frame) {
  static constexpr std::array<std::string_view, 4> kKeys = {"count", "people", "rejected", "carried"};
  return scan_object(scanner, kKeys, 3, [&](size_t key) {
    int64_t count = -1;
    size_t none = 0;
    switch (key) {
      case 0:
        if (!scanner.word("null") && (!scanner.integer(&count) || !std::in_range<int>(count))) return false;
        frame->people_count = static_cast<int>(count);
        return true;
      case 1:
        frame->people.reserve(std::clamp(frame->people_count, 0, kMaxReserved));
        return scan_crowd(scanner, &frame->people, &frame->kept);
      case 2:
        return scan_crowd(scanner, &frame->rejected, &none);
      default:
        return scanner.boolean(&frame->carried);
    }
  });
}

// `of_line`: cameras that show the line's own frame.
bool scan_cameras(Scanner& scanner, StoredFrame* frame, int* of_line) {
  static constexpr std::array<std::string_view, 2> kKeys = {"frame", "problem"};
  return scanner.array([&] {
    bool own = false;
    int64_t shown = 0;
    const bool read = scan_object(scanner, kKeys, 0, [&](size_t key) {
      if (key == 1) return ++frame->with_problem, scanner.skip();
      own = true;
      return scanner.integer(&shown);
    });
    ++frame->cameras;
    frame->without_picture += shown < 0 ? 1 : 0;
    *of_line += own ? 0 : 1;
    return read;
  });
}

bool scan_versions(Scanner& scanner, StoredFrame* frame) {
  StageVersions versions;
  const bool read = scanner.object([&](std::string_view stage) {
    std::string_view version;
    if (!scanner.string(&version)) return false;
    versions.insert_or_assign(std::string(stage), from_hex64(version));
    return true;
  });
  frame->versions = std::make_shared<const StageVersions>(std::move(versions));
  return read;
}

// Nothing where the line is not plain, is damaged, or is not a line of results. `versions`: of the header.
std::optional<StoredFrame> scan_frame_line(std::string_view line, bool known_json,
                                           const std::shared_ptr<const StageVersions>& versions) {
  static constexpr std::array<std::string_view, 5> kKeys = {"frame", "people", "cameras", "continued_on_cpu",
                                                            "versions"};
  Scanner scanner(line, known_json);
  StoredFrame frame;
  frame.versions = versions;
  int of_line = 0;
  const bool read = scan_object(scanner, kKeys, 2, [&](size_t key) {
    switch (key) {
      case 0:
        return scanner.integer(&frame.frame);
      case 1:
        return scanner.word("null") || scan_people(scanner, &frame);
      case 2:
        return scan_cameras(scanner, &frame, &of_line);
      case 3:
        return scanner.boolean(&frame.continued);
      default:
        return scan_versions(scanner, &frame);
    }
  });
  if (!read || !scanner.at_end() || !frame.versions) return std::nullopt;
  if (frame.frame < 0) frame.without_picture += of_line;
  return frame;
}

}  // namespace

}  // namespace vantage::project_detail

namespace vantage {
namespace {

using nlohmann::json;

constexpr std::string_view kSchemaPrefix = "vantage-results-";
// Lines of the second leave out what the header says or what goes without saying.
constexpr std::array<std::string_view, 2> kSchemas = {"vantage-results-1", "vantage-results-2"};

tl::unexpected<Error> not_results(const std::filesystem::path& file, const std::string& what) {
  return fail(ErrorKind::bad_data, "these are not results of Vantage (" + what + ")", file.string(),
              "Analyse again, or restore the right file.");
}

}  // namespace

StoredFrame as_searched(StoredFrame frame) {
  const auto first =
      frame.people.end() - static_cast<std::ptrdiff_t>(std::min(frame.kept, frame.people.size()));
  frame.rejected.insert(frame.rejected.end(), std::make_move_iterator(first),
                        std::make_move_iterator(frame.people.end()));
  frame.people.erase(first, frame.people.end());
  if (frame.people_count >= 0) frame.people_count = static_cast<int>(frame.people.size());
  frame.kept = 0;
  return frame;
}

Result<StoredFrame> parse_frame_line(std::string_view line,
                                     const std::shared_ptr<const StageVersions>& versions) {
  std::optional<StoredFrame> frame = project_detail::scan_frame_line(line, false, versions);
  try {
    // Rare lines hold other letters, escapes or a key twice: JSON's own parser makes them plain.
    if (!frame)
      frame = project_detail::scan_frame_line(
          parse_json_or_throw(line).dump(-1, ' ', true, json::error_handler_t::replace), true, versions);
  } catch (const json::exception& error) {
    return fail(ErrorKind::bad_data, std::string("not a line of results (") + error.what() + ")");
  }
  if (frame) return std::move(*frame);
  return fail(ErrorKind::bad_data, "not a line of results (a key is missing, or has another kind of value)");
}

Result<StoredResults> parse_header_line(std::string_view line, const std::filesystem::path& file) {
  const json header = parse_json(line);
  if (!header.is_object()) return not_results(file, "the first line is not a header");
  const std::string schema =
      header.value("schema", json()).is_string() ? header["schema"].get<std::string>() : "";
  const bool known = std::find(kSchemas.begin(), kSchemas.end(), schema) != kSchemas.end();
  if (schema.starts_with(kSchemaPrefix) && !known)
    return fail(ErrorKind::unsupported, "the results have a newer format, " + schema, file.string(),
                "Use the newer program, or analyse again.");
  if (!known) return not_results(file, "the header names no schema");
  StoredResults results;
  try {
    results.program_version = header.at("version").get<std::string>();
    results.device = header.at("device").get<std::string>();
    results.frame_rate = header.at("frame_rate").get<double>();
    results.fused_people = header.value("people_source", "") == people_source_name(PeopleSource::fused);
    if (header.contains("versions"))
      results.versions =
          std::make_shared<const StageVersions>(project_detail::versions_from(header.at("versions")));
  } catch (const json::exception& error) {
    return not_results(file, error.what());
  }
  return results;
}

Result<ResultsReader> ResultsReader::open(const std::filesystem::path& file) {
  Result<LineBlocks> blocks = LineBlocks::open(file);
  if (!blocks)
    return fail(ErrorKind::not_found, "there are no results here", file.string(),
                "Analyse the recording first.");
  VANTAGE_ASSIGN(const std::string_view block, blocks->next());
  if (block.empty()) return not_results(file, "the file is empty");
  const std::string_view first = block.substr(0, block.find('\n'));
  VANTAGE_ASSIGN(StoredResults header, parse_header_line(first, file));
  blocks->put_back(block.size() - std::min(first.size() + 1, block.size()));
  return ResultsReader(std::move(*blocks), std::move(header));
}

Result<std::vector<StoredFrame>> ResultsReader::next() {
  for (;;) {
    VANTAGE_ASSIGN(const std::string_view lines, blocks_.next());
    if (lines.empty()) return std::vector<StoredFrame>();
    std::vector<StoredFrame> frames = frames_of(lines);
    if (!frames.empty()) return frames;
  }
}

// Parsed side by side.
std::vector<StoredFrame> ResultsReader::frames_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for_each_line(text, [&](std::string_view line) {
    if (!line.empty()) lines.push_back(line);
  });
  std::vector<std::optional<StoredFrame>> parsed(lines.size());
  tbb::parallel_for(size_t{0}, lines.size(), [&](size_t i) {
    if (Result<StoredFrame> frame = parse_frame_line(lines[i], header_.versions))
      parsed[i] = std::move(*frame);
  });
  std::vector<StoredFrame> frames;
  frames.reserve(lines.size());
  for (std::optional<StoredFrame>& frame : parsed) {
    if (!frame) {
      ++damaged_lines_;
      continue;
    }
    if (last_versions_ && *last_versions_ == *frame->versions) frame->versions = last_versions_;
    last_versions_ = frame->versions;
    frames.push_back(std::move(*frame));
  }
  return frames;
}

std::vector<int64_t> known_frames(const StoredResults& results) {
  std::vector<int64_t> frames;
  for (const StoredFrame& frame : results.frames)
    if (frame.people_count >= 0) frames.push_back(frame.frame);
  return frames;
}

Result<StoredResults> read_results(const std::filesystem::path& folder) {
  return read_results_file(results_file(folder));
}

Result<StoredResults> read_results_file(const std::filesystem::path& file) {
  VANTAGE_ASSIGN(ResultsReader reader, ResultsReader::open(file));
  StoredResults results = reader.header();
  for (;;) {
    VANTAGE_ASSIGN(std::vector<StoredFrame> frames, reader.next());
    if (frames.empty()) break;
    std::move(frames.begin(), frames.end(), std::back_inserter(results.frames));
  }
  results.damaged_lines = reader.damaged_lines();
  return results;
}

}  // namespace vantage
