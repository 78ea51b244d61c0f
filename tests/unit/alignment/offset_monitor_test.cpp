// Watching the alignment along a run, with silhouettes in place of pictures; and the empty scene that is made
// from pictures with people in them.
#include "core/setup/alignment/offset_monitor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>

#include "core/algorithms.h"
#include "core/image/image_files.h"
#include "tests/support/loop_size.h"
#include "tests/support/moving_people.h"

namespace vantage {
namespace {

constexpr double kRate = 25;
constexpr double kFoundAfter_s = 2;

// A run over cameras with clocks of their own, brought into step as the monitor proposes.
class WatchedRun {
 public:
  WatchedRun(const std::vector<test::CameraClock>& clocks, int64_t frames)
      : frames_(frames), changes_(clocks.size()) {
    project_.parameters = default_parameters();
    for (const test::CameraClock& clock : clocks)
      moments_.push_back(clock.moments(static_cast<double>(frames) + 100));
  }
  virtual ~WatchedRun() = default;

  // By camera and base frame: how many frames the shown picture is from the one of that moment.
  std::vector<std::vector<double>> errors(int lines = OffsetMonitorOptions().lines) {
    OffsetMonitorOptions options;
    options.backends = &registry_;
    options.frame_rate = kRate;
    options.lines = lines;
    const auto monitor = OffsetMonitor::make(project_, options).value();
    std::vector<std::vector<double>> errors(moments_.size());
    for (int64_t m = 0; m < frames_; ++m) {
      const auto proposals = monitor->add(*show(m, errors));
      EXPECT_TRUE(proposals);
      for (const OffsetProposal& proposal : *proposals) {
        changes_[proposal.camera].push_back({m + 1, static_cast<double>(proposal.frames)});
        std::cout << "frame " << m << ": cam" << proposal.camera + 1 << " by " << proposal.frames << "\n";
        proposals_.push_back(proposal);
      }
    }
    return errors;
  }
  const std::vector<OffsetProposal>& proposals() const { return proposals_; }  // of errors()

 protected:
  void set_cameras(const synth::Scene& scene) {
    for (const Camera& camera : scene.cameras) {
      ProjectCamera& entry = project_.cameras.emplace_back();
      entry.name = camera.name();
      entry.calibration = camera;
    }
  }
  // The foreground of the camera's frame k, of that moment.
  virtual Image indicator(size_t camera, size_t k, double moment) const = 0;

  BackendRegistry registry_;
  Project project_;

 private:
  FrameResultRef show(int64_t m, std::vector<std::vector<double>>& errors) {
    auto frames = std::make_shared<FrameSetArtifact>();
    auto foreground = std::make_shared<ForegroundArtifact>();
    frames->frames.frame = m;
    for (size_t c = 0; c < moments_.size(); ++c) {
      const auto k = m + static_cast<int64_t>(total_change(changes_[c], static_cast<double>(m)));
      CameraFrame& camera = frames->frames.cameras.emplace_back();
      ForegroundImages& images = foreground->cameras.emplace_back();
      if (k < 0 || k >= static_cast<int64_t>(moments_[c].size())) continue;
      const double moment = moments_[c][k];
      camera.camera_frame = k;
      images.indicator = indicator(c, static_cast<size_t>(k), moment);
      errors[c].resize(static_cast<size_t>(m) + 1, 0);
      errors[c].back() = moment - static_cast<double>(m);
    }
    auto result = std::make_shared<FrameResult>();
    result->frame = m;
    result->artifacts.video = frames;
    result->artifacts.foreground = foreground;
    return result;
  }

  int64_t frames_;
  std::vector<std::vector<OffsetChange>> changes_;
  std::vector<std::vector<double>> moments_;
  std::vector<OffsetProposal> proposals_;
};

// Ideal foreground.
class SilhouetteRun final : public WatchedRun {
 public:
  SilhouetteRun(uint64_t seed, const std::vector<test::CameraClock>& clocks, double seconds)
      : WatchedRun(clocks, static_cast<int64_t>(seconds * kRate)),
        people_(test::MovingPeople::make(static_cast<int>(clocks.size()), 4, seconds, seed)) {
    register_cpu_backends(registry_);
    set_cameras(people_.scene());
    project_.grid = people_.volume();
  }

 private:
  Image indicator(size_t camera, size_t, double moment) const override {
    return people_.indicator(camera, moment);
  }

  test::MovingPeople people_;
};

// From a frame on the second and the third camera stand each where the other one did.
class SwappedRun final : public WatchedRun {
 public:
  static constexpr int64_t kFrom = 200;

  SwappedRun(const std::vector<test::CameraClock>& clocks, double seconds)
      : WatchedRun(clocks, static_cast<int64_t>(seconds * kRate)),
        people_(test::MovingPeople::make(3, 4, seconds, 5)) {
    register_cpu_backends(registry_);
    set_cameras(people_.scene());
    for (const size_t c : {1, 2})
      project_.cameras[c].later_calibrations = {{kFrom, *project_.cameras[3 - c].calibration}};
    project_.grid = people_.volume();
  }

 private:
  Image indicator(size_t camera, size_t, double moment) const override {
    const bool swapped = camera > 0 && moment >= static_cast<double>(kFrom);
    return people_.indicator(swapped ? 3 - camera : camera, moment);
  }

  test::MovingPeople people_;
};

constexpr int kRecordedLines = 32;

// The sums lie in the pictures in place of foreground: kRecordedLines for each side of each pair, halved.
class RecordedSums final : public SignatureExtractor {
 public:
  explicit RecordedSums(const Arguments& arguments) : arguments_(arguments) {}
  Result<Image> extract(std::span<const Image> recorded, int64_t) override {
    const int rows = static_cast<int>(2 * arguments_.pairs.size());
    Image sums = Image::make(ImageType::u32, kRecordedLines, rows, HostPool::shared()).value();
    const ImageView<uint32_t> out = sums.writable_view<uint32_t>();
    for (int row = 0; row < rows; ++row) {
      const SignaturePair& pair = arguments_.pairs[row / 2];
      const Image& from = recorded[row % 2 == 0 ? pair.first : pair.second];
      for (int r = 0; r < kRecordedLines; ++r)
        out.at(r, row) =
            from ? 255u * 2 * from.view<uint8_t>().at(kRecordedLines * row + r, 0) : kNoSignature;
    }
    return sums;
  }

 private:
  const Arguments arguments_;
};

// The sums along the epipolar lines of a scene with its own foreground, which makes cameras a quarter of a
// turn apart agree only weakly: vantage-cli synth --cameras 4 --people 4 --width 320 --height 240 --seconds
// 26
// --seed 3 --offsets 0,9,0,0 --drops 0,0,3,0; a row for each of a camera's frames.
class RecordedRun final : public WatchedRun {
 public:
  RecordedRun(const std::vector<test::CameraClock>& clocks, int64_t frames)
      : WatchedRun(clocks, frames),
        sums_(read_png_gray(std::filesystem::path(VANTAGE_SOURCE_DIR) / "tests/unit/alignment/line_sums.png",
                            HostPool::shared())
                  .value()) {
    SynthOptions options;
    options.cameras = static_cast<int>(clocks.size()), options.people = 4, options.seed = 3;
    options.width_px = 320, options.height_px = 240;
    set_cameras(synth::make_scene(options).value());
    register_memory_transfer_cpu(registry_);
    registry_.add<SignatureExtractor>(
        Device::cpu,
        [](const BackendContext&,
           const SignatureExtractor::Arguments& arguments) -> Result<std::unique_ptr<SignatureExtractor>> {
          return std::make_unique<RecordedSums>(arguments);
        });
  }

 private:
  Image indicator(size_t, size_t k, double) const override {
    const ImageView<const uint8_t> all = sums_.view<uint8_t>();
    if (k >= static_cast<size_t>(all.height)) return {};
    Image row = Image::make(ImageType::u8, all.width, 1, HostPool::shared()).value();
    std::copy_n(all.row(static_cast<int>(k)), all.width, row.writable_view<uint8_t>().row(0));
    return row;
  }

  Image sums_;
};

TEST(OffsetMonitor, ACameraOutOfStepAndLostFramesAreRealigned) {
  for (int seed = 5; seed < 5 + test::loop_size("VANTAGE_SYNC_SEEDS", 3); ++seed) {
    std::vector<test::CameraClock> clocks(4);
    clocks[1].offset_frames = 11;
    clocks[2].losses = {{300, 6}, {430, 2}, {560, 9}};
    SilhouetteRun run(static_cast<uint64_t>(seed), clocks, 26);
    const auto errors = run.errors();
    const double after = kFoundAfter_s * kRate;
    // Out of step from the start: found once there is enough to compare.
    for (size_t m = 280; m < errors[1].size(); ++m)
      EXPECT_EQ(errors[1][m], 0) << "seed " << seed << ", frame " << m;
    for (size_t m = 0; m < errors[2].size(); ++m) {
      bool near = false;
      for (const auto& loss : clocks[2].losses)
        near = near || (static_cast<double>(m) >= loss.base_frame &&
                        static_cast<double>(m) <= loss.base_frame + loss.frames + after);
      if (!near) {
        EXPECT_EQ(errors[2][m], 0) << "seed " << seed << ", frame " << m;
      }
    }
    for (const double error : errors[3]) EXPECT_EQ(error, 0) << "a camera in step is left alone";
  }
}

// Rounding leaves up to half a frame to each camera: nothing is to be done about it, whatever noise adds.
TEST(OffsetMonitor, CamerasBetweenTwoFramesAreLeftAlone) {
  std::vector<test::CameraClock> clocks(4);
  clocks[1].offset_frames = 0.35, clocks[2].offset_frames = -0.3, clocks[3].offset_frames = 0.45;
  SilhouetteRun run(6, clocks, 26);
  run.errors();
  EXPECT_TRUE(run.proposals().empty());
}

// A loss of the base is proposed for all others, at once and as one loss.
TEST(OffsetMonitor, TheBaseLosesFrames) {
  std::vector<test::CameraClock> clocks(4);
  clocks[0].losses = {{300, 5}};
  SilhouetteRun run(5, clocks, 18);
  const auto errors = run.errors();
  ASSERT_EQ(run.proposals().size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    const OffsetProposal& proposal = run.proposals()[i];
    EXPECT_EQ(proposal.camera, static_cast<int>(i) + 1);
    EXPECT_EQ(proposal.frames, 5);
    EXPECT_LE(static_cast<double>(proposal.base_frame), 300 + 5 + kFoundAfter_s * kRate);
    EXPECT_NEAR(static_cast<double>(proposal.since), 300, 10);
  }
}

// People of real pictures lose limbs and cast shadows, differently in each camera: what pairs then say for a
// second or two is not to be believed. Before each pair's evidence was weighed, this scene had cameras moved
// by up to 60 frames.
TEST(OffsetMonitor, WithForegroundOfPicturesNoCameraIsMovedFar) {
  constexpr int64_t kFrames = 600;
  std::vector<test::CameraClock> clocks(4);
  clocks[1].offset_frames = 9;
  clocks[2].losses = {{250, 9}, {394, 4}, {522, 4}};
  RecordedRun run(clocks, kFrames);
  const auto errors = run.errors(kRecordedLines);
  const auto after = static_cast<int64_t>(kFoundAfter_s * kRate);
  const auto expect_near = [&](size_t camera, int64_t begin, int64_t end) {
    for (int64_t m = begin; m < end; ++m)
      EXPECT_LE(std::abs(errors[camera][m]), 3) << "cam" << camera + 1 << ", frame " << m;
  };
  expect_near(1, 280, kFrames);
  expect_near(3, 0, kFrames);
  expect_near(2, 0, 250);
  expect_near(2, 250 + 9 + after, 394);
  expect_near(2, 394 + 4 + after, 522);
}

TEST(OffsetMonitor, LinesAreThoseOfTheCalibrationOfTheirFrame) {
  std::vector<test::CameraClock> clocks(3);
  clocks[2].losses = {{420, 6}};
  SwappedRun run(clocks, 22);
  const auto errors = run.errors();
  ASSERT_EQ(run.proposals().size(), 1u);
  EXPECT_EQ(run.proposals()[0].camera, 2);
  EXPECT_EQ(run.proposals()[0].frames, -6);
  EXPECT_GE(run.proposals()[0].since, 400);
  EXPECT_EQ(errors[1].back(), 0);
  EXPECT_EQ(errors[2].back(), 0);
}

TEST(OffsetMonitor, NeedsACalibration) {
  BackendRegistry registry;
  register_cpu_backends(registry);
  OffsetMonitorOptions options;
  options.backends = &registry;
  Project project;
  project.cameras.resize(2);
  EXPECT_EQ(OffsetMonitor::make(project, options).error().kind, ErrorKind::unsupported);
}

}  // namespace
}  // namespace vantage
