// Explains why a camera's pixel is in the mask of a frame or not: its colour compared with its model,
// distance and threshold, shadow, the mask before and after cleaning, and the results of the project's other
// stages: flow, height label with its costs, boxes, voxels on its line of sight.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads.h"
#include "core/foreground/pixel_evidence.h"
#include "core/run/analysis.h"
#include "core/why/answer.h"

namespace vantage {

// The voxels on the pixel's line of sight.
struct VoxelsBehindPixel {
  int64_t count = 0, occupied = 0;
  // The nearest occupied one, else the one with maximum confidence; nothing: the line misses the grid, or no
  // voxel on it is seen by enough cameras.
  struct Voxel {
    std::array<int, 3> at{};
    std::array<double, 3> center_in_world_m{};
    double distance_m = 0;  // distance from the camera
    double confidence = 0;
    int seeing = 0;
    bool occupied = false;
    std::vector<std::optional<double>> votes;  // one per camera, 0 to 1; nothing: it does not see the voxel
  };
  std::optional<Voxel> voxel;
};

struct HeightAtPixel {
  bool head = false;
  double height_m = 0;        // height of the pixel's label; 0: no head
  std::vector<double> costs;  // one per height, "no head" last
  double lowest_m = 0, step_m = 0;
};

struct BoxAtPixel {
  bool head = false;  // true: a head's; else a person's
  double score = 0, left_px = 0, top_px = 0, width_px = 0, height_px = 0;
};

struct FlowAtPixel {
  double dx_px = 0, dy_px = 0;
  std::optional<double> confidence;
};

struct WhyPixel {
  int64_t frame = 0;
  bool preview = false;
  size_t camera = 0;
  int x_px = 0, y_px = 0;
  bool has_picture = false;
  bool ignored = false;  // in an ignored region: undecided, whatever the evidence
  std::optional<PixelEvidence> evidence;
  std::string no_evidence;                       // why there is no evidence
  std::optional<int> indicator;                  // 0 to 255, after cleaning; nothing: not analysed
  std::optional<FlowAtPixel> flow;               // nothing: off or unknown
  std::optional<HeightAtPixel> height;           // nothing: this camera has no map
  std::vector<BoxAtPixel> boxes;                 // around the pixel, best first
  std::optional<std::array<double, 2>> floor_m;  // its line of sight's point on the floor
  std::optional<VoxelsBehindPixel> voxels;       // nothing: without a calibration, or not analysed
};

// Errors: invalid_argument for unknown cameras and pixels; cancelled; the device's. Replays the foreground as
// far as needed, except for a preview or live cameras, whose model is not reported.
Result<WhyPixel> why_pixel(const Project& project, Analysis& analysis, const FrameResult& result,
                           size_t camera, int x_px, int y_px, const StopSource& stop);

Report describe(const WhyPixel& pixel, const Project& project);

}  // namespace vantage
