// What stages made, kept on disk: damaged, truncated, too much, of another build, of two processes.
#include "core/pipeline/kept_frames.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

class KeptFramesTest : public testing::Test {
 protected:
  fs::path file(std::string_view name) const { return folder_.path() / "kept" / name; }
  std::unique_ptr<KeptFrames> open(int64_t max_bytes = KeptFrames::kDefaultMaxBytes) const {
    return std::make_unique<KeptFrames>(folder_.path() / "kept", max_bytes);
  }
  const test::TemporaryFolder folder_;
};

const std::string kPeople1 = kept_file_name("people", 1);

TEST_F(KeptFramesTest, FindsWhatAnotherRunWrote) {
  open()->write("people", 1, 7, "seven", false);
  const auto kept = open();
  EXPECT_EQ(kept->read("people", 1, 7), "seven");
  EXPECT_FALSE(kept->read("people", 1, 8));
  EXPECT_FALSE(kept->read("people", 2, 7)) << "another version";
  EXPECT_FALSE(kept->read("floor", 1, 7)) << "another stage";
  kept->write("people", 1, 7, "other", false);
  EXPECT_EQ(kept->read("people", 1, 7), "seven") << "it is there";
  kept->write("people", 1, 7, "more", true);
  EXPECT_EQ(open()->read("people", 1, 7), "more") << "the last one counts";
}

TEST_F(KeptFramesTest, DropsRecordsThatWereCutOff) {
  {
    const auto kept = open();
    kept->write("people", 1, 0, "first", false);
    kept->write("people", 1, 1, "second", false);
  }
  fs::resize_file(file(kPeople1), fs::file_size(file(kPeople1)) - 3);
  const auto kept = open();
  EXPECT_EQ(kept->read("people", 1, 0), "first");
  EXPECT_FALSE(kept->read("people", 1, 1));
  kept->write("people", 1, 1, "again", false);
  EXPECT_EQ(open()->read("people", 1, 1), "again") << "written behind what was whole";
}

TEST_F(KeptFramesTest, DamagedRecordsAreAbsent) {
  open()->write("people", 1, 0, "figures", false);
  const auto at = static_cast<std::streamoff>(fs::file_size(file(kPeople1)) - 2);
  std::fstream(file(kPeople1), std::ios::in | std::ios::out | std::ios::binary).seekp(at).put('X');
  const auto kept = open();
  EXPECT_FALSE(kept->read("people", 1, 0));
  kept->write("people", 1, 0, "figures", false);
  EXPECT_EQ(kept->read("people", 1, 0), "figures");
}

TEST_F(KeptFramesTest, FilesWithoutTheMarkBeginAgain) {
  fs::create_directories(folder_.path() / "kept");
  ASSERT_TRUE(write_file_atomically(file(kPeople1), "kept by a program of long ago, and longer than a mark"));
  const auto kept = open();
  EXPECT_FALSE(kept->read("people", 1, 0));
  kept->write("people", 1, 0, "new", false);
  EXPECT_EQ(open()->read("people", 1, 0), "new");
}

// What another build made stays its own.
TEST_F(KeptFramesTest, FilesOfOtherBuildsAreNotRead) {
  open()->write("people", 1, 0, "ours", false);
  const fs::path other = file("people-0000000000000001-00000000.kept");
  fs::rename(file(kPeople1), other);
  const auto kept = open();
  EXPECT_FALSE(kept->read("people", 1, 0));
  kept->write("people", 1, 0, "new", false);
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(KeptFramesTest, TheLeastRecentlyUsedGoFirst) {
  const std::string record(1000, 'x');
  for (uint64_t version = 1; version <= 3; ++version) open()->write("people", version, 0, record, false);
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(file(kept_file_name("people", 2)), old);
  open(3500)->write("people", 4, 0, record, false);
  const auto kept = open();
  EXPECT_FALSE(kept->read("people", 2, 0));
  for (const uint64_t version : {1, 3, 4}) EXPECT_TRUE(kept->read("people", version, 0)) << version;
  EXPECT_LE(kept->bytes(), 3500);
}

TEST_F(KeptFramesTest, StopsAtItsLimit) {
  const auto kept = open(2500);
  const std::string record(1000, 'x');
  for (int64_t frame = 0; frame < 10; ++frame) kept->write("people", 1, frame, record, false);
  EXPECT_LE(kept->bytes(), 2500);
  EXPECT_EQ(kept->read("people", 1, 0), record);
  EXPECT_FALSE(kept->read("people", 1, 9));
}

TEST_F(KeptFramesTest, WithoutALimitItOnlyReads) {
  open()->write("people", 1, 0, "there", false);
  const auto kept = open(0);
  EXPECT_EQ(kept->read("people", 1, 0), "there");
  kept->write("people", 1, 1, "not", false);
  EXPECT_FALSE(kept->read("people", 1, 1));
}

TEST_F(KeptFramesTest, OneOfTwoWritesAFile) {
  const auto first = open(), second = open();
  first->write("people", 1, 0, "first", false);
  second->write("people", 1, 1, "second", false);
  first->write("people", 1, 2, "third", false);
  const auto later = open(0);
  EXPECT_EQ(later->read("people", 1, 0), "first");
  EXPECT_FALSE(later->read("people", 1, 1));
  EXPECT_EQ(later->read("people", 1, 2), "third");
}

TEST_F(KeptFramesTest, AFolderThatCannotBeIsNoError) {
  ASSERT_TRUE(write_file_atomically(folder_.path() / "kept", "a file"));
  const auto kept = open();
  kept->write("people", 1, 0, "nowhere", false);
  EXPECT_FALSE(kept->read("people", 1, 0));
}

}  // namespace
}  // namespace vantage
