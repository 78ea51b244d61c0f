#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/command.h"
#include "app/cli/match_cameras.h"
#include "core/calibration/calibration.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage::cli {
namespace {

struct NewOptions {
  std::vector<std::string> calibrations, videos, backgrounds, maps, crops, scaled;
  std::string out, up_axis, camera_type;
  double unit_scale_m = 0, voxel_size_m = 0;
  std::vector<double> grid;
  bool json = false;
};

struct OpenedVideo {
  std::string path;
  VideoInfo info;
};

// What was read for one video.
struct MatchedCalibration {
  std::optional<Camera> camera;
  std::string source;  // "OpenCV XML cam1/config.xml: units of 0.115 m, z up"
};

std::vector<OpenedVideo> open_videos(const std::vector<std::string>& paths) {
  std::vector<OpenedVideo> videos;
  for (const std::string& path : paths) {
    const auto source = open_video(path, {});
    if (!source) fail_command(source.error());
    videos.push_back({path, (*source)->info()});
  }
  return videos;
}

Result<Calibration> read_one(const NewOptions& options, const std::string& path, const VideoInfo& video) {
  CalibrationOptions how;
  if (options.unit_scale_m > 0) how.unit_scale_m = options.unit_scale_m;
  if (!options.up_axis.empty()) how.up_axis = options.up_axis;
  how.width_px = video.width_px;
  how.height_px = video.height_px;
  how.camera_type = options.camera_type;
  return read_calibration(path, how);
}

std::string source_text(const Calibration& calibration, const std::string& path) {
  return calibration.format + " " + path + ": " + calibration.stated;
}

// One file with one camera for each video: file i belongs to video i.
bool is_one_each(const std::vector<Calibration>& files, size_t videos) {
  if (files.size() != videos) return false;
  for (const Calibration& file : files)
    if (file.cameras.size() != 1) return false;
  return true;
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

std::vector<MatchedCalibration> read_calibrations(const NewOptions& options,
                                                  const std::vector<OpenedVideo>& videos) {
  std::vector<MatchedCalibration> result(videos.size());
  const auto maps = parse_maps(options);
  if (options.calibrations.empty()) return result;
  std::vector<Calibration> files;
  for (size_t i = 0; i < options.calibrations.size(); ++i) {
    auto file = read_one(options, options.calibrations[i], videos[std::min(i, videos.size() - 1)].info);
    if (!file) fail_command(file.error());
    files.push_back(std::move(*file));
  }
  std::vector<std::string> names;
  std::vector<MatchedCalibration> cameras;
  for (size_t i = 0; i < files.size(); ++i)
    for (const Camera& camera : files[i].cameras) {
      names.push_back(camera.name());
      cameras.push_back({camera, source_text(files[i], options.calibrations[i])});
    }
  if (maps.empty() && is_one_each(files, videos.size())) return cameras;
  const auto matched = match_cameras(options.videos, names, maps);
  if (!matched) fail_command(matched.error());
  for (size_t i = 0; i < videos.size(); ++i) result[i] = cameras[(*matched)[i]];
  return result;
}

// ---- pictures of another size than the calibration's, explained by --cropped or --scaled

bool names_video(const std::string& name, const std::string& video) {
  const std::vector<std::string> names = names_of_video(video);
  return name == video || std::find(names.begin(), names.end(), name) != names.end();
}

// "cam02=4,0": the video is the calibrated picture from pixel (4, 0) on.
std::optional<std::pair<double, double>> find_crop(const NewOptions& options, const std::string& video) {
  for (const std::string& text : options.crops) {
    const size_t equals = text.rfind('=');
    int x = 0, y = 0, used = 0;
    const std::string values = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (std::sscanf(values.c_str(), "%d,%d%n", &x, &y, &used) != 2 ||
        used != static_cast<int>(values.size()) || x < 0 || y < 0)
      throw CLI::ValidationError("--cropped", "'" + text + "' is not of the form VIDEO=X,Y");
    if (names_video(text.substr(0, equals), video)) return std::pair<double, double>(x, y);
  }
  return std::nullopt;
}

// What most likely happened, as the option to give.
std::string likely_fit(const Camera& camera, const VideoInfo& info, const std::string& name) {
  const double sx = static_cast<double>(info.width_px) / camera.width_px(),
               sy = static_cast<double>(info.height_px) / camera.height_px();
  // Sizes are even for most codecs, so a scaled side may be off by a pixel or two.
  if (std::abs(sx * camera.height_px() - info.height_px) <= 2) {
    char times[32];
    std::snprintf(times, sizeof times, "%.4g", sx);
    return "Most likely it is the whole picture at " + std::string(times) + " times the size: --scaled " +
           name + ".";
  }
  if (sx <= 1 && sy <= 1)
    return "Most likely it is a part of the calibrated picture; were it the middle part: --cropped " + name +
           "=" + std::to_string((camera.width_px() - info.width_px) / 2) + "," +
           std::to_string((camera.height_px() - info.height_px) / 2) + ".";
  const bool wide = info.width_px > info.height_px, calibrated_wide = camera.width_px() > camera.height_px();
  if (wide != calibrated_wide)
    return "Most likely one of them is turned by a quarter: calibrate the picture as it is stored.";
  return "The sides do not keep their ratio, so it is most likely another camera's calibration: see --map.";
}

Camera fit_to_video(const NewOptions& options, const Camera& camera, const OpenedVideo& video) {
  const int width = video.info.width_px, height = video.info.height_px;
  if (camera.width_px() == width && camera.height_px() == height) return camera;
  PinholeCamera<double> model = camera.model();
  if (const auto crop = find_crop(options, video.path)) {
    model.cx_px -= crop->first, model.cy_px -= crop->second;
  } else if (std::any_of(options.scaled.begin(), options.scaled.end(),
                         [&](const std::string& name) { return names_video(name, video.path); })) {
    const double sx = static_cast<double>(width) / model.width_px,
                 sy = static_cast<double>(height) / model.height_px;
    model.fx_px *= sx, model.fy_px *= sy;
    model.cx_px = (model.cx_px + 0.5) * sx - 0.5, model.cy_px = (model.cy_px + 0.5) * sy - 0.5;
  } else {
    fail_command({ErrorKind::invalid_argument,
                  "the video has " + std::to_string(width) + "x" + std::to_string(height) +
                      " px, its calibration " + std::to_string(camera.width_px()) + "x" +
                      std::to_string(camera.height_px()) + " px",
                  video.path,
                  likely_fit(camera, video.info, names_of_video(video.path).front()) +
                      " (--scaled VIDEO: the whole picture at another size; --cropped VIDEO=X,Y: a part of "
                      "it, from pixel "
                      "X, Y on.)"});
  }
  model.width_px = width, model.height_px = height;
  Result<Camera> fitted = Camera::make(camera.name(), model);
  if (!fitted) fail_command(fitted.error());
  return std::move(*fitted);
}

// ---- the project

// The calibration's name, else the first of the video's own names that no other camera has.
std::string camera_name(const MatchedCalibration& calibration, const std::string& video,
                        const std::set<std::string>& taken) {
  std::vector<std::string> names = names_of_video(video);
  if (calibration.camera) names.insert(names.begin(), calibration.camera->name());
  for (const std::string& name : names)
    if (!name.empty() && !taken.contains(name)) return name;
  return "cam" + std::to_string(taken.size() + 1);
}

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

Project make_project(const NewOptions& options, const std::vector<OpenedVideo>& videos,
                     const std::vector<MatchedCalibration>& calibrations) {
  Project project;
  project.parameters = default_parameters();
  std::set<std::string> taken;
  const auto absolute = [](const std::string& path) {
    if (path.find("://") != std::string::npos) return path;
    return std::filesystem::absolute(path).lexically_normal().string();
  };
  for (size_t i = 0; i < videos.size(); ++i) {
    ProjectCamera camera;
    camera.name = camera_name(calibrations[i], videos[i].path, taken);
    taken.insert(camera.name);
    camera.video = absolute(videos[i].path);
    if (!options.backgrounds.empty() && options.backgrounds[i] != "-")
      camera.background = absolute(options.backgrounds[i]);
    if (calibrations[i].camera) {
      camera.calibration = fit_to_video(options, *calibrations[i].camera, videos[i]);
      camera.calibration->set_name(camera.name);
    }
    project.cameras.push_back(std::move(camera));
  }
  project.grid = choose_grid(options, project);
  return project;
}

void check_backgrounds(const NewOptions& options, const std::vector<OpenedVideo>& videos) {
  for (size_t i = 0; i < options.backgrounds.size(); ++i) {
    if (options.backgrounds[i] == "-") continue;
    const VideoInfo clip = open_videos({options.backgrounds[i]}).front().info;
    if (clip.width_px == videos[i].info.width_px && clip.height_px == videos[i].info.height_px) continue;
    fail_command({ErrorKind::invalid_argument, "is not of the same size as " + videos[i].path,
                  options.backgrounds[i], "Give the clips in the order of the videos."});
  }
}

void print_text(const Project& project, const std::vector<OpenedVideo>& videos,
                const std::vector<MatchedCalibration>& calibrations, const Result<VoxelGrid>& grid) {
  for (size_t i = 0; i < videos.size(); ++i) {
    const VideoInfo& info = videos[i].info;
    std::printf("%s: %s, %dx%d px, %s, %.6g frames/s\n", project.cameras[i].name.c_str(),
                videos[i].path.c_str(), info.width_px, info.height_px, info.codec.c_str(), info.frame_rate);
    if (calibrations[i].camera)
      std::printf("  calibration: camera %s of %s\n", calibrations[i].camera->name().c_str(),
                  calibrations[i].source.c_str());
    if (project.cameras[i].calibration) {
      const Eigen::Vector3d at = project.cameras[i].calibration->center_in_world_m();
      std::printf("  stands at x %.2f  y %.2f  z %.2f m\n", at.x(), at.y(), at.z());
    }
    if (!project.cameras[i].background.empty())
      std::printf("  empty-scene clip: %s\n", project.cameras[i].background.c_str());
  }
  if (!project.calibrated()) std::printf("no calibration: the chain will end at the foreground\n");
  if (grid)
    std::printf("grid: %dx%dx%d voxels of %g m from x %.2f  y %.2f  z %.2f m%s\n", grid->nx, grid->ny,
                grid->nz, grid->voxel_size_m, grid->origin_in_world_m[0], grid->origin_in_world_m[1],
                grid->origin_in_world_m[2], project.grid ? "" : " (fitted to the common view)");
}

void print_json(const std::string& out, const Project& project, const std::vector<OpenedVideo>& videos,
                const std::vector<MatchedCalibration>& calibrations, const Result<VoxelGrid>& grid) {
  nlohmann::ordered_json json = {{"project", out}, {"cameras", nlohmann::ordered_json::array()}};
  for (size_t i = 0; i < videos.size(); ++i) {
    nlohmann::ordered_json camera = {{"name", project.cameras[i].name},
                                     {"video", project.cameras[i].video},
                                     {"width_px", videos[i].info.width_px},
                                     {"height_px", videos[i].info.height_px},
                                     {"background", project.cameras[i].background},
                                     {"calibration", calibrations[i].source}};
    if (project.cameras[i].calibration) {
      const Eigen::Vector3d at = project.cameras[i].calibration->center_in_world_m();
      camera["center_in_world_m"] = {at.x(), at.y(), at.z()};
    }
    json["cameras"].push_back(std::move(camera));
  }
  if (grid)
    json["grid"] = {{"size_voxels", {grid->nx, grid->ny, grid->nz}}, {"voxel_size_m", grid->voxel_size_m}};
  std::printf("%s\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
}

void make_new(const NewOptions& options) {
  if (!options.backgrounds.empty() && options.backgrounds.size() != options.videos.size())
    throw CLI::ValidationError("--background",
                               "give one clip for each video, in the same order; - where there is none");
  const std::vector<OpenedVideo> videos = open_videos(options.videos);
  check_backgrounds(options, videos);
  const std::vector<MatchedCalibration> calibrations = read_calibrations(options, videos);
  const Project project = make_project(options, videos, calibrations);
  // A grid that cannot be fitted is told now rather than at the first run.
  const Result<VoxelGrid> grid = project.calibrated()
                                     ? project.effective_grid()
                                     : Result<VoxelGrid>(fail(ErrorKind::invalid_argument, "no calibration"));
  if (project.calibrated() && !grid) fail_command(grid.error());
  if (const Status saved = save_project(project, options.out); !saved) fail_command(saved.error());
  if (options.json) {
    print_json(options.out, project, videos, calibrations, grid);
  } else {
    print_text(project, videos, calibrations, grid);
    std::printf("project written to %s\n", options.out.c_str());
  }
}

}  // namespace

void add_new(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand("new", "Make a project from videos and their calibration.");
  command->footer(
      "Cameras are matched to videos by name (the video's file or folder), never by order, unless every "
      "video has its "
      "own\ncalibration file.\n"
      "Example: vantage-cli new --calibration calibration.toml --out hall.vantage cam1.mp4 cam2.mp4 "
      "cam3.mp4\n"
      "Example: vantage-cli new --calibration cam1/config.xml --calibration cam2/config.xml --unit-scale "
      "0.115\n"
      "         --background cam1/empty.avi --background cam2/empty.avi --out room.vantage cam1/video.avi "
      "cam2/video.avi");
  command
      ->add_option("videos", options->videos,
                   "videos or image patterns (cam1/img_%04d.png), the base camera first")
      ->required()
      ->type_name("VIDEO");
  command
      ->add_option(
          "--calibration", options->calibrations,
          "calibration file; repeated where each camera has its own, then in the order of the videos")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "the project to write")->required()->type_name("P.vantage");
  command
      ->add_option("--unit-scale", options->unit_scale_m,
                   "metres per unit of the file, for files in board squares")
      ->type_name("METRES")
      ->check(CLI::PositiveNumber);
  command->add_option("--up-axis", options->up_axis, "the file's axis that points up: x, -x, y, -y, z, -z")
      ->check(CLI::IsMember({"x", "-x", "y", "-y", "z", "-z"}));
  command
      ->add_option("--camera-type", options->camera_type,
                   "only the calibration's cameras of this type, for files with several (hd, vga)")
      ->type_name("TYPE");
  command
      ->add_option("--background", options->backgrounds,
                   "empty-scene clip, repeated in the order of the videos; - where there is none")
      ->type_name("CLIP")
      ->allow_extra_args(false);
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
  command->add_option("--voxel-size", options->voxel_size_m, "edge of a voxel in metres")
      ->type_name("METRES")
      ->check(CLI::PositiveNumber);
  command->add_option("--grid", options->grid, "the carved box in metres; the cameras' common view if absent")
      ->type_name("X0,Y0,Z0,X1,Y1,Z1")
      ->delimiter(',')
      ->expected(6);
  command->add_flag("--json", options->json, "print what was understood as JSON");
  command->callback([options] { make_new(*options); });
}

}  // namespace vantage::cli
