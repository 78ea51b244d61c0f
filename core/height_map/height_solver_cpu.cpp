#include <tbb/parallel_for.h>

#include <cmath>
#include <memory>
#include <new>
#include <numeric>

#include "core/algorithms.h"
#include "core/height_map/detail/belief_grid.h"
#include "core/height_map/height_map.h"
#include "core/height_map/pixel_belief.h"

namespace vantage {
namespace {

using height_map::BeliefGrid;
using height_map::BeliefStep;

class HeightSolverCpu final : public HeightSolver {
 public:
  HeightSolverCpu(Arguments arguments, TraceRecorder* trace)
      : arguments_(std::move(arguments)), trace_(trace) {}

  void set_parameters(const HeightMapParameters& parameters) override { parameters_ = parameters; }

  Result<HeightMap> solve(const CostVolume& costs, const HeightSolveRequest& request,
                          int64_t frame) override {
    VANTAGE_TRY(height_map::check(arguments_, costs, parameters_, {}));
    VANTAGE_TRY(height_map::check_memory(arguments_.width, arguments_.height, parameters_, Device::cpu));
    const SpanGuard span(trace_, "height_map", "cpu height map", frame);
    try {
      prepare(request.warm_start);
      load_costs(costs);
      return iterate(costs, request, frame);
    } catch (const std::bad_alloc&) {
      grid_.reset();
      return fail(ErrorKind::out_of_memory, "not enough memory for a height map");
    }
  }

  Result<PixelBelief> belief_of(int x, int y) override {
    if (!grid_) return fail(ErrorKind::invalid_argument, "nothing has been solved yet", "height map");
    height_map::PixelReader reader{arguments_.width, arguments_.height, -1, {}};
    if (!grid_->both_directions()) reader.sent_last = ahead_ ? next_color_ : 1 - next_color_;
    reader.read = [this](int px, int py) { return slots_of(px, py); };
    return height_map::belief_of(reader, arguments_.shifts, parameters_, x, y);
  }

 private:
  height_map::PixelSlots slots_of(int x, int y) const {
    const auto line = [this](const float* at) {
      std::vector<float> values;
      for (int k = 0; k < grid_->labels(); ++k) values.push_back(at[static_cast<size_t>(k) * grid_->pitch]);
      return values;
    };
    const int color = (x + y) & 1;
    height_map::PixelSlots slots{line(grid_->costs(color, y) + x / 2), {}, {}};
    for (int d = 0; d < height_map::kDirections; ++d) {
      const int qx = x + (d == height_map::kLeft ? -1 : d == height_map::kRight ? 1 : 0);
      const int qy = y + (d == height_map::kUp ? -1 : d == height_map::kDown ? 1 : 0);
      if (qx < 0 || qy < 0 || qx >= grid_->width || qy >= grid_->height) continue;
      slots.messages[d] = line(color == height_map::kEven
                                   ? grid_->slots(height_map::kOdd, y, d) + x / 2
                                   : grid_->slots(height_map::kEven, qy, height_map::kOpposite[d]) + qx / 2);
    }
    return slots;
  }

  void prepare(bool warm_start) {
    const bool both = parameters_.damping > 0;
    if (grid_ && grid_->heights == parameters_.heights && grid_->both_directions() == both) {
      if (!warm_start) grid_->clear_messages();
    } else {
      grid_.reset();
      grid_ = std::make_unique<BeliefGrid>(arguments_.width, arguments_.height, parameters_.heights, both);
      load_shifts();
    }
    if (!warm_start)
      next_color_ = height_map::kEven;
    else if (ahead_)
      next_color_ = 1 - next_color_;
    ahead_ = false;
  }

  void load_shifts() {
    const auto right = arguments_.shifts.right.view<float>(), down = arguments_.shifts.down.view<float>();
    for (int y = 0; y < grid_->height; ++y)
      for (int x = y & 1; x < grid_->width; x += 2) {
        const int i = x / 2;
        if (x > 0) grid_->shifts(y, height_map::kLeft)[i] = -right.at(x - 1, y);
        if (x + 1 < grid_->width) grid_->shifts(y, height_map::kRight)[i] = right.at(x, y);
        if (y > 0) grid_->shifts(y, height_map::kUp)[i] = -down.at(x, y - 1);
        if (y + 1 < grid_->height) grid_->shifts(y, height_map::kDown)[i] = down.at(x, y);
      }
  }

  void load_costs(const CostVolume& costs) {
    const ImageView<const float> from = costs.costs.view<float>();
    tbb::parallel_for(0, grid_->height, [&](int y) {
      for (int color = 0; color < 2; ++color) {
        float* const to = grid_->costs(color, y);
        for (int label = 0; label < grid_->labels(); ++label) {
          const float* const line = from.row(label * grid_->height + y);
          float* out = to + static_cast<size_t>(label) * grid_->pitch;
          for (int x = BeliefGrid::first_x(color, y); x < grid_->width; x += 2) *out++ = line[x];
        }
      }
    });
  }

  Result<HeightMap> iterate(const CostVolume& costs, const HeightSolveRequest& request, int64_t frame) {
    HeightMap map{arguments_.width, arguments_.height, frame, parameters_.labels(), {}, {}, {}, false};
    Image last;
    int done = 0;
    while (true) {
      const int target = std::min(parameters_.iterations, done + parameters_.check_every);
      for (; done < target; ++done) iterate_once();
      const bool at_end = done >= parameters_.iterations;
      VANTAGE_TRY(look(costs, done, last, map));
      last = map.labels;
      map.settled =
          !at_end && parameters_.settled_share > 0 && map.checks.size() > 1 &&
          static_cast<double>(map.checks.back().changed) < parameters_.settled_share * map.width * map.height;
      if (at_end || map.settled || (request.on_check && !request.on_check(map))) return map;
    }
  }

  // One iteration; a look has done it already.
  void iterate_once() {
    if (!ahead_) send();
    ahead_ = false;
    next_color_ = 1 - next_color_;
  }

  void send() {
    const BeliefStep step = step_of(next_color_);
    const SpanGuard span(trace_, "send_messages", "cpu height map", -1, -1, SpanKind::kernel);
    tbb::parallel_for(0, grid_->height, [&](int y) { send_row(step, y); });
  }

  BeliefStep step_of(int color) const {
    return {grid_.get(),
            color,
            static_cast<float>(parameters_.lambda * parameters_.step_m),
            static_cast<float>(parameters_.lambda * parameters_.no_head_jump_m),
            static_cast<float>(parameters_.damping),
            parameters_.method == MessageMethod::published};
  }

  // Labels, what changed, energy. Half of the pixels have their beliefs, the others' need the closing
  // half-step, which is the next iteration.
  Status look(const CostVolume& costs, int iteration, const Image& last, HeightMap& map) {
    VANTAGE_ASSIGN(map.labels, Image::make(ImageType::u8, map.width, map.height, HostPool::shared()));
    VANTAGE_ASSIGN(map.unsettled, Image::make(ImageType::u8, map.width, map.height, HostPool::shared()));
    const ImageView<uint8_t> labels = map.labels.writable_view<uint8_t>();
    const ImageView<uint8_t> unsettled = map.unsettled.writable_view<uint8_t>();
    label(next_color_, labels);
    send();
    ahead_ = true;
    label(1 - next_color_, labels);
    std::vector<int64_t> changed(static_cast<size_t>(map.height));
    tbb::parallel_for(0, map.height, [&](int y) {
      const uint8_t* const before = last ? last.view<uint8_t>().row(y) : nullptr;
      for (int x = 0; x < map.width; ++x) {
        const bool differs = !before || before[x] != labels.at(x, y);
        unsettled.at(x, y) = differs ? 255 : 0;
        changed[y] += differs;
      }
    });
    map.checks.push_back(
        {iteration, energy(costs, labels), std::accumulate(changed.begin(), changed.end(), int64_t{0})});
    return {};
  }

  void label(int color, ImageView<uint8_t> labels) {
    tbb::parallel_for(0, grid_->height, [&](int y) { label_row(*grid_, color, y, labels.row(y)); });
  }

  double energy(const CostVolume& costs, ImageView<const uint8_t> labels) const {
    const ImageView<const float> cost = costs.costs.view<float>();
    const auto right = arguments_.shifts.right.view<float>(), down = arguments_.shifts.down.view<float>();
    const double step = parameters_.lambda * parameters_.step_m;
    const double jump = parameters_.lambda * parameters_.no_head_jump_m;
    const int none = parameters_.heights, width = arguments_.width, height = arguments_.height;
    const auto edge = [&](int a, int b, float shift) {
      if (a == none || b == none) return a == b ? 0.0 : jump;
      return step * std::abs(a - b - static_cast<double>(shift));
    };
    std::vector<double> sums(static_cast<size_t>(height));
    tbb::parallel_for(0, height, [&](int y) {
      double sum = 0;
      for (int x = 0; x < width; ++x) {
        const int here = labels.at(x, y);
        sum += static_cast<double>(cost.at(x, here * height + y));
        if (x + 1 < width) sum += edge(here, labels.at(x + 1, y), right.at(x, y));
        if (y + 1 < height) sum += edge(here, labels.at(x, y + 1), down.at(x, y));
      }
      sums[y] = sum;
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
  }

  const Arguments arguments_;
  TraceRecorder* const trace_;
  HeightMapParameters parameters_;
  std::unique_ptr<BeliefGrid> grid_;
  int next_color_ = height_map::kEven;  // sends next
  bool ahead_ = false;                  // it has sent already
};

}  // namespace

void register_height_solver_cpu(BackendRegistry& registry) {
  registry.add<HeightSolver>(
      Device::cpu,
      [](const BackendContext& context,
         const HeightSolver::Arguments& arguments) -> Result<std::unique_ptr<HeightSolver>> {
        VANTAGE_TRY(height_map::check(arguments));
        return std::make_unique<HeightSolverCpu>(arguments, context.trace);
      });
}

}  // namespace vantage
