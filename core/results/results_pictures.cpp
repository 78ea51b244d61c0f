#include "core/results/results_pictures.h"

#include <cstdlib>

#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/optical_flow/flow_file.h"
#include "core/results/frame_pictures.h"
#include "core/results/vti.h"

namespace vantage {

namespace fs = std::filesystem;

std::string frame_file_name(int64_t frame, std::string_view extension) {
  return formatted("frame_%06lld.", static_cast<long long>(frame)) + std::string(extension);
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

// Its folder is there when this returns.
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

}  // namespace vantage
