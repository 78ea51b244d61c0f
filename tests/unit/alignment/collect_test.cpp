// Frames that are compared where a camera stands otherwise in a part of the recording.
#include "core/setup/alignment/collect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/algorithms.h"
#include "core/geometry/camera.h"
#include "core/project/camera_in_time.h"
#include "core/project/project_store.h"
#include "core/synth/synth.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

constexpr int64_t kFrames = 40;

// Two cameras, 40 frames; the project says that the second is turned from that frame on.
Project turned_from(const std::filesystem::path& folder, int64_t frame) {
  SynthOptions options;
  options.cameras = 2, options.people = 2, options.seconds = 4, options.frame_rate = 10;
  options.width_px = 160, options.height_px = 120;
  const Status rendered = render_recording(options, folder, {}, {});
  EXPECT_TRUE(rendered) << (rendered ? "" : rendered.error().message());
  Project project = load_project(folder / (folder.filename().string() + ".vantage")).value();
  CameraChange change = CameraChange::Zero();
  change[1] = 0.05;
  ProjectCamera& camera = project.cameras[1];
  add_later_calibration(&camera, frame, *changed_camera(*camera.calibration, change));
  return project;
}

Result<CollectedSignals> collect(const Project& project, int64_t first, int64_t count) {
  BackendRegistry backends;
  register_cpu_backends(backends);
  CollectOptions options;
  options.backends = &backends;
  options.first_frame = first, options.max_frames = count;
  return collect_signals(project, options);
}

void expect_lines_of(const Project& project, int64_t frame, const CollectedSignals& found) {
  const EpipolarPairs wanted =
      choose_epipolar_pairs(project, project.parameters.get<SyncParameters>().lines, frame);
  ASSERT_EQ(found.lines.size(), 1u);
  ASSERT_FALSE(wanted.lines[0].second.empty());
  EXPECT_EQ(found.lines[0].second, wanted.lines[0].second);
}

TEST(Collect, LinesAreComparedInTheLongestTimeOfOneCalibration) {
  const test::TemporaryFolder folder;
  for (const int64_t change : {10, 30}) {
    const Project project = turned_from(folder.path() / std::to_string(change), change);
    const auto found = collect(project, 0, INT64_MAX);
    ASSERT_TRUE(found) << found.error().message();
    ASSERT_EQ(found->pairs.size(), 1u);
    expect_lines_of(project, change == 10 ? 10 : 0, *found);
    for (const LineSignals* side : {&found->pairs[0].a, &found->pairs[0].b}) {
      ASSERT_EQ(side->frames(), kFrames);
      for (int64_t f = 0; f < kFrames; ++f)
        EXPECT_EQ(side->valid[f] != 0, change == 10 ? f >= 10 : f < 30) << f;
    }
    ASSERT_EQ(found->notes.size(), 1u);
    EXPECT_NE(found->notes[0].find(change == 10 ? "frames 10 to 39" : "frames 0 to 29"), std::string::npos)
        << found->notes[0];
  }
}

TEST(Collect, APartOfOneCalibrationIsComparedAsAWhole) {
  const test::TemporaryFolder folder;
  const Project project = turned_from(folder.path() / "part", 20);
  const auto found = collect(project, 22, 12);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_TRUE(found->notes.empty());
  expect_lines_of(project, 22, *found);
  EXPECT_EQ(std::ranges::count(found->pairs[0].b.valid, 0), 0);
}

}  // namespace
}  // namespace vantage
