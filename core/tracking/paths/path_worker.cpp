#include "core/tracking/paths/path_worker.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/tracking/paths/detail/disjoint_paths.h"
#include "core/tracking/paths/detail/grid_paths.h"
#include "core/tracking/paths/detail/motion_search.h"
#include "core/tracking/paths/detail/path_windows.h"

namespace vantage {

PathWorker::PathWorker(PathFollower follower, QueuePolicy policy, Sink sink)
    : follower_(std::move(follower)),
      sink_(std::move(sink)),
      queue_(kMaxWaiting, SIZE_MAX, policy),
      thread_([this] { work(); }) {}

PathWorker::~PathWorker() {
  queue_.abort();
  if (thread_.joinable()) thread_.join();
}

Status PathWorker::add(SeenFrame frame) {
  queue_.push(std::move(frame));
  return state();
}

Status PathWorker::finish() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
  if (state()) state_ = hand_on(follower_.finish());
  return state_;
}

Result<PathFollower> PathWorker::release() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
  VANTAGE_TRY(state());
  return std::move(follower_);
}

void PathWorker::work() {
  while (std::optional<SeenFrame> frame = queue_.pop()) {
    Status done = hand_on(follower_.add(std::move(*frame)));
    if (done) continue;
    const std::lock_guard lock(mutex_);
    state_ = std::move(done);
    queue_.abort();  // no one waits for room any more
    return;
  }
}

Status PathWorker::hand_on(Result<FinalPaths> settled) {
  if (!settled) return fail(settled.error());
  if (std::exchange(end_, settled->end) == settled->end) return {};
  return sink_(std::move(*settled));
}

Status PathWorker::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

}  // namespace vantage

namespace vantage::path_detail {
namespace {

// Mean over the channels, Y' at half its difference: light changes it more than the colour itself.
double squared_difference(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  const double y = (a[0] - b[0]) / 2.0, cb = a[1] - b[1], cr = a[2] - b[2];
  return (y * y + cb * cb + cr * cr) / 3;
}

// The cost of colours that the same camera saw of the same part; 0 where there are none.
double color_cost(const FloorPerson& a, const FloorPerson& b, const PathParameters& p) {
  double sum = 0;
  int parts = 0;
  const auto add = [&](const std::optional<std::array<float, 3>>& x,
                       const std::optional<std::array<float, 3>>& y) {
    if (x && y) sum += squared_difference(*x, *y), ++parts;
  };
  for (size_t i = 0, k = 0; i < a.colors.size() && k < b.colors.size();) {
    if (a.colors[i].camera == b.colors[k].camera) {
      add(a.colors[i].trunk, b.colors[k].trunk);
      add(a.colors[i].legs, b.colors[k].legs);
      ++i, ++k;
    } else {
      ++(a.colors[i].camera < b.colors[k].camera ? i : k);
    }
  }
  if (parts == 0) return 0;
  return std::min(p.color_cap, sum / parts / (2 * p.color_jitter * p.color_jitter));
}

struct MotionCost {
  double away_x_m = 0, away_y_m = 0;  // from where the person is expected
  double walk_m = 0;                  // standard deviation of the way
  double turn = 0;                    // what it costs that the velocities disagree
};

MotionCost motion_cost(const FloorPerson& from, const FloorPerson& to, double dt, const PathParameters& p) {
  MotionCost cost{to.x_m - from.x_m, to.y_m - from.y_m, p.wander_m_per_s * dt, 0};
  if (!from.velocity_m_per_s || !to.velocity_m_per_s || p.motion_cap == 0) return cost;
  const auto [vx, vy] = *from.velocity_m_per_s;
  const auto [wx, wy] = *to.velocity_m_per_s;
  cost.away_x_m -= (vx + wx) / 2 * dt, cost.away_y_m -= (vy + wy) / 2 * dt;
  cost.walk_m = p.motion_jitter_m_per_s * dt;
  const double change = p.wander_m_per_s * dt;  // as much in a second as people usually walk
  const double variance = 2 * p.motion_jitter_m_per_s * p.motion_jitter_m_per_s + change * change;
  const double dx = wx - vx, dy = wy - vy;
  cost.turn = std::min(p.motion_cap, (dx * dx + dy * dy) / (2 * variance));
  return cost;
}

// What two sightings differ by. Errors of looks shortly one after the other are the same, so that differences
// as usual count as a share of a look; what is more than kUsual_nats is not explained by errors.
double arc_cost(const Node& from, const Node& to, double frame_s, const PathParameters& p) {
  constexpr double kUsual_nats = 6;
  const double dt = static_cast<double>(to.frame - from.frame) * frame_s;
  const MotionCost motion = motion_cost(from.person, to.person, dt, p);
  const double dx = motion.away_x_m, dy = motion.away_y_m;
  const double dh = to.person.height_m - from.person.height_m;
  const double away = (dx * dx + dy * dy) / 2, jitter = p.jitter_m * p.jitter_m;
  const double longer = std::max(1.0, kIndependent_s / dt), walk = motion.walk_m * motion.walk_m;
  const double differs = away / (jitter + longer * longer * walk) +
                         dh * dh / (2 * p.height_jitter_m * p.height_jitter_m) +
                         color_cost(from.person, to.person, p) + motion.turn;
  return std::max(look_weight(dt) * differs, away / (jitter + walk) - (longer > 1 ? kUsual_nats : 0)) +
         missed_cost(from, to, p);
}

bool in_reach(const Node& from, const Node& to, double frame_s, const PathParameters& p) {
  const double dt = static_cast<double>(to.frame - from.frame) * frame_s;
  return std::hypot(to.person.x_m - from.person.x_m, to.person.y_m - from.person.y_m) <=
         reach_m(dt, p.jitter_m, p);
}

// Frames that the fastest way between the position and the nearest entrance takes; 0 where people may appear.
int64_t frames_from_entrance(const Node& node, double frame_s, const PathParameters& p,
                             std::span<const FloorZone> entrances) {
  double away_m = std::numeric_limits<double>::infinity();
  for (const FloorZone& entrance : entrances)
    away_m = std::min(away_m, -distance_inside_m(entrance, {node.person.x_m, node.person.y_m}));
  if (entrances.empty() || away_m <= 0) return 0;
  return static_cast<int64_t>(std::ceil(away_m / (p.max_speed_m_per_s * frame_s)));
}

}  // namespace

double missed_cost(const Node& from, const Node& to, const PathParameters& p) {
  const double missed_s = to.look.before_s - from.look.before_s - from.look.counts_s();
  return p.missed_cost_per_s * std::max(missed_s, 0.0);
}

// Errors do not shrink with the time between two looks.
double reach_m(double dt_s, double jitter_m, const PathParameters& p) {
  return 2 * jitter_m * (2 - look_weight(dt_s)) + p.max_speed_m_per_s * dt_s;
}

namespace {

// Looks without a time between them that is longer than any path is lost, up to frame `last`. `begin` and
// `end` as Problem's.
struct Stretch {
  int64_t last = 0;
  std::optional<int64_t> begin, end;
};

// Stretches ascend. Anyone who is there in a look behind such a time was there before, and anyone who is
// there in front of it remains.
std::vector<Stretch> stretches_of(const Problem& problem) {
  std::vector<Stretch> stretches = {{std::numeric_limits<int64_t>::max(), problem.begin, problem.end}};
  std::optional<int64_t> before;
  for (const Look& look : problem.looked) {
    if (look.apart && before) {
      stretches.back().last = *before, stretches.back().end = *before + 1;
      stretches.push_back({std::numeric_limits<int64_t>::max(), {}, problem.end});
    }
    if (look.apart) stretches.back().begin = look.frame;
    if (look.examined) before = look.frame;
  }
  return stretches;
}

}  // namespace

Ends ends_of(const Problem& problem) {
  const auto& [nodes, looked, frame_rate, p, entrances, begin, end] = problem;
  Ends ends;
  const std::vector<Stretch> stretches = stretches_of(problem);
  for (const Node& node : nodes) {
    const int64_t away = frames_from_entrance(node, 1 / frame_rate, p, entrances);
    const auto unseen = [&](int64_t begin, int64_t end) { return problem.missed_cost(begin, end); };
    const int64_t from = std::max(nodes.front().frame, node.frame - away),
                  to = std::min(nodes.back().frame, node.frame + away);
    double entry = node.carries >= 0 ? 0 : p.entry_cost + unseen(from, node.frame);
    double exit = p.entry_cost + unseen(node.frame + 1, to + 1);
    const Stretch& in = *std::ranges::lower_bound(stretches, node.frame, {}, &Stretch::last);
    if (in.begin) entry = std::min(entry, unseen(*in.begin, node.frame));
    if (in.end) exit = std::min(exit, unseen(node.frame + 1, *in.end));
    ends.entry.push_back(entry);
    ends.exit.push_back(exit);
  }
  return ends;
}

int64_t longest_gap(double frame_rate, const PathParameters& p) {
  // Longer gaps than without entrances are worth something, up to kLongestGap_s.
  const double frames = std::max(2 * p.entry_cost / p.missed_cost_per_s, kLongestGap_s) * frame_rate;
  return frames < 1 ? 0 : static_cast<int64_t>(std::floor(frames)) + 1;
}

namespace {

// Nodes behind which a person may be lost for longer than kIndependent_s, and found again: those around the
// ends of what is joined by nearness alone. Elsewhere the person is found meanwhile, which costs less;
// without this arcs grow as the square of the frame rate. Where looks are farther apart than that, all.
struct GapEnds {
  std::vector<uint8_t> lost, found;
};

class NearestJoined {
 public:
  explicit NearestJoined(const Problem& problem)
      : problem_(problem), next_(problem.nodes.size(), -1), before_(problem.nodes.size(), -1) {
    const std::span<const Node> nodes = problem.nodes;
    for (size_t begin = 0, end = 0; begin < nodes.size(); begin = end) {
      while (end < nodes.size() && nodes[end].frame == nodes[begin].frame) ++end;
      join(begin, end);
    }
  }

  GapEnds ends() const {
    GapEnds ends{std::vector<uint8_t>(next_.size()), std::vector<uint8_t>(next_.size())};
    for (size_t i = 0; i < next_.size(); ++i) {
      const bool all = problem_.nodes[i].look.weight == 1;
      if (all || next_[i] < 0) mark_around(i, ends.lost);
      if (all || before_[i] < 0) mark_around(i, ends.found);
    }
    return ends;
  }

 private:
  static constexpr double kAround_m = 1;

  double seconds(size_t from, size_t to) const {
    return static_cast<double>(problem_.nodes[to].frame - problem_.nodes[from].frame) / problem_.frame_rate;
  }
  double away_m(size_t a, size_t b) const {
    const FloorPerson &one = problem_.nodes[a].person, &other = problem_.nodes[b].person;
    return std::hypot(one.x_m - other.x_m, one.y_m - other.y_m);
  }

  // The nodes of a frame with the nearest that nothing was joined to in the last kIndependent_s.
  void join(size_t begin, size_t end) {
    std::vector<std::pair<double, std::pair<size_t, size_t>>> pairs;
    std::erase_if(open_, [&](size_t node) { return seconds(node, begin) > kIndependent_s; });
    for (const size_t from : open_)
      for (size_t to = begin; to < end; ++to)
        if (const double m = away_m(from, to);
            problem_.nodes[to].number >= 0 && problem_.nodes[to].carries < 0 &&
            m <= reach_m(seconds(from, to), problem_.parameters.jitter_m, problem_.parameters))
          pairs.push_back({m, {from, to}});
    std::ranges::sort(pairs);
    for (const auto& [m, pair] : pairs)
      if (const auto [from, to] = pair; next_[from] < 0 && before_[to] < 0)
        next_[from] = static_cast<int32_t>(to), before_[to] = static_cast<int32_t>(from);
    std::erase_if(open_, [&](size_t node) { return next_[node] >= 0; });
    for (size_t node = begin; node < end; ++node)
      if (problem_.nodes[node].number >= 0 || problem_.nodes[node].carries >= 0) open_.push_back(node);
  }

  // The node and others near it: which of them it was is not known.
  void mark_around(size_t at, std::vector<uint8_t>& marks) const {
    marks[at] = 1;
    const auto mark = [&](size_t node) {
      if (away_m(node, at) <= kAround_m) marks[node] = 1;
    };
    for (size_t i = at; i-- > 0 && seconds(i, at) <= kIndependent_s;) mark(i);
    for (size_t i = at + 1; i < marks.size() && seconds(at, i) <= kIndependent_s; ++i) mark(i);
  }

  const Problem& problem_;
  std::vector<int32_t> next_, before_;
  std::vector<size_t> open_;
};

}  // namespace

Result<NodePaths> paths_on_graph(const Problem& problem) {
  const auto& [nodes, looked, frame_rate, p, entrances, begin, end] = problem;
  if (nodes.empty()) return NodePaths{};
  PathGraph graph;
  const double frame_s = 1 / frame_rate;
  const Ends ends = ends_of(problem);
  const double largest_entry = *std::max_element(ends.entry.begin(), ends.entry.end());
  const int64_t gap = longest_gap(problem.frame_rate, problem.parameters);
  const double short_gap = kIndependent_s * frame_rate;
  const auto [lost, found] = NearestJoined(problem).ends();
  for (size_t i = 0; i < nodes.size(); ++i) {
    graph.node_cost.push_back(detection_cost(nodes[i], p));
    graph.entry_cost.push_back(quantised(ends.entry[i]));
    graph.exit_cost.push_back(quantised(ends.exit[i]));
    const double worth = ends.exit[i] + largest_entry;
    for (size_t j = i + 1; j < nodes.size() && nodes[j].frame - nodes[i].frame <= gap &&
                           missed_cost(nodes[i], nodes[j], p) < worth;
         ++j) {
      if (nodes[j].frame == nodes[i].frame || nodes[j].carries >= 0 ||
          !in_reach(nodes[i], nodes[j], frame_s, p))
        continue;
      if (static_cast<double>(nodes[j].frame - nodes[i].frame) > short_gap && !(lost[i] && found[j]))
        continue;
      const double cost = arc_cost(nodes[i], nodes[j], frame_s, p);
      if (cost < ends.exit[i] + ends.entry[j])
        graph.arcs.push_back({static_cast<int32_t>(i), static_cast<int32_t>(j), quantised(cost)});
    }
  }
  VANTAGE_ASSIGN(DisjointPaths cheapest, cheapest_disjoint_paths(graph));
  return std::move(cheapest.paths);
}

Result<NodePaths> paths_by_motion(const Problem& problem) {
  VANTAGE_ASSIGN(NodePaths start, paths_on_graph(problem));
  return improve_by_motion(problem, std::move(start));
}

namespace {

constexpr int64_t kMaxBytes = int64_t{6} << 30;

struct Floor {
  double left_m = 0, low_m = 0, cell_m = 0.1;
  int nx = 0, ny = 0;
  int64_t first_frame = 0;

  size_t index(const Node& node) const {
    const auto x = static_cast<int64_t>((node.person.x_m - left_m) / cell_m);
    const auto y = static_cast<int64_t>((node.person.y_m - low_m) / cell_m);
    return static_cast<size_t>(((node.frame - first_frame) * ny + y) * nx + x);
  }
};

// Holds every node and entrance, with two cells around.
Floor floor_of(std::span<const Node> nodes, double cell_m, std::span<const FloorZone> entrances) {
  Eigen::AlignedBox2d box;
  for (const Node& node : nodes) box.extend(Eigen::Vector2d(node.person.x_m, node.person.y_m));
  for (const FloorZone& entrance : entrances)
    for (const Eigen::Vector2d& corner : entrance.corners_m) box.extend(corner);
  Floor floor{box.min().x() - 2 * cell_m, box.min().y() - 2 * cell_m, cell_m, 0, 0, nodes.front().frame};
  floor.nx = static_cast<int>((box.max().x() - floor.left_m) / cell_m) + 3;
  floor.ny = static_cast<int>((box.max().y() - floor.low_m) / cell_m) + 3;
  return floor;
}

// Cells with their middle in an entrance; where there is none, all cells.
std::vector<uint8_t> entrance_cells(const Floor& floor, std::span<const FloorZone> entrances) {
  std::vector<uint8_t> cells;
  for (int y = 0; y < floor.ny; ++y)
    for (int x = 0; x < floor.nx; ++x)
      cells.push_back(in_any(
          entrances, {floor.left_m + (x + 0.5) * floor.cell_m, floor.low_m + (y + 0.5) * floor.cell_m}));
  return cells;
}

}  // namespace

Result<NodePaths> paths_on_grid(const Problem& problem) {
  const auto& [nodes, looked, frame_rate, p, entrances, begin, end] = problem;
  if (nodes.empty()) return NodePaths{};
  const Floor floor = floor_of(nodes, p.cell_m, entrances);
  SpaceTimeGrid grid;
  grid.frames = static_cast<int>(nodes.back().frame - floor.first_frame) + 1;
  grid.nx = floor.nx, grid.ny = floor.ny;
  grid.reach = std::max(1, static_cast<int>(std::ceil(p.max_speed_m_per_s / frame_rate / p.cell_m)));
  const auto quantised_cost = [](double nats) { return static_cast<int32_t>(quantised(nats)); };
  grid.entry_cost = grid.exit_cost = quantised_cost(p.entry_cost);
  grid.first_entry_cost = grid.last_exit_cost = grid.entry_cost;
  // Frames before the first and after the last node are not in the grid.
  const auto unseen = [&](int64_t from, int64_t to) {
    return quantised_cost(std::min(p.entry_cost, problem.missed_cost(from, to)));
  };
  if (begin) grid.first_entry_cost = unseen(*begin, floor.first_frame);
  if (end) grid.last_exit_cost = unseen(nodes.back().frame + 1, *end);
  // The variance after a frame, or after those whose moves count as one's.
  const double walked_m2 = p.wander_m_per_s * p.wander_m_per_s / 2 * std::max(1 / frame_rate, kIndependent_s);
  grid.move_cost = quantised_cost(p.cell_m * p.cell_m / (2 * walked_m2));
  if (const int64_t bytes = grid_paths_bytes(grid); bytes > kMaxBytes)
    return fail(ErrorKind::out_of_memory,
                std::to_string(grid.frames) + " frames of " + std::to_string(grid.nx) + " x " +
                    std::to_string(grid.ny) + " cells need " + std::to_string(bytes >> 20) + " MiB",
                "paths on a grid", "Set paths.window_s, or a larger paths.cell_m");
  grid.entrances = entrance_cells(floor, entrances);
  grid.cost.assign(grid.entrances.size() * static_cast<size_t>(grid.frames), 0);
  for (const Look& look : looked)
    if (look.frame >= floor.first_frame && look.frame <= nodes.back().frame)
      std::fill_n(grid.cost.begin() + (look.frame - floor.first_frame) * std::ssize(grid.entrances),
                  grid.entrances.size(), quantised_cost(p.missed_cost_per_s * look.counts_s()));
  std::vector<int32_t> node_at(grid.cost.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const size_t at = floor.index(nodes[i]);
    const auto cost = static_cast<int32_t>(detection_cost(nodes[i], p));
    if (node_at[at] >= 0 && cost >= grid.cost[at]) continue;  // the more certain of two in one cell
    grid.cost[at] = cost, node_at[at] = static_cast<int32_t>(i);
  }
  VANTAGE_ASSIGN(const GridPaths found, cheapest_grid_paths(grid));
  NodePaths paths;
  for (const GridPath& path : found.paths) {
    std::vector<int32_t> passed;
    for (size_t i = 0; i < path.cells.size(); ++i) {
      const size_t frame = static_cast<size_t>(path.first_frame) + i;
      const int32_t node = node_at[frame * grid.entrances.size() + static_cast<size_t>(path.cells[i])];
      if (node >= 0) passed.push_back(node);
    }
    if (!passed.empty()) paths.push_back(std::move(passed));
  }
  return paths;
}

}  // namespace vantage::path_detail
