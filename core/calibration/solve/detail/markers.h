// Square markers in a picture, one by one, and as they are printed: ArUco's and AprilTag's, by OpenCV's aruco
// (S. Garrido-Jurado et al., "Automatic generation and detection of highly reliable fiducial markers under
// occlusion", 2014).
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/image/image_view.h"

namespace vantage {

// OpenCV's number of a dictionary that is known (marker_dictionaries()).
int opencv_dictionary(std::string_view name);
// How many markers it has.
int marker_count(std::string_view dictionary);

using Quad = std::array<Eigen::Vector2d, 4>;  // from the top left, clockwise
// Takes the unit square, y down, to the picture.
Eigen::Matrix3d picture_from_square(const Quad& quad);

struct SeenMarker {
  int id = 0;
  Quad corners;  // to about a pixel
};

// `border_bits`: the width of the black border, in bits of the code; 1 or 2. `darker_by`: than its
// neighbourhood a pixel is to be dark; more keeps dark areas apart that touch at a corner. Dark and light may
// be exchanged.
std::vector<SeenMarker> find_markers(ImageView<const uint8_t> gray, std::string_view dictionary,
                                     int border_bits = 1, double darker_by = 7);

// Row by row from the top left, with the border: true is dark. Their number is a square.
std::vector<bool> marker_cells(std::string_view dictionary, int id, int border_bits);

}  // namespace vantage
