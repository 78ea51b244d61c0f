// plan, run --plan, status, submit and merge, as people and schedulers run them: exit codes, files, results.
#include <gtest/gtest.h>

#include <csignal>
#include <iterator>

#include "core/base/json.h"
#include "core/synth/synth.h"
#include "tests/support/cli_fixture.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::CliTest;
using test::Finished;
namespace fs = std::filesystem;

constexpr int kFrames = 150;  // 6 s

class BatchCliTest : public CliTest {
 protected:
  static void SetUpTestSuite() {
    recording_ = new test::TemporaryFolder();
    SynthOptions options;
    options.cameras = 3, options.people = 2, options.seconds = 6, options.area_m = 4;
    options.width_px = 160, options.height_px = 120;
    ASSERT_TRUE(render_recording(options, recording_->path() / "hall", [](double) {}, {}));
  }
  static void TearDownTestSuite() { delete recording_; }

  void SetUp() override {
    fs::copy(recording_->path() / "hall", folder_.path() / "hall", fs::copy_options::recursive);
  }

  std::string project() const { return path("hall/hall.vantage"); }
  // Three tasks of two seconds.
  void plan(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"plan", project(), "--out", path("work"), "--minutes", "0.0334"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished planned = cli(words);
    ASSERT_EQ(planned.code, 0) << planned.err;
    ASSERT_EQ(parse_json_or_throw(text("work/plan.json"))["tasks"].size(), 3u);
  }
  Finished task(const std::string& number, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"run", "--plan", path("work/plan.json"), "--task", number};
    words.insert(words.end(), more.begin(), more.end());
    return cli(words);
  }
  Finished merge() const { return cli({"merge", path("work"), "--out", path("merged")}); }
  // The child has ended; wait() still returns its status.
  static bool ended(pid_t child) {
    siginfo_t info = {};
    return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == child;
  }
  std::string text(const std::string& name) const { return read_file(path(name)).value_or(""); }

  static test::TemporaryFolder* recording_;
};

test::TemporaryFolder* BatchCliTest::recording_ = nullptr;

TEST_F(BatchCliTest, HandedOverStateGivesTheBytesOfOneRun) {
  ASSERT_EQ(cli({"run", project(), "--out", path("one"), "--force"}).code, 0);
  plan({"--seams", "hand-over"});
  const Finished early = task("1");
  EXPECT_EQ(early.code, 4) << "the task before it is not complete";
  EXPECT_NE(early.err.find("task 0"), std::string::npos) << early.err;
  for (const char* number : {"0", "0:1", "2"}) EXPECT_EQ(task(number).code, 0) << number;
  const Finished merged = merge();
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(results("merged").size(), kFrames + 1u);
  EXPECT_EQ(text("merged/results.jsonl"), text("one/results.jsonl"));
  EXPECT_EQ(text("merged/tracks.csv"), text("one/tracks.csv"));
  EXPECT_EQ(text("merged/coverage.png"), text("one/coverage.png"));
  EXPECT_EQ(text("merged/shells/frame_000000.ply"), text("one/shells/frame_000000.ply"));
}

TEST_F(BatchCliTest, PathsOverAllTasksAreThoseOfOneRun) {
  const std::vector<std::string> paths = {"--set", "tracking.method=paths"};
  ASSERT_EQ(cli({"run", project(), "--out", path("one"), "--force", paths[0], paths[1]}).code, 0);
  plan({"--seams", "hand-over", paths[0], paths[1]});
  ASSERT_EQ(cli({"run", "--plan", path("work"), "--workers", "2"}).code, 0);
  ASSERT_EQ(merge().code, 0);
  EXPECT_EQ(text("merged/results.jsonl"), text("one/results.jsonl"));
  EXPECT_EQ(text("merged/tracks.csv"), text("one/tracks.csv"));
  EXPECT_NE(text("one/tracks.csv"), "");
}

TEST_F(BatchCliTest, AfterAWarmUpPeopleKeepTheirIdsOverTheSeams) {
  ASSERT_EQ(cli({"run", project(), "--out", path("one"), "--force"}).code, 0);
  plan({"--warm-up", "2", "--overlap", "1"});
  for (const char* number : {"2", "0", "1"}) ASSERT_EQ(task(number).code, 0) << "in any order";
  const Finished merged = cli({"merge", path("work"), "--out", path("merged"), "--json"});
  ASSERT_EQ(merged.code, 0) << merged.err;
  const json report = parse_json_or_throw(merged.out)[0];
  ASSERT_EQ(report["seams"].size(), 2u);
  for (const json& seam : report["seams"]) {
    EXPECT_EQ(seam["joined"], seam["before"]);
    EXPECT_GE(seam["joined"], 1);
  }
  const Finished same = cli({"evaluate", "--gt", path("one/tracks.csv"), "--result",
                             path("merged/tracks.csv"), "--space", "world", "--json"});
  ASSERT_EQ(same.code, 0) << same.err;
  EXPECT_GE(parse_json_or_throw(same.out)["identity"]["idf1"].get<double>(), 0.99) << same.out;
  EXPECT_EQ(results("merged").size(), kFrames + 1u);
}

TEST_F(BatchCliTest, CompleteTasksAreSkippedAndTornOnesDoneAgain) {
  plan();
  ASSERT_EQ(task("1").code, 0);
  const std::string lines = text("work/tasks/0001/results.jsonl");
  const auto written = fs::last_write_time(path("work/tasks/0001/task.json"));
  const Finished again = task("1");
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.out.find("was complete"), std::string::npos) << again.out;
  EXPECT_EQ(fs::last_write_time(path("work/tasks/0001/task.json")), written);
  fs::resize_file(path("work/tasks/0001/results.jsonl"), lines.size() / 2);
  const Finished refused = merge();
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("tasks 0, 1, 2 are not complete"), std::string::npos) << refused.err;
  ASSERT_EQ(task("1").code, 0);
  EXPECT_EQ(text("work/tasks/0001/results.jsonl"), lines);
}

TEST_F(BatchCliTest, AKilledTaskLeavesNothingThatCountsAndGivesTheSameBytes) {
  plan();
  ASSERT_EQ(task("1").code, 0);
  const std::string lines = text("work/tasks/0001/results.jsonl");
  fs::remove_all(path("work/tasks/0001"));
  const pid_t child = start({"run", "--plan", path("work/plan.json"), "--task", "1"});
  const auto has_lines = [&] {
    for (const auto& entry : fs::recursive_directory_iterator(path("work/tasks")))
      if (entry.path().filename() == "results.jsonl.part" && fs::file_size(entry.path()) > 0) return true;
    return false;
  };
  while (!has_lines() && !ended(child)) ::usleep(1000);
  ::kill(child, SIGKILL);
  wait(child);
  if (!fs::exists(path("work/tasks/0001"))) {
    const Finished status = cli({"status", path("work"), "--json"});
    EXPECT_NE(parse_json_or_throw(status.out)["tasks"][1]["state"], "done") << status.out;
  }
  ASSERT_EQ(task("1").code, 0);
  EXPECT_EQ(text("work/tasks/0001/results.jsonl"), lines);
  size_t entries = 0;
  for (const auto& entry : fs::directory_iterator(path("work/tasks"))) entries += entry.exists();
  EXPECT_EQ(entries, 1u) << "what the killed process left is gone";
}

TEST_F(BatchCliTest, MissingAndTruncatedVideosAreGapsThatNameCameraAndFrames) {
  plan();
  fs::remove(path("hall/cam2.mp4"));
  fs::resize_file(path("hall/cam3.mp4"), fs::file_size(path("hall/cam3.mp4")) / 2);
  const Finished all = cli({"run", "--plan", path("work"), "--workers", "2"});
  EXPECT_EQ(all.code, 3) << all.err;
  for (int i = 0; i < 3; ++i) {
    const json record = parse_json_or_throw(text("work/tasks/000" + std::to_string(i) + "/task.json"));
    EXPECT_EQ(record["result"], "done with gaps");
    ASSERT_EQ(record["gaps"].size(), 2u) << json_text(record["gaps"]);
    EXPECT_EQ(record["gaps"][0]["camera"], "cam2");
    EXPECT_EQ(record["gaps"][1]["camera"], "cam3");
    EXPECT_EQ(record["gaps"][0]["first"], 50 * i);
    EXPECT_EQ(record["gaps"][0]["last"], 50 * i + 49);
  }
  const Finished merged = merge();
  EXPECT_EQ(merged.code, 3);
  EXPECT_NE(merged.out.find("cam2, frames 50 to 99"), std::string::npos) << merged.out;
  EXPECT_EQ(parse_json_or_throw(text("merged/merge.json"))["gaps"].size(), 6u);
}

TEST_F(BatchCliTest, WhatDoesNotBelongTogetherIsRefused) {
  plan();
  ASSERT_EQ(cli({"run", "--plan", path("work")}).code, 0);
  fs::rename(path("work/tasks/0001"), path("kept"));
  plan({"--set", "carving.threshold=0.62"});
  ASSERT_EQ(cli({"run", "--plan", path("work")}).code, 0) << "tasks of another plan are done again";
  fs::remove_all(path("work/tasks/0001"));
  fs::rename(path("kept"), path("work/tasks/0001"));
  const Finished refused = merge();
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("task 1 does not belong to the others: it was made with other parameters"),
            std::string::npos)
      << refused.err;
  EXPECT_FALSE(fs::exists(path("merged/results.jsonl")));
}

TEST_F(BatchCliTest, AProjectThatHasChangedSinceThePlanIsNeverRun) {
  plan();
  json changed = parse_json_or_throw(text("hall/hall.vantage"));
  changed["parameters"]["carving"]["threshold"] = 0.7;
  ASSERT_TRUE(write_file_atomically(project(), json_text(changed)));
  const Finished refused = task("0");
  EXPECT_EQ(refused.code, 5);
  EXPECT_NE(refused.err.find("has changed since it was planned"), std::string::npos) << refused.err;
  const json status = parse_json_or_throw(cli({"status", path("work"), "--json"}).out);
  EXPECT_EQ(status["tasks"][0]["state"], "failed");
  EXPECT_NE(status["tasks"][0]["sentence"].get<std::string>().find("has changed"), std::string::npos);
}

TEST_F(BatchCliTest, APlanOfAFolderVariesParametersAndGivesAFolderEach) {
  const Finished planned =
      cli({"plan", path("hall"), "--out", path("work"), "--vary", "carving.threshold=0.5,0.7", "--json"});
  ASSERT_EQ(planned.code, 0) << planned.err;
  EXPECT_EQ(parse_json_or_throw(planned.out)["tasks"], 2);
  ASSERT_EQ(cli({"run", "--plan", path("work"), "--workers", "2"}).code, 0);
  ASSERT_EQ(merge().code, 0);
  EXPECT_EQ(results("merged/hall-carving.threshold=0.5").size(), kFrames + 1u);
  EXPECT_EQ(results("merged/hall-carving.threshold=0.7")[0]["parameters"]["carving"]["threshold"], 0.7);
}

TEST_F(BatchCliTest, AWorkerThatDiesCostsItsTaskAloneWhichIsTriedAgain) {
  plan();
  const pid_t manager = start({"run", "--plan", path("work"), "--workers", "2"});
  const auto children = [&] {
    std::istringstream list(
        read_file("/proc/" + std::to_string(manager) + "/task/" + std::to_string(manager) + "/children")
            .value_or(""));
    return std::vector<pid_t>(std::istream_iterator<pid_t>(list), {});
  };
  std::vector<pid_t> workers;
  while ((workers = children()).empty() && !ended(manager)) ::usleep(1000);
  ASSERT_FALSE(workers.empty());
  ::kill(workers[0], SIGKILL);
  const Finished finished = wait(manager);
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  EXPECT_NE(finished.out.find("was ended by signal 9"), std::string::npos) << finished.out;
  EXPECT_EQ(merge().code, 0);
}

TEST_F(BatchCliTest, SubmitCallsSbatchWithThePlansNeedsAndNotesTheJobs) {
  // A fake sbatch that records its arguments.
  const std::string bin = path("bin");
  fs::create_directory(bin);
  ASSERT_TRUE(write_file_atomically(
      bin + "/sbatch", "#!/bin/sh\necho \"$@\" >>'" + path("asked") + "'\nwc -l <'" + path("asked") + "'\n"));
  ASSERT_TRUE(write_file_atomically(bin + "/squeue", "#!/bin/sh\necho '1_0|RUNNING'\necho '1_1|PENDING'\n"));
  ASSERT_TRUE(write_file_atomically(bin + "/sacct", "#!/bin/sh\nexit 1\n"));
  for (const char* name : {"/sbatch", "/squeue", "/sacct"}) fs::permissions(bin + name, fs::perms::owner_all);
  plan();
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (bin + ":" + before).c_str(), 1);
  const Finished submitted =
      cli({"submit", path("work"), "--out", path("merged"), "--at-most", "2", "--sbatch=--partition=night"});
  const Finished status = cli({"status", path("work")});
  ::setenv("PATH", before.c_str(), 1);
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_EQ(submitted.out, "job 1: tasks\njob 2: merge\n");
  const std::string asked = text("asked");
  EXPECT_NE(asked.find("--parsable --partition=night --array=0-2%2 "), std::string::npos) << asked;
  EXPECT_NE(asked.find("--dependency=afterok:1"), std::string::npos) << asked;
  EXPECT_NE(status.out.find("job 1 (tasks): PENDING 1, RUNNING 1"), std::string::npos) << status.out;
  EXPECT_NE(status.out.find("job 2 (merge): no longer known"), std::string::npos) << status.out;
  const std::string script = text("work/vantage.sbatch");
  EXPECT_NE(script.find("#SBATCH --cpus-per-task=2\n"), std::string::npos) << script;
  // At least the task's two minutes, and the two before the end in which Slurm may signal.
  EXPECT_NE(script.find("#SBATCH --time=4\n"), std::string::npos) << script;
  EXPECT_EQ(script.find("@PROGRAM@"), std::string::npos);
}

TEST_F(BatchCliTest, WithHandedOverStateEachSpanWaitsForTheOneBefore) {
  const std::string bin = path("bin");
  fs::create_directory(bin);
  ASSERT_TRUE(write_file_atomically(
      bin + "/sbatch", "#!/bin/sh\necho \"$@\" >>'" + path("asked") + "'\nwc -l <'" + path("asked") + "'\n"));
  fs::permissions(bin + "/sbatch", fs::perms::owner_all);
  plan({"--seams", "hand-over"});
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (bin + ":" + before).c_str(), 1);
  const Finished submitted = cli({"submit", path("work"), "--no-merge", "--json"});
  ::setenv("PATH", before.c_str(), 1);
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_EQ(parse_json_or_throw(submitted.out).size(), 3u);
  EXPECT_NE(text("asked").find("--array=0 --export=ALL,VANTAGE_SPAN=2 --dependency=aftercorr:2"),
            std::string::npos)
      << text("asked");
}

TEST_F(BatchCliTest, WrongUsageIsSaid) {
  plan();
  EXPECT_EQ(task("3").code, 2);
  EXPECT_EQ(task("0:3").code, 2);
  EXPECT_EQ(task("x").code, 2);
  EXPECT_EQ(task("0", {"--frames", "0:5"}).code, 2) << "the plan states what is run";
  EXPECT_EQ(cli({"run"}).code, 2);
  EXPECT_EQ(cli({"run", project(), "--backend", "cuda:all"}).code, 2);
  EXPECT_EQ(cli({"run", project(), "--task", "1"}).code, 2);
  EXPECT_EQ(cli({"plan", project(), "--out", path("w"), "--warm-up", "some"}).code, 2);
  EXPECT_EQ(cli({"plan", project(), "--out", path("w"), "--vary", "carving.threshold"}).code, 2);
  EXPECT_EQ(cli({"plan", path("nowhere"), "--out", path("w")}).code, 2);
  EXPECT_EQ(cli({"plan", project(), "--out", path("w"), "--set", "no.such=1"}).code, 1);
  EXPECT_EQ(cli({"merge", path("hall"), "--out", path("merged")}).code, 1) << "there is no plan";
  EXPECT_EQ(
      cli({"run", "--plan", path("work"), "--backend", "cuda:all"}).code == 1 || fs::exists("/dev/nvidia0"),
      true);
}

}  // namespace
}  // namespace vantage
