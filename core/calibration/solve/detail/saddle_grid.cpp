#include "core/calibration/solve/detail/saddle_grid.h"

#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/geometry/dense.h"

namespace vantage {
namespace {

// Lattices of the saddle points of a picture's brightness, of which a chessboard's corners are some: saddles
// whose bright directions agree are every other corner of a board.

struct Saddle {
  Eigen::Vector2d place;
  Eigen::Vector2d axes;  // twice the angle of its bright direction, as a unit vector
  double strength = 0;
};

using LatticeCell = std::pair<int, int>;  // steps along two neighbours of the first saddle
using SaddleLattice = std::vector<std::pair<LatticeCell, int>>;  // cells and their saddles, by cell

class SaddleGrower {
 public:
  // The saddles outlive it; the strongest first.
  explicit SaddleGrower(const std::vector<Saddle>& saddles);

  // Grows from a saddle and two of its neighbours, whose cells are (1, 0) and (0, 1).
  SaddleLattice grow(int origin, int u, int v);
  // The nearest of the saddles like this one, the nearest first.
  std::vector<int> neighbours(int saddle) const;

 private:
  static constexpr int kMaxSteps = 100, kMargin = kMaxSteps + 1, kSpan = 2 * kMargin + 1;
  struct Taken {
    int growth = 0, ring = 0, saddle = 0;
  };
  struct Guess {
    Eigen::Vector2d place;
    double reach_px;
  };

  size_t block_index(int column, int row) const;
  int nearest(const Eigen::Vector2d& place, double reach_px, const Saddle& model) const;
  static size_t cell_index(LatticeCell cell);
  void take(LatticeCell cell, int saddle);
  bool is_taken(LatticeCell cell) const { return cells_[cell_index(cell)].growth == growth_; }
  std::optional<Eigen::Vector2d> known(int column, int row) const;
  std::optional<Guess> guess(LatticeCell cell, int dx, int dy) const;
  bool add_ring(SaddleLattice* lattice);

  const std::vector<Saddle>& saddles_;
  int growth_ = 0, ring_ = 0;  // counted, so that nothing needs clearing
  std::vector<Taken> cells_ = std::vector<Taken>(static_cast<size_t>(kSpan) * kSpan);
  std::vector<int> used_in_;              // by saddle: the last growth that used it
  int columns_ = 0, rows_ = 0;            // of blocks of the picture
  std::vector<std::vector<int>> blocks_;  // the saddles in each
};

using Eigen::Vector2d;

constexpr int kNeighbours = 8;

bool alike(const Saddle& a, const Saddle& b) {
  return a.axes.dot(b.axes) > 0.7 && a.strength < 20 * b.strength && b.strength < 20 * a.strength;
}

int block_of(double place) {
  constexpr double kBlock_px = 24;
  return static_cast<int>(std::clamp(std::floor(place / kBlock_px), 0.0, 1e6));
}

SaddleGrower::SaddleGrower(const std::vector<Saddle>& saddles) : saddles_(saddles), used_in_(saddles.size()) {
  for (const Saddle& saddle : saddles) {
    columns_ = std::max(columns_, block_of(saddle.place.x()) + 1);
    rows_ = std::max(rows_, block_of(saddle.place.y()) + 1);
  }
  blocks_.resize(static_cast<size_t>(columns_) * static_cast<size_t>(rows_));
  for (size_t i = 0; i < saddles.size(); ++i)
    blocks_[block_index(block_of(saddles[i].place.x()), block_of(saddles[i].place.y()))].push_back(
        static_cast<int>(i));
}

SaddleLattice SaddleGrower::grow(int origin, int u, int v) {
  ++growth_, ring_ = 0;
  SaddleLattice lattice = {{{0, 0}, origin}, {{0, 1}, v}, {{1, 0}, u}};
  for (const auto& [cell, saddle] : lattice) take(cell, saddle);
  while (add_ring(&lattice)) {
  }
  return lattice;
}

std::vector<int> SaddleGrower::neighbours(int i) const {
  std::vector<std::pair<double, int>> near;
  for (size_t j = 0; j < saddles_.size(); ++j) {
    if (static_cast<int>(j) == i || !alike(saddles_[j], saddles_[i])) continue;
    near.emplace_back((saddles_[j].place - saddles_[i].place).squaredNorm(), static_cast<int>(j));
  }
  const size_t kept = std::min<size_t>(kNeighbours, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(kept), near.end());
  std::vector<int> neighbours;
  for (size_t k = 0; k < kept; ++k) neighbours.push_back(near[k].second);
  return neighbours;
}

size_t SaddleGrower::block_index(int column, int row) const {
  return static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column);
}

// The nearest saddle; of two as near the stronger.
int SaddleGrower::nearest(const Vector2d& place, double reach_px, const Saddle& model) const {
  std::pair<double, int> best = {reach_px * reach_px, -1};
  const int right = std::min(columns_ - 1, block_of(place.x() + reach_px));
  const int low = std::min(rows_ - 1, block_of(place.y() + reach_px));
  for (int row = block_of(place.y() - reach_px); row <= low; ++row)
    for (int column = block_of(place.x() - reach_px); column <= right; ++column)
      for (const int j : blocks_[block_index(column, row)]) {
        const Saddle& saddle = saddles_[j];
        const std::pair<double, int> found = {(saddle.place - place).squaredNorm(), j};
        if (found < best && alike(saddle, model) && used_in_[j] != growth_) best = found;
      }
  return best.second;
}

size_t SaddleGrower::cell_index(LatticeCell cell) {
  return static_cast<size_t>((cell.second + kMargin) * kSpan + cell.first + kMargin);
}

void SaddleGrower::take(LatticeCell cell, int saddle) {
  cells_[cell_index(cell)] = {growth_, ring_, saddle};
  used_in_[saddle] = growth_;
}

// Place of a cell that was there before this ring.
std::optional<Vector2d> SaddleGrower::known(int column, int row) const {
  const Taken& taken = cells_[cell_index({column, row})];
  if (taken.growth != growth_ || taken.ring == ring_) return {};
  return saddles_[taken.saddle].place;
}

// The expected position of the neighbour of `cell` in direction (dx, dy), from the cell before it or from the
// row next to it.
std::optional<SaddleGrower::Guess> SaddleGrower::guess(LatticeCell cell, int dx, int dy) const {
  const auto here = known(cell.first, cell.second);
  if (const auto before = known(cell.first - dx, cell.second - dy))
    return Guess{2 * *here - *before, 0.25 * (*here - *before).norm()};
  for (const int side : {-1, 1}) {
    const int sx = side * dy, sy = side * dx;
    const auto beside = known(cell.first + sx, cell.second + sy);
    const auto ahead = known(cell.first + sx + dx, cell.second + sy + dy);
    if (beside && ahead) return Guess{*here + *ahead - *beside, 0.25 * (*ahead - *beside).norm()};
  }
  return {};
}

bool SaddleGrower::add_ring(SaddleLattice* lattice) {
  ++ring_;
  const size_t before = lattice->size();
  for (size_t i = 0; i < before; ++i) {
    const auto [cell, saddle] = (*lattice)[i];
    for (const auto& [dx, dy] : {LatticeCell{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const LatticeCell next = {cell.first + dx, cell.second + dy};
      if (std::abs(next.first) > kMaxSteps || std::abs(next.second) > kMaxSteps || is_taken(next)) continue;
      const auto expected = guess(cell, dx, dy);
      if (!expected) continue;
      const int found = nearest(expected->place, expected->reach_px, saddles_[saddle]);
      if (found < 0) continue;
      lattice->emplace_back(next, found);
      take(next, found);
    }
  }
  std::sort(lattice->begin(), lattice->end());
  return lattice->size() > before;
}

using Eigen::Vector2d;
using Cell = std::pair<int, int>;

constexpr size_t kMaxSaddles = 1500;
constexpr size_t kMaxSeeds = 150;
constexpr double kMinPattern =
    0.94;  // correlation of the squares' brightness with the colours of a chessboard
constexpr double kMinRoughPattern = 0.8;
constexpr int kSquare_px = 32;  // of the picture of the board made upright

struct Derivatives {
  cv::Mat x, y, xx, yy, xy, strength;
};

Derivatives derivatives_of(const cv::Mat& gray, double sigma_px) {
  cv::Mat smooth;
  gray.convertTo(smooth, CV_32F);
  cv::GaussianBlur(smooth, smooth, cv::Size(), sigma_px);
  Derivatives d;
  const auto derive = [&](int dx, int dy, double scale, cv::Mat* out) {
    cv::Sobel(smooth, *out, CV_32F, dx, dy, 3, scale);
  };
  derive(1, 0, 1.0 / 8, &d.x), derive(0, 1, 1.0 / 8, &d.y);
  derive(2, 0, 1.0 / 4, &d.xx), derive(0, 2, 1.0 / 4, &d.yy), derive(1, 1, 1.0 / 4, &d.xy);
  d.strength = d.xy.mul(d.xy) - d.xx.mul(d.yy);
  return d;
}

// The stationary point of the quadratic around a pixel; nothing where it lies elsewhere.
std::optional<Saddle> saddle_at(const Derivatives& d, int x, int y) {
  const double xx = d.xx.at<float>(y, x), yy = d.yy.at<float>(y, x), xy = d.xy.at<float>(y, x);
  const double gx = d.x.at<float>(y, x), gy = d.y.at<float>(y, x);
  const double determinant = xx * yy - xy * xy;
  if (!(determinant < 0)) return {};
  const Vector2d step((xy * gy - yy * gx) / determinant, (xy * gx - xx * gy) / determinant);
  if (!(step.cwiseAbs().maxCoeff() <= 1.5)) return {};
  const Vector2d axes(xx - yy, 2 * xy);
  if (!(axes.norm() > 0)) return {};
  return Saddle{Vector2d(x, y) + step, axes.normalized(), -determinant};
}

// The strongest first; ties by place, so that the same picture gives the same order.
std::vector<Saddle> saddles_of(const cv::Mat& gray, double sigma_px) {
  const Derivatives d = derivatives_of(gray, sigma_px);
  const int reach = std::max(1, static_cast<int>(std::lround(sigma_px)));
  cv::Mat largest;
  cv::dilate(d.strength, largest, cv::Mat::ones(2 * reach + 1, 2 * reach + 1, CV_8U));
  std::vector<Saddle> saddles;
  for (int y = reach + 1; y < gray.rows - reach - 1; ++y)
    for (int x = reach + 1; x < gray.cols - reach - 1; ++x) {
      const float strength = d.strength.at<float>(y, x);
      if (!(strength > 0.01f) || strength < largest.at<float>(y, x)) continue;
      if (const auto saddle = saddle_at(d, x, y)) saddles.push_back(*saddle);
    }
  std::stable_sort(saddles.begin(), saddles.end(),
                   [](const Saddle& a, const Saddle& b) { return a.strength > b.strength; });
  if (saddles.size() > kMaxSaddles) saddles.resize(kMaxSaddles);
  return saddles;
}

struct Placed {
  cv::Matx33d picture_from_board;  // board: the corner of column c and row r is (c, r)
  double pattern = 0;
};

Vector2d mapped(const cv::Matx33d& h, double x, double y) {
  const cv::Vec3d p = h * cv::Vec3d(x, y, 1);
  return {p[0] / p[2], p[1] / p[2]};
}

// Alternation of the brightness of squares' middles, those that lie in the picture: |correlation|, 0
// where few do.
double pattern_of(const cv::Mat& gray, const cv::Matx33d& picture_from_board, int columns, int rows) {
  double n = 0, sum = 0, sum2 = 0, signed_sum = 0, signs = 0;
  for (int row = 0; row <= rows; ++row)
    for (int column = 0; column <= columns; ++column) {
      const Vector2d place = mapped(picture_from_board, column - 0.5, row - 0.5);
      if (!(place.x() >= 0 && place.y() >= 0 && place.x() <= gray.cols - 1 && place.y() <= gray.rows - 1))
        continue;
      const double value = gray.at<uint8_t>(static_cast<int>(std::lround(place.y())),
                                            static_cast<int>(std::lround(place.x())));
      const double sign = (column + row) % 2 == 0 ? 1 : -1;
      ++n, sum += value, sum2 += value * value, signed_sum += sign * value, signs += sign;
    }
  if (n < 0.75 * (columns + 1) * (rows + 1)) return 0;
  const double spread2 = (sum2 - sum * sum / n) * (n - signs * signs / n);
  return spread2 > 0 ? std::abs(signed_sum - sum * signs / n) / std::sqrt(spread2) : 0;
}

// The homography that suits the points by linear equations: hundreds of times as fast as OpenCV's, and
// enough to tell that there is no board.
cv::Matx33d rough_homography(const std::vector<cv::Point2d>& board, const std::vector<cv::Point2d>& picture) {
  const auto middle_of = [](const std::vector<cv::Point2d>& points) {
    cv::Point2d sum;
    for (const cv::Point2d& point : points) sum += point;
    return sum / static_cast<double>(points.size());
  };
  const cv::Point2d from = middle_of(board), to = middle_of(picture);
  constexpr double kPictureUnit_px = 100;  // so that all numbers are of one size
  Eigen::Matrix<double, 8, 8> squares = Eigen::Matrix<double, 8, 8>::Zero();
  Eigen::Matrix<double, 8, 1> right = Eigen::Matrix<double, 8, 1>::Zero();
  for (size_t i = 0; i < board.size(); ++i) {
    const cv::Point2d b = board[i] - from, p = (picture[i] - to) / kPictureUnit_px;
    Eigen::Matrix<double, 2, 8> rows;
    rows << b.x, b.y, 1, 0, 0, 0, -p.x * b.x, -p.x * b.y, 0, 0, 0, b.x, b.y, 1, -p.y * b.x, -p.y * b.y;
    squares += rows.transpose() * rows;
    right += rows.transpose() * Vector2d(p.x, p.y);
  }
  const Eigen::VectorXd h = solve_symmetric(squares, right);
  const cv::Matx33d middle(h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], 1);
  const cv::Matx33d to_picture(kPictureUnit_px, 0, to.x, 0, kPictureUnit_px, to.y, 0, 0, 1);
  return to_picture * middle * cv::Matx33d(1, 0, -from.x, 0, 1, -from.y, 0, 0, 1);
}

// The place of the board on the lattice whose steps are the diagonals (1, 1) and (1, -1) of its squares.
std::optional<Placed> placed(const cv::Mat& gray, const SaddleLattice& lattice,
                             const std::vector<Saddle>& saddles, int columns, int rows) {
  const size_t wanted = static_cast<size_t>(columns * rows / 2 * 3 / 4);
  if (lattice.size() < wanted) return {};
  std::map<Cell, Vector2d> corners;
  int left = INT32_MAX, right = INT32_MIN, low = INT32_MAX, high = INT32_MIN;
  for (const auto& [cell, saddle] : lattice) {
    const Cell corner = {cell.first + cell.second, cell.first - cell.second};
    corners[corner] = saddles[saddle].place;
    left = std::min(left, corner.first), right = std::max(right, corner.first);
    low = std::min(low, corner.second), high = std::max(high, corner.second);
  }
  std::optional<Placed> best;
  for (int x = left; x <= right - columns + 1; ++x)
    for (int y = low; y <= high - rows + 1; ++y) {
      std::vector<cv::Point2d> board, picture;
      for (const auto& [corner, place] : corners) {
        if (corner.first < x || corner.second < y || corner.first >= x + columns || corner.second >= y + rows)
          continue;
        board.emplace_back(corner.first - x, corner.second - y);
        picture.emplace_back(place.x(), place.y());
      }
      if (board.size() < std::max<size_t>(wanted, 4)) continue;
      if (pattern_of(gray, rough_homography(board, picture), columns, rows) < kMinRoughPattern) continue;
      const cv::Mat found = cv::findHomography(board, picture);
      if (found.empty()) continue;
      const cv::Matx33d h(found);
      const double pattern = pattern_of(gray, h, columns, rows);
      if (pattern >= kMinPattern && (!best || pattern > best->pattern)) best = Placed{h, pattern};
    }
  return best;
}

const Saddle* strongest_near(const Vector2d& expected, const std::vector<Saddle>& saddles) {
  const Saddle* best = nullptr;
  for (const Saddle& saddle : saddles)
    if ((saddle.place - expected).norm() < 0.3 * kSquare_px && (!best || saddle.strength > best->strength))
      best = &saddle;
  return best;
}

// Each corner's saddle in the picture of the board made upright, where smoothing reaches as far in all
// directions of the board: corners of slanted boards stay apart, and gaps of overexposed ones close.
std::vector<GridCorner> corners_of(const cv::Mat& gray, const cv::Mat& upright, double sigma_px,
                                   const cv::Matx33d& picture_from_upright, int columns, int rows) {
  const std::vector<Saddle> saddles = saddles_of(upright, sigma_px);
  std::vector<GridCorner> corners;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const Vector2d expected((column + 1) * kSquare_px, (row + 1) * kSquare_px);
      const Saddle* found = strongest_near(expected, saddles);
      if (!found) continue;
      const Vector2d place = mapped(picture_from_upright, found->place.x(), found->place.y());
      if (!(place.x() >= 0 && place.y() >= 0 && place.x() <= gray.cols - 1 && place.y() <= gray.rows - 1))
        continue;
      corners.push_back({column, row, place.x(), place.y()});
    }
  return corners;
}

// Smoothed by a third of a square; what that leaves out (a gap too wide, a neighbour too strong) with more or
// less.
std::vector<GridCorner> sharpest_corners_of(const cv::Mat& gray, const cv::Matx33d& picture_from_board,
                                            int columns, int rows) {
  const double step = 1.0 / kSquare_px;
  const cv::Matx33d board_from_upright(step, 0, -1, 0, step, -1, 0, 0, 1);
  const cv::Matx33d picture_from_upright = picture_from_board * board_from_upright;
  cv::Mat upright;
  cv::warpPerspective(gray, upright, picture_from_upright,
                      {(columns + 1) * kSquare_px + 1, (rows + 1) * kSquare_px + 1},
                      cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
  std::vector<GridCorner> all;
  for (const double share : {3.0, 2.5, 2.0, 3.5, 4.25}) {
    if (static_cast<int>(all.size()) == columns * rows) break;
    for (const GridCorner& corner :
         corners_of(gray, upright, kSquare_px / share, picture_from_upright, columns, rows)) {
      const bool known = std::any_of(all.begin(), all.end(), [&](const GridCorner& other) {
        return other.column == corner.column && other.row == corner.row;
      });
      if (!known) all.push_back(corner);
    }
  }
  return all;
}

std::optional<Placed> search(const cv::Mat& gray, int columns, int rows, double sigma_px,
                             const StopSource& stop) {
  const std::vector<Saddle> saddles = saddles_of(gray, sigma_px);
  SaddleGrower grower(saddles);
  for (size_t i = 0; i < std::min(kMaxSeeds, saddles.size()); ++i) {
    const std::vector<int> near = grower.neighbours(static_cast<int>(i));
    for (size_t a = 0; a < near.size(); ++a)
      for (size_t b = a + 1; b < near.size(); ++b) {
        if (stop.stop_requested()) return {};
        const Vector2d u = saddles[near[a]].place - saddles[i].place;
        const Vector2d v = saddles[near[b]].place - saddles[i].place;
        if (!(std::abs(u.x() * v.y() - u.y() * v.x()) > 0.2 * u.norm() * v.norm())) continue;
        const SaddleLattice lattice = grower.grow(static_cast<int>(i), near[a], near[b]);
        const auto found = placed(gray, lattice, saddles, columns, rows);
        if (found) return found;
        if (columns == rows) continue;
        const auto turned = placed(gray, lattice, saddles, rows, columns);
        if (turned)
          return Placed{turned->picture_from_board * cv::Matx33d(0, 1, 0, 1, 0, 0, 0, 0, 1), turned->pattern};
      }
  }
  return {};
}

}  // namespace

std::vector<GridCorner> find_saddle_grid(ImageView<const uint8_t> gray, int columns, int rows,
                                         double sigma_px, const StopSource& stop) {
  const cv::Mat picture(gray.height, gray.width, CV_8U, const_cast<uint8_t*>(gray.data), gray.stride_bytes);
  const auto found = search(picture, columns, rows, sigma_px, stop);
  if (!found) return {};
  std::vector<GridCorner> corners = sharpest_corners_of(picture, found->picture_from_board, columns, rows);
  if (static_cast<int>(corners.size()) * 4 < columns * rows * 3) return {};
  return corners;
}

}  // namespace vantage
