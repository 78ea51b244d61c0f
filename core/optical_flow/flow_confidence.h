// Forward-backward confidence of one pixel, shared by all implementations (FlowRequest::confidence).
#pragma once

#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#define VANTAGE_FLOW_HD __host__ __device__
#else
#define VANTAGE_FLOW_HD
#endif

namespace vantage {

struct FlowVector {
  float x, y;
};

// back(x, y): the flow back at a pixel of the later picture; taken bilinearly at (x, y) + (dx, dy).
template <typename Back>
VANTAGE_FLOW_HD uint8_t flow_confidence(float dx, float dy, int x, int y, int width, int height,
                                        const Back& back) {
  const float px = static_cast<float>(x) + dx, py = static_cast<float>(y) + dy;
  if (!(px >= 0 && py >= 0 && px <= static_cast<float>(width - 1) && py <= static_cast<float>(height - 1)))
    return 0;
  const int x0 = static_cast<int>(px), y0 = static_cast<int>(py);
  const int x1 = x0 + 1 < width ? x0 + 1 : x0, y1 = y0 + 1 < height ? y0 + 1 : y0;
  const float u = px - static_cast<float>(x0), v = py - static_cast<float>(y0);
  const FlowVector a = back(x0, y0), b = back(x1, y0), c = back(x0, y1), d = back(x1, y1);
  const float bx = (1 - v) * ((1 - u) * a.x + u * b.x) + v * ((1 - u) * c.x + u * d.x);
  const float by = (1 - v) * ((1 - u) * a.y + u * b.y) + v * ((1 - u) * c.y + u * d.y);
  const float ex = dx + bx, ey = dy + by;
  const float bound = 0.01f * (dx * dx + dy * dy + bx * bx + by * by) + 0.5f;
  const float confidence = exp2f(-(ex * ex + ey * ey) / bound);
  return static_cast<uint8_t>(255.0f * confidence + 0.5f);
}

}  // namespace vantage
#undef VANTAGE_FLOW_HD
