// Belief propagation on heights, slow and obvious, in double precision: every message of every directed edge,
// all pairs of labels, on a synchronous or a checkerboard schedule.
//
// Source: height-map-belief-propagation.txt, equations 1, 2 and 4; "no head" as core/height_map/height_map.h
// says.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace vantage::reference {

struct HeightProblem {
  int width = 0, height = 0, heights = 0;
  double step_cost = 0;  // of one label step
  double jump_cost = 0;  // between a height and "no head"
  double damping = 0;
  std::vector<double> cost;         // [pixel][label], the last label is "no head"
  std::vector<double> right, down;  // [pixel]: expected label less the neighbour's

  int labels() const { return heights + 1; }
  int pixels() const { return width * height; }
  double pair_cost(int label_p, int label_q, double shift) const {
    const bool none_p = label_p == heights, none_q = label_q == heights;
    if (none_p && none_q) return 0;
    if (none_p || none_q) return jump_cost;
    return step_cost * std::abs(label_p - label_q - shift);
  }
  double energy(const std::vector<int>& labelling) const {
    double sum = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int p = y * width + x;
        sum += cost[p * labels() + labelling[p]];
        if (x + 1 < width) sum += pair_cost(labelling[p], labelling[p + 1], right[p]);
        if (y + 1 < height) sum += pair_cost(labelling[p], labelling[p + width], down[p]);
      }
    return sum;
  }
};

enum class HeightSchedule { synchronous, checkerboard };

class HeightBeliefs {
 public:
  using Values = std::vector<double>;

  explicit HeightBeliefs(const HeightProblem& problem)
      : problem_(problem),
        messages_(static_cast<size_t>(4 * problem.pixels()), Values(static_cast<size_t>(problem.labels()))) {}

  void iterate(HeightSchedule schedule, int iterations) {
    for (int i = 0; i < iterations; ++i) {
      ++age_;
      const std::vector<Values> before = messages_;
      for (int y = 0; y < problem_.height; ++y)
        for (int x = 0; x < problem_.width; ++x)
          if (schedule == HeightSchedule::synchronous || is_sender(x, y)) send(before, x, y);
    }
  }

  // Whether (x, y) sends in the iteration just done of a checkerboard schedule: the even pixels in odd
  // iterations.
  bool is_sender(int x, int y) const { return (x + y) % 2 == (age_ % 2 == 1 ? 0 : 1); }

  Values belief(int x, int y) const { return belief(messages_, x, y, -1); }
  // The message to (x, y) from its neighbour in that direction: left, right, up, down.
  const Values& message_to(int x, int y, int direction) const {
    return messages_[4 * (y * problem_.width + x) + direction];
  }
  static int best(const Values& belief) {
    return static_cast<int>(std::min_element(belief.begin(), belief.end()) - belief.begin());
  }
  // What the product gives after `iterations` of a checkerboard schedule: the receivers' beliefs, and the
  // others' after one closing half-step.
  static std::vector<Values> closed_beliefs(const HeightProblem& problem, int iterations) {
    HeightBeliefs at(problem), closed(problem);
    at.iterate(HeightSchedule::checkerboard, iterations);
    closed.iterate(HeightSchedule::checkerboard, iterations + 1);
    std::vector<Values> beliefs;
    for (int y = 0; y < problem.height; ++y)
      for (int x = 0; x < problem.width; ++x)
        beliefs.push_back(at.is_sender(x, y) ? closed.belief(x, y) : at.belief(x, y));
    return beliefs;
  }

 private:
  static constexpr int kDx[4] = {-1, 1, 0, 0}, kDy[4] = {0, 0, -1, 1}, kBack[4] = {1, 0, 3, 2};

  bool inside(int x, int y) const { return x >= 0 && x < problem_.width && y >= 0 && y < problem_.height; }

  Values belief(const std::vector<Values>& messages, int x, int y, int without) const {
    const int p = y * problem_.width + x, labels = problem_.labels();
    Values sum(problem_.cost.begin() + p * labels, problem_.cost.begin() + (p + 1) * labels);
    for (int direction = 0; direction < 4; ++direction)
      if (direction != without && inside(x + kDx[direction], y + kDy[direction]))
        for (int k = 0; k < labels; ++k) sum[k] += messages[4 * p + direction][k];
    return sum;
  }

  // Expected label of (x, y) less that of its neighbour in that direction.
  double shift(int x, int y, int direction) const {
    const int p = y * problem_.width + x;
    switch (direction) {
      case 0:
        return -problem_.right[p - 1];
      case 1:
        return problem_.right[p];
      case 2:
        return -problem_.down[p - problem_.width];
      default:
        return problem_.down[p];
    }
  }

  void send(const std::vector<Values>& before, int x, int y) {
    for (int direction = 0; direction < 4; ++direction) {
      const int to_x = x + kDx[direction], to_y = y + kDy[direction];
      if (!inside(to_x, to_y)) continue;
      const Values h = belief(before, x, y, direction);
      const double c = shift(x, y, direction);
      Values message(h.size(), std::numeric_limits<double>::infinity());
      for (int to = 0; to < problem_.labels(); ++to)
        for (int from = 0; from < problem_.labels(); ++from)
          message[to] = std::min(message[to], h[from] + problem_.pair_cost(from, to, c));
      const double least = *std::min_element(message.begin(), message.end());
      Values& slot = messages_[4 * (to_y * problem_.width + to_x) + kBack[direction]];
      for (size_t k = 0; k < message.size(); ++k)
        slot[k] = (1 - problem_.damping) * (message[k] - least) + problem_.damping * slot[k];
    }
  }

  const HeightProblem& problem_;
  std::vector<Values> messages_;  // [pixel][direction it comes from]
  int age_ = 0;
};

}  // namespace vantage::reference
