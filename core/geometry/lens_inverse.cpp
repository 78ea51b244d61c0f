#include "core/geometry/lens_inverse.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

namespace vantage {
namespace {

constexpr double kNoFold = 1e30;

// A polynomial's coefficients, the constant first.
using Polynomial = std::vector<double>;

double value_of(const Polynomial& p, double u) {
  double value = 0;
  for (size_t i = p.size(); i-- > 0;) value = value * u + p[i];
  return value;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial p(a.size() + b.size() - 1, 0.0);
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t k = 0; k < b.size(); ++k) p[i + k] += a[i] * b[k];
  return p;
}

// Eigenvalues of the companion matrix, ascending. Nearly real ones count: a double root has imaginary parts.
std::vector<double> positive_roots(const Polynomial& p) {
  const auto degree = static_cast<Eigen::Index>(p.size()) - 1;
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(degree, degree);
  for (Eigen::Index i = 0; i < degree; ++i) {
    if (i > 0) companion(i, i - 1) = 1;
    companion(i, degree - 1) = -p[i] / p.back();
  }
  if (!companion.allFinite()) return {};
  constexpr double kNearlyReal = 1e-6;
  std::vector<double> roots;
  for (const std::complex<double>& root : companion.eigenvalues())
    if (root.real() > 0 && std::abs(root.imag()) <= kNearlyReal * root.real()) roots.push_back(root.real());
  std::sort(roots.begin(), roots.end());
  return roots;
}

// The last u before p (1 at u = 0) ceases to be positive; kNoFold: it never does.
double first_root(Polynomial p) {
  while (p.size() > 1 && p.back() == 0) p.pop_back();
  if (p.size() < 2) return kNoFold;
  constexpr double kBeyond = 1 + 1e-5;  // an eigenvalue's error
  double low = 0;
  for (const double root : positive_roots(p)) {
    double high = root * kBeyond;
    if (high < kNoFold && value_of(p, high) <= 0) {
      for (double middle = 0.5 * (low + high); low < middle && middle < high; middle = 0.5 * (low + high))
        (value_of(p, middle) > 0 ? low : high) = middle;
      return low;
    }
    low = high;
  }
  return kNoFold;
}

// The u = r^2 at which the bent radius r N(u) / D(u) stops growing, or D is 0.
double fold_of_fraction(const Lens<double>& c) {
  const Polynomial above = {1, c.k1, c.k2, c.k3}, below = {1, c.k4, c.k5, c.k6};
  // d (r N / D) / dr = ((N + 2 u N') D - 2 u N D') / D^2
  const Polynomial grown = {1, 3 * c.k1, 5 * c.k2, 7 * c.k3}, sunk = {0, 2 * c.k4, 4 * c.k5, 6 * c.k6};
  Polynomial slope = product(grown, below);
  const Polynomial less = product(above, sunk);
  for (size_t i = 0; i < slope.size(); ++i) slope[i] -= less[i];
  return std::min(first_root(slope), first_root(below));
}

// Angle up to which the bent angle grows.
double largest_angle(const Lens<double>& c) {
  const double fold = first_root({1, 3 * c.k1, 5 * c.k2, 7 * c.k3, 9 * c.k4});
  return std::min(std::sqrt(fold), kMaxFisheyeAngle_rad);
}

double max_radius2_of(const Lens<double>& c) {
  switch (c.lens) {
    case LensModel::polynomial:
      return first_root({1, 3 * c.k1, 5 * c.k2, 7 * c.k3});
    case LensModel::rational:
      return fold_of_fraction(c);
    case LensModel::fisheye:
      break;
  }
  const double radius = std::tan(largest_angle(c));
  return radius * radius;
}

// OpenCV's tilt: the sensor turned by tau_x and tau_y, seen along the axis.
void set_tilt(Lens<double>* c) {
  using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  Eigen::Map<Matrix> tilt(c->tilt);
  tilt.setIdentity();
  if (c->tau_x == 0 && c->tau_y == 0) return;
  Matrix about_x = Matrix::Identity(), about_y = Matrix::Identity(), straight = Matrix::Identity();
  about_x(1, 1) = about_x(2, 2) = std::cos(c->tau_x);
  about_x(1, 2) = std::sin(c->tau_x), about_x(2, 1) = -about_x(1, 2);
  about_y(0, 0) = about_y(2, 2) = std::cos(c->tau_y);
  about_y(0, 2) = -std::sin(c->tau_y), about_y(2, 0) = -about_y(0, 2);
  const Matrix turn = about_y * about_x;
  straight(0, 0) = straight(1, 1) = turn(2, 2);
  straight(0, 2) = -turn(0, 2), straight(1, 2) = -turn(1, 2);
  tilt = straight * turn;
}

Eigen::Vector2d bent_of(const Lens<double>& c, const Eigen::Vector2d& p) {
  Eigen::Vector2d bent;
  distort(c, p.x(), p.y(), &bent.x(), &bent.y());
  return bent;
}

// The Jacobian of distort(): of the polynomial by its formula; else by differences, whose error of 1e-10
// costs Newton's steps nothing.
Eigen::Matrix2d jacobian_of(const Lens<double>& c, const Eigen::Vector2d& p) {
  Eigen::Matrix2d j;
  if (c.lens != LensModel::polynomial) {
    const double step = 1e-6 * std::max(1.0, p.norm());
    for (int i = 0; i < 2; ++i) {
      const Eigen::Vector2d aside = step * Eigen::Vector2d::Unit(i);
      j.col(i) = (bent_of(c, p + aside) - bent_of(c, p - aside)) / (2 * step);
    }
    return j;
  }
  const double x = p.x(), y = p.y(), r2 = x * x + y * y;
  const double radial = 1.0 + r2 * (c.k1 + r2 * (c.k2 + r2 * c.k3));
  const double slope = c.k1 + r2 * (2.0 * c.k2 + r2 * 3.0 * c.k3);  // d radial / d r2
  j(0, 0) = radial + 2.0 * x * x * slope + 2.0 * c.p1 * y + 6.0 * c.p2 * x;
  j(0, 1) = 2.0 * x * y * slope + 2.0 * c.p1 * x + 2.0 * c.p2 * y;
  j(1, 0) = j(0, 1);
  j(1, 1) = radial + 2.0 * y * y * slope + 6.0 * c.p1 * y + 2.0 * c.p2 * x;
  return j;
}

// The bent angle grows up to the largest one: Newton's steps within a bracket.
std::optional<Eigen::Vector2d> straightened_fisheye(const Lens<double>& c, const Eigen::Vector2d& bent) {
  const double target = bent.norm();
  if (target == 0) return bent;
  double low = 0, high = std::atan(std::sqrt(c.max_radius2));
  if (!(target <= bent_angle(c, high))) return std::nullopt;
  double angle = std::min(target, high);
  for (int step = 0; step < 100 && low < high; ++step) {
    const double off = bent_angle(c, angle) - target;
    (off > 0 ? high : low) = angle;
    const double u = angle * angle;
    const double slope = 1 + u * (3 * c.k1 + u * (5 * c.k2 + u * (7 * c.k3 + u * 9 * c.k4)));
    double next = angle - off / slope;
    if (!(next > low && next < high)) next = off == 0 ? angle : 0.5 * (low + high);
    if (next == angle || std::abs(off) <= 1e-15 * target) break;
    angle = next;
  }
  return Eigen::Vector2d(bent * (std::tan(angle) / target));
}

}  // namespace

std::vector<double> lens_coefficients(const Lens<double>& c) {
  if (c.lens == LensModel::fisheye) return {c.k1, c.k2, c.k3, c.k4};
  std::vector<double> all = {c.k1, c.k2, c.p1, c.p2, c.k3};
  if (c.lens == LensModel::polynomial) return all;
  all.insert(all.end(), {c.k4, c.k5, c.k6});
  const bool tilted = c.tau_x != 0 || c.tau_y != 0;
  if (tilted || c.s1 != 0 || c.s2 != 0 || c.s3 != 0 || c.s4 != 0)
    all.insert(all.end(), {c.s1, c.s2, c.s3, c.s4});
  if (tilted) all.insert(all.end(), {c.tau_x, c.tau_y});
  return all;
}

std::string_view lens_model_name(LensModel model) {
  constexpr std::string_view kNames[] = {"polynomial", "rational", "fisheye"};
  return kNames[static_cast<int>(model)];
}

bool is_finite(const Lens<double>& c) {
  const auto finite = [](double v) { return std::isfinite(v); };
  const std::initializer_list<double> values = {c.k1, c.k2, c.p1, c.p2, c.k3, c.k4,    c.k5,
                                                c.k6, c.s1, c.s2, c.s3, c.s4, c.tau_x, c.tau_y};
  return std::all_of(values.begin(), values.end(), finite);
}

void complete_lens(Lens<double>* lens) {
  set_tilt(lens);
  lens->max_radius2 = max_radius2_of(*lens);
}

std::optional<Eigen::Vector2d> straightened(const Lens<double>& lens, const Eigen::Vector2d& bent) {
  if (!bent.allFinite()) return std::nullopt;
  if (lens.lens == LensModel::fisheye) return straightened_fisheye(lens, bent);
  constexpr int kMaxSteps = 50;
  Eigen::Vector2d p = bent;
  if (p.squaredNorm() > lens.max_radius2) p *= 0.99 * std::sqrt(lens.max_radius2 / p.squaredNorm());
  Eigen::Vector2d residual = bent_of(lens, p) - bent;
  const double tolerance = 1e-12 * std::max(1.0, bent.norm());
  for (int step = 0; step < kMaxSteps && residual.norm() > tolerance; ++step) {
    const Eigen::Matrix2d jacobian = jacobian_of(lens, p);
    if (!(std::abs(jacobian.determinant()) > 1e-12)) return std::nullopt;
    const Eigen::Vector2d full_step = jacobian.inverse() * residual;
    // Near the fold a full step can leave the model: halve it until the residual falls.
    double share = 1.0;
    Eigen::Vector2d next = p - full_step, next_residual = bent_of(lens, next) - bent;
    while (share > 1e-6 &&
           (next.squaredNorm() > lens.max_radius2 || !(next_residual.norm() < residual.norm()))) {
      share *= 0.5;
      next = p - share * full_step;
      next_residual = bent_of(lens, next) - bent;
    }
    if (!(next_residual.norm() < residual.norm())) return std::nullopt;
    p = next;
    residual = next_residual;
  }
  if (!(residual.norm() <= tolerance) || p.squaredNorm() > lens.max_radius2) return std::nullopt;
  return p;
}

}  // namespace vantage
