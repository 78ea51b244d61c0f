#include "core/pipeline/memory_needed.h"

#include <algorithm>

#include "core/pipeline/stages.h"

namespace vantage {
namespace {

constexpr double kCudaItself = 0.55e9;  // its context with all kernels loaded, measured on an H200
constexpr double kQueues = 8;           // before the stages of a chain

// Frames in the queues, those kept to be shown again, and models kept to continue from.
void add_frames(const PipelineOptions& options, MemoryEstimate* estimate) {
  const double frame = estimate->artifact_bytes();
  const double queue = std::min(static_cast<double>(options.queue_frames) * frame,
                                std::max(static_cast<double>(options.queue_bytes), frame));
  constexpr const char* kLimits = "Lower the memory limits in the preferences.";
  estimate->add("frames in flight", kQueues * queue, "Use fewer or smaller pictures, or larger voxels.");
  estimate->add("frames kept", static_cast<double>(options.cache_bytes), kLimits);
  estimate->add("models kept", static_cast<double>(options.checkpoint_bytes), kLimits);
}

}  // namespace

double AnalysedScene::pixels() const {
  double sum = 0;
  for (const PictureSize& picture : pictures) sum += picture.pixels();
  return sum;
}

double AnalysedScene::voxels() const {
  return grid ? static_cast<double>(grid->count()) : 0;
}

MemoryNeed memory_needed(const AnalysedScene& scene) {
  MemoryEstimate estimate(scene.on_device());
  if (scene.on_device()) estimate.add("CUDA", kCudaItself, "Use the CPU.");
  for (const StageType* stage : stage_types())
    if (stage->estimate_memory && (scene.grid || !stage->needs_calibration))
      stage->estimate_memory(scene, &estimate);
  add_frames(scene.pipeline, &estimate);
  return estimate.take();
}

Result<MemoryPlan> plan_memory(const AnalysedScene& scene, const MemoryAvailable& available) {
  AnalysedScene planned = scene;
  planned.pipeline.cache_bytes = planned.pipeline.checkpoint_bytes = 0;
  const MemoryNeed min = memory_needed(planned);
  VANTAGE_TRY(check_memory(min, available));
  const bool on_device = scene.on_device();
  const std::optional<double>& there = on_device ? available.device_bytes : available.host_bytes;
  const auto asked =
      static_cast<double>(scene.pipeline.cache_bytes) + static_cast<double>(scene.pipeline.checkpoint_bytes);
  double share = 1;
  if (there && asked > 0)
    share = std::min(1.0, (*there - (on_device ? min.device_bytes() : min.host_bytes())) / asked);
  const auto part = [&](size_t bytes) { return static_cast<size_t>(share * static_cast<double>(bytes)); };
  planned.pipeline.cache_bytes = part(scene.pipeline.cache_bytes);
  planned.pipeline.checkpoint_bytes = part(scene.pipeline.checkpoint_bytes);
  return MemoryPlan{memory_needed(planned), available, planned.pipeline};
}

}  // namespace vantage
