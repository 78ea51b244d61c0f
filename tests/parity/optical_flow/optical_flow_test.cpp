// Reference (double precision) against CPU and CUDA.
//
// Tolerance: 1e-4 px on the mean, 0.01 px at the worst pixel. Single precision carries about 1e-7 of a
// window's equations; where a window holds one straight edge, their determinant loses most of its digits and
// the flow along the edge is decided by the 1e-3 added to it, so single pixels of real pictures differ by
// more.
#include <gtest/gtest.h>

#include "app/backends/backends.h"
#include "core/image/image_files.h"
#include "core/optical_flow/flow_file.h"
#include "tests/parity/optical_flow/flow_fixture.h"
#include "tests/reference/optical_flow.h"

namespace vantage {
namespace {

using test::flow_difference;
using test::FlowDifference;
using test::FlowRunner;
using test::noise_image;

constexpr double kMeanTolerance = 1e-4, kWorstTolerance = 0.01;

reference::Plane plane_of(const Image& image) {
  reference::Plane plane(image.width(), image.height());
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) plane.at(x, y) = image.view<uint8_t>().at(x, y);
  return plane;
}

reference::FlowSettings settings_of(const OpticalFlowParameters& p) {
  return {p.levels,         p.pyramid_scale, p.window_px, p.iterations,
          p.poly_radius_px, p.poly_sigma_px, p.gaussian};
}

// A pair with shear, rotation and a translation: every pixel moves differently, some out of the picture.
std::pair<Image, Image> moving_pair(uint64_t seed, int width, int height) {
  const WaveTexture texture(seed, 5, 40);
  return {test::moved_texture(texture, width, height, 0, 0),
          test::texture_image(texture, width, height, [](int x, int y) {
            return std::pair(x - 2.3 + 0.02 * y, y + 1.4 - 0.015 * x);
          })};
}

class OpticalFlowParity : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    Result<Backends> opened = open_backends(device_name(GetParam()), nullptr);
    if (!opened) GTEST_SKIP() << opened.error().message();
    backends_ = std::move(*opened);
  }
  FlowRunner runner(const OpticalFlowParameters& parameters) const {
    return {backends_.on_device(), parameters};
  }
  void expect_reference(const Image& a, const Image& b, const OpticalFlowParameters& parameters) {
    const FlowField field = runner(parameters).between(a, b);
    const reference::Flow truth = reference::optical_flow(plane_of(a), plane_of(b), settings_of(parameters));
    const FlowDifference difference =
        flow_difference(field, [&](int x, int y) { return std::pair(truth.dx.at(x, y), truth.dy.at(x, y)); });
    EXPECT_EQ(difference.not_finite, 0);
    EXPECT_LE(difference.mean_px, kMeanTolerance);
    EXPECT_LE(difference.worst_px, kWorstTolerance);
  }
  Backends backends_;
};

TEST_P(OpticalFlowParity, PublishedParameters) {
  const auto [a, b] = moving_pair(21, 150, 101);
  for (const OpticalFlowParameters& parameters :
       {OpticalFlowParameters{}, OpticalFlowParameters{.window_px = 13},
        OpticalFlowParameters{.window_px = 15, .iterations = 3},
        OpticalFlowParameters{.window_px = 21, .iterations = 2, .poly_radius_px = 7, .poly_sigma_px = 1.5},
        OpticalFlowParameters{.window_px = 13, .iterations = 3, .gaussian = true},
        OpticalFlowParameters{.window_px = 5, .iterations = 4, .gaussian = true}}) {
    SCOPED_TRACE("window " + std::to_string(parameters.window_px) +
                 (parameters.gaussian ? " Gaussian" : " box"));
    expect_reference(a, b, parameters);
  }
}

TEST_P(OpticalFlowParity, UnusualParameters) {
  const auto [a, b] = moving_pair(22, 97, 83);
  for (const OpticalFlowParameters& parameters :
       {OpticalFlowParameters{.levels = 0, .iterations = 1},
        OpticalFlowParameters{.pyramid_scale = 0.8, .iterations = 2},
        OpticalFlowParameters{.pyramid_scale = 0.37, .iterations = 3},
        OpticalFlowParameters{.window_px = 3, .iterations = 3},
        OpticalFlowParameters{.window_px = 9, .iterations = 7},
        OpticalFlowParameters{.window_px = 41, .iterations = 2},
        OpticalFlowParameters{.iterations = 2, .poly_radius_px = 9, .poly_sigma_px = 3}}) {
    SCOPED_TRACE("scale " + std::to_string(parameters.pyramid_scale) + ", window " +
                 std::to_string(parameters.window_px) + ", iterations " +
                 std::to_string(parameters.iterations));
    expect_reference(a, b, parameters);
  }
}

TEST_P(OpticalFlowParity, OddAndTinySizes) {
  for (const auto& [width, height] : {std::pair(1, 1),
                                      {1, 40},
                                      {40, 1},
                                      {2, 3},
                                      {5, 4},
                                      {31, 33},
                                      {64, 32},
                                      {65, 17},
                                      {129, 64},
                                      {33, 257}}) {
    SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
    const auto [a, b] = moving_pair(23, width, height);
    expect_reference(a, b, {.window_px = 5, .iterations = 3});
  }
}

TEST_P(OpticalFlowParity, LargeEnoughForEveryKernel) {
  // Levels above and below the sizes from which the CUDA implementation works differently.
  const auto [a, b] = moving_pair(24, 910, 690);
  expect_reference(a, b, {.levels = 2, .iterations = 2});
}

TEST_P(OpticalFlowParity, InitialFlow) {
  const auto [a, b] = moving_pair(25, 131, 90);
  FlowRequest request;
  request.initial =
      FlowField{131, 90, 0, Image::make(ImageType::f32, 262, 90, HostPool::shared()).value(), {}};
  reference::Flow start{reference::Plane(131, 90), reference::Plane(131, 90)};
  for (int y = 0; y < 90; ++y)
    for (int x = 0; x < 131; ++x) {
      const bool unknown = x > 100 && y > 70;  // counts as zero
      const float dx = 1.0f + 0.01f * x, dy = 0.02f * y;
      request.initial.vectors.writable_view<float>().at(2 * x, y) = unknown ? kUnknownFlow : dx;
      request.initial.vectors.writable_view<float>().at(2 * x + 1, y) = unknown ? kUnknownFlow : dy;
      start.dx.at(x, y) = unknown ? 0 : dx;
      start.dy.at(x, y) = unknown ? 0 : dy;
    }
  const OpticalFlowParameters parameters{.iterations = 1};
  const FlowField field = runner(parameters).between(a, b, request);
  const reference::Flow truth =
      reference::optical_flow(plane_of(a), plane_of(b), settings_of(parameters), &start);
  const FlowDifference difference =
      flow_difference(field, [&](int x, int y) { return std::pair(truth.dx.at(x, y), truth.dy.at(x, y)); });
  EXPECT_LE(difference.mean_px, kMeanTolerance);
  EXPECT_LE(difference.worst_px, kWorstTolerance);
}

TEST_P(OpticalFlowParity, SequenceEqualsPairs) {
  const Image pictures[] = {noise_image(31, 211, 97), noise_image(32, 211, 97), noise_image(33, 211, 97),
                            noise_image(34, 211, 97)};
  FlowRunner sequence = runner({}), pair = runner({});
  sequence.next(pictures[0], 0);
  for (int i = 1; i < 4; ++i) {
    const FlowState before = sequence.flow().save();
    const FlowField along = sequence.next(pictures[i], i);
    EXPECT_EQ(flow_difference(along, pair.between(pictures[i - 1], pictures[i])).worst_px, 0);
    sequence.flow().restore(before);
    const FlowField again = sequence.next(pictures[i], i);
    EXPECT_EQ(flow_difference(along, again).worst_px, 0);
  }
}

TEST_P(OpticalFlowParity, ConfidenceAndMaskEqualTheCpu) {
  const auto [a, b] = moving_pair(26, 203, 97);
  FlowRequest request;
  request.confidence = true;
  request.mask = noise_image(35, 203, 97);
  for (int y = 0; y < 97; ++y)
    for (int x = 0; x < 203; ++x) {
      uint8_t& value = request.mask.writable_view<uint8_t>().at(x, y);
      value = value > 60 ? value : 0;
    }
  const FlowField device = runner({}).between(a, b, request);
  const FlowField cpu = FlowRunner(&backends_.registry, {}).between(a, b, request);
  int differing = 0;
  for (int y = 0; y < 97; ++y)
    for (int x = 0; x < 203; ++x) {
      const bool known = request.mask.view<uint8_t>().at(x, y) != 0;
      ASSERT_EQ(is_known_flow(device.vectors.view<float>().at(2 * x, y)), known);
      differing += std::abs(int{device.confidence.view<uint8_t>().at(x, y)} -
                            int{cpu.confidence.view<uint8_t>().at(x, y)}) > 1;
    }
  // Both flows are within rounding of each other: so is their agreement, but for pixels on the picture's very
  // edge.
  EXPECT_LE(differing, 203 * 97 / 1000);
}

TEST_P(OpticalFlowParity, ChangedParametersAndSizesTakeEffect) {
  FlowRunner one = runner({.window_px = 15});
  const auto [a, b] = moving_pair(27, 120, 90);
  one.between(a, b);
  one.flow().set_parameters({});
  EXPECT_EQ(flow_difference(one.between(a, b), runner({}).between(a, b)).worst_px, 0);
  const auto [c, e] = moving_pair(28, 75, 140);
  EXPECT_EQ(flow_difference(one.between(c, e), runner({}).between(c, e)).worst_px, 0);
}

TEST_P(OpticalFlowParity, MiddleburyEqualsTheReference) {
  VANTAGE_NEED_DATA(folder, "middlebury-flow");
  HostPool& pool = HostPool::shared();
  for (const char* name : {"RubberWhale", "Dimetrodon"}) {
    const Image a = read_png_gray(folder / name / "frame10.png", pool).value();
    const Image b = read_png_gray(folder / name / "frame11.png", pool).value();
    const OpticalFlowParameters parameters{.window_px = 15, .iterations = 2};
    const FlowField field = runner(parameters).between(a, b);
    const reference::Flow truth = reference::optical_flow(plane_of(a), plane_of(b), settings_of(parameters));
    const FlowDifference difference =
        flow_difference(field, [&](int x, int y) { return std::pair(truth.dx.at(x, y), truth.dy.at(x, y)); });
    EXPECT_LE(difference.mean_px, kMeanTolerance) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, OpticalFlowParity, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& info) { return std::string(device_name(info.param)); });

}  // namespace
}  // namespace vantage
