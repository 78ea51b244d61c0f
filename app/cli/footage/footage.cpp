#include <fmt/core.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/live/test_cameras/stream_server.h"
#include "core/project/project.h"
#include "core/synth/synth.h"

namespace vantage::cli {

// vantage-cli synth: footage of walking people with exact ground truth.

namespace {

struct SynthArguments {
  SynthOptions options;
  std::string folder;
  bool force = false, json = false;
};

Status check_folder(const SynthArguments& arguments) {
  std::error_code code;
  const std::filesystem::path folder = arguments.folder;
  if (arguments.force || !std::filesystem::exists(folder, code)) return {};
  if (!std::filesystem::is_directory(folder, code))
    return fail(ErrorKind::invalid_argument, "is not a folder", arguments.folder, "Give another --out.");
  const bool empty = std::filesystem::is_empty(folder, code);
  if (code)
    return fail(ErrorKind::io, "the folder cannot be read (" + code.message() + ")", arguments.folder);
  if (empty) return {};
  return fail(ErrorKind::invalid_argument, "the folder is not empty", arguments.folder,
              "Give another --out, or --force to replace the files of an earlier rendering there.");
}

void read_size(const std::string& text, SynthOptions* options) {
  int length = 0;
  const int read = std::sscanf(text.c_str(), "%dx%d%n", &options->width_px, &options->height_px, &length);
  if (read != 2 || static_cast<size_t>(length) != text.size())
    throw CLI::ValidationError("--size", "'" + text + "' is not a size such as 1280x960");
}

// CAMERA:SECOND:DEGREES, as in cam2:10:1.5.
void read_bumps(const std::vector<std::string>& texts, SynthOptions* options) {
  for (const std::string& text : texts) {
    Bump bump;
    int length = 0;
    const int read =
        std::sscanf(text.c_str(), "cam%d:%lf:%lf%n", &bump.camera, &bump.time_s, &bump.degrees, &length);
    if (read != 3 || static_cast<size_t>(length) != text.size())
      throw CLI::ValidationError("--bumped",
                                 "'" + text + "' is not a camera, second and angle such as cam2:10:1.5");
    --bump.camera;
    options->bumps.push_back(bump);
  }
}

void print_result(const SynthArguments& arguments, double seconds) {
  const SynthOptions& o = arguments.options;
  const std::filesystem::path folder =
      (std::filesystem::absolute(arguments.folder) / ".").lexically_normal().parent_path();
  const std::string project = (folder / (folder.filename().string() + ".vantage")).string();
  const auto frames = std::llround(o.seconds * o.frame_rate);
  if (arguments.json) {
    const nlohmann::ordered_json json = {
        {"project", project},       {"cameras", o.cameras}, {"frames", frames}, {"width_px", o.width_px},
        {"height_px", o.height_px}, {"people", o.people},   {"seed", o.seed},   {"seconds_taken", seconds}};
    print_json(json);
    return;
  }
  fmt::print("{} cameras, {} frames of {} x {}, {} people, seed {}, in {:.1f} s\n{}\n", o.cameras, frames,
             o.width_px, o.height_px, o.people, o.seed, seconds, project);
}

void run(const SynthArguments& arguments) {
  if (const Status free = check_folder(arguments); !free) fail_command(free.error());
  const SynthOptions& o = arguments.options;
  const auto total = static_cast<int64_t>(o.cameras * o.seconds * o.frame_rate);
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress("synth");
    const auto report = [&](double share) {
      progress.update(std::llround(share * static_cast<double>(total)), total);
    };
    const Status done = render_recording(o, arguments.folder, report, interrupted());
    if (!done) fail_command(done.error());
  }
  print_result(arguments, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void add_scene_options(CLI::App& command, SynthOptions& o) {
  command.add_option("--cameras", o.cameras, "cameras around the area")->capture_default_str();
  command.add_option("--people", o.people, "people who walk there")->capture_default_str();
  command.add_option("--seconds", o.seconds, "length")->capture_default_str();
  command.add_option("--area", o.area_m, "side of the square people walk in, in metres")
      ->capture_default_str();
  command
      .add_option("--layout", o.layout,
                  "ring: cameras around the area as in a room; overhead: above it, looking down steeply")
      ->transform(CLI::CheckedTransformer(std::map<std::string, CameraLayout>{
          {"ring", CameraLayout::ring}, {"overhead", CameraLayout::overhead}}))
      ->default_str("ring");
  command.add_option("--lens", o.lens, "the cameras' lenses: polynomial, rational or fisheye")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, LensModel>{{"polynomial", LensModel::polynomial},
                                                                   {"rational", LensModel::rational},
                                                                   {"fisheye", LensModel::fisheye}}))
      ->default_str("polynomial");
  command.add_option("--bushes", o.bushes, "bushes next to the area, whose leaves sway")
      ->capture_default_str();
  command.add_option("--screens", o.screens, "screens on the walls, whose picture changes")
      ->capture_default_str();
  command.add_option("--moved-chairs", o.moved_chairs, "chairs that are moved at about half of the time")
      ->capture_default_str();
  command
      .add_option_function<std::vector<std::string>>(
          "--bumped", [&o](const std::vector<std::string>& texts) { read_bumps(texts, &o); },
          "Cameras that are bumped and stay turned to the side, as in cam2:10:1.5: from second 10 on, by "
          "1.5 degrees; the project keeps the calibration from before")
      ->delimiter(',')
      ->type_name("CAMERA:SECOND:DEGREES");
  command.add_option("--seed", o.seed, "another seed gives other people on other paths")
      ->capture_default_str();
}

void add_picture_options(CLI::App& command, SynthOptions& o) {
  command.add_option("--frame-rate,--fps", o.frame_rate, "frames a second")->capture_default_str();
  CLI::Option* width =
      command.add_option("--width", o.width_px, "picture width in pixels, even")->capture_default_str();
  CLI::Option* height =
      command.add_option("--height", o.height_px, "picture height in pixels, even")->capture_default_str();
  command
      .add_option_function<std::string>(
          "--size", [&o](const std::string& text) { read_size(text, &o); }, "picture size, as in 1280x960")
      ->excludes(width)
      ->excludes(height);
  command.add_option("--noise", o.noise, "standard deviation of the brightness, in 8-bit steps")
      ->capture_default_str();
  command
      .add_option("--exposure-drift", o.exposure_drift_stops,
                  "how far each camera's exposure swings slowly, in stops")
      ->capture_default_str();
  command
      .add_option("--exposure-steps", o.exposure_steps,
                  "sudden changes of each camera's exposure, a quarter to half a stop each")
      ->capture_default_str();
  command
      .add_option(
          "--b-pictures", o.b_pictures,
          "maximum number of B-pictures in a row; 0: pictures in capture order, as most cameras send them")
      ->check(CLI::Range(0, 16))
      ->capture_default_str();
  command.add_flag("--time-code", o.time_code, "burn the time of day into the upper left corner");
}

void add_truth_options(CLI::App& command, SynthOptions& o) {
  command
      .add_option("--truth-every", o.truth_interval_frames,
                  "a picture in truth/masks (and truth/heights) every Nth frame")
      ->capture_default_str();
  command.add_flag("--heights", o.head_heights,
                   "also truth/heights: PFM files with the height of the head seen at each pixel");
  command.add_flag("--persons", o.persons,
                   "also truth/persons: PNG files with the number of the person that each pixel shows");
}

// Options for offsets between the cameras.
void add_clock_options(CLI::App& command, SynthOptions& o) {
  command
      .add_option(
          "--offsets", o.offsets_frames,
          "per camera: its frame that is simultaneous with frame 0 of the first camera; may be a fraction")
      ->delimiter(',');
  command.add_option("--drift", o.drifts_ppm, "per camera: how much faster its clock runs, in ppm")
      ->delimiter(',');
  command
      .add_option("--drops", o.dropped_bursts,
                  "per camera: bursts of 2 to 12 frames missing in its file, 5 s and more apart")
      ->delimiter(',');
  command.add_flag("--write-offsets", o.write_offsets,
                   "also write offsets and true frame rates to the project, not only to truth/sync.json");
}

}  // namespace

void add_synth(CLI::App& app) {
  auto arguments = std::make_shared<SynthArguments>();
  CLI::App* command = app.add_subcommand("synth", "Render footage of walking people with exact ground truth");
  command->add_option("--out", arguments->folder, "folder for the videos, the ground truth and the project")
      ->required();
  add_scene_options(*command, arguments->options);
  add_picture_options(*command, arguments->options);
  add_truth_options(*command, arguments->options);
  add_clock_options(*command, arguments->options);
  command->add_flag("--force", arguments->force, "write into a folder that is not empty");
  add_json_flag(*command, &arguments->json);
  command->footer("Example:\n  vantage-cli synth --out demo --cameras 4 --people 6 --seconds 20");
  command->callback([arguments] { run(*arguments); });
}

// vantage-cli stream: a recording as live cameras on this machine.

namespace {

struct StreamArguments {
  std::string project, write;
  int port = 8554;
  double seconds = 0;
  bool once = false;
  std::vector<double> clock_offsets_s, clock_drifts_ppm, delays_s;
  std::string user, password_file;
  std::vector<std::string> certificate_and_key;
  StreamFaults faults;
};

std::vector<StreamedCamera> cameras_of(const Project& project, const StreamArguments& arguments) {
  std::vector<StreamedCamera> cameras;
  for (size_t i = 0; i < project.cameras.size(); ++i) {
    const ProjectCamera& from = project.cameras[i];
    StreamedCamera& camera = cameras.emplace_back();
    camera.name = from.name;
    camera.path = from.video;
    camera.offset_frames = from.offset_frames;
    camera.frame_rate = from.frame_rate;
    if (i < arguments.clock_offsets_s.size()) camera.clock_offset_s = arguments.clock_offsets_s[i];
    if (i < arguments.delays_s.size()) camera.delay_s = arguments.delays_s[i];
    if (i < arguments.clock_drifts_ppm.size()) camera.clock_drift_ppm = arguments.clock_drifts_ppm[i];
  }
  return cameras;
}

// The same project with addresses instead of the videos.
Status write_project(Project project, const StreamServer& server, const std::string& path) {
  for (size_t i = 0; i < project.cameras.size(); ++i) {
    ProjectCamera& camera = project.cameras[i];
    camera.video = server.address(i);
    camera.offset_frames = camera.frame_rate = camera.live_delay_s = 0;
    camera.offset_changes.clear();
    camera.later_calibrations.clear();  // live cameras have none
    camera.offset_confirmed = true;
  }
  return save_project(project, path);
}

void print_statistics(const StreamServer& server, const Project& project) {
  for (size_t i = 0; i < project.cameras.size(); ++i) {
    const StreamStatistics s = server.statistics(i);
    fmt::print("{}: {} pictures sent, {} packets lost, {} cuts, {} stalls\n", project.cameras[i].name,
               s.pictures, s.packets_lost, s.cuts, s.stalls);
  }
}

void stream(const StreamArguments& arguments) {
  const Result<Project> project = load_project(arguments.project);
  if (!project) fail_command(project.error());
  StreamServerOptions options;
  options.cameras = cameras_of(*project, arguments);
  options.port = arguments.port;
  options.loop = !arguments.once;
  options.faults = arguments.faults;
  options.user = arguments.user;
  if (!arguments.password_file.empty()) {
    Result<std::string> password = read_file(arguments.password_file);
    if (!password) fail_command(password.error());
    options.password = password->substr(0, password->find_first_of("\r\n"));
  }
  if (!arguments.certificate_and_key.empty())
    options.certificate_file = arguments.certificate_and_key[0],
    options.key_file = arguments.certificate_and_key[1];
  const auto server = StreamServer::start(std::move(options));
  if (!server) fail_command(server.error());
  for (size_t i = 0; i < project->cameras.size(); ++i)
    fmt::print("{} {}\n", project->cameras[i].name, (*server)->address(i));
  fmt::print("scene starts at {:.3f} s since 1970, {:.2f} s long\n",
             static_cast<double>((*server)->scene_start_utc_ns()) * 1e-9,
             static_cast<double>((*server)->scene_length_ns()) * 1e-9);
  if (!arguments.write.empty())
    if (const Status written = write_project(*project, **server, arguments.write); !written)
      fail_command(written.error());
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  while (!interrupted().stop_requested() && !(*server)->finished() &&
         (arguments.seconds <= 0 || seconds() < arguments.seconds))
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  print_statistics(**server, *project);
  if (const std::string problem = (*server)->problem(); !problem.empty())
    fail_command({ErrorKind::io, problem, {}, {}});
}

}  // namespace

void add_stream(CLI::App& app) {
  auto arguments = std::make_shared<StreamArguments>();
  StreamFaults& faults = arguments->faults;
  CLI::App* command =
      app.add_subcommand("stream", "Serve a recording as live RTSP cameras on this machine (127.0.0.1).");
  command->footer(
      "The videos are sent as they are, in step, at their own pace, until Ctrl-C.\n"
      "Example: vantage-cli stream hall.vantage --port 8554 --project-out hall-live.vantage");
  command->add_option("project", arguments->project, "project file (*.vantage)")->required();
  command->add_option("--port", arguments->port, "RTSP port; 0: any free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option("--project-out", arguments->write,
                      "also write the project with the addresses in place of the videos");
  command->add_option("--seconds", arguments->seconds, "stop after this many seconds; 0: never")
      ->capture_default_str();
  command->add_flag("--once", arguments->once, "stop at the end of the videos instead of starting again");
  command
      ->add_option("--jitter", faults.jitter_ms,
                   "mean delay of a picture in milliseconds, random for each (exponential)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--loss", faults.loss, "share of the RTP packets that are lost, 0 to 1")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      ->add_option(
          "--cuts-every", faults.cuts_every_s,
          "mean seconds between two interruptions of a camera (connection lost, or stalled); 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--cut-length", faults.cut_s, "mean length of an interruption in seconds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--seed", faults.seed, "seed of the jitter, loss and interruptions")
      ->capture_default_str();
  command->add_option("--clock-offsets", arguments->clock_offsets_s, "per camera: seconds its clock is ahead")
      ->delimiter(',');
  command
      ->add_option("--clock-drift", arguments->clock_drifts_ppm,
                   "per camera: how much faster it runs, in ppm")
      ->delimiter(',');
  command
      ->add_option("--delays", arguments->delays_s,
                   "per camera: seconds its pictures are older than its clock and packets state")
      ->delimiter(',');
  CLI::Option* user = command->add_option("--user", arguments->user, "user name that viewers must give");
  command->add_option("--password-file", arguments->password_file, "file whose first line is the password")
      ->needs(user)
      ->check(CLI::ExistingFile);
  command
      ->add_option("--tls", arguments->certificate_and_key,
                   "encrypt (rtsps://) with this certificate and key, PEM files")
      ->type_name("CERT KEY")
      ->expected(2)
      ->check(CLI::ExistingFile);
  command->callback([arguments] { stream(*arguments); });
}

}  // namespace vantage::cli
