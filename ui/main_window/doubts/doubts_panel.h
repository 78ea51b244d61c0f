// Doubtful identities: what is asked of the one that is examined, the commands that answer it, and all that
// are still to be answered.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/main_window/find/found_list.h"

class QAction;
class QLabel;

namespace vantage::ui {

class DoubtsPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands that go on and those that answer stand as buttons, in two rows.
  DoubtsPanel(const std::vector<QAction*>& moves, const std::vector<QAction*>& answers,
              QWidget* parent = nullptr);

  void show_doubts(std::vector<FoundRow> rows, const QString& words);
  void show_question(const QString& question);  // empty: none is examined
  FoundList* list() const { return list_; }
  QString summary() const;
  QString question() const;

 private:
  QLabel *question_, *summary_;
  FoundList* list_;
};

}  // namespace vantage::ui
