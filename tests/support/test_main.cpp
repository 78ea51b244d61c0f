// GoogleTest's main, with the instruction set that VANTAGE_SIMD names. It exits 77 where every case was
// skipped, which ctest shows as such. VANTAGE_TEST_TIMES: a file that gets a line a case (slowest_tests.py).
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "core/base/file.h"
#include "tests/support/choose_instruction_set.h"
#include "tests/support/own_home.h"

namespace {

double processor_seconds() {
  double seconds = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(whose, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

// PROGRAM,SUITE.CASE,PROCESSOR_S,ELAPSED_S: what the case took itself and what programs took that it ended.
class Times : public testing::EmptyTestEventListener {
 public:
  Times(std::string program, std::string file) : program_(std::move(program)), file_(std::move(file)) {}

 private:
  void OnTestStart(const testing::TestInfo& /*test*/) override { begin_s_ = processor_seconds(); }
  void OnTestEnd(const testing::TestInfo& test) override {
    if (test.result()->Skipped()) return;
    std::FILE* const file = std::fopen(file_.c_str(), "a");
    if (!file) return;
    fmt::print(file, "{},{}.{},{:.3f},{:.3f}\n", program_, test.test_suite_name(), test.name(),
               processor_seconds() - begin_s_, 1e-3 * static_cast<double>(test.result()->elapsed_time()));
    std::fclose(file);
  }

  std::string program_, file_;
  double begin_s_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  const auto home = vantage::TemporaryFolder::make("vantage-test-home");
  if (!home) {
    fmt::print(stderr, "{}\n", home.error().message());
    return 1;
  }
  const vantage::test::OwnHome own(home->path());
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  if (const char* const file = std::getenv("VANTAGE_TEST_TIMES"))
    tests.listeners().Append(new Times(std::filesystem::path(argv[0]).filename(), file));
  const int code = RUN_ALL_TESTS();
  const bool only_skipped =
      tests.skipped_test_count() > 0 && tests.skipped_test_count() == tests.test_to_run_count();
  return code == 0 && only_skipped ? 77 : code;
}
