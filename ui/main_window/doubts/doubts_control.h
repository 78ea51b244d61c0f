// Goes through the identities that the tracks leave in doubt (core/tracks/doubts), and makes repairs of the
// answers.
#pragma once

#include <QLabel>
#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "core/tracks/doubts/doubts.h"
#include "ui/main_window/control.h"
#include "ui/main_window/find/find_panel.h"
#include "ui/platform/background_job.h"

class QAction;

namespace vantage::ui {

// Doubtful identities: what is asked of the one that is examined, the commands that answer it, and all that
// are still to be answered.

class DoubtsPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands that go on and those that answer stand as buttons, in two rows.
  DoubtsPanel(const std::vector<QAction*>& moves, const std::vector<QAction*>& answers,
              QWidget* parent = nullptr);

  void show_doubts(std::vector<FoundRow> rows, const QString& words);
  void show_question(const QString& question);  // empty: none is examined
  FoundList* list() const { return list_; }
  QString summary() const { return summary_->text(); }
  QString question() const { return question_->text(); }

 private:
  QLabel *question_, *summary_;
  FoundList* list_;
};

class DoubtsControl final : public Control {
  Q_OBJECT
 public:
  explicit DoubtsControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;

  const std::vector<Doubt>& doubts() const { return doubts_; }
  std::optional<Doubt> looked_at() const;
  bool searching() const { return job_.running(); }

 private:
  struct Found {
    std::vector<Doubt> all, open;
  };
  void ask();
  void show(const Found& found);
  void go_on(int by);
  void go_to(int row);
  void give(DoubtAnswer answer);
  FoundRow row_of(const Doubt& doubt) const;
  QString who(int64_t person) const;
  QString question_of(const Doubt& doubt) const;
  void name_answers();

  QAction* other_;
  DoubtsPanel* panel_;
  TracksRef tracks_;           // the tracks of the doubts
  std::vector<Doubt> doubts_;  // still to be answered
  std::optional<Doubt> at_;    // the one that was gone to last
  bool again_ = false, stale_ = true;
  int go_when_found_ = 0;  // 1, -1: a key asked before they were known
  BackgroundJob job_;
};

}  // namespace vantage::ui
