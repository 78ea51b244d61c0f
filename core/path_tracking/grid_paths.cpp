#include "core/path_tracking/grid_paths.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <utility>

namespace vantage {
namespace {

constexpr int32_t kFar = int32_t{1} << 30;
constexpr int64_t kLargestSum = int64_t{1} << 28;
constexpr int kLargestReach = 7;  // so that a place in the window is less than kFromSource
constexpr int32_t kNone = -1;     // slot of a free cell; before the first and after the last cell of a path

// How a cell is entered in the tree: from a place in the window of the frame before (its number), or
constexpr uint8_t kFromSource = 254;  // as the start of a path
constexpr uint8_t kFromLeft = 255;    // backwards through the cell itself, which a path passes

// A free cell is one vertex: its label is the cost of a path up to and through it. A cell that a path passes
// is two, entered and left: its own way through is taken, and it can be passed backwards, which gives its
// cost back.
enum class Side : uint8_t { left, entered };

struct Vertex {
  size_t index = 0;  // frame * cells + cell
  Side side = Side::left;
  bool operator==(const Vertex&) const = default;
};

class GridSolver {
 public:
  explicit GridSolver(const SpaceTimeGrid& grid)
      : grid_(grid),
        cells_(static_cast<size_t>(grid.nx) * static_cast<size_t>(grid.ny)),
        width_(2 * grid.reach + 1),
        left_(static_cast<size_t>(grid.frames) * cells_),
        entered_from_(left_.size()) {
    for (size_t cell = 0; cell < cells_; ++cell)
      if (grid_.entrances[cell]) entrances_.push_back(cell);
    first_pass();
  }

  GridPaths solve() {
    slot_.assign(left_.size(), kNone);
    cut_.assign(left_.size(), 0);
    tentative_.resize(left_.size());
    GridPaths found;
    int64_t searched = 0;
    while (true) {
      const std::pair<int64_t, size_t> end = cheapest_end();
      if (end.first >= 0) break;
      found.cost += end.first;
      const std::vector<Vertex> way = trace_back({end.second, Side::left});
      cut_off(way.front());
      augment(way);
      searched += static_cast<int64_t>(cut_list_.size());
      search_again();
    }
    found.searched_again = static_cast<double>(searched) / static_cast<double>(left_.size());
    for (const int32_t start : starts_) found.paths.push_back(path_from(start));
    std::sort(found.paths.begin(), found.paths.end(), [](const GridPath& a, const GridPath& b) {
      return a.first_frame != b.first_frame ? a.first_frame < b.first_frame
                                            : a.cells.front() < b.cells.front();
    });
    return found;
  }

  // Cost and last cell of the cheapest path in the residual graph; 0 where none pays.
  std::pair<int64_t, size_t> cheapest_end() const {
    std::pair<int64_t, size_t> best{0, 0};
    const auto offer = [&](size_t index) {
      // The way out of a path's last cell is taken.
      if (!slot_.empty() && slot_[index] != kNone && passed(slot_[index]).next == kNone) return;
      const int64_t cost = int64_t{left_[index]} + grid_.exit_cost;
      if (cost < best.first) best = {cost, index};
    };
    for (int frame = 0; frame + 1 < grid_.frames; ++frame)
      for (const size_t cell : entrances_) offer(static_cast<size_t>(frame) * cells_ + cell);
    for (size_t index = left_.size() - cells_; index < left_.size(); ++index) offer(index);
    return best;
  }

 private:
  struct Passed {  // a cell that a path passes
    size_t index = 0;
    int32_t next = kNone, previous = kNone;  // slots
    int32_t entered = kFar;                  // its label on entering
    int32_t tentative = kFar;
  };
  const Passed& passed(int32_t slot) const { return passed_[static_cast<size_t>(slot)]; }
  Passed& passed(int32_t slot) { return passed_[static_cast<size_t>(slot)]; }

  bool may_start(size_t index) const { return index < cells_ || grid_.entrances[index % cells_] != 0; }
  bool is_passed(size_t index) const { return slot_[index] != kNone; }
  // The vertex at which arcs into a cell end.
  Vertex entry_of(size_t index) const { return {index, is_passed(index) ? Side::entered : Side::left}; }

  // Calls f(index of the cell in the frame `step` later, its number in this cell's window).
  template <typename F>
  void for_window(size_t index, int step, const F& f) const {
    const size_t frame = index / cells_, cell = index % cells_;
    if (step < 0 ? frame == 0 : frame + 1 == static_cast<size_t>(grid_.frames)) return;
    const size_t base = step < 0 ? (frame - 1) * cells_ : (frame + 1) * cells_;
    const int x = static_cast<int>(cell % static_cast<size_t>(grid_.nx));
    const int y = static_cast<int>(cell / static_cast<size_t>(grid_.nx));
    const int reach = grid_.reach;
    for (int v = std::max(0, y - reach); v <= std::min(grid_.ny - 1, y + reach); ++v)
      for (int u = std::max(0, x - reach); u <= std::min(grid_.nx - 1, x + reach); ++u)
        f(base + static_cast<size_t>(v * grid_.nx + u),
          static_cast<uint8_t>((v - y + reach) * width_ + u - x + reach));
  }
  // The number under which a cell of the next frame has this one in its window.
  uint8_t seen_from(uint8_t place) const { return static_cast<uint8_t>(width_ * width_ - 1 - place); }

  // ---- the first pass: everything by dynamic programming, frame by frame

  void first_pass() {
    std::vector<int32_t> smallest(cells_), place(cells_), row_smallest(cells_), row_place(cells_);
    for (int frame = 0; frame < grid_.frames; ++frame) {
      const size_t base = static_cast<size_t>(frame) * cells_;
      if (frame > 0) {
        take_rows(left_.data() + base - cells_, row_smallest, row_place);
        take_columns(row_smallest, row_place, smallest, place);
      } else {
        std::fill(smallest.begin(), smallest.end(), kFar);
      }
      const auto start_at = [&](size_t cell) {
        if (grid_.entry_cost < smallest[cell]) smallest[cell] = grid_.entry_cost, place[cell] = kFromSource;
      };
      if (frame == 0)
        for (size_t cell = 0; cell < cells_; ++cell) start_at(cell);
      else
        for (const size_t cell : entrances_) start_at(cell);
      for (size_t cell = 0; cell < cells_; ++cell) {
        left_[base + cell] = std::min(smallest[cell] + grid_.cost[base + cell], kFar);
        entered_from_[base + cell] = static_cast<uint8_t>(place[cell]);
      }
    }
  }

  void take_rows(const int32_t* labels, std::vector<int32_t>& smallest, std::vector<int32_t>& place) const {
    const int nx = grid_.nx, reach = grid_.reach;
    for (int y = 0; y < grid_.ny; ++y) {
      const int32_t* row = labels + static_cast<ptrdiff_t>(y) * nx;
      int32_t* out = smallest.data() + static_cast<ptrdiff_t>(y) * nx;
      int32_t* at = place.data() + static_cast<ptrdiff_t>(y) * nx;
      std::copy(row, row + nx, out);
      std::fill(at, at + nx, reach);
      for (int d = -reach; d <= reach; ++d)
        for (int x = std::max(0, -d); x < std::min(nx, nx - d); ++x) {
          const bool less = row[x + d] < out[x];
          at[x] = less ? d + reach : at[x];
          out[x] = less ? row[x + d] : out[x];
        }
    }
  }

  void take_columns(const std::vector<int32_t>& row_smallest, const std::vector<int32_t>& row_place,
                    std::vector<int32_t>& smallest, std::vector<int32_t>& place) const {
    const int nx = grid_.nx, ny = grid_.ny, reach = grid_.reach;
    std::fill(smallest.begin(), smallest.end(), kFar);
    for (int y = 0; y < ny; ++y)
      for (int v = std::max(0, y - reach); v <= std::min(ny - 1, y + reach); ++v) {
        const int32_t* row = row_smallest.data() + static_cast<ptrdiff_t>(v) * nx;
        const int32_t* dx = row_place.data() + static_cast<ptrdiff_t>(v) * nx;
        int32_t* out = smallest.data() + static_cast<ptrdiff_t>(y) * nx;
        int32_t* at = place.data() + static_cast<ptrdiff_t>(y) * nx;
        const int32_t first = (v - y + reach) * width_;
        for (int x = 0; x < nx; ++x) {
          const bool less = row[x] < out[x];
          at[x] = less ? first + dx[x] : at[x];
          out[x] = less ? row[x] : out[x];
        }
      }
  }

  // ---- the tree

  int32_t label(Vertex v) const {
    return v.side == Side::left ? left_[v.index] : passed(slot_[v.index]).entered;
  }
  int32_t& tentative(Vertex v) {
    return v.side == Side::left ? tentative_[v.index] : passed(slot_[v.index]).tentative;
  }

  size_t window_cell(size_t index, uint8_t place) const {
    const auto dy = static_cast<ptrdiff_t>(place) / width_ - grid_.reach;
    const auto dx = static_cast<ptrdiff_t>(place) % width_ - grid_.reach;
    return static_cast<size_t>(static_cast<ptrdiff_t>(index - cells_) + dy * grid_.nx + dx);
  }

  // From the first vertex after the source to `v`.
  std::vector<Vertex> trace_back(Vertex v) const {
    std::vector<Vertex> way;
    while (true) {
      way.push_back(v);
      if (v.side == Side::left &&
          is_passed(v.index)) {  // only reached backwards from the next cell of its path
        v = {passed(passed(slot_[v.index]).next).index, Side::entered};
        continue;
      }
      const uint8_t from = entered_from_[v.index];
      if (from == kFromSource) break;
      v = from == kFromLeft ? Vertex{v.index, Side::left} : Vertex{window_cell(v.index, from), Side::left};
    }
    std::reverse(way.begin(), way.end());
    return way;
  }

  void cut(Vertex v) {
    const uint8_t bit = v.side == Side::left ? 1 : 2;
    if (cut_[v.index] & bit) return;
    cut_[v.index] |= bit;
    cut_list_.push_back(v);
  }
  bool is_cut(Vertex v) const { return (cut_[v.index] & (v.side == Side::left ? 1 : 2)) != 0; }

  // Marks a vertex and everything below it in the tree.
  void cut_off(Vertex root) {
    cut_list_.clear();
    cut(root);
    for (size_t i = 0; i < cut_list_.size(); ++i) {
      const Vertex v = cut_list_[i];
      if (v.side == Side::entered) {
        const int32_t previous = passed(slot_[v.index]).previous;
        if (previous != kNone) cut({passed(previous).index, Side::left});
        continue;
      }
      if (is_passed(v.index) && entered_from_[v.index] == kFromLeft) cut({v.index, Side::entered});
      for_window(v.index, 1, [&](size_t to, uint8_t place) {
        if (entered_from_[to] == seen_from(place)) cut(entry_of(to));
      });
    }
  }

  // ---- one more path

  // Forward arcs of the way are added to the paths, backward ones taken away.
  void augment(const std::vector<Vertex>& way) {
    std::vector<size_t> freed;
    for (const Vertex& v : way)
      if (!is_passed(v.index)) {
        slot_[v.index] = static_cast<int32_t>(passed_.size());
        passed_.push_back({v.index, kNone, kNone, left_[v.index] - grid_.cost[v.index]});
        cut({v.index, Side::entered});
      }
    for (size_t i = 0; i + 1 < way.size(); ++i) {
      const Vertex &from = way[i], &to = way[i + 1];
      if (to.index / cells_ == from.index / cells_ + 1) passed(slot_[from.index]).next = slot_[to.index];
      if (to.index == from.index) freed.push_back(from.index);  // was passed, and now backwards
    }
    passed(slot_[way.back().index]).next = kNone;
    starts_.push_back(slot_[way.front().index]);
    for (const size_t index : freed) {
      slot_[index] = kNone;
      cut_[index] &= 1;
    }
    std::erase_if(cut_list_, [&](Vertex v) { return v.side == Side::entered && !is_passed(v.index); });
    relink();
  }

  // Numbers what the paths pass anew, path by path.
  void relink() {
    std::vector<Passed> kept;
    for (int32_t& start : starts_) {
      int32_t previous = kNone;
      const auto first = static_cast<int32_t>(kept.size());
      for (int32_t slot = start; slot != kNone; slot = passed(slot).next) {
        const auto now = static_cast<int32_t>(kept.size());
        kept.push_back({passed(slot).index, kNone, previous, passed(slot).entered});
        if (previous != kNone) kept[static_cast<size_t>(previous)].next = now;
        previous = now;
      }
      start = first;
    }
    passed_ = std::move(kept);
    for (size_t slot = 0; slot < passed_.size(); ++slot)
      slot_[passed_[slot].index] = static_cast<int32_t>(slot);
  }

  // ---- Dijkstra over what was cut off. Keys are how much a label grows: with the old labels as potentials
  // no arc is negative.

  using Queue = std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>>;

  void offer(Queue& queue, Vertex v, int64_t new_label, uint8_t from) {
    if (new_label >= tentative(v)) return;
    tentative(v) = static_cast<int32_t>(new_label);
    if (v.side == Side::entered || !is_passed(v.index)) entered_from_[v.index] = from;
    const auto growth = static_cast<uint64_t>(new_label - label(v));
    queue.push(growth << 32 | static_cast<uint64_t>(v.index) << 1 | (v.side == Side::entered));
  }

  void search_again() {
    Queue queue;
    for (const Vertex& v : cut_list_) tentative(v) = kFar;
    for (const Vertex& v : cut_list_) offer_from_outside(queue, v);
    while (!queue.empty()) {
      const uint64_t key = queue.top();
      queue.pop();
      const Vertex v{static_cast<size_t>((key & 0xffffffffu) >> 1), key & 1 ? Side::entered : Side::left};
      if (!is_cut(v) || int64_t{tentative(v)} - label(v) != static_cast<int64_t>(key >> 32)) continue;
      settle(v, tentative(v));
      offer_onward(queue, v);
    }
    // What cannot be reached now never will be: later paths only touch what can.
    for (const Vertex& v : cut_list_)
      if (is_cut(v)) settle(v, kFar);
  }

  void settle(Vertex v, int32_t new_label) {
    (v.side == Side::left ? left_[v.index] : passed(slot_[v.index]).entered) = new_label;
    cut_[v.index] &= static_cast<uint8_t>(v.side == Side::left ? ~1 : ~2);
  }

  // The best way into v from what was not cut off.
  void offer_from_outside(Queue& queue, Vertex v) {
    const int32_t slot = slot_[v.index];
    if (slot != kNone && v.side == Side::left) {
      const int32_t next = passed(slot).next;
      if (next == kNone) return;
      const Vertex from{passed(next).index, Side::entered};
      if (!is_cut(from)) offer(queue, v, label(from), 0);
      return;
    }
    const int32_t cost = slot == kNone ? grid_.cost[v.index] : 0;
    const int32_t taken = slot == kNone ? kNone : passed(slot).previous;
    int64_t smallest = kFar;
    uint8_t from = 0;
    if (may_start(v.index) && (slot == kNone || taken != kNone))
      smallest = grid_.entry_cost, from = kFromSource;
    for_window(v.index, -1, [&](size_t before, uint8_t place) {
      if (left_[before] >= smallest || (cut_[before] & 1)) return;
      if (slot_[before] != kNone && slot_[before] == taken) return;
      smallest = left_[before], from = place;
    });
    if (smallest < kFar) offer(queue, v, smallest + cost, from);
    if (slot != kNone && !(cut_[v.index] & 1) && left_[v.index] < kFar)
      offer(queue, v, int64_t{left_[v.index]} - grid_.cost[v.index], kFromLeft);
  }

  void offer_onward(Queue& queue, Vertex v) {
    const int32_t slot = slot_[v.index];
    if (v.side == Side::entered) {
      const int32_t previous = passed(slot).previous;
      if (previous == kNone) return;
      const Vertex to{passed(previous).index, Side::left};
      if (is_cut(to)) offer(queue, to, label(v), 0);
      return;
    }
    if (slot != kNone && is_cut({v.index, Side::entered}))
      offer(queue, {v.index, Side::entered}, int64_t{label(v)} - grid_.cost[v.index], kFromLeft);
    for_window(v.index, 1, [&](size_t to, uint8_t place) {
      if (!cut_[to]) return;
      const Vertex entry = entry_of(to);
      if (!is_cut(entry)) return;
      if (entry.side == Side::entered && slot != kNone && passed(slot_[to]).previous == slot) return;
      offer(queue, entry, int64_t{label(v)} + (entry.side == Side::left ? grid_.cost[to] : 0),
            seen_from(place));
    });
  }

  GridPath path_from(int32_t start) const {
    GridPath path;
    path.first_frame = static_cast<int>(passed(start).index / cells_);
    for (int32_t slot = start; slot != kNone; slot = passed(slot).next)
      path.cells.push_back(static_cast<int32_t>(passed(slot).index % cells_));
    return path;
  }

  const SpaceTimeGrid& grid_;
  const size_t cells_;
  const int width_;                    // of the window
  std::vector<int32_t> left_;          // labels on leaving a cell
  std::vector<uint8_t> entered_from_;  // the tree
  std::vector<int32_t> slot_;          // kNone, or the cell's place in passed_
  std::vector<uint8_t> cut_;           // 1: left, 2: entered is cut off from the tree
  std::vector<int32_t> tentative_;
  std::vector<size_t> entrances_;  // cells
  std::vector<Passed> passed_;
  std::vector<int32_t> starts_;  // slots of the paths' first cells
  std::vector<Vertex> cut_list_;
};

Status check(const SpaceTimeGrid& grid) {
  constexpr const char* kWhere = "space-time grid";
  if (grid.frames < 1 || grid.nx < 1 || grid.ny < 1 || grid.reach < 0 || grid.reach > kLargestReach)
    return fail(ErrorKind::invalid_argument,
                "no frames, no cells, or a reach outside 0 to " + std::to_string(kLargestReach) + " cells",
                kWhere);
  const int64_t cells = int64_t{grid.nx} * grid.ny, nodes = cells * grid.frames;
  if (nodes > std::numeric_limits<int32_t>::max() || grid.cost.size() != static_cast<size_t>(nodes) ||
      grid.entrances.size() != static_cast<size_t>(cells))
    return fail(ErrorKind::invalid_argument,
                std::to_string(grid.cost.size()) + " costs and " + std::to_string(grid.entrances.size()) +
                    " entrances do not fit " + std::to_string(grid.frames) + " frames of " +
                    std::to_string(grid.nx) + " x " + std::to_string(grid.ny) +
                    " cells, or there are more than 2^31 of them",
                kWhere);
  int64_t largest = std::max(std::abs(int64_t{grid.entry_cost}), std::abs(int64_t{grid.exit_cost}));
  for (const int32_t cost : grid.cost) largest = std::max(largest, std::abs(int64_t{cost}));
  if (largest * grid.frames > kLargestSum)
    return fail(ErrorKind::invalid_argument,
                "costs up to " + std::to_string(largest) + " over " + std::to_string(grid.frames) +
                    " frames are too large",
                kWhere, "Quantise more coarsely or take shorter windows");
  return {};
}

}  // namespace

int64_t grid_paths_bytes(const SpaceTimeGrid& grid) {
  constexpr int64_t kPerCell = 3 * sizeof(int32_t) + 2 * sizeof(uint8_t) + sizeof(Vertex);
  return int64_t{grid.frames} * grid.nx * grid.ny * kPerCell;
}

Result<GridPaths> cheapest_grid_paths(const SpaceTimeGrid& grid) {
  VANTAGE_TRY(check(grid));
  return GridSolver(grid).solve();
}

Result<int64_t> cheapest_single_path_cost(const SpaceTimeGrid& grid) {
  VANTAGE_TRY(check(grid));
  return GridSolver(grid).cheapest_end().first;
}

}  // namespace vantage
