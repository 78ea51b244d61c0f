#include "core/height_map/pixel_belief.h"

#include <algorithm>
#include <cmath>

namespace vantage::height_map {
namespace {

constexpr int kNeighbours = 4;  // left, right, up, down
constexpr int kDx[kNeighbours] = {-1, 1, 0, 0}, kDy[kNeighbours] = {0, 0, -1, 1};
constexpr int kBackward[kNeighbours] = {1, 0, 3, 2};

// The expected label of the neighbour less that of the pixel.
double shift_from(const EdgeShifts& shifts, int x, int y, int direction) {
  const auto right = shifts.right.view<float>(), down = shifts.down.view<float>();
  switch (direction) {
    case 0:
      return static_cast<double>(right.at(x - 1, y));
    case 1:
      return -static_cast<double>(right.at(x, y));
    case 2:
      return static_cast<double>(down.at(x, y - 1));
    default:
      return -static_cast<double>(down.at(x, y));
  }
}

// height_map.h's message, over all pairs: one pixel's four take no time.
std::vector<float> message(const std::vector<double>& h, double shift, const HeightMapParameters& p) {
  const auto heights = h.size() - 1;
  const double step = p.lambda * p.step_m, jump = p.lambda * p.no_head_jump_m, none = h[heights];
  std::vector<double> m(heights + 1, none + jump);
  m[heights] = none;
  for (size_t j = 0; j < heights; ++j) m[heights] = std::min(m[heights], h[j] + jump);
  for (size_t k = 0; k < heights; ++k)
    for (size_t j = 0; j < heights; ++j)
      m[k] = std::min(m[k], h[j] + step * std::abs(static_cast<double>(j) - static_cast<double>(k) - shift));
  const double min = *std::min_element(m.begin(), m.end());
  std::vector<float> out;
  for (const double value : m) out.push_back(static_cast<float>(value - min));
  return out;
}

// The message of a pixel's neighbour to it, `back` being the direction back.
Result<std::vector<float>> sent_by(const PixelReader& reader, int x, int y, int back, double shift,
                                   const HeightMapParameters& parameters) {
  VANTAGE_ASSIGN(const PixelSlots slots, reader.read(x, y));
  std::vector<double> h(slots.cost.begin(), slots.cost.end());
  for (int d = 0; d < kNeighbours; ++d) {
    const std::vector<float>& from = slots.messages[d];
    if (d != back && !from.empty())
      for (size_t k = 0; k < h.size(); ++k) h[k] += static_cast<double>(from[k]);
  }
  return message(h, shift, parameters);
}

}  // namespace

Result<PixelBelief> belief_of(const PixelReader& reader, const EdgeShifts& shifts,
                              const HeightMapParameters& parameters, int x, int y) {
  if (x < 0 || y < 0 || x >= reader.width || y >= reader.height)
    return fail(ErrorKind::invalid_argument, "there is no such pixel", "height map");
  VANTAGE_ASSIGN(PixelBelief belief, reader.read(x, y));
  belief.belief = belief.cost;
  for (int d = 0; d < kNeighbours; ++d) {
    std::vector<float>& from = belief.messages[d];
    if (from.empty()) continue;
    if (((x + y) & 1) == reader.sent_last) {
      VANTAGE_ASSIGN(from, sent_by(reader, x + kDx[d], y + kDy[d], kBackward[d], shift_from(shifts, x, y, d),
                                   parameters));
    }
    for (size_t k = 0; k < from.size(); ++k) belief.belief[k] += from[k];
  }
  return belief;
}

}  // namespace vantage::height_map
