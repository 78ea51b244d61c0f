#include "core/fusion/posture.h"

#include <cmath>

namespace vantage {
namespace {

constexpr double kStanding_m = 1.69, kStandingSpread_m = 0.09;
constexpr double kSeated_m = 1.28, kSeatedSpread_m = 0.08, kSeatedToStanding = 0.2;

// Density of a height that is known to within `deviation_m`, up to a common factor.
double density(double height_m, double usual_m, double spread_m, double deviation_m) {
  const double variance = spread_m * spread_m + deviation_m * deviation_m, off = height_m - usual_m;
  return std::exp(-off * off / (2 * variance)) / std::sqrt(variance);
}

}  // namespace

double seated_probability(double height_m, double deviation_m) {
  const double seated = kSeatedToStanding * density(height_m, kSeated_m, kSeatedSpread_m, deviation_m);
  const double standing = density(height_m, kStanding_m, kStandingSpread_m, deviation_m);
  return seated > 0 ? seated / (seated + standing) : 0;
}

}  // namespace vantage
