// vantage-cli push: targets added, tested and sent to, exit codes included; secrets appear nowhere.
#include <cstdlib>

#include "core/base/json.h"
#include "core/project/project.h"
#include "core/synth/synth.h"
#include "core/tracks/counting/rules.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/own_home.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

class PushCliTest : public test::CliTest {
 protected:
  void SetUp() override {
    SynthOptions options;
    options.cameras = 3, options.people = 3, options.seconds = 4, options.frame_rate = 10;
    options.width_px = 320, options.height_px = 240, options.area_m = 4;
    ASSERT_TRUE(render_recording(options, path("hall"), {}, {}));
    Project project = load_project(hall()).value();
    project.lines = {{"middle", {0, -3}, {0, 3}}};
    project.rules = {{.name = "gate", .kind = RuleKind::crosses, .where = "middle"}};
    ASSERT_TRUE(save_project(project, hall()));
    ASSERT_TRUE(write_file_atomically(path("take.sh"), "#!/bin/sh\ncat >> " + path("taken") + "\n"));
    fs::permissions(path("take.sh"), fs::perms::owner_all);
  }

  std::string hall() const { return path("hall/hall.vantage"); }
  std::vector<nlohmann::json> taken() const {
    std::vector<nlohmann::json> messages;
    std::istringstream in(read_file(path("taken")).value_or(""));
    for (std::string line; std::getline(in, line);) messages.push_back(parse_json_or_throw(line));
    return messages;
  }
};

TEST_F(PushCliTest, ARecordingSendsItsEventsWhereThatIsAskedFor) {
  ASSERT_EQ(cli({"push", "add", hall(), "lamp", "--command", path("take.sh")}).code, 0);
  const auto tested = cli({"push", "test", hall(), "lamp", "--json"});
  ASSERT_EQ(tested.code, 0) << tested.err;
  EXPECT_EQ(parse_json_or_throw(tested.out)["answer"], "ended with 0");
  ASSERT_EQ(taken().size(), 1U);
  ASSERT_EQ(cli({"run", hall(), "--force", "--backend", "cpu"}).code, 0);
  EXPECT_EQ(taken().size(), 1U) << "a recording sends only on request";
  EXPECT_FALSE(fs::exists(path("hall/hall.results/events.jsonl")));
  const auto run = cli({"run", hall(), "--force", "--backend", "cpu", "--push", "always"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto messages = taken();
  ASSERT_GT(messages.size(), 1U) << run.err;
  int64_t before = -1;
  for (size_t i = 1; i < messages.size(); ++i) {
    EXPECT_EQ(messages[i]["source"], "recording");
    EXPECT_EQ(messages[i]["state"], "happens");
    EXPECT_EQ(messages[i]["event"]["where"], "middle");
    EXPECT_GE(messages[i]["event"]["raised_frame"].get<int64_t>(), before);
    before = messages[i]["event"]["raised_frame"];
    ASSERT_TRUE(messages[i]["picture"].contains("jpeg_base64"));
    EXPECT_TRUE(messages[i]["picture"]["jpeg_base64"].get<std::string>().starts_with("/9j/"))
        << "a JPEG file";
    const double x_px = messages[i]["picture"]["at_px"][0];
    EXPECT_TRUE(x_px >= 0 && x_px < 320) << "the camera sees the place";
  }
}

TEST_F(PushCliTest, WhatCannotBeDeliveredWaitsAndIsNamed) {
  ASSERT_TRUE(write_file_atomically(path("key"), "open sesame\n"));
  const std::string address = "http://127.0.0.1:9/hook";  // nobody listens at the port for discarding
  ASSERT_EQ(cli({"push", "add", hall(), "desk", "--webhook", address, "--secret-file", path("key")}).code, 0);
  EXPECT_EQ(cli({"push", "test", hall(), "desk"}).code, 1);
  ASSERT_EQ(cli({"run", hall(), "--force", "--backend", "cpu", "--push", "always"}).code, 0)
      << "the analysis does not fail with its messages";
  const auto list = parse_json_or_throw(cli({"push", "list", hall(), "--json"}).out)["targets"][0];
  EXPECT_GT(list["waiting"], 0);
  EXPECT_NE(list["problem"].get<std::string>().find("onnect"), std::string::npos) << list;
  EXPECT_EQ(cli({"push", "remove", hall(), "desk"}).code, 1) << "something waits for it";
  EXPECT_EQ(cli({"push", "send", hall(), "--seconds", "0"}).code, 1);
  for (const auto& file : fs::recursive_directory_iterator(folder_.path()))
    if (file.is_regular_file() && file.path().filename() != "key" &&
        file.path().filename() != "cameras.json") {
      EXPECT_EQ(read_file(file.path()).value_or("").find("open sesame"), std::string::npos) << file.path();
    }
  EXPECT_EQ(cli({"push", "drop", hall(), "desk"}).code, 0);
  EXPECT_EQ(cli({"push", "remove", hall(), "desk"}).code, 0);
  EXPECT_EQ(parse_json_or_throw(cli({"push", "list", hall(), "--json"}).out)["targets"].size(), 0U);
}

TEST_F(PushCliTest, AProjectOfSomebodyElseStartsNothing) {
  ASSERT_EQ(cli({"push", "add", hall(), "lamp", "--command", path("take.sh")}).code, 0);
  const test::OwnHome elsewhere(path("elsewhere"));
  EXPECT_EQ(cli({"push", "test", hall(), "lamp"}).code, 1);
  ASSERT_EQ(cli({"run", hall(), "--force", "--backend", "cpu", "--push", "always"}).code, 0);
  EXPECT_TRUE(taken().empty());
  ASSERT_EQ(cli({"push", "allow", hall(), "lamp"}).code, 0);
  ASSERT_EQ(cli({"push", "test", hall(), "lamp"}).code, 0);
  EXPECT_EQ(taken().size(), 1U);
  ASSERT_EQ(cli({"push", "allow", hall(), "lamp", "--withdraw"}).code, 0);
  EXPECT_EQ(cli({"push", "test", hall(), "lamp"}).code, 1);
}

TEST_F(PushCliTest, WrongUsageIsTwo) {
  EXPECT_EQ(cli({"push"}).code, 2);
  EXPECT_EQ(cli({"push", "add", hall(), "x"}).code, 2);
  EXPECT_EQ(cli({"push", "add", hall(), "x", "--webhook", "http://a:b@h/"}).code, 2);
  EXPECT_EQ(cli({"push", "add", hall(), "x", "--webhook", "http://h/", "--mqtt", "mqtt://h"}).code, 2);
  EXPECT_EQ(cli({"push", "add", hall(), "x", "--webhook", "http://h/", "--rule", "none"}).code, 1);
  EXPECT_EQ(cli({"push", "test", hall(), "x"}).code, 1);
}

}  // namespace
}  // namespace vantage
