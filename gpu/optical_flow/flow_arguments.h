// The arguments of optical flow's kernels: one struct each, by value, so that a step of a frame is a kernel
// and a block of bytes and a captured frame can be updated by comparing bytes.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/image/image_view.h"
#include "core/optical_flow/flow_plan.h"

namespace vantage::gpu {

inline constexpr int kMaxFlowLevels = 11;

// ResampleAxis in device memory.
struct AxisTable {
  const int32_t* index = nullptr;
  const float* weight = nullptr;
  int taps = 0, pitch = 0;
};

// One level's expansion: 20 bytes a pixel, read as one 16-byte and one 4-byte load.
struct ExpansionView {
  float4* four = nullptr;  // b_x, b_y, A_xx, A_yy
  float* fifth = nullptr;  // the coefficient of xy
};

struct PictureLevel {
  AxisTable x, y;
  int width = 0, height = 0;
  int first_row = 0, first_tile = 0;  // of this level, counted through all levels
  int tiles_across = 0;
  float* columns = nullptr;  // blurred along y: height rows of the picture's width
  float* image = nullptr;
  ExpansionView expansion;
};

struct ExpandArguments {
  ImageView<const uint8_t> picture;
  int level_count = 0;
  PictureLevel levels[kMaxFlowLevels];
  PolynomialWeights polynomial;
};
inline constexpr int kExpandTileWidth = 32, kExpandTileHeight = 16, kExpandThreads = 256;

// Rows of pairs; pitch in pairs.
struct FlowView {
  float2* data = nullptr;
  size_t pitch = 0;
};

// The flow that an iteration starts from: none (zero), this level's last flow, or the coarser level's.
enum class FlowSource : int { zero, same, coarser };

// Both directions between two pictures are worked on side by side: blockIdx.z tells which.
struct FlowDirection {
  ExpansionView earlier, later;
  FlowSource source = FlowSource::zero;
  FlowView from, to;
};
struct IterateArguments {
  FlowDirection directions[2];
  int width = 0, height = 0;
  AxisTable coarse_x, coarse_y;
  float gain = 1;      // of the coarser flow
  int iterations = 1;  // in this launch
  int core_width = 0, core_height = 0;
  WindowWeights window;
};

struct InitialArguments {
  FlowView from, to;
  AxisTable x, y;
  int width = 0, height = 0;  // of the coarsest level
  float gain = 1;
};

struct FinishArguments {
  FlowView flow;
  FlowView back;  // without data: no confidence
  ImageView<uint8_t> confidence;
  ImageView<const uint8_t> mask;  // without data: no mask
  int width = 0, height = 0;
};

}  // namespace vantage::gpu
