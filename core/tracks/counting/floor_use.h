// How the floor is used: maps over its cells, and each person's figures, from tracks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/people/floor_person.h"

namespace vantage {

// Square cells; cell x + nx * y.
struct FloorCells {
  double left_m = 0, low_m = 0, cell_m = 0.1;
  int nx = 0, ny = 0;
};

struct FloorUse {
  FloorCells cells;
  std::vector<double> person_s;  // time that people spent in the cell, together
  std::vector<double> walked_m;  // way that they walked in it, together
  std::vector<int> people;       // how many different ones
};
// A step from one frame to the next counts for the cell where it begins; positions outside are left out.
FloorUse floor_use(std::span<const PersonPath> paths, const FloorCells& cells, double frame_rate);

struct WalkFigures {
  int64_t id = 0, first_frame = 0, last_frame = 0;
  double walked_m = 0, mean_speed_m_per_s = 0;
  double top_speed_m_per_s = 0;  // over kSpeed_s
};
inline constexpr double kSpeed_s = 0.5;
std::vector<WalkFigures> walk_figures(std::span<const PersonPath> paths, double frame_rate);

// Speed over the last kSpeed_s up to a point; 0 where the path is not that long yet.
double speed_m_per_s(const PersonPath& path, size_t point, double frame_rate);

}  // namespace vantage
