// Files of clicked points (core/geometry/clicked_point.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/clicked_point.h"

namespace vantage {

// CSV: the header point,camera,x_px,y_px or point,camera,x_px,y_px,x_m,y_m,z_m, then a click a line. Known
// coordinates stand in one of a point's lines at least, or in a line of their own whose camera and pixel are
// empty. Errors name the line: bad_data.
Result<std::vector<ClickedPoint>> read_clicked_points(std::string_view text, const std::string& source);
std::string write_clicked_points(std::span<const ClickedPoint> points);

}  // namespace vantage
