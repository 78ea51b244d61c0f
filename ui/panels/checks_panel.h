// The findings of the project's checks, worst first: a verdict each with its figure, its limit and its
// remedy. Passed ones share one quiet line.
#pragma once

#include <QToolButton>
#include <QWidget>

#include "core/check/check.h"

class QLabel;
class QPushButton;

namespace vantage::ui {

class ScrollList;

// Text of a part of the check: "Outlines of people".
QString part_text(const CheckProgress& at);

// The icon and the colour of a verdict.
struct VerdictStyle {
  const char* icon;
  QColor color;
};
VerdictStyle look_of(Verdict verdict, const QPalette& palette);

class ChecksPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit ChecksPanel(QWidget* parent = nullptr);

  void clear();  // nothing was checked yet
  void show_running();
  void show_progress(const CheckProgress& at);
  void show_stopped();  // restores the previous findings
  void show_report(const CheckReport& report);
  void mark_out_of_date();  // the project has changed since
  int count(Verdict verdict) const;

 signals:
  void check_requested();
  void cancel_requested();
  // The position to examine: an empty camera or a negative frame means none in particular.
  void show_requested(const QString& camera, qint64 frame);
  // A finding's remedy in the window: a command of the window, or "add_clip" for that camera.
  void remedy_requested(const QString& command, const QString& camera);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void build();
  void show_part();
  QWidget* make_card(const CheckItem& item);
  QPushButton* make_button(const QString& text, const QString& tip);
  QWidget* make_line(const CheckItem& item);

  CheckReport report_;
  bool checked_ = false, out_of_date_ = false, running_ = false;
  QString when_, part_;  // time of the check; part in progress
  QLabel* summary_;
  QPushButton *check_, *cancel_;  // one of the two is shown
  ScrollList* rows_;
};

// "Checks ▲1": the tool bar's button with the number of checks that need attention; only the worst are
// counted.

class ChecksButton final : public QToolButton {
  Q_OBJECT
 public:
  explicit ChecksButton(QAction* checks);
  void show_counts(int failed, int doubtful);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void draw();

  int failed_ = 0, doubtful_ = 0;
};

}  // namespace vantage::ui
