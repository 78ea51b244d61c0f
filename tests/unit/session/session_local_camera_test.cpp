// A session on a camera of this machine, which only one program can open at a time.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "core/session/autosave.h"
#include "core/video/video_source.h"
#include "tests/unit/pipeline/footage.h"
#include "tests/unit/session/live_session.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;

std::atomic<int> held_cameras = 0, refused_cameras = 0;
std::atomic<bool> unplugged = false;

// A file played in real time, as a device that is busy while it is open.
class LocalCamera final : public VideoSource {
 public:
  explicit LocalCamera(std::unique_ptr<VideoSource> file) : file_(std::move(file)) {}
  ~LocalCamera() override { --held_cameras; }
  VideoInfo info() const override { return file_->info(); }
  Result<DecodedFrame> read() override { return file_->read(); }
  Status seek(int64_t index) override { return file_->seek(index); }
  Result<int64_t> wait_for_frame_count(const StopSource& stop) override {
    return file_->wait_for_frame_count(stop);
  }
  std::vector<std::pair<int64_t, std::string>> problems() const override { return file_->problems(); }
  uint64_t content_hash() const override { return file_->content_hash(); }
  StreamCounters counters() const override { return file_->counters(); }

 private:
  std::unique_ptr<VideoSource> file_;
};

Result<std::unique_ptr<VideoSource>> open_local_camera(const std::string& device,
                                                       const VideoOpenOptions& options) {
  if (unplugged) return fail(ErrorKind::io, "no such device", device);
  if (held_cameras++ > 0) {
    --held_cameras, ++refused_cameras;
    return fail(ErrorKind::io, "the device is busy", device);
  }
  auto file = open_video("paced://" + device.substr(device.find('/')), options);
  if (!file) {
    --held_cameras;
    return fail(file.error());
  }
  return std::make_unique<LocalCamera>(std::move(*file));
}

class LocalCameraSession : public test::LiveSession {
 protected:
  void SetUp() override {
    live_.connect_s = 2;
    refused_cameras = 0;
    unplugged = false;
    Project project = test::make_footage(folder_.path(), 2, 50);
    set_device_opener(open_local_camera);
    project.cameras[1].video = "device://" + project.cameras[1].video;
    prepare(project);
    serve(project, {{project.cameras[0].name, project.cameras[0].video}});
    open();
  }
  virtual void prepare(Project&) {}
  void TearDown() override {
    session_.reset();
    EXPECT_EQ(held_cameras, 0);
  }
  // Waits for frames analysed from now on.
  bool goes_on() {
    const int64_t frames = recorder_->frames();
    return wait_for([&](const Recorder& r) { return r.frames_ > frames + 5; });
  }
};

TEST_F(LocalCameraSession, ACalibrationIsAppliedWhileTheCameraRuns) {
  const Camera moved = test::footage_camera(1, 5);
  session_->post(command::Edit{"calibration", [&](Project& project) {
                                 project.cameras[1].calibration =
                                     Camera::make(project.cameras[1].name, moved.model()).value();
                               }});
  EXPECT_TRUE(wait_for([&](const Recorder& r) {
    return r.opened_.cameras[1].calibration &&
           (r.opened_.cameras[1].calibration->center_in_world_m() - moved.center_in_world_m()).norm() < 1e-9;
  }));
  EXPECT_TRUE(goes_on());
  EXPECT_TRUE(recorder_->errors().empty());
  EXPECT_EQ(refused_cameras, 0) << "the former analysis held the camera";
}

// The former state remains, and continues.
TEST_F(LocalCameraSession, AChangeThatCannotBeMadeLeavesTheCameraRunning) {
  session_->post(
      command::Edit{"video", [](Project& project) { project.cameras[1].video = "gopher://nowhere"; }});
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.errors_.empty(); }));
  EXPECT_TRUE(goes_on());
  EXPECT_TRUE(recorder_->status().open);
}

class LocalCameraUnplugged : public LocalCameraSession {
 protected:
  // An accepted edit; then one that is refused while the former analysis cannot be opened again either.
  void SetUp() override {
    LocalCameraSession::SetUp();
    add_zone("door");
    ASSERT_TRUE(wait_for([](const Recorder& r) { return r.status_.unsaved; }));
    unplugged = true;
    session_->post(
        command::Edit{"video", [](Project& project) { project.cameras[1].video = "gopher://nowhere"; }});
    ASSERT_TRUE(wait_for([](const Recorder& r) { return r.errors_.size() >= 2 && !r.status_.open; }));
  }
  // Without the size that a calibration states a camera must deliver pictures to be opened.
  void prepare(Project& project) override {
    for (ProjectCamera& camera : project.cameras) camera.calibration.reset();
  }
  void open() override {
    ASSERT_TRUE(save_project(project_, project_.path));
    session_->post(command::OpenFile{project_.path});
    ASSERT_TRUE(wait_for([](const Recorder& r) { return r.shown_ != nullptr; }));
  }
  void add_zone(const std::string& name) {
    session_->post(command::Edit{
        "zone", [name](Project& project) { project.zones.push_back({name, {{0, 0}, {1, 0}, {1, 1}}, {}}); }});
  }
  std::vector<std::string> zones_in(const std::filesystem::path& file) const {
    std::vector<std::string> names;
    const Result<Project> project = load_project(file);
    EXPECT_TRUE(project);
    if (project)
      for (const FloorZone& zone : project->zones) names.push_back(zone.name);
    return names;
  }
  using Names = std::vector<std::string>;
};

TEST_F(LocalCameraUnplugged, WhatWasEditedIsSaved) {
  EXPECT_TRUE(recorder_->status().unsaved);
  session_->post(command::Save{project_.path});
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.status_.unsaved; }));
  EXPECT_EQ(zones_in(project_.path), Names{"door"});
}

TEST_F(LocalCameraUnplugged, WhatWasEditedIsAutosaved) {
  session_->post(command::Autosave{});
  add_zone("window");  // refused: then the autosave is written
  ASSERT_TRUE(wait_for([](const Recorder& r) { return r.errors_.size() >= 3; }));
  EXPECT_EQ(zones_in(autosave_path(project_.path)), Names{"door"});
}

// The project is edited and opened again once the camera is back; until then an edit is refused with an
// error.
TEST_F(LocalCameraUnplugged, TheNextEditOpensTheProjectAgain) {
  add_zone("window");
  ASSERT_TRUE(wait_for([](const Recorder& r) { return r.errors_.size() >= 3; }));
  unplugged = false;
  add_zone("desk");
  EXPECT_TRUE(wait_for([](const Recorder& r) { return r.status_.open; }));
  EXPECT_TRUE(goes_on());
  session_->post(command::Save{project_.path});
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.status_.unsaved; }));
  EXPECT_EQ(zones_in(project_.path), (Names{"door", "desk"}));
}

TEST_F(LocalCameraUnplugged, ItIsClosed) {
  session_->post(command::Close{});
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.status_.unsaved && r.status_.undoes.empty(); }));
}

}  // namespace
}  // namespace vantage
