// Small adjustments: stopped ones, values that are fixed or open, and what tells how sure a solution is.
#include "core/calibration/adjust/adjustment.h"

#include <ceres/autodiff_cost_function.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "core/calibration/adjust/uncertainty.h"

namespace vantage {
namespace {

// Rosenbrock's valley, which takes some twenty steps; counts how often its slopes are taken, and asks to stop
// at one of them.
struct Valley {
  template <typename T>
  bool operator()(const T* x, T* residuals) const {
    residuals[0] = 10.0 * (x[1] - x[0] * x[0]), residuals[1] = 1.0 - x[0];
    return true;
  }
  bool operator()(const double* x, double* residuals) const {
    if (++*evaluations == stop_at) StopSource(stop).request_stop();
    return operator()<double>(x, residuals);
  }
  int* evaluations;
  int stop_at;
  StopSource stop;
};

struct ValleyOutcome {
  Status status;
  int evaluations = 0;
  std::array<double, 2> x = {-1.2, 1};
};

ValleyOutcome solve_valley(int stop_at) {
  ValleyOutcome out;
  Adjustment adjustment;
  const StopSource stop;
  adjustment.add(new ceres::AutoDiffCostFunction<Valley, 2, 2>(new Valley{&out.evaluations, stop_at, stop}),
                 {}, {out.x.data()});
  adjustment.block("valley", out.x, true);
  out.status = adjustment.solve({}, {}, stop);
  return out;
}

TEST(Adjustment, ContinuesToTheEndUnlessItIsStopped) {
  const ValleyOutcome out = solve_valley(-1);
  EXPECT_TRUE(out.status);
  EXPECT_NEAR(out.x[0], 1, 1e-9);
  EXPECT_NEAR(out.x[1], 1, 1e-9);
  EXPECT_GT(out.evaluations, 10);
}

TEST(Adjustment, EndsWithTheIterationInWhichItIsStopped) {
  const ValleyOutcome out = solve_valley(3);
  ASSERT_FALSE(out.status);
  EXPECT_EQ(out.status.error().kind, ErrorKind::cancelled);
  EXPECT_LE(out.evaluations, 4);
}

// The sum of a pair's first two values and of another value is 6.
struct SumIsSix {
  template <typename T>
  bool operator()(const T* pair, const T* other, T* residual) const {
    residual[0] = pair[0] + pair[1] + other[0] - 6.0;
    return true;
  }
};

TEST(Adjustment, FixedValuesStayAndOpenOnesAreNamed) {
  std::array<double, 3> pair = {1, 2, 5};
  std::array<double, 1> other = {9}, unused = {4};
  const std::array<const char*, 3> names = {"first", "second", "third"};
  Adjustment adjustment;
  adjustment.add(new ceres::AutoDiffCostFunction<SumIsSix, 1, 3, 1>(new SumIsSix), {},
                 {pair.data(), other.data()});
  EXPECT_EQ(adjustment.block("unused", unused, true)[0], -1) << "in no residual";
  EXPECT_EQ(adjustment.block("pair", pair, {true, false, true}, names), (std::array{0, -1, 1}));
  EXPECT_EQ(adjustment.block("other", other, false)[0], -1);
  EXPECT_EQ(adjustment.columns(), 2);
  ASSERT_TRUE(adjustment.solve({}));
  EXPECT_NEAR(pair[0], -5, 1e-9);
  EXPECT_EQ(pair[1], 2);
  EXPECT_EQ(other[0], 9);
  const auto slopes = adjustment.slopes(false);
  ASSERT_TRUE(slopes);
  const InvertedNormal inverted = invert_normal(normal_equations(slopes->by_values));
  ASSERT_EQ(inverted.open, std::vector<Eigen::Index>{1});
  EXPECT_EQ(adjustment.name_of(1), "pair third");
  EXPECT_EQ(adjustment.block_of(1), 1u);
}

TEST(Adjustment, APriorHoldsWhatNothingElseDetermines) {
  std::array<double, 2> values = {3, -8};
  Adjustment adjustment;
  adjustment.add_prior(values, std::array{0.5, 2.0});
  adjustment.block("values", values, true);
  ASSERT_TRUE(adjustment.solve({}));
  EXPECT_NEAR(values[0], 0, 1e-9);
  EXPECT_NEAR(values[1], 0, 1e-9);
  const auto covariance = adjustment.covariance(2);
  ASSERT_TRUE(covariance);
  EXPECT_NEAR((*covariance)(0, 0), 0.25, 1e-6);
  EXPECT_NEAR((*covariance)(1, 1), 4, 1e-6);
}

// The variance of a mean is the sample's variance over its size, and the jackknife's exactly that.
TEST(Jackknife, IsTheVarianceOfAMean) {
  const Eigen::VectorXd sample{{3.1, 2.7, 4.4, 3.9, 1.2, 3.3, 2.8}};
  const auto count = sample.size();
  const double mean = sample.mean();
  const double expected = (sample.array() - mean).square().sum() / static_cast<double>(count * (count - 1));
  std::set<size_t> groups;
  std::vector<std::vector<Eigen::Index>> rows;
  for (Eigen::Index i = 0; i < count; ++i) groups.insert(static_cast<size_t>(i)), rows.push_back({i});
  const auto covariance =
      jackknife(groups,
                [&](size_t left_out) -> Result<Eigen::VectorXd> {
                  const double rest = sample.sum() - sample[static_cast<Eigen::Index>(left_out)];
                  return Eigen::VectorXd::Constant(1, rest / static_cast<double>(count - 1));
                },
                {});
  ASSERT_TRUE(covariance);
  EXPECT_NEAR((*covariance)(0, 0), expected, 1e-12);
  Jacobian slopes(count, 1);
  for (Eigen::Index i = 0; i < count; ++i) slopes.insert(i, 0) = 1;
  const Eigen::VectorXd residuals = mean - sample.array();
  const Eigen::VectorXd variances = jackknife_by_steps(slopes, residuals, rows, {}, 1);
  ASSERT_EQ(variances.size(), 1);
  EXPECT_NEAR(variances[0], expected, 1e-12);
  EXPECT_EQ(jackknife_by_steps(slopes, residuals, {rows[0]}, {}, 1).size(), 0) << "one group";
}

TEST(Jackknife, IsStopped) {
  StopSource stop;
  stop.request_stop();
  const auto covariance = jackknife({0, 1}, [](size_t) { return Result<Eigen::VectorXd>(); }, stop);
  ASSERT_FALSE(covariance);
  EXPECT_EQ(covariance.error().kind, ErrorKind::cancelled);
}

TEST(RobustScatter, IsTheDeviationOfNormalErrorsWhateverOutliersAre) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal(0, 1.7);
  std::vector<double> sizes;
  for (int i = 0; i < 20'000; ++i) sizes.push_back(std::abs(normal(random)));
  EXPECT_NEAR(robust_scatter(sizes), 1.7, 0.04);
  EXPECT_NEAR(robust_scatter(sizes, kBestFifth), 1.7, 0.08);
  EXPECT_NEAR(robust_scatter(sizes, kBestFourFifths), 1.7, 0.04);
  for (int i = 0; i < 400; ++i) sizes.push_back(1e6);
  EXPECT_NEAR(robust_scatter(sizes), 1.7, 0.08);
  EXPECT_EQ(robust_scatter({}), 0);
  EXPECT_EQ(robust_scatter({}, kBestFifth), 0);
}

}  // namespace
}  // namespace vantage
