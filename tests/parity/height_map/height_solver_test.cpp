// Belief propagation on heights: the double-precision reference against every device.
//
// Labels must be the reference's except where its two best beliefs differ by less than kTie: the sum of a
// hundred roundings of messages of a few units is below 1e-4. With 16-bit messages the tie is kHalfTie (a
// message below 2 is rounded to 2^-10 and five of them are added), and at least 99 % of the pixels outside
// such ties must agree.
#include "core/height_map/height_map.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/reference/height_map.h"
#include "tests/support/backends.h"
#include "tests/support/height_problem.h"
#include "tests/support/instruction_sets.h"

namespace vantage {
namespace {

constexpr double kTie = 1e-4;
constexpr double kHalfTie = 5e-3;

unsigned new_seed() {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  return seed;
}

reference::HeightProblem reference_of(const test::HeightFixture& fixture, const HeightMapParameters& p) {
  reference::HeightProblem problem;
  const int w = fixture.costs.width, h = fixture.costs.height;
  problem.width = w, problem.height = h, problem.heights = p.heights;
  // The product's costs are floats.
  problem.step_cost = static_cast<double>(static_cast<float>(p.lambda * p.step_m));
  problem.jump_cost = static_cast<double>(static_cast<float>(p.lambda * p.no_head_jump_m));
  problem.damping = static_cast<double>(static_cast<float>(p.damping));
  const auto costs = fixture.costs.costs.view<float>();
  const auto right = fixture.arguments.shifts.right.view<float>();
  const auto down = fixture.arguments.shifts.down.view<float>();
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      for (int k = 0; k <= p.heights; ++k)
        problem.cost.push_back(static_cast<double>(costs.at(x, k * h + y)));
      problem.right.push_back(static_cast<double>(right.at(x, y)));
      problem.down.push_back(static_cast<double>(down.at(x, y)));
    }
  return problem;
}

// As the source reports it.
struct Disagreement {
  int pixels = 0, wrong_height = 0, wrong_presence = 0, ties = 0;
  double height_difference_m = 0;
  int wrong() const { return wrong_height + wrong_presence; }
};

Disagreement compare(const ImageView<const uint8_t>& labels, const std::vector<std::vector<double>>& beliefs,
                     const HeightLabels& scale, double tie) {
  Disagreement result;
  for (int y = 0; y < labels.height; ++y)
    for (int x = 0; x < labels.width; ++x) {
      ++result.pixels;
      const std::vector<double>& belief = beliefs[y * labels.width + x];
      const int expected = reference::HeightBeliefs::best(belief), found = labels.at(x, y);
      if (found == expected) continue;
      if (belief.at(found) - belief[expected] < tie) {
        ++result.ties;
      } else if ((found == scale.no_head()) != (expected == scale.no_head())) {
        ++result.wrong_presence;
      } else {
        ++result.wrong_height;
        result.height_difference_m += std::abs(found - expected) * scale.step_m;
      }
    }
  return result;
}

std::ostream& operator<<(std::ostream& out, const Disagreement& d) {
  return out << d.wrong_height << " wrong heights, " << d.wrong_presence << " wrong presences, " << d.ties
             << " ties of " << d.pixels << " pixels, mean height difference "
             << (d.wrong_height > 0 ? d.height_difference_m / d.wrong_height : 0.0) << " m";
}

HeightMapParameters small_parameters(int heights) {
  HeightMapParameters p;
  p.heights = heights;
  p.iterations = 30;
  return p;
}

class HeightMapParity : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!device_.has<HeightSolver>()) GTEST_SKIP() << device_.why_missing();
  }

  struct Solved {
    HeightMap map;
    Image labels, unsettled;  // on the host
  };

  Solved solve(const test::HeightFixture& fixture, const HeightMapParameters& p,
               HeightSolveRequest request = {}) {
    const auto solver = device_.create<HeightSolver>(fixture.arguments);
    return solve(*solver, fixture, p, std::move(request));
  }
  Solved solve(HeightSolver& solver, const test::HeightFixture& fixture, const HeightMapParameters& p,
               HeightSolveRequest request = {}) {
    solver.set_parameters(p);
    CostVolume costs = fixture.costs;
    costs.costs = device_.to_device(costs.costs);
    Solved solved{solver.solve(costs, request, 3).value(), {}, {}};
    solved.labels = device_.to_host(solved.map.labels);
    solved.unsettled = device_.to_host(solved.map.unsettled);
    return solved;
  }

  void expect_reference(const test::HeightCase& size, const HeightMapParameters& p, unsigned seed) {
    const test::HeightFixture fixture = test::height_fixture(size, p, seed);
    const Solved solved = solve(fixture, p);
    const reference::HeightProblem problem = reference_of(fixture, p);
    const auto beliefs = reference::HeightBeliefs::closed_beliefs(problem, p.iterations);
    const Disagreement d = compare(solved.labels.view<uint8_t>(), beliefs, p.labels(), kTie);
    EXPECT_EQ(d.wrong(), 0) << d << " at " << size.width << "x" << size.height << "x" << size.heights;
    std::vector<int> labelling;
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) labelling.push_back(solved.labels.view<uint8_t>().at(x, y));
    ASSERT_FALSE(solved.map.checks.empty());
    EXPECT_EQ(solved.map.checks.back().iteration, p.iterations);
    const double energy = problem.energy(labelling);
    EXPECT_NEAR(solved.map.checks.back().energy, energy, 1e-5 * (1 + std::abs(energy)));
  }

  test::DeviceUnderTest device_{GetParam()};
};

constexpr test::HeightCase kCases[] = {{1, 1, 2},      {1, 9, 3},      {9, 1, 5},        {2, 2, 24},
                                       {7, 5, 8},      {33, 6, 9},     {34, 7, 24, 0.0}, {35, 9, 17},
                                       {21, 8, 33, 4}, {19, 6, 64, 40}};

TEST_P(HeightMapParity, LabelsAndEnergyAreTheReferences) {
  const unsigned seed = new_seed();
  for (const test::HeightCase& size : kCases) {
    HeightMapParameters p = small_parameters(size.heights);
    for (const MessageMethod method : {MessageMethod::linear, MessageMethod::published}) {
      p.method = method;
      expect_reference(size, p, seed);
    }
  }
}

TEST_P(HeightMapParity, AnyNumberOfIterationsAndDamping) {
  const unsigned seed = new_seed();
  HeightMapParameters p = small_parameters(11);
  for (const int iterations : {1, 2, 3, 10, 21})
    for (const double damping : {0.0, 0.4}) {
      p.iterations = iterations;
      p.damping = damping;
      expect_reference({23, 10, 11}, p, seed);
    }
}

// Without damping the closing half-step has been sent: beliefs are those of one iteration more.
TEST_P(HeightMapParity, APixelsBeliefIsTheReferences) {
  const unsigned seed = new_seed();
  const test::HeightCase size{13, 9, 11};
  for (const double damping : {0.0, 0.4}) {
    HeightMapParameters p = small_parameters(size.heights);
    p.damping = damping;
    const test::HeightFixture fixture = test::height_fixture(size, p, seed);
    const auto solver = device_.create<HeightSolver>(fixture.arguments);
    EXPECT_FALSE(solver->belief_of(0, 0));
    solve(*solver, fixture, p);
    EXPECT_FALSE(solver->belief_of(size.width, 0));
    const auto beliefs = reference::HeightBeliefs::closed_beliefs(reference_of(fixture, p),
                                                                  p.iterations + (damping > 0 ? 0 : 1));
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const PixelBelief found = solver->belief_of(x, y).value();
        const std::vector<double>& expected = beliefs[y * size.width + x];
        ASSERT_EQ(found.belief.size(), expected.size());
        EXPECT_EQ(found.messages[0].empty(), x == 0);
        EXPECT_EQ(found.messages[3].empty(), y + 1 == size.height);
        const double least = *std::min_element(expected.begin(), expected.end());
        const float found_min = *std::min_element(found.belief.begin(), found.belief.end());
        for (size_t k = 0; k < expected.size(); ++k)
          ASSERT_NEAR(found.belief[k] - found_min, expected[k] - least, 1e-4)
              << x << ", " << y << " label " << k << " damping " << damping;
      }
  }
}

TEST_P(HeightMapParity, HowOftenOneLooksChangesNothing) {
  const test::HeightCase size{40, 25, 24};
  HeightMapParameters p = small_parameters(24);
  const test::HeightFixture fixture = test::height_fixture(size, p, new_seed());
  p.check_every = 1000;
  const Solved once = solve(fixture, p);
  EXPECT_EQ(once.map.checks.size(), 1u);
  for (const int every : {1, 3, 7}) {
    p.check_every = every;
    const Solved often = solve(fixture, p);
    EXPECT_EQ(often.map.checks.size(), static_cast<size_t>((30 + every - 1) / every));
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        ASSERT_EQ(often.labels.view<uint8_t>().at(x, y), once.labels.view<uint8_t>().at(x, y)) << every;
    EXPECT_DOUBLE_EQ(often.map.checks.back().energy, once.map.checks.back().energy);
  }
}

TEST_P(HeightMapParity, LinearEqualsPublishedAndSaysSoInTheSourcesTerms) {
  const test::HeightCase size{80, 51, 24};
  HeightMapParameters p = small_parameters(24);
  p.iterations = 40;
  const test::HeightFixture fixture = test::height_fixture(size, p, new_seed());
  const auto beliefs = reference::HeightBeliefs::closed_beliefs(reference_of(fixture, p), p.iterations);
  for (const MessageMethod method : {MessageMethod::linear, MessageMethod::published}) {
    p.method = method;
    const Disagreement d = compare(solve(fixture, p).labels.view<uint8_t>(), beliefs, p.labels(), kTie);
    std::cout << (method == MessageMethod::linear ? "linear: " : "published: ") << d << "\n";
    EXPECT_EQ(d.wrong(), 0);
  }
}

TEST_P(HeightMapParity, SixteenBitsAgreeNearlyEverywhere) {
  if (GetParam() == Device::cpu) GTEST_SKIP() << "the CPU keeps 32 bits";
  const unsigned seed = new_seed();
  for (const double lambda : {1.0, 4.0, 16.0}) {
    const test::HeightCase size{80, 51, 24};
    HeightMapParameters p = small_parameters(24);
    p.iterations = 40;
    p.lambda = lambda;
    p.precision = MessagePrecision::fp16;
    const test::HeightFixture fixture = test::height_fixture(size, p, seed);
    const auto beliefs = reference::HeightBeliefs::closed_beliefs(reference_of(fixture, p), p.iterations);
    const Disagreement d = compare(solve(fixture, p).labels.view<uint8_t>(), beliefs, p.labels(), kHalfTie);
    std::cout << "fp16, lambda " << lambda << ": " << d << "\n";
    EXPECT_LE(d.wrong(), d.pixels / 100);
  }
}

TEST_P(HeightMapParity, ItStopsEarlyAndStartsWarm) {
  HeightMapParameters p = small_parameters(24);
  p.iterations = 400;
  p.check_every = 3;
  p.lambda = 8;  // far-reaching: not settled at the first looks
  p.settled_share = 0.002;
  p.damping = 0.2;
  const test::HeightFixture fixture = test::height_fixture({60, 40, 24}, p, new_seed());
  const auto solver = device_.create<HeightSolver>(fixture.arguments);
  const Solved cold = solve(*solver, fixture, p);
  ASSERT_TRUE(cold.map.settled) << cold.map.checks.back().changed << " pixels changed last";
  EXPECT_LT(cold.map.checks.back().iteration, 400);
  int64_t unsettled = 0;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 60; ++x) unsettled += cold.unsettled.view<uint8_t>().at(x, y) == 255;
  EXPECT_EQ(unsettled, cold.map.checks.back().changed);
  // The same again: from the messages before it is settled sooner, from none it takes as long as it did.
  HeightSolveRequest warm;
  warm.warm_start = true;
  const Solved again = solve(*solver, fixture, p, warm);
  EXPECT_LT(again.map.checks.size(), cold.map.checks.size());
  EXPECT_LE(again.map.checks.front().energy, cold.map.checks.front().energy);
  EXPECT_EQ(solve(*solver, fixture, p).map.checks.size(), cold.map.checks.size());
}

TEST_P(HeightMapParity, EveryLookIsReportedAndMayEndIt) {
  HeightMapParameters p = small_parameters(8);
  const test::HeightFixture fixture = test::height_fixture({20, 20, 8}, p, new_seed());
  int looks = 0;
  HeightSolveRequest request;
  request.on_check = [&](const HeightMap& map) {
    EXPECT_EQ(map.checks.size(), static_cast<size_t>(++looks));
    return looks < 2;
  };
  EXPECT_EQ(solve(fixture, p, request).map.checks.back().iteration, 20);
  EXPECT_EQ(looks, 2);
}

TEST_P(HeightMapParity, LooksAreTheSameWhoeverListens) {
  HeightMapParameters p = small_parameters(8);
  p.iterations = 100;
  p.check_every = 3;  // more looks than are enqueued at once
  const test::HeightFixture fixture = test::height_fixture({20, 21, 8}, p, new_seed());
  HeightSolveRequest request;
  request.on_check = [](const HeightMap&) { return true; };
  const Solved heard = solve(fixture, p, request), unheard = solve(fixture, p);
  ASSERT_EQ(heard.map.checks.size(), 34u);
  ASSERT_EQ(unheard.map.checks.size(), 34u);
  for (size_t i = 0; i < 34; ++i) {
    EXPECT_EQ(unheard.map.checks[i].iteration, heard.map.checks[i].iteration);
    EXPECT_EQ(unheard.map.checks[i].energy, heard.map.checks[i].energy);
    EXPECT_EQ(unheard.map.checks[i].changed, heard.map.checks[i].changed);
  }
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 20; ++x) {
      EXPECT_EQ(unheard.labels.view<uint8_t>().at(x, y), heard.labels.view<uint8_t>().at(x, y));
      EXPECT_EQ(unheard.unsettled.view<uint8_t>().at(x, y), heard.unsettled.view<uint8_t>().at(x, y));
    }
}

TEST_P(HeightMapParity, WrongArgumentsAndTooLargeProblemsAreRefused) {
  HeightMapParameters p = small_parameters(8);
  const test::HeightFixture fixture = test::height_fixture({20, 12, 8}, p, 1);
  const auto solver = device_.create<HeightSolver>(fixture.arguments);
  solver->set_parameters(p);
  EXPECT_FALSE(solver->solve({}, {}, 0));
  CostVolume other = fixture.costs;
  other.labels.lowest_m = 1;
  other.costs = device_.to_device(other.costs);
  EXPECT_FALSE(solver->solve(other, {}, 0));
  const HeightMapParameters large = small_parameters(24);
  const test::HeightFixture wide = test::height_fixture({300, 200, 24}, large, 1);
  const auto limited = device_.create<HeightSolver>(wide.arguments);
  HeightMapParameters tight = large;
  tight.memory_limit_mb = 5;
  limited->set_parameters(tight);
  CostVolume costs = wide.costs;
  costs.costs = device_.to_device(costs.costs);
  const Result<HeightMap> refused = limited->solve(costs, {}, 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::out_of_memory);
  EXPECT_NE(refused.error().message().find("are needed, available: 5 MB"), std::string::npos)
      << refused.error().message();
}

INSTANTIATE_TEST_SUITE_P(Devices, HeightMapParity, ::testing::Values(Device::cpu, Device::cuda),
                         test::device_test_name);

// Every instruction set of the CPU.
TEST(HeightMapInstructionSets, GiveTheReferencesLabels) {
  HeightMapParameters p = small_parameters(24);
  const test::HeightFixture fixture = test::height_fixture({37, 12, 24}, p, new_seed());
  const auto beliefs = reference::HeightBeliefs::closed_beliefs(reference_of(fixture, p), p.iterations);
  test::DeviceUnderTest device(Device::cpu);
  test::for_each_instruction_set([&] {
    const auto solver = device.create<HeightSolver>(fixture.arguments);
    solver->set_parameters(p);
    const HeightMap map = solver->solve(fixture.costs, {}, 0).value();
    EXPECT_EQ(compare(map.labels.view<uint8_t>(), beliefs, p.labels(), kTie).wrong(), 0);
  });
}

// The reference itself.
TEST(HeightMapReference, CheckerboardEqualsSynchronousOfTheSameAge) {
  HeightMapParameters p = small_parameters(6);
  const test::HeightFixture fixture = test::height_fixture({9, 7, 6}, p, new_seed());
  const reference::HeightProblem problem = reference_of(fixture, p);
  for (const int age : {1, 2, 5, 8}) {
    reference::HeightBeliefs synchronous(problem), checkerboard(problem);
    synchronous.iterate(reference::HeightSchedule::synchronous, age);
    checkerboard.iterate(reference::HeightSchedule::checkerboard, age);
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 9; ++x) {
        if (checkerboard.is_sender(x, y)) continue;
        const auto expected = synchronous.belief(x, y), found = checkerboard.belief(x, y);
        for (size_t k = 0; k < expected.size(); ++k) ASSERT_DOUBLE_EQ(found[k], expected[k]) << age;
      }
  }
}

// On a chain belief propagation is exact: the labelling has the least energy of all.
TEST(HeightMapReference, IsExactOnAChain) {
  HeightMapParameters p = small_parameters(3);
  const unsigned seed = new_seed();
  for (unsigned i = 0; i < 20; ++i) {
    const test::HeightFixture fixture = test::height_fixture({5, 1, 3}, p, seed + i);
    const reference::HeightProblem problem = reference_of(fixture, p);
    std::vector<int> found;
    for (const auto& belief : reference::HeightBeliefs::closed_beliefs(problem, 12))
      found.push_back(reference::HeightBeliefs::best(belief));
    double least = 1e300;
    std::vector<int> labelling(5);
    for (int code = 0; code < 1024; ++code) {
      for (int x = 0, rest = code; x < 5; ++x, rest /= 4) labelling[x] = rest % 4;
      least = std::min(least, problem.energy(labelling));
    }
    EXPECT_NEAR(problem.energy(found), least, 1e-9);
  }
}

}  // namespace
}  // namespace vantage
