// vantage-cli stream: a recording as live cameras on this machine.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/live/test_cameras/stream_server.h"
#include "core/project/project.h"

namespace vantage::cli {
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

// The same project with the addresses in place of the videos.
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
    std::printf("%s: %lld pictures sent, %lld packets lost, %lld cuts, %lld stalls\n",
                project.cameras[i].name.c_str(), static_cast<long long>(s.pictures),
                static_cast<long long>(s.packets_lost), static_cast<long long>(s.cuts),
                static_cast<long long>(s.stalls));
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
    std::printf("%s %s\n", project->cameras[i].name.c_str(), (*server)->address(i).c_str());
  std::printf("scene starts at %.3f s since 1970, %.2f s long\n",
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
