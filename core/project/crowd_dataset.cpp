#include "core/project/crowd_dataset.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "core/project/new_project.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

constexpr double kVoxel_m = 0.05;  // regions are large
constexpr double kTested = 0.1;    // last share of the frames, on which publications report

constexpr std::array<CrowdLayout, 2> kLayouts = {
    CrowdLayout{"wildtrack", "centimetres, cells of 2.5 cm from (-3, -9) m, 480 x 1440", {}, 0.01, 2},
    CrowdLayout{"multiviewx", "metres, cells of 2.5 cm from (0, 0), 1000 x 640", kMultiviewX, 1, 2}};

std::optional<int64_t> number_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  int64_t number = 0;
  const auto [end, code] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
  if (code != std::errc() || end != stem.data() + stem.size()) return std::nullopt;
  return number;
}

// Files of the folder by number, ascending; hidden files and others are left out.
Result<std::map<int64_t, fs::path>> numbered_files(const fs::path& folder) {
  std::error_code code;
  std::map<int64_t, fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (const auto number = number_of(entry.path())) files[*number] = entry.path();
  if (code || files.empty())
    return fail(ErrorKind::not_found, "no numbered files are here", folder.string(),
                "Give the folder that holds Image_subsets, calibrations and annotations_positions.");
  return files;
}

// C1, C2, … without gaps.
Result<std::vector<fs::path>> camera_folders(const fs::path& folder) {
  std::vector<fs::path> cameras;
  const fs::path parent = folder / "Image_subsets";
  for (int i = 1; fs::is_directory(parent / ("C" + std::to_string(i))); ++i)
    cameras.push_back(parent / ("C" + std::to_string(i)));
  if (!cameras.empty()) return cameras;
  return fail(ErrorKind::not_found, "there is no folder C1", parent.string(),
              "Give the folder that holds Image_subsets, calibrations and annotations_positions.");
}

Result<std::vector<fs::path>> extrinsics_of(const fs::path& folder, size_t cameras) {
  const fs::path parent = folder / "calibrations" / "extrinsic";
  std::error_code code;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(parent, code))
    if (entry.path().filename().string().starts_with("extr_") && entry.path().extension() == ".xml")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.size() == cameras) return files;
  return fail(code ? ErrorKind::not_found : ErrorKind::bad_data,
              std::to_string(files.size()) + " files extr_NAME.xml for " + std::to_string(cameras) +
                  " folders of pictures",
              parent.string(), "Copy the data set again.");
}

Result<std::vector<NewCamera>> read_cameras(const fs::path& folder, const CrowdLayout& layout,
                                            const std::string& up_axis,
                                            std::map<int64_t, fs::path>* pictures) {
  VANTAGE_ASSIGN(const std::vector<fs::path> folders, camera_folders(folder));
  VANTAGE_ASSIGN(const std::vector<fs::path> extrinsics, extrinsics_of(folder, folders.size()));
  CalibrationChoice choice;
  choice.unit_scale_m = layout.unit_m, choice.up_axis = up_axis;
  std::vector<NewCamera> cameras;
  for (size_t i = 0; i < folders.size(); ++i) {
    VANTAGE_ASSIGN(auto files, numbered_files(folders[i]));
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    if (i == 0) *pictures = files;
    if (!std::equal(files.begin(), files.end(), pictures->begin(), pictures->end(), same))
      return fail(ErrorKind::bad_data, "its pictures have other numbers than those of C1",
                  folders[i].string(), "Copy the data set again.");
    NewCamera& camera = cameras.emplace_back();
    camera.video = folders[i].string(), camera.frame_rate = layout.frame_rate;
    VANTAGE_ASSIGN(const auto source, open_video(camera.video, {}));
    camera.info = source->info();
    VANTAGE_ASSIGN(
        std::vector<CalibratedCamera> read,
        read_calibrated_cameras(extrinsics[i].string(), choice, camera.info.width_px, camera.info.height_px));
    camera.calibration = std::move(read.front());
    camera.calibration->camera.set_name(folders[i].filename().string());
  }
  return cameras;
}

bool below_the_floor(const std::vector<NewCamera>& cameras) {
  const auto below = std::count_if(cameras.begin(), cameras.end(), [](const NewCamera& camera) {
    return camera.calibration->camera.center_in_world_m().z() < 0;
  });
  return 2 * static_cast<size_t>(below) > cameras.size();
}

// Ground truth of the pictures that exist. `turn`: 1, or -1 where y and z of the world were turned.
Result<std::vector<TrackRow>> read_truth(const fs::path& folder, const CrowdLayout& layout, double turn,
                                         const std::map<int64_t, fs::path>& pictures) {
  WildtrackOptions options;
  options.grid = layout.grid;
  VANTAGE_ASSIGN(const WildtrackTracks read, read_wildtrack(folder / "annotations_positions", options));
  std::vector<TrackRow> rows;
  for (TrackRow row : read.rows) {
    const auto picture = pictures.find(row.frame - 1);  // rows count from 1, files from 0
    if (picture == pictures.end()) continue;
    row.frame = std::distance(pictures.begin(), picture) + 1;
    row.y_m *= turn;
    rows.push_back(row);
  }
  return rows;
}

FloorRectangle region_of(const AnnotationGrid& grid, double turn) {
  const double right_m = grid.left_m + grid.columns * grid.cell_m,
               high_m = grid.low_m + grid.rows * grid.cell_m;
  return {grid.left_m, std::min(turn * grid.low_m, turn * high_m), right_m,
          std::max(turn * grid.low_m, turn * high_m)};
}

VoxelGrid grid_over(const FloorRectangle& region) {
  const auto cells = [](double from, double to) {
    return static_cast<int>(std::ceil((to - from) / kVoxel_m));
  };
  return {{region.min_x_m, region.min_y_m, 0},
          kVoxel_m,
          cells(region.min_x_m, region.max_x_m),
          cells(region.min_y_m, region.max_y_m),
          cells(0, kDefaultGridHeight_m)};
}

}  // namespace

std::span<const CrowdLayout> crowd_layouts() {
  return kLayouts;
}

Result<CrowdDataset> read_crowd_dataset(const fs::path& folder, const CrowdLayout& layout,
                                        const std::vector<std::string>& detections) {
  std::map<int64_t, fs::path> pictures;
  VANTAGE_ASSIGN(std::vector<NewCamera> cameras, read_cameras(folder, layout, "z", &pictures));
  const bool turned = below_the_floor(cameras);
  if (turned) {
    VANTAGE_ASSIGN(cameras, read_cameras(folder, layout, "-z", &pictures));
  }
  if (!detections.empty() && detections.size() != cameras.size())
    return fail(ErrorKind::invalid_argument,
                std::to_string(detections.size()) + " files of detections for " +
                    std::to_string(cameras.size()) + " cameras",
                folder.string(), "Give one for each camera, in the order C1, C2, …");
  for (size_t i = 0; i < detections.size(); ++i) {
    cameras[i].detections.file = detections[i];
    cameras[i].detections.frame_rate = layout.frame_rate;
  }
  CrowdDataset dataset;
  const double turn = turned ? -1 : 1;
  VANTAGE_ASSIGN(dataset.project, assemble_project(cameras));
  dataset.region = region_of(layout.grid, turn);
  dataset.project.grid = grid_over(dataset.region);
  VANTAGE_ASSIGN(dataset.truth, read_truth(folder, layout, turn, pictures));
  dataset.frames = static_cast<int64_t>(pictures.size());
  dataset.first_test_frame = dataset.frames - std::llround(kTested * static_cast<double>(dataset.frames));
  return dataset;
}

}  // namespace vantage
