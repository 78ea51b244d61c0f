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

#include "core/base/json.h"
#include "core/people/people.h"
#include "core/results/detail/results_people.h"
#include "core/results/frame_lines.h"
#include "core/results/results_versions.h"

namespace vantage::project_detail {
namespace {

// Frame lines in one pass, without a tree of JSON: a day has millions.

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

// What parse_frame_line() makes of a line that is valid JSON of plain form, as this program writes most.
// Nothing: JSON's own parser has to judge it, because it is damaged or holds what is rare: strings that are
// not plain ASCII, versions, colours, motion, a key twice.
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

}  // namespace

}  // namespace vantage::project_detail

namespace vantage {
namespace {

using nlohmann::json;

constexpr std::string_view kSchemaPrefix = "vantage-results-";
// Lines of the second leave out what the header says or what goes without saying.
constexpr std::array<std::string_view, 2> kSchemas = {"vantage-results-1", "vantage-results-2"};

// These throw json::exception where the line is not as the schema says.
BodyColor color_from(const json& entry) {
  const auto part = [&](const char* name) -> std::optional<std::array<float, 3>> {
    if (entry.at(name).is_null()) return std::nullopt;
    return entry.at(name).get<std::array<float, 3>>();
  };
  return {entry.at("camera").get<int32_t>(), part("trunk"), part("legs")};
}

FloorPerson person_from(const json& entry) {
  FloorPerson person;
  if (entry.contains("id") && !entry.at("id").is_null()) person.id = entry.at("id").get<int64_t>();
  person.x_m = entry.at("x_m").get<double>(), person.y_m = entry.at("y_m").get<double>();
  person.height_m = entry.at("height_m").get<double>();
  person.confidence = entry.at("confidence").get<double>();
  if (entry.contains("colors"))
    for (const json& color : entry.at("colors")) person.colors.push_back(color_from(color));
  if (entry.contains("motion") && !entry.at("motion").is_null()) {
    const auto velocity = entry.at("motion").at("m_per_s").get<std::array<double, 3>>();
    person.velocity_m_per_s = {velocity[0], velocity[1]};
  }
  return person;
}

StoredFrame frame_from(const json& line, const std::shared_ptr<const StageVersions>& versions) {
  StoredFrame frame;
  frame.frame = line.at("frame").get<int64_t>();
  frame.versions = versions;
  if (const auto own = line.find("versions"); own != line.end() || !versions)
    frame.versions =
        std::make_shared<const StageVersions>(project_detail::versions_from(line.at("versions")));
  if (const auto cameras = line.find("cameras"); cameras != line.end())
    for (const json& camera : *cameras) {
      ++frame.cameras;
      if (camera.value("frame", frame.frame) < 0) ++frame.without_picture;
    }
  frame.continued = line.value("continued_on_cpu", false);
  const json& people = line.at("people");
  if (people.is_null()) return frame;
  if (!people.at("count").is_null()) frame.people_count = people.at("count").get<int>();
  frame.carried = people.value("carried", false);
  for (const json& entry : people.at("people")) {
    frame.people.push_back(person_from(entry));
    if (entry.contains(project_detail::kKeptByPath)) ++frame.kept;
  }
  for (const json& entry : people.at("rejected")) frame.rejected.push_back(person_from(entry));
  return frame;
}

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
  if (std::optional<StoredFrame> frame = project_detail::scan_frame_line(line, versions))
    return std::move(*frame);
  try {
    return frame_from(parse_json_or_throw(line), versions);
  } catch (const json::exception& error) {
    return fail(ErrorKind::bad_data, std::string("not a line of results (") + error.what() + ")");
  }
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
