// The row of playback: step and play buttons, rate, time and frame, the marked range and Analyse. Buttons
// mirror the window's actions, so they share their state, tooltips and reasons.
#pragma once

#include <QLabel>
#include <QWidget>

#include "core/session/session.h"
#include "ui/widgets/timeline.h"

class QAction;
class QToolButton;

namespace vantage::ui {

class ActionButton;
class LiveBadge;

class Transport final : public QWidget {
  Q_OBJECT
 public:
  explicit Transport(QWidget* parent = nullptr);

  // The actions of the buttons, each of which shows its own.
  void set_playback_actions(QAction* step_back, QAction* play, QAction* step_forward);
  void set_record_action(QAction* action);
  void set_go_to_action(QAction* action);  // given by a click on the time
  // `words`: what it will do, or how far it is; `share` of it is done, negative: nothing is.
  void set_analyse_action(QAction* action, const QString& words, double share);
  void set_status(const SessionStatus& status, double playback_rate);
  void set_frame(int64_t frame);
  void set_range(const MarkedRange& range);
  void set_clock(const std::optional<RecordingClock>& clock);
  QString frame_text() const { return frame_->text(); }
  QString time_of_frame() const;
  QString badge_text() const;  // empty: a recording
  QString past_text() const;   // "past 1:43 of 2:00, 312 MB of 2.0 GB"; likewise
  QString record_text() const;
  ActionButton* analyse_button() const { return analyse_; }

 signals:
  void live_requested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void show_time(const QString& text);  // empty: none
  void show_position();
  void show_past(const LiveStatus& live);
  void show_recording(const LiveStatus& live);
  void set_icons();

  SessionStatus status_;
  std::optional<RecordingClock> clock_;
  MarkedRange marked_;
  QToolButton* step_back_;
  QToolButton* play_;
  QToolButton* step_forward_;
  QLabel* rate_;
  LiveBadge* badge_;
  QToolButton* time_;
  QLabel* frame_;
  QLabel* range_;
  QLabel* past_;
  QToolButton* record_;
  ActionButton* analyse_;
};

}  // namespace vantage::ui
