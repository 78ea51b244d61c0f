#include "core/synth/synth.h"

#include <tbb/parallel_for.h>

#include <atomic>
#include <mutex>

#include "core/base/file.h"
#include "core/base/output_folder.h"
#include "core/calibration/formats/calibration.h"
#include "core/image/image_files.h"
#include "core/project/missing_files.h"
#include "core/project/project.h"
#include "core/synth/detail/renderer.h"
#include "core/synth/detail/truth.h"
#include "core/video/video_writer.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;
using namespace synth;

constexpr int64_t empty_clip_frames = 25;
constexpr double grid_height_m = 2.2, grid_voxel_m = 0.04;

// Counts frames over all cameras and passes the share on, one caller at a time.
class Tally {
 public:
  Tally(const std::function<void(double)>& progress, int64_t total) : progress_(progress), total_(total) {}
  void count() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (progress_) progress_(static_cast<double>(done_) / static_cast<double>(total_));
  }

 private:
  std::mutex mutex_;
  const std::function<void(double)>& progress_;
  int64_t done_ = 0, total_;
};

tl::unexpected<Error> stopped() {
  return fail(ErrorKind::cancelled, "rendering was stopped; nothing was saved");
}

// One camera's part of the work: its two videos and its masks.
class CameraJob {
 public:
  // `bumped`: the scene with the cameras as they stand after their bumps.
  CameraJob(const Scene& scene, const Scene& bumped, int camera, fs::path folder, Tally& tally,
            const StopSource& stop)
      : scene_(scene),
        bumped_(bumped),
        camera_(camera),
        folder_(std::move(folder)),
        tally_(tally),
        stop_(stop) {}

  Status run() {
    if (stop_.stop_requested()) return stopped();
    VANTAGE_ASSIGN(Renderer renderer, Renderer::make(scene_, camera_));
    VANTAGE_TRY(encode(name() + "_empty.mp4", empty_clip_frames,
                       [&](int64_t frame) { return renderer.render_empty(frame); }));
    const CameraClock& clock = scene_.clocks[camera_];
    PixelTruth truth(renderer.view());
    BoxRows boxes;
    const Bump* coming = bump_of(scene_.options, camera_);
    VANTAGE_TRY(encode(name() + ".mp4", clock.frame_count(), [&](int64_t frame) -> Result<Picture> {
      const std::vector<Body> bodies = pose_all(scene_, clock.time_s(frame));
      if (coming && clock.time_s(frame) >= coming->time_s) {
        VANTAGE_ASSIGN(renderer, Renderer::make(bumped_, camera_));  // `truth` sees through its view, too
        coming = nullptr;
      }
      truth.draw(bodies, scene_.looks.size());
      append_box_rows(scene_, clock, frame, truth.appearances(), bodies, &boxes);
      if (frame % scene_.options.truth_interval_frames == 0) VANTAGE_TRY(write_pictures(truth, frame));
      return renderer.render(bodies, frame);
    }));
    VANTAGE_TRY(write_file_atomically(folder_ / "truth" / ("boxes_" + name() + ".csv"), boxes.persons));
    return write_file_atomically(folder_ / "truth" / ("heads_" + name() + ".csv"), boxes.heads);
  }

 private:
  const std::string& name() const { return scene_.cameras[camera_].name(); }

  Status encode(const std::string& file, int64_t frames,
                const std::function<Result<Picture>(int64_t)>& render) {
    VideoWriterOptions options;
    options.frame_rate = scene_.options.frame_rate;
    options.b_frames = scene_.options.b_pictures;
    VANTAGE_ASSIGN(
        auto writer,
        VideoWriter::open(folder_ / file, picture_format(scene_.options.width_px, scene_.options.height_px),
                          options));
    for (int64_t frame = 0; frame < frames; ++frame) {
      if (stop_.stop_requested()) return stopped();
      VANTAGE_ASSIGN(const Picture picture, render(frame));
      VANTAGE_TRY(writer->write(picture));
      tally_.count();
    }
    return writer->finish();
  }

  Status write_pictures(const PixelTruth& truth, int64_t frame) {
    VANTAGE_ASSIGN(const Image mask, truth.mask());
    const fs::path mask_path = truth_picture_path(folder_, "masks", name(), frame, "png");
    VANTAGE_TRY(make_folder(mask_path.parent_path()));
    VANTAGE_TRY(write_png_gray(mask_path, mask));
    if (scene_.options.persons) {
      VANTAGE_ASSIGN(const Image persons, truth.persons());
      const fs::path persons_path = truth_picture_path(folder_, "persons", name(), frame, "png");
      VANTAGE_TRY(make_folder(persons_path.parent_path()));
      VANTAGE_TRY(write_png_gray(persons_path, persons));
    }
    if (!scene_.options.head_heights) return {};
    VANTAGE_ASSIGN(const Image heights, truth.head_heights());
    const fs::path heights_path = truth_picture_path(folder_, "heights", name(), frame, "pfm");
    VANTAGE_TRY(make_folder(heights_path.parent_path()));
    return write_pfm(heights_path, heights);
  }

  const Scene &scene_, &bumped_;
  const int camera_;
  const fs::path folder_;
  Tally& tally_;
  const StopSource& stop_;
};

// Cameras are independent of each other. The first error stops the others.
Status render_cameras(const Scene& scene, const fs::path& folder, const std::function<void(double)>& progress,
                      const StopSource& stop) {
  const int cameras = scene.options.cameras;
  VANTAGE_ASSIGN(const Scene bumped, scene_after_bumps(scene));
  int64_t frames = cameras * empty_clip_frames;
  for (const CameraClock& clock : scene.clocks) frames += clock.frame_count();
  Tally tally(progress, frames);
  std::mutex mutex;
  Status first_error;
  std::atomic<bool> failed = false;
  tbb::parallel_for(
      0, cameras,
      [&](int camera) {
        if (failed) return;
        Status status = CameraJob(scene, bumped, camera, folder, tally, stop).run();
        if (status) return;
        const std::lock_guard lock(mutex);
        if (!failed.exchange(true)) first_error = std::move(status);
      },
      tbb::simple_partitioner());
  return first_error;
}

// Covers the area people walk in.
VoxelGrid grid_of(double area_m) {
  VoxelGrid grid;
  grid.voxel_size_m = grid_voxel_m;
  grid.origin_in_world_m[0] = grid.origin_in_world_m[1] = -area_m / 2;
  grid.nx = grid.ny = static_cast<int>(std::ceil(area_m / grid_voxel_m - 1e-9));
  grid.nz = static_cast<int>(std::ceil(grid_height_m / grid_voxel_m - 1e-9));
  return grid;
}

// Videos are named as they will lie in `target`.
Project make_project(const Scene& scene, const fs::path& target) {
  Project project;
  project.parameters = default_parameters();
  project.grid = grid_of(scene.options.area_m);
  for (size_t i = 0; i < scene.cameras.size(); ++i) {
    const Camera& camera = scene.cameras[i];
    ProjectCamera& entry = project.cameras.emplace_back();
    entry.name = camera.name();
    entry.video = (target / (camera.name() + ".mp4")).string();
    entry.background = (target / (camera.name() + "_empty.mp4")).string();
    entry.calibration = camera;
    if (!scene.options.write_offsets) continue;
    entry.offset_frames = scene.clocks[i].offset_frames();
    if (scene.clocks[i].drift_ppm() != 0) entry.frame_rate = scene.clocks[i].true_frame_rate();
  }
  return project;
}

Status write_tables(const Scene& scene, const fs::path& folder) {
  const TruthTables truth = make_truth(scene);
  VANTAGE_TRY(make_folder(folder / "truth"));
  VANTAGE_TRY(write_file_atomically(folder / "truth" / "tracks.csv", truth.tracks));
  VANTAGE_TRY(write_file_atomically(folder / "truth" / "heads.csv", truth.heads));
  VANTAGE_TRY(write_file_atomically(folder / "truth" / "sync.json", sync_truth(scene)));
  if (!scene.options.bumps.empty()) {
    VANTAGE_ASSIGN(const Scene bumped, scene_after_bumps(scene));
    VANTAGE_TRY(write_file_atomically(folder / "truth" / "calibration_after.json",
                                      calibration_to_json(bumped.cameras)));
  }
  return write_file_atomically(folder / "calibration.json", calibration_to_json(scene.cameras));
}

}  // namespace

Status render_recording(const SynthOptions& options, const fs::path& folder,
                        const std::function<void(double share_done)>& progress, const StopSource& stop) {
  VANTAGE_ASSIGN(const Scene scene, make_scene(options));
  VANTAGE_ASSIGN(OutputFolder output, OutputFolder::make(folder));
  VANTAGE_TRY(write_tables(scene, output.staging()));
  VANTAGE_TRY(render_cameras(scene, output.staging(), progress, stop));
  VANTAGE_TRY(output.publish());
  const std::string name = output.target().filename().string() + ".vantage";
  Project project = make_project(scene, output.target());
  remember_videos(&project);
  return save_project(project, output.target() / name);
}

}  // namespace vantage
