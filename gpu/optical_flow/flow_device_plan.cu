#include "gpu/optical_flow/flow_device_plan.h"

#include <algorithm>
#include <cstring>

#include "gpu/optical_flow/flow_equations.cuh"
#include "gpu/optical_flow/flow_iterate.cuh"
#include "gpu/runtime/launch_shapes.h"

namespace vantage::gpu {
namespace {

constexpr size_t kAlignment = 256;
// Below this a level does not fill the device with large tiles. With wide windows fewer, longer launches with
// a wider margin are quicker there, with narrow ones lower tiles.
constexpr int64_t kSmallLevelPixels = 150'000;
constexpr int64_t kLargeLevelPixels = 600'000;
constexpr int kSmallMargin = 10;  // px that several iterations in one launch may cost around a small core

using IterateKernel = void (*)(IterateArguments);

// Windows with a kernel of their own: those of the published parameters.
IterateKernel iterate_kernel(int radius) {
  switch (radius) {
    case 2:
      return flow_iterate<2>;
    case 6:
      return flow_iterate<6>;
    case 7:
      return flow_iterate<7>;
    case 10:
      return flow_iterate<10>;
    default:
      return flow_iterate<0>;
  }
}

template <int kCoreRows>
IterateLaunch narrow_launch() {
  constexpr int kRadius = 2;
  using T = NarrowTile<kRadius, kCoreRows>;
  return {"flow_iterate_narrow",
          flow_iterate_narrow<kRadius, kCoreRows>,
          T::kCoreWidth,
          kCoreRows,
          1,
          T::kThreads,
          0};
}

// For windows of radius 2. Smaller levels take lower tiles, so that every multiprocessor has some.
IterateLaunch narrow_launch(int64_t pixels) {
  if (pixels < kSmallLevelPixels) return narrow_launch<4>();
  return pixels < kLargeLevelPixels ? narrow_launch<8>() : narrow_launch<12>();
}

size_t aligned(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

Status allow_flow_shared_memory(Context& context, size_t bytes) {
  for (const int radius : {2, 6, 7, 10, 0})
    VANTAGE_TRY(allow_shared_memory(context, iterate_kernel(radius), bytes));
  return {};
}

FlowDevicePlan::FlowDevicePlan(FlowPlan plan, size_t shared_limit_bytes)
    : plan_(std::move(plan)), levels_(plan_.levels.size()) {
  core_ = choose_core(shared_limit_bytes, kSmallLevelPixels);
  small_core_ = choose_core(shared_limit_bytes, 0);
  lay_out(
      [this](const ResampleAxis& axis, AxisTable&) {
        const size_t index_bytes = aligned(axis.index.size() * sizeof(int32_t));
        const size_t weight_bytes = aligned(axis.weight.size() * sizeof(float));
        const size_t at = tables_.size();
        tables_.resize(at + index_bytes + weight_bytes);
        std::memcpy(tables_.data() + at, axis.index.data(), axis.index.size() * sizeof(int32_t));
        std::memcpy(tables_.data() + at + index_bytes, axis.weight.data(),
                    axis.weight.size() * sizeof(float));
      },
      [this](auto*&, size_t count) { memory_bytes_ += aligned(count * sizeof(float)); });
}

void FlowDevicePlan::place(std::byte* tables, std::byte* memory) {
  lay_out(
      [&tables](const ResampleAxis& axis, AxisTable& table) {
        table.taps = axis.taps;
        table.pitch = axis.pitch;
        table.index = reinterpret_cast<const int32_t*>(tables);
        tables += aligned(axis.index.size() * sizeof(int32_t));
        table.weight = reinterpret_cast<const float*>(tables);
        tables += aligned(axis.weight.size() * sizeof(float));
      },
      [&memory]<typename T>(T*& pointer, size_t floats) {
        pointer = reinterpret_cast<T*>(memory);
        memory += aligned(floats * sizeof(float));
      });
}

template <typename Table, typename Memory>
void FlowDevicePlan::lay_out(const Table& table, const Memory& memory) {
  for (size_t k = 0; k < levels_.size(); ++k) {
    const FlowLevel& from = plan_.levels[k];
    Level& level = levels_[k];
    table(from.image_x, level.image_x);
    table(from.image_y, level.image_y);
    table(from.coarse_x, level.coarse_x);
    table(from.coarse_y, level.coarse_y);
    const size_t pixels = static_cast<size_t>(from.width) * static_cast<size_t>(from.height);
    memory(level.columns, static_cast<size_t>(plan_.width) * static_cast<size_t>(from.height));
    memory(level.image, pixels);
    for (ExpansionView& expansion : level.expansion) {
      memory(expansion.four, 4 * pixels);
      memory(expansion.fifth, pixels);
    }
    for (auto& direction : level.flow)
      for (FlowView& flow : direction) {
        flow.pitch = static_cast<size_t>(from.width);
        memory(flow.data, 2 * pixels);
      }
  }
  table(plan_.initial_x, initial_x_);
  table(plan_.initial_y, initial_y_);
  back_.pitch = static_cast<size_t>(plan_.width);
  memory(back_.data, 2 * back_.pitch * static_cast<size_t>(plan_.height));
}

size_t FlowDevicePlan::shared_bytes(const Core& core) const {
  const size_t margin = static_cast<size_t>(2 * plan_.window.radius * core.iterations);
  const size_t pixels =
      (static_cast<size_t>(core.width) + margin) * (static_cast<size_t>(core.height) + margin);
  return pixels * sizeof(float) * (core.iterations > 1 ? 12 : 10);
}

FlowDevicePlan::Core FlowDevicePlan::choose_core(size_t shared_limit_bytes, int64_t pixels) const {
  const int radius = plan_.window.radius;
  if (pixels < kSmallLevelPixels) {
    const Core core{16, 16, std::clamp(kSmallMargin / radius, 1, plan_.iterations)};
    if (shared_bytes(core) <= shared_limit_bytes) return core;
  }
  // Wide margins want large cores, small ones more blocks at a time.
  for (const Core core : {Core{64, 32}, Core{64, 16}, Core{32, 16}, Core{16, 16}, Core{16, 8}, Core{8, 8}}) {
    if (radius <= 4 && core.height > 16) continue;
    if (shared_bytes(core) <= shared_limit_bytes) return core;
  }
  return {};
}

void FlowDevicePlan::add_expand(KernelSequence& kernels, ImageView<const uint8_t> picture, int slot) const {
  ExpandArguments a;
  a.picture = picture;
  a.polynomial = plan_.polynomial;
  a.level_count = static_cast<int>(levels_.size());
  int rows = 0, tiles = 0;
  for (size_t k = 0; k < levels_.size(); ++k) {
    const Level& level = levels_[k];
    PictureLevel& to = a.levels[k];
    to = {level.image_x, level.image_y, plan_.levels[k].width, plan_.levels[k].height, rows, tiles, 0,
          level.columns, level.image,   level.expansion[slot]};
    to.tiles_across = (to.width + kExpandTileWidth - 1) / kExpandTileWidth;
    rows += to.height;
    tiles += to.tiles_across * ((to.height + kExpandTileHeight - 1) / kExpandTileHeight);
  }
  constexpr int kThreads = 128;
  const dim3 row_grid(blocks_for(picture.width, kThreads), static_cast<unsigned>(rows));
  kernels.add("flow_resample_columns", {row_grid, dim3(kThreads)}, flow_resample_columns, a);
  kernels.add("flow_resample_rows", {row_grid, dim3(kThreads)}, flow_resample_rows, a);
  kernels.add("flow_expand", {dim3(static_cast<unsigned>(tiles)), dim3(kExpandThreads)}, flow_expand, a);
}

IterateLaunch FlowDevicePlan::launch_for(int width, int height) const {
  const int64_t pixels = int64_t{width} * height;
  if (plan_.window.radius == 2) return narrow_launch(pixels);
  const Core& core = pixels < kSmallLevelPixels ? small_core_ : core_;
  return {"flow_iterate",  iterate_kernel(plan_.window.radius),      core.width, core.height, core.iterations,
          kIterateThreads, static_cast<unsigned>(shared_bytes(core))};
}

void FlowDevicePlan::add_iterations(KernelSequence& kernels, size_t k, int directions, FlowView out,
                                    FlowView back, IterateArguments& a) const {
  const Level& level = levels_[k];
  const IterateLaunch launch = launch_for(a.width, a.height);
  a.core_width = launch.core_width, a.core_height = launch.core_height;
  const dim3 grid(blocks_for(a.width, launch.core_width), blocks_for(a.height, launch.core_height),
                  static_cast<unsigned>(directions));
  // The first follows the kernels that made what it reads.
  Order order = k + 1 == levels_.size() ? Order::after_previous : Order::dependent;
  int turn = 0;
  for (int done = 0; done < plan_.iterations; done += launch.iterations, turn = 1 - turn) {
    a.iterations = std::min(launch.iterations, plan_.iterations - done);
    const bool last = k == 0 && done + a.iterations == plan_.iterations;
    for (int d = 0; d < directions; ++d)
      a.directions[d].to = last ? (d == 0 ? out : back) : level.flow[d][turn];
    kernels.add(launch.name, {grid, dim3(launch.threads), order, launch.shared_bytes}, launch.kernel, a);
    for (int d = 0; d < directions; ++d) {
      a.directions[d].from = a.directions[d].to;
      a.directions[d].source = FlowSource::same;
    }
    order = Order::dependent;
  }
}

void FlowDevicePlan::add_solve(KernelSequence& kernels, int earlier, FlowView initial, FlowView out,
                               FlowView back) const {
  const int directions = back.data ? 2 : 1;
  FlowView last[2];  // what the next launch starts from
  for (size_t k = levels_.size(); k-- > 0;) {
    const Level& level = levels_[k];
    IterateArguments a;
    a.width = plan_.levels[k].width, a.height = plan_.levels[k].height;
    a.window = plan_.window;
    a.coarse_x = level.coarse_x, a.coarse_y = level.coarse_y;
    a.gain = static_cast<float>(1 / plan_.pyramid_scale);
    const bool coarsest = k + 1 == levels_.size();
    for (int d = 0; d < directions; ++d)
      a.directions[d] = {level.expansion[d == 0 ? earlier : 1 - earlier],
                         level.expansion[d == 0 ? 1 - earlier : earlier],
                         coarsest ? FlowSource::zero : FlowSource::coarser,
                         last[d],
                         {}};
    if (coarsest && initial.data) {
      a.directions[0].source = FlowSource::same;
      a.directions[0].from = level.flow[0][1];
      const InitialArguments start{initial,
                                   level.flow[0][1],
                                   initial_x_,
                                   initial_y_,
                                   a.width,
                                   a.height,
                                   static_cast<float>(plan_.levels[k].scale)};
      kernels.add("flow_initial", {dim3(blocks_for(a.width * a.height, 4)), dim3(128)}, flow_initial, start);
    }
    add_iterations(kernels, k, directions, out, back, a);
    for (int d = 0; d < directions; ++d) last[d] = a.directions[d].from;
  }
}

void FlowDevicePlan::add_finish(KernelSequence& kernels, const FinishArguments& arguments) const {
  constexpr int kThreads = 128;
  const dim3 grid(blocks_for(arguments.width, kThreads), static_cast<unsigned>(arguments.height));
  kernels.add("flow_finish", {grid, dim3(kThreads)}, flow_finish, arguments);
}

}  // namespace vantage::gpu
