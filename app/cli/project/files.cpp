#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/export/collect/collect.h"
#include "core/image/image_files.h"
#include "core/live/credentials.h"
#include "core/live/live_camera.h"
#include "core/live/onvif/onvif.h"
#include "core/pipeline/detector_models.h"
#include "core/project/missing_files.h"
#include "core/project/project_store.h"
#include "core/project/rename.h"
#include "core/results/drawn_masks.h"
#include "core/video/live/live_address.h"
#include "core/video/video_source.h"

namespace vantage::cli {

// vantage-cli detections: detects people in a picture or video, to try a model before a project uses it.

namespace {

struct DetectionsCommand {
  std::string model, joints_model, video, out, picture, frames;
  SetOption set;
  bool json = false;
};

class PeopleInVideo {
 public:
  explicit PeopleInVideo(const DetectionsCommand& command)
      : command_(command),
        parameters_(
            command.set.apply_to({&parameter_table<DetectionParameters>()}).get<DetectionParameters>()) {}

  void run() {
    const FrameRange range = parse_frames(command_.frames);
    source_ = value_or_fail(open_video(command_.video, {}));
    open_detector();
    if (range.begin > 0) check_or_fail(source_->seek(range.begin));
    Progress progress("detections");
    for (int64_t frame = range.begin; frame < range.end; ++frame) {
      if (interrupted().stop_requested()) break;
      const Result<DecodedFrame> decoded = source_->read();
      if (!decoded && decoded.error().kind == ErrorKind::end_of_stream) break;
      const DecodedFrame& read = value_or_fail(decoded);
      if (frame % parameters_.every == 0 && read.picture) look(frame, read.picture);
      progress.update(frame - range.begin + 1, source_->info().frame_count - range.begin);
    }
    check_or_fail(write_detection_file(command_.out, file_));
  }

  void report() const {
    const double ms = pictures_ > 0 ? milliseconds_ / static_cast<double>(pictures_) : 0;
    const DetectorProvenance& from = file_.provenance;
    if (command_.json) {
      const nlohmann::ordered_json json = {{"model_sha256", from.model_sha256},
                                           {"family", from.family},
                                           {"engine", from.engine},
                                           {"engine_version", from.engine_version},
                                           {"pictures", pictures_},
                                           {"boxes", file_.people()},
                                           {"shown", shown_},
                                           {"ms_per_picture", ms}};
      print_json(json);
      return;
    }
    fmt::print("{}: {}, by {} {}, {} px\n", from.model, from.family, from.engine, from.engine_version,
               from.long_side_px);
    if (!from.joints_model.empty()) fmt::print("{}: joints\n", from.joints_model);
    fmt::print("{} pictures: {} boxes of at least {:.2g}, {} of at least {:.2g}; {:.1f} ms a picture\n",
               pictures_, file_.people(), parameters_.min_score, shown_, parameters_.shown_score, ms);
    fmt::print("written to {}\n", command_.out);
  }

 private:
  void open_detector() {
    const DetectorModels models = value_or_fail(read_models(command_.model, command_.joints_model));
    EngineOptions engine;
    engine.choice = parameters_.engine;
    detector_ = value_or_fail(PersonDetector::open(models, parameters_, engine));
    const VideoInfo info = source_->info();
    file_.provenance = detector_->provenance();
    file_.provenance.min_score = parameters_.min_score;
    file_.frame_rate = info.frame_rate, file_.width_px = info.width_px, file_.height_px = info.height_px;
  }

  void look(int64_t frame, const Picture& picture) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<PersonDetection> people = value_or_fail(detector_->detect(picture));
    milliseconds_ +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    std::erase_if(people,
                  [&](const PersonDetection& person) { return person.score < parameters_.min_score; });
    shown_ += std::count_if(people.begin(), people.end(), [&](const PersonDetection& person) {
      return person.score >= parameters_.shown_score;
    });
    if (pictures_++ == 0 && !command_.picture.empty()) write_picture(picture, people);
    file_.frames.resize(static_cast<size_t>(frame) + 1);
    file_.frames.back() = {true, std::move(people)};
  }

  // Grey, with boxes in white and black lines, thin for scores below the shown minimum.
  void write_picture(const Picture& picture, const std::vector<PersonDetection>& people) const {
    Image grey =
        value_or_fail(Image::make(ImageType::u8, picture.width(), picture.height(), HostPool::shared()));
    const ImageView<uint8_t> view = grey.writable_view<uint8_t>();
    for (int y = 0; y < view.height; ++y) std::copy_n(picture.plane(0).row(y), view.width, view.row(y));
    for (const PersonDetection& person : people) {
      const int width = person.score < parameters_.shown_score ? 1 : 3;
      frame_box(person, width + 1, 0, view);
      frame_box(person, width, 255, view);
    }
    check_or_fail(write_png_gray(command_.picture, grey));
  }

  static void frame_box(const PersonDetection& person, int width, uint8_t value,
                        const ImageView<uint8_t>& view) {
    const auto left = static_cast<int>(person.left_px + 0.5F), top = static_cast<int>(person.top_px + 0.5F);
    const auto right = static_cast<int>(person.left_px + person.width_px),
               bottom = static_cast<int>(person.top_px + person.height_px);
    for (int y = std::max(0, top - width); y < std::min(view.height, bottom + width); ++y)
      for (int x = std::max(0, left - width); x < std::min(view.width, right + width); ++x)
        if (x < left || x >= right || y < top || y >= bottom) view.at(x, y) = value;
  }

  const DetectionsCommand& command_;
  DetectionParameters parameters_;
  std::unique_ptr<VideoSource> source_;
  std::unique_ptr<PersonDetector> detector_;
  DetectionFile file_;
  int64_t pictures_ = 0, shown_ = 0;
  double milliseconds_ = 0;
};

void find_people(const DetectionsCommand& command) {
  PeopleInVideo people(command);
  people.run();
  people.report();
}

}  // namespace

void add_detections(CLI::App& app) {
  auto options = std::make_shared<DetectionsCommand>();
  CLI::App* command =
      app.add_subcommand("detections", "Find people in a picture or video with a learned model (ONNX).");
  command->footer(
      "Writes JSON lines, a line for each picture examined: its boxes in pixels, with scores. Try a model "
      "so\n"
      "before a project uses it: vantage-cli new --detection-model M.onnx, or run --set "
      "detections.model=M.onnx.\n"
      "Models are of the families RTMDet, YOLOX, NanoDet, DETR, RF-DETR and D-FINE, or RTMO, which finds "
      "joints, too;\n"
      "doctor lists the engines that run them.\n"
      "Example: vantage-cli detections --model M.onnx cam1.mp4 --out boxes.jsonl --picture first.png");
  command->add_option("video", options->video, "a picture, video, image folder or pattern")->required();
  command->add_option("--model", options->model, "the detector, an ONNX file")
      ->required()
      ->type_name("M.onnx");
  command
      ->add_option("--joints-model", options->joints_model,
                   "a second model, RTMPose, that finds the joints in these boxes")
      ->type_name("J.onnx");
  command->add_option("--out", options->out, "the boxes, JSON lines")->required()->type_name("FILE");
  command->add_option("--picture", options->picture, "the first picture in grey with its boxes, PNG");
  command->add_option("--frames", options->frames, "A:B, B excluded")->type_name("A:B");
  options->set.add_to(*command, "detections");
  add_json_flag(*command, &options->json);
  command->callback([options] { find_people(*options); });
}

// vantage-cli relink: finds moved files of a project.

namespace {

struct RelinkOptions {
  std::string project, folder;
  bool by_name = false, write = false, json = false;
};

nlohmann::ordered_json found_json(const Project& project, const FoundFile& found) {
  const auto file = static_cast<size_t>(found.missing.role);
  nlohmann::ordered_json json = {
      {"camera", project.cameras[found.missing.camera].name},
      {"what", std::array{"video", "background", "detections", "model", "joints model"}.at(file)},
      {"was", found.missing.path}};
  if (serves_all_cameras(found.missing.role)) json["camera"] = nullptr;
  json["found"] = found.path.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(found.path);
  json["why"] = found.why;
  return json;
}

void print(const RelinkOptions& options, const Project& project, const std::vector<FoundFile>& all,
           size_t found) {
  if (options.json) {
    nlohmann::ordered_json json = {{"missing", all.size()}, {"found", found}, {"written", options.write}};
    json["files"] = nlohmann::ordered_json::array();
    for (const FoundFile& one : all) json["files"].push_back(found_json(project, one));
    print_json(json);
    return;
  }
  for (const FoundFile& one : all) fmt::print("{}\n", found_text(project, one));
  if (all.empty()) fmt::print("nothing is missing\n");
  if (found > 0 && !options.write) fmt::print("nothing was written; --write puts it into the project\n");
}

void relink_files(const RelinkOptions& options) {
  const Project project = value_or_fail(load_project(options.project));
  const std::vector<FoundFile> all = value_or_fail(
      find_missing_files(project, options.folder,
                         options.by_name ? ByName::also_if_other : ByName::when_unknown, interrupted()));
  Project found_in = project;
  const size_t found = relink(all, &found_in);
  if (options.write && found > 0) {
    check_or_fail(write_found_lists(all));
    // In the present contents of the file only the paths of found files are changed.
    value_or_fail(change_project_file(options.project, [&](Project& stored) -> Status {
      relink(all, &stored);
      return {};
    }));
    tell_who_has_it(options.project);
  }
  print(options, project, all, found);
  if (found < all.size())
    fail_command({ErrorKind::not_found,
                  std::to_string(all.size() - found) + " of " + std::to_string(all.size()) +
                      " missing files were not found",
                  options.folder,
                  "Name a folder above them; --by-name takes another video of the same name."});
}

}  // namespace

void add_relink(CLI::App& app) {
  auto options = std::make_shared<RelinkOptions>();
  CLI::App* command = app.add_subcommand("relink", "Find the moved files of a project.");
  command->footer(
      "Searches the folder and all below it for every video, empty-scene clip, detections file and model\n"
      "that is not where the project has it. Videos are found by size and checksum, also under another "
      "name,\n"
      "where the project has these; otherwise by name. Everything else in the project stays. Without --write "
      "it\n"
      "only reports what it would do. Exit code 1 when some were not found.\n"
      "Example: vantage-cli relink hall.vantage --folder /media/disk/footage --write");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  command->add_option("--folder", options->folder, "folder to search")->required()->type_name("DIR");
  command->add_flag("--by-name", options->by_name,
                    "take a video of the right name even though its content differs");
  command->add_flag("--write", options->write, "put what was found into the project");
  add_json_flag(*command, &options->json);
  command->callback([options] { relink_files(*options); });
}

// vantage-cli collect: a project with all its files in one folder.

namespace {

struct CollectArguments {
  std::string project, folder;
  bool json = false;
};

void collect_files(const CollectArguments& arguments) {
  CollectProjectOptions options;
  options.folder = arguments.folder;
  options.stop = interrupted();
  Progress progress("collect");
  options.progress = [&](int64_t done, int64_t total) {
    constexpr int64_t kMegabyte = 1'000'000;
    progress.update("MB", done / kMegabyte, total / kMegabyte);
  };
  const CollectedProject collected =
      value_or_fail(collect_project(value_or_fail(load_project(arguments.project)), options));
  Report report;
  report.add_data("project", collected.project.string());
  report.add_data("files", collected.files), report.add_data("bytes", collected.bytes);
  report.say("{project} with {files} files, {bytes} bytes");
  for (const std::string& note : collected.notes) report.add_sentence(note);
  print_report(report, arguments.json);
}

}  // namespace

void add_collect(CLI::App& app) {
  auto options = std::make_shared<CollectArguments>();
  CLI::App* command = app.add_subcommand("collect", "Copy a project with all its files into one folder.");
  command->footer(
      "Videos (also of several files), clips, detections, model, results, variants, ground truth, masks: the "
      "folder\n"
      "opens on any machine, as its paths are relative. Files below the project's folder keep their "
      "positions; others\n"
      "are in NAME.footage. Nothing is overwritten; stopped or failed, nothing is left. The folder is no "
      "archive: pack\n"
      "it with tar.\n"
      "Example: vantage-cli collect hall.vantage /media/disk/hall && tar -C /media/disk -cf hall.tar hall");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  command->add_option("folder", options->folder, "the folder to be made; absent or empty")
      ->required()
      ->type_name("DIR");
  add_json_flag(*command, &options->json);
  command->callback([options] { collect_files(*options); });
}

// vantage-cli rename: another name for a camera, zone or line.

namespace {

struct RenameOptions {
  std::string project, from, to;
  bool zone = false, line = false;
};

void rename_in_project(const RenameOptions& options) {
  if (const auto owner = held_by_other(options.project))
    fail_command({ErrorKind::io, "is open in " + owner_text(*owner) + "; nothing was renamed",
                  options.project, "Rename it there, or close it."});
  if (!options.zone && !options.line) {
    value_or_fail(rename_cameras_on_disk(options.project, {{options.from, options.to}}));
  } else {
    value_or_fail(change_project_file(options.project, [&](Project& stored) {
      return rename_part(&stored, options.zone ? NamedPart::zone : NamedPart::line, options.from, options.to);
    }));
  }
  fmt::print("{} is now {}\n", options.from, options.to);
}

}  // namespace

void add_rename(CLI::App& app) {
  auto options = std::make_shared<RenameOptions>();
  CLI::App* command = app.add_subcommand("rename", "Rename a camera, a zone or a line of a project.");
  command->footer(
      "Everything that goes by the name follows: clicked points, measures, rules, masks drawn by hand. "
      "Results,\n"
      "calibration, offsets and repairs stay.\n"
      "Example: vantage-cli rename hall.vantage cam1 \"Main door\"");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  command->add_option("from", options->from, "the present name of a camera, or as below")->required();
  command->add_option("to", options->to, "the new name")->required();
  CLI::Option* zone = command->add_flag("--zone", options->zone, "a zone");
  command->add_flag("--line", options->line, "a line")->excludes(zone);
  command->callback([options] { rename_in_project(*options); });
}

// vantage-cli camera: tries a live camera's address, and stores its password; or lists the network's cameras.

namespace {

struct CameraArguments {
  std::string address, user, password_file, at;
  double seconds = 3;
  bool remember = false, discover = false, json = false;
};

// Trial of a camera until it has shown pictures for a while, or could not be opened.
class Trial {
 public:
  LiveCamera::Listener listener() {
    return {[this](const LiveCamera::Arrival&) { note({}); }, [this](const std::string& why) { note(why); }};
  }
  // Returns why it failed; empty: pictures arrive.
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

std::optional<Credentials> given_credentials(const CameraArguments& arguments) {
  if (arguments.user.empty()) return std::nullopt;
  const std::string password = value_or_fail(read_file(arguments.password_file));
  return Credentials{arguments.user, password.substr(0, password.find_first_of("\r\n"))};
}

std::string full_address(const CameraArguments& arguments, const CredentialStore& store) {
  const auto given = given_credentials(arguments);
  return given ? join_credentials(arguments.address, *given)
               : value_or_fail(with_stored_credentials(arguments.address, store));
}

std::string stream_text(const FoundStream& stream) {
  std::string text = stream.name;
  if (!stream.codec.empty()) append_item(&text, stream.codec);
  if (stream.width_px > 0) append_item(&text, size_text(stream.width_px, stream.height_px));
  if (stream.frame_rate > 0) append_item(&text, fmt::format("{:g} pictures/s", stream.frame_rate));
  return text;
}

void discover(const CameraArguments& arguments) {
  const auto store = make_credential_file(default_credential_path());
  DiscoverOptions options;
  options.wait_s = arguments.seconds, options.store = store.get(), options.stop = interrupted();
  options.credentials = given_credentials(arguments);
  if (!arguments.at.empty()) {
    const size_t colon = arguments.at.find(':');
    options.address = arguments.at.substr(0, colon);
    if (colon != std::string::npos) options.port = std::atoi(arguments.at.c_str() + colon + 1);
  }
  const std::vector<FoundCamera> cameras = value_or_fail(discover_cameras(options));
  if (cameras.empty())
    fail_command(
        {ErrorKind::not_found,
         "no camera answered",
         {},
         "Switch on ONVIF in the cameras' settings; a camera of another network answers --at its address."});
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const FoundCamera& camera : cameras) {
    nlohmann::ordered_json streams = nlohmann::ordered_json::array();
    for (const FoundStream& stream : camera.streams)
      streams.push_back({{"name", stream.name},
                         {"address", stream.address},
                         {"codec", stream.codec},
                         {"width_px", stream.width_px},
                         {"height_px", stream.height_px},
                         {"frame_rate", stream.frame_rate}});
    list.push_back({{"name", camera.name},
                    {"hardware", camera.hardware},
                    {"service", camera.service},
                    {"streams", std::move(streams)},
                    {"problem", camera.problem}});
  }
  if (arguments.json) return print_json(nlohmann::ordered_json{{"cameras", list}});
  for (const FoundCamera& camera : cameras) {
    fmt::print("{} {} {}\n", camera.name, camera.hardware, camera.service);
    for (const FoundStream& stream : camera.streams)
      fmt::print("  {}  {}\n", stream.address, stream_text(stream));
    if (!camera.problem.empty()) fmt::print("  {}\n", redact_credentials(camera.problem));
  }
}

void try_camera(const CameraArguments& arguments) {
  constexpr double kLongest_s = 20;  // opening has its own, shorter limit
  const auto store = make_credential_file(default_credential_path());
  const std::string address = full_address(arguments, *store);
  LiveCameraOptions options;
  options.name = "camera";
  options.address = address;
  set_log_level(LogLevel::error);  // errors are this command's output
  Trial trial;
  const LiveCamera camera(std::move(options), trial.listener());
  if (const std::string why = trial.wait(kLongest_s); !why.empty())
    fail_command({ErrorKind::io, why, {}, {}});
  std::this_thread::sleep_for(std::chrono::duration<double>(arguments.seconds));
  const CameraHealth health = camera.health();
  const VideoInfo info = camera.info();
  fmt::print("{} {} x {}, {:.1f} of {:.2f} pictures/s, {:.0f} kbit/s, decoded by {}\n", info.codec,
             info.width_px, info.height_px, health.delivered_rate, health.declared_rate,
             health.bit_rate * 1e-3, info.decoder);
  if (health.clock_offset_s)
    fmt::print("its clock is {:+.3f} s from this machine's\n", *health.clock_offset_s);
  else
    fmt::print("it has not reported its clock so far\n");
  if (health.certificate_checked)
    fmt::print(
        "{}", *health.certificate_checked
                  ? "its certificate is the one that its address asks for\n"
                  : "its certificate was not checked (rtsps:// with #ca=FILE or #sha256=FINGERPRINT does)\n");
  const SplitAddress split = split_credentials(address);
  if (!arguments.remember || !split.credentials) return;
  if (const Status kept = store->keep(split.address, *split.credentials); !kept) fail_command(kept.error());
  fmt::print("name and password are in {}\n", default_credential_path().string());
}

}  // namespace

void add_camera(CLI::App& app) {
  auto arguments = std::make_shared<CameraArguments>();
  CLI::App* command = app.add_subcommand(
      "camera", "Try the address of a live camera; store its password; find cameras by ONVIF.");
  command->footer(
      "Passwords are kept in a file that only you can read, never in projects, logs or results.\n"
      "Examples:\n"
      "  vantage-cli camera --discover --user viewer --password-file secret\n"
      "  vantage-cli camera rtsp://192.168.1.20/stream1 --user viewer --password-file secret "
      "--remember");
  CLI::Option* address =
      command->add_option("address", arguments->address, "rtsp://, rtsp+udp://, udp://, http:// or paced://");
  CLI::Option* discovered =
      command->add_flag("--discover", arguments->discover, "list the network's cameras and their streams")
          ->excludes(address);
  command->add_option("--at", arguments->at, "ask this address alone, not the whole network")
      ->needs(discovered)
      ->type_name("IPV4[:PORT]");
  command->add_flag("--json", arguments->json, "JSON on stdout")->needs(discovered);
  CLI::Option* user = command->add_option("--user", arguments->user, "user name at the camera");
  CLI::Option* password =
      command
          ->add_option("--password-file", arguments->password_file, "file whose first line is the password")
          ->check(CLI::ExistingFile)
          ->needs(user);
  user->needs(password);
  command->add_option("--seconds", arguments->seconds, "how long to watch it, or to wait for answers")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_flag("--remember", arguments->remember, "keep name and password when it works")
      ->excludes(discovered);
  command->callback([arguments] {
    if (arguments->discover) return discover(*arguments);
    if (arguments->address.empty()) throw CLI::RequiredError("address");
    try_camera(*arguments);
  });
}

}  // namespace vantage::cli
