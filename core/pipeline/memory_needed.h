// What the analysis of a project takes of the machine's memory, stage by stage, reckoned from picture sizes,
// grid and parameters before anything is opened. Counted is what grows with them: models, tables, working
// memory, what is kept of frames and the frames under way; not what libraries and programs take themselves,
// some hundred megabytes. Where a stage decides while it runs (decoders), the most is counted.
#pragma once

#include <optional>
#include <vector>

#include "core/backend/registry.h"
#include "core/base/memory_need.h"
#include "core/base/parameters.h"
#include "core/fusion/fusion.h"
#include "core/geometry/voxel_grid.h"
#include "core/pipeline/pipeline.h"

namespace vantage {

struct PictureSize {
  int width_px = 0, height_px = 0;
  double pixels() const { return static_cast<double>(width_px) * height_px; }
};

struct AnalysedScene {
  std::vector<PictureSize> pictures;  // of every camera
  std::vector<double> waiting;        // of live cameras: how many of each wait for the others' at most
  std::optional<VoxelGrid> grid;      // none: the chain ends at the foreground
  const ParameterStore* parameters = nullptr;
  Device device = Device::cpu;
  bool hardware_decoding = false;
  bool keep_confidence = false;
  PipelineOptions pipeline;
  double detection_model_bytes = 0;                           // of the file; 0: there is none
  std::optional<FloorRectangle> fusion_floor = std::nullopt;  // of projects with detections
};

MemoryNeed memory_needed(const AnalysedScene& scene);

struct MemoryPlan {
  MemoryNeed need;
  MemoryAvailable available;
  PipelineOptions pipeline;  // keeps less than asked for where the rest would not fit otherwise
};
// out_of_memory where the analysis does not fit even without keeping anything.
Result<MemoryPlan> plan_memory(const AnalysedScene& scene, const MemoryAvailable& available);

}  // namespace vantage
