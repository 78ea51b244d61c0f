#include "core/optical_flow/optical_flow.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cstring>

#include "core/algorithms.h"
#include "core/image/image_files.h"
#include "core/optical_flow/flow_file.h"
#include "tests/support/data.h"
#include "tests/support/flow_images.h"
#include "tests/support/instruction_sets.h"

namespace vantage {
namespace {

using test::moved_texture;
using test::noise_image;

std::unique_ptr<OpticalFlow> make_flow(const OpticalFlowParameters& parameters = {}) {
  BackendRegistry registry;
  register_optical_flow_cpu(registry);
  std::unique_ptr<OpticalFlow> flow = registry.create<OpticalFlow>(Device::cpu, {}, {}).value();
  flow->set_parameters(parameters);
  return flow;
}

FlowField flow_between(const Image& a, const Image& b, const OpticalFlowParameters& parameters = {},
                       const FlowRequest& request = {}) {
  const std::unique_ptr<OpticalFlow> flow = make_flow(parameters);
  EXPECT_FALSE(flow->next(a, {}, 0).value());
  return flow->next(b, request, 1).value();
}

bool equal(const FlowField& a, const FlowField& b) {
  const ImageView<const float> va = a.vectors.view<float>(), vb = b.vectors.view<float>();
  for (int y = 0; y < va.height; ++y)
    if (std::memcmp(va.row(y), vb.row(y), sizeof(float) * static_cast<size_t>(va.width)) != 0) return false;
  return va.width == vb.width && va.height == vb.height;
}

double mean_distance(const FlowField& field, double dx, double dy, int border) {
  const ImageView<const float> v = field.vectors.view<float>();
  double sum = 0;
  for (int y = border; y < field.height - border; ++y)
    for (int x = border; x < field.width - border; ++x)
      sum += std::hypot(v.at(2 * x, y) - dx, v.at(2 * x + 1, y) - dy);
  return sum / ((field.width - 2 * border) * (field.height - 2 * border));
}

double worst_distance(const FlowField& field, double dx, double dy, int border) {
  const ImageView<const float> v = field.vectors.view<float>();
  double worst = 0;
  for (int y = border; y < field.height - border; ++y)
    for (int x = border; x < field.width - border; ++x)
      worst = std::max(worst, std::hypot(v.at(2 * x, y) - dx, v.at(2 * x + 1, y) - dy));
  return worst;
}

TEST(OpticalFlowParametersTest, TableDescribesTheDefaultsOfTableFive) {
  const ParameterTable& table = parameter_table<OpticalFlowParameters>();
  EXPECT_EQ(table.stage, "flow");
  const std::vector<std::pair<std::string, double>> expected = {
      {"levels", 5},         {"pyramid_scale", 0.5}, {"window_px", 5}, {"iterations", 10},
      {"poly_radius_px", 5}, {"poly_sigma_px", 1.1}, {"gaussian", 0}};
  for (const auto& [name, value] : expected) {
    const ParameterDescription* entry = table.find(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_EQ(entry->default_value, value) << name;
  }
}

TEST(OpticalFlowTest, FindsATranslation) {
  for (const auto& [dx, dy] : {std::pair(0.0, 0.0), {0.37, -0.21}, {2.6, 1.3}, {-9.4, 6.2}}) {
    const WaveTexture texture(11);
    const FlowField field = flow_between(moved_texture(texture, 203, 171, 0, 0),
                                         moved_texture(texture, 203, 171, dx, dy), {.window_px = 15});
    EXPECT_LT(worst_distance(field, dx, dy, 24), 0.06) << "displacement " << dx << ' ' << dy;
  }
}

TEST(OpticalFlowTest, GaussianWindowFindsATranslation) {
  const WaveTexture texture(12);
  const FlowField field =
      flow_between(moved_texture(texture, 150, 110, 0, 0), moved_texture(texture, 150, 110, 1.5, -2.25),
                   {.window_px = 13, .poly_radius_px = 7, .poly_sigma_px = 1.5, .gaussian = true});
  EXPECT_LT(mean_distance(field, 1.5, -2.25, 24), 0.06);
}

TEST(OpticalFlowTest, EverySizeGivesFiniteVectors) {
  for (const auto& [width, height] : {std::pair(1, 1),
                                      {1, 40},
                                      {40, 1},
                                      {2, 2},
                                      {3, 5},
                                      {15, 17},
                                      {16, 16},
                                      {17, 31},
                                      {33, 64},
                                      {65, 33},
                                      {127, 95},
                                      {400, 9}}) {
    const FlowField field =
        flow_between(noise_image(1, width, height), noise_image(2, width, height), {.window_px = 21});
    ASSERT_EQ(field.width, width);
    ASSERT_EQ(field.height, height);
    const ImageView<const float> v = field.vectors.view<float>();
    ASSERT_EQ(v.width, 2 * width);
    for (int y = 0; y < height; ++y)
      for (int i = 0; i < 2 * width; ++i) ASSERT_TRUE(std::isfinite(v.at(i, y))) << width << 'x' << height;
  }
}

TEST(OpticalFlowTest, FlatPicturesDoNotMove) {
  Image gray = Image::make(ImageType::u8, 70, 50, HostPool::shared()).value();
  for (int y = 0; y < 50; ++y) std::memset(gray.writable_view<uint8_t>().row(y), 90, 70);
  EXPECT_LT(worst_distance(flow_between(gray, gray), 0, 0, 0), 1e-3);
}

TEST(OpticalFlowTest, SequenceReusesTheLastPicture) {
  const Image a = noise_image(3, 97, 71), b = noise_image(4, 97, 71), c = noise_image(5, 97, 71);
  const std::unique_ptr<OpticalFlow> flow = make_flow();
  flow->next(a, {}, 0).value();
  flow->next(b, {}, 1).value();
  const FlowState before_c = flow->save();
  const FlowField along = flow->next(c, {}, 2).value();
  EXPECT_EQ(along.frame, 2);
  EXPECT_TRUE(equal(along, flow_between(b, c)));
  flow->restore(before_c);
  EXPECT_TRUE(equal(along, flow->next(c, {}, 2).value()));
  flow->reset();
  EXPECT_FALSE(flow->next(c, {}, 2).value());
}

TEST(OpticalFlowTest, StartsFromTheLastFlowOrAGivenOne) {
  const Image a = noise_image(6, 97, 71), b = noise_image(7, 97, 71), c = noise_image(8, 97, 71);
  const std::unique_ptr<OpticalFlow> flow = make_flow();
  flow->next(a, {}, 0).value();
  const FlowField first = flow->next(b, {}, 1).value();
  const FlowField continued = flow->next(c, {.start_from_last = true}, 2).value();
  FlowRequest given;
  given.initial = first;
  EXPECT_TRUE(equal(continued, flow_between(b, c, {}, given)));
  EXPECT_FALSE(equal(continued, flow_between(b, c)));
}

TEST(OpticalFlowTest, AnInitialFlowReachesWhatThePyramidMisses) {
  const WaveTexture texture(13, 6, 20);
  const Image a = moved_texture(texture, 160, 120, 0, 0), b = moved_texture(texture, 160, 120, 11, 0);
  const OpticalFlowParameters one_level{.levels = 0, .window_px = 15};
  EXPECT_GT(worst_distance(flow_between(a, b, one_level), 11, 0, 30), 3);
  FlowRequest request;
  request.initial =
      FlowField{160, 120, 0, Image::make(ImageType::f32, 320, 120, HostPool::shared()).value(), {}};
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 160; ++x) {
      request.initial.vectors.writable_view<float>().at(2 * x, y) = 10;
      request.initial.vectors.writable_view<float>().at(2 * x + 1, y) = 0;
    }
  EXPECT_LT(worst_distance(flow_between(a, b, one_level, request), 11, 0, 30), 0.1);
}

TEST(OpticalFlowTest, ResultDoesNotDependOnTheThreads) {
  const Image a = noise_image(9, 801, 263), b = noise_image(10, 801, 263);
  for (const int window : {5, 15}) {
    const FlowField many = flow_between(a, b, {.window_px = window});
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_TRUE(equal(many, flow_between(a, b, {.window_px = window})));
  }
}

// The vector code is compiled several times; this machine would only ever choose one.
TEST(OpticalFlowTest, EveryInstructionSetAgrees) {
  const WaveTexture texture(16);
  const Image a = moved_texture(texture, 139, 77, 0, 0), b = moved_texture(texture, 139, 77, 2.2, -0.7);
  for (const OpticalFlowParameters& parameters :
       {OpticalFlowParameters{},
        OpticalFlowParameters{
            .window_px = 13, .poly_radius_px = 7, .poly_sigma_px = 1.5, .gaussian = true}}) {
    const FlowField best = flow_between(a, b, parameters);
    const ImageView<const float> expected = best.vectors.view<float>();
    test::for_each_instruction_set([&] {
      const FlowField field = flow_between(a, b, parameters);
      for (int y = 0; y < 77; ++y)
        for (int i = 0; i < 2 * 139; ++i)
          ASSERT_NEAR(field.vectors.view<float>().at(i, y), expected.at(i, y), 1e-3);
    });
  }
}

TEST(OpticalFlowTest, ConfidenceTellsRightFromLost) {
  const WaveTexture texture(14);
  const Image a = moved_texture(texture, 160, 120, 0, 0), b = moved_texture(texture, 160, 120, 4, 0);
  const FlowField good = flow_between(a, b, {.window_px = 15}, {.confidence = true});
  const FlowField bad = flow_between(a, noise_image(11, 160, 120), {.window_px = 15}, {.confidence = true});
  EXPECT_GT(flow_statistics(good).mean_confidence, 0.95);
  EXPECT_LT(flow_statistics(bad).mean_confidence, 0.8);
  // What leaves the picture has no partner.
  EXPECT_EQ(good.confidence.view<uint8_t>().at(158, 60), 0);
  EXPECT_GT(good.confidence.view<uint8_t>().at(80, 60), 250);
}

TEST(OpticalFlowTest, MaskLeavesVectorsUnknown) {
  const WaveTexture texture(15);
  FlowRequest request;
  request.mask = Image::make(ImageType::u8, 64, 48, HostPool::shared()).value();
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) request.mask.writable_view<uint8_t>().at(x, y) = x < 32 ? 255 : 0;
  const FlowField field =
      flow_between(moved_texture(texture, 64, 48, 0, 0), moved_texture(texture, 64, 48, 1, 0), {}, request);
  EXPECT_EQ(flow_statistics(field).known, 32 * 48);
  EXPECT_EQ(field.vectors.view<float>().at(2 * 40, 20), kUnknownFlow);
  // Unknown vectors start the next step from zero.
  FlowRequest next;
  next.initial = field;
  const FlowField after =
      flow_between(moved_texture(texture, 64, 48, 0, 0), moved_texture(texture, 64, 48, 1, 0), {}, next);
  EXPECT_EQ(flow_statistics(after).known, 64 * 48);
}

TEST(OpticalFlowTest, WrongInputIsAnError) {
  const std::unique_ptr<OpticalFlow> flow = make_flow();
  EXPECT_EQ(flow->next(FlowInput(), {}, 0).error().kind, ErrorKind::invalid_argument);
  flow->next(noise_image(1, 40, 30), {}, 0).value();
  EXPECT_EQ(flow->next(noise_image(1, 41, 30), {}, 1).error().kind, ErrorKind::invalid_argument);
  FlowRequest request;
  request.mask = noise_image(1, 30, 40);
  EXPECT_EQ(flow->next(noise_image(1, 40, 30), request, 1).error().kind, ErrorKind::invalid_argument);
  EXPECT_TRUE(flow->next(noise_image(1, 40, 30), {}, 1).value());
}

TEST(OpticalFlowTest, MiddleburyError) {
  VANTAGE_NEED_DATA(folder, "middlebury-flow");
  const OpticalFlowParameters parameters{
      .levels = 5, .window_px = 15, .iterations = 5, .poly_radius_px = 7, .poly_sigma_px = 1.5};
  for (const auto& [name, bound] : {std::pair("RubberWhale", 0.430), {"Dimetrodon", 1.131}}) {
    HostPool& pool = HostPool::shared();
    const Image a = read_png_gray(folder / name / "frame10.png", pool).value();
    const Image b = read_png_gray(folder / name / "frame11.png", pool).value();
    const FlowField truth = read_flo(folder / name / "flow10.flo", pool).value();
    const double error = mean_endpoint_error(flow_between(a, b, parameters), truth).value();
    // The bound is OpenCV's, to its printed digits.
    EXPECT_LE(error, bound + 5e-4) << name;
    EXPECT_GT(error, 0.5 * bound) << name << ": too good to be this method";
  }
}

}  // namespace
}  // namespace vantage
