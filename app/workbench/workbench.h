// The parts behind the window: backends, record of timings, session; and the window over them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/backends/backends.h"
#include "app/server/served_session.h"
#include "core/session/session.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/status_line.h"
#include "ui/platform/session_bridge.h"

namespace vantage {

// Where installer/demo and the window render the demonstration; empty: this user has no place for it.
std::filesystem::path demonstration_folder();

// Cameras placed by people, on the CPU.
ui::PeopleFunction place_by_people_on_cpu();

// Cameras solved from footage, on the CPU.
ui::FootageFunction solve_footage_on_cpu();

// Outlives its windows.
class Workbench {
 public:
  // The command line's choice has to be there. `backend` empty: as preferred; a preferred device that is gone
  // only gets a note, as the window is where the preference is changed.
  // `careful`: the last start ended before there was a window; without a choice the CPU is taken this time.
  static Result<std::unique_ptr<Workbench>> open(const std::string& backend, bool careful = false);

  // Null marker: nothing is known of runs before.
  std::unique_ptr<ui::MainWindow> make_window(const std::filesystem::path& demonstration,
                                              ui::RunMarker* marker = nullptr);
  const Backends& backends() const { return backends_; }
  Session& session() { return *session_; }
  ui::SessionBridge& bridge() { return *bridge_; }
  TraceRecorder& trace() { return trace_; }

  // Live cameras fill it in a quarter of an hour, and it stays at 30 MB, names apart.
  static constexpr size_t kMaxSpans = size_t{1} << 18;

 private:
  Workbench() = default;
  void make_session();
  void add_studies(ui::WindowServices& services);

  TraceRecorder trace_{kMaxSpans};
  SpanReaders spans_{&trace_};
  Backends backends_;
  std::shared_ptr<CredentialStore> credentials_;
  const std::shared_ptr<server::ServedSession> served_ =
      std::make_shared<server::ServedSession>(&spans_, server::clip_makers([this] {
        return server::ClipDevice{backends_.on_device(&trace_), backends_.hardware};
      }));
  std::shared_ptr<ui::SessionBridge> bridge_ = std::make_shared<ui::SessionBridge>();
  std::unique_ptr<Session> session_;
};

}  // namespace vantage
