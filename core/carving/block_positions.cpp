#include "core/carving/block_positions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace vantage {
namespace {

constexpr int kNodes = 4;  // along each axis
constexpr int kMaxDegree = 2;
constexpr int kAllNodes = kNodes * kNodes * kNodes;

// Places in voxels from the block's middle. Corners are among the first, which the fit is made of; the second
// lie between them: what the first cannot show, such as x^4, is seen there.
constexpr double kFitted[kNodes] = {-3.5, -1.5, 1.5, 3.5};
constexpr double kBetween[kNodes] = {-2.5, -0.5, 0.5, 2.5};

// Polynomials that are orthogonal on kFitted: 1, t, t^2 - kMean2.
constexpr double kMean2 = 7.25;
constexpr double basis(int degree, double t) {
  switch (degree) {
    case 0:
      return 1;
    case 1:
      return t;
    default:
      return t * t - kMean2;
  }
}

// weight[degree][node]: coefficient = sum over the nodes of weight * value.
struct Weights {
  double weight[kMaxDegree + 1][kNodes] = {};
  constexpr Weights() {
    for (int degree = 0; degree <= kMaxDegree; ++degree) {
      double norm = 0;
      for (const double t : kFitted) norm += basis(degree, t) * basis(degree, t);
      for (int i = 0; i < kNodes; ++i) weight[degree][i] = basis(degree, kFitted[i]) / norm;
    }
  }
};
constexpr Weights kWeights;

// Values, or coefficients, x fastest.
struct Cube {
  double at[kAllNodes];
};

// Calls change(first, step) for every line of the cube along each axis.
template <typename F>
void for_each_line(const F& change) {
  for (const auto& [step, a, b] : {std::array{1, 4, 16}, std::array{4, 1, 16}, std::array{16, 1, 4}})
    for (int i = 0; i < kNodes; ++i)
      for (int j = 0; j < kNodes; ++j) change(i * a + j * b, step);
}

// Turns values at the nodes into coefficients of 1, t, t^2 along each axis; those beyond degree 2 in all are
// left out, which in the orthogonal basis is the least-squares fit.
void fit(Cube& cube) {
  for_each_line([&](int first, int step) {
    double fitted[kNodes] = {};
    for (int degree = 0; degree <= kMaxDegree; ++degree) {
      for (int i = 0; i < kNodes; ++i)
        fitted[degree] += kWeights.weight[degree][i] * cube.at[first + i * step];
    }
    for (int i = 0; i < kNodes; ++i) cube.at[first + i * step] = fitted[i];
  });
  for (int i = 0; i < kAllNodes; ++i)
    if (i % 4 + i / 4 % 4 + i / 16 > kMaxDegree) cube.at[i] = 0;
  for_each_line([&](int first, int step) { cube.at[first] -= kMean2 * cube.at[first + 2 * step]; });
}

// In the order of BlockPositions.
void copy_terms(const Cube& cube, float (&terms)[BlockPositions::kTerms]) {
  int term = 0;
  for (int z = 0; z <= kMaxDegree; ++z)
    for (int y = 0; y + z <= kMaxDegree; ++y)
      for (int x = 0; x + y + z <= kMaxDegree; ++x)
        terms[term++] = static_cast<float>(cube.at[x + 4 * y + 16 * z]);
}

struct BlockInWorld {
  double middle_m[3], step_m;
  PinholeCamera<double> camera;

  Pixel<double> project_node(const double (&nodes)[kNodes], int node) const {
    return project(camera, middle_m[0] + nodes[node % 4] * step_m, middle_m[1] + nodes[node / 4 % 4] * step_m,
                   middle_m[2] + nodes[node / 16] * step_m);
  }
};

}  // namespace

bool has_polynomials(const VoxelGrid& grid, size_t cameras) {
  constexpr size_t kMaxBytes = size_t{256} << 20;
  const auto blocks = [](int voxels) { return static_cast<size_t>((voxels + kBlockSide - 1) / kBlockSide); };
  return blocks(grid.nx) * blocks(grid.ny) * blocks(grid.nz) * cameras * sizeof(BlockPositions) <= kMaxBytes;
}

std::optional<BlockPositions> fit_positions(const PinholeCamera<double>& camera, const VoxelGrid& grid,
                                            int block_x, int block_y, int block_z) {
  const int from[3] = {block_x * kBlockSide, block_y * kBlockSide, block_z * kBlockSide};
  if (from[0] + kBlockSide > grid.nx || from[1] + kBlockSide > grid.ny || from[2] + kBlockSide > grid.nz)
    return std::nullopt;
  BlockInWorld block{{}, grid.voxel_size_m, camera};
  for (int axis = 0; axis < 3; ++axis)
    block.middle_m[axis] =
        0.5 * (grid.center(axis, from[axis]) + grid.center(axis, from[axis] + kBlockSide - 1));
  Cube x, y, x_between, y_between;
  for (int node = 0; node < kAllNodes; ++node) {
    const Pixel<double> fitted = block.project_node(kFitted, node);
    // Depth and radius are largest and smallest in corners: when those are in front, all voxels are.
    if (!fitted.in_front) return std::nullopt;
    x.at[node] = fitted.x, y.at[node] = fitted.y;
    const Pixel<double> between = block.project_node(kBetween, node);
    x_between.at[node] = between.x, y_between.at[node] = between.y;
  }
  Cube x_terms = x, y_terms = y;
  fit(x_terms);
  fit(y_terms);
  BlockPositions positions;
  copy_terms(x_terms, positions.x_px);
  copy_terms(y_terms, positions.y_px);
  const auto holds = [&](const Cube& at_x, const Cube& at_y, const double(&nodes)[kNodes]) {
    for (int node = 0; node < kAllNodes; ++node) {
      const auto dx = static_cast<float>(nodes[node % 4]), dy = static_cast<float>(nodes[node / 4 % 4]),
                 dz = static_cast<float>(nodes[node / 16]);
      const auto lies_at = [&](const float* terms, double px) {
        const double place = double{position_at(column_positions(terms, dx, dy), dz)} - kPlaceOrigin_px;
        return std::abs(place - px) <= kPositionError_px;  // written so that NaN does not
      };
      if (!lies_at(positions.x_px, at_x.at[node]) || !lies_at(positions.y_px, at_y.at[node])) return false;
    }
    return true;
  };
  if (!holds(x, y, kFitted) || !holds(x_between, y_between, kBetween)) return std::nullopt;
  return positions;
}

}  // namespace vantage
