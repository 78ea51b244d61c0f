// The project's rules, which raise events, each a sentence with fields. Next to it is how often it would have
// fired on the analysed frames (live cameras: the kept past), with links to the times, so that a rule is
// tried before OK arms it.
#pragma once

#include <QDialog>
#include <functional>

#include "core/project/project.h"
#include "core/session/recorded_tracks.h"

class QLabel;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace vantage::ui {

QString rule_text(const FloorRule& rule);  // "enters", "faster than 0.2 m/s"

// The frames that rules are tried on.
struct TriedFrames {
  TracksRef tracks;                         // null: nothing can be tried
  std::function<QString(int64_t)> time_of;  // text of a frame's time, for users; empty: by its number
  // Live cameras only: events from here on count, which is all that can be shown.
  std::optional<int64_t> first_frame;
};

class RuleSentence;

class RulesDialog final : public QDialog {
  Q_OBJECT
 public:
  RulesDialog(const Project& project, TriedFrames tried, QWidget* parent = nullptr);

  std::vector<FloorRule> rules() const;
  QString tried(int row) const;  // "4.1 an hour (12)", "2 in 0:23", of live cameras "3 in the last 1:43"
  QToolButton* moments(int row) const;  // its menu has the times
  void add_rule(const FloorRule& rule);

 signals:
  void moment_chosen(qint64 frame);

 private:
  void remove_rule(RuleSentence* sentence);
  void try_rule(const RuleSentence& sentence);
  void fit();
  void show_moments(QToolButton* button, const std::vector<FloorEvent>& events);
  QString count_text(const std::vector<FloorEvent>& events) const;
  QString trial_text() const;

  const Project project_;
  const TriedFrames on_;
  std::vector<RuleSentence*> sentences_;
  QScrollArea* area_;
  QLabel* nothing_;  // where there is no rule
  QVBoxLayout* list_;
};

}  // namespace vantage::ui
