#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "core/algorithms.h"
#include "core/optical_flow/detail/flow_solver.h"
#include "core/optical_flow/flow_confidence.h"
#include "core/optical_flow/optical_flow.h"
#include "core/optical_flow/preconditions.h"

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
