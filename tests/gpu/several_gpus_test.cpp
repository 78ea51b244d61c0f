// Whole chains at once, two on every GPU, each with cameras and a scene of its own: they share nothing but
// the device's context, and give the same results.
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

#include "app/backends/backends.h"
#include "core/run/analysis.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

// What the chain found in each frame, to the last digit.
std::vector<std::string> analyse(const Project& project, const std::string& backend, int64_t frames) {
  std::vector<std::string> lines;
  const Result<Backends> backends = open_backends(backend, nullptr);
  if (!backends) return {backends.error().message()};
  AnalysisOptions options;
  options.backends = backends->on_device();
  options.hardware = backends->hardware;
  options.pipeline.cache_bytes = 0;
  const Result<std::unique_ptr<Analysis>> analysis = Analysis::open(project, options);
  if (!analysis) return {analysis.error().message()};
  const Status status = (*analysis)->pipeline().analyse(
      {0, frames}, ExecutionMode::threaded,
      [&](const FrameResultRef& result) {
        std::string line;
        for (const ForegroundImages& images : result->foreground()->cameras)
          line += " mask " + std::to_string(images.mask_count.get().value());
        const VolumeCounts counts = result->volume()->counts.get().value();
        line += " voxels " + std::to_string(counts.occupied) + " shell " + std::to_string(counts.shell);
        for (const FoundPerson& p : result->people()->found.people)
          line += " at " + std::to_string(p.x_m) + " " + std::to_string(p.y_m);
        lines.push_back(std::move(line));
        return true;
      },
      {});
  if (!status) lines.push_back(status.error().message());
  return lines;
}

TEST(SeveralGpus, ChainsAtOnceGiveTheSameResults) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no CUDA device answers";
  constexpr int64_t kFrames = 40;
  const test::TemporaryFolder folder;
  const Project project = test::make_footage(folder.path(), 3, kFrames);
  const std::vector<std::string> expected = analyse(project, "cuda:0", kFrames);
  ASSERT_EQ(expected.size(), static_cast<size_t>(kFrames)) << expected.back();
  ASSERT_NE(expected[5], expected[25]) << "something moves";
  std::vector<std::future<std::vector<std::string>>> chains;
  for (size_t i = 0; i < 2 * gpus.size(); ++i)
    chains.push_back(
        std::async(std::launch::async, analyse, project, "cuda:" + std::to_string(i % gpus.size()), kFrames));
  for (size_t i = 0; i < chains.size(); ++i)
    EXPECT_EQ(chains[i].get(), expected) << "cuda:" << i % gpus.size() << ", " << gpus[i % gpus.size()];
}

TEST(SeveralGpus, AGpuThatIsNotThereIsAnError) {
  const size_t count = gpu_names().size();
  const Result<Backends> backends = open_backends("cuda:" + std::to_string(count), nullptr);
  ASSERT_FALSE(backends) << "no silent choice of another device";
  EXPECT_FALSE(backends.error().remedy.empty());
}

}  // namespace
}  // namespace vantage
