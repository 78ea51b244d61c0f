#include "core/tracking/paths/detail/disjoint_paths.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace vantage {
namespace {

constexpr int64_t kUnreached = std::numeric_limits<int64_t>::max() / 4;
constexpr int32_t kNone = -1, kOuterArc = -2;  // no arc; the arc from the source or to the sink

// Node v is two vertices, 2v where it is entered and 2v + 1 where it is left. Source and sink are one vertex,
// `outside`: every path is a cycle through it.
class IncrementalFlow {
 public:
  explicit IncrementalFlow(const PathGraph& graph)
      : graph_(graph),
        nodes_(static_cast<int32_t>(graph.node_cost.size())),
        arc_in_(graph.node_cost.size(), kNone),
        arc_out_(arc_in_),
        potential_(2 * arc_in_.size(), kUnreached),
        distance_(potential_.size(), kUnreached),
        onward_(potential_.size(), kNone) {
    index_arcs();
    for (int32_t node = 0; node < nodes_; ++node) add(node);
  }

  DisjointPaths paths() const {
    DisjointPaths found;
    for (int32_t first = 0; first < nodes_; ++first) {
      if (arc_in_[at(first)] != kOuterArc) continue;
      found.cost += graph_.entry_cost[at(first)];
      std::vector<int32_t> path;
      for (int32_t node = first; node != kNone;) {
        path.push_back(node);
        found.cost += graph_.node_cost[at(node)];
        const int32_t arc = arc_out_[at(node)];
        found.cost += arc == kOuterArc ? graph_.exit_cost[at(node)] : graph_.arcs[at(arc)].cost;
        node = arc == kOuterArc ? kNone : graph_.arcs[at(arc)].to;
      }
      found.paths.push_back(std::move(path));
    }
    return found;
  }

  // Dijkstra from outside; the potentials make every arc cost nothing or more.
  NodePotentials node_potentials() {
    index_arcs_out();
    std::fill(distance_.begin(), distance_.end(), kUnreached);
    queue_.clear();
    for (int32_t node = 0; node < nodes_; ++node) {
      if (arc_in_[at(node)] != kOuterArc && graph_.entry_cost[at(node)] != PathGraph::kForbidden)
        reach(2 * node, outside_ + graph_.entry_cost[at(node)]);
      if (arc_out_[at(node)] == kOuterArc) reach(2 * node + 1, outside_ - graph_.exit_cost[at(node)]);
    }
    while (!queue_.empty()) {
      const Reached reached = queue_.front();
      std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
      queue_.pop_back();
      if (reached.distance != distance_[at(reached.vertex)]) continue;
      go_on_from(reached.vertex, reached.distance + potential_[at(reached.vertex)]);
    }
    NodePotentials result;
    const auto total = [&](int32_t vertex) {
      const int64_t distance = distance_[at(vertex)];
      return distance == kUnreached ? PathGraph::kForbidden : distance + potential_[at(vertex)];
    };
    for (int32_t node = 0; node < nodes_; ++node) {
      // At a path's start its own arc in is taken, and from there one only gets outside again.
      result.entered.push_back(arc_in_[at(node)] == kOuterArc ? graph_.entry_cost[at(node)]
                                                              : total(2 * node));
      result.left.push_back(total(2 * node + 1));
    }
    return result;
  }

 private:
  static size_t at(int32_t index) { return static_cast<size_t>(index); }
  static bool is_left_side(int32_t vertex) { return (vertex & 1) != 0; }
  bool is_used(int32_t node) const { return arc_in_[at(node)] != kNone; }

  // Arcs by the node they lead to.
  void index_arcs() {
    first_into_.assign(at(nodes_) + 1, 0);
    for (const PathGraph::Arc& arc : graph_.arcs) ++first_into_[at(arc.to) + 1];
    for (size_t v = 1; v < first_into_.size(); ++v) first_into_[v] += first_into_[v - 1];
    arcs_into_.resize(graph_.arcs.size());
    std::vector<int32_t> next(first_into_.begin(), first_into_.end() - 1);
    for (size_t a = 0; a < graph_.arcs.size(); ++a)
      arcs_into_[at(next[at(graph_.arcs[a].to)]++)] = static_cast<int32_t>(a);
  }

  void add(int32_t node) {
    const int32_t entered = 2 * node, left = entered + 1;
    int64_t smallest = kUnreached;
    if (graph_.entry_cost[at(node)] != PathGraph::kForbidden)
      smallest = outside_ + graph_.entry_cost[at(node)];
    for (int32_t i = first_into_[at(node)]; i < first_into_[at(node) + 1]; ++i) {
      const PathGraph::Arc& arc = graph_.arcs[at(arcs_into_[at(i)])];
      if (potential_[at(2 * arc.from + 1)] != kUnreached)
        smallest = std::min(smallest, potential_[at(2 * arc.from + 1)] + arc.cost);
    }
    if (smallest == kUnreached) return;  // nothing leads here, now or later
    potential_[at(entered)] = smallest;
    potential_[at(left)] = smallest + graph_.node_cost[at(node)];
    if (graph_.exit_cost[at(node)] == PathGraph::kForbidden) return;
    const int64_t broken_by = outside_ - graph_.exit_cost[at(node)] - potential_[at(left)];
    if (broken_by <= 0) return;
    if (search(left, broken_by)) send_path(node);
  }

  struct Reached {
    int64_t distance;
    int32_t vertex;
    bool operator>(const Reached& other) const {
      return distance != other.distance ? distance > other.distance : vertex > other.vertex;
    }
  };

  void offer(int32_t vertex, int64_t distance, int32_t onward) {
    if (distance >= limit_ || distance >= distance_[at(vertex)]) return;
    if (distance_[at(vertex)] == kUnreached) touched_.push_back(vertex);
    distance_[at(vertex)] = distance, onward_[at(vertex)] = onward;
    queue_.push_back({distance, vertex});
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }

  // The vertex over which `outside` is reached, at the distance limit_.
  void offer_outside(int64_t distance, int32_t onward) {
    if (distance >= limit_) return;
    limit_ = distance, first_ = onward;
  }

  // Backwards from `target` until `outside` is reached or `limit` is. Raises the potentials by what the
  // distances leave of it. Whether outside was reached.
  bool search(int32_t target, int64_t limit) {
    limit_ = limit, first_ = kNone;
    queue_.clear(), touched_.clear();
    offer(target, 0, kNone);
    while (!queue_.empty() && queue_.front().distance < limit_) {
      const Reached reached = queue_.front();
      std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
      queue_.pop_back();
      if (reached.distance != distance_[at(reached.vertex)]) continue;
      if (is_left_side(reached.vertex))
        look_before_left(reached.vertex, reached.distance);
      else
        look_before_entered(reached.vertex, reached.distance);
    }
    for (const int32_t vertex : touched_) {
      if (distance_[at(vertex)] < limit_) potential_[at(vertex)] += limit_ - distance_[at(vertex)];
      distance_[at(vertex)] = kUnreached;
    }
    return first_ != kNone;
  }

  // Residual arcs that end where a node is left.
  void look_before_left(int32_t vertex, int64_t distance) {
    const int32_t node = vertex / 2;
    const int64_t here = distance - potential_[at(vertex)];
    if (!is_used(node)) {
      offer(vertex - 1, here + graph_.node_cost[at(node)] + potential_[at(vertex - 1)], vertex);
      return;
    }
    const int32_t arc = arc_out_[at(node)];
    if (arc == kOuterArc) {
      offer_outside(here - graph_.exit_cost[at(node)] + outside_, vertex);
    } else {
      const int32_t next = 2 * graph_.arcs[at(arc)].to;
      offer(next, here - graph_.arcs[at(arc)].cost + potential_[at(next)], vertex);
    }
  }

  // Residual arcs that end where a node is entered.
  void look_before_entered(int32_t vertex, int64_t distance) {
    const int32_t node = vertex / 2;
    const int64_t here = distance - potential_[at(vertex)];
    const int32_t taken = arc_in_[at(node)];
    if (taken != kOuterArc && graph_.entry_cost[at(node)] != PathGraph::kForbidden)
      offer_outside(here + graph_.entry_cost[at(node)] + outside_, vertex);
    for (int32_t i = first_into_[at(node)]; i < first_into_[at(node) + 1]; ++i) {
      const int32_t number = arcs_into_[at(i)];
      const PathGraph::Arc& arc = graph_.arcs[at(number)];
      const int32_t before = 2 * arc.from + 1;
      if (number != taken && potential_[at(before)] != kUnreached)
        offer(before, here + arc.cost + potential_[at(before)], vertex);
    }
    if (is_used(node))
      offer(vertex + 1, here - graph_.node_cost[at(node)] + potential_[at(vertex + 1)], vertex);
  }

  void index_arcs_out() {
    first_out_.assign(at(nodes_) + 1, 0);
    for (const PathGraph::Arc& arc : graph_.arcs) ++first_out_[at(arc.from) + 1];
    for (size_t v = 1; v < first_out_.size(); ++v) first_out_[v] += first_out_[v - 1];
    arcs_out_.resize(graph_.arcs.size());
    std::vector<int32_t> next(first_out_.begin(), first_out_.end() - 1);
    for (size_t a = 0; a < graph_.arcs.size(); ++a)
      arcs_out_[at(next[at(graph_.arcs[a].from)]++)] = static_cast<int32_t>(a);
  }

  void reach(int32_t vertex, int64_t cost) {
    if (potential_[at(vertex)] == kUnreached) return;
    const int64_t distance = cost - potential_[at(vertex)];
    if (distance >= distance_[at(vertex)]) return;
    distance_[at(vertex)] = distance;
    queue_.push_back({distance, vertex});
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }

  // Residual arcs that begin at a vertex which `cost` leads to.
  void go_on_from(int32_t vertex, int64_t cost) {
    const int32_t node = vertex / 2;
    if (!is_left_side(vertex)) {
      const int32_t taken = arc_in_[at(node)];
      if (taken == kNone)
        reach(vertex + 1, cost + graph_.node_cost[at(node)]);
      else if (taken != kOuterArc)
        reach(2 * graph_.arcs[at(taken)].from + 1, cost - graph_.arcs[at(taken)].cost);
      return;
    }
    for (int32_t i = first_out_[at(node)]; i < first_out_[at(node) + 1]; ++i) {
      const int32_t number = arcs_out_[at(i)];
      if (number != arc_out_[at(node)])
        reach(2 * graph_.arcs[at(number)].to, cost + graph_.arcs[at(number)].cost);
    }
    if (is_used(node)) reach(vertex - 1, cost - graph_.node_cost[at(node)]);
  }

  // Along the search's way from `outside` to where `last` is left, and out again.
  void send_path(int32_t last) {
    if (!is_left_side(first_)) arc_in_[at(first_ / 2)] = kOuterArc;
    for (int32_t vertex = first_; onward_[at(vertex)] != kNone; vertex = onward_[at(vertex)]) {
      const int32_t node = vertex / 2, next = onward_[at(vertex)] / 2;
      if (!is_left_side(vertex))
        continue;          // through a node, or back to the one before: it is told below where to go
      if (next == node) {  // backwards through the node: no path passes it any more
        arc_in_[at(node)] = arc_out_[at(node)] = kNone;
      } else {
        const int32_t arc = cheapest_arc(node, next);
        arc_out_[at(node)] = arc_in_[at(next)] = arc;
      }
    }
    arc_out_[at(last)] = kOuterArc;
  }

  int32_t cheapest_arc(int32_t from, int32_t to) const {
    int32_t best = kNone;
    for (int32_t i = first_into_[at(to)]; i < first_into_[at(to) + 1]; ++i) {
      const int32_t number = arcs_into_[at(i)];
      if (graph_.arcs[at(number)].from != from) continue;
      if (best == kNone || graph_.arcs[at(number)].cost < graph_.arcs[at(best)].cost) best = number;
    }
    return best;
  }

  const PathGraph& graph_;
  const int32_t nodes_;
  std::vector<int32_t> first_into_, arcs_into_, first_out_, arcs_out_;
  std::vector<int32_t> arc_in_, arc_out_;  // per node: the arcs of the path that passes it
  std::vector<int64_t> potential_;         // per vertex; kUnreached: out of reach
  int64_t outside_ = 0;                    // potential of the vertex outside
  // The state of one search.
  std::vector<int64_t> distance_;
  std::vector<int32_t> onward_;
  std::vector<Reached> queue_;
  std::vector<int32_t> touched_;
  int64_t limit_ = 0;
  int32_t first_ = kNone;
};

Status check(const PathGraph& graph) {
  const size_t nodes = graph.node_cost.size();
  if (graph.entry_cost.size() != nodes || graph.exit_cost.size() != nodes)
    return fail(ErrorKind::invalid_argument, "node, entry and exit costs are not equally many", "path graph");
  if (nodes > static_cast<size_t>(std::numeric_limits<int32_t>::max() / 4))
    return fail(ErrorKind::invalid_argument, std::to_string(nodes) + " nodes are too many", "path graph");
  for (const PathGraph::Arc& arc : graph.arcs)
    if (arc.from < 0 || arc.from >= arc.to || static_cast<size_t>(arc.to) >= nodes)
      return fail(ErrorKind::invalid_argument,
                  "arc " + std::to_string(arc.from) + " to " + std::to_string(arc.to) +
                      " does not lead to a larger node number",
                  "path graph");
  return {};
}

}  // namespace

Result<DisjointPaths> cheapest_disjoint_paths(const PathGraph& graph) {
  VANTAGE_TRY(check(graph));
  return IncrementalFlow(graph).paths();
}

Result<DisjointPaths> cheapest_disjoint_paths(const PathGraph& graph, NodePotentials* potentials) {
  VANTAGE_TRY(check(graph));
  IncrementalFlow flow(graph);
  *potentials = flow.node_potentials();
  return flow.paths();
}

}  // namespace vantage
