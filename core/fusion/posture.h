// Whether people stand or sit, as far as the height of the head tells.
#pragma once

namespace vantage {

// The probability that a person sits whose head is so high above the floor, known to within `deviation_m`;
// 0 to 1. Grown people are N(1.69 m, 0.09 m) tall; of those who sit, one in six, heads are at N(1.28 m,
// 0.08 m): DIN 33402-2 gives seats of 0.41 to 0.45 m and 0.86 to 0.91 m above them (medians of women and
// men), and 0.04 m less is for how people sit whom no one measures. A child is not told from a person seated.
double seated_probability(double height_m, double deviation_m = 0);
// People are called seated from this probability on.
inline constexpr double kCalledSeated = 0.5;

}  // namespace vantage
