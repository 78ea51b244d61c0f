#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "core/optical_flow/optical_flow.h"
#include "gpu/algorithms.h"
#include "gpu/optical_flow/flow_device_plan.h"
#include "gpu/runtime/kernel_graph.h"
#include "gpu/runtime/upload.h"

namespace vantage::gpu {
namespace {

FlowView view_of(const FlowField& field) {
  if (!field) return {};
  const ImageView<const float> pairs = field.vectors.view<float>();
  return {reinterpret_cast<float2*>(const_cast<float*>(pairs.data)), pairs.stride_bytes / sizeof(float2)};
}

class OpticalFlowCuda final : public OpticalFlow {
 public:
  OpticalFlowCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream, int camera)
      : context_(std::move(context)),
        stream_(std::move(stream)),
        camera_(camera),
        graphs_{KernelGraph(context_), KernelGraph(context_)} {}

  void set_parameters(const OpticalFlowParameters& parameters) override {
    parameters_ = parameters;
    plan_.reset();
  }
  void reset() override { state_ = {}; }
  FlowState save() const override { return state_; }
  void restore(const FlowState& state) override {
    state_ = state;
    last_is_expanded_ = false;
  }

  Result<FlowField> next(const FlowInput& picture, const FlowRequest& request, int64_t frame) override {
    VANTAGE_TRY(flow::check_step(picture, state_.last, request, place(), camera_));
    VANTAGE_TRY(prepare(picture.plane.width, picture.plane.height));
    FlowField field;
    if (state_.last.buffer) {
      VANTAGE_ASSIGN(field, make_field(request, frame));
    }
    const Status done = context_->run([&] { return enqueue(picture, request, field, frame); });
    last_is_expanded_ = done.has_value();
    if (!done) return fail(done.error());
    last_slot_ = 1 - last_slot_;
    state_ = {picture, field};
    return field;
  }

 private:
  std::string where() const { return "optical flow, camera " + std::to_string(camera_); }
  MemoryPlace place() const { return context_->device_pool().place(); }

  // The plan, its tables and working memory for pictures of that size.
  Status prepare(int width, int height) {
    if (plan_ && plan_->plan().width == width && plan_->plan().height == height) return {};
    plan_.reset();
    last_is_expanded_ = false;
    const auto shared_bytes = static_cast<size_t>(context_->limits().shared_bytes);
    VANTAGE_TRY(context_->run([&] { return allow_flow_shared_memory(*context_, shared_bytes); }));
    FlowDevicePlan plan(FlowPlan::make(width, height, parameters_), shared_bytes);
    if (*plan.obstacle())
      return fail(ErrorKind::unsupported, plan.obstacle(), where(),
                  "Choose a smaller flow.window_px, or --backend cpu.");
    VANTAGE_ASSIGN(memory_, DeviceBuffer<std::byte>::take(*context_, plan.memory_bytes()));
    VANTAGE_ASSIGN(tables_, upload(*stream_, std::span(plan.tables())));
    plan.place(tables_.data(), memory_.data());
    plan_ = std::move(plan);
    return {};
  }

  Result<FlowField> make_field(const FlowRequest& request, int64_t frame) const {
    const int width = plan_->plan().width, height = plan_->plan().height;
    FlowField field{width, height, frame, {}, {}};
    MemoryPool& pool = context_->device_pool();
    VANTAGE_ASSIGN(field.vectors, Image::make(ImageType::f32, 2 * width, height, pool));
    if (request.confidence) {
      VANTAGE_ASSIGN(field.confidence, Image::make(ImageType::u8, width, height, pool));
    }
    return field;
  }

  Status enqueue(const FlowInput& picture, const FlowRequest& request, FlowField& field, int64_t frame) {
    Work work(*stream_, {.name = "optical flow", .frame = frame, .camera = camera_});
    const FlowField initial = request.initial           ? request.initial
                              : request.start_from_last ? state_.last_flow
                                                        : FlowField{};
    for (const BufferRef& buffer : std::initializer_list<BufferRef>{
             tables_, picture.buffer, state_.last.buffer, request.mask.buffer(), initial.vectors.buffer()})
      if (buffer) VANTAGE_TRY(work.reads(buffer));
    for (const BufferRef& buffer :
         std::initializer_list<BufferRef>{memory_, field.vectors.buffer(), field.confidence.buffer()})
      if (buffer) VANTAGE_TRY(work.writes(buffer));
    KernelSequence kernels;
    const int next_slot = 1 - last_slot_;
    if (field && !last_is_expanded_) plan_->add_expand(kernels, state_.last.plane, last_slot_);
    plan_->add_expand(kernels, picture.plane, next_slot);
    if (field) add_flow(kernels, request, view_of(initial), field);
    VANTAGE_TRY(graphs_[next_slot].launch(work, std::move(kernels)));
    return work.finish();
  }

  void add_flow(KernelSequence& kernels, const FlowRequest& request, FlowView initial,
                FlowField& field) const {
    const FlowView out = view_of(field);
    const FlowView back = request.confidence ? plan_->back() : FlowView{};
    plan_->add_solve(kernels, last_slot_, initial, out, back);
    if (!request.confidence && !request.mask) return;
    FinishArguments finish;
    finish.flow = out;
    finish.back = back;
    finish.width = field.width, finish.height = field.height;
    if (request.confidence) finish.confidence = field.confidence.writable_view<uint8_t>();
    if (request.mask) finish.mask = request.mask.view<uint8_t>();
    plan_->add_finish(kernels, finish);
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  int camera_;
  OpticalFlowParameters parameters_;
  std::optional<FlowDevicePlan> plan_;
  DeviceBuffer<std::byte> tables_, memory_;
  KernelGraph graphs_[2];  // by the slot of the picture that comes in
  int last_slot_ = 0;
  bool last_is_expanded_ = false;
  FlowState state_;
};

Result<std::unique_ptr<OpticalFlow>> make(const BackendContext& backend,
                                          const OpticalFlow::Arguments& arguments) {
  VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
  VANTAGE_ASSIGN(
      std::unique_ptr<Stream> stream,
      Stream::make(context, "optical flow cam" + std::to_string(arguments.camera + 1), backend.trace));
  return std::make_unique<OpticalFlowCuda>(std::move(context), std::move(stream), arguments.camera);
}

}  // namespace

void register_optical_flow_cuda(BackendRegistry& registry) {
  registry.add<OpticalFlow>(Device::cuda, make);
}

}  // namespace vantage::gpu
