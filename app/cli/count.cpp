#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/cli/value_or_fail.h"
#include "core/base/file.h"
#include "core/carving/rule.h"
#include "core/counting/counting.h"
#include "core/counting/floor_use.h"
#include "core/image/png.h"
#include "core/occupancy/coverage.h"
#include "core/project/project.h"
#include "core/project/results_paths.h"
#include "core/project/results_pictures.h"

namespace vantage::cli {
namespace {

// A zone less covered than this has no count: somebody may stand where nobody looks.
constexpr double kCovered = 0.95;

struct CountOptions {
  std::string project, tracks, out;
  std::vector<std::string> zones, lines;
  double cell_m = 0.1;
  bool write = false, json = false;
};

struct Counted {
  Project project;
  std::vector<PersonPath> paths;
  std::vector<int64_t> frames, known_frames;
  double frame_rate = 0;
  std::vector<double> zone_covered;  // by zone
  VoxelGrid grid;
  TrackedRange range() const { return {paths, known_frames, frame_rate}; }
  bool known(int64_t frame) const {
    return std::binary_search(known_frames.begin(), known_frames.end(), frame);
  }
  double seconds(int64_t frame) const { return static_cast<double>(frame) / frame_rate; }
};

// "door=1,2,3,2": a name and places, x and y in turn.
std::pair<std::string, std::vector<Eigen::Vector2d>> read_shape(const std::string& text, size_t least) {
  const size_t equals = text.find('=');
  std::vector<double> numbers;
  for (size_t at = equals; at != std::string::npos; at = text.find(',', at + 1)) {
    char* end = nullptr;
    numbers.push_back(std::strtod(text.c_str() + at + 1, &end));
    if (end == text.c_str() + at + 1 || (*end != ',' && *end != 0)) numbers.clear();
  }
  if (equals == 0 || equals == std::string::npos || numbers.size() % 2 != 0 || numbers.size() < 2 * least)
    throw CLI::ValidationError(text, "NAME=X,Y,X,Y… in metres is expected");
  std::vector<Eigen::Vector2d> places;
  for (size_t i = 0; i < numbers.size(); i += 2) places.emplace_back(numbers[i], numbers[i + 1]);
  return {text.substr(0, equals), std::move(places)};
}

template <typename Shape>
void draw(std::vector<Shape>* shapes, Shape shape) {
  std::erase_if(*shapes, [&](const Shape& other) { return other.name == shape.name; });
  shapes->push_back(std::move(shape));
}

void add_shapes(const CountOptions& options, Project* project) {
  for (const std::string& text : options.zones) {
    auto [name, corners] = read_shape(text, 3);
    draw(&project->zones, FloorZone{name, std::move(corners)});
  }
  for (const std::string& text : options.lines) {
    auto [name, ends] = read_shape(text, 2);
    draw(&project->lines, FloorLine{name, ends[0], ends[1]});
  }
}

std::vector<double> covered_shares(const Project& project, const VoxelGrid& grid) {
  std::vector<PinholeCamera<double>> cameras;
  for (const Camera& camera : project.calibrations()) cameras.push_back(camera.model());
  const FloorCoverage coverage = value_or_fail(make_floor_coverage(cameras, grid));
  const int needed =
      needed_cameras(project.parameters.get<CarvingParameters>(), static_cast<int>(cameras.size()));
  constexpr double kStep_m = 0.05;
  std::vector<double> shares;
  for (const FloorZone& zone : project.zones) {
    Eigen::AlignedBox2d box;
    for (const Eigen::Vector2d& corner : zone.corners_m) box.extend(corner);
    int64_t inside = 0, seen = 0;
    for (double y = box.min().y() + kStep_m / 2; y < box.max().y(); y += kStep_m)
      for (double x = box.min().x() + kStep_m / 2; x < box.max().x(); x += kStep_m) {
        if (distance_inside_m(zone, {x, y}) < 0) continue;
        ++inside;
        const int cx = static_cast<int>(std::floor((x - grid.origin_in_world_m[0]) / grid.voxel_size_m));
        const int cy = static_cast<int>(std::floor((y - grid.origin_in_world_m[1]) / grid.voxel_size_m));
        const bool in_grid = cx >= 0 && cy >= 0 && cx < coverage.nx && cy < coverage.ny;
        seen += in_grid && coverage.seeing(cx, cy) >= needed;
      }
    shares.push_back(inside > 0 ? static_cast<double>(seen) / static_cast<double>(inside) : 0);
  }
  return shares;
}

Counted read_all(const CountOptions& options) {
  Counted c;
  c.project = value_or_fail(load_project(options.project));
  add_shapes(options, &c.project);
  const StoredResults results = value_or_fail(read_results(c.project.results_folder()));
  c.paths = value_or_fail(read_paths(options.tracks.empty() ? c.project.results_folder() / "tracks.csv"
                                                            : std::filesystem::path(options.tracks)));
  if (options.tracks.empty()) c.paths = apply_repairs(std::move(c.paths), c.project.repairs).paths;
  c.frame_rate = results.frame_rate;
  for (const StoredFrame& frame : results.frames) {
    c.frames.push_back(frame.frame);
    if (frame.people_count >= 0) c.known_frames.push_back(frame.frame);
  }
  c.grid = value_or_fail(c.project.effective_grid());
  c.zone_covered = covered_shares(c.project, c.grid);
  return c;
}

std::string csv(const std::string& head, const std::vector<std::string>& rows) {
  std::string text = head + "\n";
  for (const std::string& row : rows) text += row + "\n";
  return text;
}

template <typename... Values>
std::string row(const char* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

void write(const std::filesystem::path& file, const std::string& text) {
  check_or_fail(write_file_atomically(file, text));
}

nlohmann::ordered_json count_lines(const Counted& c, const std::filesystem::path& out) {
  std::vector<std::string> rows;
  nlohmann::ordered_json totals = nlohmann::ordered_json::array();
  for (const FloorLine& line : c.project.lines) {
    int64_t left = 0, right = 0;
    for (const Crossing& one : crossings(c.paths, line)) {
      ++(one.to_left ? left : right);
      rows.push_back(quoted(line.name) + row(",%lld,%.3f,%lld,%s,%.3f,%.3f",
                                             static_cast<long long>(one.frame), c.seconds(one.frame),
                                             static_cast<long long>(one.id),
                                             one.to_left ? "to_left" : "to_right", one.x_m, one.y_m));
    }
    totals.push_back({{"line", line.name}, {"to_left", left}, {"to_right", right}});
  }
  write(out / "crossings.csv", csv("line,frame,time_s,person,way,x_m,y_m", rows));
  return totals;
}

nlohmann::ordered_json count_zones(const Counted& c, const std::filesystem::path& out) {
  std::vector<std::string> counts, stays;
  nlohmann::ordered_json totals = nlohmann::ordered_json::array();
  for (size_t z = 0; z < c.project.zones.size(); ++z) {
    const FloorZone& zone = c.project.zones[z];
    const std::vector<Visit> all = visits(c.paths, zone);
    const bool covered = c.zone_covered[z] >= kCovered;
    double sum = 0, stay_sum_s = 0;
    int64_t most = 0;
    for (const int64_t frame : c.frames) {
      const auto inside = std::count_if(all.begin(), all.end(), [&](const Visit& visit) {
        return visit.first_frame <= frame && frame <= visit.last_frame;
      });
      const bool known = covered && c.known(frame);
      counts.push_back(quoted(zone.name) +
                       row(",%lld,%.3f,", static_cast<long long>(frame), c.seconds(frame)) +
                       (known ? std::to_string(inside) : std::string()));
      if (known) sum += static_cast<double>(inside), most = std::max<int64_t>(most, inside);
    }
    for (const Visit& visit : all) {
      const double stay_s = static_cast<double>(visit.last_frame - visit.first_frame + 1) / c.frame_rate;
      stay_sum_s += stay_s;
      stays.push_back(quoted(zone.name) + row(",%lld,%lld,%lld,%.3f", static_cast<long long>(visit.id),
                                              static_cast<long long>(visit.first_frame),
                                              static_cast<long long>(visit.last_frame), stay_s));
    }
    const auto known = static_cast<double>(c.known_frames.size());
    nlohmann::ordered_json total = {{"zone", zone.name}, {"covered_share", c.zone_covered[z]}};
    total["mean_people"] =
        covered && known > 0 ? nlohmann::ordered_json(sum / known) : nlohmann::ordered_json();
    total["most_people"] = covered && known > 0 ? nlohmann::ordered_json(most) : nlohmann::ordered_json();
    total["visits"] = all.size();
    total["mean_stay_s"] = all.empty() ? nlohmann::ordered_json()
                                       : nlohmann::ordered_json(stay_sum_s / static_cast<double>(all.size()));
    totals.push_back(std::move(total));
  }
  write(out / "zones.csv", csv("zone,frame,time_s,people", counts));
  write(out / "visits.csv", csv("zone,person,first_frame,last_frame,stay_s", stays));
  return totals;
}

int64_t write_events(const Counted& c, const std::filesystem::path& out) {
  const std::vector<FloorEvent> events =
      value_or_fail(find_events(c.range(), c.project.rules, c.project.zones, c.project.lines));
  std::string text;
  for (const FloorEvent& event : events) {
    nlohmann::ordered_json line = {{"rule", event.rule}};
    line["person"] = event.id > 0 ? nlohmann::ordered_json(event.id) : nlohmann::ordered_json();
    line["first_frame"] = event.first_frame, line["raised_frame"] = event.raised_frame;
    line["last_frame"] =
        event.last_frame ? nlohmann::ordered_json(*event.last_frame) : nlohmann::ordered_json();
    line["raised_s"] = c.seconds(event.raised_frame);
    line["x_m"] = event.x_m, line["y_m"] = event.y_m, line["value"] = event.value;
    text += line.dump() + "\n";
  }
  write(out / "events.jsonl", text);
  return static_cast<int64_t>(events.size());
}

void write_people(const Counted& c, const std::filesystem::path& out) {
  std::vector<std::string> rows;
  for (const WalkFigures& f : walk_figures(c.paths, c.frame_rate))
    rows.push_back(row("%lld,%lld,%lld,%.3f,%.3f,%.3f", static_cast<long long>(f.id),
                       static_cast<long long>(f.first_frame), static_cast<long long>(f.last_frame),
                       f.walked_m, f.mean_speed_m_per_s, f.top_speed_m_per_s));
  write(out / "people.csv",
        csv("person,first_frame,last_frame,walked_m,mean_speed_m_per_s,top_speed_m_per_s", rows));
}

// 16 bits, the first row the farthest along y; what a step is stands in the file.
void write_map(const std::filesystem::path& file, const FloorCells& cells, const std::string& unit,
               const std::function<double(size_t)>& value) {
  Image image = value_or_fail(Image::make(ImageType::u16, cells.nx, cells.ny, HostPool::shared()));
  const ImageView<uint16_t> to = image.writable_view<uint16_t>();
  for (int y = 0; y < cells.ny; ++y)
    for (int x = 0; x < cells.nx; ++x) {
      const auto cell = static_cast<size_t>(x) + static_cast<size_t>(cells.nx) * static_cast<size_t>(y);
      to.at(x, cells.ny - 1 - y) = static_cast<uint16_t>(std::clamp(value(cell), 0.0, 65535.0) + 0.5);
    }
  const VoxelGrid grid{{cells.left_m, cells.low_m, 0}, cells.cell_m, cells.nx, cells.ny, 1};
  check_or_fail(write_png_gray(file, image, {"Vantage floor", floor_scale(grid, unit)}));
}

void write_maps(const Counted& c, double cell_m, const std::filesystem::path& out) {
  const double width_m = c.grid.voxel_size_m * c.grid.nx, height_m = c.grid.voxel_size_m * c.grid.ny;
  const FloorCells cells{c.grid.origin_in_world_m[0], c.grid.origin_in_world_m[1], cell_m,
                         static_cast<int>(std::ceil(width_m / cell_m)),
                         static_cast<int>(std::ceil(height_m / cell_m))};
  const FloorUse use = floor_use(c.paths, cells, c.frame_rate);
  write_map(out / "trails.png", cells, "people who passed",
            [&](size_t i) { return static_cast<double>(use.people[i]); });
  write_map(out / "density.png", cells, "hundredths of a second that people stood or walked here, together",
            [&](size_t i) { return 100 * use.person_s[i]; });
  write_map(out / "dwell.png", cells, "hundredths of a second that a person was here, mean",
            [&](size_t i) { return use.people[i] ? 100 * use.person_s[i] / use.people[i] : 0; });
  write_map(out / "speed.png", cells, "millimetres per second, mean over time; 0 where nobody was",
            [&](size_t i) { return use.person_s[i] > 0 ? 1000 * use.walked_m[i] / use.person_s[i] : 0; });
}

void print_totals(const nlohmann::ordered_json& json) {
  for (const auto& line : json["lines"])
    std::printf("line %s: %lld to the left, %lld to the right\n", line["line"].get<std::string>().c_str(),
                static_cast<long long>(line["to_left"].get<int64_t>()),
                static_cast<long long>(line["to_right"].get<int64_t>()));
  for (const auto& zone : json["zones"]) {
    const std::string name = zone["zone"].get<std::string>();
    if (zone["mean_people"].is_null())
      std::printf("zone %s: people unknown, cameras cover %.0f %% of it", name.c_str(),
                  100 * zone["covered_share"].get<double>());
    else
      std::printf("zone %s: %.2f people on average, %lld at most", name.c_str(),
                  zone["mean_people"].get<double>(),
                  static_cast<long long>(zone["most_people"].get<int64_t>()));
    std::printf("; %lld visits\n", static_cast<long long>(zone["visits"].get<int64_t>()));
  }
  std::printf("%lld events\n%s\n", static_cast<long long>(json["events"].get<int64_t>()),
              json["out"].get<std::string>().c_str());
}

void count(const CountOptions& options) {
  const Counted c = read_all(options);
  const std::filesystem::path out = options.out;
  check_or_fail(make_folder(out));
  nlohmann::ordered_json json;
  json["lines"] = count_lines(c, out);
  json["zones"] = count_zones(c, out);
  json["events"] = write_events(c, out);
  json["out"] = out.string();
  write_people(c, out);
  write_maps(c, options.cell_m, out);
  if (options.write) check_or_fail(save_project(c.project, c.project.path));
  if (options.json)
    std::printf("%s\n", json.dump(2).c_str());
  else
    print_totals(json);
}

}  // namespace

void add_count(CLI::App& app) {
  auto options = std::make_shared<CountOptions>();
  CLI::App* command = app.add_subcommand(
      "count", "Count people across lines and in zones, with maps of how the floor is used and events.");
  command->footer(
      "Reads the results of a run; analyses nothing again. Writes crossings.csv, zones.csv, visits.csv, "
      "people.csv,\nevents.jsonl and the maps trails, density, dwell and speed as PNG. People are unknown, "
      "and "
      "their column empty,\nwhere cameras cover less than 95 % of a zone and in frames whose count is "
      "unknown.\n"
      "Example: vantage-cli count hall.vantage --out counts --line door=0,0,0,2 --zone shop=0,0,3,0,3,2,0,2 "
      "--write");
  command->add_option("project", options->project, "a project that was run")->required();
  command->add_option("--out", options->out, "folder for the tables and maps")->required()->type_name("DIR");
  command
      ->add_option("--tracks", options->tracks,
                   "tracks to count, as paths.csv of `track`; those of the results, repaired, if absent")
      ->type_name("FILE");
  command->add_option("--zone", options->zones, "a zone besides those of the project; may be repeated")
      ->type_name("NAME=X,Y,...");
  command
      ->add_option(
          "--line", options->lines,
          "a line besides those of the project; left and right are those of who looks from its first "
          "end to its second; may be repeated")
      ->type_name("NAME=X,Y,X,Y");
  command->add_option("--cell", options->cell_m, "side of a cell of the maps, in metres")
      ->check(CLI::Range(0.02, 5.0))
      ->capture_default_str();
  command->add_flag("--write", options->write, "keep the zones and lines in the project");
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options] { count(*options); });
}

}  // namespace vantage::cli
