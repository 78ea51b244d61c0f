#include "app/cli/bench/height_map.h"

#include <algorithm>

#include "core/pipeline/height_mapper.h"
#include "core/synth/camera_ring.h"

namespace vantage::cli {
namespace {

constexpr int kWidth_px = 781, kHeight_px = 621;

struct BenchVariant {
  const char* name;
  MessageMethod method;
  MessagePrecision precision;
  double damping;
  bool on_cpu;  // it has 32 bits only
};
constexpr BenchVariant kVariants[] = {
    {"linear", MessageMethod::linear, MessagePrecision::fp32, 0, true},
    {"linear, fp16 at rest", MessageMethod::linear, MessagePrecision::fp16, 0, false},
    {"linear, damped", MessageMethod::linear, MessagePrecision::fp32, 0.3, true},
    {"linear, damped, fp16 at rest", MessageMethod::linear, MessagePrecision::fp16, 0.3, false},
    {"published", MessageMethod::published, MessagePrecision::fp32, 0, true},
    {"published, fp16 at rest", MessageMethod::published, MessagePrecision::fp16, 0, false},
};

// Cameras above a crowd, as height maps are made for; every pixel is worked on. Without outlines, which need
// heads.
HeightMapperOptions mapper_options(const BenchDevice& device) {
  SynthOptions above;
  above.cameras = 3;
  above.width_px = kWidth_px, above.height_px = kHeight_px;
  above.layout = CameraLayout::overhead;
  HeightMapperOptions options;
  options.backends = device.backends().on_device();
  options.cameras = value_or_fail(synth::make_camera_ring(above));
  return options;
}

Image filled(float value) {
  Image image = value_or_fail(Image::make(ImageType::f32, kWidth_px, kHeight_px, HostPool::shared()));
  for (int y = 0; y < kHeight_px; ++y) std::fill_n(image.writable_view<float>().row(y), kWidth_px, value);
  return image;
}

double solve_us(HeightSolver& solver, HeightMapParameters parameters, const CostVolume& costs,
                int iterations) {
  parameters.iterations = parameters.check_every = iterations;
  solver.set_parameters(parameters);
  return time_calls([&](bool) { value_or_fail(solver.solve(costs, {}, 1)); }).median_us;
}

// The difference of solves of many and few iterations, so that packing and labels drop out.
BenchRow iteration_row(const BenchDevice& device, const BenchVariant& variant, HeightMapParameters parameters,
                       const CostVolume& costs) {
  parameters.method = variant.method;
  parameters.precision = variant.precision;
  parameters.damping = variant.damping;
  // Any slope does.
  const auto solver = device.create<HeightSolver>({kWidth_px, kHeight_px, {filled(0.3f), filled(-0.2f)}});
  const int few = device.on_gpu() ? 100 : 2;
  const double us =
      (solve_us(*solver, parameters, costs, 3 * few) - solve_us(*solver, parameters, costs, few)) / (2 * few);
  // For half of the pixels, four messages read, four written and the data cost read.
  const double bytes = 0.5 * kWidth_px * kHeight_px * (parameters.heights + 1) * 9 *
                       (variant.precision == MessagePrecision::fp16 ? 2 : 4);
  return {"height_map", std::string("an iteration, ") + variant.name, {us, us, us, 2 * few, 1}, bytes,
          "B",          1e6 * bytes / device.rates().copy_bytes_per_s};
}

}  // namespace

void bench_height_map(BenchDevice& device, BenchReport& report) {
  HeightMapParameters parameters;
  parameters.use_foreground = parameters.outlines = false;
  HeightMapper mapper(mapper_options(device));
  check_or_fail(mapper.configure(parameters, {}));
  FrameSet frames;
  for (int c = 0; c < 3; ++c)
    frames.cameras.emplace_back().picture = device.noise_picture(kWidth_px, kHeight_px);
  const std::vector<LumaPlane> pictures = luma_of(frames);
  CostVolume costs;
  report.add({"height_map", "descriptors and costs, 3 views of 781x621",
              time_calls([&](bool) { costs = value_or_fail(mapper.measure(pictures, {}, {}, 1)); }), 0, ""});
  for (const BenchVariant& variant : kVariants)
    if (variant.on_cpu || device.on_gpu()) report.add(iteration_row(device, variant, parameters, costs));
}

}  // namespace vantage::cli
