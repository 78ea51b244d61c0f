#include "core/base/instruction_sets.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <sstream>

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

#if defined(__x86_64__) && defined(__linux__)
// What the kernel says of this CPU is found, and nothing else.
TEST(InstructionSetChoice, TheCpuHasWhatTheKernelSays) {
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string line; flags.empty() && std::getline(file, line);)
    if (line.starts_with("flags")) {
      std::istringstream words(line.substr(line.find(':') + 1));
      for (std::string word; words >> word;) flags.insert(word);
    }
  ASSERT_FALSE(flags.empty());
  const std::map<std::string, std::string> in_kernel = {{"sse3", "pni"},      {"sse4.1", "sse4_1"},
                                                        {"sse4.2", "sse4_2"}, {"pclmul", "pclmulqdq"},
                                                        {"bmi", "bmi1"},      {"lzcnt", "abm"}};
  for (const InstructionSet& set : instruction_sets()) {
    bool all = true;
    for (const std::string& extension : set.extensions) {
      const auto renamed = in_kernel.find(extension);
      const bool there = flags.contains(renamed == in_kernel.end() ? extension : renamed->second);
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
