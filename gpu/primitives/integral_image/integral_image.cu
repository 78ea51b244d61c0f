#include "gpu/primitives/integral_image/integral_image.h"

#include <algorithm>

#include "gpu/primitives/integral_image/kernel.cuh"

namespace vantage::gpu {
namespace {

using namespace integral;

template <typename Shape>
Plan plan_for(const IntegralRequest& request) {
  // The input's size; the output of nothing can be an exclusive one, whose 0 a tile writes.
  const int width = std::max(request.in.first.width, 1), height = std::max(request.in.first.height, 1);
  return plan_tiles<typename Shape::TileType>(width, height, request.count, Shape::kMaxUngrouped,
                                              Shape::kGroup, kTicketBytes);
}

// Clocks in which the device's memory delivers a tile; 0 where its rate is not known: no one then waits.
template <typename T, typename In>
int turn_clocks(const DeviceLimits& limits) {
  constexpr double kTileBytes = static_cast<double>(T::kRows * T::kColumns * sizeof(In));
  return limits.memory_bytes_per_clock > 0 ? static_cast<int>(kTileBytes / limits.memory_bytes_per_clock) : 0;
}

template <typename In, typename Out, typename Shape>
Status enqueue(Work& work, const IntegralRequest& request, void* scratch) {
  using T = typename Shape::TileType;
  const DeviceLimits& limits = work.context().limits();
  const Launch launch_of_all{plan_for<Shape>(request),
                             static_cast<unsigned char*>(scratch),
                             Shape::kBlocks * limits.multiprocessors,
                             turn_clocks<T, In>(limits),
                             aligned(request.in, request.count, sizeof(typename T::InPack)),
                             aligned(request.out, request.count, 16),
                             request.kind == IntegralKind::exclusive};
  constexpr int kSharedBytes = ElementsOf<In, Out, Shape>::kSharedBytes;
  if constexpr (kSharedBytes > 0)
    VANTAGE_TRY((allow_shared_memory(work.context(), integral_single_pass<In, Out, Shape>, kSharedBytes)));
  const LaunchGrid grid{dim3(static_cast<unsigned>(launch_of_all.plan.tiles())), dim3(T::kThreads),
                        Order::dependent, kSharedBytes};
  return launch(work, "integral_single_pass", grid, integral_single_pass<In, Out, Shape>, launch_of_all,
                source_of<In>(request), target_of<Out>(request));
}

bool same_but_addresses(const IntegralRequest& a, const IntegralRequest& b) {
  return a.in_type == b.in_type && a.out_type == b.out_type && a.kind == b.kind && a.count == b.count &&
         a.in.first.width == b.in.first.width && a.in.first.height == b.in.first.height &&
         a.out.first.width == b.out.first.width && a.out.first.height == b.out.first.height;
}

}  // namespace

size_t integral_scratch_bytes(const DeviceLimits& limits, const IntegralRequest& request) {
  if (is_empty(request)) return 0;
  return with_types(request, [&]<typename In, typename Out>() {
    return with_shape<In, Out>(limits, request,
                               [&]<typename Shape>() { return plan_for<Shape>(request).size_bytes; });
  });
}

Status enqueue_integral_image(Work& work, const IntegralRequest& request, void* scratch) {
  if (is_empty(request)) return {};
  return with_types(request, [&]<typename In, typename Out>() {
    return with_shape<In, Out>(work.context().limits(), request, [&]<typename Shape>() {
      return enqueue<In, Out, Shape>(work, request, scratch);
    });
  });
}

Status RepeatedIntegral::prepare(Context& context, const IntegralRequest& request) {
  VANTAGE_TRY(check_integral_request(request));
  if (!scratch_ || !same_but_addresses(request_, request)) {
    scratch_ = {};
    cleared_ = false;
    VANTAGE_ASSIGN(scratch_,
                   DeviceBuffer<std::byte>::take(context, integral_scratch_bytes(context.limits(), request)));
  }
  request_ = request;
  return {};
}

Status RepeatedIntegral::enqueue(Work& work) {
  if (!cleared_) VANTAGE_TRY(work.set_zero(scratch_));
  cleared_ = true;
  return enqueue_integral_image(work, request_, scratch_.data());
}

}  // namespace vantage::gpu
