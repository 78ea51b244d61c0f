// vantage-cli camera: tries a live camera's address, and remembers its password.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "app/cli/common/command.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/log.h"
#include "core/live/credentials.h"
#include "core/live/live_camera.h"
#include "core/video/live/live_address.h"

namespace vantage::cli {
namespace {

struct CameraArguments {
  std::string address, user, password_file;
  double seconds = 3;
  bool remember = false;
};

// A trial of a camera until it has shown pictures for a while, or could not be opened.
class Trial {
 public:
  LiveCamera::Listener listener() {
    return {[this](const LiveCamera::Arrival&) { note({}); }, [this](const std::string& why) { note(why); }};
  }
  // Why it failed; empty: pictures come.
  std::string wait(double seconds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return heard_; });
    return heard_ ? why_ : "it sends no pictures";
  }

 private:
  void note(const std::string& why) {
    const std::lock_guard lock(mutex_);
    heard_ = true;
    why_ = why;
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  bool heard_ = false;
  std::string why_;
};

std::string full_address(const CameraArguments& arguments, const CredentialStore& store) {
  if (arguments.user.empty()) return value_or_fail(with_stored_credentials(arguments.address, store));
  const std::string password = value_or_fail(read_file(arguments.password_file));
  return join_credentials(arguments.address,
                          {arguments.user, password.substr(0, password.find_first_of("\r\n"))});
}

void try_camera(const CameraArguments& arguments) {
  constexpr double kLongest_s = 20;  // opening has its own, shorter limit
  const auto store = make_credential_file(default_credential_path());
  const std::string address = full_address(arguments, *store);
  LiveCameraOptions options;
  options.name = "camera";
  options.address = address;
  set_log_level(LogLevel::error);  // what goes wrong is this command's answer
  Trial trial;
  const LiveCamera camera(std::move(options), trial.listener());
  if (const std::string why = trial.wait(kLongest_s); !why.empty())
    fail_command({ErrorKind::io, why, {}, {}});
  std::this_thread::sleep_for(std::chrono::duration<double>(arguments.seconds));
  const CameraHealth health = camera.health();
  const VideoInfo info = camera.info();
  std::printf("%s %d x %d, %.1f of %.2f pictures/s, %.0f kbit/s, decoded by %s\n", info.codec.c_str(),
              info.width_px, info.height_px, health.delivered_rate, health.declared_rate,
              health.bit_rate * 1e-3, info.decoder.c_str());
  if (health.clock_offset_s)
    std::printf("its clock is %+.3f s from this machine's\n", *health.clock_offset_s);
  else
    std::printf("it has not reported its clock so far\n");
  if (health.certificate_checked)
    std::printf(
        *health.certificate_checked
            ? "its certificate is the one that its address asks for\n"
            : "its certificate was not checked (rtsps:// with #ca=FILE or #sha256=FINGERPRINT does)\n");
  const SplitAddress split = split_credentials(address);
  if (!arguments.remember || !split.credentials) return;
  if (const Status kept = store->keep(split.address, *split.credentials); !kept) fail_command(kept.error());
  std::printf("name and password are in %s\n", default_credential_path().c_str());
}

}  // namespace

void add_camera(CLI::App& app) {
  auto arguments = std::make_shared<CameraArguments>();
  CLI::App* command =
      app.add_subcommand("camera", "Try the address of a live camera; remember its password.");
  command->footer(
      "Passwords are kept in a file that only you can read, never in projects, logs or results.\n"
      "Example: vantage-cli camera rtsp://192.168.1.20/stream1 --user viewer --password-file secret "
      "--remember");
  command->add_option("address", arguments->address, "rtsp://, rtsp+udp://, udp://, http:// or paced://")
      ->required();
  CLI::Option* user = command->add_option("--user", arguments->user, "user name at the camera");
  CLI::Option* password =
      command
          ->add_option("--password-file", arguments->password_file, "file whose first line is the password")
          ->check(CLI::ExistingFile)
          ->needs(user);
  user->needs(password);
  command->add_option("--seconds", arguments->seconds, "how long to watch it")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_flag("--remember", arguments->remember, "keep name and password when it works");
  command->callback([arguments] { try_camera(*arguments); });
}

}  // namespace vantage::cli
