// Non-maximum suppression: the definitions in double against the CPU and every CUDA implementation.
// Greedy and map-reduce must be equal. Coordinates are multiples of 1/4 below 4096 and thresholds multiples
// of 1/64, so that all products are exact in float and in double and no decision can differ by rounding; on
// arbitrary floats the CPU and CUDA are compared with each other. Soft scores agree to 1e-4.
#include "core/primitives/nms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "tests/parity/primitives/device_rows.h"
#include "tests/reference/nms.h"
#include "tests/support/seed.h"

namespace vantage {
namespace {

enum class Layout { clusters, chain, scales, stacked, spread };
constexpr Layout kLayouts[] = {Layout::clusters, Layout::chain, Layout::scales, Layout::stacked,
                               Layout::spread};

float quarter(float value) {
  return std::round(value * 4) / 4;
}

Detection random_box(Layout layout, int i, int n, std::mt19937& random) {
  const auto uniform = [&](float a, float b) {
    return quarter(std::uniform_real_distribution<float>(a, b)(random));
  };
  const auto cluster = static_cast<float>(std::uniform_int_distribution<int>(0, std::max(1, n / 10))(random));
  Detection d;
  switch (layout) {
    case Layout::clusters:
      d = {std::fmod(cluster * 37, 1500.0f) + uniform(-4, 4),
           std::fmod(cluster * 91, 900.0f) + uniform(-4, 4), uniform(20, 28), uniform(20, 28)};
      break;
    case Layout::chain:
      d = {quarter(static_cast<float>(i % 997) * 2.5f), static_cast<float>(i / 997) * 20, 20, 20};
      break;
    case Layout::scales: {
      const float side = quarter(std::exp2(uniform(0, 9)));
      d = {uniform(-300, 1500), uniform(-300, 900), side, quarter(side * uniform(0.25f, 1))};
      break;
    }
    case Layout::stacked:
      d = {100, 50, uniform(10, 40), uniform(10, 40)};
      break;
    case Layout::spread:
      d = {uniform(0, 4000), uniform(0, 4000), uniform(0, 30), uniform(0, 30)};
      break;
  }
  // Few distinct scores: ties are common, both signs of zero among them.
  d.score = static_cast<float>(std::uniform_int_distribution<int>(-20, 60)(random)) / 16;
  if (d.score == 0 && i % 2) d.score = -0.0f;
  d.class_id = std::uniform_int_distribution<int>(0, 2)(random);
  return d;
}

std::vector<Detection> random_boxes(Layout layout, int n, std::mt19937& random) {
  std::vector<Detection> boxes;
  for (int i = 0; i < n; ++i) boxes.push_back(random_box(layout, i, n, random));
  return boxes;
}

void spoil(std::vector<Detection>& boxes) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  for (size_t i = 0; i + 8 < boxes.size(); i += 17) {
    boxes[i].score = nan;
    boxes[i + 1].x = nan;
    boxes[i + 2].w = -1;
    boxes[i + 3].h = infinity;
    boxes[i + 4].score = infinity;
    boxes[i + 5].score = -infinity;
    boxes[i + 6].y = 1e20f;
    boxes[i + 7].w = 0;
  }
}

constexpr NmsOverlap kOverlaps[] = {NmsOverlap::iou, NmsOverlap::own, NmsOverlap::other, NmsOverlap::smaller};

std::vector<NmsRule> rules() {
  std::vector<NmsRule> list;
  for (const NmsOverlap overlap : kOverlaps)
    for (const bool flag : {false, true})
      list.push_back(
          {overlap, flag ? 0.5f : 0.328125f, flag, overlap == NmsOverlap::own || flag, flag ? 1.0f : 0.0f});
  list.push_back({NmsOverlap::iou, 0, true, false, 0});
  list.push_back({NmsOverlap::iou, 1, true, false, 0});
  return list;
}

std::string describe(Layout layout, int n, const NmsRule& rule) {
  return "layout " + std::to_string(static_cast<int>(layout)) + " n " + std::to_string(n) + " overlap " +
         std::to_string(static_cast<int>(rule.overlap)) + " threshold " + std::to_string(rule.threshold) +
         (rule.inclusive ? " inclusive" : "") + (rule.per_class ? " per class" : "") +
         (rule.pixel > 0 ? " pixels" : "");
}

struct RunNms {
  std::string name;
  std::function<Result<NmsResult>(std::span<const Detection>, const NmsOptions&)> run;
};

void expect_kept(const RunNms& run, const std::vector<Detection>& boxes, const NmsOptions& options,
                 const std::vector<int32_t>& expected) {
  const Result<NmsResult> result = run.run(boxes, options);
  ASSERT_TRUE(result) << result.error().message();
  ASSERT_EQ(result->kept, expected);
  ASSERT_EQ(result->scores.size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) ASSERT_EQ(result->scores[k], boxes[expected[k]].score);
}

// Each list goes through every implementation, for the reference takes longest.
void check_hard(NmsMethod method, const std::vector<RunNms>& runs) {
  std::mt19937 random(test::test_seed());
  for (const int n : {0, 1, 2, 33, 200, 1027, 2500, 6000})
    for (const Layout layout : kLayouts) {
      std::vector<Detection> boxes = random_boxes(layout, n, random);
      if (n % 2) spoil(boxes);
      for (size_t r = 0; r < rules().size(); ++r) {
        // The slow reference sees every rule on the small lists and one each on the large.
        if (n > 300 && r % 5 != static_cast<size_t>(layout) % 5) continue;
        const NmsRule rule = rules()[r];
        SCOPED_TRACE(describe(layout, n, rule));
        const auto expected =
            method == NmsMethod::greedy ? reference::greedy(boxes, rule) : reference::map_reduce(boxes, rule);
        for (const RunNms& run : runs) {
          SCOPED_TRACE(run.name);
          ASSERT_NO_FATAL_FAILURE(expect_kept(run, boxes, {method, rule}, expected));
        }
      }
    }
}

void expect_soft(const RunNms& run, const std::vector<Detection>& boxes, const NmsOptions& options,
                 const std::vector<double>& expected) {
  const Result<NmsResult> result = run.run(boxes, options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(std::is_sorted(result->kept.begin(), result->kept.end()));
  std::vector<double> scores(boxes.size(), std::nan(""));
  for (size_t k = 0; k < result->kept.size(); ++k) scores[result->kept[k]] = result->scores[k];
  for (size_t i = 0; i < boxes.size(); ++i) {
    ASSERT_EQ(std::isnan(expected[i]), std::isnan(scores[i])) << "box " << i;
    if (!std::isnan(expected[i])) {
      ASSERT_NEAR(expected[i], scores[i], 1e-4) << "box " << i;
    }
  }
}

// Soft-NMS decides by comparing numbers that rounding moves; lists where a comparison is closer than float
// can tell are left out, and few may be.
void check_soft(NmsMethod method, const std::vector<RunNms>& runs) {
  std::mt19937 random(test::test_seed());
  int checked = 0, all = 0;
  for (const int n : {0, 1, 20, 60, 100, 140})
    for (const Layout layout : kLayouts)
      for (const NmsOverlap overlap : kOverlaps) {
        std::vector<Detection> boxes = random_boxes(layout, n, random);
        for (Detection& d : boxes) d.score = std::uniform_real_distribution<float>(0.0f, 1.0f)(random);
        if (n == 60) spoil(boxes);
        for (Detection& d : boxes)
          if (std::isinf(d.score)) d.score = 2;
        const NmsOptions options{method, {overlap, 0.3f, false, true, 0}};
        SCOPED_TRACE(describe(layout, n, options.rule));
        double margin = 0;
        const std::vector<double> expected = reference::soft(boxes, options, margin);
        ++all;
        if (margin < 1e-6) continue;
        ++checked;
        for (const RunNms& run : runs) {
          SCOPED_TRACE(run.name);
          ASSERT_NO_FATAL_FAILURE(expect_soft(run, boxes, options, expected));
        }
      }
  EXPECT_GT(2 * checked, all);
}

RunNms cpu(int threads) {
  return {std::to_string(threads) + " threads",
          [threads](std::span<const Detection> boxes, const NmsOptions& options) {
            return non_maximum_suppression_cpu(boxes, options, threads);
          }};
}

RunNms cuda(NmsMethod method, int variant) {
  return {test::nms_variant_name(method, variant),
          [variant](std::span<const Detection> boxes, const NmsOptions& options) {
            return test::nms_on_cuda(variant, boxes, options);
          }};
}

class NmsParity : public ::testing::TestWithParam<NmsMethod> {
 protected:
  static void check(NmsMethod method, const std::vector<RunNms>& runs) {
    if (method == NmsMethod::greedy || method == NmsMethod::mapreduce) {
      check_hard(method, runs);
    } else {
      check_soft(method, runs);
    }
  }
};

TEST_P(NmsParity, Cpu) {
  std::vector<RunNms> runs = {cpu(1)};
  if (GetParam() == NmsMethod::mapreduce) runs.push_back(cpu(0));
  check(GetParam(), runs);
}

TEST_P(NmsParity, Cuda) {
  if (const std::string why = test::why_no_cuda(); !why.empty()) GTEST_SKIP() << "no CUDA rows: " << why;
  std::vector<RunNms> runs;
  for (int variant = 0; variant < test::nms_variant_count(GetParam()); ++variant)
    runs.push_back(cuda(GetParam(), variant));
  check(GetParam(), runs);
}

std::string method_name(const ::testing::TestParamInfo<NmsMethod>& info) {
  constexpr const char* kNames[] = {"Greedy", "MapReduce", "SoftLinear", "SoftGaussian"};
  return kNames[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Methods, NmsParity,
                         ::testing::Values(NmsMethod::greedy, NmsMethod::mapreduce, NmsMethod::soft_linear,
                                           NmsMethod::soft_gaussian),
                         method_name);

// Many boxes of arbitrary floats: the same decisions on both devices, and with and without the index.
TEST(Nms, CpuAndCudaAgreeOnArbitraryFloats) {
  if (const std::string why = test::why_no_cuda(); !why.empty()) GTEST_SKIP() << "no CUDA rows: " << why;
  std::mt19937 random(test::test_seed());
  std::uniform_real_distribution<float> place(0, 3000), side(0.01f, 90), score(0, 1);
  for (const int n : {777, 4097, 20000, 65536}) {
    std::vector<Detection> boxes(static_cast<size_t>(n));
    for (Detection& d : boxes)
      d = {place(random), place(random), side(random), side(random), score(random), 0};
    for (int variant = 0; variant < test::nms_variant_count(NmsMethod::greedy); ++variant) {
      const NmsOptions options{NmsMethod::greedy, {NmsOverlap::iou, 0.3f, false, true, 0}};
      const Result<NmsResult> a = non_maximum_suppression_cpu(boxes, options);
      const Result<NmsResult> b = test::nms_on_cuda(variant, boxes, options);
      ASSERT_TRUE(a);
      ASSERT_TRUE(b) << b.error().message();
      EXPECT_EQ(a->kept, b->kept) << "n " << n << ' ' << test::nms_variant_name(NmsMethod::greedy, variant);
    }
  }
}

// The one-step rule keeps a subset of what the greedy rule keeps: in a chain, c goes although b is gone.
TEST(Nms, PublishedRuleOnAChain) {
  const std::vector<Detection> chain = {
      {0, 0, 10, 10, 0.9f, 0}, {4, 0, 10, 10, 0.8f, 0}, {8, 0, 10, 10, 0.7f, 0}};
  NmsOptions greedy{NmsMethod::greedy, {NmsOverlap::other, 0.5f, true, true, 1}};
  EXPECT_EQ(non_maximum_suppression_cpu(chain, greedy)->kept, (std::vector<int32_t>{0, 2}));
  EXPECT_EQ(non_maximum_suppression_cpu(chain, published_nms(0.5f))->kept, (std::vector<int32_t>{0}));
}

// What the source's zero padding would have removed.
TEST(Nms, NegativeScoresAreOrdinary) {
  const std::vector<Detection> boxes = {{0, 0, 10, 10, -0.9f, 0}, {100, 0, 10, 10, -2, 0}};
  EXPECT_EQ(non_maximum_suppression_cpu(boxes, published_nms(0.5f))->kept, (std::vector<int32_t>{0, 1}));
}

TEST(Nms, WrongRequestsAreRefused) {
  const std::vector<Detection> boxes(3);
  NmsOptions options;
  options.rule.threshold = std::nanf("");
  EXPECT_FALSE(non_maximum_suppression_cpu(boxes, options));
  options = {NmsMethod::soft_gaussian, {}, 0, 0.001f};
  EXPECT_FALSE(non_maximum_suppression_cpu(boxes, options));
  EXPECT_FALSE(check_nms_request(11, 10, {}));
  NmsOptions partitioned = published_nms(0.5f);
  partitioned.partitions = 32;
  EXPECT_TRUE(check_nms_request(3, 10, partitioned));
  EXPECT_EQ(non_maximum_suppression_cpu(boxes, partitioned).error().kind, ErrorKind::unsupported);
  partitioned.partitions = kMapReduceNmsMaxPartitions + 1;
  EXPECT_FALSE(check_nms_request(3, 10, partitioned));
  options = {};
  options.partitions = 32;
  EXPECT_FALSE(check_nms_request(3, 10, options));
}

}  // namespace
}  // namespace vantage
