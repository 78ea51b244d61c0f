// The main window over a real session on the CPU, and a folder for what it opens.
#pragma once

#include <QTemporaryDir>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/algorithms.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/show_window.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage::ui {

// On the CPU.
inline SweepFunction sweep_on_cpu() {
  return [](const Project& project, const SweepRequest& request,
            const std::function<void(size_t, const SweepPoint&)>& measured, const StopSource& stop) {
    BackendRegistry registry;
    register_cpu_backends(registry);
    return sweep_project(project, &registry, "CPU", request, measured, stop);
  };
}

class SessionWindow {
 public:
  SessionWindow(const SessionWindow&) = delete;
  SessionWindow& operator=(const SessionWindow&) = delete;

  QString folder() const { return folder_.path(); }
  void open() { window->open_project(QString::fromStdString(project_.path.string())); }
  // What the file holds once the session has written it and the window knows.
  Project saved(const std::function<bool(const Project&)>& holds) const {
    session->post(command::Save{project_.path});
    Project read;
    static_cast<void>(QTest::qWaitFor(
        [&] {
          if (const auto loaded = load_project(project_.path)) read = *loaded;
          return holds(read) && !window->isWindowModified();
        },
        kWait_ms));
    return read;
  }

 protected:
  // A project of so many cameras, saved in the folder.
  SessionWindow(int cameras, int64_t frames)
      : project_(test::make_footage(folder_.path().toStdString(), cameras, frames)) {}
  // One that `make` writes into the folder.
  explicit SessionWindow(const std::function<Project(const std::filesystem::path& folder)>& make)
      : project_(make(folder_.path().toStdString())) {}
  ~SessionWindow() { window.reset(); }  // before what it looks at

  // `add`: what the window has beyond services_of().
  void show(const QSize& size, SessionOptions options = {},
            const std::function<void(WindowServices&)>& add = {}) {
    register_cpu_backends(registry_);
    options.backends.registry = &registry_;
    session = Session::make(std::move(options), bridge_);
    WindowServices services = services_of(session.get(), bridge_.get(), &spans_);
    if (add) add(services);
    window = show_window(std::move(services), size);
  }

  const QTemporaryDir folder_;
  BackendRegistry registry_;
  TraceRecorder trace_;
  SpanReaders spans_{&trace_};
  Project project_;
  const std::shared_ptr<SessionBridge> bridge_ = std::make_shared<SessionBridge>();

 public:
  std::unique_ptr<Session> session;
  std::unique_ptr<MainWindow> window;
};

}  // namespace vantage::ui
