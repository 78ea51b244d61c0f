#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <vector>

#include "core/algorithms.h"
#include "core/optical_flow/detail/flow_kernels.h"
#include "core/optical_flow/flow_confidence.h"
#include "core/optical_flow/flow_plan.h"
#include "core/optical_flow/optical_flow.h"

namespace vantage::flow {

AlignedFloats::AlignedFloats(size_t count) {
  const size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
  data_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
  if (!data_) throw std::bad_alloc();
  std::memset(data_.get(), 0, bytes);
}

namespace {

// Several iterations on one tile of a level, row by row. While row y goes through iteration t, row y - t *
// radius of the next iterations follows in the same pass, so that a tile's expansions are read once into the
// cache for all iterations and the flow between two iterations is never more than one line.
//
// Every iteration needs `radius` more pixels around than the next, so a tile begins with a margin that its
// neighbours compute as well; tiles are then independent of each other.

// dx, dy pairs: lines of 2 * width floats, zero at first.
class FlowRows {
 public:
  FlowRows() = default;
  FlowRows(int width, int height) : width_(width), rows_(2 * width, height, 1) {}
  int width() const { return width_; }
  int height() const { return rows_.height(); }
  float* row(int y) { return rows_.row(y); }
  const float* row(int y) const { return rows_.row(y); }

 private:
  int width_ = 0;
  Rows rows_;
};

struct Tile {
  Columns columns;
  int begin_row = 0, end_row = 0;
};

// How a level is cut up. Depends on the level only, not on the number of threads: so does the result's last
// bit.
struct TilePlan {
  int width = 0, height = 0, across = 1, down = 1;
  int iterations = 1;  // at most, in one pass
  static TilePlan make(int width, int height, int radius);
  int count() const { return across * down; }
  Tile tile(int index) const;
};

struct TileArguments {
  const Rows& earlier;
  const Rows& later;
  const WindowWeights& window;
  const std::vector<float>& border_x;  // squared axis weights
  const std::vector<float>& border_y;
  const FlowRows& from;
  FlowRows& to;
};

// Floats of the calling thread to work in; kept from call to call.
float* scratch(size_t floats);

constexpr int kTileWidth = 384, kTileHeight = 240;  // the expansions and sums in flight stay in about 1 MB
constexpr int kMargin = 24;                         // px around a tile that iterating several times may cost
constexpr int kRowsAStep = 2;                       // that an iteration goes on by before the next follows
constexpr int kVector = 16;                         // the widest vector; column ranges are rounded to it

int round_down(int x) {
  return x / kVector * kVector;
}
int round_up(int x) {
  return (x + kVector - 1) / kVector * kVector;
}

// The range that iteration t reads and makes. Iteration t's result is needed `radius` px further out than
// iteration t + 1's.
class TileRanges {
 public:
  TileRanges(const Tile& tile, int width, int height, int iterations, int radius)
      : tile_(tile), width_(width), height_(height), iterations_(iterations), radius_(radius) {}
  // Columns of the flow that iteration t starts from, and of its equations; t == iterations: the result.
  Columns columns(int t) const {
    const int margin = (iterations_ - t) * radius_;
    return {round_down(std::max(0, tile_.columns.begin - margin)),
            std::min(width_, round_up(tile_.columns.end + margin))};
  }
  bool has_row(int t, int y) const {
    const int margin = (iterations_ - t) * radius_;
    return y >= std::max(0, tile_.begin_row - margin) && y < std::min(height_, tile_.end_row + margin);
  }
  int first_row() const { return std::max(0, tile_.begin_row - iterations_ * radius_); }
  int end_row() const { return tile_.end_row + iterations_ * radius_; }

 private:
  Tile tile_;
  int width_, height_, iterations_, radius_;
};

// The scratch memory of one tile: a line of equations, a line of flow, and per iteration a ring of window
// sums.
struct TileMemory {
  size_t pitch;
  int ring_rows;
  float *equations, *flows, *rings;
  TileMemory(int columns, int iterations, int radius)
      : pitch(static_cast<size_t>(round_up(columns) + 2 * kRowPadding)), ring_rows(2 * radius + kRowsAStep) {
    const size_t line = pitch * kChannels;
    const size_t ring = line * static_cast<size_t>(ring_rows) * static_cast<size_t>(iterations);
    equations = scratch(line + 2 * pitch * kRowsAStep + ring) + kRowPadding;
    flows = equations + line;
    rings = flows + 2 * pitch * kRowsAStep;
  }
  // Between an iteration and the next.
  float* flow(int row) const { return flows + 2 * pitch * static_cast<size_t>(row % kRowsAStep); }
  float* sums(int iteration, int y) const {
    return rings + (static_cast<size_t>(iteration) * static_cast<size_t>(ring_rows) +
                    static_cast<size_t>(y % ring_rows)) *
                       kChannels * pitch;
  }
};

float* scratch(size_t floats) {
  static thread_local size_t size = 0;
  static thread_local AlignedFloats values;
  if (size < floats) {
    size = 0;
    values = AlignedFloats(floats);
    size = floats;
  }
  return values.data();
}

TilePlan TilePlan::make(int width, int height, int radius) {
  TilePlan plan{width, height, 1, 1, std::max(1, kMargin / radius)};
  plan.across = (width + kTileWidth - 1) / kTileWidth;
  plan.down = (height + kTileHeight - 1) / kTileHeight;
  // Two threads should have work on small levels, too.
  if (plan.count() == 1 && height >= kTileHeight / 2) plan.down = 2;
  return plan;
}

Tile TilePlan::tile(int index) const {
  const int i = index % across, j = index / across;
  const auto column = [&](int n) { return n == across ? width : round_down(width * n / across); };
  return {{column(i), column(i + 1)}, height * j / down, height * (j + 1) / down};
}

void iterate_tile(const TileArguments& a, const Tile& tile, int iterations) {
  const int height = a.earlier.height(), radius = a.window.radius;
  const TileRanges ranges(tile, a.earlier.width(), height, iterations, radius);
  const TileMemory memory(ranges.columns(0).count(), iterations, radius);
  for (int step = ranges.first_row(); step < ranges.end_row(); step += kRowsAStep)
    for (int t = 0; t < iterations; ++t) {
      const Columns in = ranges.columns(t), out = ranges.columns(t + 1);
      const int begin = step - t * radius;
      for (int row = begin; row < begin + kRowsAStep; ++row) {
        if (!ranges.has_row(t, row)) continue;
        const float* flow = t == 0 ? a.from.row(row) + 2 * in.begin : memory.flow(row);
        equations_row(a.earlier, a.later, row, in, flow, a.border_x.data(), a.border_y[row], memory.equations,
                      memory.pitch);
        window_row(memory.equations, memory.pitch, in, out, a.window, memory.sums(t, row));
      }
      // Whole vectors fit: a tile ends on a multiple of them, or in the row's padding.
      const float* lines[2 * WindowWeights::kMaxRadius + kRowsAStep];
      float* flow[kRowsAStep];
      int rows = 0;
      for (int solved = begin - radius; solved < begin - radius + kRowsAStep; ++solved) {
        if (!ranges.has_row(t + 1, solved)) continue;
        if (rows == 0)
          for (int i = 0; i < 2 * radius + kRowsAStep; ++i)
            lines[i] = memory.sums(t, std::clamp(solved - radius + i, 0, height - 1));
        flow[rows++] = t + 1 == iterations ? a.to.row(solved) + 2 * out.begin : memory.flow(solved);
      }
      if (rows > 0) solve_rows(lines, memory.pitch, out.count(), a.window, flow, rows);
    }
}

// The CPU's way from two pictures to a flow, in single precision: expansions of all levels, then coarse to
// fine. Threads by oneTBB; every value is computed the same way whatever their number.

// One picture's polynomial expansion at every level.
using PictureExpansion = std::vector<Rows>;

class FlowSolver {
 public:
  explicit FlowSolver(FlowPlan plan);
  const FlowPlan& plan() const { return plan_; }
  // Fills `out`, reusing its memory where it fits.
  void expand(ImageView<const uint8_t> picture, PictureExpansion& out);
  // initial: full size, or null for zero. The result stays valid until the next call.
  const FlowRows& solve(const PictureExpansion& earlier, const PictureExpansion& later,
                        const FlowRows* initial);

 private:
  struct Level {
    FlowRows flow[2];             // written in turns
    std::vector<float> border_x;  // squared axis weights, padded to whole vectors
    std::vector<float> border_y;
  };
  void start_from(const FlowRows* initial, FlowRows& coarsest);
  void start_from_coarser(size_t k, const FlowRows& coarser);
  // Runs all iterations; returns which of the level's two flows holds the result.
  size_t iterate(size_t k, const Rows& earlier, const Rows& later);

  FlowPlan plan_;
  std::vector<Level> levels_;
  std::vector<Rows> pictures_;  // level images
};

constexpr int kRowsPerTask = 8;

template <typename Body>
void for_rows(int height, const Body& body) {
  const int tasks = (height + kRowsPerTask - 1) / kRowsPerTask;
  tbb::parallel_for(0, tasks, [&](int task) {
    const int end = std::min(height, (task + 1) * kRowsPerTask);
    for (int y = task * kRowsPerTask; y < end; ++y) body(y);
  });
}

std::vector<float> squared_axis_weights(int size) {
  std::vector<float> weights(static_cast<size_t>((size + 15) / 16 * 16), 0.0f);
  for (int i = 0; i < size; ++i) {
    const float weight = FlowPlan::axis_weight(i, size);
    weights[i] = weight * weight;
  }
  return weights;
}

void resample_flow(const FlowRows& from, const ResampleAxis& x, const ResampleAxis& y, float gain,
                   FlowRows& to) {
  std::vector<const float*> rows(static_cast<size_t>(from.height()));
  for (int i = 0; i < from.height(); ++i) rows[i] = from.row(i);
  for_rows(to.height(), [&](int row) {
    resample_flow_row(rows.data(), from.width(), x, y, row, gain,
                      scratch(2 * static_cast<size_t>(from.width() + 16)), to.row(row));
  });
}

FlowSolver::FlowSolver(FlowPlan plan) : plan_(std::move(plan)) {
  for (const FlowLevel& level : plan_.levels) {
    levels_.push_back({{FlowRows(level.width, level.height), FlowRows(level.width, level.height)},
                       squared_axis_weights(level.width),
                       squared_axis_weights(level.height)});
    pictures_.emplace_back(level.width, level.height, 1);
  }
}

void FlowSolver::expand(ImageView<const uint8_t> picture, PictureExpansion& out) {
  if (out.size() != plan_.levels.size()) {
    out.clear();
    for (const FlowLevel& level : plan_.levels) out.emplace_back(level.width, level.height, kChannels);
  }
  for (size_t k = 0; k < plan_.levels.size(); ++k) {
    const FlowLevel& level = plan_.levels[k];
    Rows& image = pictures_[k];
    for_rows(level.height, [&](int row) {
      resample_picture_row(picture, level.image_x, level.image_y, row,
                           scratch(static_cast<size_t>(picture.width) + 16), image.row(row));
    });
    for_rows(level.height, [&](int row) {
      expand_row(image, row, plan_.polynomial, scratch(3 * image.pitch()) + kRowPadding, out[k]);
    });
  }
}

const FlowRows& FlowSolver::solve(const PictureExpansion& earlier, const PictureExpansion& later,
                                  const FlowRows* initial) {
  const FlowRows* coarser = nullptr;
  for (size_t k = plan_.levels.size(); k-- > 0;) {
    if (coarser)
      start_from_coarser(k, *coarser);
    else
      start_from(initial, levels_[k].flow[0]);
    coarser = &levels_[k].flow[iterate(k, earlier[k], later[k])];
  }
  return *coarser;
}

void FlowSolver::start_from(const FlowRows* initial, FlowRows& coarsest) {
  if (!initial) {
    coarsest = FlowRows(coarsest.width(), coarsest.height());
    return;
  }
  resample_flow(*initial, plan_.initial_x, plan_.initial_y, static_cast<float>(plan_.levels.back().scale),
                coarsest);
}

void FlowSolver::start_from_coarser(size_t k, const FlowRows& coarser) {
  const FlowLevel& level = plan_.levels[k];
  resample_flow(coarser, level.coarse_x, level.coarse_y, static_cast<float>(1 / plan_.pyramid_scale),
                levels_[k].flow[0]);
}

size_t FlowSolver::iterate(size_t k, const Rows& earlier, const Rows& later) {
  Level& level = levels_[k];
  const TilePlan tiles = TilePlan::make(earlier.width(), earlier.height(), plan_.window.radius);
  size_t from = 0;
  for (int done = 0; done < plan_.iterations; done += tiles.iterations, from = 1 - from) {
    const int iterations = std::min(tiles.iterations, plan_.iterations - done);
    tbb::parallel_for(0, tiles.count(), [&](int tile) {
      const TileArguments arguments{earlier,
                                    later,
                                    plan_.window,
                                    level.border_x,
                                    level.border_y,
                                    level.flow[from],
                                    level.flow[1 - from]};
      iterate_tile(arguments, tiles.tile(tile), iterations);
    });
  }
  return from;
}

}  // namespace

}  // namespace vantage::flow

namespace vantage {
namespace {

using flow::FlowRows;
using flow::FlowSolver;
using flow::PictureExpansion;

class CpuOpticalFlow final : public OpticalFlow {
 public:
  CpuOpticalFlow(TraceRecorder* trace, int camera) : trace_(trace), camera_(camera) {}

  void set_parameters(const OpticalFlowParameters& parameters) override {
    parameters_ = parameters;
    solver_.reset();
  }

  void reset() override { state_ = {}; }
  FlowState save() const override { return state_; }
  void restore(const FlowState& state) override {
    state_ = state;
    last_is_expanded_ = false;
  }

  Result<FlowField> next(const FlowInput& picture, const FlowRequest& request, int64_t frame) override {
    VANTAGE_TRY(flow::check_step(picture, state_.last, request, {}, camera_));
    const SpanGuard span(trace_, "optical flow", "cpu optical flow", frame, camera_);
    try {
      Result<FlowField> field = step(picture, request, frame);
      if (!field) return field;
      state_ = {picture, *field};
      return field;
    } catch (const std::bad_alloc&) {
      solver_.reset();
      return fail(ErrorKind::out_of_memory, "not enough memory for optical flow");
    }
  }

 private:
  Result<FlowField> step(const FlowInput& picture, const FlowRequest& request, int64_t frame) {
    prepare(picture.plane.width, picture.plane.height);
    if (!state_.last.buffer) {
      solver_->expand(picture.plane, last_);
      last_is_expanded_ = true;
      return FlowField{};
    }
    if (!last_is_expanded_) solver_->expand(state_.last.plane, last_);
    solver_->expand(picture.plane, next_);
    const FlowField& initial = request.initial           ? request.initial
                               : request.start_from_last ? state_.last_flow
                                                         : FlowField{};
    Result<FlowField> field = estimate(request, initial, frame);
    std::swap(last_, next_);
    last_is_expanded_ = field.has_value();
    return field;
  }

  // The plan depends on size and parameters; a new one makes the last picture's expansion worthless.
  void prepare(int width, int height) {
    if (solver_ && solver_->plan().width == width && solver_->plan().height == height) return;
    solver_ = std::make_unique<FlowSolver>(FlowPlan::make(width, height, parameters_));
    last_.clear();
    next_.clear();
    last_is_expanded_ = false;
  }

  Result<FlowField> estimate(const FlowRequest& request, const FlowField& initial, int64_t frame) {
    const int width = solver_->plan().width, height = solver_->plan().height;
    const FlowRows start = initial ? known_vectors(initial) : FlowRows();
    const FlowRows& solved = solver_->solve(last_, next_, initial ? &start : nullptr);
    FlowField field{width, height, frame, {}, {}};
    VANTAGE_ASSIGN(field.vectors, Image::make(ImageType::f32, 2 * width, height, HostPool::shared()));
    const ImageView<float> vectors = field.vectors.writable_view<float>();
    tbb::parallel_for(0, height, [&](int y) {
      std::copy_n(solved.row(y), 2 * static_cast<size_t>(width), vectors.row(y));
    });
    if (request.confidence) VANTAGE_TRY(add_confidence(field));
    if (request.mask) mask_flow(vectors, request.mask.view<uint8_t>());
    return field;
  }

  Status add_confidence(FlowField& field) {
    const FlowRows& back = solver_->solve(next_, last_, nullptr);
    VANTAGE_ASSIGN(field.confidence,
                   Image::make(ImageType::u8, field.width, field.height, HostPool::shared()));
    const ImageView<uint8_t> out = field.confidence.writable_view<uint8_t>();
    const ImageView<const float> forth = field.vectors.view<float>();
    tbb::parallel_for(0, field.height, [&](int y) {
      for (int x = 0; x < field.width; ++x)
        out.at(x, y) = flow_confidence(forth.at(2 * x, y), forth.at(2 * x + 1, y), x, y, field.width,
                                       field.height, [&](int at_x, int at_y) {
                                         const float* b = back.row(at_y) + 2 * at_x;
                                         return FlowVector{b[0], b[1]};
                                       });
    });
    return {};
  }

  static FlowRows known_vectors(const FlowField& field) {
    FlowRows rows(field.width, field.height);
    const ImageView<const float> from = field.vectors.view<float>();
    for (int y = 0; y < field.height; ++y)
      for (int i = 0; i < 2 * field.width; ++i) {
        const float value = from.at(i, y);
        rows.row(y)[i] = is_known_flow(value) ? value : 0.0f;
      }
    return rows;
  }

  static void mask_flow(ImageView<float> vectors, ImageView<const uint8_t> mask) {
    for (int y = 0; y < mask.height; ++y)
      for (int x = 0; x < mask.width; ++x)
        if (mask.at(x, y) == 0) vectors.at(2 * x, y) = vectors.at(2 * x + 1, y) = kUnknownFlow;
  }

  TraceRecorder* trace_;
  int camera_;
  OpticalFlowParameters parameters_;
  std::unique_ptr<FlowSolver> solver_;
  PictureExpansion last_, next_;
  bool last_is_expanded_ = false;
  FlowState state_;
};

}  // namespace

void register_optical_flow_cpu(BackendRegistry& registry) {
  registry.add<OpticalFlow>(
      Device::cpu,
      [](const BackendContext& context,
         const OpticalFlow::Arguments& arguments) -> Result<std::unique_ptr<OpticalFlow>> {
        return std::make_unique<CpuOpticalFlow>(context.trace, arguments.camera);
      });
}

}  // namespace vantage
