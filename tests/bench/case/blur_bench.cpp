// blur_bench PROJECT…: of rendered projects that were run (`vantage-cli synth --persons`, `run`), what the
// blur of cases hides and keeps: with everybody hidden, and with each person of the truth kept in turn. A
// line a case, pictures that show hidden pixels, and a summary. Exit codes: 0 done, 1 failed, 2 wrong usage.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "core/algorithms.h"
#include "tests/unit/case/blur_truth.h"

namespace vantage::bench {
namespace {

// Upper end of the one-sided 95 % interval of a share, `found` of `all` (C. Clopper, E. Pearson, "The use of
// confidence or fiducial limits illustrated in the case of the binomial", 1934).
double upper_bound(int64_t found, int64_t all) {
  const auto n = static_cast<double>(all);
  const auto below = [&](double p) {  // probability of at most `found`
    double sum = 0;
    for (int64_t i = 0; i <= found; ++i) {
      const auto k = static_cast<double>(i);
      sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
                      (n - k) * std::log1p(-p));
    }
    return sum;
  };
  double low = 0, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (below(middle) > 0.05 ? low : high) = middle;
  }
  return found < all ? high : 1;
}

void print(const std::string& project, const test::BlurTruth& one) {
  std::string kept;
  for (const int64_t id : one.kept_ids) kept += " " + std::to_string(id);
  fmt::print("{} kept{}: {} of {} hidden pixels shown, {:.2f} % of {} kept, {} of {} pictures whole", project,
             kept.empty() ? " no one" : kept, one.shown, one.hidden, 100 * one.kept_share(), one.kept,
             one.doubted, one.pictures);
  for (const auto& [doubt, count] : one.doubts)
    fmt::print(" ({} {})", kBlurDoubtNames[static_cast<size_t>(doubt)], count);
  fmt::print("\n");
  for (const std::string& leak : one.leaks) fmt::print("  {}\n", leak);
  std::fflush(stdout);
}

int run(const std::vector<std::filesystem::path>& projects) {
  BackendRegistry registry;
  register_cpu_backends(registry);
  std::vector<double> shares;
  int64_t hidden = 0, shown = 0, pictures = 0, whole = 0, leaking = 0;
  for (const std::filesystem::path& project : projects) {
    std::vector<std::set<int64_t>> kept = {{}};
    for (const auto& [id, person] : test::true_persons(project)) kept.push_back({id});
    const auto truths = test::measure_blur(project, kept, {&registry, Device::cpu, {}});
    if (!truths) {
      fmt::print(stderr, "{}\n", truths.error().message());
      return 1;
    }
    for (const test::BlurTruth& one : *truths) {
      print(project.stem().string(), one);
      hidden += one.hidden, shown += one.shown, pictures += one.pictures, whole += one.doubted;
      leaking += static_cast<int64_t>(one.leaks.size());
      if (one.kept > 0) shares.push_back(one.kept_share());
    }
  }
  if (shares.empty()) return 0;
  std::sort(shares.begin(), shares.end());
  fmt::print(
      "all: {} of {} hidden pixels shown, in {} of {} pictures (at most {:.4f} % of pictures, 95 % "
      "confidence); "
      "kept share: median {:.2f} %, worst tenth {:.2f} %, of {}; {} pictures whole\n",
      shown, hidden, leaking, pictures - whole, 100 * upper_bound(leaking, pictures - whole),
      100 * shares[shares.size() / 2], 100 * shares[shares.size() / 10], shares.size(), whole);
  return 0;
}

}  // namespace
}  // namespace vantage::bench

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("usage: blur_bench PROJECT...\n", stderr);
    return 2;
  }
  return vantage::bench::run({arguments + 1, arguments + count});
}
