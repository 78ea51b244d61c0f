#include "core/base/instruction_sets.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <span>

#include "tests/support/instruction_sets.h"
#include "tests/unit/base/which_target.h"

namespace vantage {
namespace {

// What the environment says while one of these lives.
class Environment {
 public:
  explicit Environment(const char* value) {
    if (const char* before = std::getenv(kInstructionSetVariable)) before_ = before, was_set_ = true;
    if (value != nullptr)
      setenv(kInstructionSetVariable, value, 1);
    else
      unsetenv(kInstructionSetVariable);
  }
  ~Environment() {
    if (was_set_)
      setenv(kInstructionSetVariable, before_.c_str(), 1);
    else
      unsetenv(kInstructionSetVariable);
    EXPECT_TRUE(use_instruction_set_of_environment());
  }

 private:
  std::string before_;
  bool was_set_ = false;
};

const InstructionSet& best() {
  const auto& sets = instruction_sets();
  return *std::find_if(sets.rbegin(), sets.rend(), [](const InstructionSet& set) { return set.usable(); });
}

TEST(InstructionSetChoice, TheLowestIsAlwaysThereAndEachAsksForMore) {
  const auto& sets = instruction_sets();
  ASSERT_FALSE(sets.empty());
  EXPECT_TRUE(sets.front().usable());
  EXPECT_TRUE(sets.front().extensions.empty());
  for (size_t i = 1; i < sets.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(sets[i - 1].extensions,
                                   std::span(sets[i].extensions).first(sets[i - 1].extensions.size())))
        << sets[i].name;
    EXPECT_EQ(sets[i].in_cpu && !sets[i].missing.empty(), false) << sets[i].name;
  }
}

TEST(InstructionSetChoice, TheCodeOfTheChosenSetRuns) {
  std::set<int64_t> ran;
  size_t tried = 0;
  test::for_each_instruction_set([&] {
    const int64_t target = test::target_that_runs();
    // Better targets have lower bits.
    if (!ran.empty()) {
      EXPECT_LT(target, *ran.begin());
    }
    ran.insert(target);
    ++tried;
    // Asking Highway must not switch on again what was switched off.
    hwy::SupportedTargets();
    EXPECT_EQ(test::target_that_runs(), target);
  });
  EXPECT_EQ(ran.size(), tried);
  const auto usable = std::ranges::count_if(instruction_sets(), &InstructionSet::usable);
  EXPECT_EQ(tried, static_cast<size_t>(usable));
}

#ifdef __x86_64__
// Where CPUID says that the CPU has an extension (Intel, "Software Developer's Manual", volume 2, CPUID; AMD,
// "Programmer's Manual", volume 3, appendix E), and the registers that the system must keep for it.
// /proc/cpuinfo would not do: a kernel may leave out what it does not use itself (one did for LZCNT).
struct CpuidBit {
  unsigned leaf;
  char from;  // a register: 'b' or 'c'
  int bit;
  unsigned kept;  // of XCR0
};
constexpr unsigned kNone = 0, kYmm = 0x06, kZmm = 0xE6;
const std::map<std::string, CpuidBit>& cpuid_bits() {
  static const std::map<std::string, CpuidBit> bits = {
      {"sse3", {1, 'c', 0, kNone}},          {"pclmul", {1, 'c', 1, kNone}},
      {"ssse3", {1, 'c', 9, kNone}},         {"fma", {1, 'c', 12, kYmm}},
      {"sse4.1", {1, 'c', 19, kNone}},       {"sse4.2", {1, 'c', 20, kNone}},
      {"popcnt", {1, 'c', 23, kNone}},       {"aes", {1, 'c', 25, kNone}},
      {"avx", {1, 'c', 28, kYmm}},           {"f16c", {1, 'c', 29, kYmm}},
      {"bmi", {7, 'b', 3, kNone}},           {"avx2", {7, 'b', 5, kYmm}},
      {"bmi2", {7, 'b', 8, kNone}},          {"avx512f", {7, 'b', 16, kZmm}},
      {"avx512dq", {7, 'b', 17, kZmm}},      {"avx512cd", {7, 'b', 28, kZmm}},
      {"avx512bw", {7, 'b', 30, kZmm}},      {"avx512vl", {7, 'b', 31, kZmm}},
      {"lzcnt", {0x80000001, 'c', 5, kNone}}};
  return bits;
}

unsigned kept_registers() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  __cpuid(1, a, b, c, d);
  if (!(c >> 27 & 1)) return 0;  // no XGETBV
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

bool cpu_says(const CpuidBit& asked) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(asked.leaf, 0, &a, &b, &c, &d)) return false;
  const bool there = (asked.from == 'b' ? b : c) >> asked.bit & 1;
  return there && (kept_registers() & asked.kept) == asked.kept;
}

TEST(InstructionSetChoice, TheCpuHasWhatItSays) {
  for (const InstructionSet& set : instruction_sets()) {
    bool all = true;
    for (const std::string& extension : set.extensions) {
      ASSERT_TRUE(cpuid_bits().contains(extension)) << extension;
      const bool there = cpu_says(cpuid_bits().at(extension));
      EXPECT_EQ(std::ranges::count(set.missing, extension), there ? 0 : 1) << extension;
      all = all && there;
    }
    EXPECT_EQ(set.in_cpu, all) << set.name;
  }
}
#endif

TEST(InstructionSetChoice, TheEnvironmentLowersIt) {
  for (const InstructionSet& set : instruction_sets()) {
    const Environment environment(set.name.c_str());
    const Status used = use_instruction_set_of_environment();
    EXPECT_EQ(used.has_value(), set.usable()) << set.name;
    if (used)
      EXPECT_EQ(instruction_set_in_use().name, set.name);
    else
      EXPECT_EQ(used.error().kind, ErrorKind::unsupported);
  }
  for (const char* nothing : {static_cast<const char*>(nullptr), ""}) {
    const Environment environment(nothing);
    ASSERT_TRUE(use_instruction_set_of_environment());
    EXPECT_EQ(instruction_set_in_use().name, best().name);
  }
}

TEST(InstructionSetChoice, AnUnknownNameSaysWhatThereIs) {
  const std::string before = instruction_set_in_use().name;
  const Environment environment("sse9");
  const Status used = use_instruction_set_of_environment();
  ASSERT_FALSE(used);
  EXPECT_EQ(used.error().kind, ErrorKind::invalid_argument);
  EXPECT_TRUE(used.error().message().starts_with("VANTAGE_SIMD: there is no instruction set 'sse9'. "))
      << used.error().message();
  EXPECT_NE(used.error().message().find(best().name), std::string::npos);
  EXPECT_EQ(instruction_set_in_use().name, before) << "nothing changes";
}

}  // namespace
}  // namespace vantage
