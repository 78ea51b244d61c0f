// The whole recording on disk: complete, readable, reproducible, and nothing left behind when it cannot be
// made.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <sstream>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/image/image_files.h"
#include "core/project/project.h"
#include "core/synth/detail/renderer.h"
#include "core/synth/detail/truth.h"
#include "core/synth/synth.h"
#include "core/video/video_source.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

SynthOptions small_options() {
  SynthOptions options;
  options.cameras = 2;
  options.people = 2;
  options.seconds = 1.2;
  options.width_px = 160;
  options.height_px = 120;
  options.area_m = 4;
  options.seed = 21;
  return options;
}

// Relative path to checksum of every file.
std::map<std::string, uint64_t> checksums(const fs::path& folder) {
  std::map<std::string, uint64_t> sums;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) {
      const auto content = read_file(entry.path());
      EXPECT_TRUE(content);
      sums[fs::relative(entry.path(), folder).string()] = Hasher().add(*content).value();
    }
  return sums;
}

TEST(SynthRecording, IsCompleteAndOpens) {
  const test::TemporaryFolder folder;
  const fs::path out = folder.path() / "walk";
  double last = 0;
  const Status done = render_recording(small_options(), out, [&](double share) { last = share; }, {});
  ASSERT_TRUE(done) << done.error().message();
  EXPECT_DOUBLE_EQ(last, 1);
  const auto project = load_project(out / "walk.vantage");
  ASSERT_TRUE(project) << project.error().message();
  ASSERT_EQ(project->cameras.size(), 2u);
  EXPECT_TRUE(project->calibrated());
  ASSERT_TRUE(project->grid);
  EXPECT_EQ(project->grid->nx, 100);
  EXPECT_DOUBLE_EQ(project->grid->origin_in_world_m[0], -2);
  for (const ProjectCamera& camera : project->cameras) {
    for (const auto& [path, frames] : {std::pair{camera.video, 30}, {camera.background, 25}}) {
      const auto source = open_video(path, {});
      ASSERT_TRUE(source) << source.error().message();
      EXPECT_EQ((*source)->info().width_px, 160);
      int count = 0;
      while (const auto frame = (*source)->read()) {
        EXPECT_EQ(frame->picture.format().matrix, ColorMatrix::bt601);
        ++count;
      }
      EXPECT_EQ(count, frames) << path;
    }
    EXPECT_TRUE(
        read_png_gray(out / "truth" / "masks" / camera.name / "frame_000025.png", HostPool::shared()));
  }
  const auto calibration = read_calibration(out / "calibration.json", {});
  ASSERT_TRUE(calibration) << calibration.error().message();
  EXPECT_EQ(calibration->cameras[1].center_in_world_m(),
            project->cameras[1].calibration->center_in_world_m());
}

TEST(SynthRecording, IsReproducibleFromTheSeed) {
  const test::TemporaryFolder folder;
  SynthOptions options = small_options();
  // The project holds its folder's name nowhere: equal folders' names are not needed beyond the file's own.
  ASSERT_TRUE(render_recording(options, folder.path() / "a" / "walk", {}, {}));
  ASSERT_TRUE(render_recording(options, folder.path() / "b" / "walk", {}, {}));
  const auto first = checksums(folder.path() / "a"), second = checksums(folder.path() / "b");
  EXPECT_GE(first.size(), 12u);
  EXPECT_EQ(first, second);
  options.seed = 22;
  ASSERT_TRUE(render_recording(options, folder.path() / "c" / "walk", {}, {}));
  const auto other = checksums(folder.path() / "c");
  EXPECT_NE(first.at("walk/cam1.mp4"), other.at("walk/cam1.mp4"));
  EXPECT_NE(first.at("walk/truth/tracks.csv"), other.at("walk/truth/tracks.csv"));
}

// Each camera shows the people where they are when it takes the frame; the project does not tell.
TEST(SynthRecording, CamerasStartAtTheirOffsets) {
  const test::TemporaryFolder folder;
  SynthOptions options = small_options();
  options.offsets_frames = {0, -5};
  options.drifts_ppm = {0, 1000};
  ASSERT_TRUE(render_recording(options, folder.path() / "walk", {}, {}));
  const auto scene = synth::make_scene(options);
  const auto renderer = synth::Renderer::make(*scene, 1);
  const auto mask = read_png_gray(folder.path() / "walk" / "truth" / "masks" / "cam2" / "frame_000025.png",
                                  HostPool::shared());
  ASSERT_TRUE(scene && renderer && mask);
  const auto different = [&](double time_s) {
    synth::PixelTruth truth(renderer->view());
    truth.draw(pose_people(*scene, time_s));
    const auto expected = truth.mask();
    int64_t count = 0;
    for (int y = 0; y < mask->height(); ++y)
      for (int x = 0; x < mask->width(); ++x)
        count += expected->view<uint8_t>().at(x, y) != mask->view<uint8_t>().at(x, y);
    return count;
  };
  EXPECT_EQ(different(30 / (25 * 1.001)), 0);
  EXPECT_GT(different(1.0), 20);

  const auto truth = parse_json_or_throw(*read_file(folder.path() / "walk" / "truth" / "sync.json"));
  EXPECT_EQ(truth["base"], "cam1");
  EXPECT_EQ(truth["cameras"][1]["offset_frames"], -5);
  EXPECT_EQ(truth["cameras"][1]["offset_seconds"], -0.2);
  EXPECT_EQ(truth["cameras"][1]["drift_ppm"], 1000);
  EXPECT_EQ(truth["cameras"][1]["capture_times_s"].size(), 30u);
  EXPECT_NEAR(truth["cameras"][1]["capture_times_s"][25].get<double>(), 30 / (25 * 1.001), 1e-7);
  EXPECT_EQ(load_project(folder.path() / "walk" / "walk.vantage")->cameras[1].offset_frames, 0);

  options.write_offsets = true;
  ASSERT_TRUE(render_recording(options, folder.path() / "told", {}, {}));
  const auto told = load_project(folder.path() / "told" / "told.vantage");
  ASSERT_TRUE(told) << told.error().message();
  EXPECT_EQ(told->cameras[1].offset_frames, -5);
  EXPECT_NEAR(told->cameras[1].frame_rate, 25.025, 1e-9);
}

TEST(SynthRecording, BoxesAndHeadHeightsBelongToThePictures) {
  const test::TemporaryFolder folder;
  SynthOptions options = small_options();
  options.layout = CameraLayout::overhead;
  options.head_heights = true;
  options.truth_interval_frames = 10;
  ASSERT_TRUE(render_recording(options, folder.path() / "walk", {}, {}));
  const fs::path truth = folder.path() / "walk" / "truth";
  const auto heights = read_pfm(truth / "heights" / "cam2" / "frame_000020.pfm", HostPool::shared());
  ASSERT_TRUE(heights) << heights.error().message();
  EXPECT_TRUE(fs::exists(truth / "masks" / "cam1" / "frame_000010.png"));
  std::istringstream rows(*read_file(truth / "heads_cam2.csv"));
  int found = 0;
  for (std::string row; std::getline(rows, row);) {
    int frame, id, left, top, width, height;
    double visibility, x, y, z;
    ASSERT_EQ(std::sscanf(row.c_str(), "%d,%d,%d,%d,%d,%d,%lf,%lf,%lf,%lf", &frame, &id, &left, &top, &width,
                          &height, &visibility, &x, &y, &z),
              10)
        << row;
    if (frame != 21) continue;  // counted from 1
    ++found;
    EXPECT_GT(visibility, 0.9);
    // The crown: as high as half a head above its centre, and within the box.
    float highest_m = 0;
    for (int v = top; v < top + height; ++v)
      for (int u = left; u < left + width; ++u)
        highest_m = std::max(highest_m, heights->view<float>().at(u, v));
    EXPECT_GT(highest_m, z + 0.08);
    EXPECT_LT(highest_m, z + 0.16);
  }
  EXPECT_EQ(found, 2);
  const std::string boxes = *read_file(truth / "boxes_cam1.csv");
  EXPECT_EQ(std::count(boxes.begin(), boxes.end(), '\n'), 60);
}

// Until the bump the camera's files are those without it; from then on pictures and ground truth are of the
// camera as calibration_after.json has it.
TEST(SynthRecording, ABumpedCameraShowsSomethingElseFromThenOn) {
  const test::TemporaryFolder folder;
  SynthOptions options = small_options();
  options.truth_interval_frames = 10;
  ASSERT_TRUE(render_recording(options, folder.path() / "a" / "walk", {}, {}));
  options.bumps = {{1, 0.6, 4}};
  ASSERT_TRUE(render_recording(options, folder.path() / "b" / "walk", {}, {}));
  const auto before = checksums(folder.path() / "a" / "walk"),
             after = checksums(folder.path() / "b" / "walk");
  for (const char* same : {"cam1.mp4", "cam2_empty.mp4", "calibration.json", "truth/tracks.csv",
                           "truth/masks/cam2/frame_000000.png", "truth/masks/cam2/frame_000010.png"})
    EXPECT_EQ(before.at(same), after.at(same)) << same;
  for (const char* other : {"cam2.mp4", "truth/boxes_cam2.csv", "truth/masks/cam2/frame_000020.png"})
    EXPECT_NE(before.at(other), after.at(other)) << other;
  const fs::path truth = folder.path() / "b" / "walk" / "truth";
  const Camera turned = read_calibration(truth / "calibration_after.json", {}).value().cameras[1];
  // Heads in the last frame's rows lie in the boxes that the turned camera has.
  std::ifstream rows(truth / "heads_cam2.csv");
  int compared = 0;
  for (std::string line; std::getline(rows, line);) {
    std::ranges::replace(line, ',', ' ');
    std::istringstream row(line);
    double frame, id, left, top, width, height, visible, x, y, z;
    row >> frame >> id >> left >> top >> width >> height >> visible >> x >> y >> z;
    if (frame != 30 || left <= 0 || left + width >= 160) continue;
    const Eigen::Vector2d at = turned.project({x, y, z}).value();
    EXPECT_NEAR(at.x(), left + width / 2, 1.0);
    ++compared;
  }
  EXPECT_GE(compared, 1);
}

TEST(SynthRecording, StoppingLeavesNothing) {
  const test::TemporaryFolder folder;
  StopSource stop;
  const Status done = render_recording(
      small_options(), folder.path() / "walk",
      [&](double share) {
        if (share > 0.3) stop.request_stop();
      },
      stop);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::cancelled);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(SynthRecording, StoppingKeepsWhatWasThere) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "cam1.mp4", "mine"));
  StopSource stop;
  stop.request_stop();
  EXPECT_FALSE(render_recording(small_options(), folder.path(), {}, stop));
  EXPECT_EQ(checksums(folder.path()).size(), 1u);
  EXPECT_EQ(*read_file(folder.path() / "cam1.mp4"), "mine");
}

TEST(SynthRecording, AFolderThatCannotBeMadeIsAnError) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  const Status done = render_recording(small_options(), folder.path() / "file" / "walk", {}, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::io);
  EXPECT_NE(done.error().message().find("walk"), std::string::npos) << done.error().message();
}

}  // namespace
}  // namespace vantage
