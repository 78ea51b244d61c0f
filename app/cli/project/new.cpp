#include <fmt/core.h>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "app/cli/common/command.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/detections/detection_file.h"
#include "core/project/camera_files.h"
#include "core/project/match_cameras.h"
#include "core/project/new_project.h"
#include "core/project/scene_plan.h"
#include "core/video/file_list.h"
#include "core/video/no_video.h"
#include "core/video/video_source.h"

namespace vantage::cli {
namespace {

struct NewOptions {
  std::vector<std::string> calibrations, videos, backgrounds, maps, crops, scaled, turned, detections;
  std::vector<double> detections_offsets;
  std::string out, up_axis, camera_type, size, detection_model, joints_model, person_class, frames_by;
  double detections_rate = 0, rate = 0;
  double unit_scale_m = 0, voxel_size_m = 0;
  std::vector<double> grid;
  bool json = false, replace = false, mirror = false, apart = false;
  bool calibration_was_found = false;  // in the folder, instead of named
};

VideoInfo open_info(const std::string& path) {
  const auto source = open_video(path, {});
  if (!source) fail_command(source.error());
  return (*source)->info();
}

// The files by which cameras are matched: their videos, else their files of detections.
const std::vector<std::string>& files_of_cameras(const NewOptions& options) {
  return options.videos.empty() ? options.detections : options.videos;
}

std::vector<std::pair<std::string, std::string>> parse_maps(const NewOptions& options) {
  std::vector<std::pair<std::string, std::string>> maps;
  for (const std::string& text : options.maps) {
    const size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw CLI::ValidationError("--map", "'" + text + "' is not of the form VIDEO=CAMERA");
    maps.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return maps;
}

// Sentences on assumptions and omissions.
using Notes = std::vector<std::string>;

// Sets each camera's calibration.
Status read_calibrations(const NewOptions& options, std::vector<NewCamera>* cameras, Notes* notes) {
  const auto maps = parse_maps(options);
  if (options.calibrations.empty()) return {};
  const CalibrationChoice choice{options.unit_scale_m, options.up_axis, options.camera_type, options.mirror};
  // For every picture size among the videos, in the same order: some formats have no size.
  std::map<std::pair<int, int>, std::vector<CalibratedCamera>> by_size;
  const auto size_of = [](const NewCamera& camera) {
    return std::pair(camera.info.width_px, camera.info.height_px);
  };
  for (const NewCamera& camera : *cameras) {
    std::vector<CalibratedCamera>& listed = by_size[size_of(camera)];
    if (!listed.empty()) continue;
    VANTAGE_ASSIGN(listed, read_all_calibrations(options.calibrations, choice, camera.info.width_px,
                                                 camera.info.height_px));
  }
  const std::vector<CalibratedCamera>& calibrated = by_size[size_of(cameras->front())];
  VANTAGE_ASSIGN(const FilesOfVideos matched, match_calibrations(files_of_cameras(options), calibrated,
                                                                 options.calibrations.size(), maps));
  std::vector<CalibratedCamera> chosen;
  for (size_t i = 0; i < cameras->size(); ++i)
    chosen.push_back(by_size[size_of((*cameras)[i])][matched.file_of[i]]);
  VANTAGE_TRY(check_unit(chosen));
  if (!matched.note.empty()) notes->push_back(matched.note);
  for (size_t i = 0; i < cameras->size(); ++i) (*cameras)[i].calibration = chosen[i];
  return {};
}

// ---- pictures of another size than the calibration's, explained by --cropped or --scaled

bool names_video(const std::string& name, const std::string& video) {
  const std::vector<std::string> names = names_of_video(video);
  return name == video || std::find(names.begin(), names.end(), name) != names.end();
}

// "cam02=4,0": the video is the calibrated picture from pixel (4, 0) on.
std::optional<std::pair<int, int>> find_crop(const NewOptions& options, const std::string& video) {
  for (const std::string& text : options.crops) {
    const size_t equals = text.rfind('=');
    int x = 0, y = 0, used = 0;
    const std::string values = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (std::sscanf(values.c_str(), "%d,%d%n", &x, &y, &used) != 2 ||
        used != static_cast<int>(values.size()) || x < 0 || y < 0)
      throw CLI::ValidationError("--cropped", "'" + text + "' is not of the form VIDEO=X,Y");
    if (names_video(text.substr(0, equals), video)) return std::pair(x, y);
  }
  return std::nullopt;
}

// "cam02=right": the video is the calibrated picture turned clockwise.
std::optional<PictureFit::Kind> find_turn(const NewOptions& options, const std::string& video) {
  for (const std::string& text : options.turned) {
    const size_t equals = text.rfind('=');
    const std::string way = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (way != "left" && way != "right")
      throw CLI::ValidationError("--turned", "'" + text + "' is not of the form VIDEO=left or VIDEO=right");
    if (names_video(text.substr(0, equals), video))
      return way == "right" ? PictureFit::Kind::turned_right : PictureFit::Kind::turned_left;
  }
  return std::nullopt;
}

// The option for the most likely cause.
std::string likely_option(const FitGuess& guess, const std::string& name) {
  switch (guess.likely) {
    case LikelyFit::scaled:
      if (guess.squeezed)
        return "The file states that its pixels are not square, so it is most likely the whole picture, "
               "squeezed: --scaled " +
               name + ".";
      return "Most likely it is the whole picture at " + fmt::format("{:.4g}", guess.factor) +
             " times the size: --scaled " + name + ".";
    case LikelyFit::cropped:
      return "Most likely it is a part of the calibrated picture; if it is the centre: --cropped " + name +
             "=" + std::to_string(guess.fit.x_px) + "," + std::to_string(guess.fit.y_px) + ".";
    case LikelyFit::turned:
      return "Most likely one of them is rotated by 90 degrees: --turned " + name +
             "=right where the top of the calibrated "
             "picture is the video's right side, else --turned " +
             name + "=left.";
    case LikelyFit::another_camera:
      break;
  }
  return "The aspect ratio differs, so it is most likely another camera's calibration: see --map.";
}

// Sets the relation of the camera's picture to the calibrated one; an unstated one is an error.
void choose_fit(const NewOptions& options, NewCamera* camera) {
  if (!camera->calibration) return;
  if (const auto crop = find_crop(options, camera->video))
    camera->fit = {PictureFit::Kind::cropped, crop->first, crop->second};
  else if (std::any_of(options.scaled.begin(), options.scaled.end(),
                       [&](const std::string& name) { return names_video(name, camera->video); }))
    camera->fit = {PictureFit::Kind::scaled};
  else if (const auto turn = find_turn(options, camera->video))
    camera->fit = {*turn};
  const int width = camera->info.width_px, height = camera->info.height_px;
  const auto fitted = fit_to_picture(camera->calibration->camera, width, height, camera->fit);
  if (fitted) return;
  Error error = fitted.error();
  error.where = camera->video;
  if (camera->fit.kind == PictureFit::Kind::same)
    error.remedy =
        likely_option(guess_fit(camera->calibration->camera, width, height, camera->info.pixel_aspect),
                      names_of_video(camera->video).front()) +
        " (--scaled VIDEO: the whole picture at another size; --cropped VIDEO=X,Y: a part of it, "
        "from pixel X, Y on.)";
  fail_command(error);
}

// ---- the project

std::optional<VoxelGrid> choose_grid(const NewOptions& options, const Project& project) {
  const double size = options.voxel_size_m > 0 ? options.voxel_size_m : kDefaultVoxelSize_m;
  if (options.grid.empty()) {
    if (options.voxel_size_m <= 0 || !project.calibrated()) return std::nullopt;
    const auto grid = fit_grid_to_common_view(project.calibrations(), size, kDefaultGridHeight_m);
    if (!grid) fail_command(grid.error());
    return *grid;
  }
  VoxelGrid grid;
  grid.voxel_size_m = size;
  int* counts[] = {&grid.nx, &grid.ny, &grid.nz};
  double total = 1;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double low = options.grid[axis], high = options.grid[axis + 3];
    const double count = std::ceil((high - low) / size - 1e-6);
    total *= count;
    if (!(count >= 1) || !(total <= 2147483647.0))
      throw CLI::ValidationError("--grid",
                                 "give the lowest corner, then the highest, at most 2147483647 voxels");
    grid.origin_in_world_m[axis] = low;
    *counts[axis] = static_cast<int>(count);
  }
  return grid;
}

// The cameras' files; `videos` is then one a camera. Folders are taken as their videos, without any as
// pictures.
std::vector<FileGroup> take_groups(NewOptions* options, Notes* notes) {
  std::vector<std::string> files;
  for (const std::string& video : options->videos) {
    std::error_code none;
    std::vector<std::string> inside;
    if (std::filesystem::is_directory(video, none)) inside = videos_in(video);
    if (options->out.empty() && options->videos.size() == 1 && !inside.empty()) {
      std::filesystem::path folder = std::filesystem::absolute(video).lexically_normal();
      if (folder.filename().empty()) folder = folder.parent_path();
      options->out = (folder / folder.filename()).string() + ".vantage";
    }
    if (options->calibrations.empty() && options->videos.size() == 1 && !inside.empty()) {
      FolderCalibration calibration = calibration_in(video);
      options->calibrations = std::move(calibration.files);
      options->calibration_was_found = !options->calibrations.empty();
      if (!calibration.note.empty()) notes->push_back(std::move(calibration.note));
    }
    if (inside.empty()) inside.push_back(video);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  if (options->out.empty()) throw CLI::RequiredError("--out");
  std::vector<FileGroup> groups = options->apart ? keep_apart(files) : group_files(files);
  options->videos.clear();
  for (const FileGroup& group : groups) options->videos.push_back(group.video());
  return groups;
}

// Puts the files of one camera in order.
void join(const FileGroup& group, double frame_rate, NewCamera* camera, Notes* notes) {
  JoinedFiles joined = value_or_fail(join_files(group, frame_rate, interrupted()));
  for (const std::string& note : joined.notes) notes->push_back(group.camera + ": " + note);
  camera->info = value_or_fail(open_file_list(joined.list, camera->video, {}))->info();
  camera->files = std::move(joined.list);
}

std::vector<NewCamera> open_cameras(const NewOptions& options, const std::vector<FileGroup>& groups,
                                    Notes* notes) {
  std::vector<NewCamera> cameras;
  for (size_t i = 0; i < options.videos.size(); ++i) {
    NewCamera& camera = cameras.emplace_back();
    camera.video = options.videos[i];
    if (groups[i].files.size() > 1)
      join(groups[i], options.rate, &camera, notes);
    else
      camera.info = open_info(camera.video);
    if (options.backgrounds.empty() || options.backgrounds[i] == "-") continue;
    camera.background = options.backgrounds[i];
    const VideoInfo clip = open_info(camera.background);
    if (const Status same = check_background(camera.background, clip, camera.video, camera.info); !same)
      fail_command(same.error());
  }
  return cameras;
}

// ---- detections

void choose_detections(const NewOptions& options, std::vector<NewCamera>* cameras, Notes* notes) {
  if (options.detections.empty())
    for (NewCamera& camera : *cameras) {
      camera.detections.file = people_next_to(camera.video);
      if (!camera.detections.file.empty())
        notes->push_back(camera.video + ": people found next to it, in " + camera.detections.file);
    }
  for (size_t i = 0; i < options.detections.size(); ++i) {
    if (options.detections[i] == "-") continue;
    CameraDetectionFile& detections = (*cameras)[i].detections;
    detections.file = options.detections[i];
    detections.frame_rate = options.detections_rate;
    detections.person_class = options.person_class, detections.frames_by = options.frames_by;
    if (!options.detections_offsets.empty()) detections.offset_frames = options.detections_offsets[i];
  }
}

// As stated; 0 x 0: not stated.
std::pair<int, int> given_size(const NewOptions& options) {
  int width = 0, height = 0, used = -1;
  if (options.size.empty()) return {0, 0};
  if (std::sscanf(options.size.c_str(), "%dx%d%n", &width, &height, &used) != 2 ||
      used != static_cast<int>(options.size.size()) || width < 1 || height < 1)
    throw CLI::ValidationError("--size", "'" + options.size + "' is not of the form WIDTHxHEIGHT");
  return {width, height};
}

void check_detection_options(const NewOptions& options) {
  const bool alone = options.videos.empty();
  if (alone && options.rate > 0)
    throw CLI::ValidationError("--rate", "there are no videos; detections have --detections-rate");
  if (alone && options.detections.empty())
    throw CLI::ValidationError("videos", "give videos, or --detections for each camera");
  if (!alone && !options.detections.empty() && options.detections.size() != options.videos.size())
    throw CLI::ValidationError("--detections",
                               "give one file for each video, in the same order; - where there is none");
  if (alone && std::count(options.detections.begin(), options.detections.end(), "-") > 0)
    throw CLI::ValidationError("--detections", "- means nothing without videos");
  if (!alone && !options.detections.empty())
    check_or_fail(check_order(options.videos, options.detections, "--detections"));
  if (!options.detections_offsets.empty() && options.detections_offsets.size() != options.detections.size())
    throw CLI::ValidationError("--detections-offset", "give one for each --detections, in the same order");
}

void print_text(const Project& project, const std::vector<NewCamera>& cameras, const Result<VoxelGrid>& grid,
                const Notes& notes) {
  for (size_t i = 0; i < cameras.size(); ++i) {
    const VideoInfo& info = cameras[i].info;
    const double rate = effective_frame_rate(cameras[i].frame_rate, info.frame_rate);
    const bool assumed = cameras[i].frame_rate <= 0 && info.frame_rate <= 0;
    const bool none = names_no_video(cameras[i].video);
    fmt::print("{}: {}, {}x{} px, {}, {:.6g} frames/s{}\n", project.cameras[i].name,
               none ? "no video" : redact_credentials(cameras[i].video).c_str(), info.width_px,
               info.height_px, none ? fmt::format("{} frames", info.frame_count).c_str() : info.codec.c_str(),
               rate, assumed ? " (assumed)" : "");
    if (cameras[i].files) {
      fmt::print("  {}\n", file_list_text(*cameras[i].files));
      for (const std::string& line : file_list_lines(*cameras[i].files)) fmt::print("    {}\n", line);
    }
    if (const CameraDetectionFile& detections = project.cameras[i].detections; !detections.file.empty())
      fmt::print("  detections: {}\n", detections.file);
    if (const auto& calibration = cameras[i].calibration)
      fmt::print("  calibration: camera {} of {}\n", calibration->camera.name(), calibration->source());
    if (project.cameras[i].calibration) {
      const Eigen::Vector3d at = project.cameras[i].calibration->center_in_world_m();
      fmt::print("  camera at x {:.2f}  y {:.2f}  z {:.2f} m\n", at.x(), at.y(), at.z());
    }
    if (!project.cameras[i].background.empty())
      fmt::print("  empty-scene clip: {}\n", project.cameras[i].background);
  }
  for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", redact_credentials(note));
  if (!project.calibrated()) {
    fmt::print(
        "no calibration: the chain will end at the foreground; `vantage-cli calibrate footage` solves one "
        "from people\n");
  } else {
    const ScenePlan layout = plan_scene(project.named_calibrations());
    fmt::print("{}\n", plan_text(layout));
    if (const std::string doubt = plan_doubt(layout); !doubt.empty())
      fmt::print(stderr, "warning: {}\n", doubt);
  }
  if (grid)
    fmt::print("grid: {}x{}x{} voxels of {:g} m from x {:.2f}  y {:.2f}  z {:.2f} m{}\n", grid->nx, grid->ny,
               grid->nz, grid->voxel_size_m, grid->origin_in_world_m[0], grid->origin_in_world_m[1],
               grid->origin_in_world_m[2], project.grid ? "" : " (fitted to the common view)");
}

std::string detection_format_names() {
  std::string names;
  for (const DetectionFormat& format : detection_formats()) append_item(&names, format.name);
  return names;
}

nlohmann::ordered_json json_of(const std::string& out, const Project& project,
                               const std::vector<NewCamera>& cameras, const Result<VoxelGrid>& grid,
                               const Notes& notes) {
  nlohmann::ordered_json json = {{"project", out}, {"cameras", nlohmann::ordered_json::array()}};
  json["notes"] = notes;
  for (size_t i = 0; i < cameras.size(); ++i) {
    nlohmann::ordered_json camera = {
        {"name", project.cameras[i].name},
        {"video", project.cameras[i].video},
        {"width_px", cameras[i].info.width_px},
        {"height_px", cameras[i].info.height_px},
        {"background", project.cameras[i].background},
        {"detections", project.cameras[i].detections.file},
        {"calibration", cameras[i].calibration ? cameras[i].calibration->source() : ""}};
    const double rate = effective_frame_rate(cameras[i].frame_rate, cameras[i].info.frame_rate, 0);
    if (cameras[i].files) camera["files"] = file_list_lines(*cameras[i].files);
    camera["frame_rate"] = rate > 0 ? nlohmann::ordered_json(rate) : nlohmann::ordered_json();
    if (project.cameras[i].calibration) {
      const Eigen::Vector3d at = project.cameras[i].calibration->center_in_world_m();
      camera["center_in_world_m"] = {at.x(), at.y(), at.z()};
    }
    json["cameras"].push_back(std::move(camera));
  }
  if (grid)
    json["grid"] = {{"size_voxels", {grid->nx, grid->ny, grid->nz}}, {"voxel_size_m", grid->voxel_size_m}};
  return json;
}

void make_new(NewOptions options) {
  Notes notes;
  const std::vector<FileGroup> groups = take_groups(&options, &notes);
  if (!options.backgrounds.empty() && options.backgrounds.size() != options.videos.size())
    throw CLI::ValidationError("--background",
                               "give one clip for each video, in the same order; - where there is none");
  if (!options.backgrounds.empty())
    check_or_fail(check_order(options.videos, options.backgrounds, "--background"));
  check_detection_options(options);
  std::error_code none;
  if (!options.replace && std::filesystem::exists(options.out, none))
    fail_command({ErrorKind::invalid_argument, "the project exists already", options.out,
                  "Choose another name. Moved videos are found by `vantage-cli relink`, which keeps "
                  "everything in the project; --replace overwrites it."});
  std::vector<NewCamera> cameras = open_cameras(options, groups, &notes);
  for (NewCamera& camera : cameras) {
    camera.frame_rate = options.rate;
    if (!camera.info.order.empty()) notes.push_back(camera.video + ": " + camera.info.order);
    if (effective_frame_rate(options.rate, camera.info.frame_rate, 0) <= 0)
      notes.push_back(camera.video + ": states no frame rate; " + fmt::format("{:g}", kUnknownFrameRate) +
                      " frames/s will be assumed, on which speeds and IDs depend: give it by --rate");
  }
  if (options.videos.empty()) cameras.resize(options.detections.size());
  choose_detections(options, &cameras, &notes);
  if (const Status read = read_calibrations(options, &cameras, &notes); !read) {
    if (!options.calibration_was_found) fail_command(read.error());
    notes.push_back("the calibration found in the folder is not taken: " + read.error().message());
  }
  const auto [width_px, height_px] = given_size(options);
  for (NewCamera& camera : cameras)
    if (camera.video.empty() && width_px > 0)
      camera.info.width_px = width_px, camera.info.height_px = height_px;
  const std::vector<std::string> said = value_or_fail(settle_detections(&cameras));
  notes.insert(notes.end(), said.begin(), said.end());
  if (const Status without = stand_in_for_videos(&cameras, width_px, height_px); !without)
    fail_command(without.error());
  for (NewCamera& camera : cameras) choose_fit(options, &camera);
  const std::vector<std::string> by_clocks = offset_by_clocks(&cameras);
  notes.insert(notes.end(), by_clocks.begin(), by_clocks.end());
  check_or_fail(write_file_lists(options.out, &cameras));
  auto assembled = assemble_project(cameras, &notes);
  if (!assembled) fail_command(assembled.error());
  Project project = std::move(*assembled);
  if (const std::string note = detection_rate_note(project); !note.empty()) notes.push_back(note);
  for (const auto& [key, model] : {std::pair{"detections.model=", &options.detection_model},
                                   std::pair{"detections.joints_model=", &options.joints_model}})
    if (!model->empty()) check_or_fail(set_from_text(&project, key + *model));
  if (!options.joints_model.empty()) check_or_fail(project.parameters.set("skeletons", "enabled", 1));
  project.grid = choose_grid(options, project);
  // A grid that cannot be fitted is reported now rather than at the first run.
  const Result<VoxelGrid> grid = project.calibrated()
                                     ? project.effective_grid()
                                     : Result<VoxelGrid>(fail(ErrorKind::invalid_argument, "no calibration"));
  if (project.calibrated() && !grid) fail_command(grid.error());
  if (const Status saved = save_project(project, options.out); !saved) fail_command(saved.error());
  if (options.json) {
    print_json(json_of(options.out, project, cameras, grid, notes));
  } else {
    print_text(project, cameras, grid, notes);
    fmt::print("project written to {}\n", options.out);
  }
}

}  // namespace

void add_new(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand("new", "Make a project from videos and their calibration.");
  command->footer(
      "Cameras are matched to videos by name (the video's file or folder). Where each video has its own\n"
      "calibration file and no name matches, the order decides, which is reported; --map overrides it.\n"
      "Example: vantage-cli new --calibration calibration.toml --out hall.vantage cam1.mp4 cam2.mp4 "
      "cam3.mp4\n"
      "Example: vantage-cli new --calibration cam1/config.xml --calibration cam2/config.xml --unit-scale "
      "0.115\n"
      "         --background cam1/empty.avi --background cam2/empty.avi --out room.vantage cam1/video.avi "
      "cam2/video.avi\n"
      "Example: vantage-cli new --calibration calibration.toml night/\n"
      "         (night/cam1_20260101_220000.mp4, cam1_20260101_230000.mp4, ... are one camera)\n"
      "Example: vantage-cli new --calibration calibration.json --detections-rate 25 --out boxes.vantage\n"
      "         --detections cam1_det.txt --detections cam2_det.txt");
  command
      ->add_option("videos", options->videos,
                   "videos, folders of videos or image patterns (cam1/img_%04d.png), the base camera first; "
                   "none: cameras with detections only")
      ->type_name("VIDEO");
  command
      ->add_option("--rate", options->rate,
                   "frames/s of pictures, which state none, and of videos that state a wrong one")
      ->type_name("FRAMES/S")
      ->check(CLI::PositiveNumber);
  command
      ->add_option(
          "--calibration", options->calibrations,
          "calibration file; repeated where each camera has its own, named as the videos or in their order")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      ->add_option("--out", options->out, "the project to write; of one folder of videos, in it by its name")
      ->type_name("P.vantage");
  command->add_flag(
      "--apart", options->apart,
      "each file is a camera; else those whose names differ in date and time, in chapters, or in "
      "numbers within a camera's folder are one camera's");
  command->add_flag("--replace", options->replace,
                    "overwrite an existing project: its zones, rules and repairs are lost");
  command
      ->add_option("--unit-scale", options->unit_scale_m,
                   "metres per unit of the file, for files in board squares")
      ->type_name("METRES")
      ->check(CLI::PositiveNumber);
  command->add_option("--up-axis", options->up_axis, "the file's axis that points up: x, -x, y, -y, z, -z")
      ->check(CLI::IsMember({"x", "-x", "y", "-y", "z", "-z"}));
  command->add_flag("--mirror", options->mirror,
                    "the file's world is left-handed, or its cameras stand as in a mirror: y is negated");
  command
      ->add_option("--camera-type", options->camera_type,
                   "only the calibration's cameras of this type, for files with several (hd, vga)")
      ->type_name("TYPE");
  command
      ->add_option("--background", options->backgrounds,
                   "empty-scene clip, repeated in the order of the videos; - where there is none")
      ->type_name("CLIP")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--detections", options->detections,
          "boxes or keypoints of people in a camera's picture, a file or a folder with one a frame (" +
              detection_format_names() +
              "); repeated in the order of the videos, - where there is none; without videos one per camera")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      ->add_option("--detections-rate", options->detections_rate,
                   "frames/s of the detections; if absent as stated in the file, else the video's")
      ->type_name("FRAMES/S")
      ->check(CLI::PositiveNumber);
  command
      ->add_option(
          "--detections-offset", options->detections_offsets,
          "the detections' frame that belongs to frame 0 of the camera; repeated for each --detections")
      ->type_name("FRAMES")
      ->allow_extra_args(false);
  command
      ->add_option("--person-class", options->person_class,
                   "which classes of the detections are people, names or numbers (0, or person,rider); if "
                   "absent those with such names")
      ->type_name("CLASS");
  command
      ->add_option("--frames-by", options->frames_by,
                   "how the names of the detections' files or pictures number frames: 1, 2, ... (which "
                   "number in the name), time or order; if absent the number that counts")
      ->type_name("NUMBER");
  command
      ->add_option("--detection-model", options->detection_model,
                   "a model (ONNX) that finds people in the pictures while the project runs")
      ->type_name("FILE");
  command
      ->add_option(
          "--joints-model", options->joints_model,
          "a second model (RTMPose, ONNX) that finds the joints of these people; switches skeletons on")
      ->needs("--detection-model")
      ->type_name("FILE");
  command
      ->add_option("--size", options->size,
                   "size of the pictures, where there is neither video nor calibration")
      ->type_name("WIDTHxHEIGHT");
  command->add_option("--map", options->maps, "the calibrated camera that a video belongs to (repeatable)")
      ->type_name("VIDEO=CAMERA")
      ->allow_extra_args(false);
  command
      ->add_option("--cropped", options->crops,
                   "the video is the calibrated picture from this pixel on (repeatable)")
      ->type_name("VIDEO=X,Y")
      ->allow_extra_args(false);
  command
      ->add_option("--scaled", options->scaled,
                   "the video is the whole calibrated picture at another size (repeatable)")
      ->type_name("VIDEO")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--turned", options->turned,
          "the video is the calibrated picture turned by 90 degrees: right is clockwise (repeatable)")
      ->type_name("VIDEO=left|right")
      ->allow_extra_args(false);
  command->add_option("--voxel-size", options->voxel_size_m, "edge of a voxel in metres")
      ->type_name("METRES")
      ->check(CLI::PositiveNumber);
  command->add_option("--grid", options->grid, "the carved box in metres; the cameras' common view if absent")
      ->type_name("X0,Y0,Z0,X1,Y1,Z1")
      ->delimiter(',')
      ->expected(6);
  add_json_flag(*command, &options->json);
  command->callback([options] { make_new(*options); });
}

}  // namespace vantage::cli
