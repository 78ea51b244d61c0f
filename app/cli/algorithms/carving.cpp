#include <fmt/core.h>
#include <cmath>
#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "app/cli/common/floor_text.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/carving/cut.h"
#include "core/image/backend/memory_transfer.h"
#include "core/image/image_files.h"
#include "core/metrics/tracking_metrics.h"
#include "core/people/occupancy/occupancy_map.h"
#include "core/people/people.h"
#include "core/project/project.h"
#include "core/results/drawn_masks.h"
#include "core/results/floor_counts.h"
#include "core/results/results_paths.h"
#include "core/results/results_pictures.h"
#include "core/results/shell_files.h"
#include "core/tracks/counting/entrances.h"

namespace vantage::cli {
namespace {

struct CarveOptions {
  ChainOptions chain;
  int64_t frame = -1;
  std::string masks, slice;
  std::vector<std::string> out;
  double threshold = -1, voxel_size_m = 0;
  bool json = false;
};

// One carved frame with the data for its files.
struct CarvedFrame {
  CarvedVolume volume;
  Carver::Arguments scene;
  std::vector<Image> indicators;  // as given to the carver
};

bool has_extension(const std::string& path, std::string_view extension) {
  return std::filesystem::path(path).extension() == extension;
}

const std::string* find_out(const CarveOptions& options, std::string_view extension) {
  for (const std::string& path : options.out)
    if (has_extension(path, extension)) return &path;
  return nullptr;
}

// The project's box, or the cameras' common view, in voxels of the requested size.
Result<VoxelGrid> choose_grid(const Project& project, double voxel_size_m) {
  if (voxel_size_m <= 0) return project.effective_grid();
  if (!project.grid)
    return fit_grid_to_common_view(project.calibrations(), voxel_size_m, kDefaultGridHeight_m);
  VoxelGrid grid = *project.grid;
  const auto resized = [&](int n) {
    return static_cast<int>(std::ceil(n * grid.voxel_size_m / voxel_size_m - 1e-6));
  };
  grid.nx = resized(grid.nx), grid.ny = resized(grid.ny), grid.nz = resized(grid.nz);
  grid.voxel_size_m = voxel_size_m;
  return grid;
}

Result<Image> mask_of_camera(const std::string& folder, const std::string& camera, int64_t frame) {
  if (const auto file = find_mask(folder, camera, frame)) return read_mask(*file, HostPool::shared());
  return fail(ErrorKind::not_found, "no mask " + mask_file(folder, camera, frame).string(), camera,
              "`vantage-cli segment` writes such masks.");
}

Carver::Arguments scene_of(const Project& project, const VoxelGrid& grid, int64_t frame) {
  Carver::Arguments scene;
  scene.grid = grid;
  scene.cameras = models_of(project.calibrations(frame));
  return scene;
}

Result<Image> on_host(Image image, const Backends& backends, int64_t frame) {
  if (!image || image.place() == MemoryPlace{}) return image;
  VANTAGE_ASSIGN(const auto transfer, backends.on_device().create<MemoryTransfer>({}));
  return transfer->download(image, frame, -1);
}

Result<CarvedFrame> carve_masks(const CarveOptions& options, const Project& project, const VoxelGrid& grid,
                                const Backends& backends) {
  CarvedFrame carved;
  carved.scene = scene_of(project, grid, options.frame);
  VANTAGE_ASSIGN(const auto transfer, backends.on_device().create<MemoryTransfer>({}));
  for (const ProjectCamera& camera : project.cameras) {
    VANTAGE_ASSIGN(Image mask, mask_of_camera(options.masks, camera.name, options.frame));
    VANTAGE_ASSIGN(mask, transfer->upload(mask, options.frame, static_cast<int>(carved.indicators.size())));
    carved.indicators.push_back(std::move(mask));
  }
  VANTAGE_ASSIGN(auto carver, backends.on_device().create<Carver>(carved.scene));
  carver->set_parameters(project.parameters.get<CarvingParameters>());
  VANTAGE_ASSIGN(carved.volume,
                 carver->carve(carved.indicators, options.chain.keep_confidence, options.frame));
  return carved;
}

Result<CarvedFrame> carve_recording(const CarveOptions& options, const OpenedChain& chain) {
  VANTAGE_ASSIGN(const FrameResultRef result,
                 chain.analysis->pipeline().frame(options.frame, {}, interrupted()));
  CarvedFrame carved{*result->volume(), scene_of(chain.project, result->volume()->grid, options.frame), {}};
  for (const ForegroundImages& images : result->foreground()->cameras)
    carved.indicators.push_back(images.indicator);
  return carved;
}

Status write_shell(const std::string& path, const CarvedVolume& volume, const VolumeCounts& counts,
                   const Backends& backends) {
  std::vector<uint32_t> ids;
  if (counts.shell > 0) {
    VANTAGE_ASSIGN(const Image shell_ids, Result<Image>(volume.shell_ids.get()));
    VANTAGE_ASSIGN(const Image image, on_host(shell_ids, backends, volume.frame));
    const uint32_t* first = image.view<uint32_t>().data;
    ids.assign(first, first + counts.shell);
  }
  return write_shell_ply(path, volume.grid, ids,
                         "shell of frame " + std::to_string(volume.frame) + ", metres, z up");
}

// Grey, 255 = 1; the world's y or z grows upwards in the picture. The file states its position.
Status write_cut(const std::string& path, const CarvedFrame& carved, const Project& project,
                 const CarveOptions& options, const Backends& backends) {
  std::vector<Image> indicators;
  for (const Image& image : carved.indicators) {
    VANTAGE_ASSIGN(Image host, on_host(image, backends, options.frame));
    indicators.push_back(std::move(host));
  }
  VANTAGE_ASSIGN(const VolumeCut cut, cut_volume(carved.scene, project.parameters.get<CarvingParameters>(),
                                                 indicators, parse_slice(options.slice)));
  const ImageView<const float> values = cut.confidence.view<float>();
  VANTAGE_ASSIGN(Image grey, Image::make(ImageType::u8, values.width, values.height, HostPool::shared()));
  const ImageView<uint8_t> pixels = grey.writable_view<uint8_t>();
  for (int v = 0; v < values.height; ++v)
    for (int u = 0; u < values.width; ++u)
      pixels.at(u, values.height - 1 - v) = static_cast<uint8_t>(std::lround(255 * values.at(u, v)));
  VANTAGE_TRY(write_png_gray(path, grey));
  if (!options.json)
    fmt::print(
        "slice {} of {}x{} voxels of {:g} m; centre of the lower left one at {:.3f}, {:.3f}, {:.3f} m\n",
        options.slice, values.width, values.height, carved.scene.grid.voxel_size_m, cut.origin_in_world_m[0],
        cut.origin_in_world_m[1], cut.origin_in_world_m[2]);
  return {};
}

Status write_files(const CarveOptions& options, const Project& project, const CarvedFrame& carved,
                   const VolumeCounts& counts, const Backends& backends) {
  if (const std::string* ply = find_out(options, ".ply"))
    VANTAGE_TRY(write_shell(*ply, carved.volume, counts, backends));
  if (const std::string* vti = find_out(options, ".vti")) {
    VANTAGE_ASSIGN(const Image confidence, on_host(carved.volume.confidence, backends, options.frame));
    VANTAGE_TRY(write_volume_vti(*vti, carved.volume.grid, confidence));
  }
  if (const std::string* png = find_out(options, ".png"))
    VANTAGE_TRY(write_cut(*png, carved, project, options, backends));
  return {};
}

void report(const CarveOptions& options, const Project& project, const CarvedFrame& carved,
            const Backends& backends) {
  const CarvedVolume& volume = carved.volume;
  const Result<VolumeCounts>& counts = volume.counts.get();
  if (!counts) fail_command(counts.error());
  if (const Status written = write_files(options, project, carved, *counts, backends); !written)
    fail_command(written.error());
  const double litres = volume.grid.liters(counts->occupied);
  const double threshold = project.parameters.get<CarvingParameters>().threshold;
  if (options.json) {
    const nlohmann::ordered_json json = {{"frame", volume.frame},
                                         {"litres", litres},
                                         {"occupied_voxels", counts->occupied},
                                         {"shell_voxels", counts->shell},
                                         {"threshold", threshold},
                                         {"voxel_size_m", volume.grid.voxel_size_m},
                                         {"size_voxels", {volume.grid.nx, volume.grid.ny, volume.grid.nz}},
                                         {"out", options.out}};
    print_json(json);
    return;
  }
  fmt::print(
      "frame {}: {:.1f} litres ({} voxels of {:g} m occupied, {} of them in the shell, threshold "
      "{:g})\n",
      volume.frame, litres, counts->occupied, volume.grid.voxel_size_m, counts->shell, threshold);
  for (const std::string& path : options.out) fmt::print("written: {}\n", path);
}

// Checks the combination of options before anything is opened.
void check_options(const CarveOptions& options) {
  for (const std::string& path : options.out)
    if (!has_extension(path, ".ply") && !has_extension(path, ".vti") && !has_extension(path, ".png"))
      throw CLI::ValidationError("--out", "'" + path + "' is not a .ply, .vti or .png file");
  if (!options.slice.empty()) parse_slice(options.slice);
  if (options.slice.empty() != (find_out(options, ".png") == nullptr))
    throw CLI::ValidationError("--slice", "a slice needs both --slice and a .png file with --out");
}

void carve(CarveOptions options) {
  check_options(options);
  options.chain.keep_confidence = find_out(options, ".vti") != nullptr;
  Project project = load_project_or_fail(options.chain);
  if (options.threshold >= 0)
    if (const Status set = project.parameters.set(kCarvingStage, "threshold", options.threshold); !set)
      throw CLI::ValidationError("--threshold", set.error().message());
  if (!project.calibrated())
    fail_command({ErrorKind::invalid_argument, "carving needs a calibration of every camera",
                  project.path.string(), "Make the project again with --calibration."});
  const Result<VoxelGrid> grid = choose_grid(project, options.voxel_size_m);
  if (!grid) fail_command(grid.error());
  project.grid = *grid;
  if (!options.masks.empty()) {
    const Backends backends = open_backends_or_fail(options.chain, nullptr);
    const Result<CarvedFrame> carved = carve_masks(options, project, *grid, backends);
    if (!carved) fail_command(carved.error());
    report(options, project, *carved, backends);
    return;
  }
  const OpenedChain chain = open_chain_or_fail(options.chain, std::move(project));
  cut_to_recording_or_fail({options.frame, options.frame + 1}, chain.analysis->source());
  const Result<CarvedFrame> carved = carve_recording(options, chain);
  if (!carved) fail_command(carved.error());
  report(options, chain.project, *carved, chain.backends);
}

}  // namespace

void add_carve(CLI::App& app) {
  auto options = std::make_shared<CarveOptions>();
  CLI::App* command = app.add_subcommand(
      "carve", "Carve one frame's volume; write its shell, its confidence or a slice of it.");
  command->footer(
      "Masks are DIR/CAMERA/frame_000425.png or DIR/CAMERA_frame_0425.png; above 127 is foreground.\n"
      "Example: vantage-cli carve hall.vantage --frame 425 --out shell.ply --masks masks --threshold 1 "
      "--voxel-size 0.01\n"
      "Example: vantage-cli carve hall.vantage --frame 425 --out volume.vti --out cut.png --slice z=1.0");
  add_chain_options(*command, options->chain);
  command->add_option("--frame", options->frame, "frame of the base camera, from 0")
      ->required()
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--out", options->out,
                   "what to write, by its extension (repeatable): .ply the shell's voxel centres, .vti the "
                   "confidence volume, .png the slice of --slice")
      ->required()
      ->type_name("FILE");
  command->add_option("--slice", options->slice, "a slice of the confidence: x=, y= or z= metres")
      ->type_name("AXIS=METRES");
  command->add_option("--masks", options->masks, "use these masks instead of the recording")
      ->type_name("DIR");
  command
      ->add_option("--threshold", options->threshold,
                   "share of the cameras that must agree; as carving.threshold")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--voxel-size", options->voxel_size_m, "edge of a voxel in metres")
      ->type_name("METRES")
      ->check(CLI::PositiveNumber);
  add_json_flag(*command, &options->json);
  command->callback([options] { carve(*options); });
}

namespace {

struct FloorOptions {
  std::string project, tracks;
  std::vector<std::string> entrances, areas, removed;
  bool learn = false, write = false, json = false;
  int64_t min = kMinUses;
};

void add_zones(const std::vector<std::string>& texts, ZoneKind kind, Project* project) {
  for (const std::string& text : texts) {
    auto [name, corners] = read_shape(text, 3);
    draw_shape(&project->zones, FloorZone{name, std::move(corners), kind});
  }
}

std::vector<LearnedEntrance> learn(const FloorOptions& options, const Project& project) {
  const std::filesystem::path folder = project.results_folder();
  const StoredResults results = value_or_fail(read_results(folder));
  if (results.frames.empty())
    fail_command({ErrorKind::not_found, "there are no frames in the results", folder.string(), "Run first."});
  const std::vector<PersonPath> paths = value_or_fail(
      read_paths(options.tracks.empty() ? folder / "tracks.csv" : std::filesystem::path(options.tracks)));
  return learn_entrances(paths, {results.frames.front().frame, results.frames.back().frame},
                         results.frame_rate, options.min);
}

nlohmann::ordered_json zone_json(const FloorZone& zone) {
  nlohmann::ordered_json corners = nlohmann::ordered_json::array();
  for (const Eigen::Vector2d& corner : zone.corners_m) corners.push_back({corner.x(), corner.y()});
  return {{"name", zone.name},
          {"kind", kZoneKindNames[static_cast<size_t>(zone.kind)]},
          {"corners_m", std::move(corners)}};
}

void floor(const FloorOptions& options) {
  auto [project, stamp] = read_project_or_fail(options.project);
  for (const std::string& name : options.removed)
    if (std::erase_if(project.zones, [&](const FloorZone& zone) { return zone.name == name; }) == 0)
      throw CLI::ValidationError("--remove", "no zone is named '" + name + "'");
  add_zones(options.entrances, ZoneKind::entrance, &project);
  add_zones(options.areas, ZoneKind::area, &project);
  nlohmann::ordered_json learned = nlohmann::ordered_json::array();
  if (options.learn)
    for (LearnedEntrance& entrance : learn(options, project)) {
      learned.push_back({{"name", entrance.zone.name},
                         {"appeared", entrance.appeared},
                         {"disappeared", entrance.disappeared}});
      draw_shape(&project.zones, std::move(entrance.zone));
    }
  if (options.write) write_project_or_fail(project, stamp);
  nlohmann::ordered_json json = {{"zones", nlohmann::ordered_json::array()}, {"learned", learned}};
  for (const FloorZone& zone : project.zones) json["zones"].push_back(zone_json(zone));
  if (options.json) {
    print_json(json);
    return;
  }
  for (const FloorZone& zone : project.zones)
    fmt::print("{}, {}: {}\n", zone.name, kZoneKindNames[static_cast<size_t>(zone.kind)],
               json_text(zone_json(zone)["corners_m"]));
  for (const auto& entrance : learned)
    fmt::print("{}: {} tracks appeared, {} disappeared\n", entrance["name"].get<std::string>(),
               entrance["appeared"].get<long long>(), entrance["disappeared"].get<long long>());
  if (!options.write) fmt::print("Not saved: --write writes the project.\n");
}

}  // namespace

void add_floor(CLI::App& app) {
  auto options = std::make_shared<FloorOptions>();
  CLI::App* command = app.add_subcommand(
      "floor", "Set the zones where people enter and where they can be, or learn them from tracks.");
  command->footer(
      "Entrances: paths (`track`, tracking.method=paths) start and end only there, and at the recording's "
      "ends.\n"
      "Areas: people are searched for only there, in any shape; without one everywhere in the region.\n"
      "Example: vantage-cli floor hall.vantage --entrance door=0,0,1,0,1,0.5,0,0.5 --write\n"
      "         vantage-cli floor hall.vantage --learn-entrances --tracks paths.csv --write");
  command->add_option("project", options->project, "a project")->required();
  command->add_option("--entrance", options->entrances, "a zone where people appear; may be repeated")
      ->type_name("NAME=X,Y,...");
  command->add_option("--area", options->areas, "a zone in which people can be; may be repeated")
      ->type_name("NAME=X,Y,...");
  command->add_option("--remove", options->removed, "a zone to remove; may be repeated")->type_name("NAME");
  command->add_flag("--learn-entrances", options->learn, "where tracks of the results begin and end");
  command->add_option("--tracks", options->tracks, "tracks to learn from, as paths.csv; tracks.csv if absent")
      ->type_name("FILE");
  command->add_option("--min-tracks,--least", options->min, "minimum number of tracks that make an entrance")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--write", options->write, "keep the zones in the project");
  add_json_flag(*command, &options->json);
  command->callback([options] { floor(*options); });
}

namespace {

struct OccupancyOptions {
  ChainOptions chain;
  std::string masks, out, map;
  bool json = false;
};

// The mapper on the chosen device, with the transfer of its masks.
struct OpenedMapper {
  TraceRecorder trace;
  Backends backends;
  std::unique_ptr<OccupancyMapper> mapper;
  std::unique_ptr<MemoryTransfer> transfer;

  OpenedMapper(const ChainOptions& options, const Project& project)
      : backends(open_backends_or_fail(options, &trace)) {
    OccupancyMapper::Arguments arguments{{}, value_or_fail(project.effective_grid()), project.areas()};
    for (const Camera& camera : project.calibrations()) arguments.cameras.push_back(camera.model());
    mapper = value_or_fail(backends.on_device(&trace).create<OccupancyMapper>(arguments));
    transfer = value_or_fail(backends.on_device(&trace).create<MemoryTransfer>({}));
    check_or_fail(mapper->prepare(project.parameters.get<MarginalParameters>()));
  }

  Image read(const std::string& path, int64_t frame) {
    return value_or_fail(transfer->upload(value_or_fail(read_png_gray(path, HostPool::shared())), frame, -1));
  }
};

std::string people_rows(int64_t frame, const std::vector<FloorPerson>& people) {
  std::string rows;
  TrackRow row;
  row.frame = frame + 1;
  for (const FloorPerson& person : people) {
    ++row.id;
    row.confidence = person.confidence, row.x_m = person.x_m, row.y_m = person.y_m;
    rows += mot_csv_row(row);
  }
  return rows;
}

void write_map(const std::string& path, const MarginalCells& cells, const std::vector<double>& q) {
  const Image image = value_or_fail(picture_of_cells<uint8_t>(cells.nx, cells.ny, [&](int x, int y) {
    return static_cast<uint8_t>(std::lround(255 * q[x + cells.nx * y]));
  }));
  const VoxelGrid grid{{cells.left_m, cells.low_m, 0}, cells.cell_m, cells.nx, cells.ny, 1};
  check_or_fail(write_png_gray(path, image, {kFloorScaleKeyword, floor_scale(grid, "255: probability 1")}));
}

void occupancy(const OccupancyOptions& options) {
  const Project project = load_project_or_fail(options.chain);
  if (!project.calibrated())
    fail_command({ErrorKind::invalid_argument, "occupancy needs a calibration of every camera",
                  project.path.string(), "Make the project again with --calibration."});
  const FrameRange range = parse_frames(options.chain.frames);
  const std::string masks =
      options.masks.empty() ? (project.results_folder() / "masks").string() : options.masks;
  OpenedMapper opened(options.chain, project);
  const OccupancyPlan& plan = opened.mapper->plan();
  const double separation_m = project.parameters.get<PeopleParameters>().separation_m;
  std::string rows;
  int64_t frames = 0, people = 0, iterations = 0;
  Marginals found;
  for (int64_t frame = range.begin; frame < range.end; ++frame) {
    if (!std::filesystem::exists(mask_file(masks, project.cameras.front().name, frame))) break;
    std::vector<Image> images;
    for (const ProjectCamera& camera : project.cameras)
      images.push_back(opened.read(mask_file(masks, camera.name, frame), frame));
    found = value_or_fail(opened.mapper->estimate(images, frame));
    const std::vector<FloorPerson> standing = plan.people_in_areas(found, separation_m);
    rows += people_rows(frame, standing);
    people += static_cast<int64_t>(standing.size());
    ++frames, iterations += found.iterations;
  }
  if (frames == 0)
    fail_command({ErrorKind::not_found, "there are no masks of these frames", masks,
                  "Run with --masks 1, or `vantage-cli segment`."});
  check_or_fail(write_file_atomically(options.out, rows));
  if (!options.map.empty()) write_map(options.map, plan.cells, found.probability);
  const auto n = static_cast<double>(frames);
  const nlohmann::ordered_json json = {{"frames", frames},
                                       {"mean_people", static_cast<double>(people) / n},
                                       {"mean_iterations", static_cast<double>(iterations) / n},
                                       {"out", options.out}};
  if (options.json)
    print_json(json);
  else
    fmt::print("{} frames, {:.1f} people and {:.0f} iterations on average\n{}\n", frames,
               static_cast<double>(people) / n, static_cast<double>(iterations) / n, options.out);
}

}  // namespace

void add_occupancy(CLI::App& app) {
  auto options = std::make_shared<OccupancyOptions>();
  CLI::App* command = app.add_subcommand(
      "occupancy", "Probability that a person stands in each cell of the floor, from masks alone.");
  command->footer(
      "The probabilistic occupancy map of Fleuret et al. 2008: people are rectangles in all pictures\n"
      "at once. Needs the masks of a run with --masks 1 (or of `segment`); writes the first ten columns\n"
      "of tracks.csv, with new IDs in each frame. Its parameters are occupancy.*;\n"
      "`run --set people.source=occupancy` tracks these people.\n"
      "Example: vantage-cli occupancy hall.vantage --frames 100:200 --out people.csv --map last.png");
  add_chain_options(*command, options->chain);
  add_frames_option(*command, options->chain);
  command
      ->add_option("--masks", options->masks, "folder with CAMERA/frame_000000.png; the results' if absent")
      ->type_name("DIR");
  command->add_option("--out", options->out, "CSV file")->required()->type_name("FILE");
  command->add_option("--map", options->map, "PNG file with the probabilities of the last frame")
      ->type_name("FILE");
  add_json_flag(*command, &options->json);
  command->callback([options] { occupancy(*options); });
}

}  // namespace vantage::cli
