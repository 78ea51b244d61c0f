// The CUDA implementation of core/height_map/height_map.h: one thread a pixel. Messages at
// rest are 32 or 16 bits wide, sums are always float; with 32 bits the labels are the CPU's, bit for bit.
#include <algorithm>
#include <memory>
#include <string>

#include "core/height_map/height_map.h"
#include "core/height_map/pixel_belief.h"
#include "gpu/algorithms.h"
#include "gpu/height_map/belief_labels.cuh"
#include "gpu/height_map/belief_layout.cuh"
#include "gpu/height_map/belief_messages.cuh"
#include "gpu/runtime/upload.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

template <typename Store>
using SendKernel = void (*)(BeliefView<Store>, int, BeliefCosts);

template <typename Store, int N>
SendKernel<Store> send_kernel_of(bool published, bool damped) {
  if (published) return damped ? send_messages<Store, N, true, true> : send_messages<Store, N, true, false>;
  return damped ? send_messages<Store, N, false, true> : send_messages<Store, N, false, false>;
}

template <typename Store>
SendKernel<Store> send_kernel(int heights, bool published, bool damped) {
  switch (height_map::stored_heights(heights)) {
    case 8:
      return send_kernel_of<Store, 8>(published, damped);
    case 16:
      return send_kernel_of<Store, 16>(published, damped);
    case 24:
      return send_kernel_of<Store, 24>(published, damped);
    case 32:
      return send_kernel_of<Store, 32>(published, damped);
    default:
      return send_kernel_of<Store, 64>(published, damped);
  }
}

constexpr size_t kMaxAhead = 16;  // looks that are enqueued and not waited for

// The shape that the working memory was made for.
struct Shape {
  int heights = 0;
  bool damped = false;
  MessagePrecision precision = MessagePrecision::fp32;
  bool operator==(const Shape&) const = default;
};

class HeightSolverCuda final : public HeightSolver {
 public:
  HeightSolverCuda(const Arguments& arguments, std::shared_ptr<Context> context,
                   std::unique_ptr<Stream> stream)
      : width_(arguments.width),
        height_(arguments.height),
        half_((arguments.width + 1) / 2),
        host_shifts_(arguments.shifts),
        context_(std::move(context)),
        stream_(std::move(stream)) {}

  // Brings the shifts to the device and lays them out.
  Status prepare(const EdgeShifts& shifts) {
    VANTAGE_ASSIGN(packed_shifts_, DeviceBuffer<float>::take(*context_, 4 * static_cast<size_t>(count())));
    VANTAGE_ASSIGN(row_checks_, DeviceBuffer<RowCheck>::take(*context_, static_cast<size_t>(height_)));
    VANTAGE_ASSIGN(shifts_.right, upload(*stream_, shifts.right));
    VANTAGE_ASSIGN(shifts_.down, upload(*stream_, shifts.down));
    return context_->run([&]() -> Status {
      Work work(*stream_, {});
      VANTAGE_TRY(work.reads(shifts_.right.buffer()));
      VANTAGE_TRY(work.reads(shifts_.down.buffer()));
      VANTAGE_TRY(work.writes(packed_shifts_));
      VANTAGE_TRY(launch(work, "pack_shifts",
                         {dim3(blocks_for(count(), kBeliefThreads)), dim3(kBeliefThreads)}, pack_shifts,
                         packed_shifts_.data(), width_, height_, half_, shifts_.right.view<float>(),
                         shifts_.down.view<float>()));
      return work.finish();
    });
  }

  void set_parameters(const HeightMapParameters& parameters) override { parameters_ = parameters; }

  Result<HeightMap> solve(const CostVolume& costs, const HeightSolveRequest& request,
                          int64_t frame) override {
    VANTAGE_TRY(check_costs(costs));
    VANTAGE_TRY(height_map::check_memory(width_, height_, parameters_, Device::cuda));
    if (parameters_.precision == MessagePrecision::fp16) return solve_with<__half>(costs, request, frame);
    return solve_with<float>(costs, request, frame);
  }

  Result<PixelBelief> belief_of(int x, int y) override {
    if (!messages_ || shape_ != shape())
      return fail(ErrorKind::invalid_argument, "nothing has been solved yet", "height map");
    height_map::PixelReader reader{width_, height_, -1, {}};
    if (!shape_.damped) reader.sent_last = ahead_ ? next_color_ : 1 - next_color_;
    reader.read = [this](int px, int py) {
      return shape_.precision == MessagePrecision::fp16 ? slots_of<__half>(px, py) : slots_of<float>(px, py);
    };
    return height_map::belief_of(reader, host_shifts_, parameters_, x, y);
  }

 private:
  template <typename Store>
  Result<height_map::PixelSlots> slots_of(int x, int y) {
    const auto labels = static_cast<size_t>(parameters_.heights) + 1;
    VANTAGE_ASSIGN(const auto found, DeviceBuffer<float>::take(*context_, 5 * labels));
    VANTAGE_ASSIGN(const auto host, PinnedBuffer<float>::take(*context_, 5 * labels));
    VANTAGE_ASSIGN(const EventRef event, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {});
      VANTAGE_TRY(work.reads({costs_, messages_}));
      VANTAGE_TRY(work.writes({found, host}));
      VANTAGE_TRY(launch(work, "read_pixel", {dim3(1), dim3(kBeliefThreads)}, read_pixel<Store>,
                         view<Store>(), x, y, found.data()));
      VANTAGE_TRY(work.copy("copy belief to host", host, found, found.count()));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    VANTAGE_TRY(context_->wait(event));
    const float* const values = host.data();
    const auto plane = [&](size_t i) {
      return std::vector<float>(values + i * labels, values + (i + 1) * labels);
    };
    height_map::PixelSlots slots{plane(0), {}, {}};
    const bool exists[4] = {x > 0, x + 1 < width_, y > 0, y + 1 < height_};
    for (size_t d = 0; d < 4; ++d)
      if (exists[d]) slots.messages[d] = plane(d + 1);
    return slots;
  }

  Shape shape() const { return {parameters_.heights, parameters_.damping > 0, parameters_.precision}; }
  MemoryPool& pool() { return context_->device_pool(); }
  int count() const { return half_ * height_; }

  Status check_costs(const CostVolume& costs) {
    HeightSolver::Arguments arguments;
    arguments.width = width_, arguments.height = height_;
    return height_map::check(arguments, costs, parameters_, pool().place());
  }

  // Elements of one message array: four messages a pixel of a colour.
  size_t message_elements() const { return static_cast<size_t>(4) * cost_elements(); }
  size_t cost_elements() const {
    return static_cast<size_t>(height_map::stored_heights(parameters_.heights) + 1) *
           static_cast<size_t>(count());
  }

  template <typename Store>
  Status take_memory(const HeightSolveRequest& request, bool& keep_messages) {
    keep_messages = request.warm_start && messages_ && shape() == shape_;
    if (messages_ && shape() == shape_) return {};
    messages_ = {};
    costs_ = {};
    shape_ = shape();
    VANTAGE_ASSIGN(costs_, DeviceBuffer<std::byte>::take(*context_, 2 * cost_elements() * sizeof(Store)));
    VANTAGE_ASSIGN(messages_, DeviceBuffer<std::byte>::take(*context_, message_bytes<Store>()));
    return {};
  }
  template <typename Store>
  size_t message_bytes() const {
    return message_elements() * sizeof(Store) * (parameters_.damping > 0 ? 2 : 1);
  }

  template <typename Store>
  BeliefView<Store> view() const {
    using Piece = typename BeliefView<Store>::Piece;
    BeliefView<Store> view;
    const auto pixels = static_cast<size_t>(count());
    const auto padded = static_cast<size_t>(height_map::stored_heights(parameters_.heights));
    const size_t arrays = parameters_.damping > 0 ? 2 : 1;
    Store *const costs = reinterpret_cast<Store*>(costs_.data()), *const messages = reinterpret_cast<Store*>(
                                                                      messages_.data());
    for (size_t color = 0; color < 2; ++color) {
      const size_t array = arrays == 2 ? color : 0;
      view.cost[color] = reinterpret_cast<Piece*>(costs + color * padded * pixels);
      view.none_cost[color] = costs + 2 * padded * pixels + color * pixels;
      view.message[color] = reinterpret_cast<Piece*>(messages + array * 4 * padded * pixels);
      view.none_message[color] = messages + arrays * 4 * padded * pixels + array * 4 * pixels;
    }
    view.shift = packed_shifts_.data();
    view.width = width_, view.height = height_, view.half = half_, view.count = count();
    view.heights = parameters_.heights;
    view.stored_heights = height_map::stored_heights(parameters_.heights);
    return view;
  }

  template <typename Store>
  Result<HeightMap> solve_with(const CostVolume& costs, const HeightSolveRequest& request, int64_t frame) {
    bool keep = false;
    VANTAGE_TRY(take_memory<Store>(request, keep));
    if (!keep)
      next_color_ = 0;
    else if (ahead_)
      next_color_ = 1 - next_color_;
    ahead_ = false;
    HeightMap map{width_, height_, frame, parameters_.labels(), {}, {}, {}, false};
    // The next iterations are enqueued behind a check on which nothing depends.
    const bool decides = parameters_.settled_share > 0 || request.on_check;
    std::vector<Look> looks;
    for (int done = 0; done < parameters_.iterations && !map.settled;) {
      VANTAGE_ASSIGN(Look look, enqueue_part<Store>(costs, keep, done, map));
      done = look.iteration;
      looks.push_back(std::move(look));
      const bool at_end = done == parameters_.iterations;
      if (!at_end && !decides && looks.size() < kMaxAhead) continue;
      VANTAGE_TRY(context_->wait(looks.back().event));
      for (const Look& seen : looks) map.checks.push_back(summed(seen));
      looks.clear();
      map.settled =
          !at_end && parameters_.settled_share > 0 && map.checks.size() > 1 &&
          static_cast<double>(map.checks.back().changed) < parameters_.settled_share * map.width * map.height;
      if (!at_end && !map.settled && request.on_check && !request.on_check(map)) break;
    }
    return map;
  }

  // The result of a look, on its way to the host.
  struct Look {
    int iteration = 0;
    PinnedBuffer<RowCheck> rows;
    EventRef event;
  };

  // The iterations from `done` to the next look, and the look: labels and unsettled pixels into `map`.
  template <typename Store>
  Result<Look> enqueue_part(const CostVolume& costs, bool keep_messages, int done, HeightMap& map) {
    const int iterations = std::min(parameters_.iterations - done, parameters_.check_every);
    const Image last = map.labels;
    Look look{done + iterations, {}, {}};
    VANTAGE_ASSIGN(map.labels, Image::make(ImageType::u8, width_, height_, pool()));
    VANTAGE_ASSIGN(map.unsettled, Image::make(ImageType::u8, width_, height_, pool()));
    VANTAGE_ASSIGN(look.rows, PinnedBuffer<RowCheck>::take(*context_, row_checks_.count()));
    VANTAGE_ASSIGN(look.event, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {.name = "height_map", .frame = map.frame});
      VANTAGE_TRY(work.reads({costs.costs.buffer(), packed_shifts_}));
      VANTAGE_TRY(work.writes(
          {costs_, messages_, row_checks_, look.rows, map.labels.buffer(), map.unsettled.buffer()}));
      if (last) VANTAGE_TRY(work.reads(last.buffer()));
      if (done == 0) VANTAGE_TRY(enqueue_start<Store>(work, costs, keep_messages));
      for (int i = 0; i < iterations; ++i) VANTAGE_TRY(enqueue_iteration<Store>(work));
      VANTAGE_TRY(enqueue_look<Store>(work, costs, last, map));
      VANTAGE_TRY(work.copy("copy energies to host", look.rows, row_checks_, row_checks_.count()));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    return look;
  }

  static HeightMapCheck summed(const Look& look) {
    double energy = 0;
    unsigned long long changed = 0;
    for (const RowCheck& row : look.rows.values()) energy += row.energy, changed += row.changed;
    return {look.iteration, energy, static_cast<int64_t>(changed)};
  }

  template <typename Store>
  Status enqueue_start(Work& work, const CostVolume& costs, bool keep_messages) {
    if (!keep_messages) VANTAGE_TRY(work.set_zero(messages_));
    const dim3 blocks(blocks_for(width_, kBeliefThreads), static_cast<unsigned>(std::min(height_, 65535)));
    return launch(work, "pack_costs", {blocks, dim3(kBeliefThreads)}, pack_costs<Store>, view<Store>(),
                  costs.costs.view<float>());
  }

  // A look may have done it already.
  template <typename Store>
  Status enqueue_iteration(Work& work) {
    if (!ahead_) VANTAGE_TRY(enqueue_send<Store>(work));
    ahead_ = false;
    next_color_ = 1 - next_color_;
    return {};
  }

  template <typename Store>
  Status enqueue_send(Work& work) {
    const BeliefCosts costs{static_cast<float>(parameters_.lambda * parameters_.step_m),
                            static_cast<float>(parameters_.lambda * parameters_.no_head_jump_m),
                            static_cast<float>(parameters_.damping)};
    return launch(work, "send_messages", {dim3(blocks_for(count(), kBeliefThreads)), dim3(kBeliefThreads)},
                  send_kernel<Store>(parameters_.heights, parameters_.method == MessageMethod::published,
                                     parameters_.damping > 0),
                  view<Store>(), next_color_, costs);
  }

  // Labels, what changed, energy. The closing half-step is the next iteration.
  template <typename Store>
  Status enqueue_look(Work& work, const CostVolume& costs, const Image& last, HeightMap& map) {
    const LaunchGrid grid{dim3(blocks_for(count(), kBeliefThreads)), dim3(kBeliefThreads)};
    const ImageView<uint8_t> labels = map.labels.writable_view<uint8_t>();
    VANTAGE_TRY(launch(work, "label_pixels", grid, label_pixels<Store>, view<Store>(), next_color_,
                       1 - next_color_, labels));
    VANTAGE_TRY(enqueue_send<Store>(work));
    ahead_ = true;
    VANTAGE_TRY(launch(work, "label_pixels", grid, label_pixels<Store>, view<Store>(), 1 - next_color_,
                       next_color_, labels));
    CheckArguments check;
    check.labels = labels;
    if (last) check.before = last.view<uint8_t>();
    check.unsettled = map.unsettled.writable_view<uint8_t>();
    check.costs = costs.costs.view<float>();
    check.right = shifts_.right.view<float>(), check.down = shifts_.down.view<float>();
    check.step = parameters_.lambda * parameters_.step_m;
    check.jump = parameters_.lambda * parameters_.no_head_jump_m;
    check.width = width_, check.height = height_, check.heights = parameters_.heights;
    check.rows = row_checks_.data();
    return launch(work, "check_rows", {dim3(static_cast<unsigned>(height_)), dim3(kBeliefThreads)},
                  check_rows, check);
  }

  const int width_, height_, half_;
  const EdgeShifts host_shifts_;
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  HeightMapParameters parameters_;
  EdgeShifts shifts_;
  DeviceBuffer<float> packed_shifts_;
  DeviceBuffer<RowCheck> row_checks_;
  DeviceBuffer<std::byte> costs_, messages_;
  Shape shape_;
  int next_color_ = 0;  // sends next
  bool ahead_ = false;  // it has sent already
};

}  // namespace

void register_height_solver_cuda(BackendRegistry& registry) {
  registry.add<HeightSolver>(
      Device::cuda,
      [](const BackendContext& backend,
         const HeightSolver::Arguments& arguments) -> Result<std::unique_ptr<HeightSolver>> {
        VANTAGE_TRY(height_map::check(arguments));
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "height map", backend.trace));
        auto solver = std::make_unique<HeightSolverCuda>(arguments, std::move(context), std::move(stream));
        VANTAGE_TRY(solver->prepare(arguments.shifts));
        return solver;
      });
}

}  // namespace vantage::gpu
