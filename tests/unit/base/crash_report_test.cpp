#include "core/base/crash_report.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/base/file.h"
#include "core/base/log.h"
#include "tests/support/data.h"
#include "tests/support/own_home.h"

namespace vantage {
namespace {

class CrashReport : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers write reports of their own";
#endif
  }
  // The only report in the folder.
  static std::string report_in(const std::filesystem::path& folder) {
    const auto reports = crash_reports(folder);
    EXPECT_EQ(reports.size(), 1u);
    if (reports.empty()) return {};
    struct stat status = {};
    EXPECT_EQ(::stat(reports[0].c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 077, 0u) << "others can read it";
    return read_file(reports[0]).value();
  }

  const test::TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  const test::OwnHome home_{folder_};
};

void die(const std::filesystem::path& results) {
  report_crashes("vantage-test", "1.2.3");
  set_crash_report_device("a device");
  set_crash_report_copy(results);
  log_warning("camera rtsp://anna:secret@10.0.0.1/stream is late");
  std::raise(SIGSEGV);
}

TEST_F(CrashReport, SaysWhatIsKnownAndNoPassword) {
  std::filesystem::create_directory(folder_ / "results");
  EXPECT_EXIT(die(folder_ / "results"), testing::KilledBySignal(SIGSEGV),
              "what is known of it: .*crash-.*txt");
  const std::string report = report_in(folder_ / "vantage" / "crashes");
  for (const char* words : {"vantage-test 1.2.3", build_id().c_str(), "instruction set: ", "SIGSEGV",
                            "device: a device", "stack", "camera rtsp://***@10.0.0.1/stream is late"})
    EXPECT_NE(report.find(words), std::string::npos) << words << " is not in\n" << report;
  EXPECT_EQ(report.find("secret"), std::string::npos);
  EXPECT_NE(report.find("base_test(+0x"), std::string::npos) << "no line of the stack is of this program\n"
                                                             << report;
  EXPECT_EQ(report_in(folder_ / "results"), report);
}

TEST(BuildId, IsThatOfTheProgram) {
  EXPECT_GE(build_id().size(), 16u);
  EXPECT_EQ(build_id().find_first_not_of("0123456789abcdef"), std::string::npos) << build_id();
}

TEST_F(CrashReport, NewestComesFirst) {
  for (const char* name : {"crash-20260101T000000Z-7.txt", "crash-20260301T000000Z-9.txt", "notes.txt"})
    ASSERT_TRUE(write_file_atomically(folder_ / name, "x"));
  const auto reports = crash_reports(folder_);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].filename(), "crash-20260301T000000Z-9.txt");
  EXPECT_TRUE(crash_reports(folder_ / "nowhere").empty());
}

}  // namespace
}  // namespace vantage
