// The lines on the floor inside which at least so many cameras see a position (FloorCoverage's rule: at the
// floor and at chest height).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/geometry/camera.h"

namespace vantage {

using CoverageLine = std::vector<Eigen::Vector2d>;  // metres; closed ones end where they begin

class CoverageOutline {
 public:
  // Over a rectangle of the floor, examined on a lattice of about 1/160 of its longer side, at least 0.05 m:
  // what is narrower than that may be missed. At most 64 cameras.
  CoverageOutline(const std::vector<Camera>& cameras, const Eigen::Vector2d& low_m,
                  const Eigen::Vector2d& high_m);

  // 1 to the number of cameras. Points lie on the true line to within a millimetre; lines end at the
  // rectangle's edge.
  std::vector<CoverageLine> lines(int needed) const;
  int cameras() const { return static_cast<int>(models_.size()); }

 private:
  int seeing(const Eigen::Vector2d& place_m) const;
  Eigen::Vector2d place(int x, int y) const;
  int count(int x, int y) const { return counts_[y * nx_ + x]; }
  Eigen::Vector2d crossing(Eigen::Vector2d inside, Eigen::Vector2d outside, int needed) const;

  std::vector<PinholeCamera<double>> models_;
  Eigen::Vector2d low_m_, step_m_;
  int nx_ = 0, ny_ = 0;  // nodes
  std::vector<int> counts_;
};

}  // namespace vantage
