// What is estimated beforehand against what a run takes.
#include "core/pipeline/memory_needed.h"

#include <gtest/gtest.h>

#include "core/algorithms.h"
#include "core/project/project.h"
#include "core/run/analysis.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

AnalysedScene scene_of(const ParameterStore& parameters) {
  AnalysedScene scene;
  scene.pictures.assign(4, {1280, 960});
  scene.grid = VoxelGrid{{-4, -4, 0}, 0.02, 384, 384, 64};
  scene.parameters = &parameters;
  return scene;
}

double share(const MemoryNeed& need, const std::string& of, bool on_device) {
  for (const MemoryShare& share : need.shares)
    if (share.of == of) return on_device ? share.device_bytes : share.host_bytes;
  return 0;
}

TEST(MemoryNeeded, GrowsWithWhatIsAskedFor) {
  ParameterStore parameters = default_parameters();
  const AnalysedScene scene = scene_of(parameters);
  const double plain = memory_needed(scene).host_bytes();
  AnalysedScene other = scene;
  other.pictures.resize(16, {1280, 960});
  EXPECT_GT(memory_needed(other).host_bytes(), plain);
  other = scene;
  other.keep_confidence = true;
  EXPECT_GT(memory_needed(other).host_bytes(), plain + 4 * 384 * 384 * 64);
  ASSERT_TRUE(parameters.set_from_text("flow.enabled=true"));
  const double with_flow = memory_needed(scene).host_bytes();
  EXPECT_GT(with_flow, plain + 4 * 1280 * 960 * 64.0);
  ASSERT_TRUE(parameters.set_from_text("heightmap.enabled=true"));
  EXPECT_GT(memory_needed(scene).host_bytes(), with_flow + 1280 * 960 * 25 * 4.0);
}

TEST(MemoryNeeded, PicturesThatWaitForALateCameraCount) {
  const ParameterStore parameters = default_parameters();
  AnalysedScene scene = scene_of(parameters);
  const double plain = memory_needed(scene).host_bytes();
  EXPECT_EQ(share(memory_needed(scene), "pictures waiting", false), 0);
  scene.waiting = {55, 5, 55, 55};  // the second camera is 2 s late
  EXPECT_DOUBLE_EQ(memory_needed(scene).host_bytes(), plain + 170 * 1.5 * 1280 * 960);
  scene.device = Device::cuda;
  scene.hardware_decoding = true;
  EXPECT_DOUBLE_EQ(share(memory_needed(scene), "pictures waiting", true), 170 * 1.5 * 1280 * 960);
}

TEST(MemoryNeeded, ADeviceTakesWhatWorksThere) {
  const ParameterStore parameters = default_parameters();
  AnalysedScene scene = scene_of(parameters);
  EXPECT_EQ(memory_needed(scene).device_bytes(), 0);
  scene.device = Device::cuda;
  scene.hardware_decoding = true;
  const MemoryNeed need = memory_needed(scene);
  for (const char* stage : {"video", "foreground", "carving", "people", "frames in flight"})
    EXPECT_GT(share(need, stage, true), 0) << stage;
  EXPECT_EQ(share(need, "foreground", false), 0);
  EXPECT_LT(need.host_bytes(), 0.2 * need.device_bytes());
}

TEST(MemoryNeeded, LessIsKeptBeforeARunIsRefused) {
  const ParameterStore parameters = default_parameters();
  const AnalysedScene scene = scene_of(parameters);
  const MemoryPlan roomy = plan_memory(scene, {64e9, {}}).value();
  EXPECT_EQ(roomy.pipeline.cache_bytes, scene.pipeline.cache_bytes);
  EXPECT_EQ(roomy.pipeline.checkpoint_bytes, scene.pipeline.checkpoint_bytes);
  const double kept = static_cast<double>(scene.pipeline.cache_bytes + scene.pipeline.checkpoint_bytes);
  const double least = roomy.need.host_bytes() - kept;
  const MemoryPlan tight = plan_memory(scene, {least + 0.25 * kept, {}}).value();
  EXPECT_NEAR(static_cast<double>(tight.pipeline.cache_bytes),
              0.25 * static_cast<double>(scene.pipeline.cache_bytes), 2);
  EXPECT_LE(tight.need.host_bytes(), least + 0.25 * kept + 2);
  const Result<MemoryPlan> refused = plan_memory(scene, {0.99 * least, {}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::out_of_memory);
  EXPECT_FALSE(refused.error().remedy.empty());
}

// An analysis that does not fit is refused before anything is opened, in the words of the check.
TEST(MemoryNeeded, AnAnalysisThatCannotFitIsRefused) {
  const test::TemporaryFolder folder;
  const Project project = test::make_footage(folder.path(), 2, 4);
  BackendRegistry backends;
  register_cpu_backends(backends);
  AnalysisOptions options;
  options.backends = &backends;
  options.memory.host_bytes = 1e6;
  const auto refused = Analysis::open(project, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::out_of_memory);
  options.memory.host_bytes = 64e9;
  const auto opened = Analysis::open(project, options);
  ASSERT_TRUE(opened);
  EXPECT_GT((*opened)->memory().need.host_bytes(), 1e6);
}

}  // namespace
}  // namespace vantage
