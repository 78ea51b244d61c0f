#include "core/base/output_folder.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

TEST(OutputFolder, WhatAKilledProgramLeftGoesWithTheNextOne) {
  const test::TemporaryFolder folder;
  const fs::path place = folder.path() / "merged";
  fs::create_directories(folder.path() / ".merged.aB3xYz/floor");
  fs::create_directory(folder.path() / ".merged.keep");
  fs::create_directory(folder.path() / ".other.aB3xYz");
  ASSERT_TRUE(write_file_atomically(folder.path() / ".merged.a1b2c3", "a file is no such folder"));
  const Result<OutputFolder> output = OutputFolder::make(place);
  ASSERT_TRUE(output) << output.error().message();
  EXPECT_FALSE(fs::exists(folder.path() / ".merged.aB3xYz"));
  for (const char* name : {".merged.keep", ".other.aB3xYz", ".merged.a1b2c3"})
    EXPECT_TRUE(fs::exists(folder.path() / name)) << name;
}

TEST(OutputFolder, TwoAtOnceLeaveEachOtherAlone) {
  const test::TemporaryFolder folder;
  Result<OutputFolder> first = OutputFolder::make(folder.path() / "merged"),
                       second = OutputFolder::make(folder.path() / "merged");
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(fs::exists(first->staging()));
  ASSERT_TRUE(write_file_atomically(first->staging() / "one", "1"));
  ASSERT_TRUE(first->publish());
  ASSERT_TRUE(write_file_atomically(second->staging() / "two", "2"));
  ASSERT_TRUE(second->publish());
  EXPECT_TRUE(fs::exists(folder.path() / "merged/one"));
  EXPECT_TRUE(fs::exists(folder.path() / "merged/two"));
}

TEST(TemporaryFolder, GoesWithWhatIsInIt) {
  std::filesystem::path first;
  {
    auto made = TemporaryFolder::make("vantage-test"), other = TemporaryFolder::make("vantage-test");
    ASSERT_TRUE(made && other);
    EXPECT_NE(made->path(), other->path());
    const TemporaryFolder moved = std::move(*made);
    first = moved.path();
    ASSERT_TRUE(write_file_atomically(first / "file", "text"));
    EXPECT_EQ(std::filesystem::status(first).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(first));
}

}  // namespace
}  // namespace vantage
