// The files of tasks: complete, torn, left behind.
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/batch/task_files.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

class TaskFilesTest : public testing::Test {
 protected:
  TaskFilesTest() : files_(folder_.path(), 3) {}

  void commit(const std::string& content, uint64_t scene_hash = 77) {
    ASSERT_TRUE(make_folder(files_.part() / "shells"));
    ASSERT_TRUE(write_file_atomically(files_.part() / "results.jsonl", content));
    ASSERT_TRUE(write_file_atomically(files_.part() / "shells/a.ply", "shell"));
    TaskRecord record;
    record.task = 3, record.scene_hash = scene_hash, record.version = "1.2";
    record.inputs = {{"cam1", "/a.mkv", 5, 6}};
    record.gaps = {{"cam1", 4, 9, "the video is missing"}};
    record.notes = {"note"};
    ASSERT_TRUE(files_.commit(record));
  }

  const TemporaryFolder folder_;
  const TaskFiles files_;
};

TEST_F(TaskFilesTest, ACompleteTaskIsReadAsItWasCommitted) {
  EXPECT_FALSE(files_.record(true));
  commit("lines");
  const auto record = files_.record(true);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->scene_hash, 77u);
  EXPECT_EQ(record->inputs, (std::vector<PlannedInput>{{"cam1", "/a.mkv", 5, 6}}));
  EXPECT_EQ(record->gaps, (std::vector<Gap>{{"cam1", 4, 9, "the video is missing"}}));
  EXPECT_EQ(record->exit(), TaskExit::gaps);
  ASSERT_EQ(record->files.size(), 2u);
  EXPECT_EQ(record->files[1].name, "shells/a.ply");
  EXPECT_FALSE(fs::exists(files_.part()));
}

TEST_F(TaskFilesTest, TornOnesAreNotComplete) {
  commit("lines");
  ASSERT_TRUE(write_file_atomically(files_.complete() / "results.jsonl", "limes"));
  EXPECT_TRUE(files_.record(false)) << "the size is the same";
  EXPECT_FALSE(files_.record(true));
  ASSERT_TRUE(write_file_atomically(files_.complete() / "results.jsonl", "line"));
  EXPECT_FALSE(files_.record(false));
  commit("lines");
  EXPECT_TRUE(files_.record(true)) << "a torn one is replaced";
  fs::remove(files_.complete() / "shells/a.ply");
  EXPECT_FALSE(files_.record(false));
}

TEST_F(TaskFilesTest, WhatAnotherProcessCompletedStays) {
  commit("first");
  commit("later");
  EXPECT_EQ(read_file(files_.complete() / "results.jsonl").value(), "first");
  EXPECT_FALSE(fs::exists(files_.part()));
  commit("of another plan", 78);
  EXPECT_EQ(read_file(files_.complete() / "results.jsonl").value(), "of another plan");
}

TEST_F(TaskFilesTest, PartsOfEndedProcessesGo) {
  const std::string host = this_process().host;
  const fs::path tasks = folder_.path() / "tasks";
  const std::string gone = "0003.part-" + host + "-999999999", running = "0003.part-" + host + "-1",
                    elsewhere = "0003.part-other-999999999", other = "0004.part-" + host + "-999999999";
  for (const std::string& name : {gone, running, elsewhere, other}) ASSERT_TRUE(make_folder(tasks / name));
  files_.remove_stale_parts();
  EXPECT_FALSE(fs::exists(tasks / gone));
  for (const std::string& name : {running, elsewhere, other}) EXPECT_TRUE(fs::exists(tasks / name)) << name;
}

TEST_F(TaskFilesTest, StatusSaysWhatTheFilesSay) {
  BatchPlan plan;
  PlannedScene scene;
  scene.name = "hall", scene.frames = 500, scene.frame_rate = 25, scene.seconds_per_frame = 1;
  plan.scenes.push_back(scene);
  add_tasks(0, 4, &plan);
  ASSERT_EQ(plan.tasks.size(), 5u);
  commit("lines");
  TaskFiles(folder_.path(), 0).write_progress({this_process(), 25, 100});
  TaskFiles(folder_.path(), 1).write_failure({TaskExit::never, "the project has changed"});
  ProcessOwner ended = this_process();
  ended.process = 999999999, ended.started_ticks = 1;
  TaskFiles(folder_.path(), 2).write_progress({ended, 25, 100});
  const BatchStatus status = batch_status(plan, folder_.path());
  EXPECT_EQ(status.tasks[0].state, TaskState::running);
  EXPECT_DOUBLE_EQ(status.tasks[0].share, 0.25);
  EXPECT_EQ(status.tasks[1].state, TaskState::failed);
  EXPECT_EQ(status.tasks[1].sentence, "the project has changed");
  EXPECT_FALSE(status.tasks[1].again);
  EXPECT_EQ(status.tasks[2].state, TaskState::stopped);
  EXPECT_EQ(status.tasks[3].state, TaskState::gaps);
  EXPECT_EQ(status.tasks[3].sentence, "cam1, frames 4 to 9: the video is missing");
  EXPECT_EQ(status.tasks[4].state, TaskState::waiting);
  EXPECT_EQ(status.count(TaskState::waiting), 1);
  EXPECT_DOUBLE_EQ(status.left_s, 75 + 100 + 100)
      << "0 is three quarters ahead, 2 and 4 wholly, 1 never ends";
}

TEST(ExitAfter, WhatFilesSayStaysAndTheRestPasses) {
  EXPECT_EQ(exit_after(Error{ErrorKind::out_of_memory, "", "", ""}), TaskExit::again);
  EXPECT_EQ(exit_after(Error{ErrorKind::io, "", "", ""}), TaskExit::again);
  EXPECT_EQ(exit_after(Error{ErrorKind::cancelled, "", "", ""}), TaskExit::again);
  EXPECT_EQ(exit_after(Error{ErrorKind::device_lost, "", "", ""}), TaskExit::again);
  EXPECT_EQ(exit_after(Error{ErrorKind::invalid_argument, "", "", ""}), TaskExit::never);
  EXPECT_EQ(exit_after(Error{ErrorKind::bad_data, "", "", ""}), TaskExit::never);
}

}  // namespace
}  // namespace vantage
