#include "core/tracking/paths/detail/grid_paths.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "core/tracking/paths/detail/disjoint_paths.h"
#include "core/tracking/paths/detail/grid_pass.h"

namespace vantage {
namespace {

using path_detail::GridPass;
using path_detail::kFar;
using path_detail::kFromSource;
using path_detail::kLargestReach;

constexpr int64_t kLargestSum = int64_t{1} << 28;
constexpr size_t kOutside = std::numeric_limits<size_t>::max();
// Frames that the first routes span: more is left to the passes, which see any length.
int first_span(int reach) {
  return reach <= 2 ? 4 : reach == 3 ? 2 : 1;
}

// The cheapest way found from one node to a later one through cells that are none, or from and to outside.
// Indices of cells are frame * cells + cell.
struct Route {
  size_t from = kOutside, to = kOutside;
  int64_t cost = 0;  // of the cells between, with entry or exit
  std::vector<size_t> between = {};
};
bool before(const Route& a, const Route& b) {
  return a.from != b.from ? a.from < b.from : a.to != b.to ? a.to < b.to : a.cost < b.cost;
}

class GridSolver {
 public:
  explicit GridSolver(const SpaceTimeGrid& grid)
      : grid_(grid), pass_(grid), cells_(pass_.cells()), from_(grid.cost.size()), is_node_(grid.cost.size()) {
    const bool all =
        std::min(grid_.entry_cost, grid_.first_entry_cost) + std::min(grid_.exit_cost, grid_.last_exit_cost) <
        0;
    for (size_t index = 0; index < grid_.cost.size(); ++index)
      if (all || grid_.cost[index] < 0) add_node(index);
  }

  Result<GridPaths> solve() {
    const size_t first_nodes = nodes_.size();
    for (size_t i = 0; i < first_nodes; ++i) add_first_routes(nodes_[i]);
    while (true) {
      const PathGraph graph = graph_of_routes();
      NodePotentials potentials;
      VANTAGE_ASSIGN(const DisjointPaths found, cheapest_disjoint_paths(graph, &potentials));
      if (add_cheaper_routes(potentials)) continue;
      GridPaths paths = paths_of(found);
      if (!make_nodes_of_shared_cells(paths)) return paths;
    }
  }

  int64_t cheapest_single_path() {
    std::vector<int32_t> labels(cells_);
    int64_t best = 0;
    for (int frame = 0; frame < grid_.frames; ++frame) {
      pass_.step(frame, labels.data(), labels.data(), from_.data() + first_index(frame));
      for_exits(frame,
                [&](size_t cell) { best = std::min(best, labels[cell] + exit_cost(first_index(frame))); });
    }
    return best;
  }

 private:
  size_t first_index(int frame) const { return static_cast<size_t>(frame) * cells_; }
  bool is_entrance(size_t index) const { return grid_.entrances[index % cells_] != 0; }
  bool in_first(size_t index) const { return index < cells_; }
  bool in_last(size_t index) const { return index >= grid_.cost.size() - cells_; }
  // Costs of cells where a path may start, end.
  int64_t entry_cost(size_t index) const {
    return in_first(index) ? grid_.first_entry_cost : grid_.entry_cost;
  }
  int64_t exit_cost(size_t index) const { return in_last(index) ? grid_.last_exit_cost : grid_.exit_cost; }
  int32_t number_of(size_t index) const {
    return static_cast<int32_t>(std::lower_bound(nodes_.begin(), nodes_.end(), index) - nodes_.begin());
  }

  template <typename F>
  void for_exits(int frame, const F& f) const {
    if (frame + 1 == grid_.frames)
      for (size_t cell = 0; cell < cells_; ++cell) f(cell);
    else
      for (const size_t cell : pass_.entrances()) f(cell);
  }

  void add_node(size_t index) {
    nodes_.push_back(index);
    is_node_[index] = 1;
  }

  int64_t move_cost(size_t from, size_t to) const {
    const auto x = [&](size_t index) { return static_cast<int>(index % cells_) % grid_.nx; };
    const auto y = [&](size_t index) { return static_cast<int>(index % cells_) / grid_.nx; };
    return int64_t{pass_.move_cost(x(to) - x(from))} + pass_.move_cost(y(to) - y(from));
  }

  // ---- the first routes: from a node over the next few frames

  // Labels of a square around the node; grows by the reach with each frame.
  struct Square {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // cells [x0, x1] x [y0, y1]
    std::vector<int64_t> cost;
    std::vector<int32_t> from;  // the position in the square of the frame before
    int width() const { return x1 - x0 + 1; }
    size_t at(int x, int y) const { return static_cast<size_t>((y - y0) * width() + x - x0); }
  };

  void add_first_routes(size_t node) {
    const auto frame = static_cast<int>(node / cells_);
    const auto x = static_cast<int>(node % cells_) % grid_.nx, y = static_cast<int>(node % cells_) / grid_.nx;
    std::vector<Square> squares = {{x, y, x, y, {0}, {0}}};
    for (int step = 1; step <= first_span(grid_.reach) && frame + step < grid_.frames; ++step) {
      squares.push_back(next_square(squares.back(), frame + step));
      const Square& square = squares.back();
      for (int v = square.y0; v <= square.y1; ++v)
        for (int u = square.x0; u <= square.x1; ++u)
          if (is_node_[index_at(u, v, frame + step)] && square.cost[square.at(u, v)] < kFar)
            routes_.push_back(route_through(squares, node, square.at(u, v)));
    }
  }

  size_t index_at(int x, int y, int frame) const {
    return first_index(frame) + static_cast<size_t>(y * grid_.nx + x);
  }

  // Cost up to and with a cell; up to a node only.
  Square next_square(const Square& last, int frame) const {
    const int reach = grid_.reach;
    Square next{std::max(0, last.x0 - reach),
                std::max(0, last.y0 - reach),
                std::min(grid_.nx - 1, last.x1 + reach),
                std::min(grid_.ny - 1, last.y1 + reach),
                {},
                {}};
    for (int y = next.y0; y <= next.y1; ++y)
      for (int x = next.x0; x <= next.x1; ++x) {
        int64_t best = kFar;
        size_t from = 0;
        for (int v = std::max(last.y0, y - reach); v <= std::min(last.y1, y + reach); ++v)
          for (int u = std::max(last.x0, x - reach); u <= std::min(last.x1, x + reach); ++u) {
            const size_t at = last.at(u, v);
            const bool passable = last.cost.size() == 1 || !is_node_[index_at(u, v, frame - 1)];
            const int64_t moved = last.cost[at] + pass_.move_cost(x - u) + pass_.move_cost(y - v);
            if (passable && moved < best) best = moved, from = at;
          }
        const size_t index = index_at(x, y, frame);
        next.cost.push_back(best + (best < kFar && !is_node_[index] ? grid_.cost[index] : 0));
        next.from.push_back(static_cast<int32_t>(from));
      }
    return next;
  }

  Route route_through(const std::vector<Square>& squares, size_t node, size_t last) const {
    Route route{node, 0, squares.back().cost[last]};
    size_t at = last;
    const auto first_frame = static_cast<int>(node / cells_);
    for (size_t step = squares.size() - 1; step > 0; --step) {
      const Square& square = squares[step];
      const auto x = square.x0 + static_cast<int>(at) % square.width();
      const auto y = square.y0 + static_cast<int>(at) / square.width();
      const size_t index = index_at(x, y, first_frame + static_cast<int>(step));
      if (step + 1 == squares.size())
        route.to = index;
      else
        route.between.push_back(index);
      at = static_cast<size_t>(square.from[at]);
    }
    std::reverse(route.between.begin(), route.between.end());
    return route;
  }

  // ---- the graph of nodes and routes

  // Costs of a path that starts, ends at the node itself.
  int64_t own_entry_cost(size_t node) const {
    return in_first(node) || is_entrance(node) ? entry_cost(node) : PathGraph::kForbidden;
  }
  int64_t own_exit_cost(size_t node) const {
    return in_last(node) || is_entrance(node) ? exit_cost(node) : PathGraph::kForbidden;
  }

  PathGraph graph_of_routes() const {
    PathGraph graph;
    for (const size_t index : nodes_) {
      graph.node_cost.push_back(grid_.cost[index]);
      graph.entry_cost.push_back(own_entry_cost(index));
      graph.exit_cost.push_back(own_exit_cost(index));
    }
    for (const Route& route : routes_) {
      const auto to = static_cast<size_t>(number_of(route.to)),
                 from = static_cast<size_t>(number_of(route.from));
      if (route.from == kOutside)
        graph.entry_cost[to] = std::min(graph.entry_cost[to], route.cost);
      else if (route.to == kOutside)
        graph.exit_cost[from] = std::min(graph.exit_cost[from], route.cost);
      else
        graph.arcs.push_back({static_cast<int32_t>(from), static_cast<int32_t>(to), route.cost});
    }
    return graph;
  }

  // ---- all other routes, by a pass over the grid: whatever would make the paths cheaper is found

  static int32_t label_of(int64_t potential) {
    return potential == PathGraph::kForbidden ? kFar : static_cast<int32_t>(potential);
  }

  bool add_cheaper_routes(const NodePotentials& potentials) {
    const size_t known = routes_.size();
    std::vector<int32_t> labels(cells_);
    size_t node = 0;
    for (int frame = 0; frame < grid_.frames; ++frame) {
      const size_t base = first_index(frame);
      pass_.step(frame, labels.data(), labels.data(), from_.data() + base);
      for (; node < nodes_.size() && nodes_[node] < base + cells_; ++node) {
        const size_t cell = nodes_[node] - base;
        if (pass_.entered(cell) < label_of(potentials.entered[node]))
          routes_.push_back(route_into(nodes_[node], 0));
        labels[cell] = label_of(potentials.left[node]);
      }
      for_exits(frame, [&](size_t cell) {
        const int64_t cost = labels[cell] + exit_cost(base);
        if (!is_node_[base + cell] && cost < 0) note_way_out(base + cell, cost);
      });
    }
    for (auto& [from, out] : ways_out_) {
      Route route = route_into(out.second, exit_cost(out.second) + grid_.cost[out.second]);
      route.between.push_back(out.second);
      route.to = kOutside;
      routes_.push_back(std::move(route));
    }
    ways_out_.clear();
    return routes_.size() > known;
  }

  // The pass's way into a cell; `last` is added to its cost.
  Route route_into(size_t index, int64_t last) const {
    Route route{kOutside, index, last};
    for (size_t at = index;;) {
      const uint16_t from = from_[at];
      if (from == kFromSource) {
        route.cost += entry_cost(at);
        break;
      }
      const size_t after =
          std::exchange(at, at / cells_ * cells_ - cells_ + pass_.cell_before(at % cells_, from));
      route.cost += move_cost(at, after);
      if (is_node_[at]) {
        route.from = at;
        break;
      }
      route.cost += grid_.cost[at];
      route.between.push_back(at);
    }
    std::reverse(route.between.begin(), route.between.end());
    return route;
  }

  // Only the cheapest of a node is kept.
  void note_way_out(size_t index, int64_t cost) {
    size_t at = index;
    while (!is_node_[at]) at = at / cells_ * cells_ - cells_ + pass_.cell_before(at % cells_, from_[at]);
    const auto [found, fresh] = ways_out_.try_emplace(at, cost, index);
    if (!fresh && cost < found->second.first) found->second = {cost, index};
  }

  // ---- from nodes back to cells

  GridPaths paths_of(const DisjointPaths& found) {
    std::sort(routes_.begin(), routes_.end(), before);
    GridPaths paths;
    paths.cost = found.cost;
    for (const std::vector<int32_t>& nodes : found.paths) {
      std::vector<size_t> way;
      size_t last = kOutside;
      for (const int32_t number : nodes) {
        const size_t index = nodes_[number];
        add_route(last, index, &way);
        way.push_back(index);
        last = index;
      }
      add_route(last, kOutside, &way);
      GridPath& path = paths.paths.emplace_back();
      path.first_frame = static_cast<int>(way.front() / cells_);
      for (const size_t index : way) path.cells.push_back(static_cast<int32_t>(index % cells_));
    }
    std::sort(paths.paths.begin(), paths.paths.end(), [](const GridPath& a, const GridPath& b) {
      return a.first_frame != b.first_frame ? a.first_frame < b.first_frame
                                            : a.cells.front() < b.cells.front();
    });
    return paths;
  }

  // A path starts or ends at a node itself where that is possible and no route costs less.
  void add_route(size_t from, size_t to, std::vector<size_t>* way) const {
    const auto route = std::lower_bound(routes_.begin(), routes_.end(),
                                        Route{from, to, std::numeric_limits<int64_t>::min()}, before);
    const bool known = route != routes_.end() && route->from == from && route->to == to;
    if (from == kOutside && (!known || own_entry_cost(to) <= route->cost)) return;
    if (to == kOutside && (!known || own_exit_cost(from) <= route->cost)) return;
    way->insert(way->end(), route->between.begin(), route->between.end());
  }

  // Two paths may not share a cell, but routes do not know of each other: such cells become nodes. Whether
  // there are any.
  bool make_nodes_of_shared_cells(const GridPaths& paths) {
    std::vector<size_t> all;
    for (const GridPath& path : paths.paths)
      for (size_t i = 0; i < path.cells.size(); ++i)
        all.push_back(first_index(path.first_frame + static_cast<int>(i)) +
                      static_cast<size_t>(path.cells[i]));
    std::sort(all.begin(), all.end());
    std::vector<size_t> shared;
    for (size_t i = 1; i < all.size(); ++i)
      if (all[i] == all[i - 1] && !is_node_[all[i]]) shared.push_back(all[i]), is_node_[all[i]] = 1;
    if (shared.empty()) return false;
    nodes_.insert(nodes_.end(), shared.begin(), shared.end());
    std::sort(nodes_.begin(), nodes_.end());
    split_routes();
    for (const size_t node : shared) add_first_routes(node);
    return true;
  }

  // Routes through cells that are nodes now become routes between them.
  void split_routes() {
    std::vector<Route> split;
    for (Route& route : routes_) {
      const auto now_node = [&](size_t index) { return is_node_[index] != 0; };
      if (std::none_of(route.between.begin(), route.between.end(), now_node)) {
        split.push_back(std::move(route));
        continue;
      }
      Route part{route.from, kOutside, route.from == kOutside ? entry_cost(route.between.front()) : 0};
      size_t last = route.from;
      for (const size_t index : route.between) {
        if (last != kOutside) part.cost += move_cost(last, index);
        last = index;
        if (!is_node_[index]) {
          part.cost += grid_.cost[index], part.between.push_back(index);
          continue;
        }
        part.to = index;
        split.push_back(std::exchange(part, {index, kOutside, 0}));
      }
      part.to = route.to;
      part.cost += route.to == kOutside ? exit_cost(last) : move_cost(last, route.to);
      split.push_back(std::move(part));
    }
    routes_ = std::move(split);
  }

  const SpaceTimeGrid& grid_;
  GridPass pass_;
  const size_t cells_;
  std::vector<uint16_t> from_;  // of the last pass
  std::vector<uint8_t> is_node_;
  std::vector<size_t> nodes_;  // ascending
  std::vector<Route> routes_;
  std::map<size_t, std::pair<int64_t, size_t>> ways_out_;  // per node: cost and index of the last cell
};

Status check(const SpaceTimeGrid& grid) {
  constexpr const char* kWhere = "space-time grid";
  if (grid.frames < 1 || grid.nx < 1 || grid.ny < 1 || grid.reach < 0 || grid.reach > kLargestReach ||
      grid.move_cost < 0)
    return fail(ErrorKind::invalid_argument,
                "no frames, no cells, moves with negative cost, or a reach outside 0 to " +
                    std::to_string(kLargestReach) + " cells",
                kWhere, "Take larger cells or slower people");
  const int64_t cells = int64_t{grid.nx} * grid.ny, nodes = cells * grid.frames;
  if (nodes > std::numeric_limits<int32_t>::max() || grid.cost.size() != static_cast<size_t>(nodes) ||
      grid.entrances.size() != static_cast<size_t>(cells))
    return fail(ErrorKind::invalid_argument,
                std::to_string(grid.cost.size()) + " costs and " + std::to_string(grid.entrances.size()) +
                    " entrances do not fit " + std::to_string(grid.frames) + " frames of " +
                    std::to_string(grid.nx) + " x " + std::to_string(grid.ny) +
                    " cells, or there are more than 2^31 of them",
                kWhere);
  int64_t largest = 0;
  for (const int32_t cost : {grid.entry_cost, grid.exit_cost, grid.first_entry_cost, grid.last_exit_cost})
    largest = std::max(largest, std::abs(int64_t{cost}));
  for (const int32_t cost : grid.cost) largest = std::max(largest, std::abs(int64_t{cost}));
  largest += int64_t{2} * grid.reach * grid.reach * std::abs(int64_t{grid.move_cost});
  if (largest * grid.frames > kLargestSum)
    return fail(ErrorKind::invalid_argument,
                "costs up to " + std::to_string(largest) + " over " + std::to_string(grid.frames) +
                    " frames are too large",
                kWhere, "Quantise more coarsely or take shorter windows");
  return {};
}

}  // namespace

int64_t grid_paths_bytes(const SpaceTimeGrid& grid) {
  constexpr int64_t kPerCell = sizeof(uint16_t) + sizeof(uint8_t), kPerNode = 8 * int64_t{sizeof(Route)};
  const auto nodes = std::count_if(grid.cost.begin(), grid.cost.end(), [](int32_t cost) { return cost < 0; });
  return int64_t{grid.frames} * grid.nx * grid.ny * kPerCell + nodes * kPerNode;
}

Result<GridPaths> cheapest_grid_paths(const SpaceTimeGrid& grid) {
  VANTAGE_TRY(check(grid));
  return GridSolver(grid).solve();
}

Result<int64_t> cheapest_single_path_cost(const SpaceTimeGrid& grid) {
  VANTAGE_TRY(check(grid));
  return GridSolver(grid).cheapest_single_path();
}

}  // namespace vantage
