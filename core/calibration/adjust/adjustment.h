// One least-squares adjustment, minimised by Ceres: residuals with robust losses, blocks of values with
// names, the solution, and its slopes, from which uncertainty.h tells its covariance and what the data leave
// open. The same input gives the same bytes: one thread, sums in one order. All of Ceres but cost functions
// is in adjustment.cpp.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"

namespace ceres {
class CostFunction;
class Problem;
}  // namespace ceres

namespace vantage {

// Weight of a residual by its size. Beyond `scale`, Huber's loss grows with the residual, no longer with its
// square (P. J. Huber, "Robust estimation of a location parameter", 1964), and Tukey's not at all.
struct Loss {
  enum class Kind : uint8_t { huber, tukey } kind = Kind::huber;
  double scale = 0;
  double weight = 1;  // of its square
};

struct Minimiser {
  enum class Equations : uint8_t { sparse, schur, dense } equations = Equations::sparse;
  int max_iterations = 200;
  double function_tolerance = 1e-12, parameter_tolerance = 1e-12, gradient_tolerance = 1e-12;
};

using Jacobian = Eigen::SparseMatrix<double, Eigen::RowMajor>;

struct AdjustmentSlopes {
  Jacobian by_values;             // a row for each residual as added, a column for each free value
  std::vector<double> residuals;  // as added
  double cost = 0;                // half the sum of their squares
};

// First residuals are added, then each of their blocks is named, whose columns follow each other in that
// order. Values keep their addresses.
class Adjustment {
 public:
  Adjustment();
  Adjustment(Adjustment&&) noexcept;
  ~Adjustment();

  // Takes `cost` over; `loss`: nothing: squares.
  void add(ceres::CostFunction* cost, const std::optional<Loss>& loss, const std::vector<double*>& blocks);
  // Values that are 0 with these standard deviations.
  void add_prior(std::span<double> values, std::span<const double> deviations);

  // Frees some of a block's values. The column of each; -1: it is fixed, or in no residual. `value_names`:
  // behind the block's name, where an open value is to be told from its neighbours.
  template <size_t N>
  std::array<int, N> block(std::string name, std::array<double, N>& values, const std::array<bool, N>& free,
                           std::span<const char* const> value_names = {}) {
    std::array<int, N> columns;
    place(std::move(name), values, free, value_names, columns);
    return columns;
  }
  template <size_t N>
  std::array<int, N> block(std::string name, std::array<double, N>& values, bool free) {
    std::array<bool, N> all;
    all.fill(free);
    return block(std::move(name), values, all);
  }
  int block(std::string name, double& value, bool free) {
    int column = -1;
    place(std::move(name), {&value, 1}, {&free, 1}, {}, {&column, 1});
    return column;
  }

  bool empty() const;  // no residual is added
  int columns() const { return static_cast<int>(columns_.size()); }
  // The number of the named block that a column is of, and its name with that of the value.
  size_t block_of(Eigen::Index column) const { return columns_[column].block; }
  std::string name_of(Eigen::Index column) const;

  // Errors: cancelled within an iteration of the stop; bad_data, with the remedy, where no solution is
  // reached.
  Status solve(const Minimiser& how, const std::string& remedy = {}, const StopSource& stop = {});

  // Half the sum of squares at the present values, by the losses.
  double cost() const;
  // At the present values; `robust`: by the losses. Nothing where a residual has no value.
  std::optional<AdjustmentSlopes> slopes(bool robust);
  // The covariance of the first `columns` values, all others being free, too, as if residuals were
  // independent and of unit variance, by the losses. Values that no residual determines are known to be about
  // as they are. Errors: bad_data where a residual has no value.
  Result<Eigen::MatrixXd> covariance(int columns);

 private:
  struct NamedBlock {
    std::string name;
    std::span<const char* const> value_names;
  };
  struct Column {
    size_t block, value;
  };
  void place(std::string name, std::span<double> values, std::span<const bool> free,
             std::span<const char* const> value_names, std::span<int> columns);

  std::unique_ptr<ceres::Problem> problem_;
  std::vector<NamedBlock> blocks_;
  std::vector<double*> free_blocks_;
  std::vector<Column> columns_;
};

}  // namespace vantage
