// Checks of the project off the GUI thread: on demand, and before every analysis, which a failed one stops
// with the choice to go on.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "core/check/check.h"
#include "core/session/session.h"
#include "ui/main_window/window_actions.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class ChecksPanel;
class MessageBar;

// Performs the checks; `options` has everything but the backends.
using CheckFunction = std::function<CheckReport(const Project&, const CheckOptions&)>;

class CheckControl final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    ChecksPanel* panel;
    MessageBar* messages;
    Session* session;
  };
  // An empty `check`: there are no checks, and analyses start at once.
  CheckControl(const WindowActions& actions, Parts parts, CheckFunction check, QObject* parent);

  bool available() const { return check_ != nullptr; }
  bool running() const { return job_.running(); }
  QString activity() const { return activity_; }  // "Checking"; while one runs
  void set_project(const Project& project);       // what was found may be of an older one
  void check_now();
  void analyse(FrameRange frames);  // after a check
  void stop() { job_.stop(); }
  void forget();

 signals:
  void running_changed();
  void dock_wanted();  // there is something to look at
  void counted(int failed, int doubtful);
  void camera_requested(int camera);
  void seek_requested(int64_t base_frame);

 private:
  void start(const CheckOptions& options, const QString& activity);
  void on_checked(const CheckReport& report);
  void on_stopped();
  void offer_offsets(const CheckReport& report);
  void offer_to_go_on(const CheckReport& report, FrameRange frames);
  void show_place(const QString& camera, int64_t camera_frame);
  void count();

  WindowActions actions_;
  Parts parts_;
  CheckFunction check_;
  Project project_;
  QString activity_;
  std::optional<FrameRange> analyse_after_;
  std::vector<uint64_t> checked_;  // what the last check was of; empty: nothing, or something older
  BackgroundJob job_;              // goes first: its work uses the function
};

}  // namespace vantage::ui
