// The main window over a real session on live cameras.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/live/test_cameras/stream_server.h"
#include "tests/ui/support/session_window.h"
#include "ui/main_window/workspace.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

// Cameras on the loopback interface, a project of them, and the window on a real session.
class LiveWindow : public SessionWindow {
 public:
  explicit LiveWindow(const std::string& user = {}, const std::string& password = {},
                      const std::function<void(Project&)>& change = {})
      : SessionWindow(2, 50) {
    serve(user, password, change);
  }
  // Of the project that `make` writes into the folder.
  explicit LiveWindow(const std::function<Project(const std::filesystem::path& folder)>& make)
      : SessionWindow(make) {
    serve({}, {}, {});
  }
  ~LiveWindow() { window.reset(); }  // before the server
  // What the session would have found.
  void propose(const OffsetProposal& proposal) { bridge_->on_offset_proposal(proposal, false); }
  QString badge() const { return window->workspace()->transport()->badge_text(); }
  const Project& project() const { return project_; }

  std::unique_ptr<StreamServer> server;

 private:
  void serve(const std::string& user, const std::string& password,
             const std::function<void(Project&)>& change) {
    StreamServerOptions served;
    for (const ProjectCamera& camera : project_.cameras)
      served.cameras.push_back({camera.name, camera.video});
    served.user = user, served.password = password;
    server = std::move(*StreamServer::start(std::move(served)));
    for (size_t i = 0; i < project_.cameras.size(); ++i) project_.cameras[i].video = server->address(i);
    if (change) change(project_);
    project_.path = (folder_.path() + "/live.vantage").toStdString();
    static_cast<void>(save_project(project_, project_.path));
    SessionOptions options;
    options.credentials = make_credential_file((folder_.path() + "/cameras.json").toStdString());
    options.live.bound_s = 1;  // a busy machine may bring the pictures of one moment far apart
    show({1280, 720}, std::move(options));
    if (user.empty()) open();
  }
};

}  // namespace vantage::ui
