// Which two runs are compared and how, and where they differ, as a list.
#pragma once

#include <QWidget>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "ui/main_window/compare/compared_runs.h"

class QComboBox;
class QLabel;
class QTableWidget;

namespace vantage::ui {

struct ComparePanelActions {
  std::vector<QAction*> styles;
  QAction *swap, *previous, *next;
};

class ComparePanel final : public QWidget {
  Q_OBJECT
 public:
  explicit ComparePanel(const ComparePanelActions& actions, QWidget* parent = nullptr);

  // The runs there are; those chosen stay chosen where they are among them, else two others are.
  void show_runs(const std::vector<RunName>& runs);
  std::array<RunName, 2> chosen() const;
  void choose(const std::array<RunName, 2>& names);
  void show_text(const QString& text);
  void show_note(const QString& text);  // of the frame that is shown; empty: none
  // `frame_text`: a frame with its time, for tooltips.
  void show_differences(const ComparedRuns& compared, const std::function<QString(int64_t)>& frame_text);
  void clear();
  // Figures by ground truth: which of the two is better; `words` says what they mean, or why there are none.
  void show_figures(const std::vector<ComparedFigure>& figures, const QString& words);
  QTableWidget* figures() const { return figures_; }
  QString figures_text() const;
  // Differences of the chosen kinds, by first frame.
  const std::vector<ResultsDifference>& differences() const { return listed_; }
  void select(std::optional<size_t> difference);
  std::optional<size_t> selected() const;
  QTableWidget* list() const { return list_; }
  QComboBox* side(size_t side) const { return sides_[side]; }
  QComboBox* kinds() const { return kinds_; }
  QString text() const;
  QString note() const;

 signals:
  void runs_chosen();
  // A row was clicked, or chosen with the keys.
  void difference_chosen(size_t difference);
  void kinds_changed();

 private:
  void fill_list();

  std::array<QComboBox*, 2> sides_;
  QComboBox* kinds_;
  QLabel *text_, *note_, *more_, *figures_text_;
  QTableWidget *list_, *figures_;
  std::vector<ResultsDifference> all_, listed_;
  std::array<std::string, 2> names_;
  std::function<QString(int64_t)> frame_text_;
};

}  // namespace vantage::ui
