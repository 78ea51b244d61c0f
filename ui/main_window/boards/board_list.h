// The boards that cameras are solved by: how many cameras saw each, and whether it is joined with the others.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

class QAction;
class QLabel;
class QTableWidget;

namespace vantage::ui {

// What was found of one board; as yet nothing: all empty.
struct BoardResult {
  QString cameras;  // "3"
  QString joined;   // "world", "joined", "not joined"
  QString text;     // in sentences: who saw it, where it stands, or why it is not joined
};

class BoardList final : public QWidget {
  Q_OBJECT
 public:
  // The actions as buttons.
  explicit BoardList(const std::vector<QAction*>& actions, QWidget* parent = nullptr);

  // Not an edit by the user. `problem`: why these boards solve nothing; or empty. One result a board, or
  // none.
  void show_boards(const std::vector<QString>& boards, size_t chosen, const QString& problem);
  void show_results(const std::vector<BoardResult>& results);
  size_t chosen() const { return chosen_; }
  QTableWidget* table() const { return table_; }
  QString text() const;  // what is shown of the chosen board, or what is wrong

 signals:
  void chosen_by_hand(int board);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_text();
  void make_room();

  QTableWidget* table_;
  QLabel* text_;
  QString problem_;
  std::vector<BoardResult> results_;
  size_t chosen_ = 0;
  bool filling_ = false;
};

}  // namespace vantage::ui
