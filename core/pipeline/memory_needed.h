// Estimates the memory of a project's analysis, stage by stage (StageType::estimate_memory), from picture
// sizes, grid and parameters before anything is opened. It covers everything that grows with these: models,
// tables, working memory, kept data and frames in flight; not libraries and programs themselves, some hundred
// megabytes. Where a stage decides at run time (decoders), the maximum counts.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/memory.h"
#include "core/base/parameters.h"
#include "core/fusion/fusion.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/backend/registry.h"
#include "core/pipeline/frame_result.h"
#include "core/pipeline/pipeline.h"

namespace vantage {

struct PictureSize {
  int width_px = 0, height_px = 0;
  double pixels() const { return static_cast<double>(width_px) * height_px; }
};

struct AnalysedScene {
  std::vector<PictureSize> pictures;  // one per camera
  std::vector<double> waiting;        // live cameras: maximum number that wait for the others'
  std::optional<VoxelGrid> grid;      // nothing: the chain ends at the foreground
  const ParameterStore* parameters = nullptr;
  Device device = Device::cpu;
  bool hardware_decoding = false;
  bool keep_confidence = false;
  PipelineOptions pipeline;
  double detection_model_bytes = 0;                           // the files'; 0: there is none
  std::optional<FloorRectangle> fusion_floor = std::nullopt;  // projects with detections only
  size_t calibration_spans = 1;  // number of instances of stages made from the calibrations

  bool on_device() const { return device != Device::cpu; }
  double pixels() const;  // sum of all pictures
  double voxels() const;  // 0 without a grid
  template <typename P>
  P get() const {
    return parameters->get<P>();
  }
};

inline constexpr double kPixelBytes = 1.5;  // a pixel of a picture, 4:2:0
inline constexpr const char* kLargerVoxels = "Choose larger voxels or a smaller grid.";
inline constexpr const char* kSmallerPictures = "Use fewer or smaller pictures.";

// Sums the memory of a chain's stages.
class MemoryEstimate {
 public:
  explicit MemoryEstimate(bool on_device) : on_device_(on_device) {}
  void add(MemoryShare share) { need_.shares.push_back(std::move(share)); }
  // Adds memory of the kind that the stages work in.
  void add(const char* of, double bytes, const char* remedy) {
    add({of, on_device_ ? 0 : bytes, on_device_ ? bytes : 0, remedy});
  }
  // An artifact of one frame.
  void add_artifact(double bytes) { artifact_bytes_ += bytes; }
  double artifact_bytes() const { return artifact_bytes_; }  // of all stages, of one frame
  MemoryNeed take() { return std::move(need_); }

 private:
  const bool on_device_;
  MemoryNeed need_;
  double artifact_bytes_ = 0;
};

MemoryNeed memory_needed(const AnalysedScene& scene);

struct MemoryPlan {
  MemoryNeed need;
  MemoryAvailable available;
  PipelineOptions pipeline;  // keeps less than requested where the rest would not fit otherwise
};
// out_of_memory where the analysis does not fit even without keeping anything.
Result<MemoryPlan> plan_memory(const AnalysedScene& scene, const MemoryAvailable& available);

// A frame's volume where it is known: without a mask of any camera it is not 0 litres but unknown.

// Null where too few cameras have a picture, or the chain makes no volume.
inline const CarvedVolume* known_volume(const FrameResult& result) {
  const PeopleArtifact* people = result.people();
  if (people && people->looked && !people->count_known()) return nullptr;
  const ForegroundArtifact* foreground = result.foreground();
  const auto has_mask = [](const ForegroundImages& camera) { return static_cast<bool>(camera.mask); };
  if (foreground && std::none_of(foreground->cameras.begin(), foreground->cameras.end(), has_mask))
    return nullptr;
  return result.volume();
}

}  // namespace vantage
