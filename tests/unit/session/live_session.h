// A session on live cameras: test cameras on the loopback interface that serve a project's videos.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/algorithms.h"
#include "core/live/test_cameras/stream_server.h"
#include "tests/support/data.h"
#include "tests/unit/session/session_recorder.h"

namespace vantage::test {

class LiveSession : public testing::Test {
 protected:
  // A busy machine may deliver a set's pictures far apart: it waits for them. `every`: as LiveOptions has it.
  explicit LiveSession(int every = 0) { live_.bound_s = 1, live_.every = every; }
  // Cameras 0 to served.size() - 1 become streams, the others stay files that are played at their own pace.
  void serve(Project project, std::vector<StreamedCamera> served) {
    register_cpu_backends(registry_);
    project_ = std::move(project);
    const size_t count = served.size();
    StreamServerOptions streams;
    streams.cameras = std::move(served);
    auto server = StreamServer::start(std::move(streams));
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
    for (size_t i = 0; i < count; ++i) project_.cameras[i].video = server_->address(i);
    project_.path = folder_.path() / "live.vantage";
    SessionOptions options;
    options.backends = &registry_;
    options.results = watcher_;
    options.live = live_;
    options.credentials = make_credential_file(folder_.path() / "cameras.json");
    session_ = Session::make(options, recorder_);
  }
  // Waits until something of the cameras is shown.
  virtual void open() {
    ASSERT_TRUE(save_project(project_, project_.path));
    session_->post(command::OpenFile{project_.path});
    ASSERT_TRUE(wait_for([](const SessionRecorder& r) { return r.shown_ && r.shown_->volume(); }));
  }
  template <typename Condition>
  bool wait_for(const Condition& condition) {
    return recorder_->wait_for(condition);
  }
  bool wait_for_live(const std::function<bool(const LiveStatus&)>& condition) {
    return wait_for([&](const SessionRecorder& r) { return r.status_.live && condition(*r.status_.live); });
  }

  const TemporaryFolder folder_;
  LiveOptions live_;
  BackendRegistry registry_;
  Project project_;
  std::unique_ptr<StreamServer> server_;
  std::shared_ptr<ResultsWatcher> watcher_;  // null: none
  std::shared_ptr<SessionRecorder> recorder_ = std::make_shared<SessionRecorder>();
  std::unique_ptr<Session> session_;
};

}  // namespace vantage::test
