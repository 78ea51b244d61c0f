#include "core/calibration/solve/board_coverage.h"

#include <algorithm>

namespace vantage {

size_t coverage_part(double x_px, double y_px, int width_px, int height_px) {
  const int x = std::clamp(static_cast<int>(x_px * kCoverageColumns / width_px), 0, kCoverageColumns - 1);
  const int y = std::clamp(static_cast<int>(y_px * kCoverageRows / height_px), 0, kCoverageRows - 1);
  return static_cast<size_t>(y * kCoverageColumns + x);
}

std::vector<std::string_view> uncovered_places(const BoardCoverage& coverage) {
  constexpr const char* kPlaces[] = {"top left", "top",         "top right", "left",        "",
                                     "right",    "bottom left", "bottom",    "bottom right"};
  constexpr int kColumns[] = {0, kCoverageColumns / 2 - 1, kCoverageColumns - 1};
  constexpr int kRows[] = {0, kCoverageRows / 2 - 1, kCoverageRows - 1};
  std::vector<std::string_view> uncovered;
  for (int place = 0; place < 9; ++place) {
    if (place == 4) continue;
    const int part = kRows[place / 3] * kCoverageColumns + kColumns[place % 3];
    if (coverage[static_cast<size_t>(part)] == 0) uncovered.emplace_back(kPlaces[place]);
  }
  return uncovered;
}

}  // namespace vantage
