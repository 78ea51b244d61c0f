#include "core/project/unit_question.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/formatted.h"

namespace vantage {
namespace {

std::string metres_text(double metres) {
  return formatted(metres < 100 ? "%.4g m" : "%.0f m", metres);
}

// Cameras of one scene stand no farther apart and no higher, and two are not nearer to each other.
constexpr double kMaxApart_m = 250, kMaxHeight_m = 60, kMinApart_m = 0.02;
// As cameras of rooms and halls stand, the middle one first of all.
constexpr double kUsualApart_m = 8, kMinUsual_m = 0.5, kMaxUsual_m = 120;

struct Unit {
  double metres;
  const char* name;
};
constexpr std::array<Unit, 3> kUnits = {{{1, "metres"}, {0.01, "centimetres"}, {0.001, "millimetres"}}};

struct Stand {
  double apart = 0, height = 0;  // in the file's units: the largest distance of two, the median height
  std::string one, other;        // those two
};

Stand stand_of(const std::vector<Camera>& cameras, double unit_m) {
  Stand stand;
  std::vector<double> heights;
  for (const Camera& a : cameras) {
    heights.push_back(std::abs(a.center_in_world_m().z()) / unit_m);
    for (const Camera& b : cameras) {
      const double apart = (a.center_in_world_m() - b.center_in_world_m()).norm() / unit_m;
      if (apart > stand.apart) stand.apart = apart, stand.one = a.name(), stand.other = b.name();
    }
  }
  std::sort(heights.begin(), heights.end());
  stand.height = heights.empty() ? 0 : heights[heights.size() / 2];
  return stand;
}

bool plausible(const Stand& stand, double metres) {
  const double apart = stand.apart * metres, height = stand.height * metres;
  return apart <= kMaxApart_m && height <= kMaxHeight_m && (stand.apart == 0 || apart >= kMinApart_m);
}

}  // namespace

UnitQuestion read_in_units(const std::vector<Camera>& cameras, double unit_m) {
  const Stand stand = stand_of(cameras, unit_m);
  UnitQuestion question;
  double nearest = INFINITY;
  std::string apart, height;
  for (const Unit& unit : kUnits) {
    const double size = (stand.apart > 0 ? stand.apart : stand.height) * unit.metres;
    const char* comma = apart.empty() ? "" : ", ";
    apart += comma + metres_text(stand.apart * unit.metres) + " as " + unit.name;
    height += comma + metres_text(stand.height * unit.metres) + " as " + unit.name;
    const double off = std::abs(std::log(size / kUsualApart_m));
    if (!plausible(stand, unit.metres) || size < kMinUsual_m || size > kMaxUsual_m || off >= nearest)
      continue;
    nearest = off, question.likely_m = unit.metres, question.likely_name = unit.name;
  }
  question.what = "cameras stand " + height + " from the floor";
  if (stand.apart > 0) question.what += ", and " + stand.one + " and " + stand.other + " are apart " + apart;
  return question;
}

std::optional<UnitQuestion> question_of_unit(const std::vector<Camera>& cameras, double unit_m) {
  if (cameras.empty() || !(unit_m > 0) || plausible(stand_of(cameras, unit_m), unit_m)) return std::nullopt;
  UnitQuestion question = read_in_units(cameras, unit_m);
  question.what = "the unit of the calibration is in doubt: " + question.what;
  return question;
}

}  // namespace vantage
