#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/chain.h"
#include "core/backend/memory_transfer.h"
#include "core/image/png.h"
#include "core/project/ply.h"

namespace vantage::cli {
namespace {

struct CarveOptions {
  ChainOptions chain;
  int64_t frame = -1;
  std::string out, masks;
  double threshold = -1, voxel_size_m = 0;
  bool json = false;
};

// The project's box, or the cameras' common view, in voxels of the wanted size.
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

// DIR/CAMERA/frame_000425.png or DIR/CAMERA_frame_0425.png
Result<Image> read_mask(const std::string& folder, const std::string& camera, int64_t frame) {
  std::filesystem::path path = mask_path(folder, camera, frame);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    char name[48];
    std::snprintf(name, sizeof name, "_frame_%04lld.png", static_cast<long long>(frame));
    const std::filesystem::path flat = std::filesystem::path(folder) / (camera + name);
    if (!std::filesystem::exists(flat, ignored))
      return fail(ErrorKind::not_found, "no mask " + path.string() + " or " + flat.string(), camera,
                  "`vantage-cli segment` writes such masks.");
    path = flat;
  }
  VANTAGE_ASSIGN(const Image read, read_png_gray(path, HostPool::shared()));
  VANTAGE_ASSIGN(Image mask, Image::make(ImageType::u8, read.width(), read.height(), HostPool::shared()));
  const ImageView<const uint8_t> from = read.view<uint8_t>();
  const ImageView<uint8_t> to = mask.writable_view<uint8_t>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x) to.at(x, y) = from.at(x, y) > 127 ? 255 : 0;
  return mask;
}

Result<CarvedVolume> carve_masks(const CarveOptions& options, const Project& project, const VoxelGrid& grid,
                                 const Backends& backends) {
  const BackendContext context{nullptr, backends.device_index};
  Carver::Arguments arguments;
  arguments.grid = grid;
  std::vector<Image> masks;
  std::unique_ptr<MemoryTransfer> transfer;
  if (backends.device != Device::cpu) {
    VANTAGE_ASSIGN(transfer, backends.registry.create<MemoryTransfer>(backends.device, context, {}));
  }
  for (const ProjectCamera& camera : project.cameras) {
    arguments.cameras.push_back(camera.calibration->model());
    VANTAGE_ASSIGN(Image mask, read_mask(options.masks, camera.name, options.frame));
    if (transfer) {
      VANTAGE_ASSIGN(mask, transfer->upload(mask, options.frame, static_cast<int>(masks.size())));
    }
    masks.push_back(std::move(mask));
  }
  VANTAGE_ASSIGN(auto carver, backends.registry.create<Carver>(backends.device, context, arguments));
  carver->set_parameters(project.parameters.get<CarvingParameters>());
  return carver->carve(masks, false, options.frame);
}

Result<CarvedVolume> carve_recording(const CarveOptions& options, const OpenedChain& chain) {
  VANTAGE_ASSIGN(const FrameResultRef result,
                 chain.analysis->pipeline().frame(options.frame, {}, interrupted()));
  return *result->volume();
}

Result<std::vector<uint32_t>> shell_ids(const CarvedVolume& volume, const Backends& backends) {
  const Result<VolumeCounts>& counts = volume.counts.get();
  if (!counts) return fail(counts.error());
  std::vector<uint32_t> ids;
  if (counts->shell == 0) return ids;
  Image image = volume.shell_ids;
  if (backends.device != Device::cpu) {
    VANTAGE_ASSIGN(auto transfer, backends.registry.create<MemoryTransfer>(
                                      backends.device, {nullptr, backends.device_index}, {}));
    VANTAGE_ASSIGN(image, transfer->download(image, volume.frame, -1));
  }
  const uint32_t* first = image.view<uint32_t>().data;
  ids.assign(first, first + counts->shell);
  return ids;
}

void report(const CarveOptions& options, const Project& project, const CarvedVolume& volume,
            const Backends& backends) {
  const Result<std::vector<uint32_t>> ids = shell_ids(volume, backends);
  if (!ids) fail_command(ids.error());
  const VolumeCounts counts = volume.counts.get().value();
  const double litres = volume.grid.liters(counts.occupied);
  const double threshold = project.parameters.get<CarvingParameters>().threshold;
  if (!options.out.empty()) {
    const std::string comment = "shell of frame " + std::to_string(volume.frame) + ", metres, z up";
    if (const Status written = write_shell_ply(options.out, volume.grid, *ids, comment); !written)
      fail_command(written.error());
  }
  if (options.json) {
    const nlohmann::ordered_json json = {{"frame", volume.frame},
                                         {"litres", litres},
                                         {"occupied_voxels", counts.occupied},
                                         {"shell_voxels", counts.shell},
                                         {"threshold", threshold},
                                         {"voxel_size_m", volume.grid.voxel_size_m},
                                         {"size_voxels", {volume.grid.nx, volume.grid.ny, volume.grid.nz}},
                                         {"out", options.out}};
    std::printf("%s\n", json.dump(2).c_str());
    return;
  }
  std::printf(
      "frame %lld: %.1f litres (%lld voxels of %g m occupied, %lld of them in the shell, threshold %g)\n",
      static_cast<long long>(volume.frame), litres, static_cast<long long>(counts.occupied),
      volume.grid.voxel_size_m, static_cast<long long>(counts.shell), threshold);
  if (!options.out.empty()) std::printf("shell in %s\n", options.out.c_str());
}

void carve(const CarveOptions& options) {
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
    const Result<CarvedVolume> volume = carve_masks(options, project, *grid, backends);
    if (!volume) fail_command(volume.error());
    report(options, project, *volume, backends);
    return;
  }
  const OpenedChain chain = open_chain_or_fail(options.chain, std::move(project));
  cut_to_recording_or_fail({options.frame, options.frame + 1}, chain.analysis->recording());
  const Result<CarvedVolume> volume = carve_recording(options, chain);
  if (!volume) fail_command(volume.error());
  report(options, chain.project, *volume, chain.backends);
}

}  // namespace

void add_carve(CLI::App& app) {
  auto options = std::make_shared<CarveOptions>();
  CLI::App* command = app.add_subcommand("carve", "Carve one frame's volume and write its shell as PLY.");
  command->footer(
      "Masks are DIR/CAMERA/frame_000425.png or DIR/CAMERA_frame_0425.png; above 127 is foreground.\n"
      "Example: vantage-cli carve hall.vantage --frame 425 --out shell.ply --masks masks --threshold 1 "
      "--voxel-size 0.01");
  add_chain_options(*command, options->chain);
  command->add_option("--frame", options->frame, "frame of the base camera, from 0")
      ->required()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--out", options->out, "PLY file of the shell's voxel centres")
      ->required()
      ->type_name("FILE.ply");
  command->add_option("--masks", options->masks, "take these masks instead of the recording")
      ->type_name("DIR");
  command
      ->add_option("--threshold", options->threshold,
                   "share of the cameras that must agree; as carving.threshold")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--voxel-size", options->voxel_size_m, "edge of a voxel in metres")
      ->type_name("METRES")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->json, "print the figures as JSON");
  command->callback([options] { carve(*options); });
}

}  // namespace vantage::cli
