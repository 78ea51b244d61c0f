// The custody log: entries of several programs at a time are one chain, and every change of it is found.
#include "core/seal/custody.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/base/file.h"
#include "core/base/process_owner.h"
#include "tests/support/data.h"

namespace vantage::test {
namespace {

class CustodyTest : public testing::Test {
 protected:
  CustodyLog log() const {
    const auto read = read_custody(log_);
    EXPECT_TRUE(read) << read.error().message();
    return read.value_or(CustodyLog());
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    std::istringstream text(read_file(log_).value());
    for (std::string line; std::getline(text, line);) lines.push_back(line + "\n");
    return lines;
  }
  void write(const std::vector<std::string>& lines) const {
    std::ofstream out(log_, std::ios::binary);
    for (const std::string& line : lines) out << line;
  }

  const TemporaryFolder folder_;
  const std::filesystem::path project_ = folder_.path() / "hall.vantage", log_ = custody_path(project_);
};

TEST_F(CustodyTest, BeginsWithWhatBeginsItAndThenNotesAll) {
  note_custody(project_, "opened");
  EXPECT_FALSE(std::filesystem::exists(log_));
  EXPECT_EQ(read_custody(log_).error().kind, ErrorKind::not_found);
  ASSERT_TRUE(begin_or_note_custody(project_, "sealed", {{"recording", "cam1.mp4"}}));
  note_custody(project_, "opened");
  const CustodyLog found = log();
  EXPECT_TRUE(found.faults.empty());
  ASSERT_EQ(found.entries.size(), 2U);
  EXPECT_EQ(found.entries[0].what, "sealed");
  EXPECT_EQ(found.entries[0].details.at("recording"), "cam1.mp4");
  EXPECT_EQ(found.entries[1].what, "opened");
  EXPECT_EQ(found.entries[1].user, this_process().user);
}

TEST_F(CustodyTest, ProgramsAtTheSameTimeAreOneChain) {
  constexpr int kPrograms = 4, kEntries = 10;
  ASSERT_TRUE(begin_or_note_custody(project_, "sealed"));
  for (int p = 0; p < kPrograms; ++p) {
    if (::fork() != 0) continue;
    for (int i = 0; i < kEntries; ++i) note_custody(project_, "opened");
    ::_exit(0);
  }
  for (int p = 0; p < kPrograms; ++p) ::wait(nullptr);
  const CustodyLog found = log();
  EXPECT_TRUE(found.faults.empty()) << found.faults[0];
  EXPECT_EQ(found.entries.size(), 1U + kPrograms * kEntries);
}

TEST_F(CustodyTest, EveryChangeIsFound) {
  for (const char* what : {"sealed", "opened", "case exported", "verified"})
    ASSERT_TRUE(begin_or_note_custody(project_, what));
  const std::vector<std::string> good = lines();
  ASSERT_EQ(good.size(), 8U);
  for (size_t at = 0; at < good.size(); ++at) {
    std::vector<std::string> changed = good;
    char& letter = changed[at][changed[at].size() / 2];
    letter = letter == 'A' ? 'B' : 'A';
    write(changed);
    EXPECT_FALSE(log().faults.empty()) << "line " << at;
    if (at + 2 >= good.size()) continue;  // the last entry can be cut off: a case's manifest has its hash
    changed = good;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(at));
    write(changed);
    EXPECT_FALSE(log().faults.empty()) << "without line " << at;
  }
}

// What a loss of power left of an entry stays, and the log goes on.
TEST_F(CustodyTest, AnIncompleteLineIsSaidAndContinued) {
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(begin_or_note_custody(project_, "opened"));
  std::vector<std::string> torn = lines();
  torn.pop_back();
  torn.back().resize(torn.back().size() / 2);
  write(torn);
  EXPECT_TRUE(log().faults.empty());
  EXPECT_EQ(log().torn_bytes, static_cast<int64_t>(torn.back().size()));
  note_custody(project_, "verified");
  const CustodyLog found = log();
  EXPECT_TRUE(found.faults.empty()) << found.faults[0];
  EXPECT_EQ(found.torn_bytes, static_cast<int64_t>(torn.back().size()) + 1);
  EXPECT_EQ(found.entries.size(), 2U);
}

}  // namespace
}  // namespace vantage::test
