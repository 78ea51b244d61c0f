// run --offsets apply: an offset takes effect at the same frame threaded and sequential, and is written to
// the project.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/project/project.h"
#include "tests/support/cli_fixture.h"
#include "tests/unit/run/offset_footage.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::Finished;

class OffsetsCliTest : public test::CliTest {
 protected:
  Finished run(const std::string& out, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {
        "run", test::offset_footage().string(), "--out", path(out), "--force", "--offsets", "apply"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return cli(arguments);
  }
  std::string file(const std::string& out, const char* name) const {
    return read_file(folder_.path() / out / name).value_or("");
  }
};

TEST_F(OffsetsCliTest, AnOffsetTakesHoldAtTheSameFrameHoweverItRuns) {
  const Finished threaded = run("threaded", {});
  ASSERT_EQ(threaded.code, 0) << threaded.err;
  EXPECT_NE(threaded.err.find("cam2 is 9 frames behind"), std::string::npos) << threaded.err;
  const Finished sequential = run("sequential", {"--sequential", "--write-offsets"});
  ASSERT_EQ(sequential.code, 0) << sequential.err;
  for (const char* name : {"results.jsonl", "tracks.csv", "offsets.json"}) {
    EXPECT_FALSE(file("threaded", name).empty()) << name;
    EXPECT_TRUE(file("threaded", name) == file("sequential", name)) << name;
  }
  const json offsets = parse_json_or_throw(file("threaded", "offsets.json"));
  ASSERT_EQ(offsets["proposals"].size(), 1u);
  EXPECT_EQ(offsets["proposals"][0]["applied"], true);
  const json changes = offsets["offset_changes"]["cam2"];
  ASSERT_EQ(changes.size(), 1u);
  const auto from = changes[0]["base_frame"].get<int64_t>();
  EXPECT_EQ(from, offsets["proposals"][0]["base_frame"].get<int64_t>() + 1) << "the frame behind the finding";
  const std::vector<json> lines = results("threaded");
  ASSERT_EQ(lines.size(), static_cast<size_t>(test::kOffsetFrames + 1)) << "a header and every frame, once";
  for (const int64_t n : {from - 1, from})
    EXPECT_EQ(lines[static_cast<size_t>(n) + 1]["cameras"][1].value("frame", n), n < from ? n : n + 9);
  const Result<Project> project = load_project(test::offset_footage());
  ASSERT_TRUE(project);
  EXPECT_EQ(project->cameras[1].offset_changes, (std::vector<OffsetChange>{{from, test::kOutOfStep}}));
}

}  // namespace
}  // namespace vantage
