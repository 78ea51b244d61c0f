// Height maps in the chain and for somebody who tunes them.
#include "core/pipeline/height_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/algorithms.h"
#include "core/run/analysis.h"
#include "tests/support/camera_ring.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

const BackendRegistry& cpu_registry() {
  static const BackendRegistry registry = [] {
    BackendRegistry made;
    register_cpu_backends(made);
    return made;
  }();
  return registry;
}

std::vector<Camera> overhead_cameras() {
  test::RingOptions ring;
  ring.cameras = 3, ring.width_px = 260, ring.height_px = 200, ring.radius_m = 2, ring.height_m = 5;
  return test::camera_ring(ring);
}

HeightMapperOptions options_of(std::vector<Camera> cameras) {
  HeightMapperOptions options;
  options.backends = &cpu_registry();
  options.cameras = std::move(cameras);
  return options;
}

// Pictures without a meaning: what is kept and what is not does not depend on it.
FrameResultRef noisy_result(const std::vector<Camera>& cameras, int64_t frame) {
  std::mt19937 random(static_cast<unsigned>(frame) + 1);
  auto frames = std::make_shared<FrameSetArtifact>();
  frames->frames.frame = frame;
  for (const Camera& camera : cameras) {
    Picture picture =
        Picture::make({PictureLayout::i420, camera.width_px(), camera.height_px()}, HostPool::shared())
            .value();
    for (int plane = 0; plane < 3; ++plane)
      for (int y = 0; y < picture.plane(plane).height; ++y)
        for (int x = 0; x < picture.plane(plane).width; ++x)
          picture.writable_plane(plane).at(x, y) = static_cast<uint8_t>(random() % 256);
    frames->frames.cameras.push_back({picture, frame, 0, 0, -1, ""});
  }
  auto result = std::make_shared<FrameResult>();
  result->frame = frame;
  result->artifacts.video = frames;
  result->versions.emplace(kVideoStage, 7);
  return result;
}

struct Watched {
  std::vector<HeightStudyMap> maps;
  int references = 0, measured = 0;  // data costs begun
  StopSource stop;
  int stop_after_maps = -1;

  HeightStudyListener listener() {
    return {[this](size_t) { ++references; },
            [this](const HeightStudyMap& map) {
              maps.push_back(map);
              if (static_cast<int>(maps.size()) == stop_after_maps) stop.request_stop();
            },
            [this](const std::string& what, double share) { measured += what != "messages" && share == 0; }};
  }
};

bool same_labels(const HeightMap& a, const HeightMap& b) {
  if (a.width != b.width || a.height != b.height) return false;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x)
      if (a.labels.view<uint8_t>().at(x, y) != b.labels.view<uint8_t>().at(x, y)) return false;
  return true;
}

class HeightStudyTest : public ::testing::Test {
 protected:
  HeightStudyTest() {
    request_.result = noisy_result(options_.cameras, 3);
    request_.parameters.use_foreground = false;
    request_.parameters.iterations = 24;
    request_.parameters.heights = 9;
    request_.descriptor.radius_px = 5;
  }
  HeightMapperOptions options_ = options_of(overhead_cameras());
  HeightStudyRequest request_;
};

TEST_F(HeightStudyTest, FirstACoarseMapThenTheWholePictures) {
  HeightStudy study(options_);
  EXPECT_FALSE(study.belief_of(0, 0));
  Watched seen;
  ASSERT_TRUE(study.run(request_, seen.listener(), seen.stop));
  EXPECT_EQ(seen.references, 1);
  ASSERT_GE(seen.maps.size(), 4u);
  EXPECT_EQ(seen.maps.front().pixel_px, 2);
  EXPECT_EQ(seen.maps.front().estimate.map.width, 130);
  EXPECT_EQ(seen.maps.front().estimate.map.height, 100);
  std::vector<int> iterations;
  for (const HeightStudyMap& map : seen.maps) {
    EXPECT_EQ(map.finished, &map == &seen.maps.back());
    if (map.pixel_px == 1) iterations.push_back(map.estimate.map.checks.back().iteration);
  }
  EXPECT_EQ(iterations, (std::vector{10, 20, 24}));
  const HeightMap& last = seen.maps.back().estimate.map;
  EXPECT_EQ(last.width, 260);
  // What a pixel of the other colour than the one that sent last believes is what its label was chosen from.
  int agreeing = 0;
  for (int x = 100; x < 120; ++x) {
    const PixelBelief belief = study.belief_of(x, 80).value();
    const auto best = std::min_element(belief.belief.begin(), belief.belief.end()) - belief.belief.begin();
    agreeing += best == last.labels.view<uint8_t>().at(x, 80);
  }
  EXPECT_GE(agreeing, 10);
  EXPECT_FALSE(study.belief_of(500, 80));
}

TEST_F(HeightStudyTest, TheDataCostIsKeptWhileItHolds) {
  HeightStudy study(options_);
  Watched first, smoother, other_labels, other_frame;
  ASSERT_TRUE(study.run(request_, first.listener(), first.stop));
  EXPECT_EQ(first.measured, 2);  // coarse and whole
  request_.parameters.lambda = 9;
  request_.parameters.iterations = 12;
  ASSERT_TRUE(study.run(request_, smoother.listener(), smoother.stop));
  EXPECT_EQ(smoother.measured, 0);
  HeightStudy fresh(options_);
  Watched again;
  ASSERT_TRUE(fresh.run(request_, again.listener(), again.stop));
  EXPECT_TRUE(same_labels(smoother.maps.back().estimate.map, again.maps.back().estimate.map));
  request_.parameters.step_m = 0.03;
  ASSERT_TRUE(study.run(request_, other_labels.listener(), other_labels.stop));
  EXPECT_EQ(other_labels.measured, 2);
  request_.result = noisy_result(options_.cameras, 4);
  ASSERT_TRUE(study.run(request_, other_frame.listener(), other_frame.stop));
  EXPECT_EQ(other_frame.measured, 2);
}

TEST_F(HeightStudyTest, StopsAndSaysWhatIsMissing) {
  HeightStudy study(options_);
  Watched stopped;
  stopped.stop_after_maps = 3;
  const Status status = study.run(request_, stopped.listener(), stopped.stop);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::cancelled);
  EXPECT_EQ(stopped.maps.size(), 3u);
  Watched at_once;
  at_once.stop.request_stop();
  EXPECT_FALSE(study.run(request_, at_once.listener(), at_once.stop));
  EXPECT_FALSE(at_once.maps.empty());  // the coarse one comes nevertheless
  Watched none;
  request_.result = std::make_shared<FrameResult>();
  const Status missing = study.run(request_, none.listener(), none.stop);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
}

// The footage's cameras hang at 1.2 m: heads are searched for below.
TEST(HeightMapChain, TheStageMakesWhatAStudyMakes) {
  const test::TemporaryFolder folder;
  Project project = test::make_footage(folder.path(), 3, 6);
  AnalysisOptions options;
  options.backends = &cpu_registry();
  const auto analysis = Analysis::open(project, options).value();
  EXPECT_EQ(analysis->pipeline().frame(4, {}, {}).value()->height_map(), nullptr);
  for (const auto& [name, value] : {std::pair{"enabled", 1.0}, {"lowest_m", 0.2}, {"iterations", 15.0}})
    ASSERT_TRUE(project.parameters.set("heightmap", name, value));
  ASSERT_TRUE(analysis->pipeline().configure(project.parameters));
  const FrameResultRef result = analysis->pipeline().frame(4, {}, {}).value();
  const HeightEstimate* const estimate = result->height_map();
  ASSERT_NE(estimate, nullptr);
  EXPECT_EQ(estimate->map.frame, 4);
  EXPECT_EQ(estimate->map.checks.back().iteration, 15);
  HeightMapperOptions mapper = options_of(project.calibrations());
  mapper.region = project.grid;
  HeightStudy study(mapper);
  Watched seen;
  ASSERT_TRUE(study.run(
      {result, project.parameters.get<HeightMapParameters>(), project.parameters.get<DaisyParameters>()},
      seen.listener(), seen.stop));
  EXPECT_TRUE(same_labels(seen.maps.back().estimate.map, estimate->map));
  EXPECT_EQ(seen.maps.back().estimate.heads.size(), estimate->heads.size());
  // The other results are not made again, and the map follows its own parameters.
  const uint64_t tracks = analysis->pipeline().version(kTrackingStage);
  const uint64_t maps = analysis->pipeline().version(kHeightMapStage);
  ASSERT_TRUE(project.parameters.set("heightmap", "lambda", 5));
  ASSERT_TRUE(analysis->pipeline().configure(project.parameters));
  EXPECT_EQ(analysis->pipeline().version(kTrackingStage), tracks);
  EXPECT_NE(analysis->pipeline().version(kHeightMapStage), maps);
}

}  // namespace
}  // namespace vantage
