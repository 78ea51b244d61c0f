#include "core/results/results_pictures.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/image/image_files.h"
#include "core/optical_flow/flow_file.h"
#include "core/results/floor_counts.h"
#include "core/results/shell_files.h"

namespace vantage {

namespace fs = std::filesystem;

std::string frame_file_name(int64_t frame, std::string_view extension) {
  return fmt::format("frame_{:06}.", frame) + std::string(extension);
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

// Creates the file's folder.
Result<fs::path> ResultsPictures::file(const fs::path& place, int64_t frame, std::string_view extension) {
  VANTAGE_TRY(make_folder(folder_ / place));
  const fs::path path = folder_ / place / frame_file_name(frame, extension);
  written_.insert(path);
  return path;
}

Status ResultsPictures::write_shell(const CarvedVolume& volume) {
  VANTAGE_ASSIGN(const std::string shell, encode_shell(volume, *transfer_));
  VANTAGE_ASSIGN(const fs::path path, file("shells", volume.frame, "ply"));
  return write_file_atomically(path, shell);
}

Status ResultsPictures::write_volume(const CarvedVolume& volume) {
  VANTAGE_ASSIGN(const Image confidence, on_host(volume.confidence, *transfer_, volume.frame));
  VANTAGE_ASSIGN(const fs::path path, file("volumes", volume.frame, "vti"));
  return write_volume_vti(path, volume.grid, confidence);
}

Status ResultsPictures::write_floor_map(const FloorMap& map) {
  VANTAGE_ASSIGN(const std::string picture, encode_floor_map(map));
  VANTAGE_ASSIGN(const fs::path path, file("floor", map.frame, "png"));
  VANTAGE_TRY(write_file_atomically(path, picture));
  return write_file_atomically(folder_ / "floor" / "scale.json", floor_map_scale(map.grid) + "\n");
}

Status ResultsPictures::write_masks(const ForegroundArtifact& foreground, int64_t frame) {
  for (size_t i = 0; i < cameras_.size(); ++i) {
    const Result<std::string> mask = encode_mask(foreground, i);
    if (!mask && mask.error().kind == ErrorKind::not_found) continue;  // the camera has no frame here
    if (!mask) return fail(mask.error());
    VANTAGE_ASSIGN(const fs::path path, file(fs::path("masks") / cameras_.at(i), frame, "png"));
    VANTAGE_TRY(write_file_atomically(path, *mask));
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
  VANTAGE_ASSIGN(const std::string picture, encode_coverage(grid, coverage));
  return write_file_atomically(folder_ / "coverage.png", picture);
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

namespace {

constexpr double kGreyStep_m = 0.001;  // one grey level of 16 bits

uint16_t grey_of_length(double length_m) {
  return static_cast<uint16_t>(std::clamp<long>(std::lround(length_m / kGreyStep_m), 0, 65535));
}

}  // namespace

std::string floor_scale(const VoxelGrid& grid, const std::string& value) {
  return json_text(nlohmann::ordered_json{{"metres_per_pixel", grid.voxel_size_m},
                                          {"x_m", grid.center(0, 0)},
                                          {"y_m", grid.center(1, 0)},
                                          {"value", value}});
}

std::string floor_map_scale(const VoxelGrid& grid) {
  return floor_scale(grid, "millimetres of occupied voxels over the cell");
}

Result<Image> on_host(const Image& image, MemoryTransfer& transfer, int64_t frame) {
  if (!image || image.place() == MemoryPlace{}) return image;
  return transfer.download(image, frame, -1);
}

Result<std::string> encode_shell(const CarvedVolume& volume, MemoryTransfer& transfer) {
  const Result<VolumeCounts>& counts = volume.counts.get();
  if (!counts) return fail(counts.error());
  std::vector<uint32_t> ids;
  if (counts->shell > 0) {
    const Result<Image>& shell_ids = volume.shell_ids.get();
    if (!shell_ids) return fail(shell_ids.error());
    VANTAGE_ASSIGN(const Image image, on_host(*shell_ids, transfer, volume.frame));
    const uint32_t* first = image.view<uint32_t>().data;
    ids.assign(first, first + counts->shell);
  }
  return encode_shell_ply(volume.grid, ids,
                          "shell of frame " + std::to_string(volume.frame) + ", metres, z up");
}

Result<std::string> encode_floor_map(const FloorMap& map) {
  const ImageView<const uint16_t> columns = map.columns.view<uint16_t>();
  VANTAGE_ASSIGN(const Image picture,
                 picture_of_cells<uint16_t>(columns.width, columns.height, [&](int x, int y) {
                   return grey_of_length(columns.at(x, y) * map.grid.voxel_size_m);
                 }));
  return encode_png_gray(picture, {kFloorScaleKeyword, floor_map_scale(map.grid)});
}

Result<std::string> encode_mask(const ForegroundArtifact& foreground, size_t camera) {
  const Result<std::vector<Image>>& masks = foreground.host_masks.get();
  if (!masks) return fail(masks.error());
  if (camera >= masks->size() || !masks->at(camera))
    return fail(ErrorKind::not_found, "the camera has no picture of this frame");
  return encode_png_gray(masks->at(camera));
}

Result<std::string> encode_camera_flow(const FlowArtifact& flow, size_t camera) {
  if (camera >= flow.cameras.size() || !flow.cameras[camera].field)
    return fail(ErrorKind::not_found, "the camera has no flow of this frame");
  return encode_flo(flow.cameras[camera].field);
}

Result<std::string> encode_flow_confidence(const FlowArtifact& flow, size_t camera) {
  if (camera >= flow.cameras.size() || !flow.cameras[camera].field)
    return fail(ErrorKind::not_found, "the camera has no flow of this frame");
  if (!flow.cameras[camera].field.confidence)
    return fail(ErrorKind::not_found, "the flow's confidence is not estimated", {},
                "Run with --set flow.confidence=true.");
  return encode_png_gray(flow.cameras[camera].field.confidence);
}

Result<std::string> encode_heights(const HeightEstimate& estimate) {
  const ImageView<const float> heights_m = estimate.heights_m.view<float>();
  VANTAGE_ASSIGN(Image picture,
                 Image::make(ImageType::u16, heights_m.width, heights_m.height, HostPool::shared()));
  const ImageView<uint16_t> to = picture.writable_view<uint16_t>();
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      const float height_m = heights_m.at(x, y);
      to.at(x, y) = std::isnan(height_m) ? uint16_t{0} : grey_of_length(height_m);
    }
  return encode_png_gray(picture, {"Vantage heights", "millimetres above the floor; 0: no head"});
}

Result<std::string> encode_coverage(const VoxelGrid& grid, const FloorCoverage& coverage) {
  const int step = 255 / std::max(coverage.cameras, 1);
  VANTAGE_ASSIGN(const Image picture, picture_of_cells<uint8_t>(coverage.nx, coverage.ny, [&](int x, int y) {
                   return static_cast<uint8_t>(coverage.seeing(x, y) * step);
                 }));
  const std::string scale =
      floor_scale(grid, std::to_string(step) + " for each camera that sees the cell at 0 m and at 1 m");
  return encode_png_gray(picture, {kFloorScaleKeyword, scale});
}

}  // namespace vantage
