#include "core/project/results_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/image/png.h"
#include "core/optical_flow/flow_file.h"
#include "core/project/ply.h"
#include "core/project/vti.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScaleKeyword = "Vantage floor";
constexpr double kFloorStep_m = 0.001;  // of a grey level in floor maps

// The lowest row of cells becomes the lowest row of the picture.
template <class Pixel, class Value>
Result<Image> floor_picture(ImageType type, int nx, int ny, Value value) {
  VANTAGE_ASSIGN(Image image, Image::make(type, nx, ny, HostPool::shared()));
  const ImageView<Pixel> to = image.writable_view<Pixel>();
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) to.at(x, ny - 1 - y) = value(x, y);
  return image;
}

}  // namespace

std::string frame_file_name(int64_t frame, std::string_view extension) {
  char name[48];
  std::snprintf(name, sizeof name, "frame_%06lld.", static_cast<long long>(frame));
  return name + std::string(extension);
}

std::string floor_scale(const VoxelGrid& grid, const std::string& value) {
  return nlohmann::ordered_json{{"metres_per_pixel", grid.voxel_size_m},
                                {"x_m", grid.center(0, 0)},
                                {"y_m", grid.center(1, 0)},
                                {"value", value}}
      .dump();
}

ResultsPictures::ResultsPictures(fs::path folder, std::vector<std::string> cameras,
                                 const ResultsPictureOptions& options,
                                 std::shared_ptr<MemoryTransfer> transfer)
    : folder_(std::move(folder)),
      cameras_(std::move(cameras)),
      options_(options),
      transfer_(std::move(transfer)) {}

Status ResultsPictures::write(const FrameResult& result) {
  const auto due = [&result](int64_t every) { return every > 0 && result.frame % every == 0; };
  if (const CarvedVolume* volume = result.volume(); volume && due(options_.shells))
    VANTAGE_TRY(write_shell(*volume));
  if (const CarvedVolume* volume = result.volume(); volume && due(options_.volumes))
    VANTAGE_TRY(write_volume(*volume));
  if (const FloorMap* map = result.floor_map(); map && due(options_.floor_maps))
    VANTAGE_TRY(write_floor_map(*map));
  if (const ForegroundArtifact* foreground = result.foreground(); foreground && due(options_.masks))
    VANTAGE_TRY(write_masks(*foreground, result.frame));
  if (const FlowArtifact* flow = result.flow(); flow && due(options_.flows))
    VANTAGE_TRY(write_flows(*flow, result.frame));
  return {};
}

Result<Image> ResultsPictures::on_host(Image image, int64_t frame, int camera) const {
  if (!image || image.place() == MemoryPlace{}) return image;
  if (!transfer_)
    return fail(ErrorKind::unsupported, "pictures lie on a device and nothing fetches them",
                folder_.string());
  return transfer_->download(image, frame, camera);
}

// Its folder is there when this returns.
Result<fs::path> ResultsPictures::file(const fs::path& place, int64_t frame, std::string_view extension) {
  VANTAGE_TRY(make_folder(folder_ / place));
  const fs::path path = folder_ / place / frame_file_name(frame, extension);
  written_.insert(path);
  return path;
}

Status ResultsPictures::write_shell(const CarvedVolume& volume) {
  const Result<VolumeCounts>& counts = volume.counts.get();
  if (!counts) return fail(counts.error());
  std::vector<uint32_t> ids;
  if (counts->shell > 0) {
    VANTAGE_ASSIGN(const Image shell_ids, Result<Image>(volume.shell_ids.get()));
    VANTAGE_ASSIGN(const Image image, on_host(shell_ids, volume.frame, -1));
    const uint32_t* first = image.view<uint32_t>().data;
    ids.assign(first, first + counts->shell);
  }
  VANTAGE_ASSIGN(const fs::path path, file("shells", volume.frame, "ply"));
  return write_shell_ply(path, volume.grid, ids,
                         "shell of frame " + std::to_string(volume.frame) + ", metres, z up");
}

Status ResultsPictures::write_volume(const CarvedVolume& volume) {
  VANTAGE_ASSIGN(const Image confidence, on_host(volume.confidence, volume.frame, -1));
  VANTAGE_ASSIGN(const fs::path path, file("volumes", volume.frame, "vti"));
  return write_volume_vti(path, volume.grid, confidence);
}

Status ResultsPictures::write_floor_map(const FloorMap& map) {
  const ImageView<const uint16_t> columns = map.columns.view<uint16_t>();
  const double steps = map.grid.voxel_size_m / kFloorStep_m;
  VANTAGE_ASSIGN(const Image picture,
                 floor_picture<uint16_t>(ImageType::u16, columns.width, columns.height, [&](int x, int y) {
                   return static_cast<uint16_t>(std::min<long>(std::lround(columns.at(x, y) * steps), 65535));
                 }));
  VANTAGE_ASSIGN(const fs::path path, file("floor", map.frame, "png"));
  const std::string scale = floor_scale(map.grid, "millimetres of occupied voxels over the cell");
  VANTAGE_TRY(write_png_gray(path, picture, {kScaleKeyword, scale}));
  return write_file_atomically(folder_ / "floor" / "scale.json", scale + "\n");
}

Status ResultsPictures::write_masks(const ForegroundArtifact& foreground, int64_t frame) {
  const Result<std::vector<Image>>& masks = foreground.host_masks.get();
  if (!masks) return fail(masks.error());
  for (size_t i = 0; i < masks->size(); ++i) {
    const Image& mask = masks->at(i);
    if (!mask) continue;  // the camera has no frame here
    VANTAGE_ASSIGN(const fs::path path, file(fs::path("masks") / cameras_.at(i), frame, "png"));
    VANTAGE_TRY(write_png_gray(path, mask));
  }
  return {};
}

Status ResultsPictures::write_flows(const FlowArtifact& flow, int64_t frame) {
  for (size_t i = 0; i < flow.cameras.size(); ++i) {
    if (!flow.cameras[i].field) continue;  // no two pictures in a row
    VANTAGE_ASSIGN(const fs::path path, file(fs::path("flow") / cameras_.at(i), frame, "flo"));
    VANTAGE_TRY(write_flo(path, flow.cameras[i].field));
  }
  return {};
}

Status ResultsPictures::write_coverage(const VoxelGrid& grid, const FloorCoverage& coverage) {
  const int step = 255 / std::max(coverage.cameras, 1);
  VANTAGE_ASSIGN(const Image picture,
                 floor_picture<uint8_t>(ImageType::u8, coverage.nx, coverage.ny, [&](int x, int y) {
                   return static_cast<uint8_t>(coverage.seeing(x, y) * step);
                 }));
  const std::string scale =
      floor_scale(grid, std::to_string(step) + " for each camera that sees the cell at 0 m and at 1 m");
  return write_png_gray(folder_ / "coverage.png", picture, {kScaleKeyword, scale});
}

void ResultsPictures::remove_older(const std::set<int64_t>& staying) {
  std::error_code code;
  for (const char* place : {"shells", "floor", "masks", "flow", "volumes"}) {
    std::vector<fs::path> older;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / place, code)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("frame_") || written_.contains(entry.path())) continue;
      if (!staying.contains(std::atoll(name.c_str() + 6))) older.push_back(entry.path());
    }
    for (const fs::path& path : older) fs::remove(path, code);
  }
}

}  // namespace vantage
