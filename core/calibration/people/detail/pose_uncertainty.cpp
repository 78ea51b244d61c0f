#include "core/calibration/people/detail/pose_uncertainty.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "core/calibration/adjust/uncertainty.h"
#include "core/calibration/people/people_solve.h"

namespace vantage::people_calibration_detail {
namespace {

constexpr double kLeftOpen = 0.06;  // of the covariance as if people were independent
constexpr double kSet_m = 1;        // side of the positions that are left out together

// The part of each person, by stretches of time: as many frames in each.
std::vector<size_t> parts_of_time(const std::vector<UprightPerson>& people) {
  std::vector<int64_t> frames;
  for (const UprightPerson& person : people)
    if (frames.empty() || frames.back() != person.frame) frames.push_back(person.frame);
  std::vector<size_t> parts;
  for (const UprightPerson& person : people) {
    const auto at = std::lower_bound(frames.begin(), frames.end(), person.frame) - frames.begin();
    parts.push_back(static_cast<size_t>(at) * kParts / frames.size());
  }
  return parts;
}

// The part of each person, by squares of the floor; those of a part are spread over it.
std::vector<size_t> parts_of_floor(const std::vector<UprightPerson>& people) {
  std::vector<size_t> parts;
  for (const UprightPerson& person : people) {
    const long square = 5 * std::lround(person.at_m[0] / kSet_m) + 2 * std::lround(person.at_m[1] / kSet_m);
    const auto count = static_cast<long>(kParts);
    parts.push_back(static_cast<size_t>((square % count + count) % count));
  }
  return parts;
}

}  // namespace

Result<Eigen::MatrixXd> covariance_by_parts(const TangentProblem& tangents, const UprightProblem& upright,
                                            const std::vector<size_t>& people_of,
                                            const Eigen::MatrixXd& left_open, const Eigen::MatrixXd& seen,
                                            const StopSource& stop) {
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(left_open.rows(), left_open.cols());
  int ways = 0;
  for (const auto& parts : {parts_of_time(upright.people), parts_of_floor(upright.people)}) {
    const std::set<size_t> groups(parts.begin(), parts.end());
    if (groups.size() < 2) continue;
    const auto without = [&](size_t part) -> Result<Eigen::VectorXd> {
      TangentProblem rest = tangents;
      UprightProblem others = upright;
      std::erase_if(others.marks, [&](const UprightMark& mark) { return parts[mark.person] == part; });
      std::erase_if(rest.pairs,
                    [&](const OutlinePair& pair) { return parts[people_of[pair.first]] == part; });
      VANTAGE_TRY(adjust_all(&rest, &others));
      return values_of(rest);
    };
    VANTAGE_ASSIGN(const Eigen::MatrixXd its, jackknife(groups, without, stop));
    covariance += its, ++ways;
  }
  // A change of the world leaves lenses as they are.
  Eigen::MatrixXd all = Eigen::MatrixXd::Identity(left_open.rows(), left_open.cols());
  all.topLeftCorner(seen.rows(), seen.cols()) = seen;
  return all * (covariance / std::max(ways, 1) + kLeftOpen * left_open) * all.transpose();
}

}  // namespace vantage::people_calibration_detail
