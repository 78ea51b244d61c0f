#include "core/project/project_store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

Project some_project() {
  Project project;
  project.parameters = default_parameters();
  for (const char* name : {"cam1", "cam2"}) {
    project.cameras.emplace_back();
    project.cameras.back().name = name;
    project.cameras.back().video = std::string("/nowhere/") + name + ".mp4";
  }
  return project;
}

// Another process that has the project open until it is told to end.
class OtherProgram {
 public:
  explicit OtherProgram(const fs::path& project) {
    int ready[2] = {};
    EXPECT_EQ(::pipe(ready), 0);
    process_ = ::fork();
    if (process_ == 0) {
      const ProjectLock lock = ProjectLock::take(project);
      [[maybe_unused]] const ssize_t said = ::write(ready[1], "x", 1);
      for (;;) ::pause();
    }
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~OtherProgram() { die(); }
  void die() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(std::exchange(process_, 0), nullptr, 0);
  }
  pid_t process() const { return process_; }

 private:
  pid_t process_ = 0;
};

class ProjectStoreTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(save_project(some_project(), file_)); }
  // A change by another program.
  void draw_zone(const std::string& name) const {
    Project project = load_project(file_).value();
    project.zones.push_back({name, {{0, 0}, {1, 0}, {1, 1}}});
    ASSERT_TRUE(save_project(project, file_));
  }

  const test::TemporaryFolder folder_;
  const fs::path file_ = folder_.path() / "hall.vantage";
};

TEST_F(ProjectStoreTest, ANewerFileIsNotWipedOut) {
  uint64_t known = project_stamp(file_);
  Project mine = load_project(file_).value();
  mine.boxes = {{"box 1", {}}};
  draw_zone("theirs");
  EXPECT_EQ(save_project_over(mine, file_, &known).value(), Saved::changed_outside);
  EXPECT_EQ(load_project(file_)->zones.size(), 1u) << "theirs is still there";
  known = project_stamp(file_);
  EXPECT_EQ(save_project_over(mine, file_, &known).value(), Saved::written);
  EXPECT_EQ(save_project_over(mine, file_, &known).value(), Saved::written) << "with the stamp of its own";
  EXPECT_FALSE(load_project(file_)->boxes.empty());
}

TEST_F(ProjectStoreTest, ChangesOfManyProgramsAllStay) {
  std::vector<pid_t> programs;
  for (int i = 0; i < 4; ++i) {
    programs.push_back(::fork());
    if (programs.back() != 0) continue;
    for (int k = 0; k < 5; ++k) {
      const auto changed = change_project_file(file_, [&](Project& project) -> Status {
        project.zones.push_back({std::to_string(10 * i + k), {{0, 0}, {1, 0}, {1, 1}}});
        return {};
      });
      if (!changed) ::_exit(1);
    }
    ::_exit(0);
  }
  for (const pid_t program : programs) {
    int status = 0;
    ::waitpid(program, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(load_project(file_)->zones.size(), 20u);
  const uint64_t before = project_stamp(file_);
  EXPECT_FALSE(
      change_project_file(file_, [](Project&) -> Status { return fail(ErrorKind::invalid_argument, "no"); }));
  EXPECT_EQ(project_stamp(file_), before);
}

TEST_F(ProjectStoreTest, WhatDiffersIsSaidInWords) {
  const Project a = some_project();
  EXPECT_EQ(difference_text(a, a), "");
  Project b = a;
  b.zones = {{"shop", {{0, 0}, {1, 0}, {1, 1}}}};
  b.repairs = {{RepairKind::split, {1, 2, 3}, {}}};
  ASSERT_TRUE(b.parameters.set("carving", "threshold", 0.77));
  EXPECT_EQ(difference_text(b, a), "zones, repairs of identities, the parameters of carving");
  b = a;
  b.cameras[1].offset_frames = 3;
  b.cameras[0].video = "/new/cam1.mp4";
  EXPECT_EQ(difference_text(b, a), "the videos of cam1, the offsets of cam2");
  b.cameras.pop_back();
  EXPECT_EQ(difference_text(b, a), "the list of cameras");
}

TEST_F(ProjectStoreTest, ALockTellsWhoHasIt) {
  EXPECT_FALSE(held_by_other(file_));
  {
    const ProjectLock mine = ProjectLock::take(file_);
    EXPECT_FALSE(mine.held());
    EXPECT_TRUE(fs::exists(lock_path(file_)));
    EXPECT_FALSE(held_by_other(file_)) << "it is ours";
  }
  EXPECT_FALSE(fs::exists(lock_path(file_))) << "released";
  OtherProgram other(file_);
  const ProjectLock lock = ProjectLock::take(file_);
  const auto owner = lock.held();
  ASSERT_TRUE(owner);
  EXPECT_EQ(owner->process, other.process());
  EXPECT_EQ(owner->host, this_process().host);
  EXPECT_FALSE(owner->user.empty());
  EXPECT_NEAR(static_cast<double>(owner->since_utc_s), static_cast<double>(::time(nullptr)), 60);
}

TEST_F(ProjectStoreTest, ALockOfADeadProcessCountsForNothing) {
  OtherProgram other(file_);
  other.die();
  ASSERT_TRUE(fs::exists(lock_path(file_)));
  const ProjectLock lock = ProjectLock::take(file_);
  EXPECT_FALSE(lock.held());
  const auto owner = owner_from_json(read_file(lock_path(file_)).value_or(""));
  ASSERT_TRUE(owner);
  EXPECT_EQ(state_of(*owner), OwnerState::self);
}

// A reused process number and a restarted machine are detected.
TEST_F(ProjectStoreTest, OwnersAreToldByMoreThanTheirNumber) {
  ProcessOwner owner = this_process();
  EXPECT_EQ(state_of(owner), OwnerState::self);
  EXPECT_EQ(owner_from_json(owner_to_json(owner)), owner);
  ++owner.started_ticks;
  EXPECT_EQ(state_of(owner), OwnerState::gone);
  owner = this_process(), owner.boot += "x";
  EXPECT_EQ(state_of(owner), OwnerState::gone);
  owner = this_process(), owner.process_space += "x";
  EXPECT_EQ(state_of(owner), OwnerState::unknown);
  owner = this_process(), owner.host += "x";
  EXPECT_EQ(state_of(owner), OwnerState::unknown);
  ASSERT_TRUE(write_file_atomically(lock_path(file_), owner_to_json(owner)));
  EXPECT_TRUE(ProjectLock::take(file_).held()) << "of another machine: nobody here can tell";
  const ProjectLock mine = ProjectLock::take_over(file_);
  EXPECT_FALSE(mine.held());
  for (const char* damaged : {"", "{}", "[1]", "{\"user\":1}"}) {
    ASSERT_TRUE(write_file_atomically(lock_path(file_), damaged));
    EXPECT_FALSE(ProjectLock::take(file_).held()) << damaged;
  }
}

TEST_F(ProjectStoreTest, WhoWasTakenOverFromSeesIt) {
  ProjectLock mine = ProjectLock::take(file_);
  fs::remove(lock_path(file_));
  const OtherProgram other(file_);  // as if it had taken the lock
  ASSERT_TRUE(mine.held());
  mine.release();
  EXPECT_TRUE(fs::exists(lock_path(file_))) << "only one's own lock is released";
}

}  // namespace
}  // namespace vantage
