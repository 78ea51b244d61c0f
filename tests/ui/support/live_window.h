// The main window over a real session on live cameras.
#pragma once

#include <QTemporaryDir>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/session/cpu_backends.h"
#include "core/streaming/stream_server.h"
#include "tests/pipeline/footage.h"
#include "tests/ui/support/show_window.h"
#include "ui/main_window/workspace.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

inline constexpr int kWait_ms = 60'000;  // for a machine that is busy with something else

// Two cameras on the loopback interface, a project of them, and the window on a real session.
class LiveWindow {
 public:
  explicit LiveWindow(const std::string& user = {}, const std::string& password = {},
                      const std::function<void(Project&)>& change = {}) {
    register_cpu_backends(registry_);
    project_ = test::make_footage(folder_.path().toStdString(), 2, 50);
    StreamServerOptions served;
    for (const ProjectCamera& camera : project_.cameras)
      served.cameras.push_back({camera.name, camera.video});
    served.user = user, served.password = password;
    server = std::move(*StreamServer::start(std::move(served)));
    for (size_t i = 0; i < 2; ++i) project_.cameras[i].video = server->address(i);
    if (change) change(project_);
    project_.path = (folder_.path() + "/live.vantage").toStdString();
    static_cast<void>(save_project(project_, project_.path));
    SessionOptions options;
    options.backends = &registry_;
    options.credentials = make_credential_file((folder_.path() + "/cameras.json").toStdString());
    session_ = Session::make(options, bridge_);
    window = show_window(services_of(session_.get(), bridge_.get(), &trace_), {1280, 720});
    if (user.empty()) open();
  }
  void open() { window->open_project(QString::fromStdString(project_.path.string())); }
  QString folder() const { return folder_.path(); }
  ~LiveWindow() { window.reset(); }
  // What the session would have found.
  void propose(const OffsetProposal& proposal) { bridge_->on_offset_proposal(proposal, false); }
  QString badge() const { return window->workspace()->transport()->badge_text(); }
  const Project& project() const { return project_; }

 private:
  QTemporaryDir folder_;
  BackendRegistry registry_;
  TraceRecorder trace_;
  Project project_;
  std::shared_ptr<SessionBridge> bridge_ = std::make_shared<SessionBridge>();
  std::unique_ptr<Session> session_;

 public:
  std::unique_ptr<StreamServer> server;
  std::unique_ptr<MainWindow> window;
};

}  // namespace vantage::ui
