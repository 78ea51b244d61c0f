// vantage-cli calibrate: its subcommands.

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/cli/calibrate/board_options.h"
#include "app/cli/calibrate/calibrate.h"
#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/calibrate/uncertainty.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/solve/solution_report.h"
#include "core/check/bumped_cameras.h"
#include "core/geometry/camera.h"
#include "core/project/camera_in_time.h"
#include "core/setup/boards/board_sheet.h"
#include "core/setup/boards/project_boards.h"

namespace vantage::cli {
namespace {

// The subcommand bumped of vantage-cli calibrate.

struct BumpedCommand {
  std::string project, out;
  std::vector<std::string> cameras;
  bool apply = false, json = false;
};

Report jump_report(const SolvedJump& solved, int64_t from_frame) {
  Report jump;
  jump.add_data("last_frame_before", solved.jump.last_before);
  jump.add_data("first_frame_after", solved.jump.first_after), jump.add_data("from_frame_set", from_frame);
  jump.add_data("moved_px", solved.jump.moved_px), jump.add_data("places", solved.jump.places.size());
  jump.add_data("solved", solved.solved()), jump.add_data("in_project", solved.known.has_value());
  if (solved.known_px) jump.add_data("project_misses_px", *solved.known_px);
  if (solved.turn) {
    jump.add_data("turned_deg", solved.turn->degrees);
    jump.add_data("before_px", solved.turn->before_px), jump.add_data("after_px", solved.turn->after_px);
  }
  if (solved.floor_m) jump.add_data("floor_m", *solved.floor_m);
  std::string text = "jumped by {moved_px:1} px between frames {last_frame_before} and {first_frame_after}";
  if (solved.floor_m) text += "; {floor_m:1*100} cm on the floor";
  if (solved.known) text += "; the project has another calibration there";
  if (solved.known && solved.known_px)
    text += ", with which {places} points miss by {project_misses_px:1} px";
  if (!solved.known && solved.turn)
    text +=
        "; turned by {turned_deg:2} degrees; {places} points missed by {before_px:1} px, now {after_px:1}";
  if (!solved.known && solved.turn && !solved.solved())
    text += ": the camera also moved, and its pose is not solved";
  jump.say(text);
  return jump;
}

Report bumped_report(const Project& project, const std::vector<WatchedCamera>& watched) {
  std::vector<Report> cameras;
  for (const WatchedCamera& camera : watched) {
    const std::string& name = project.cameras[camera.camera].name;
    Report row{name};
    row.add_data("name", name);
    std::vector<Report> jumps;
    for (size_t j = 0; j < camera.jumps.size(); ++j)
      jumps.push_back(jump_report(camera.jumps[j], camera.from_frames[j]));
    if (jumps.empty() && camera.untold.empty()) row.summary = "stands still";
    row.add_rows("jumps", std::move(jumps));
    if (!camera.untold.empty()) row.add_sentence("cannot_tell", camera.untold);
    cameras.push_back(std::move(row));
  }
  Report report;
  report.add_data("schema", "vantage-bumped-cameras-1");
  report.add_rows("cameras", std::move(cameras));
  return report;
}

void all_solved_or_fail(const Project& project, const std::vector<WatchedCamera>& watched) {
  for (const WatchedCamera& one : watched) {
    const std::string& name = project.cameras[one.camera].name;
    if (!one.solved())
      fail_command(
          {ErrorKind::bad_data, "the camera moved as well as turned, or it is not calibrated", name,
           "Solve its pose from people (vantage-cli calibrate people --camera " + name +
               " --frames, after the jump), and apply the result (vantage-cli calibrate apply --from)."});
  }
}

void bumped(const BumpedCommand& command) {
  ReadProject read = read_project_or_fail(command.project);
  Project& project = read.project;
  std::vector<bool> asked(project.cameras.size(), command.cameras.empty());
  for (const std::string& name : command.cameras) asked[camera_named(project, name, "--camera")] = true;
  Progress progress("cameras");
  const std::vector<WatchedCamera> watched = value_or_fail(watch_cameras(
      project, asked, [&](int64_t done, int64_t total) { progress.update(done, total); }, interrupted()));
  print_report(bumped_report(project, watched), command.json);
  if (!command.apply && command.out.empty()) return;
  all_solved_or_fail(project, watched);
  const size_t changed = add_bumps(watched, &project);
  if (changed == 0 && project.calibration_changes().empty())
    fail_command({ErrorKind::bad_data, "no camera was bumped", project.path.string(), ""});
  if (!command.out.empty())
    check_or_fail(
        write_file_atomically(command.out, calibration_to_json(project.named_calibrations(INT64_MAX))));
  if (command.apply && changed > 0) write_project_or_fail(project, read.stamp);
}

void add_bumped(CLI::App& calibrate) {
  auto command = std::make_shared<BumpedCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "bumped", "Finds cameras whose view jumped during a recording, and solves their pose after the jump.");
  app->footer(
      "Corners of the scene before and after the jump are compared. A rotation about the camera's centre "
      "that explains their shift gives the calibration from the jump on.\n"
      "Example: vantage-cli calibrate bumped hall.vantage --apply");
  app->add_option("project", command->project, "the project")->required()->type_name("P.vantage");
  app->add_option("--camera", command->cameras, "examine this camera only (repeatable)");
  app->add_option("--out", command->out,
                  "write the calibration of all cameras at the recording's end to this file (Vantage JSON)");
  app->add_flag("--apply", command->apply,
                "give each bumped camera of the project a calibration from its jump on");
  add_json_flag(*app, &command->json);
  app->callback([command] { bumped(*command); });
}

// The subcommand measure of vantage-cli calibrate.

struct MeasureCommand {
  std::string project, uncertainty;
  bool json = false;
};

// Without cameras whose pose has changed since they were solved.
SolvedTogether still_standing(ReadUncertainty read) {
  for (const std::string& name : read.stand_apart)
    for (Camera& camera : read.solved.cameras)
      if (camera.name() == name) camera.set_name({});
  return std::move(read.solved);
}

void measure(const MeasureCommand& command) {
  const Project project = value_or_fail(load_project(command.project));
  const std::vector<Camera> cameras = calibrated_or_fail(project);
  std::vector<SolvedTogether> solved;
  if (!command.uncertainty.empty())
    solved.push_back(still_standing(uncertainty_or_fail(command.uncertainty, cameras)));
  std::vector<Report> measures;
  for (const ClickedMeasure& clicked : project.measures)
    measures.push_back(report_of(clicked, measured(clicked.kind, clicked.clicks, cameras, solved)));
  Report report;
  report.add_data("schema", "vantage-measures-1");
  report.add_rows("measures", std::move(measures));
  if (project.measures.empty())
    report.add_sentence("Nothing was measured in this project (the window's Calibrate, Measures).");
  print_report(report, command.json);
}

void add_measure(CLI::App& calibrate) {
  auto command = std::make_shared<MeasureCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "measure",
      "Prints what was measured with the ruler: distances, heights and angles, with their uncertainty.");
  app->footer(
      "Measures are stored as clicks; their values follow the project's current calibration.\n"
      "Example: vantage-cli calibrate measure hall.vantage --uncertainty boards.json");
  app->add_option("project", command->project, "the project")->required()->type_name("P.vantage");
  app->add_option("--uncertainty", command->uncertainty,
                  "report of calibrate boards or calibrate points (--json) on the project's calibration: "
                  "gives standard deviations")
      ->type_name("REPORT.json");
  add_json_flag(*app, &command->json);
  app->callback([command] { measure(*command); });
}

// The subcommand apply of vantage-cli calibrate.

constexpr double kSameStand = 1e-9;  // radians and metres

struct ApplyCommand {
  std::string project, calibration;
  CalibrationOptions read;
  int64_t from_frame = 0;
};

std::string change_text(const Camera* before, const Camera& now) {
  if (!before) return "calibrated";
  const CameraChange change = change_between(*before, now);
  return fmt::format("turned by {:.2f} degrees, moved by {:.0f} mm", change.head<3>().norm() * 180 / M_PI,
                     1000 * change.segment<3>(3).norm());
}

// Fails if the project's camera is calibrated for pictures of another size than the file's.
void check_size(const ProjectCamera& camera, const Camera& given, const std::string& file) {
  if (!camera.calibration || (camera.calibration->width_px() == given.width_px() &&
                              camera.calibration->height_px() == given.height_px()))
    return;
  fail_command(
      {ErrorKind::bad_data,
       fmt::format("{}: the file's pictures have {}x{}, the project's {}x{}", camera.name, given.width_px(),
                   given.height_px(), camera.calibration->width_px(), camera.calibration->height_px()),
       file, "Make the project again with this file: vantage-cli new has options for scaled pictures."});
}

// Applies a calibration from a frame on; a camera with an unchanged pose needs none.
void give(int64_t from_frame, const Camera& given, ProjectCamera* camera) {
  if (from_frame <= 0) return replace_calibration(camera, given);
  if (!camera->calibration)
    fail_command({ErrorKind::invalid_argument, "has no calibration from the beginning", camera->name,
                  "Apply one without --from first."});
  const Camera& stands = *camera->calibration_at(from_frame);
  if (change_between(stands, given).norm() > kSameStand || !same_lens(stands, given))
    add_later_calibration(camera, from_frame, given);
}

void apply(ApplyCommand command) {
  ReadProject read = read_project_or_fail(command.project);
  if (command.from_frame > 0 && read.project.live())
    fail_command({ErrorKind::invalid_argument, "live cameras have one pose", command.project,
                  "Apply the calibration without --from."});
  take_size_of(read.project, &command.read);
  const Calibration calibration = value_or_fail(read_calibration(command.calibration, command.read));
  std::string names;
  int changed = 0;
  for (const Camera& given : calibration.cameras) {
    append_item(&names, given.name());
    const auto camera = std::find_if(read.project.cameras.begin(), read.project.cameras.end(),
                                     [&](const ProjectCamera& one) { return one.name == given.name(); });
    if (camera == read.project.cameras.end()) continue;
    check_size(*camera, given, command.calibration);
    const Camera* stands = camera->calibration_at(command.from_frame);
    fmt::print("{:10} {}\n", camera->name, change_text(stands, given));
    give(command.from_frame, given, &*camera);
    ++changed;
  }
  if (changed == 0)
    fail_command({ErrorKind::not_found, "no camera of the file has the name of a camera of the project",
                  command.calibration, "The file holds " + names + "."});
  write_project_or_fail(read.project, read.stamp);
}

void add_apply(CLI::App& calibrate) {
  auto command = std::make_shared<ApplyCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "apply", "Applies the poses and lenses of a calibration to a project's cameras, by name.");
  app->footer(
      "Zones, rules, notes and parameters stay; results are out of date where a camera changed.\n"
      "Later calibrations of a camera (--from, calibrate bumped --apply) keep their pose relative to the "
      "first one.\n"
      "Example: vantage-cli calibrate apply hall.vantage hall.json");
  app->add_option("project", command->project, "the project")->required();
  app->add_option("calibration", command->calibration, "the calibration file")->required();
  app->add_option("--from", command->from_frame,
                  "apply it to cameras whose pose changes, from this frame of the first camera on; the time "
                  "before keeps its calibration")
      ->check(CLI::PositiveNumber);
  add_read_options(*app, &command->read);
  app->callback([command] { apply(*command); });
}

// The subcommand convert of vantage-cli calibrate.

struct ConvertCommand {
  std::vector<std::string> paths;  // the last is the output
  std::string format, size;
  CalibrationOptions read;
  bool replace = false, json = false;
};

void read_size(const std::string& text, CalibrationOptions* options) {
  int length = 0;
  if (std::sscanf(text.c_str(), "%dx%d%n", &options->width_px, &options->height_px, &length) != 2 ||
      static_cast<size_t>(length) != text.size() || options->width_px < 1 || options->height_px < 1)
    throw CLI::ValidationError("--size", "'" + text + "' is not a size such as 1280x960");
}

void convert(ConvertCommand& command) {
  if (!command.size.empty()) read_size(command.size, &command.read);
  const std::string out = command.paths.back();
  command.paths.pop_back();
  std::vector<Camera> cameras;
  for (const std::string& path : command.paths)
    for (Camera& camera : cameras_or_fail(path, command.read)) {
      const bool known = std::any_of(cameras.begin(), cameras.end(),
                                     [&](const Camera& other) { return other.name() == camera.name(); });
      if (known)
        fail_command({ErrorKind::invalid_argument, "two cameras are called \"" + camera.name() + "\"", path,
                      "Give files whose cameras have different names."});
      cameras.push_back(std::move(camera));
    }
  const std::vector<std::filesystem::path> places =
      value_or_fail(save_calibration(cameras, command.format, out, command.replace));
  std::vector<std::string> names, files;
  for (const Camera& camera : cameras) names.push_back(camera.name());
  for (const auto& place : places) files.push_back(place.string());
  Report report;
  report.add_data("format", command.format);
  report.add_sentence("cameras", names, fmt::format("{} cameras in metres, z up", cameras.size()));
  report.add_data("files", files);
  for (const std::string& file : files) report.add_sentence(file);
  print_report(report, command.json);
}

void add_convert(CLI::App& calibrate) {
  auto command = std::make_shared<ConvertCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "convert", "Writes calibrations, or those of a project, in another program's format.");
  app->add_option("paths", command->paths,
                  "calibration files, or a project; then the file to write, or a folder where the format has "
                  "a file for each camera")
      ->required()
      ->expected(2, -1)
      ->type_name("IN... OUT");
  app->add_option("--format", command->format, "format to write")
      ->required()
      ->check(CLI::IsMember(written_calibration_formats()));
  add_read_options(*app, &command->read);
  app->add_option("--camera-type", command->read.camera_type,
                  "only cameras of this type, of formats with several (CMU Panoptic JSON: hd, vga)");
  app->add_option("--size", command->size, "picture size of files that do not hold it, as 1280x960");
  app->add_flag("--replace", command->replace, "overwrite existing files");
  add_json_flag(*app, &command->json);
  app->footer("Example:\n  vantage-cli calibrate convert hall.vantage Calib.toml --format pose2sim");
  app->callback([command] { convert(*command); });
}

// vantage-cli calibrate print: a board on paper.

struct PrintCommand {
  BoardOptions board;
  std::string out, paper = "A4", style;
  bool replace = false, json = false;
};

TagStyle style_of(const PrintCommand& command, const Board& board) {
  if (command.style.empty()) return usual_style(board);
  return command.style == "kalibr" ? TagStyle::kalibr : TagStyle::opencv;
}

void print(const PrintCommand& command) {
  const std::vector<Board> boards = boards_of(command.board);
  const Board& board = boards[0];
  const int count = static_cast<int>(boards.size());
  if (command.board.described.size() > 1)
    throw CLI::ValidationError("--board", "print different boards one after the other");
  const Paper paper = value_or_fail(paper_named(command.paper));
  const std::string pdf = value_or_fail(board_sheets_pdf(board, count, style_of(command, board), paper));
  if (!command.replace && std::filesystem::exists(command.out))
    fail_command({ErrorKind::invalid_argument, "the file is there already", command.out,
                  "Give another name, or --replace."});
  check_or_fail(write_file_atomically(command.out, pdf));
  Report report;
  report.add_sentence(
      "file", command.out,
      fmt::format("{}: {}a {}. Print it at 100 %, and measure the ruler: 100 mm.", command.out,
                  count > 1 ? fmt::format("{} pages, each ", count).c_str() : "", board_text(board)));
  report.add_data("board", board_text(board));
  report.add_sentence("options", board_options_text(board, count),
                      "Solve with: " + board_options_text(board, count));
  if (count > 1) report.add_data("boards", count);
  print_report(report, command.json);
}

void add_print(CLI::App& calibrate) {
  auto command = std::make_shared<PrintCommand>();
  CLI::App* app = calibrate.add_subcommand("print",
                                           "Writes a board as a PDF page at true size, with a ruler and the "
                                           "options to solve with it; several equal boards get a page each.");
  add_board_options(*app, &command->board);
  app->add_option("--out", command->out, "the PDF file")->required();
  app->add_option("--paper", command->paper,
                  "A0 to A5, letter, legal, tabloid or a size as 900x650mm; upright or on its side");
  app->add_option("--tag-style", command->style,
                  "kalibr: identities from the lowest row up, a border of two bits, squares at the corners; "
                  "opencv: from the highest row down, one bit, white between tags. If absent as usual for "
                  "the dictionary: kalibr for AprilTags")
      ->check(CLI::IsMember({"kalibr", "opencv"}));
  app->add_flag("--replace", command->replace, "overwrite the file if it is there");
  add_json_flag(*app, &command->json);
  app->footer(
      "Example:\n  vantage-cli calibrate print --columns 6 --rows 6 --tags DICT_APRILTAG_36h11 --tag 0.03 "
      "--tag-gap 0.009 --paper A3 --out board.pdf");
  app->callback([command] { print(*command); });
}

}  // namespace

void add_calibrate(CLI::App& app) {
  CLI::App* calibrate = app.add_subcommand("calibrate",
                                           "Solves calibrations from a board, clicked points or people who "
                                           "walk; refines, levels, scales, measures, compares, reports, "
                                           "applies and converts them.");
  calibrate->require_subcommand(1);
  add_boards(*calibrate);
  add_print(*calibrate);
  add_points(*calibrate);
  add_bumped(*calibrate);
  add_people(*calibrate);
  add_footage(*calibrate);
  add_refine(*calibrate);
  add_level(*calibrate);
  add_scale(*calibrate);
  add_measure(*calibrate);
  add_compare(*calibrate);
  add_report(*calibrate);
  add_apply(*calibrate);
  add_convert(*calibrate);
}

}  // namespace vantage::cli
