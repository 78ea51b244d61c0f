#include "core/sync/follow.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/sync/drift_line.h"
#include "core/sync/reconcile.h"

namespace vantage::sync_detail {
namespace {

constexpr double kJumpCluster_s = 1.5;  // pairs see one camera's jump within this
constexpr int kLeastJump = 2;           // frames; a step of one is drift's
constexpr double kWindow_s = 6;
constexpr int kMostWindows = 360;
constexpr double kSameChange_s = 0.5;
constexpr int kRefinements = 3;
constexpr double kAgrees = 0.5;  // frames that a pair's peak may lie beside the fit
// Nats: what a change and a drift must explain over all of a camera's pairs. Clocks are seldom far off.
constexpr double kChangeCost = 8, kResizeCost = 2, kCostPerPpm = 1.0 / 200;

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
  DriftPoint point;
  size_t stretch;
};

class Follower {
 public:
  Follower(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
           std::vector<CameraAlignment>* cameras)
      : pairs_(pairs), options_(options), cameras_(*cameras) {
    for (const PairAnalysis& pair : pairs_) {
      usable_.push_back(pair.estimate.used);
      paths_.push_back(pair.path.lags);
    }
  }

  // Lost frames can look like drift and drift like lost frames: both are tried first, and each camera gets
  // what explains its pairs better.
  void run() {
    find_jumps();
    const std::vector<Jump> found = jumps_;
    const std::vector<CameraAlignment> start = cameras_;
    explain(fit_drift);
    const std::vector<CameraAlignment> drifting = cameras_;
    if (windows_.empty()) return;
    jumps_ = found, cameras_ = start;
    explain(fit_level);
    choose(drifting);
    settle_moments();
    for (int round = 0; round < kRefinements && refine_jumps(); ++round) {
      fit_all(fit_drift);
      settle_moments();
    }
    add_jumps({});
    follow_fit();
    fit_all(fit_drift);
  }

 private:
  bool usable(size_t p) const { return usable_[p]; }
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

  using LineFit = DriftLine (*)(const std::vector<DriftPoint>&);

  // From the jumps that pairs show, taking what is between them for `line`.
  void explain(LineFit line) {
    fit_all(line);
    if (refine_jumps()) fit_all(fit_drift);
  }

  // For each camera the better of what it has and `other`.
  void choose(const std::vector<CameraAlignment>& other) {
    const std::vector<CameraAlignment> own = cameras_;
    const double before = total_evidence();
    cameras_ = other;
    const bool other_first = total_evidence() >= before;
    if (!other_first) cameras_ = own;
    const std::vector<CameraAlignment>& second = other_first ? own : other;
    for (size_t c = 0; c < cameras_.size(); ++c) {
      const double here = evidence(c);
      const CameraAlignment first = std::exchange(cameras_[c], second[c]);
      if (evidence(c) <= here) cameras_[c] = first;
    }
  }
  double total_evidence() const {
    double sum = 0;
    for (size_t c = 0; c < cameras_.size(); ++c) sum += evidence(c);
    return sum;
  }

  void fit_all(LineFit line) {
    windows_.clear();
    measured_.clear();
    make_windows();
    measure();
    for (size_t c = 0; c < cameras_.size(); ++c)
      if (is_measured(c)) cameras_[c] = fit(c, jump_sizes(c), line);
    for (size_t c = 0; c < cameras_.size(); ++c)
      if (is_measured(c)) improve(c, line);
  }
  bool is_measured(size_t c) const { return cameras_[c].offset_frames && !measured_[c].empty(); }

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
      const int lag = static_cast<int>(std::floor(second - first));
      if (block < 0 || block >= pair.table.blocks || !pair.table.has(lag) || !pair.table.has(lag + 1))
        continue;
      const double fraction = second - first - lag;
      sum += (1 - fraction) * pair.model(pair.table.at(block, lag)) +
             fraction * pair.model(pair.table.at(block, lag + 1));
    }
    return sum;
  }
  double block_step() const { return std::max(1.0, std::round(0.2 * options_.frame_rate)); }

  // Of a change there; one that was found already may be another size for less.
  double change_cost(size_t c, double base_frame) const {
    for (const OffsetChange& change : cameras_[c].changes)
      if (std::abs(static_cast<double>(change.base_frame) - base_frame) <=
          kSameChange_s * options_.frame_rate)
        return kResizeCost;
    return kChangeCost;
  }

  // The most likely path beside what has been found, at base frames first, first + step, ...
  std::vector<int> path_beside(size_t c, double first, double step, int count) const {
    constexpr int kReach = 15;
    constexpr int kStates = 2 * kReach + 1;
    std::vector<double> now(kStates, 0.0), before;
    std::vector<int8_t> from(static_cast<size_t>(count) * kStates);
    for (int k = 0; k < count; ++k) {
      before = now;
      const int best = static_cast<int>(std::max_element(before.begin(), before.end()) - before.begin());
      const double cost = change_cost(c, first + k * step);
      for (int s = 0; s < kStates; ++s) {
        const bool changes =
            k > 0 && before[static_cast<size_t>(best)] - cost > before[static_cast<size_t>(s)];
        from[static_cast<size_t>(k) * kStates + static_cast<size_t>(s)] =
            static_cast<int8_t>(changes ? best : s);
        now[static_cast<size_t>(s)] =
            (changes ? before[static_cast<size_t>(best)] - cost : before[static_cast<size_t>(s)]) +
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
    const double first = begin_, step = block_step();
    const int count = static_cast<int>((end_ - first) / step);
    std::vector<Jump> more;
    for (size_t c = 0; c < cameras_.size(); ++c) {
      if (!cameras_[c].offset_frames) continue;
      const std::vector<int> path = path_beside(c, first, step, count);
      for (size_t k = 1; k < path.size(); ++k)
        if (path[k] != path[k - 1])
          more.push_back(jump_of(c, first + static_cast<double>(k) * step, path[k] - path[k - 1]));
    }
    if (more.empty()) return false;
    add_jumps(std::move(more));
    return true;
  }

  // `more` and the cameras' own changes, as they were fitted, are the jumps.
  void add_jumps(std::vector<Jump> more) {
    jumps_.clear();
    for (size_t c = 0; c < cameras_.size(); ++c)
      for (const OffsetChange& change : cameras_[c].changes)
        more.push_back(jump_of(c, static_cast<double>(change.base_frame), change.frames));
    std::sort(more.begin(), more.end(),
              [](const Jump& a, const Jump& b) { return a.base_frame < b.base_frame; });
    const double same = kSameChange_s * options_.frame_rate;
    for (const Jump& jump : more) {
      if (jumps_.empty() || jump.base_frame - jumps_.back().base_frame > same) {
        jumps_.push_back(jump);
        continue;
      }
      for (size_t c = 0; c < cameras_.size(); ++c) jumps_.back().frames[c] += jump.frames[c];
    }
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
    begin_ = first, end_ = last;
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
        const LagMeasure lag = measure_lag(pair, paths_[p], begin, end);
        if (lag.sigma <= 0) continue;
        edges.push_back({pair.estimate.first, pair.estimate.second, lag.lag, lag.sigma});
      }
      const auto solved = reconcile_offsets(static_cast<int>(cameras_.size()), options_.base, &edges, 0.5);
      for (size_t c = 0; c < cameras_.size(); ++c)
        if (solved[c] && static_cast<int>(c) != options_.base)
          measured_[c].push_back(
              {{(window.begin + window.end) / 2, solved[c]->value, std::max(0.02, solved[c]->sigma)},
               window.stretch});
    }
  }

  // A pair's own path is wrong by a frame here and there, which its lags' mean is smeared by, and a pair
  // whose first block is wrong was left out: from here on all pairs are measured along the fit, where they
  // agree with it.
  void follow_fit() {
    for (size_t p = 0; p < pairs_.size(); ++p) {
      const PairAnalysis& pair = pairs_[p];
      const auto &first = cameras_[static_cast<size_t>(pair.estimate.first)],
                 &second = cameras_[static_cast<size_t>(pair.estimate.second)];
      if (!pair.estimate.offset_frames || !first.offset_frames || !second.offset_frames) continue;
      std::vector<int> path(paths_[p].size());
      for (size_t b = 0; b < path.size(); ++b) {
        const double m = base_frame(pair, static_cast<double>(b) + 0.5);
        path[b] = static_cast<int>(std::lround(aligned_frame(second, m) - aligned_frame(first, m)));
      }
      const LagMeasure whole = measure_lag(pair, path, 0, pair.table.blocks);
      usable_[p] = usable_[p] || (whole.sigma > 0 && std::abs(whole.beside_path) <= kAgrees);
      if (usable_[p]) paths_[p] = std::move(path);
    }
  }

  // What the camera's offset changes by at each jump; what came before it was first measured is in the
  // offset.
  std::vector<double> jump_sizes(size_t c) const {
    std::vector<double> sizes;
    for (size_t j = 0; j < jumps_.size(); ++j)
      sizes.push_back(j < measured_[c].front().stretch ? 0.0 : jumps_[j].frames[c]);
    return sizes;
  }

  // The camera's line with these changes; they are mended where the line shows that they are others.
  CameraAlignment fit(size_t c, std::vector<double> sizes, LineFit fit_line) const {
    constexpr int kRounds = 3;
    DriftLine line;
    for (int round = 0; round < kRounds; ++round) {
      join_single_frames(&sizes);
      std::vector<double> total(sizes.size() + 1, 0.0);  // by stretch
      std::partial_sum(sizes.begin(), sizes.end(), total.begin() + 1);
      std::vector<DriftPoint> points;
      for (const Measured& m : measured_[c])
        points.push_back({m.point.base_frame, m.point.offset - total[m.stretch], m.point.sigma});
      line = fit_line(points);
      if (round + 1 < kRounds && !mend_sizes(c, points, line, &sizes)) break;
    }
    CameraAlignment camera = cameras_[c];
    camera.offset_frames = line.intercept;
    camera.drift_ppm = 1e6 * line.slope;
    camera.sigma_frames = line.sigma;
    camera.changes.clear();
    for (size_t j = 0; j < jumps_.size(); ++j)
      if (sizes[j] != 0) camera.changes.push_back({std::llround(jumps_[j].base_frame), sizes[j]});
    return camera;
  }

  // What is to be said for the camera's alignment, less what it takes to believe it.
  double evidence(size_t c) const {
    double sum = 0;
    for (double m = begin_; m < end_; m += block_step()) sum += likelihood(c, m, 0);
    return sum - kChangeCost * static_cast<double>(cameras_[c].changes.size()) -
           kCostPerPpm * std::abs(cameras_[c].drift_ppm);
  }

  // Another line, and each change left out or a frame more or less: whatever has more evidence.
  void improve(size_t c, LineFit line) {
    try_sizes(c, sizes_of(cameras_[c]), fit_level);
    for (size_t j = 0; j < jumps_.size(); ++j)
      for (const double beside : {-1.0, 1.0, 0.0}) {
        std::vector<double> sizes = sizes_of(cameras_[c]);
        if (sizes[j] == 0) continue;
        sizes[j] = beside == 0 ? 0 : sizes[j] + beside;
        try_sizes(c, sizes, fit_level);
        if (line != fit_level) try_sizes(c, sizes, line);
      }
  }
  void try_sizes(size_t c, const std::vector<double>& sizes, LineFit line) {
    const double best = evidence(c);
    const CameraAlignment before = std::exchange(cameras_[c], fit(c, sizes, line));
    if (evidence(c) < best) cameras_[c] = before;
  }
  std::vector<double> sizes_of(const CameraAlignment& camera) const {
    std::vector<double> sizes;
    for (const Jump& jump : jumps_) {
      const auto at = std::llround(jump.base_frame);
      const auto change = std::find_if(camera.changes.begin(), camera.changes.end(),
                                       [&](const OffsetChange& one) { return one.base_frame == at; });
      sizes.push_back(change == camera.changes.end() ? 0.0 : change->frames);
    }
    return sizes;
  }

  // A pair's path changes where noise lets it, and a change found for two cameras at once may be that of one:
  // each lies where all pairs of its camera say.
  void settle_moments() {
    const double reach = 2 * kJumpCluster_s * options_.frame_rate;
    for (size_t c = 0; c < cameras_.size(); ++c)
      for (OffsetChange& change : cameras_[c].changes) {
        const int64_t found = change.base_frame;
        double best = evidence(c);
        int64_t best_frame = found;
        for (double beside = -reach; beside <= reach; beside += block_step()) {
          change.base_frame = found + std::llround(beside);
          const double here = evidence(c);
          if (here > best) best = here, best_frame = change.base_frame;
        }
        change.base_frame = best_frame;
      }
  }

  // A single frame is within what a short stretch is off by, and belongs to the next burst in time; without
  // one it is no loss.
  void join_single_frames(std::vector<double>* sizes) const {
    for (size_t i = 0; i < sizes->size(); ++i) {
      const double single = std::exchange((*sizes)[i], 0.0);
      if (std::abs(single) >= kLeastJump) {
        (*sizes)[i] = single;
        continue;
      }
      size_t nearest = sizes->size();
      for (size_t j = 0; j < sizes->size(); ++j)
        if ((*sizes)[j] != 0 && (nearest == sizes->size() || distance(i, j) < distance(i, nearest)))
          nearest = j;
      if (nearest < sizes->size()) (*sizes)[nearest] += single;
    }
  }
  double distance(size_t i, size_t j) const { return std::abs(jumps_[i].base_frame - jumps_[j].base_frame); }

  // A stretch that lies whole frames beside the line was told a wrong change. True when one was.
  bool mend_sizes(size_t c, const std::vector<DriftPoint>& points, const DriftLine& line,
                  std::vector<double>* sizes) const {
    std::map<size_t, std::pair<double, double>> by_stretch;  // sums of weight times residual, of weights
    for (size_t i = 0; i < points.size(); ++i) {
      const double w = 1 / (points[i].sigma * points[i].sigma);
      auto& [residuals, weights] = by_stretch[measured_[c][i].stretch];
      residuals += w * (points[i].offset - line.at(points[i].base_frame));
      weights += w;
    }
    bool mended = false;
    for (const auto& [stretch, sums] : by_stretch) {
      const double beside = std::round(sums.first / sums.second);
      if (beside == 0 || stretch == by_stretch.begin()->first) continue;
      (*sizes)[stretch - 1] += beside;
      if (stretch < sizes->size()) (*sizes)[stretch] -= beside;
      mended = true;
    }
    return mended;
  }

  const std::vector<PairAnalysis>& pairs_;
  const EstimateOptions& options_;
  std::vector<CameraAlignment>& cameras_;
  std::vector<bool> usable_;             // by pair
  std::vector<std::vector<int>> paths_;  // by pair: lags by block that it is measured along
  std::vector<Jump> jumps_;
  double begin_ = 0, end_ = 0;  // base frames that there are pairs for
  std::vector<Window> windows_;
  std::vector<std::vector<Measured>> measured_;  // by camera
};

}  // namespace

void follow_alignment(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
                      std::vector<CameraAlignment>* cameras) {
  Follower(pairs, options, cameras).run();
}

}  // namespace vantage::sync_detail
