#include "core/project/new_project.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/calibration/formats/calibration.h"
#include "core/detections/detection_file.h"
#include "core/detections/detection_store.h"
#include "core/detections/skeletons.h"
#include "core/fusion/fusion.h"
#include "core/live/recording_writer.h"
#include "core/pipeline/stages.h"
#include "core/project/camera_files.h"
#include "core/project/change_world.h"
#include "core/project/match_cameras.h"
#include "core/project/missing_files.h"
#include "core/project/project.h"
#include "core/project/recording_clock.h"
#include "core/project/scene_plan.h"
#include "core/project/world_doubt.h"
#include "core/sync/sync.h"
#include "core/video/no_video.h"

namespace vantage {
namespace {

// Sides are even for most codecs, so a scaled side may be off by a pixel or two.
constexpr double kScaledSlack_px = 2;
constexpr double kSquare = 0.01;         // pixels whose sides differ by less are square
constexpr double kSqueezedSlack = 0.02;  // slack for broadcasting's rounded pixel aspects

// The camera after a turn by 90 degrees about its axis: the new x is the old -y, the new y the old x.
Result<PinholeCamera<double>> turned_right(const PinholeCamera<double>& from, const std::string& name) {
  if (from.tau_x != 0 || from.tau_y != 0)
    return fail(ErrorKind::unsupported, "a lens with a tilted sensor cannot be turned", name,
                "Calibrate the picture as it is shown.");
  PinholeCamera<double> to = from;
  to.width_px = from.height_px, to.height_px = from.width_px;
  to.fx_px = from.fy_px, to.fy_px = from.fx_px;
  to.cx_px = from.height_px - 1 - from.cy_px, to.cy_px = from.cx_px;
  to.p1 = from.p2, to.p2 = -from.p1;
  to.s1 = -from.s3, to.s2 = -from.s4, to.s3 = from.s1, to.s4 = from.s2;
  for (int i = 0; i < 3; ++i) {
    to.rotation_cam_from_world[i] = -from.rotation_cam_from_world[3 + i];
    to.rotation_cam_from_world[3 + i] = from.rotation_cam_from_world[i];
  }
  to.translation_cam_from_world_m[0] = -from.translation_cam_from_world_m[1];
  to.translation_cam_from_world_m[1] = from.translation_cam_from_world_m[0];
  return to;
}

std::string absolute_path(const std::string& path) {
  if (path.empty() || is_address(path)) return path;
  return std::filesystem::absolute(path).lexically_normal().string();
}

// The calibration's name, else the first of the video's own names that no other camera has.
std::string camera_name(const NewCamera& camera, const std::set<std::string>& taken) {
  const std::string& file = names_no_video(camera.video) ? camera.detections.file : camera.video;
  std::vector<std::string> names = file.empty() ? std::vector<std::string>() : names_of_video(file);
  if (camera.calibration) names.insert(names.begin(), camera.calibration->camera.name());
  for (const std::string& name : names)
    if (!name.empty() && !taken.contains(name)) return name;
  return "cam" + std::to_string(taken.size() + 1);
}

Result<NoVideo> no_video_for(const NewCamera& camera, int width_px, int height_px) {
  const CameraDetectionFile& detections = camera.detections;
  NoVideo video{width_px, height_px};
  if (width_px == 0 && camera.calibration)
    video.width_px = camera.calibration->camera.width_px(),
    video.height_px = camera.calibration->camera.height_px();
  DetectionFileOptions how = asking_options(camera);
  how.width_px = video.width_px, how.height_px = video.height_px;
  VANTAGE_ASSIGN(const DetectionFile file, read_detection_file(detections.file, how));
  if (video.width_px == 0) video.width_px = file.width_px, video.height_px = file.height_px;
  if (video.width_px == 0)
    return fail(ErrorKind::invalid_argument, "the picture size is unknown", detections.file,
                "Give a calibration of the camera, or --size WIDTHxHEIGHT.");
  video.frame_rate = detections.frame_rate > 0 ? detections.frame_rate : file.frame_rate;
  if (video.frame_rate <= 0)
    return fail(ErrorKind::invalid_argument, "the frame rate is unknown", detections.file,
                "Give it, on the command line by --detections-rate.");
  video.frames =
      static_cast<int64_t>(file.frames.size()) - static_cast<int64_t>(std::floor(detections.offset_frames));
  return video;
}

// The share of the people seen by two other cameras that a camera's detector finds, and their number.
struct DetectionRate {
  int64_t expected = 0, found = 0;
};

constexpr size_t kRateCameras = 3;    // with two it is not known which one misses a person
constexpr int64_t kRateFrames = 60;   // examined, evenly over the recording
constexpr int64_t kMinExpected = 40;  // minimum number of people seen by two other cameras
constexpr double kRateVisible = 0.7;  // minimum share of such a person in the camera's picture
constexpr double kFirstRate = 0.3;    // low enough to find people whom many cameras miss
constexpr double kMinRate = 0.5, kUsualRate = 0.85;

void count(const std::vector<FusedPerson>& people, DetectionRate* rate) {
  for (const FusedPerson& person : people) {
    const auto finders = std::ranges::count_if(person.evidence, speaks_for);
    for (const CameraEvidence& one : person.evidence) {
      if (one.visible < kRateVisible || finders - speaks_for(one) < 2) continue;
      ++rate->expected;
      rate->found += speaks_for(one);
    }
  }
}

double rate_of(const NewCamera& camera) {
  return camera.frame_rate > 0 ? camera.frame_rate : camera.info.frame_rate;
}

// Files of detections under the frames of their cameras; nothing for a camera without one, or with an
// unreadable one, whose error opening the project reports.
std::vector<std::optional<FileFrames>> detections_of(const std::vector<NewCamera>& cameras) {
  std::vector<std::optional<FileFrames>> all(cameras.size());
  for (size_t c = 0; c < cameras.size(); ++c) {
    const NewCamera& camera = cameras[c];
    if (camera.detections.file.empty()) continue;
    auto frames = read_file_frames(camera.detections, asking_options(camera), rate_of(camera),
                                   camera.info.picture_of_frame);
    if (frames) all[c] = std::move(*frames);
  }
  return all;
}

bool have_joints(const std::vector<std::optional<FileFrames>>& files) {
  const auto first = std::ranges::find_if(files, [](const auto& file) { return file.has_value(); });
  return first != files.end() && find_skeleton((*first)->file().skeleton);
}

// True without videos and for numbered pictures. Videos that start at other instants look like missed people.
bool in_step(const NewCamera& camera) {
  return names_no_video(camera.video) || !camera.info.order.empty();
}

// Up to kRateFrames frames of files of detections, evenly over the recording; none unless cameras are in
// step.
std::vector<std::vector<CameraDetections>> looks_of(const Project& project,
                                                    const std::vector<NewCamera>& cameras,
                                                    const std::vector<std::optional<FileFrames>>& files) {
  std::vector<std::vector<CameraDetections>> looks;
  if (!std::ranges::all_of(cameras, in_step) || !(rate_of(cameras[0]) > 0)) return looks;
  const int64_t frames = cameras[0].info.frame_count;
  for (int64_t frame = 0; frame < frames; frame += std::max<int64_t>(1, frames / kRateFrames)) {
    std::vector<CameraDetections>& seen = looks.emplace_back(files.size());
    for (size_t c = 0; c < files.size(); ++c)
      if (files[c])
        seen[c] = files[c]->at(std::llround(camera_frame_at(project.cameras[c], static_cast<double>(frame),
                                                            rate_of(cameras[c]) / rate_of(cameras[0]))));
  }
  return looks;
}

// Fits what the detections say: fusion.detection_rate, where the detectors find less than it expects and
// enough people are seen by three cameras, and a note where boxes do not meet.
Status examine_detections(const std::vector<NewCamera>& cameras,
                          const std::vector<std::optional<FileFrames>>& files, Project* project,
                          std::vector<std::string>* notes) {
  const auto with_file = std::ranges::count_if(files, [](const auto& file) { return file.has_value(); });
  if (with_file < 2 || !project->calibrated()) return {};
  const Result<VoxelGrid> grid = project->effective_grid();
  if (!grid) return {};
  const auto looks = looks_of(*project, cameras, files);
  std::vector<PinholeCamera<double>> models;
  for (const Camera& camera : project->calibrations()) models.push_back(camera.model());
  const FloorRectangle floor = fusion_floor(*project, *grid);
  PeopleFusion fusion(floor, models);
  auto parameters = project->parameters.get<FusionParameters>();
  parameters.detection_rate = kFirstRate;
  fusion.set_parameters(parameters);
  DetectionRate rate;
  MeetingBoxes meeting;
  for (const std::vector<CameraDetections>& seen : looks) {
    const std::vector<FusedPerson> people = fusion.find({.cameras = seen});
    count(people, &rate);
    meeting.add(people, seen, parameters.min_score);
  }
  if (notes)
    if (const auto doubt = world_doubt(meeting, models, floor, parameters, looks))
      notes->push_back(doubt_text(*doubt) + ". " + remedy_text(*doubt));
  if (static_cast<size_t>(with_file) < kRateCameras || rate.expected < kMinExpected) return {};
  const double found = static_cast<double>(rate.found) / static_cast<double>(rate.expected);
  if (found >= kUsualRate) return {};
  return project->parameters.set("fusion", "detection_rate",
                                 std::max(kMinRate, std::round(100 * found) / 100));
}

}  // namespace

std::string detection_rate_note(const Project& project) {
  const double rate = project.parameters.get<FusionParameters>().detection_rate;
  if (rate == FusionParameters{}.detection_rate) return {};
  return fmt::format(
      "the detectors find {:.0f} % of the people whom two other cameras see: fusion.detection_rate is {:.2f}",
      100 * rate, rate);
}

Result<std::vector<CalibratedCamera>> read_calibrated_cameras(const std::string& file,
                                                              const CalibrationChoice& choice, int width_px,
                                                              int height_px) {
  CalibrationOptions how;
  if (choice.unit_scale_m > 0) how.unit_scale_m = choice.unit_scale_m;
  if (!choice.up_axis.empty()) how.up_axis = choice.up_axis;
  how.width_px = width_px;
  how.height_px = height_px;
  how.camera_type = choice.camera_type;
  how.mirror = choice.mirror;
  VANTAGE_ASSIGN(const Calibration read, read_calibration(file, how));
  std::vector<CalibratedCamera> cameras;
  for (const Camera& camera : read.cameras)
    cameras.push_back({camera, file, read.format, read.stated, read.cameras.size() == 1, read.unit_m,
                       read.unit_is_stated || choice.unit_scale_m > 0});
  return cameras;
}

namespace {

// The text files of a folder and of the folders in it, by path; none of a folder of many.
std::vector<std::filesystem::path> texts_near(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  constexpr size_t kMany = 40;
  const std::set<std::string> suffixes = {".toml", ".xml", ".json", ".yml",   ".yaml",       ".txt",
                                          ".qca",  ".xcp", ".mcal", ".calib", ".cameramodel"};
  std::vector<fs::path> found, folders;
  const auto look = [&](const fs::path& where, std::vector<fs::path>* deeper) {
    std::vector<fs::path> texts;
    std::error_code failed;
    for (fs::directory_iterator at(where, failed), end; !failed && at != end; at.increment(failed)) {
      std::error_code none;
      if (deeper && at->is_directory(none)) deeper->push_back(at->path());
      if (at->is_regular_file(none) && suffixes.contains(lower_case(at->path().extension().string())))
        texts.push_back(at->path());
    }
    if (texts.size() < kMany) found.insert(found.end(), texts.begin(), texts.end());
  };
  look(folder, &folders);
  for (const fs::path& one : folders) look(one, nullptr);
  std::ranges::sort(found);
  return found;
}

// The cameras of a calibration, wherever their unit is stated; none where the file is another.
std::vector<CalibratedCamera> cameras_if_any(const std::string& file) {
  constexpr int kWidth = 1920, kHeight = 1080;  // for formats that hold no size
  for (const double unit_m : {0.0, 1.0})
    if (auto cameras = read_calibrated_cameras(file, {unit_m, {}, {}, false}, kWidth, kHeight))
      return std::move(*cameras);
  return {};
}

}  // namespace

FolderCalibration calibration_in(const std::filesystem::path& folder) {
  FolderCalibration found;
  std::vector<CalibratedCamera> listed;
  std::set<std::string> formats, names;
  std::string said;
  for (const std::filesystem::path& text : texts_near(folder)) {
    const std::vector<CalibratedCamera> cameras = cameras_if_any(text.string());
    if (cameras.empty() || are_listed(cameras, listed)) continue;
    for (const CalibratedCamera& camera : cameras) names.insert(camera.camera.name());
    listed.insert(listed.end(), cameras.begin(), cameras.end());
    formats.insert(cameras.front().format);
    found.files.push_back(text.string());
    append_item(&said, text.lexically_relative(folder).string() + " (" + cameras.front().format + ")");
  }
  if (found.files.empty()) return found;
  const bool one = formats.size() == 1 && names.size() == listed.size();
  found.note = one ? "calibration found in the folder: " + said
                   : "the folder holds several calibrations, of which none is taken: " + said;
  if (!one) found.files.clear();
  return found;
}

namespace {

std::string unit_remedy(const UnitQuestion& question) {
  if (question.likely_m == 0) return "State the length of one unit in metres: --unit-scale METRES.";
  return "Most likely they are " + question.likely_name + ": --unit-scale " +
         fmt::format("{:g}", question.likely_m) + "; --unit-scale 1 says metres, 0.115 squares of 115 mm.";
}

Result<std::vector<CalibratedCamera>> list_cameras(const std::vector<std::string>& files,
                                                   const CalibrationChoice& choice, int width_px,
                                                   int height_px) {
  std::vector<CalibratedCamera> listed;
  for (const std::string& file : files) {
    VANTAGE_ASSIGN(const std::vector<CalibratedCamera> read,
                   read_calibrated_cameras(file, choice, width_px, height_px));
    if (!are_listed(read, listed)) listed.insert(listed.end(), read.begin(), read.end());
  }
  return listed;
}

}  // namespace

Result<std::vector<CalibratedCamera>> read_all_calibrations(const std::vector<std::string>& files,
                                                            const CalibrationChoice& choice, int width_px,
                                                            int height_px) {
  auto read = list_cameras(files, choice, width_px, height_px);
  if (read || choice.unit_scale_m > 0) return read;
  CalibrationChoice metres = choice;
  metres.unit_scale_m = 1;
  const auto standing = list_cameras(files, metres, width_px, height_px);
  if (!standing) return read;  // the error has another cause
  std::vector<Camera> cameras;
  for (const CalibratedCamera& one : *standing) cameras.push_back(one.camera);
  const UnitQuestion question = read_in_units(cameras, 1);
  Error error = std::move(read).error();
  error.what += ": " + question.what;
  error.remedy = unit_remedy(question);
  return fail(std::move(error));
}

bool are_listed(const std::vector<CalibratedCamera>& cameras, const std::vector<CalibratedCamera>& listed) {
  return std::all_of(cameras.begin(), cameras.end(), [&](const CalibratedCamera& camera) {
    return std::any_of(listed.begin(), listed.end(), [&](const CalibratedCamera& one) {
      return one.format == camera.format && one.camera.name() == camera.camera.name() &&
             std::filesystem::path(one.file).parent_path() ==
                 std::filesystem::path(camera.file).parent_path() &&
             calibration_to_json({one.camera}) == calibration_to_json({camera.camera});
    });
  });
}

Status check_unit(const std::vector<CalibratedCamera>& cameras) {
  std::vector<Camera> standing;
  for (const CalibratedCamera& camera : cameras) {
    if (camera.unit_is_stated || camera.unit_m != cameras.front().unit_m) return {};
    standing.push_back(camera.camera);
  }
  const auto question = question_of_unit(standing, cameras.empty() ? 1 : cameras.front().unit_m);
  if (!question) return {};
  return fail(ErrorKind::invalid_argument, question->what, cameras.front().file, unit_remedy(*question));
}

Result<FilesOfVideos> match_calibrations(const std::vector<std::string>& videos,
                                         const std::vector<CalibratedCamera>& cameras, size_t files,
                                         const std::vector<std::pair<std::string, std::string>>& mapped) {
  const bool one_each =
      files == videos.size() && cameras.size() == videos.size() &&
      std::all_of(cameras.begin(), cameras.end(), [](const auto& camera) { return camera.alone_in_file; });
  if (!one_each) {
    std::vector<std::string> names;
    for (const CalibratedCamera& camera : cameras) names.push_back(camera.camera.name());
    VANTAGE_ASSIGN(std::vector<size_t> matched, match_cameras(videos, names, mapped));
    return FilesOfVideos{std::move(matched), ""};
  }
  std::vector<NamedFile> named;
  for (const CalibratedCamera& camera : cameras) {
    NamedFile& file = named.emplace_back(NamedFile{camera.file, {camera.camera.name()}});
    const std::vector<std::string> of_file = names_of_video(camera.file);
    file.names.insert(file.names.end(), of_file.begin(), of_file.end());
  }
  return match_files(videos, named, mapped);
}

Result<Camera> fit_to_picture(const Camera& camera, int width_px, int height_px, const PictureFit& fit) {
  if (fit.kind == PictureFit::Kind::turned_right || fit.kind == PictureFit::Kind::turned_left) {
    PinholeCamera<double> model = camera.model();
    for (int turns = fit.kind == PictureFit::Kind::turned_right ? 1 : 3; turns > 0; --turns) {
      VANTAGE_ASSIGN(model, turned_right(model, camera.name()));
    }
    VANTAGE_ASSIGN(const Camera turned, Camera::make(camera.name(), model));
    VANTAGE_TRY(check_calibration_size(turned, camera.name(), width_px, height_px));
    return turned;
  }
  if (camera.width_px() == width_px && camera.height_px() == height_px) return camera;
  PinholeCamera<double> model = camera.model();
  if (fit.kind == PictureFit::Kind::cropped) {
    if (fit.x_px < 0 || fit.y_px < 0 || fit.x_px + width_px > model.width_px ||
        fit.y_px + height_px > model.height_px)
      return fail(ErrorKind::invalid_argument,
                  size_text(width_px, height_px) + " px from pixel " + std::to_string(fit.x_px) + ", " +
                      std::to_string(fit.y_px) + " on do not fit into the calibrated " +
                      size_text(model.width_px, model.height_px) + " px",
                  camera.name(), "Give the pixel of the calibrated picture at which the video's begins.");
    model.cx_px -= fit.x_px, model.cy_px -= fit.y_px;
  } else if (fit.kind == PictureFit::Kind::scaled) {
    const double sx = static_cast<double>(width_px) / model.width_px,
                 sy = static_cast<double>(height_px) / model.height_px;
    model.fx_px *= sx, model.fy_px *= sy;
    model.cx_px = (model.cx_px + 0.5) * sx - 0.5, model.cy_px = (model.cy_px + 0.5) * sy - 0.5;
  } else {
    Error error = check_calibration_size(camera, camera.name(), width_px, height_px).error();
    error.remedy = "State whether the calibrated picture was scaled, cropped or turned.";
    return fail(std::move(error));
  }
  model.width_px = width_px, model.height_px = height_px;
  return Camera::make(camera.name(), model);
}

FitGuess guess_fit(const Camera& camera, int width_px, int height_px, double pixel_aspect) {
  if (std::abs(pixel_aspect - 1) > kSquare) {
    const double shown = pixel_aspect * width_px * camera.height_px() / camera.width_px();
    const bool whole = std::abs(shown / height_px - 1) <= kSqueezedSlack;
    if (whole)
      return {LikelyFit::scaled,
              static_cast<double>(height_px) / camera.height_px(),
              {PictureFit::Kind::scaled},
              true};
  }
  const double sx = static_cast<double>(width_px) / camera.width_px(),
               sy = static_cast<double>(height_px) / camera.height_px();
  if (std::abs(sx * camera.height_px() - height_px) <= kScaledSlack_px)
    return {LikelyFit::scaled, sx, {PictureFit::Kind::scaled}};
  if (sx <= 1 && sy <= 1)
    return {LikelyFit::cropped,
            1,
            {PictureFit::Kind::cropped, (camera.width_px() - width_px) / 2,
             (camera.height_px() - height_px) / 2}};
  const bool wide = width_px > height_px, calibrated_wide = camera.width_px() > camera.height_px();
  return {wide != calibrated_wide ? LikelyFit::turned : LikelyFit::another_camera};
}

Status check_background(const std::string& background, const VideoInfo& clip, const std::string& video,
                        const VideoInfo& info) {
  if (clip.width_px == info.width_px && clip.height_px == info.height_px) return {};
  return fail(ErrorKind::invalid_argument,
              "the empty-scene clip has " + size_text(clip.width_px, clip.height_px) + " px, " + video +
                  " has " + size_text(info.width_px, info.height_px) + " px",
              background, "Use a clip of the same camera at the same size.");
}

Status stand_in_for_videos(std::vector<NewCamera>* cameras, int width_px, int height_px) {
  std::vector<std::pair<NewCamera*, NoVideo>> without;
  int64_t frames = 1;
  for (NewCamera& camera : *cameras) {
    if (!camera.video.empty()) continue;
    VANTAGE_ASSIGN(const NoVideo video, no_video_for(camera, width_px, height_px));
    without.emplace_back(&camera, video);
    frames = std::max(frames, video.frames);
  }
  for (auto& [camera, video] : without) {
    video.frames = frames;
    camera->video = no_video_address(video);
    VANTAGE_ASSIGN(const auto source, open_no_video(camera->video));
    camera->info = source->info();
  }
  return {};
}

namespace {

// Seconds since 1970; nothing where neither list nor name knows it.
std::optional<double> start_of(const NewCamera& camera) {
  if (!camera.files) {
    const auto clock = clock_of_name(camera.video);
    return clock ? std::optional(clock->start_utc_s) : std::nullopt;
  }
  const auto clock = parse_clock(camera.files->clock);
  return clock ? std::optional(clock->start_utc_s) : std::nullopt;
}

}  // namespace

std::vector<std::string> offset_by_clocks(std::vector<NewCamera>* cameras) {
  std::vector<std::string> said;
  if (std::ranges::none_of(*cameras, [](const NewCamera& camera) { return camera.files.has_value(); }))
    return said;
  std::vector<std::optional<double>> starts;
  for (const NewCamera& camera : *cameras) starts.push_back(start_of(camera));
  for (size_t i = 0; i < cameras->size(); ++i)
    if (!starts[i])
      return {
          fmt::format("no clock tells when {} starts: all cameras are taken to start together, until `sync` "
                      "finds their offsets",
                      names_of_video((*cameras)[i].video).front())};
  for (size_t i = 1; i < cameras->size(); ++i) {
    NewCamera& camera = (*cameras)[i];
    const double late_s = *starts[i] - *starts[0];
    const double rate = effective_frame_rate(camera.frame_rate, camera.info.frame_rate, 0);
    if (std::abs(late_s) < kFileClock_s || !(rate > 0)) continue;
    camera.offset_frames = std::round(-late_s * rate);
    said.push_back(
        fmt::format("{} starts {:g} s {} than the first camera by their clocks, which tell the second: "
                    "its offset is {:g} frames, until `sync` finds the fraction",
                    names_of_video(camera.video).front(), std::abs(late_s), late_s > 0 ? "later" : "earlier",
                    camera.offset_frames));
  }
  return said;
}

Status write_file_lists(const std::filesystem::path& project, std::vector<NewCamera>* cameras) {
  std::filesystem::path folder = std::filesystem::absolute(project);
  folder.replace_extension(".videos");
  std::vector<std::string> stems;
  for (const NewCamera& camera : *cameras)
    if (camera.files) stems.push_back(std::filesystem::path(camera.video).stem().string());
  const std::vector<std::string> names = camera_file_names(stems);
  if (!names.empty()) VANTAGE_TRY(make_folder(folder));
  auto name = names.begin();
  for (NewCamera& camera : *cameras) {
    if (!camera.files) continue;
    camera.video = (folder / (*name++ + std::string(kFileListSuffix))).string();
    VANTAGE_TRY(write_file_list(camera.video, *camera.files));
  }
  return {};
}

Result<Project> assemble_project(const std::vector<NewCamera>& cameras, std::vector<std::string>* notes) {
  if (cameras.empty())
    return fail(ErrorKind::invalid_argument, "a project needs at least one video or file of detections");
  Project project;
  project.parameters = default_parameters();
  std::set<std::string> taken;
  for (const NewCamera& from : cameras) {
    ProjectCamera camera;
    camera.name = camera_name(from, taken);
    taken.insert(camera.name);
    camera.video = absolute_path(from.video);
    camera.background = absolute_path(from.background);
    camera.frame_rate = from.frame_rate;
    camera.offset_frames = from.offset_frames;
    camera.detections = from.detections;
    camera.detections.file = absolute_path(from.detections.file);
    if (from.calibration) {
      VANTAGE_ASSIGN(camera.calibration, fit_to_picture(from.calibration->camera, from.info.width_px,
                                                        from.info.height_px, from.fit));
      camera.calibration->set_name(camera.name);
    }
    project.cameras.push_back(std::move(camera));
  }
  remember_videos(&project);
  const auto files = detections_of(cameras);
  if (have_joints(files)) VANTAGE_TRY(project.parameters.set("skeletons", "enabled", 1));
  VANTAGE_TRY(examine_detections(cameras, files, &project, notes));
  return project;
}

DetectionFileOptions asking_options(const NewCamera& camera) {
  int width_px = camera.info.width_px, height_px = camera.info.height_px;
  if (width_px == 0 && camera.calibration)
    width_px = camera.calibration->camera.width_px(), height_px = camera.calibration->camera.height_px();
  const bool filmed = !camera.video.empty() && !names_no_video(camera.video);
  const double stated = camera.frame_rate > 0 ? camera.frame_rate : camera.info.frame_rate;
  DetectionFileOptions options =
      reading_options(camera.detections, width_px, height_px,
                      camera.detections.frame_rate > 0 ? camera.detections.frame_rate : stated,
                      filmed ? camera.info.frame_count : 0);
  options.ask = true;
  return options;
}

Result<std::vector<std::string>> settle_detections(std::vector<NewCamera>* cameras) {
  std::vector<std::string> said;
  std::set<std::string> from_zero;  // formats
  std::map<size_t, std::string> perhaps;
  for (size_t i = 0; i < cameras->size(); ++i) {
    const NewCamera& camera = (*cameras)[i];
    if (camera.detections.file.empty()) continue;
    VANTAGE_ASSIGN(const DetectionFile file,
                   read_detection_file(camera.detections.file, asking_options(camera)));
    if (file.may_count_from_zero)
      perhaps[i] = file.format;
    else if (file.first_number == 0)
      from_zero.insert(file.format);
    if (!file.frames_said.empty()) said.push_back(camera.detections.file + ": " + file.frames_said);
    for (const std::string& remark : remarks_on(file)) said.push_back(camera.detections.file + ": " + remark);
  }
  for (const auto& [i, format] : perhaps) {
    if (!from_zero.contains(format)) continue;
    (*cameras)[i].detections.first_frame = 0;
    said.push_back((*cameras)[i].detections.file +
                   ": frames count from 0, since another camera's file of this format has a frame 0");
  }
  return said;
}

namespace {

// Order of parameters in panels, project files and results since version 0.1, independent of the chain's.
// Tables not listed come last, in the chain's order.
constexpr std::array<std::string_view, 17> kOrder = {
    "foreground", "carving",    "floor",      "people",    "occupancy", "fusion",
    "tracking",   "paths",      "heightmap",  "daisy",     "flow",      "sync",
    "heads",      "detections", "appearance", "skeletons", "recording"};

auto position(const ParameterTable* table) {
  return std::find(kOrder.begin(), kOrder.end(), table->stage);
}

}  // namespace

ParameterStore default_parameters() {
  std::vector<const ParameterTable*> tables;
  for (const StageType* stage : stage_types())
    if (stage->tables) std::ranges::copy(stage->tables(), std::back_inserter(tables));
  tables.push_back(&parameter_table<SyncParameters>());
  tables.push_back(&parameter_table<RecordingParameters>());
  std::stable_sort(tables.begin(), tables.end(),
                   [](const auto* a, const auto* b) { return position(a) < position(b); });
  return ParameterStore(std::move(tables));
}

}  // namespace vantage
