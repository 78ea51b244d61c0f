// The main window over a session without footage, open on a project.
#pragma once

#include <memory>

#include "core/algorithms.h"
#include "tests/ui/support/fake_session.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/show_window.h"
#include "ui/main_window/workspace.h"
#include "ui/views/camera_grid.h"

namespace vantage::ui {

// On the CPU, over the made-up recording.
inline std::unique_ptr<HeightStudy> study_of(const Project& project) {
  static const BackendRegistry registry = [] {
    BackendRegistry made;
    register_cpu_backends(made);
    return made;
  }();
  HeightMapperOptions options;
  options.backends = &registry;
  options.cameras = project.calibrations();
  return std::make_unique<HeightStudy>(std::move(options));
}

class OpenWindow {
 public:
  explicit OpenWindow(FakeScene scene = {}, bool open = true, CheckFunction check = {},
                      int64_t recoverable_s = 0, AlignFunction align = {}, AgreementFunction agreement = {},
                      RunMarker* marker = nullptr, PeopleFunction place_by_people = {},
                      ComparePeopleFunction compare_by_people = {})
      : session_(bridge_, scene) {
    session_.set_recoverable(recoverable_s);
    WindowServices services = services_of(&session_, bridge_.get(), &spans_);
    services.check = std::move(check);
    services.height_study = study_of;
    services.align = std::move(align);
    services.agreement = std::move(agreement);
    services.marker = marker;
    services.place_by_people = std::move(place_by_people);
    services.compare_by_people = std::move(compare_by_people);
    services.demonstration = "/demo/demo.vantage";
    window = show_window(std::move(services), {1280, 720});
    if (!open) return;
    window->open_project("/somewhere/hall.vantage");
    QCoreApplication::processEvents();
    window->workspace()->cameras()->setFocus();
  }

  FakeSession& session() { return session_; }
  SessionBridge* bridge() const { return bridge_.get(); }
  // Of what was asked for: the window saves by itself, too, whenever its time has come.
  QString last() const {
    for (auto call = session_.calls.crbegin(); call != session_.calls.crend(); ++call)
      if (*call != "autosave") return *call;
    return {};
  }
  void key(int key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : window.get(),
                    static_cast<Qt::Key>(key), modifiers);
    QCoreApplication::processEvents();
  }

 private:
  TraceRecorder trace_;
  SpanReaders spans_{&trace_};
  std::shared_ptr<SessionBridge> bridge_ = std::make_shared<SessionBridge>();
  FakeSession session_;

 public:
  std::unique_ptr<MainWindow> window;
};

}  // namespace vantage::ui
