#include <fmt/core.h>
#include <filesystem>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "app/cli/common/floor_text.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/image/image_files.h"
#include "core/pipeline/background.h"
#include "core/project/project.h"
#include "core/project/recording_clock.h"
#include "core/video/no_video.h"

namespace vantage::cli {

// vantage-cli bookmark: marks instants with notes.

namespace {

struct BookmarkOptions {
  std::string project, at, note, place, remove;
  bool json = false;
};

struct Moments {
  double frame_rate = 0;
  std::optional<RecordingClock> clock;
};

int64_t frame_of(const char* option, const std::string& text, const Moments& moments) {
  const int64_t frame = frame_of_moment_or_fail(option, text, moments.frame_rate, moments.clock);
  if (frame < 0) throw CLI::ValidationError(option, "lies before the recording");
  return frame;
}

void print(const BookmarkOptions& options, const Project& project, const Moments& moments) {
  auto list = nlohmann::ordered_json::array();
  for (const Bookmark& one : project.bookmarks) {
    const double seconds = static_cast<double>(one.frame) / moments.frame_rate;
    const std::string time = moments.clock ? moments.clock->text(seconds) : elapsed_text(seconds);
    nlohmann::ordered_json entry = {{"frame", one.frame}, {"time", time}, {"note", one.note}};
    if (one.place_m) entry["x_m"] = one.place_m->x(), entry["y_m"] = one.place_m->y();
    list.push_back(std::move(entry));
    if (options.json) continue;
    fmt::print("{}  frame {}", time, one.frame);
    if (one.place_m) fmt::print("  x {:.2f} m, y {:.2f} m", one.place_m->x(), one.place_m->y());
    fmt::print("  {}\n", one.note);
  }
  if (options.json) return print_json(nlohmann::ordered_json{{"bookmarks", list}});
  if (list.empty()) fmt::print("no bookmarks: --at sets one\n");
}

void run_bookmark(const BookmarkOptions& options) {
  auto [project, stamp] = read_project_or_fail(options.project);
  const Moments moments{base_rate_or_fail(project), find_clock(project)};
  if (!options.at.empty()) {
    Bookmark bookmark{frame_of("--at", options.at, moments), options.note, {}};
    if (!options.place.empty()) bookmark.place_m = read_place("--place", options.place);
    set_bookmark(&project.bookmarks, std::move(bookmark));
  }
  if (!options.remove.empty() &&
      !remove_bookmark(&project.bookmarks, frame_of("--remove", options.remove, moments)))
    fail_command({ErrorKind::not_found, "has no bookmark at " + options.remove, project.path.string(),
                  "`vantage-cli bookmark` lists them."});
  if (!options.at.empty() || !options.remove.empty()) write_project_or_fail(project, stamp);
  print(options, project, moments);
}

}  // namespace

void add_bookmark(CLI::App& app) {
  auto options = std::make_shared<BookmarkOptions>();
  CLI::App* command = app.add_subcommand("bookmark", "List, set or remove the bookmarks of a recording.");
  command->footer(
      "They are flags on the window's time axis, and part of exported cases. WHEN is a frame (1234), seconds "
      "(12.5s),\n"
      "+0:02:05 or, where the clock is known, 14:32:05.\n"
      "Example: vantage-cli bookmark hall.vantage --at 14:32:05 --note \"bag left here\" --place 1.2,0.4");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  CLI::Option* at =
      command->add_option("--at", options->at, "set one at that instant, replacing an existing one")
          ->type_name("WHEN");
  command->add_option("--note", options->note, "text of the note")->type_name("TEXT")->needs(at);
  command->add_option("--place", options->place, "position on the floor, in metres")
      ->type_name("X,Y")
      ->needs(at);
  command->add_option("--remove", options->remove, "remove the one at that instant")
      ->type_name("WHEN")
      ->excludes(at);
  add_json_flag(*command, &options->json);
  command->callback([options] { run_bookmark(*options); });
}

// vantage-cli clock: the time of day of a recording.

namespace {

struct ClockOptions {
  std::string project, set;
  int64_t frame = 0;
  bool forget = false, json = false;
};

// The typed time is that of `frame`; the project stores that of frame 0.
RecordingClock typed_clock(const ClockOptions& options, const Project& project) {
  Result<RecordingClock> clock = parse_clock(options.set);
  if (!clock) throw CLI::ValidationError("--set", clock.error().message());
  if (options.frame != 0)
    clock->start_utc_s -= static_cast<double>(options.frame) / base_rate_or_fail(project);
  return *clock;
}

void print(const ClockOptions& options, const std::optional<RecordingClock>& clock) {
  if (options.json) {
    nlohmann::ordered_json json = {{"known", clock.has_value()}};
    json["start"] = clock ? nlohmann::ordered_json(clock->text(0)) : nlohmann::ordered_json();
    json["start_utc_s"] = clock ? nlohmann::ordered_json(clock->start_utc_s) : nlohmann::ordered_json();
    json["source"] = clock ? nlohmann::ordered_json(clock->source) : nlohmann::ordered_json();
    return print_json(json);
  }
  if (clock)
    fmt::print("frame 0 at {} ({})\n", clock->text(0), clock->source);
  else
    fmt::print("not known: times count from the start; --set says when it began\n");
}

void run_clock(const ClockOptions& options) {
  auto [project, stamp] = read_project_or_fail(options.project);
  if (options.forget) project.clock.reset();
  if (!options.set.empty()) project.clock = typed_clock(options, project);
  if (options.forget || !options.set.empty()) write_project_or_fail(project, stamp);
  print(options, find_clock(project));
}

}  // namespace

void add_clock(CLI::App& app) {
  auto options = std::make_shared<ClockOptions>();
  CLI::App* command = app.add_subcommand("clock", "Print or set the time of day of a project's recording.");
  command->footer(
      "The clock is what was set, else what the first camera's container states (creation_time), else its "
      "file name\n"
      "(cam1_20260501_143205.mp4). Without Z or +02:00 a time is this machine's, with its daylight saving.\n"
      "Example: vantage-cli clock hall.vantage --set 2026-05-01T14:32:05 --frame 250");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  CLI::Option* set = command
                         ->add_option("--set", options->set,
                                      "the time of day of a frame, 2026-05-01T14:32:05; kept in the project")
                         ->type_name("TIME");
  command
      ->add_option("--frame", options->frame, "frame of the base camera to which the time of --set belongs")
      ->check(CLI::NonNegativeNumber)
      ->needs(set)
      ->capture_default_str();
  command->add_flag("--forget", options->forget, "remove what was set")->excludes(set);
  add_json_flag(*command, &options->json);
  command->callback([options] { run_clock(*options); });
}

// vantage-cli scene: writes each camera's learnt background as pictures.

namespace {

struct SceneOptions {
  std::string project, out;
  bool json = false;
};

Result<Image> brightness(const LearntScene& scene) {
  const ImageView<const uint8_t> dark = scene.dark.plane(0), bright = scene.bright.plane(0);
  VANTAGE_ASSIGN(Image mean, Image::make(ImageType::u8, dark.width, dark.height, HostPool::shared()));
  const ImageView<uint8_t> out = mean.writable_view<uint8_t>();
  for (int y = 0; y < dark.height; ++y)
    for (int x = 0; x < dark.width; ++x)
      out.row(y)[x] = static_cast<uint8_t>((dark.row(y)[x] + bright.row(y)[x] + 1) / 2);
  return mean;
}

// Why nothing is learnt.
std::string reason_for_none(const Project& project, const ProjectCamera& camera) {
  if (!camera.background.empty()) return "it has an empty-scene clip";
  if (names_no_video(camera.video)) return "it has no video";
  return project.live() ? "it is live" : "";
}

nlohmann::ordered_json look_at(const Project& project, const ProjectCamera& camera,
                               const SceneOptions& options) {
  nlohmann::ordered_json out = {{"camera", camera.name}};
  std::string reason = reason_for_none(project, camera);
  std::optional<LearntScene> scene;
  if (reason.empty()) {
    VideoOpenOptions how;
    how.stop = interrupted();
    const auto source = value_or_fail(open_video(camera.video, how));
    scene = value_or_fail(
        scene_of_recording(*source, project.parameters.get<ForegroundParameters>().steady, interrupted()));
    if (!scene) reason = "the recording is too short, or does not state its length";
  }
  out["pictures"] = scene ? scene->pictures : 0;
  if (!scene) {
    out["reason"] = reason;
    if (!options.json) fmt::print("{}: nothing is learnt, {}\n", camera.name, reason);
    return out;
  }
  const std::filesystem::path folder = options.out;
  check_or_fail(write_png_gray(folder / (camera.name + "_scene.png"), value_or_fail(brightness(*scene))));
  check_or_fail(write_png_gray(folder / (camera.name + "_seen.png"), scene->seen));
  const double seldom = seldom_seen_share(*scene);
  out["seldom_seen_share"] = seldom;
  out["shake_px"] = scene->shake_px;
  if (!options.json)
    fmt::print("{}: {} pictures; {:.2f} % of the picture showed what was learnt in less than half of them\n",
               camera.name, scene->pictures, 100 * seldom);
  if (!options.json && scene->rest)
    fmt::print("{}: shakes by up to {:.1f} px, which is compensated\n", camera.name, scene->shake_px);
  return out;
}

void scene(const SceneOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  check_or_fail(make_folder(options.out));
  auto cameras = nlohmann::ordered_json::array();
  for (const ProjectCamera& camera : project.cameras) cameras.push_back(look_at(project, camera, options));
  if (options.json) print_json(nlohmann::ordered_json{{"cameras", cameras}, {"out", options.out}});
}

}  // namespace

void add_scene(CLI::App& app) {
  auto options = std::make_shared<SceneOptions>();
  CLI::App* command = app.add_subcommand(
      "scene", "Show what is learnt as the empty scene from cameras without an empty-scene clip.");
  command->footer(
      "Writes DIR/CAMERA_scene.png, the brightness of what is learnt, and DIR/CAMERA_seen.png at half the "
      "size: how\n"
      "often each position showed that, 255 = in all pictures. People in CAMERA_scene.png are not found "
      "where "
      "they stand.\n"
      "Example: vantage-cli scene hall.vantage --out scene");
  command->add_option("project", options->project, "project file")->required()->type_name("P.vantage");
  command->add_option("--out", options->out, "folder for the pictures")->required()->type_name("DIR");
  add_json_flag(*command, &options->json);
  command->callback([options] { scene(*options); });
}

}  // namespace vantage::cli
