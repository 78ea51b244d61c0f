#include "core/metrics/wildtrack.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/file.h"
#include "core/base/json.h"

namespace vantage {
namespace {

std::optional<int64_t> number_of(const std::filesystem::path& file) {
  const std::string name = file.stem().string();
  int64_t number = -1;
  const auto end = std::from_chars(name.data(), name.data() + name.size(), number);
  if (file.extension() != ".json" || end.ec != std::errc() || end.ptr != name.data() + name.size() ||
      number < 0)
    return {};
  return number;
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code))
    if (number_of(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// True when the camera sees the person; the row then gets the box.
bool take_box(const nlohmann::json& person, int view, TrackRow* row) {
  for (const nlohmann::json& box : person.at("views")) {
    if (box.at("viewNum").get<int>() != view) continue;
    const auto xmin = box.at("xmin").get<double>(), ymin = box.at("ymin").get<double>(),
               xmax = box.at("xmax").get<double>(), ymax = box.at("ymax").get<double>();
    if (xmax <= xmin || ymax <= ymin) return false;
    row->left_px = xmin, row->top_px = ymin, row->width_px = xmax - xmin, row->height_px = ymax - ymin;
    return true;
  }
  return false;
}

// Throws json::exception, or what is wrong as a text.
void add_rows(const nlohmann::json& people, int64_t frame, const WildtrackOptions& options,
              std::vector<TrackRow>* rows) {
  const AnnotationGrid& grid = options.grid;
  if (!people.is_array()) throw std::string("a list of people is expected");
  for (const nlohmann::json& person : people) {
    TrackRow row;
    row.frame = frame, row.id = person.at("personID").get<int64_t>();
    const auto position = person.at("positionID").get<int64_t>();
    if (position < 0 || position >= int64_t{grid.columns} * grid.rows)
      throw "position " + std::to_string(position) + " is outside the grid of " +
          std::to_string(grid.columns) + " x " + std::to_string(grid.rows) + " cells";
    row.x_m = grid.left_m + grid.cell_m * static_cast<double>(position % grid.columns);
    row.y_m = grid.low_m + grid.cell_m * static_cast<double>(position / grid.columns);
    if (options.view >= 0 && !take_box(person, options.view, &row)) continue;
    rows->push_back(row);
  }
}

}  // namespace

bool is_wildtrack(const std::filesystem::path& path) {
  std::error_code code;
  return std::filesystem::is_directory(path, code);
}

Result<WildtrackTracks> read_wildtrack(const std::filesystem::path& folder, const WildtrackOptions& options) {
  if (options.step < 1) return fail(ErrorKind::invalid_argument, "the step is below 1", "WILDTRACK");
  const std::vector<std::filesystem::path> files = files_of(folder);
  if (files.empty())
    return fail(ErrorKind::not_found, "no annotation 00000000.json or the like", folder.string(),
                "Give the folder annotations_positions.");
  WildtrackTracks tracks;
  for (const std::filesystem::path& file : files) {
    const auto wrong = [&](const std::string& what) {
      return fail(ErrorKind::bad_data, what, file.string());
    };
    const int64_t number = *number_of(file);
    if (number % options.step != 0)
      return wrong("its number is not a multiple of the step " + std::to_string(options.step));
    const int64_t frame = number / options.step + 1;
    VANTAGE_ASSIGN(const std::string text, read_file(file));
    try {
      add_rows(parse_json_or_throw(text), frame, options, &tracks.rows);
    } catch (const nlohmann::json::exception& error) {
      return wrong(error.what());
    } catch (const std::string& what) {
      return wrong(what);
    }
    tracks.frames.insert(frame);
  }
  return tracks;
}

}  // namespace vantage
