// A session and its project's file: missing videos, other owners, changes by others.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/metrics/masks/mask_painting.h"
#include "core/project/missing_files.h"
#include "core/project/project_store.h"
#include "core/project/rename.h"
#include "core/results/drawn_masks.h"
#include "core/seal/custody.h"
#include "core/session/session.h"
#include "tests/support/data.h"
#include "tests/unit/pipeline/footage.h"
#include "tests/unit/session/session_recorder.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;
namespace fs = std::filesystem;

class SessionFileTest : public testing::Test {
 protected:
  void SetUp() override {
    register_cpu_backends(registry_);
    project_ = test::make_footage(folder_.path(), 3, kFrames);
    remember_videos(&project_);
    ASSERT_TRUE(save_project(project_, project_.path));
    SessionOptions options;
    options.backends = &registry_;
    recorder_ = std::make_shared<Recorder>();
    session_ = Session::make(options, recorder_);
  }
  void open() {
    session_->post(command::OpenFile{project_.path});
    ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.open && r.shown_; }))
        << (recorder_->errors().empty() ? "" : recorder_->errors()[0].message());
  }
  void move_away(const std::string& name) const {
    ASSERT_TRUE(make_folder(folder_.path() / "moved"));
    fs::rename(folder_.path() / name, folder_.path() / "moved" / name);
  }
  bool wait_for_picture(int camera, bool there) const {
    return recorder_->wait_for([&](const Recorder& r) {
      return r.shown_ && !r.shown_->preview && r.shown_->frames() &&
             static_cast<bool>(r.shown_->frames()->cameras.at(camera).picture) == there;
    });
  }
  void draw_zone_outside() const {
    Project theirs = load_project(project_.path).value();
    theirs.zones.push_back({"theirs", {{0, 0}, {1, 0}, {1, 1}}});
    ASSERT_TRUE(save_project(theirs, project_.path));
  }
  static void add_box(Project& project) { project.boxes = {{"box 1", {}}}; }

  static constexpr int64_t kFrames = 30;
  const test::TemporaryFolder folder_;
  BackendRegistry registry_;
  Project project_;
  std::shared_ptr<Recorder> recorder_;
  std::unique_ptr<Session> session_;
};

TEST_F(SessionFileTest, OpensWithTheRestAndTakesUpWhatIsFound) {
  move_away("cam2.mp4");
  open();
  ASSERT_TRUE(wait_for_picture(1, false));
  EXPECT_NE(recorder_->status().missing.find("cam2's video"), std::string::npos);
  const FrameResultRef without = recorder_->shown();
  EXPECT_TRUE(without->frames()->cameras[0].picture && without->frames()->cameras[2].picture);
  EXPECT_NE(without->frames()->cameras[1].problem.find("missing"), std::string::npos);
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) {
    return r.shown_->volume() && r.status_.frame_count == kFrames;
  })) << "the rest is analysed";
  const uint64_t version = recorder_->shown()->versions.find("video")->second;
  const auto found =
      find_missing_files(project_, folder_.path() / "moved", ByName::when_unknown, StopSource());
  ASSERT_TRUE(found && found->at(0).path != "");
  session_->post(command::Edit{"find videos", [all = *found](Project& project) { relink(all, &project); }});
  ASSERT_TRUE(wait_for_picture(1, true));
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.missing.empty(); }));
  EXPECT_NE(recorder_->shown()->versions.find("video")->second, version) << "other results";
  EXPECT_TRUE(recorder_->errors().empty());
  session_->post(command::Undo{});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.missing.empty(); }));
}

TEST_F(SessionFileTest, OpeningAndSavingAreInTheCustodyLog) {
  ASSERT_TRUE(begin_or_note_custody(project_.path, "sealed"));
  open();
  session_->post(command::Edit{"box", add_box});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.unsaved; }));
  session_->post(command::Save{project_.path});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.unsaved; }));
  const auto log = read_custody(custody_path(project_.path));
  ASSERT_TRUE(log && log->entries.size() == 3U);
  EXPECT_EQ(log->entries[1].what, "opened");
  EXPECT_EQ(log->entries[2].what, "project changed");
  EXPECT_EQ(log->entries[2].details.at("changed"), "boxes");
}

// Results hold, masks are found, and both are the same after Undo, whether or not the project is saved.
TEST_F(SessionFileTest, ARenamedCameraKeepsWhatItHas) {
  const fs::path masks = drawn_masks_folder(project_.path);
  ASSERT_TRUE(make_folder(masks / "cam2"));
  ASSERT_TRUE(write_file_atomically(masks / "cam2" / "frame_000003.png", "a mask"));
  open();
  ASSERT_TRUE(recorder_->wait_for_analysis([&] { session_->post(command::Analyse{{0, kFrames}}); }));
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::current) == kFrames; }));
  session_->post(command::Edit{"box", add_box});
  session_->post(command::Edit{"rename cam2", [](Project& project) {
                                 ASSERT_TRUE(rename_part(&project, NamedPart::camera, "cam2", "Main door"));
                               }});
  const auto named = [&](const char* name) {
    return recorder_->wait_for([&](const Recorder& r) {
      return r.opened_.cameras.at(1).name == name && r.count(FrameState::current) == kFrames;
    });
  };
  ASSERT_TRUE(named("Main door")) << "its results hold";
  EXPECT_TRUE(find_mask(masks, "Main door", 3));
  EXPECT_EQ(load_project(project_.path)->cameras[1].name, "Main door") << "files are found by it: at once";
  EXPECT_TRUE(load_project(project_.path)->boxes.empty()) << "everything else is saved when the user saves";
  EXPECT_TRUE(recorder_->status().unsaved);
  session_->post(command::Undo{});
  ASSERT_TRUE(named("cam2"));
  EXPECT_TRUE(find_mask(masks, "cam2", 3));
  EXPECT_EQ(load_project(project_.path)->cameras[1].name, "cam2");
  session_->post(command::Redo{});
  ASSERT_TRUE(named("Main door"));
  draw_zone_outside();
  session_->post(command::Undo{});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) {
    return !r.errors_.empty() &&
           r.errors_.back().message().find("Load its changes first") != std::string::npos;
  })) << "a file that others have changed is not touched";
  EXPECT_TRUE(find_mask(masks, "Main door", 3));
}

// Stored results still have the people; only another analysis, which would replace them, is refused.
TEST_F(SessionFileTest, ResultsStayReadableWithoutAVideo) {
  open();
  ASSERT_TRUE(recorder_->wait_for_analysis([&] { session_->post(command::Analyse{{0, kFrames}}); }));
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.tracks_ && !r.tracks_->paths.empty(); }));
  const int64_t seen = recorder_->tracks_->paths[0].points.front().frame;
  session_->post(command::Close{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.open; }));
  move_away("cam2.mp4");
  const std::string results = read_file(project_.results_folder() / "results.jsonl").value();
  open();
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.tracks_ != nullptr; }));
  EXPECT_EQ(recorder_->status().without_video, std::vector<size_t>{1});
  recorder_->forget_told();
  session_->post(command::Seek{seen});
  EXPECT_TRUE(recorder_->wait_for([&](const Recorder& r) {
    return r.shown_frame_->result->frame == seen && r.shown_frame_->ids && !r.shown_frame_->ids->empty() &&
           r.shown_frame_->ids->front() > 0;
  })) << "they have their IDs";
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::current) == kFrames; }));
  session_->post(command::Analyse{{0, kFrames}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.errors_.empty(); }));
  EXPECT_NE(recorder_->errors()[0].what.find("cam2.mp4"), std::string::npos);
  EXPECT_NE(recorder_->status().keeps_from_analysing.find("cam2.mp4"), std::string::npos);
  EXPECT_EQ(read_file(project_.results_folder() / "results.jsonl").value(), results);
  // With other settings they are out of date, as with all videos.
  session_->post(command::SetParameter{"foreground", "learning_frames", 9});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::out_of_date) > 0; }));
  session_->post(command::Undo{});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::current) == kFrames; }));
}

// The base camera counts the frames: without it the first available camera does.
TEST_F(SessionFileTest, TheBaseMayBeMissing) {
  move_away("cam1.mp4");
  open();
  ASSERT_TRUE(wait_for_picture(1, true));
  EXPECT_TRUE(recorder_->wait_for(
      [](const Recorder& r) { return r.status_.frame_count_exact && r.status_.frame_count == kFrames; }));
  EXPECT_FALSE(recorder_->shown()->frames()->cameras[0].picture);
  session_->post(command::Seek{kFrames - 1});
  EXPECT_TRUE(recorder_->wait_for_exact(kFrames - 1));
  EXPECT_TRUE(recorder_->errors().empty());
}

TEST_F(SessionFileTest, AMissingClipIsLeftOut) {
  move_away("cam1_empty.mp4");
  open();
  EXPECT_TRUE(recorder_->wait_for_exact(0));
  EXPECT_NE(recorder_->status().missing.find("empty-scene clip"), std::string::npos);
}

TEST_F(SessionFileTest, MissingDetectionsAreLeftOutAndTakenUpWhenFound) {
  const fs::path boxes = folder_.path() / "cam1.txt";
  ASSERT_TRUE(write_file_atomically(boxes, "1,-1,10,10,20,40,0.9\n"));
  project_.cameras[0].detections.file = boxes.string();
  ASSERT_TRUE(save_project(project_, project_.path));
  move_away("cam1.txt");
  open();
  EXPECT_TRUE(recorder_->wait_for_exact(0));
  EXPECT_NE(recorder_->status().missing.find("cam1's detections"), std::string::npos);
  const auto found =
      find_missing_files(project_, folder_.path() / "moved", ByName::when_unknown, StopSource());
  ASSERT_TRUE(found && found->size() == 1);
  session_->post(command::Edit{"find files", [all = *found](Project& project) { relink(all, &project); }});
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.missing.empty(); }));
  EXPECT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.shown_ && r.shown_->detections(); }));
  EXPECT_TRUE(recorder_->errors().empty());
}

TEST_F(SessionFileTest, WithoutAnyVideoTheRemedyIsNamed) {
  for (const char* name : {"cam1.mp4", "cam2.mp4", "cam3.mp4"}) move_away(name);
  session_->post(command::OpenFile{project_.path});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.errors_.empty(); }));
  const Error error = recorder_->errors()[0];
  EXPECT_EQ(error.kind, ErrorKind::not_found);
  EXPECT_NE(error.remedy.find("relink"), std::string::npos);
  EXPECT_FALSE(fs::exists(lock_path(project_.path))) << "it is not open";
}

TEST_F(SessionFileTest, AChangeFromOutsideIsNotWipedOut) {
  open();
  session_->post(command::Edit{"box", add_box});
  draw_zone_outside();
  session_->post(command::Save{project_.path});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.changed_outside == "zones"; }));
  EXPECT_EQ(load_project(project_.path)->zones.size(), 1u);
  EXPECT_TRUE(load_project(project_.path)->boxes.empty());
  // Loaded, and undone.
  session_->post(command::Reload{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) {
    return r.opened_.zones.size() == 1 && r.opened_.boxes.empty() && !r.status_.unsaved &&
           r.status_.changed_outside.empty();
  }));
  session_->post(command::Undo{});
  ASSERT_TRUE(
      recorder_->wait_for([](const Recorder& r) { return !r.opened_.boxes.empty() && r.status_.unsaved; }));
  session_->post(command::Save{project_.path});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.unsaved; }));
  EXPECT_FALSE(load_project(project_.path)->boxes.empty());
  // Overwritten on request.
  draw_zone_outside();
  session_->post(command::ExamineFile{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.changed_outside == "zones"; }));
  session_->post(command::Overwrite{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.changed_outside.empty(); }));
  EXPECT_TRUE(load_project(project_.path)->zones.empty());
}

TEST_F(SessionFileTest, WhatSomebodyElseHasIsReadOnly) {
  const pid_t other = ::fork();
  if (other == 0) {
    const ProjectLock lock = ProjectLock::take(project_.path);
    for (;;) ::pause();
  }
  while (!held_by_other(project_.path)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  open();
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.held_by.has_value(); }));
  EXPECT_EQ(recorder_->status().held_by->process, other);
  session_->post(command::Edit{"box", add_box});
  session_->post(command::Autosave{});
  session_->post(command::Save{project_.path});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.errors_.empty(); }));
  EXPECT_NE(recorder_->errors()[0].what.find("is open in"), std::string::npos);
  EXPECT_TRUE(load_project(project_.path)->boxes.empty());
  EXPECT_FALSE(fs::exists(project_.path.string() + ".autosave")) << "that one is theirs";
  session_->post(command::Analyse{{0, 3}});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.count(FrameState::current) >= 3; }));
  EXPECT_FALSE(fs::exists(project_.results_folder())) << "results stay in memory";
  // Under another name there is no other owner.
  session_->post(command::Save{folder_.path() / "mine.vantage"});
  ASSERT_TRUE(
      recorder_->wait_for([](const Recorder& r) { return !r.status_.held_by && !r.status_.unsaved; }));
  EXPECT_FALSE(load_project(folder_.path() / "mine.vantage")->boxes.empty());
  session_->post(command::Save{project_.path});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.errors_.size() == 2; }));
  // It can be saved once the other program has ended, or when it is opened anyway.
  session_->post(command::OpenFile{project_.path});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.held_by.has_value(); }));
  session_->post(command::TakeOver{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.open && !r.status_.held_by; }));
  session_->post(command::Edit{"box", add_box});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return r.status_.unsaved; }));
  session_->post(command::Save{project_.path});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.unsaved; }));
  EXPECT_FALSE(load_project(project_.path)->boxes.empty());
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  session_->post(command::Close{});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.status_.open; }));
  EXPECT_FALSE(fs::exists(lock_path(project_.path)));
}

// Save As copies painted masks; saving under the same name copies nothing.
TEST_F(SessionFileTest, PaintedMasksComeAlongUnderAnotherName) {
  const Image mask = empty_mask(16, 12, HostPool::shared()).value();
  ASSERT_TRUE(write_mask(drawn_masks_folder(project_.path), "cam1", 3, mask));
  ASSERT_TRUE(write_mask(drawn_masks_folder(project_.path), "cam2", 7, mask));
  open();
  const fs::path other = folder_.path() / "other.vantage";
  session_->post(command::Save{other});
  ASSERT_TRUE(recorder_->wait_for([&](const Recorder& r) { return r.opened_.path == other; }));
  EXPECT_EQ(find_masks(drawn_masks_folder(other)).value().size(), 2U);
  EXPECT_EQ(find_masks(drawn_masks_folder(project_.path)).value().size(), 2U);
  ASSERT_TRUE(remove_mask(drawn_masks_folder(other), "cam2", 7));
  session_->post(command::Save{other});
  session_->post(command::Save{project_.path});
  ASSERT_TRUE(recorder_->wait_for([&](const Recorder& r) { return r.opened_.path == project_.path; }));
  EXPECT_EQ(find_masks(drawn_masks_folder(other)).value().size(), 1U);
  EXPECT_EQ(find_masks(drawn_masks_folder(project_.path)).value().size(), 1U);
  EXPECT_EQ(find_masks(drawn_masks_folder(project_.path).string() + ".before1").value().size(), 2U)
      << "what the project of that name had is kept";
  EXPECT_TRUE(recorder_->errors().empty());
}

TEST_F(SessionFileTest, NothingIsSavedWhereTheMasksCannotBeCopied) {
  const Image mask = empty_mask(16, 12, HostPool::shared()).value();
  ASSERT_TRUE(write_mask(drawn_masks_folder(project_.path), "cam1", 3, mask));
  open();
  const fs::path other = folder_.path() / "other.vantage";
  ASSERT_TRUE(write_file_atomically(folder_.path() / "other.truth", "a file where the folder would be"));
  session_->post(command::Save{other});
  ASSERT_TRUE(recorder_->wait_for([](const Recorder& r) { return !r.errors_.empty(); }));
  EXPECT_FALSE(fs::exists(other));
}

}  // namespace
}  // namespace vantage
