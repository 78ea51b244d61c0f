// The row of playback: step and play buttons, rate, time and frame, the marked range and Analyse. Buttons
// mirror the window's actions, so they share their state, tooltips and reasons.
#pragma once

#include <QWidget>
#include <initializer_list>

#include "core/session/session.h"
#include "ui/widgets/timeline.h"

class QAction;
class QLabel;
class QToolButton;

namespace vantage::ui {

class LiveBadge;

struct TransportActions {
  QAction* step_back;
  QAction* play;
  QAction* step_forward;
  QAction* analyse_range;
  QAction* record;
};

class Transport final : public QWidget {
  Q_OBJECT
 public:
  Transport(const TransportActions& actions, QWidget* parent = nullptr);

  void set_status(const SessionStatus& status, double playback_rate);
  void set_frame(int64_t frame);
  void set_range(const MarkedRange& range);
  void set_analyse_action(QAction* action);
  QString frame_text() const;
  QString badge_text() const;  // empty: a recording

 signals:
  void live_requested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void show_position();
  void set_icons();

  SessionStatus status_;
  QToolButton* step_back_;
  QToolButton* play_;
  QToolButton* step_forward_;
  QLabel* rate_;
  LiveBadge* badge_;
  QLabel* time_;
  QLabel* frame_;
  QLabel* range_;
  QToolButton* record_;
  QToolButton* analyse_;
};

}  // namespace vantage::ui
