// vantage-cli find: finds people by position and time in the results of a run.

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "app/cli/common/floor_text.h"
#include "core/base/text.h"
#include "core/base/trace.h"
#include "core/project/project.h"
#include "core/project/recording_clock.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "core/tracks/find/question.h"
#include "core/why/answer.h"

namespace vantage::cli {
namespace {

struct FindArguments {
  std::string project, results, tracks, zone, line, way = "either", from, to, clock, format = "table";
  double met_m = 0, longer_s = 0;
  std::optional<double> taller_m, shorter_m;
  std::vector<std::string> people;  // IDs or names
};

struct Search {
  Project project;
  double frame_rate = 0;
  std::optional<RecordingClock> clock;
  PersonNames names;
  double read_s = 0, index_s = 0, answer_s = 0;
};

double seconds_since(int64_t start_ns) {
  return static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
}

// A name of the project's, or NAME=X,Y,… of one drawn here.
template <typename Shape, typename Make>
Shape shape_of(const std::string& text, const std::vector<Shape>& known, const char* option,
               const Make& make) {
  if (text.find('=') != std::string::npos) return make();
  const auto found = std::ranges::find(known, text, &Shape::name);
  if (found != known.end()) return *found;
  std::string names;
  for (const Shape& shape : known) append_item(&names, shape.name);
  throw CLI::ValidationError(option, "the project has no '" + text + "'" +
                                         (names.empty() ? "" : "; it has " + names) +
                                         "; or give NAME=X,Y,X,Y…");
}

FloorZone zone_of(const FindArguments& arguments, const Project& project) {
  return shape_of(arguments.zone, project.zones, "--in", [&] {
    auto [name, corners] = read_shape(arguments.zone, 3);
    return FloorZone{name, std::move(corners)};
  });
}

FloorLine line_of(const FindArguments& arguments, const Project& project) {
  return shape_of(arguments.line, project.lines, "--crossed", [&] {
    auto [name, ends] = read_shape(arguments.line, 2);
    return FloorLine{name, ends[0], ends[1]};
  });
}

int64_t frame_of(const char* option, const std::string& text, const Search& search, int64_t otherwise) {
  if (text.empty()) return otherwise;
  return frame_of_moment_or_fail(option, text, search.frame_rate, search.clock);
}

void read_clock(const FindArguments& arguments, Search* search) {
  if (arguments.clock.empty()) {
    search->clock = find_clock(search->project);
    return;
  }
  Result<RecordingClock> clock = parse_clock(arguments.clock);
  if (!clock) throw CLI::ValidationError("--clock", clock.error().message());
  search->clock = std::move(*clock);
}

TrackIndex read_index(const FindArguments& arguments, Search* search) {
  const int64_t start_ns = trace_now_ns();
  const std::filesystem::path folder =
      arguments.results.empty() ? search->project.results_folder() : std::filesystem::path(arguments.results);
  search->frame_rate = value_or_fail(ResultsReader::open(folder / "results.jsonl")).header().frame_rate;
  std::vector<PersonPath> paths = value_or_fail(
      read_paths(arguments.tracks.empty() ? folder / "tracks.csv" : std::filesystem::path(arguments.tracks)));
  if (arguments.tracks.empty()) {
    RepairedPaths repaired = apply_repairs(std::move(paths), search->project.repairs);
    paths = std::move(repaired.paths), search->names = std::move(repaired.names);
  }
  search->read_s = seconds_since(start_ns);
  const int64_t read_ns = trace_now_ns();
  TrackIndex index(std::move(paths), search->frame_rate);
  search->index_s = seconds_since(read_ns);
  return index;
}

// IDs of people given by ID or name.
std::vector<int64_t> people_of(const FindArguments& arguments, const Search& search) {
  std::vector<int64_t> people;
  for (const std::string& text : arguments.people) {
    const Result<std::vector<int64_t>> called = people_called(text, search.names);
    if (!called) throw CLI::ValidationError("--person", called.error().what);
    people.insert(people.end(), called->begin(), called->end());
  }
  return people;
}

CrossingWay way_of(const std::string& name) {
  return static_cast<CrossingWay>(std::ranges::find(kCrossingWayNames, name) - kCrossingWayNames.begin());
}

FindQuestion question_of(const FindArguments& arguments, const Search& search) {
  FindQuestion question;
  if (!arguments.zone.empty()) {
    question.kind = FindKind::visits;
    question.zone = zone_of(arguments, search.project);
  } else if (!arguments.line.empty()) {
    question.kind = FindKind::crossings;
    question.line = line_of(arguments, search.project);
    question.way = way_of(arguments.way);
  } else if (arguments.met_m > 0) {
    question.kind = FindKind::meetings;
    question.closer_m = arguments.met_m;
  }
  question.filter = {frame_of("--from", arguments.from, search, INT64_MIN),
                     frame_of("--to", arguments.to, search, INT64_MAX),
                     arguments.longer_s,
                     arguments.taller_m,
                     arguments.shorter_m,
                     people_of(arguments, search)};
  if (question.filter.last_frame < question.filter.first_frame)
    throw CLI::ValidationError("--to", "lies before --from");
  return question;
}

std::string name_of(const Search& search, int64_t person) {
  const auto name = search.names.find(person);
  return name == search.names.end() ? std::string() : name->second;
}

std::string moment_of(const Search& search, int64_t frame) {
  const double seconds = static_cast<double>(frame) / search.frame_rate;
  return search.clock ? search.clock->text(seconds) : elapsed_text(seconds);
}

double length_s(const Search& search, const FoundMoment& moment) {
  return static_cast<double>(moment.last_frame - moment.first_frame) / search.frame_rate;
}

void print_answer_csv(const Search& search, const std::vector<FoundMoment>& moments) {
  fmt::print(
      "person,name,other,other_name,first_frame,last_frame,time,end_time,seconds,x_m,y_m,height_m,to_left\n");
  for (const FoundMoment& moment : moments)
    fmt::print("{},{},{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{}\n", moment.person,
               csv_quoted(name_of(search, moment.person)),
               moment.other > 0 ? std::to_string(moment.other).c_str() : "",
               csv_quoted(name_of(search, moment.other)), moment.first_frame, moment.last_frame,
               moment_of(search, moment.first_frame), moment_of(search, moment.last_frame),
               length_s(search, moment), moment.x_m, moment.y_m, moment.height_m,
               moment.to_left ? (*moment.to_left ? "1" : "0") : "");
}

// "person 7", "Anna (7)"
std::string person_text(const Search& search, int64_t person) {
  const std::string name = name_of(search, person), number = std::to_string(person);
  return name.empty() ? "person " + number : name + " (" + number + ")";
}

Report moment_report(const Search& search, const FoundMoment& moment) {
  std::string who = person_text(search, moment.person);
  if (moment.other > 0) who += " and " + person_text(search, moment.other);
  const Unit metres{"m", 2};
  Report row;
  row.add("person", "who", moment.person, who);
  if (const std::string name = name_of(search, moment.person); !name.empty()) row.add_data("name", name);
  if (moment.other > 0) row.add_data("other", moment.other);
  if (const std::string name = name_of(search, moment.other); !name.empty()) row.add_data("other_name", name);
  row.add_count("first_frame", "from frame", moment.first_frame);
  row.add_count("last_frame", "to frame", moment.last_frame);
  row.add("time", "from", moment_of(search, moment.first_frame));
  row.add("end_time", "to", moment_of(search, moment.last_frame));
  row.add_number("seconds", "for", length_s(search, moment), {"s", 1});
  row.add_number("x_m", "x", moment.x_m, metres), row.add_number("y_m", "y", moment.y_m, metres);
  row.add("height_m", "tall", moment.height_m, moment.other > 0 ? "" : unit_text(moment.height_m, metres));
  if (moment.to_left) row.add("to_left", "to the", *moment.to_left, *moment.to_left ? "left" : "right");
  return row;
}

Report answer_report(const Search& search, const TrackIndex& index, const std::vector<FoundMoment>& moments) {
  std::vector<Report> rows;
  for (const FoundMoment& moment : moments) rows.push_back(moment_report(search, moment));
  Report report;
  report.add_rows("found", std::move(rows));
  report.add_data("clock", search.clock ? ReportValue(search.clock->source) : ReportValue());
  report.add_data("people", index.people()), report.add_data("points", index.points());
  report.add_data("read_s", search.read_s), report.add_data("index_s", search.index_s);
  report.add_data("answer_s", search.answer_s);
  report.say(std::to_string(moments.size()) +
             " found, of {people} people; read in {read_s:2} s, indexed in "
             "{index_s:0*1000} ms, answered in {answer_s:0*1000} ms");
  return report;
}

void find(const FindArguments& arguments) {
  const int questions =
      (arguments.zone.empty() ? 0 : 1) + (arguments.line.empty() ? 0 : 1) + (arguments.met_m > 0 ? 1 : 0);
  if (questions > 1) throw CLI::ValidationError("find", "give one of --in, --crossed and --met");
  Search search;
  search.project = value_or_fail(load_project(arguments.project));
  read_clock(arguments, &search);
  const TrackIndex index = read_index(arguments, &search);
  const FindQuestion question = question_of(arguments, search);
  const int64_t start_ns = trace_now_ns();
  const std::vector<FoundMoment> moments = answer(index, question);
  search.answer_s = seconds_since(start_ns);
  if (arguments.format == "csv") return print_answer_csv(search, moments);
  print_report(answer_report(search, index, moments), arguments.format == "json");
}

void add_questions(CLI::App& command, FindArguments& arguments) {
  command
      .add_option("--in", arguments.zone,
                  "people in that zone of the project, or in one given here, with their times")
      ->type_name("ZONE|NAME=X,Y,...");
  command
      .add_option("--crossed", arguments.line,
                  "people who crossed that line of the project, or one given here")
      ->type_name("LINE|NAME=X,Y,X,Y");
  command
      .add_option("--way", arguments.way,
                  "with --crossed: direction, as seen looking from the line's first end to its second")
      ->check(CLI::IsMember({"either", "to_left", "to_right"}))
      ->capture_default_str();
  command.add_option("--met", arguments.met_m, "pairs of people closer than that on the floor, in metres")
      ->type_name("M")
      ->check(CLI::PositiveNumber);
  command
      .add_option(
          "--from", arguments.from,
          "entries that end at this time or later: 14:32:05 where the clock is known, a frame (1234), "
          "seconds (12.5s) or +0:02:05")
      ->type_name("WHEN");
  command.add_option("--to", arguments.to, "entries that begin by this time, likewise")->type_name("WHEN");
  command.add_option("--clock", arguments.clock, "the time of day of frame 0; as `case export` takes it")
      ->type_name("TIME");
  command.add_option("--longer", arguments.longer_s, "minimum duration in seconds")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--taller", arguments.taller_m,
                  "people taller than that in metres, by the median of a track")
      ->type_name("M");
  command.add_option("--shorter", arguments.shorter_m, "people shorter than that")->type_name("M");
  command.add_option("--person", arguments.people, "only the person with that ID or name; may be repeated")
      ->type_name("ID|NAME")
      ->expected(1)
      ->take_all();
}

}  // namespace

void add_find(CLI::App& app) {
  auto arguments = std::make_shared<FindArguments>();
  CLI::App* command =
      app.add_subcommand("find", "Find people in a zone, across a line or near each other, with the times.");
  command->footer(
      "Reads the tracks of a run, with the project's repairs; nothing is analysed again. Without --in, "
      "--crossed and --met\n"
      "it lists everyone who was there. An entry counts if it overlaps the time from --from to --to.\n"
      "Example: vantage-cli find hall.vantage --in shop --from 14:30:00 --to 14:45:00 --longer 20");
  command->add_option("project", arguments->project, "a project that was run")
      ->required()
      ->type_name("P.vantage");
  add_questions(*command, *arguments);
  command->add_option("--results", arguments->results, "results in another folder; NAME.results if absent")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  command->add_option("--tracks", arguments->tracks, "tracks of another file, as paths.csv of `track`")
      ->type_name("FILE");
  command->add_flag_callback(
      "--json", [arguments] { arguments->format = "json"; }, "print it as JSON, with how long it took");
  command->add_flag_callback("--csv", [arguments] { arguments->format = "csv"; }, "print it as CSV");
  command->callback([arguments] { find(*arguments); });
}

// vantage-cli why: explains why a person is at a position in a frame or not, or a pixel in the mask.

namespace {

struct WhyOptions {
  ChainOptions chain;
  int64_t frame = -1;
  std::vector<double> place;  // x, y in metres
  std::string camera;
  std::vector<int> pixel;  // column, row
  bool json = false;
};

WhyQuestion question_of(const WhyOptions& options, const Project& project) {
  if (!options.place.empty()) return {options.frame, FloorQuestion{options.place[0], options.place[1]}};
  const int camera = camera_named(project, options.camera, "--camera");
  return {options.frame, PixelQuestion{static_cast<size_t>(camera), options.pixel[0], options.pixel[1]}};
}

void tell_why(const WhyOptions& options) {
  if (options.place.empty() == options.pixel.empty())
    throw CLI::ValidationError("--place", "give either --place, or --camera and --pixel");
  for (const double coordinate : options.place)
    if (!std::isfinite(coordinate))
      throw CLI::ValidationError("--place", "two numbers are needed, in metres");
  Project project = load_project_or_fail(options.chain);
  const WhyQuestion question = question_of(options, project);
  const OpenedChain chain = open_chain_or_fail(options.chain, std::move(project));
  cut_to_recording_or_fail({options.frame, options.frame + 1}, chain.analysis->source());
  const FrameResultRef result =
      value_or_fail(chain.analysis->pipeline().frame(options.frame, {}, interrupted()));
  print_report(value_or_fail(answer_to(question, chain.project, *chain.analysis, *result, interrupted())),
               options.json);
}

}  // namespace

void add_why(CLI::App& app) {
  auto options = std::make_shared<WhyOptions>();
  CLI::App* command = app.add_subcommand(
      "why",
      "Explain why a person is found at a position of the floor, or not; or why a pixel is in the mask.");
  command->footer(
      "A position: what each camera saw, expected and could not see, and the thresholds of the search for "
      "people;\n"
      "each is tried with other values until the outcome changes, and the decisive one is named. A pixel: "
      "its\n"
      "colour compared with its model, distance, shadow, cleaning, and the results of the other stages.\n"
      "Example: vantage-cli why hall.vantage --frame 120 --place 1.2,3.4\n"
      "Example: vantage-cli why hall.vantage --frame 120 --camera cam2 --pixel 640,360 --json");
  add_chain_options(*command, options->chain);
  command->add_option("--frame", options->frame, "frame of the base camera, from 0")
      ->required()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--place", options->place, "position on the floor, in metres")
      ->type_name("X,Y")
      ->delimiter(',')
      ->expected(2);
  CLI::Option* camera = command->add_option("--camera", options->camera, "camera of the pixel, by name");
  CLI::Option* pixel = command->add_option("--pixel", options->pixel, "column and row of the picture, from 0")
                           ->type_name("U,V")
                           ->delimiter(',')
                           ->expected(2);
  camera->needs(pixel);
  pixel->needs(camera);
  add_json_flag(*command, &options->json);
  command->callback([options] { tell_why(*options); });
}

}  // namespace vantage::cli
