// Against OpenCV's calcOpticalFlowFarneback with the same parameters, on real pictures and on two of the
// demonstration: 0.02 px on the mean, and the same for the 20 px along the borders alone, which follow the
// same rules. Single pixels may differ by more where the equations are nearly singular: OpenCV sums its
// window in double precision, this in single.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <opencv2/core.hpp>
#include <opencv2/video/tracking.hpp>

#include "core/algorithms.h"
#include "core/image/image_files.h"
#include "core/optical_flow/flow_file.h"
#include "core/synth/detail/renderer.h"
#include "tests/parity/optical_flow/flow_fixture.h"

namespace vantage {
namespace {

cv::Mat matrix_of(const Image& image) {
  const ImageView<const uint8_t> view = image.view<uint8_t>();
  return cv::Mat(view.height, view.width, CV_8UC1, const_cast<uint8_t*>(view.data), view.stride_bytes)
      .clone();
}

struct NamedParameters {
  const char* name;
  OpticalFlowParameters parameters;
};

// Both ways from one picture to the next.
struct TwoFlows {
  FlowField ours;
  cv::Mat theirs;

  static TwoFlows between(const Image& a, const Image& b, const OpticalFlowParameters& p) {
    BackendRegistry registry;
    register_memory_transfer_cpu(registry);
    register_optical_flow_cpu(registry);
    TwoFlows flows{test::FlowRunner(&registry, p).between(a, b), {}};
    cv::calcOpticalFlowFarneback(matrix_of(a), matrix_of(b), flows.theirs, p.pyramid_scale, p.levels,
                                 p.window_px, p.iterations, p.poly_radius_px, p.poly_sigma_px,
                                 p.gaussian ? cv::OPTFLOW_FARNEBACK_GAUSSIAN : 0);
    return flows;
  }

  // Everywhere, and along the borders alone.
  void expect_equal(const std::string& name) const {
    const auto at = [&](int x, int y) {
      const cv::Vec2f v = theirs.at<cv::Vec2f>(y, x);
      return std::pair(v[0], v[1]);
    };
    const test::FlowDifference all = test::flow_difference(ours, at),
                               inner = test::flow_difference(ours, at, 20);
    const double pixels = static_cast<double>(ours.width) * ours.height;
    const double inner_pixels = (ours.width - 40.0) * (ours.height - 40.0);
    const double borders_px = (all.mean_px * pixels - inner.mean_px * inner_pixels) / (pixels - inner_pixels);
    EXPECT_LE(all.mean_px, 0.02) << name;
    EXPECT_LE(borders_px, 0.02) << name;
    fmt::print("{}: mean difference {:.2e} px, along the borders {:.2e} px, worst {:.2e} px\n", name,
               all.mean_px, borders_px, all.worst_px);
  }
};

class OpticalFlowOpenCv : public testing::TestWithParam<NamedParameters> {};

TEST_P(OpticalFlowOpenCv, Middlebury) {
  VANTAGE_NEED_DATA(folder, "middlebury-flow");
  HostPool& pool = HostPool::shared();
  for (const char* name : {"RubberWhale", "Dimetrodon"}) {
    const Image a = read_png_gray(folder / name / "frame10.png", pool).value();
    const Image b = read_png_gray(folder / name / "frame11.png", pool).value();
    const FlowField truth = read_flo(folder / name / "flow10.flo", pool).value();
    const TwoFlows flows = TwoFlows::between(a, b, GetParam().parameters);
    flows.expect_equal(std::string(name) + ", " + GetParam().name);
    FlowField opencv = flows.ours;
    opencv.vectors = Image::make(ImageType::f32, 2 * opencv.width, opencv.height, pool).value();
    for (int y = 0; y < opencv.height; ++y)
      std::copy_n(flows.theirs.ptr<float>(y), 2 * opencv.width, opencv.vectors.writable_view<float>().row(y));
    const double our_error = mean_endpoint_error(flows.ours, truth).value();
    const double their_error = mean_endpoint_error(opencv, truth).value();
    EXPECT_LE(our_error, their_error + 5e-4) << name;
    fmt::print("  end-point error {:.4f}, OpenCV's {:.4f}\n", our_error, their_error);
  }
}

TEST_P(OpticalFlowOpenCv, Demonstration) {
  const SynthOptions options;
  const synth::Scene scene = synth::make_scene(options).value();
  synth::Renderer renderer = synth::Renderer::make(scene, 0).value();
  const auto luma = [&](int64_t frame) {
    const double time_s = static_cast<double>(frame) / options.frame_rate;
    const Picture picture = renderer.render(synth::pose_people(scene, time_s), frame).value();
    const ImageView<const uint8_t> from = picture.plane(0);
    Image image = Image::make(ImageType::u8, from.width, from.height, HostPool::shared()).value();
    for (int y = 0; y < from.height; ++y)
      std::copy_n(from.row(y), from.width, image.writable_view<uint8_t>().row(y));
    return image;
  };
  const Image a = luma(100), b = luma(101);
  TwoFlows::between(a, b, GetParam().parameters)
      .expect_equal(std::string("demonstration, ") + GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    Parameters, OpticalFlowOpenCv,
    testing::Values(NamedParameters{"published", {}}, NamedParameters{"window13", {.window_px = 13}},
                    NamedParameters{
                        "window15",
                        {.window_px = 15, .iterations = 5, .poly_radius_px = 7, .poly_sigma_px = 1.5}},
                    NamedParameters{"window21", {.window_px = 21, .iterations = 3}},
                    NamedParameters{"gaussian13", {.window_px = 13, .gaussian = true}},
                    NamedParameters{"scale08", {.pyramid_scale = 0.8, .window_px = 15, .iterations = 3}},
                    NamedParameters{"one_level", {.levels = 0, .window_px = 15, .iterations = 1}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace vantage
