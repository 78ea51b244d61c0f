// vantage-cli events: events of a project's rules with users' marks, and new marks.

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "app/cli/common/floor_text.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/display/floor_picture.h"
#include "core/image/image_files.h"
#include "core/project/project.h"
#include "core/project/recording_clock.h"
#include "core/results/floor_counts.h"
#include "core/results/results_events.h"
#include "core/results/results_paths.h"
#include "core/results/results_pictures.h"
#include "core/tracks/counting/counting.h"
#include "core/tracks/counting/rules.h"

namespace vantage::cli {
namespace {

struct EventArguments {
  std::string project, only, mark, rule;
  std::optional<std::string> note;
  int64_t person = 0, frame = -1;
  bool json = false;
};

struct MarkedEvent {
  FloorEvent event;
  EventMark mark;
};

struct Marked {
  Project project;
  RecordedPeople people;
  std::vector<MarkedEvent> events;
};

EventStanding standing_or_fail(const char* option, const std::string& name) {
  if (const auto standing = standing_named(name)) return *standing;
  throw CLI::ValidationError(option, "'" + name + "' is neither new, seen, false_alarm nor exported");
}

Marked read_events(const EventArguments& arguments) {
  Marked marked;
  marked.project = value_or_fail(load_project(arguments.project));
  const Project& project = marked.project;
  marked.people = read_people_or_fail(project, {}, {});
  const EventMarks marks = value_or_fail(read_event_marks(project.results_folder()));
  for (FloorEvent& event :
       value_or_fail(find_events(marked.people.range(), project.rules, project.zones, project.lines))) {
    const auto known = marks.find(key_of(event));
    marked.events.push_back({std::move(event), known == marks.end() ? EventMark() : known->second});
  }
  return marked;
}

Report event_report(const RecordedPeople& people, const MarkedEvent& one) {
  const FloorEvent& event = one.event;
  Report row;
  row.add("rule", "rule", event.rule);
  row.add("person", "who", event.id > 0 ? ReportValue(event.id) : ReportValue(),
          event.id > 0 ? "person " + std::to_string(event.id) : "zone");
  row.add_count("raised_frame", "frame", event.raised_frame);
  row.add("time", "time", time_of(people, event.raised_frame));
  row.add("standing", "mark", std::string(standing_name(one.mark.standing)));
  row.add("note", "note", one.mark.note);
  return row;
}

// Marks the event of the options; unstated values are kept.
void mark_event(const EventArguments& arguments, Marked* marked) {
  const EventKey key{arguments.rule, arguments.person, arguments.frame};
  for (MarkedEvent& one : marked->events) {
    if (key_of(one.event) != key) continue;
    if (!arguments.mark.empty()) one.mark.standing = standing_or_fail("--mark", arguments.mark);
    if (arguments.note) one.mark.note = *arguments.note;
    value_or_fail(change_event_marks(marked->project.results_folder(), {{key, one.mark}}));
    marked->events = {one};
    return;
  }
  fail_command({ErrorKind::not_found, "there is no such event", marked->project.path.string(),
                "Name it by --rule, --person and --frame as `vantage-cli events` lists it."});
}

void events(const EventArguments& arguments) {
  const bool marking = !arguments.mark.empty() || arguments.note;
  if (marking && (arguments.rule.empty() || arguments.frame < 0))
    throw CLI::ValidationError("--mark",
                               "--rule and --frame, and --person unless it is of a zone, name an event");
  if (!arguments.mark.empty()) standing_or_fail("--mark", arguments.mark);
  Marked marked = read_events(arguments);
  if (marking) mark_event(arguments, &marked);
  if (!arguments.only.empty()) {
    const EventStanding only = standing_or_fail("--only", arguments.only);
    std::erase_if(marked.events, [only](const MarkedEvent& one) { return one.mark.standing != only; });
  }
  std::vector<Report> rows;
  for (const MarkedEvent& one : marked.events) rows.push_back(event_report(marked.people, one));
  Report report;
  report.add_rows("events", std::move(rows));
  report.add_sentence(std::to_string(marked.events.size()) + " events");
  print_report(report, arguments.json);
}

}  // namespace

void add_events(CLI::App& app) {
  auto arguments = std::make_shared<EventArguments>();
  CLI::App* command = app.add_subcommand(
      "events", "List the events of a project's rules, and mark them as seen or otherwise.");
  command->footer(
      "Marks are those of the window and of the server (`serve --serve-mark-token-file`): kept next to the "
      "results, in\n"
      "event_marks.json.\n"
      "Example: vantage-cli events hall.vantage --only new\n"
      "Example: vantage-cli events hall.vantage --mark seen --rule door --person 3 --frame 120 --note \"the "
      "postman\"");
  command->add_option("project", arguments->project, "a project that was run")
      ->required()
      ->type_name("P.vantage");
  command->add_option("--only", arguments->only, "list only these: new, seen, false_alarm, exported")
      ->type_name("STANDING");
  command->add_option("--mark", arguments->mark, "mark one event: new, seen, false_alarm, exported")
      ->type_name("STANDING");
  command->add_option("--note", arguments->note, "its note")->type_name("TEXT");
  command->add_option("--rule", arguments->rule, "the event's rule")->type_name("NAME");
  command->add_option("--person", arguments->person, "its person; if absent, an event of the zone itself")
      ->type_name("ID");
  command->add_option("--frame", arguments->frame, "the frame in which it was raised")->type_name("N");
  add_json_flag(*command, &arguments->json);
  command->callback([arguments] { events(*arguments); });
}

namespace {

struct CountOptions {
  std::string project, results, tracks, out;
  std::vector<std::string> zones, lines, rules;
  double cell_m = 0.1;
  bool write = false, json = false;
};

struct Counted {
  Project project;
  uint64_t stamp = 0;  // stamp of the project's file when it was read
  RecordedPeople people;
  FloorCounts counts;
  VoxelGrid grid;
};

void add_shapes(const CountOptions& options, Project* project) {
  for (const std::string& text : options.zones) {
    auto [name, corners] = read_shape(text, 3);
    draw_shape(&project->zones, FloorZone{name, std::move(corners)});
  }
  for (const std::string& text : options.lines) {
    auto [name, ends] = read_shape(text, 2);
    draw_shape(&project->lines, FloorLine{name, ends[0], ends[1]});
  }
  for (const std::string& text : options.rules) {
    Result<FloorRule> rule = parse_rule(text);
    if (!rule) throw CLI::ValidationError("--rule", rule.error().message());
    draw_shape(&project->rules, std::move(*rule));
  }
}

Counted read_all(const CountOptions& options) {
  Counted c;
  ReadProject read = read_project_or_fail(options.project);
  c.project = std::move(read.project);
  c.stamp = read.stamp;
  add_shapes(options, &c.project);
  c.people = read_people_or_fail(c.project, options.results, options.tracks);
  c.grid = value_or_fail(c.project.effective_grid());
  c.counts = count_floor(c.people, c.project, value_or_fail(covered_shares(c.project)));
  return c;
}

void write(const std::filesystem::path& file, const std::string& text) {
  check_or_fail(write_file_atomically(file, text));
}

std::vector<Report> line_totals(const Counted& c) {
  std::vector<Report> totals;
  for (size_t i = 0; i < c.counts.lines.size(); ++i) {
    const auto& line = c.counts.lines[i];
    Report& row = totals.emplace_back();
    row.add("line", "line", c.project.lines[i].name);
    row.add_number("covered_share", "covered", line.covered_share, {"%", 0, 100});
    row.add_count("to_left", "to the left", line.to_left);
    row.add_count("to_right", "to the right", line.to_right);
    if (line.covered_share < kCoveredEnough)
      row.add_sentence("part of it is not covered, there may have been more");
  }
  return totals;
}

std::vector<Report> zone_totals(const Counted& c) {
  std::vector<Report> totals;
  for (size_t i = 0; i < c.counts.zones.size(); ++i) {
    const ZoneCount& zone = c.counts.zones[i];
    const bool known = zone.mean_people.has_value();
    Report& row = totals.emplace_back();
    row.add("zone", "zone", c.project.zones[i].name);
    row.add_number("covered_share", "covered", zone.covered_share, {"%", 0, 100});
    row.add("mean_people", "people on average", zone.mean_people,
            known ? unit_text(*zone.mean_people, {"", 2}) : "unknown");
    row.add("max_people", "at most", zone.max_people, known ? std::to_string(*zone.max_people) : "unknown");
    row.add_count("visits", "visits", static_cast<int64_t>(zone.visits.size()));
    row.add("mean_stay_s", "mean stay", zone.mean_stay_s,
            zone.mean_stay_s ? unit_text(*zone.mean_stay_s, {"s", 1}) : "");
  }
  return totals;
}

// No rate is stated for a short time: it would refer to unobserved hours.
std::vector<Report> write_events(const Counted& c, const std::filesystem::path& out, int64_t* raised) {
  const std::vector<FloorEvent> events =
      value_or_fail(find_events(c.people.range(), c.project.rules, c.project.zones, c.project.lines));
  const double start_utc_s = c.people.clock ? c.people.clock->start_utc_s : 0;
  std::string text;
  for (const FloorEvent& event : events) text += event_line(event, c.people.frame_rate, start_utc_s) + "\n";
  write(out / "events.jsonl", text);
  const size_t known = c.people.known_frames.size();
  const double known_s = c.people.frame_rate > 0 ? static_cast<double>(known) / c.people.frame_rate : 0;
  std::vector<Report> totals;
  for (const FloorRule& rule : c.project.rules) {
    const auto its = std::count_if(events.begin(), events.end(),
                                   [&](const FloorEvent& event) { return event.rule == rule.name; });
    std::optional<double> per_hour;
    if (known > 0) per_hour = events_per_hour(static_cast<size_t>(its), known, c.people.frame_rate);
    Report& row = totals.emplace_back();
    row.add("rule", "rule", rule.name);
    row.add_count("events", "events", its);
    row.add("per_hour", "rate", per_hour,
            known_s >= kMinRateSpan_s ? unit_text(*per_hour, {"an hour", 1})
            : known_s > 0             ? fmt::format("in {:.1f} s", known_s)
                                      : "");
    *raised += its;
  }
  return totals;
}

// 16 bits, the first row is the farthest along y; the file states the size of a step.
void write_map(const std::filesystem::path& file, const FloorCells& cells, const std::string& unit,
               const std::function<double(size_t)>& value) {
  const Image image = value_or_fail(picture_of_cells<uint16_t>(cells.nx, cells.ny, [&](int x, int y) {
    const auto cell = static_cast<size_t>(x) + static_cast<size_t>(cells.nx) * static_cast<size_t>(y);
    return static_cast<uint16_t>(std::clamp(value(cell), 0.0, 65535.0) + 0.5);
  }));
  const VoxelGrid grid{{cells.left_m, cells.low_m, 0}, cells.cell_m, cells.nx, cells.ny, 1};
  check_or_fail(write_png_gray(file, image, {kFloorScaleKeyword, floor_scale(grid, unit)}));
}

// Writes a picture for viewing, in addition to the one with values: cividis with its key below. Returns the
// scale as text for the summary.
std::string write_colored(const std::filesystem::path& file, const FloorUse& use, FloorUseKind kind) {
  const FloorUseMap map = floor_use_map(use, kind);
  check_or_fail(write_png_rgb(file, value_or_fail(floor_use_plate(map))));
  return file.filename().string() + ": " + map.words;
}

std::vector<std::string> write_maps(const Counted& c, double cell_m, const std::filesystem::path& out) {
  const double width_m = c.grid.voxel_size_m * c.grid.nx, height_m = c.grid.voxel_size_m * c.grid.ny;
  const FloorCells cells{c.grid.origin_in_world_m[0], c.grid.origin_in_world_m[1], cell_m,
                         static_cast<int>(std::ceil(width_m / cell_m)),
                         static_cast<int>(std::ceil(height_m / cell_m))};
  const FloorUse use = floor_use(c.people.paths, cells, c.people.frame_rate);
  write_map(out / "trails.png", cells, "people who passed",
            [&](size_t i) { return static_cast<double>(use.people[i]); });
  write_map(out / "density.png", cells, "hundredths of a second that people stood or walked here, together",
            [&](size_t i) { return 100 * use.person_s[i]; });
  write_map(out / "dwell.png", cells, "hundredths of a second that a person was here, mean",
            [&](size_t i) { return use.people[i] ? 100 * use.person_s[i] / use.people[i] : 0; });
  write_map(out / "speed.png", cells, "millimetres per second, mean over time; 0 where no one was",
            [&](size_t i) { return use.person_s[i] > 0 ? 1000 * use.walked_m[i] / use.person_s[i] : 0; });
  std::vector<std::string> words;
  for (const FloorUseKind kind : kFloorUseKinds)
    words.push_back(write_colored(out / (std::string(floor_use_name(kind)) + "_color.png"), use, kind));
  return words;
}

void count(const CountOptions& options) {
  const Counted c = read_all(options);
  const std::filesystem::path out = options.out;
  check_or_fail(write_counts(out, c.people, c.project, c.counts));
  int64_t events = 0;
  Report report;
  report.add_rows("lines", line_totals(c)), report.add_rows("zones", zone_totals(c));
  report.add_rows("rules", write_events(c, out, &events));
  report.add_data("events", events);
  report.add_sentence("out", out.string());
  const std::vector<std::string> maps = write_maps(c, options.cell_m, out);
  report.add_data("maps", maps);
  for (const std::string& map : maps) report.add_sentence(map);
  if (options.write) write_project_or_fail(c.project, c.stamp);
  print_report(report, options.json);
}

}  // namespace

void add_count(CLI::App& app) {
  auto options = std::make_shared<CountOptions>();
  CLI::App* command = app.add_subcommand(
      "count", "Count people across lines and in zones, with maps of how the floor is used and events.");
  command->footer(
      "Reads the results of a run; nothing is analysed again. Writes crossings.csv, zones.csv, visits.csv, "
      "people.csv,\n"
      "events.jsonl and the maps trails, density, dwell and speed as PNG, as numbers and in colour. People "
      "are unknown, and their column empty,\n"
      "where cameras cover less than 95 % of a zone and in frames whose count is unknown. Tables carry the "
      "time "
      "of day where\n"
      "the recording's clock is known (`vantage-cli clock`), and names that were given (`vantage-cli "
      "repair`).\n"
      "Example: vantage-cli count hall.vantage --out counts --line door=0,0,0,2 --zone shop=0,0,3,0,3,2,0,2 "
      "--write");
  command->add_option("project", options->project, "a project that was run")->required();
  command->add_option("--out", options->out, "folder for the tables and maps")->required()->type_name("DIR");
  command
      ->add_option("--results", options->results,
                   "results of the project in another folder, as of `merge`; NAME.results if absent")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  command
      ->add_option("--tracks", options->tracks,
                   "tracks to count, as paths.csv of `track`; those of the results, repaired, if absent")
      ->type_name("FILE");
  command->add_option("--zone", options->zones, "a zone in addition to those of the project; may be repeated")
      ->type_name("NAME=X,Y,...");
  command
      ->add_option(
          "--line", options->lines,
          "a line in addition to those of the project; left and right as seen looking from its first end "
          "to its second; may be repeated")
      ->type_name("NAME=X,Y,X,Y");
  command
      ->add_option(
          "--rule", options->rules,
          "a rule in addition to those of the project, tried on these results; KIND is enters, leaves, "
          "stays_longer, more_than, crosses or faster_than; may be repeated")
      ->type_name("NAME=KIND,where=ZONE,limit=N,delay=S,clear=S,way=to_left");
  command->add_option("--cell", options->cell_m, "side of a cell of the maps, in metres")
      ->check(CLI::Range(0.02, 5.0))
      ->capture_default_str();
  command->add_flag("--write", options->write, "keep the zones, lines and rules in the project");
  add_json_flag(*command, &options->json);
  command->callback([options] { count(*options); });
}

}  // namespace vantage::cli
