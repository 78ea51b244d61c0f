// The line below everything: the position under the pointer, the volume, the backend and what is being done.
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <QToolButton>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/process_owner.h"

namespace vantage::ui {

class StatusLine final : public QStatusBar {
  Q_OBJECT
 public:
  // `stop` ends what is being done; its button is there while something can be stopped.
  explicit StatusLine(QAction* stop, QWidget* parent = nullptr);

  void set_position(const QString& text);
  void set_flow(const QString& text);  // next to the position
  void set_volume(const QString& text);
  void set_backend(const QString& text) { backend_->setText(text); }
  void set_surface(const QString& text);  // what draws the views, before the notes
  void add_note(const QString& note);
  const QStringList& notes() const { return notes_; }
  // What is being done; `share` of it is done, 0 to 1, negative: no one knows, or it is shown elsewhere.
  void set_activity(const QString& text, double share = -1);
  QToolButton* serving() const { return serving_; }  // hidden; its owner says when results are served
  void show_stop(bool shown) { stop_->setVisible(shown); }

 private:
  void show_position();
  void show_notes();

  QString position_text_, flow_text_, surface_;
  QStringList notes_;
  QLabel *position_, *volume_, *backend_, *activity_;
  QProgressBar* progress_;
  QToolButton* serving_;
  QPushButton* stop_;
};

// A file for as long as the program runs, so that the next start sees that this one did not end well, and
// with what project. One a process: windows side by side do not mistake each other.

// A run that neither ended by itself nor was asked to.
struct EarlyEnd {
  std::filesystem::path project;  // the one that was open; empty: none
  bool while_starting = false;    // before the window was there
  bool careful = false;           // it was itself a careful start
  int64_t process = 0;            // 0: not known
  bool asked = false;             // by a signal (a logout): only unsaved changes are of interest
};

class RunMarker {
 public:
  // Takes the markers of runs that are gone: a second start does not report them again. A folder that cannot
  // be written to only means that nothing is remembered.
  explicit RunMarker(std::filesystem::path folder = state_folder() / "running");
  ~RunMarker();
  RunMarker(const RunMarker&) = delete;
  RunMarker& operator=(const RunMarker&) = delete;

  const std::vector<EarlyEnd>& early_ends() const { return early_ends_; }
  // This start is a careful one: the window opens in its first layout, without the project.
  bool careful() const;
  bool ended_while_starting() const;
  bool ended_early_with(const std::filesystem::path& project) const;

  void started();                                          // the window is there
  void set_project(const std::filesystem::path& project);  // the one that is open now; empty: none

  // Signals that ask the program to end (a logout, Ctrl-C) and a display that goes away are no early ends
  // from now on. For the program's only marker.
  void end_as_asked_on_signals() const;

 private:
  void take_over();
  void write() const;

  const std::filesystem::path folder_, file_;
  std::vector<EarlyEnd> early_ends_;
  std::filesystem::path project_;
  bool starting_ = true;
};

}  // namespace vantage::ui
