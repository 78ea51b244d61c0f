// A session on a camera of this machine, which only one can have at a time.
#include <gtest/gtest.h>

#include <atomic>

#include "core/video/video_source.h"
#include "tests/unit/pipeline/footage.h"
#include "tests/unit/session/live_session.h"

namespace vantage {
namespace {

using Recorder = test::SessionRecorder;

std::atomic<int> held_cameras = 0, refused_cameras = 0;

// A file played at its own pace, as a device that is busy while it is open.
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
    Project project = test::make_footage(folder_.path(), 2, 50);
    set_device_opener(open_local_camera);
    project.cameras[1].video = "device://" + project.cameras[1].video;
    serve(project, {{project.cameras[0].name, project.cameras[0].video}});
    open();
  }
  void TearDown() override {
    session_.reset();
    EXPECT_EQ(held_cameras, 0);
  }
  // Until frames come that were analysed from now on.
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

// Then it is as it was, and goes on.
TEST_F(LocalCameraSession, AChangeThatCannotBeMadeLeavesTheCameraRunning) {
  session_->post(
      command::Edit{"video", [](Project& project) { project.cameras[1].video = "gopher://nowhere"; }});
  EXPECT_TRUE(wait_for([](const Recorder& r) { return !r.errors_.empty(); }));
  EXPECT_TRUE(goes_on());
  EXPECT_TRUE(recorder_->status().open);
}

}  // namespace
}  // namespace vantage
