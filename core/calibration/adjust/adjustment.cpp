#include "core/calibration/adjust/adjustment.h"

#include <ceres/cost_function.h>
#include <ceres/crs_matrix.h>
#include <ceres/iteration_callback.h>
#include <ceres/loss_function.h>
#include <ceres/manifold.h>
#include <ceres/normal_prior.h>
#include <ceres/problem.h>
#include <ceres/solver.h>
#include <glog/logging.h>

#include <Eigen/SparseCholesky>
#include <algorithm>

namespace vantage {
namespace {

constexpr double kMinInformation = 1e-9;

class EndsWhenStopped final : public ceres::IterationCallback {
 public:
  explicit EndsWhenStopped(const StopSource& stop) : stop_(stop) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary&) override {
    return stop_.stop_requested() ? ceres::SOLVER_ABORT : ceres::SOLVER_CONTINUE;
  }

 private:
  const StopSource& stop_;
};

ceres::LossFunction* made(const Loss& loss) {
  ceres::LossFunction* function = nullptr;
  if (loss.kind == Loss::Kind::huber) function = new ceres::HuberLoss(loss.scale);
  if (loss.kind == Loss::Kind::tukey) function = new ceres::TukeyLoss(loss.scale);
  return loss.weight == 1 ? function : new ceres::ScaledLoss(function, loss.weight, ceres::TAKE_OWNERSHIP);
}

ceres::LinearSolverType type_of(Minimiser::Equations equations) {
  if (equations == Minimiser::Equations::dense) return ceres::DENSE_NORMAL_CHOLESKY;
  return equations == Minimiser::Equations::schur ? ceres::SPARSE_SCHUR : ceres::SPARSE_NORMAL_CHOLESKY;
}

}  // namespace

Adjustment::Adjustment() : problem_(std::make_unique<ceres::Problem>()) {}
Adjustment::Adjustment(Adjustment&&) noexcept = default;
Adjustment::~Adjustment() = default;

bool Adjustment::empty() const {
  return problem_->NumResidualBlocks() == 0;
}

void Adjustment::add(ceres::CostFunction* cost, const std::optional<Loss>& loss,
                     const std::vector<double*>& blocks) {
  problem_->AddResidualBlock(cost, loss ? made(*loss) : nullptr, blocks);
}

void Adjustment::add_prior(std::span<double> values, std::span<const double> deviations) {
  const auto count = static_cast<Eigen::Index>(values.size());
  const Eigen::Map<const Eigen::VectorXd> std(deviations.data(), count);
  const Eigen::MatrixXd weights = std.cwiseInverse().asDiagonal();
  add(new ceres::NormalPrior(weights, Eigen::VectorXd::Zero(count)), {}, {values.data()});
}

void Adjustment::place(std::string name, std::span<double> values, std::span<const bool> free,
                       std::span<const char* const> value_names, std::span<int> columns) {
  const size_t block = blocks_.size();
  blocks_.push_back({std::move(name), value_names});
  std::ranges::fill(columns, -1);
  if (!problem_->HasParameterBlock(values.data())) return;
  std::vector<int> fixed;
  for (size_t i = 0; i < free.size(); ++i)
    if (!free[i]) fixed.push_back(static_cast<int>(i));
  if (fixed.size() == free.size()) return problem_->SetParameterBlockConstant(values.data());
  if (!fixed.empty())
    problem_->SetManifold(values.data(), new ceres::SubsetManifold(static_cast<int>(free.size()), fixed));
  free_blocks_.push_back(values.data());
  for (size_t i = 0; i < free.size(); ++i)
    if (free[i]) columns[i] = this->columns(), columns_.push_back({block, i});
}

std::string Adjustment::name_of(Eigen::Index column) const {
  const auto [number, value] = columns_[column];
  const NamedBlock& block = blocks_[number];
  return block.value_names.empty() ? block.name : block.name + ' ' + block.value_names[value];
}

Status Adjustment::solve(const Minimiser& how, const std::string& remedy, const StopSource& stop) {
  EndsWhenStopped ends(stop);
  ceres::Solver::Options options;
  options.linear_solver_type = type_of(how.equations);
  options.num_threads = 1;
  options.max_num_iterations = how.max_iterations;
  options.function_tolerance = how.function_tolerance;
  options.parameter_tolerance = how.parameter_tolerance;
  options.gradient_tolerance = how.gradient_tolerance;
  options.logging_type = ceres::SILENT;
  // Its warnings are about steps that it tries again; what fails is in the summary.
  FLAGS_minloglevel = google::GLOG_ERROR;
  options.callbacks.push_back(&ends);
  ceres::Solver::Summary summary;
  ceres::Solve(options, problem_.get(), &summary);
  if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped", "calibration");
  if (summary.IsSolutionUsable()) return {};
  return fail(ErrorKind::bad_data, "the adjustment reached no solution: " + summary.message, "calibration",
              remedy);
}

double Adjustment::cost() const {
  double cost = 0;
  problem_->Evaluate({}, &cost, nullptr, nullptr, nullptr);
  return cost;
}

std::optional<AdjustmentSlopes> Adjustment::slopes(bool robust) {
  ceres::Problem::EvaluateOptions options;
  options.parameter_blocks = free_blocks_;
  options.apply_loss_function = robust;
  ceres::CRSMatrix found;
  AdjustmentSlopes slopes;
  if (!problem_->Evaluate(options, &slopes.cost, &slopes.residuals, nullptr, &found)) return {};
  slopes.by_values = Eigen::Map<const Jacobian>(found.num_rows, found.num_cols,
                                                static_cast<Eigen::Index>(found.values.size()),
                                                found.rows.data(), found.cols.data(), found.values.data());
  return slopes;
}

Result<Eigen::MatrixXd> Adjustment::covariance(int columns) {
  const auto found = slopes(true);
  if (!found)
    return fail(ErrorKind::bad_data, "the adjustment's solution cannot be evaluated", "calibration");
  const Jacobian& jacobian = found->by_values;
  Eigen::SparseMatrix<double> information = Eigen::SparseMatrix<double>(jacobian.transpose()) * jacobian;
  for (Eigen::Index i = 0; i < jacobian.cols(); ++i) information.coeffRef(i, i) += kMinInformation;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(information);
  const Eigen::MatrixXd first = Eigen::MatrixXd::Identity(jacobian.cols(), columns);
  const Eigen::MatrixXd inverse = solver.solve(first);
  return Eigen::MatrixXd(inverse.topRows(columns));
}

}  // namespace vantage
