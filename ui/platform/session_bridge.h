// Passes a session's reports from its thread to the GUI thread without waiting: reports are queued until the
// event loop fetches them, of frames, states and results only the newest.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/session/session.h"

namespace vantage::ui {

class SessionBridge final : public QObject, public SessionListener {
  Q_OBJECT
 public:
  // Belongs to its creating thread, the GUI thread. Must outlive the reporting session.
  SessionBridge() = default;

  // The window that is there now; a window can be made again, under the same session.
  void set_window(QObject* window) { window_ = window; }
  QObject* window() const { return window_; }
  // Emits again what was reported last of the open project: for a window that was made after that.
  void repeat();

  // On any thread.
  void on_opened(const Project& project) override;
  void on_frame(ShownFrameRef shown) override;
  void on_status(const SessionStatus& status) override;
  void on_results(std::vector<FrameSummary> frames) override;
  void on_tracks(TracksRef tracks) override;
  void on_offset_proposal(const OffsetProposal& proposal, bool applied) override;
  void on_why(const WhyReport& report) override;
  void on_error(const Error& error) override;
  void on_note(const std::string& note) override;
  void on_step(const RepeatedStep& step) override;

 signals:  // on the GUI thread
  void opened(const vantage::Project& project);
  void frame_ready(const vantage::ShownFrameRef& shown);
  void status_changed(const vantage::SessionStatus& status);
  void results_changed(const std::vector<vantage::FrameSummary>& frames);
  void tracks_changed(const vantage::TracksRef& tracks);
  void offset_proposed(const vantage::OffsetProposal& proposal, bool applied);
  void why_answered(const vantage::WhyReport& report);
  void error_raised(const vantage::Error& error);
  void note_raised(const QString& note);
  void step_repeated(const vantage::RepeatedStep& step);

 private:
  struct Pending {
    ShownFrameRef frame_before_project;  // arrived before the project: belongs to the previous one
    std::optional<Project> project;
    ShownFrameRef frame;
    std::optional<SessionStatus> status;
    std::optional<std::vector<FrameSummary>> frames;
    std::optional<TracksRef> tracks;
    std::vector<std::pair<OffsetProposal, bool>> proposals;
    std::optional<WhyReport> why;
    std::vector<Error> errors;
    std::vector<std::string> notes;
    std::vector<RepeatedStep> steps;
  };
  template <typename Change>
  void keep(Change change);
  void deliver();
  void remember(const Pending& now);

  std::mutex mutex_;
  Pending pending_;
  bool scheduled_ = false;
  Pending last_;  // project, status, tracks, frames and frame; on the GUI thread
  QPointer<QObject> window_;
};

}  // namespace vantage::ui
