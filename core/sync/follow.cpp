#include "core/sync/follow.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/sync/reconcile.h"

namespace vantage::sync_detail {
namespace {

constexpr double kJumpCluster_s = 1.5;  // pairs see one camera's jump within this
constexpr int kLeastJump = 2;           // frames; a step of one is drift's
constexpr double kWindow_s = 6, kLongestWindow_s = 10;
constexpr int kMostWindows = 360;
constexpr double kDriftSigmas = 3, kLeastDriftFrames = 0.3;
constexpr int kLeastDriftWindows = 3;

struct PairJump {
  size_t pair;
  double base_frame;
  int frames;  // change of the lag
};

struct Jump {
  double base_frame = 0;
  std::vector<double> frames;  // by camera, at the base's gauge
};

struct Window {
  double begin = 0, end = 0;  // base frames
  size_t stretch = 0;         // between jumps
};

// A camera's measured offset in one window.
struct Measured {
  double base_frame, offset, sigma;
  size_t stretch;
};

class Follower {
 public:
  Follower(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
           std::vector<CameraAlignment>* cameras)
      : pairs_(pairs), options_(options), cameras_(*cameras) {}

  void run() {
    find_jumps();
    fit_all();
    if (refine_jumps()) fit_all();
  }

 private:
  bool usable(size_t p) const { return pairs_[p].estimate.used; }
  // The base frame of a block of the pair's first camera, by what is known of it so far.
  double base_frame(const PairAnalysis& pair, double block) const {
    const CameraAlignment& camera = cameras_[static_cast<size_t>(pair.estimate.first)];
    const double frame = block * pair.table.block_frames;
    double base = frame - camera.offset_frames.value_or(0.0);
    for (int round = 0; round < 3; ++round) base += frame - aligned_frame(camera, base);
    return base;
  }
  int block_at(const PairAnalysis& pair, double base_frame) const {
    const double frame = aligned_frame(cameras_[static_cast<size_t>(pair.estimate.first)], base_frame);
    return static_cast<int>(std::lround(frame / pair.table.block_frames));
  }

  void fit_all() {
    windows_.clear();
    measured_.clear();
    make_windows();
    measure();
    for (size_t c = 0; c < cameras_.size(); ++c)
      if (cameras_[c].offset_frames && static_cast<int>(c) != options_.base) fit(c);
  }

  void find_jumps() {
    std::vector<PairJump> found;
    for (size_t p = 0; p < pairs_.size(); ++p) {
      if (!usable(p)) continue;
      const std::vector<int>& lags = pairs_[p].path.lags;
      for (size_t b = 1; b < lags.size(); ++b)
        if (std::abs(lags[b] - lags[b - 1]) >= kLeastJump)
          found.push_back({p, base_frame(pairs_[p], static_cast<double>(b)), lags[b] - lags[b - 1]});
    }
    std::sort(found.begin(), found.end(),
              [](const PairJump& a, const PairJump& b) { return a.base_frame < b.base_frame; });
    const double reach = kJumpCluster_s * options_.frame_rate;
    for (size_t from = 0; from < found.size();) {
      size_t to = from;
      while (to < found.size() && found[to].base_frame - found[from].base_frame <= reach) ++to;
      add_jump({found.begin() + static_cast<std::ptrdiff_t>(from),
                found.begin() + static_cast<std::ptrdiff_t>(to)});
      from = to;
    }
  }

  // Pairs that run at that moment and do not jump say 0.
  void add_jump(const std::vector<PairJump>& cluster) {
    Jump jump;
    jump.base_frame = cluster[cluster.size() / 2].base_frame;
    std::map<size_t, double> by_pair;
    for (const PairJump& one : cluster) by_pair[one.pair] += one.frames;
    std::vector<OffsetEdge> edges;
    for (size_t p = 0; p < pairs_.size(); ++p) {
      if (!usable(p)) continue;
      const int block = block_at(pairs_[p], jump.base_frame);
      if (block <= 0 || block >= pairs_[p].table.blocks) continue;
      const auto size = by_pair.find(p);
      edges.push_back({pairs_[p].estimate.first, pairs_[p].estimate.second,
                       size == by_pair.end() ? 0.0 : size->second, 0.3});
    }
    const auto solved = reconcile_offsets(static_cast<int>(cameras_.size()), options_.base, &edges);
    bool any = false;
    for (const auto& value : solved) {
      jump.frames.push_back(value ? std::round(value->value) : 0.0);
      any = any || jump.frames.back() != 0;
    }
    if (any) jumps_.push_back(std::move(jump));
  }

  // What the camera's pairs say, together, to its frame being `beside` what has been found at base frame m.
  double likelihood(size_t c, double m, int beside) const {
    double sum = 0;
    for (size_t p = 0; p < pairs_.size(); ++p) {
      const PairAnalysis& pair = pairs_[p];
      const auto i = static_cast<size_t>(pair.estimate.first), j = static_cast<size_t>(pair.estimate.second);
      if (!usable(p) || (i != c && j != c)) continue;
      const double first = aligned_frame(cameras_[i], m) + (i == c ? beside : 0);
      const double second = aligned_frame(cameras_[j], m) + (j == c ? beside : 0);
      const int block = static_cast<int>(std::floor(first / pair.table.block_frames));
      const int lag = static_cast<int>(std::lround(second - first));
      if (block >= 0 && block < pair.table.blocks && pair.table.has(lag))
        sum += pair.model(pair.table.at(block, lag));
    }
    return sum;
  }

  // The most likely path beside what has been found, at base frames first, first + step, ...
  std::vector<int> path_beside(size_t c, double first, double step, int count) const {
    constexpr int kReach = 15;
    constexpr int kStates = 2 * kReach + 1;
    constexpr double kCost = 8;  // nats, of a change
    std::vector<double> now(kStates, 0.0), before;
    std::vector<int8_t> from(static_cast<size_t>(count) * kStates);
    for (int k = 0; k < count; ++k) {
      before = now;
      const int best = static_cast<int>(std::max_element(before.begin(), before.end()) - before.begin());
      for (int s = 0; s < kStates; ++s) {
        const bool changes =
            k > 0 && before[static_cast<size_t>(best)] - kCost > before[static_cast<size_t>(s)];
        from[static_cast<size_t>(k) * kStates + static_cast<size_t>(s)] =
            static_cast<int8_t>(changes ? best : s);
        now[static_cast<size_t>(s)] =
            (changes ? before[static_cast<size_t>(best)] - kCost : before[static_cast<size_t>(s)]) +
            likelihood(c, first + k * step, s - kReach);
      }
    }
    std::vector<int> path(static_cast<size_t>(count));
    int s = static_cast<int>(std::max_element(now.begin(), now.end()) - now.begin());
    for (int k = count - 1; k >= 0; --k) {
      path[static_cast<size_t>(k)] = s - kReach;
      s = from[static_cast<size_t>(k) * kStates + static_cast<size_t>(s)];
    }
    return path;
  }

  // Jumps that all pairs of a camera together show beside those found; true when there are any.
  bool refine_jumps() {
    if (windows_.empty()) return false;
    const double first = windows_.front().begin, step = std::max(1.0, std::round(0.2 * options_.frame_rate));
    const int count = static_cast<int>((windows_.back().end - first) / step);
    std::vector<Jump> more;
    for (size_t c = 0; c < cameras_.size(); ++c) {
      if (!cameras_[c].offset_frames) continue;
      const std::vector<int> path = path_beside(c, first, step, count);
      for (size_t k = 1; k < path.size(); ++k)
        if (path[k] != path[k - 1])
          more.push_back(jump_of(c, first + static_cast<double>(k) * step, path[k] - path[k - 1]));
    }
    if (more.empty()) return false;
    // Those found before, as they were fitted.
    jumps_.clear();
    for (size_t c = 0; c < cameras_.size(); ++c)
      for (const OffsetChange& change : cameras_[c].changes)
        more.push_back(jump_of(c, static_cast<double>(change.base_frame), change.frames));
    std::sort(more.begin(), more.end(),
              [](const Jump& a, const Jump& b) { return a.base_frame < b.base_frame; });
    const double same = 0.5 * options_.frame_rate;
    for (const Jump& jump : more) {
      if (jumps_.empty() || jump.base_frame - jumps_.back().base_frame > same) {
        jumps_.push_back(jump);
        continue;
      }
      for (size_t c = 0; c < cameras_.size(); ++c) jumps_.back().frames[c] += jump.frames[c];
    }
    return true;
  }

  // One camera's jump; of the base, all others' the other way.
  Jump jump_of(size_t camera, double base_frame, double frames) const {
    Jump jump{base_frame, std::vector<double>(cameras_.size(), 0.0)};
    if (static_cast<int>(camera) == options_.base) {
      std::fill(jump.frames.begin(), jump.frames.end(), -frames);
      jump.frames[camera] = 0;
    } else {
      jump.frames[camera] = frames;
    }
    return jump;
  }

  void make_windows() {
    double first = 1e18, last = -1e18;
    for (size_t p = 0; p < pairs_.size(); ++p) {
      if (!usable(p)) continue;
      first = std::min(first, base_frame(pairs_[p], 0));
      last = std::max(last, base_frame(pairs_[p], pairs_[p].table.blocks));
    }
    if (first >= last) return;
    const double rate = options_.frame_rate, guard = 0.4 * rate;
    const double wanted = std::max(kWindow_s * rate, (last - first) / kMostWindows);
    std::vector<double> cuts = {first};
    for (const Jump& jump : jumps_) cuts.push_back(jump.base_frame);
    cuts.push_back(last);
    for (size_t s = 0; s + 1 < cuts.size(); ++s) {
      const double begin = cuts[s] + (s > 0 ? guard : 0),
                   end = cuts[s + 1] - (s + 2 < cuts.size() ? guard : 0);
      if (end - begin < rate) continue;
      const int count = std::max(1, static_cast<int>((end - begin) / wanted));
      for (int i = 0; i < count; ++i)
        windows_.push_back({begin + (end - begin) * i / count, begin + (end - begin) * (i + 1) / count, s});
    }
  }

  void measure() {
    measured_.resize(cameras_.size());
    for (const Window& window : windows_) {
      std::vector<OffsetEdge> edges;
      for (size_t p = 0; p < pairs_.size(); ++p) {
        if (!usable(p)) continue;
        const PairAnalysis& pair = pairs_[p];
        const int begin = block_at(pair, window.begin), end = block_at(pair, window.end);
        const LagMeasure lag = measure_lag(pair, begin, end);
        if (lag.sigma <= 0) continue;
        edges.push_back({pair.estimate.first, pair.estimate.second, lag.lag, lag.sigma});
      }
      const auto solved = reconcile_offsets(static_cast<int>(cameras_.size()), options_.base, &edges, 0.5);
      for (size_t c = 0; c < cameras_.size(); ++c)
        if (solved[c] && static_cast<int>(c) != options_.base)
          measured_[c].push_back({(window.begin + window.end) / 2, solved[c]->value,
                                  std::max(0.02, solved[c]->sigma), window.stretch});
    }
  }

  struct Line {
    double intercept = 0, sigma = 0;
    double slope = 0, slope_sigma = 0;
    double at(double base_frame) const { return intercept + slope * base_frame; }
  };

  // Huber's weights: residuals beyond 1.5 sigma count less.
  static Line fit_line(const std::vector<Measured>& measured, bool with_slope) {
    const double middle = measured[measured.size() / 2].base_frame;
    std::vector<double> factor(measured.size(), 1.0);
    Eigen::Vector2d x;
    Eigen::Matrix2d covariance;
    double chi2 = 0;
    for (int round = 0; round < 15; ++round) {
      Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
      Eigen::Vector2d right = Eigen::Vector2d::Zero();
      for (size_t i = 0; i < measured.size(); ++i) {
        const Eigen::Vector2d row(1, with_slope ? measured[i].base_frame - middle : 0);
        const double w = factor[i] / (measured[i].sigma * measured[i].sigma);
        normal += w * row * row.transpose();
        right += w * measured[i].offset * row;
      }
      if (!with_slope) normal(1, 1) = 1;
      covariance = normal.inverse();
      x = covariance * right;
      chi2 = 0;
      for (size_t i = 0; i < measured.size(); ++i) {
        const double value = x[0] + x[1] * (measured[i].base_frame - middle);
        const double z = std::abs(measured[i].offset - value) / measured[i].sigma;
        factor[i] = z <= 1.5 ? 1.0 : 1.5 / z;
        chi2 += factor[i] * z * z;
      }
    }
    const double freedom = static_cast<double>(measured.size()) - (with_slope ? 2 : 1);
    const double scale = std::max(1.0, chi2 / std::max(1.0, freedom));
    Line line;
    line.slope = with_slope ? x[1] : 0.0;
    line.slope_sigma = with_slope ? std::sqrt(scale * covariance(1, 1)) : 0.0;
    line.intercept = x[0] - line.slope * middle;
    line.sigma = std::sqrt(scale * covariance(0, 0));
    return line;
  }

  static Line fit_drift(const std::vector<Measured>& measured) {
    const double span = measured.back().base_frame - measured.front().base_frame;
    if (static_cast<int>(measured.size()) >= kLeastDriftWindows) {
      const Line line = fit_line(measured, true);
      if (std::abs(line.slope) > kDriftSigmas * line.slope_sigma &&
          std::abs(line.slope) * span > kLeastDriftFrames)
        return line;
    }
    return fit_line(measured, false);
  }

  void fit(size_t c) {
    if (measured_[c].empty()) return;
    // What the camera's own jumps up to each stretch add up to, from the first stretch that was measured.
    std::vector<double> total(jumps_.size() + 1, 0.0);
    const size_t first = measured_[c].front().stretch;
    for (size_t j = first; j < jumps_.size(); ++j) total[j + 1] = total[j] + jumps_[j].frames[c];
    Line line;
    for (int round = 0; round < 3; ++round) {
      std::vector<Measured> joined = measured_[c];
      for (Measured& m : joined) m.offset -= total[m.stretch];
      line = fit_drift(joined);
      if (!mend_jumps(joined, line, &total)) break;
    }
    CameraAlignment& camera = cameras_[c];
    camera.offset_frames = line.intercept;
    camera.drift_ppm = 1e6 * line.slope;
    camera.sigma_frames = line.sigma;
    camera.changes.clear();
    for (size_t j = first; j < jumps_.size(); ++j)
      if (total[j + 1] != total[j])
        camera.changes.push_back(
            {static_cast<int64_t>(std::llround(jumps_[j].base_frame)), total[j + 1] - total[j]});
    join_single_frames(&camera.changes);
  }

  // A single frame is within what a short stretch is off by, and belongs to the next burst in time; without
  // one it is no loss.
  static void join_single_frames(std::vector<OffsetChange>* changes) {
    for (size_t i = 0; i < changes->size();) {
      if (std::abs((*changes)[i].frames) >= kLeastJump) {
        ++i;
        continue;
      }
      const OffsetChange single = (*changes)[i];
      changes->erase(changes->begin() + static_cast<std::ptrdiff_t>(i));
      const auto nearest = std::min_element(
          changes->begin(), changes->end(), [&](const OffsetChange& a, const OffsetChange& b) {
            return std::abs(a.base_frame - single.base_frame) < std::abs(b.base_frame - single.base_frame);
          });
      if (nearest != changes->end()) nearest->frames += single.frames;
      i = 0;
    }
  }

  // A stretch that lies whole frames beside the line was told a wrong jump. True when one was.
  static bool mend_jumps(const std::vector<Measured>& joined, const Line& line, std::vector<double>* total) {
    std::map<size_t, std::pair<double, double>> by_stretch;  // sums of weight times residual, of weights
    for (const Measured& m : joined) {
      const double w = 1 / (m.sigma * m.sigma);
      by_stretch[m.stretch].first += w * (m.offset - line.at(m.base_frame));
      by_stretch[m.stretch].second += w;
    }
    bool mended = false;
    for (const auto& [stretch, sums] : by_stretch) {
      const double beside = std::round(sums.first / sums.second);
      if (beside == 0 || stretch == by_stretch.begin()->first) continue;
      (*total)[stretch] += beside;
      mended = true;
    }
    return mended;
  }

  const std::vector<PairAnalysis>& pairs_;
  const EstimateOptions& options_;
  std::vector<CameraAlignment>& cameras_;
  std::vector<Jump> jumps_;
  std::vector<Window> windows_;
  std::vector<std::vector<Measured>> measured_;  // by camera
};

}  // namespace

void follow_alignment(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
                      std::vector<CameraAlignment>* cameras) {
  Follower(pairs, options, cameras).run();
}

}  // namespace vantage::sync_detail
