// Flow as files: Middlebury's .flo (S. Baker et al., "A Database and Evaluation Methodology for Optical
// Flow", IJCV 2011): the float 202021.25, width and height as 32-bit integers, then dx, dy pairs by rows, all
// little-endian; a component beyond 1e9 is unknown. And as colours to look at.
#pragma once

#include <filesystem>
#include <string>

#include "core/optical_flow/optical_flow.h"

namespace vantage {

// Host memory. Unknown vectors keep their values.
Result<FlowField> read_flo(const std::filesystem::path& path, BufferPool& pool);
Status write_flo(const std::filesystem::path& path, const FlowField& field);
// The bytes of such a file.
Result<std::string> encode_flo(const FlowField& field);

// Colours as in the same work's figures: hue is the direction (right red, down yellow, left cyan, up blue),
// white is no motion, full colour is `longest_px`, longer is darker, unknown is black. longest_px <= 0: the
// field's longest known vector. u8, 3 * width elements a row.
Result<Image> color_flow(const FlowField& field, double longest_px, BufferPool& pool);

// The colour of one vector in units of the longest.
void flow_color(double dx, double dy, uint8_t rgb[3]);

struct FlowStatistics {
  int64_t known = 0;
  double mean_px = 0, longest_px = 0;  // of the known vectors' lengths
  double mean_confidence = 0;          // of known vectors, 0 without confidence
};
FlowStatistics flow_statistics(const FlowField& field);

// Mean distance between both fields' vectors where both are known; the fields must be of one size.
Result<double> mean_endpoint_error(const FlowField& a, const FlowField& b);

}  // namespace vantage
