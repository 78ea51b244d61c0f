// Offsets of real and of small made-up recordings.
#include "core/setup/alignment/align.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "core/algorithms.h"
#include "core/calibration/formats/calibration.h"
#include "core/project/new_project.h"
#include "core/sync/coarse_signals.h"
#include "core/video/audio.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

Result<Alignment> align(const Project& project, int base = 0) {
  BackendRegistry backends;
  register_cpu_backends(backends);
  AlignOptions options;
  options.base = base;
  options.collect.backends = &backends;
  return align_project(project, options);
}

// Frame 0 of the clips lies at 2235, 2220 and 2212 on a common timeline.
constexpr double kSports1[] = {0, 15, 23};

Project sports1(const std::filesystem::path& folder) {
  Project project;
  project.parameters = default_parameters();
  for (const char* number : {"18", "23", "25"}) {
    ProjectCamera& camera = project.cameras.emplace_back();
    camera.name = "00_" + std::string(number);
    camera.video = (folder / ("sports1_cam" + std::string(number) + ".mp4")).string();
  }
  return project;
}

TEST(Align, Sports1FromTheRoughStartAlone) {
  VANTAGE_NEED_DATA(folder, "sync-sports1");
  const auto found = align(sports1(folder));
  ASSERT_TRUE(found) << found.error().message();
  for (size_t c = 1; c < 3; ++c) {
    const CameraAlignment& camera = found->estimate.cameras[c];
    ASSERT_TRUE(camera.offset_frames) << camera.reason;
    EXPECT_EQ(std::lround(*camera.offset_frames), kSports1[c]);
  }
  for (const PairEstimate& pair : found->motion.pairs)
    EXPECT_EQ(std::lround(pair.offset_frames.value_or(NAN)), kSports1[pair.second] - kSports1[pair.first]);
}

// A calibration of another day fits roughly. A thrown ball looks like one thrown ten seconds earlier: no loss
// of frames may be made of that.
TEST(Align, Sports1FromTheSignatures) {
  VANTAGE_NEED_DATA(folder, "sync-sports1");
  Project project = sports1(folder);
  CalibrationOptions options;
  options.camera_type = "hd";
  const auto read = read_calibration(folder / "calibration_160906.json", options);
  ASSERT_TRUE(read) << read.error().message();
  for (ProjectCamera& camera : project.cameras)
    for (const Camera& one : read->cameras)
      if (one.name() == camera.name)
        camera.calibration = fit_to_picture(one, 910, 512, {.kind = PictureFit::Kind::scaled}).value();
  project.grid = VoxelGrid{{-2.5, -2.5, 0}, 0.05, 100, 100, 44};
  const auto found = align(project);
  ASSERT_TRUE(found) << found.error().message();
  for (size_t c = 1; c < 3; ++c) {
    const CameraAlignment& camera = found->estimate.cameras[c];
    ASSERT_TRUE(camera.offset_frames) << camera.reason;
    EXPECT_NEAR(*camera.offset_frames, kSports1[c], 0.5);
    EXPECT_TRUE(camera.changes.empty()) << camera.changes[0].frames;
    EXPECT_EQ(camera.drift_ppm, 0);
  }
}

// Four cameras in step, one or two pairs of which see enough. People walk one way and back, where poses are
// off: pairs show two to four frames lost and gained, each by itself.
TEST(Align, CamerasInStepLoseNoFrames) {
  VANTAGE_NEED_DATA(lab, "ufes-lab-4cam");
  const auto calibration = read_calibration(lab / "room.json", {});
  ASSERT_TRUE(calibration) << calibration.error().message();
  Project project;
  project.parameters = default_parameters();
  for (const Camera& calibrated : calibration->cameras) {
    ProjectCamera& camera = project.cameras.emplace_back();
    camera.name = calibrated.name();
    camera.video = (lab / (calibrated.name() + ".mp4")).string();
    camera.calibration = calibrated;
  }
  const auto found = align(project);
  ASSERT_TRUE(found) << found.error().message();
  for (const CameraAlignment& camera : found->estimate.cameras) {
    EXPECT_TRUE(camera.changes.empty()) << camera.changes[0].frames << " at " << camera.changes[0].base_frame;
    EXPECT_LE(std::abs(camera.offset_frames.value_or(0)), 1);
  }
  EXPECT_TRUE(found->estimate.cameras[1].offset_frames) << found->estimate.cameras[1].reason;
}

TEST(Align, OneCameraIsRefused) {
  Project project;
  project.cameras.resize(1);
  EXPECT_EQ(align(project).error().kind, ErrorKind::invalid_argument);
}

TEST(ApplyAlignment, AnotherBaseAndDrift) {
  Project project;
  project.cameras.resize(3);
  Alignment alignment;
  alignment.frame_rates = {25, 50, 25};
  alignment.estimate.base = 2;
  alignment.estimate.cameras.resize(3);
  alignment.estimate.cameras[0].offset_frames = 10;
  alignment.estimate.cameras[1].offset_frames = -4;
  alignment.estimate.cameras[1].drift_ppm = 1000;
  alignment.estimate.cameras[1].changes = {{100, -6}};
  alignment.estimate.cameras[2].offset_frames = 0;
  ASSERT_TRUE(apply_alignment(alignment, &project));
  // Frame 10 of the first is simultaneous with frame -4 of the second, which takes 2 x 1.001 for each.
  EXPECT_NEAR(project.cameras[1].offset_frames, -4 - 20 * 1.001, 1e-9);
  EXPECT_NEAR(project.cameras[1].frame_rate, 50.05, 1e-9);
  EXPECT_EQ(project.cameras[1].offset_changes, (std::vector<OffsetChange>{{110, -6}}));
  EXPECT_EQ(project.cameras[0].offset_frames, 0);
  EXPECT_EQ(project.cameras[0].frame_rate, 0);
  EXPECT_EQ(project.cameras[2].offset_frames, -10);
  EXPECT_TRUE(project.cameras[1].offset_confirmed);
  alignment.estimate.cameras[0].offset_frames.reset();
  EXPECT_FALSE(apply_alignment(alignment, &project));
}

TEST(DescribeOffset, BeforeAfterAndWith) {
  EXPECT_EQ(describe_offset(12, 25, "cam1"), "started 12 frames (0.48 s) before cam1");
  EXPECT_EQ(describe_offset(-11, 25, "cam1"), "started 11 frames (0.44 s) after cam1");
  EXPECT_EQ(describe_offset(1, 25, "cam1"), "started 1 frame (0.04 s) before cam1");
  EXPECT_EQ(describe_offset(0.02, 25, "cam1"), "started with cam1");
}

TEST(Marks, OneGivesTheOffsetTwoTheDrift) {
  const MarkedInstant one[] = {{100, 112.5}};
  EXPECT_NEAR(*alignment_from_marks(one, 1, 25).value().offset_frames, 12.5, 1e-9);
  const MarkedInstant two[] = {{100, 12 + 100 * 1.0005}, {9000, 12 + 9000 * 1.0005}};
  const CameraAlignment both = alignment_from_marks(two, 1, 25).value();
  EXPECT_NEAR(*both.offset_frames, 12, 1e-6);
  EXPECT_NEAR(both.drift_ppm, 500, 1e-4);
  const MarkedInstant near[] = {{100, 112}, {200, 213}};
  const CameraAlignment averaged = alignment_from_marks(near, 1, 25).value();
  EXPECT_NEAR(*averaged.offset_frames, 12.5, 1e-9);
  EXPECT_EQ(averaged.drift_ppm, 0);
  EXPECT_FALSE(alignment_from_marks({}, 1, 25));
}

TEST(Sound, ShiftedNoiseBursts) {
  // A second microphone hears the same bursts, more faintly, 0.731 s later in its file, and its own hiss.
  std::mt19937 random(3);
  std::normal_distribution<float> hiss;
  constexpr int kRate = 16000;
  std::vector<float> bursts(kRate * 12);
  for (size_t start = 500; start + 4000 < bursts.size(); start += 3000 + random() % 9000)
    for (size_t i = 0; i < 1500; ++i) bursts[start + i] = 0.3f * hiss(random);
  const size_t late = static_cast<size_t>(0.731 * kRate);
  std::vector<float> a(bursts.size()), b(bursts.size());
  for (size_t i = 0; i < bursts.size(); ++i) {
    a[i] = bursts[i] + 0.004f * hiss(random);
    b[i] = (i >= late ? 0.3f * bursts[i - late] : 0.0f) + 0.004f * hiss(random);
  }
  PairSignals pair{0, 1, sound_signals(a, kRate), sound_signals(b, kRate), {}, -2000, 2000};
  SyncParameters parameters;
  parameters.presence = 0;
  EstimateOptions options;
  options.cameras = 2, options.frame_rate = kSoundSignals_hz, options.follow = false, options.quiet_level = 0;
  const SyncEstimate found = estimate_alignment({pair}, parameters, options);
  ASSERT_TRUE(found.cameras[1].offset_frames) << found.cameras[1].reason;
  EXPECT_NEAR(*found.cameras[1].offset_frames / kSoundSignals_hz, 0.731, 0.005);
}

TEST(Sound, FilesWithoutIt) {
  VANTAGE_NEED_DATA(folder, "sync-sports1");
  const auto sound = read_sound((folder / "sports1_cam18.mp4").string(), 16000, 10, {});
  ASSERT_TRUE(sound) << sound.error().message();
  EXPECT_FALSE(*sound);
  EXPECT_FALSE(read_sound("/nowhere.mp4", 16000, 10, {}));
}

TEST(Resample, TwiceTheRate) {
  LineSignals signals;
  signals.lines = 1;
  for (int t = 0; t < 9; ++t) signals.values.push_back(static_cast<float>(t)), signals.valid.push_back(1);
  const LineSignals half = resample_signals(signals, 2);
  ASSERT_EQ(half.frames(), 4);
  EXPECT_FLOAT_EQ(half.frame(3)[0], 6);
  EXPECT_FLOAT_EQ(resample_signals(signals, 0.5).frame(3)[0], 1.5f);
}

}  // namespace
}  // namespace vantage
