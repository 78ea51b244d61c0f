// How much of a camera's picture the corners of a board have reached, and where it is still missing.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace vantage {

// Corners counted over the picture, row by row from the top left.
inline constexpr int kCoverageColumns = 6, kCoverageRows = 4;
using BoardCoverage = std::array<int, kCoverageColumns * kCoverageRows>;

// The part that a pixel lies in; pixels outside the picture count for the nearest one.
size_t coverage_part(double x_px, double y_px, int width_px, int height_px);
// Where no corner was seen, of the picture's corners and the middles of its sides, in words: "top left".
std::vector<std::string_view> uncovered_places(const BoardCoverage& coverage);

// A board that is turned from the line of sight by so much tells the focal length, and so many of them do.
inline constexpr double kSlantedBoard_rad = 0.26;  // 15 degrees
inline constexpr int kMinSlantedBoards = 5;

}  // namespace vantage
