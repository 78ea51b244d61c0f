#include "core/calibration/formats/kalibr_target.h"

#include <cmath>

#include "core/calibration/formats/detail/board_text.h"
#include "core/calibration/formats/detail/json_readers.h"

namespace vantage {
namespace {

using calibration_detail::number;
using calibration_detail::whole_number;
using nlohmann::json;

Result<KalibrTarget> aprilgrid_of(const json& target, const std::string& where) {
  KalibrTarget found{.tags = true};
  VANTAGE_ASSIGN(found.columns, whole_number(target, "tagCols", where));
  VANTAGE_ASSIGN(found.rows, whole_number(target, "tagRows", where));
  VANTAGE_ASSIGN(found.side_m, number(target, "tagSize", where));
  VANTAGE_ASSIGN(const double gap_of_side, number(target, "tagSpacing", where));
  found.gap_m = gap_of_side * found.side_m;
  return found;
}

Result<KalibrTarget> checkerboard_of(const json& target, const std::string& where) {
  KalibrTarget found;
  VANTAGE_ASSIGN(found.columns, whole_number(target, "targetCols", where));
  VANTAGE_ASSIGN(found.rows, whole_number(target, "targetRows", where));
  VANTAGE_ASSIGN(found.side_m, number(target, "colSpacingMeters", where));
  VANTAGE_ASSIGN(const double height_m, number(target, "rowSpacingMeters", where));
  if (!(std::abs(height_m - found.side_m) <= 1e-9 * std::abs(found.side_m)))
    return fail(ErrorKind::unsupported, "the board's rectangles are not squares", where,
                "rowSpacingMeters and colSpacingMeters must be equal.");
  return found;
}

}  // namespace

Result<KalibrTarget> read_kalibr_target(const std::filesystem::path& path) {
  const std::string where = path.string();
  VANTAGE_ASSIGN(const std::string text,
                 calibration_detail::read_board_text(path, "Give Kalibr's target.yaml."));
  VANTAGE_ASSIGN(const auto document, calibration_detail::parse_yaml(text, where));
  const json& target = calibration_detail::json_of(*document);
  const std::string type = calibration_detail::text_of(target, "target_type");
  if (type == "aprilgrid") return aprilgrid_of(target, where);
  if (type == "checkerboard") return checkerboard_of(target, where);
  return fail(type.empty() ? ErrorKind::bad_data : ErrorKind::unsupported,
              type.empty() ? "does not state the kind of board (target_type)"
                           : "boards of the type '" + type + "' are not understood",
              where, "Boards of Kalibr that are: aprilgrid and checkerboard.");
}

}  // namespace vantage
