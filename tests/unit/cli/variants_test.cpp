// vantage-cli variants: parameters under a name, and results that are replaced only on request.
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/project/variants.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/expect_report.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::Finished;

class VariantsCliTest : public test::CliTest {
 protected:
  void SetUp() override { project_ = test::make_footage(folder_.path(), 3, 12).path.string(); }
  std::string done(const std::vector<std::string>& words) const {
    const Finished finished = cli(words);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return finished.out;
  }
  json list() const { return parse_json_or_throw(done({"variants", "list", project_, "--json"})); }
  double parameter(const char* stage, const char* name) const {
    return load_project(project_).value().parameters.get(stage, name).value();
  }
  std::string project_;
};

TEST_F(VariantsCliTest, AreKeptComparedUsedAndRemoved) {
  done({"variants", "add", project_, "as it was"});
  done({"variants", "add", project_, "strict", "--set", "people.min_own=0.4", "--set",
        "carving.threshold=0.9"});
  done({"variants", "add", project_, "stricter", "--from", "strict", "--set", "people.min_own=0.5"});
  const json all = list();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["name"], "as it was");
  EXPECT_TRUE(all[0]["in_use"]);
  EXPECT_FALSE(all[1]["in_use"]);
  EXPECT_TRUE(all[1]["results"].is_null());
  EXPECT_EQ(all[2]["origin"], "the variant strict, people.min_own=0.5");
  const json difference =
      parse_json_or_throw(done({"variants", "difference", project_, "strict", "stricter", "--json"}));
  ASSERT_EQ(difference.size(), 1u);
  EXPECT_EQ(difference[0]["key"], "people.min_own");
  EXPECT_EQ(difference[0]["first"], 0.4);
  EXPECT_EQ(difference[0]["second"], 0.5);
  done({"variants", "use", project_, "strict"});
  EXPECT_EQ(parameter("carving", "threshold"), 0.9);
  EXPECT_EQ(parameter("foreground", "learning_frames"), 8) << "all of a variant, not its difference alone";
  done({"variants", "use", project_, "as it was"});
  EXPECT_NE(parameter("carving", "threshold"), 0.9);
  done({"variants", "remove", project_, "strict"});
  EXPECT_EQ(list().size(), 2u);
}

TEST_F(VariantsCliTest, ResultsAreKeptUnderTheirNames) {
  done({"variants", "add", project_, "strict", "--set", "carving.threshold=0.9"});
  done({"run", project_, "--variant", "strict", "--force"});
  const json kept = list()[0]["results"];
  EXPECT_EQ(kept["frames"], 12);
  EXPECT_TRUE(kept["current"]);
  EXPECT_FALSE(std::filesystem::exists(path("footage.results"))) << "the project's own are untouched";
  const Finished again = cli({"run", project_, "--variant", "strict", "--force"});
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.err.find("--replace"), std::string::npos) << again.err;
  done({"run", project_, "--variant", "strict", "--force", "--replace"});
  done({"variants", "add", project_, "strict", "--set", "carving.threshold=0.8", "--replace"});
  EXPECT_FALSE(list()[0]["results"]["current"]) << "analysed with other parameters";
  done({"variants", "add", project_, "again", "--results", path("footage.variants/strict.results")});
  EXPECT_EQ(
      read_variant(project_, "again", default_parameters()).value().parameters.get("carving", "threshold"),
      0.9);
}

TEST_F(VariantsCliTest, ResultsAreCopiedWithTheirParameters) {
  done({"run", project_, "--force", "--set", "carving.threshold=0.9"});
  done({"variants", "add", project_, "before", "--results", path("footage.results"), "--copy"});
  const json kept = list()[0];
  EXPECT_EQ(kept["results"]["frames"], 12);
  EXPECT_TRUE(kept["results"]["current"]);
  EXPECT_EQ(
      read_variant(project_, "before", default_parameters()).value().parameters.get("carving", "threshold"),
      0.9);
  EXPECT_EQ(read_file(path("footage.variants/before.results/results.jsonl")).value(),
            read_file(path("footage.results/results.jsonl")).value());
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--set", "carving.threshold=0.8"}, {"--replace"}}) {
    std::vector<std::string> words = {
        "variants", "add", project_, "before", "--results", path("footage.results"), "--copy"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(cli(words).code, more.empty() ? 1 : 2);
  }
  EXPECT_EQ(cli({"variants", "add", project_, "two", "--copy"}).code, 2);
  EXPECT_EQ(cli({"variants", "add", project_, "two", "--results", folder_.path().string(), "--copy"}).code,
            1);
  EXPECT_EQ(list().size(), 1u);
  for (const auto& one : std::filesystem::directory_iterator(path("footage.variants")))
    EXPECT_NE(one.path().extension(), ".part");
}

// The same people twice, and one run that finds no one.
TEST_F(VariantsCliTest, ResultsOfTwoAreComparedFrameByFrame) {
  for (const auto& [name, height] : {std::pair{"same", "0.2"}, {"nobody", "2"}})
    done({"variants", "add", project_, name, "--set", "people.min_fill=0.2", "--set", "people.min_own=0.05",
          "--set", "people.min_volume_l=1", "--set", "carving.threshold=0.6", "--set",
          std::string("people.min_height_m=") + height});
  done({"variants", "use", project_, "same"});
  done({"run", project_, "--force"});
  for (const char* name : {"same", "nobody"}) done({"run", project_, "--variant", name, "--force"});
  const json equal = parse_json_or_throw(done({"variants", "compare", project_, "same", "--json"}));
  EXPECT_EQ(equal["frames"], 12);
  EXPECT_EQ(equal["differing"], 0);
  EXPECT_TRUE(equal["differences"].empty());
  const std::string printed = done({"variants", "compare", project_, "same", "nobody", "--json"});
  const json other = parse_json_or_throw(printed);
  test::expect_report("variants_compare", printed);
  test::expect_report("variants_compare", done({"variants", "compare", project_, "same", "nobody"}));
  EXPECT_GT(other["differing"], 0);
  int64_t frames = 0;
  for (const json& one : other["differences"]) {
    EXPECT_EQ(one["kind"], "only_first");
    EXPECT_TRUE(one["second_id"].is_null());
    frames += one["last_frame"].get<int64_t>() - one["first_frame"].get<int64_t>() + 1;
  }
  EXPECT_GE(frames, other["only_first"]) << "short gaps are bridged";
  EXPECT_LE(other["differences"].size(), other["only_first"]);
  EXPECT_NE(done({"variants", "compare", project_, "nobody", "same"}).find("only same has a person"),
            std::string::npos);
  EXPECT_EQ(cli({"variants", "compare", project_, "third"}).code, 1);
  EXPECT_EQ(cli({"variants", "compare", project_, "same", "--beyond", "-1"}).code, 2);
}

TEST_F(VariantsCliTest, WhatIsWrongIsNamedAndNothingIsLost) {
  done({"variants", "add", project_, "one"});
  const auto refused = [&](const std::vector<std::string>& words, int code, const char* says) {
    const Finished finished = cli(words);
    EXPECT_EQ(finished.code, code) << says;
    EXPECT_NE(finished.err.find(says), std::string::npos) << finished.err;
  };
  refused({"variants", "add", project_, "one"}, 1, "there is a variant of that name");
  refused({"variants", "add", project_, "../one"}, 1, "not a name of a variant");
  refused({"variants", "use", project_, "two"}, 1, "There are one");
  refused({"variants", "add", project_, "two", "--set", "people.nothing=1"}, 2, "nothing");
  refused({"run", project_, "--variant", "two"}, 1, "there is no variant of that name");
  refused({"variants", "add", project_, "two", "--results", folder_.path().string()}, 1,
          "there are no results");
  ASSERT_TRUE(write_file_atomically(path("footage.variants/damaged.json"), "{\"schema\": \"vanta"));
  const Finished listed = cli({"variants", "list", project_, "--json"});
  EXPECT_EQ(listed.code, 0);
  EXPECT_EQ(parse_json_or_throw(listed.out).size(), 1u);
  EXPECT_NE(listed.err.find("damaged.json"), std::string::npos) << listed.err;
  EXPECT_TRUE(std::filesystem::exists(path("footage.variants/damaged.json")));
}

}  // namespace
}  // namespace vantage
