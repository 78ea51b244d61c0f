#include "core/results/results_reader.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "core/base/json.h"
#include "core/people/people.h"
#include "core/results/detail/frame_scanner.h"
#include "core/results/detail/line_versions.h"
#include "core/results/detail/results_numbers.h"
#include "core/results/frame_lines.h"

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
