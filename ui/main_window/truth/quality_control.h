// The page of the ground truth's dock that says how good the results are by it, and goes to the worst frames.
// Measured off the GUI thread, again whenever results or ground truth change, while it is shown.
#pragma once

#include <QLabel>
#include <QWidget>
#include <vector>

#include "core/metrics/worst_moments.h"
#include "core/results/measured_parts.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

class QAction;
class QCheckBox;
class QComboBox;
class QTableWidget;

namespace vantage::ui {

// How good the results are by the ground truth that was drawn: figures with intervals, over time, of each
// person, in each zone, by cameras; and the worst frames.

// The rows of the list: parts, or the worst frames.
enum class QualityView : uint8_t { all, time, person, zone, cameras, moments };

class QualityPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit QualityPanel(const std::vector<QAction*>& actions, QWidget* parent = nullptr);

  QualityView view() const;
  void choose_view(QualityView view);
  // Figures of all: a row a figure, with its interval; of parts: a row a part.
  void show_parts(const MeasuredParts& parts);
  void show_moments(const std::vector<WorstMoment>& moments);
  // Instead of a table.
  void show_text(const QString& words);
  QString text() const { return text_->text(); }
  QTableWidget* table() const { return table_; }
  QComboBox* views() const { return views_; }
  QCheckBox* analysed_only() const { return analysed_only_; }
  int chosen_row() const;  // -1: none
  void choose_row(int row);
  // The table as it stands, separated by tabs.
  QString table_text() const;

 signals:
  void view_chosen();
  void row_chosen(int row);  // a click or a key, also on the one that is chosen
  void became_visible();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void set_columns(const QStringList& names, const QStringList& tips, int stretched);

  QComboBox* views_;
  QCheckBox* analysed_only_;
  QTableWidget* table_;
  QLabel* text_;
};

class TruthControl;

class QualityControl final : public Control {
  Q_OBJECT
 public:
  explicit QualityControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  QualityPanel* panel() const { return panel_; }
  // As CSV.
  void export_to(const QString& path);

 private:
  void show_page();
  void measure();
  void say(const QString& words);  // instead of a table
  void take(const MeasuredParts& parts);
  void take(const std::vector<WorstMoment>& moments);
  void go_to(int row);
  void go_to_next_moment();

  QualityPanel* panel_;
  TruthControl* truth_;
  MeasuredParts parts_;
  std::vector<WorstMoment> moments_;
  QString without_;     // how many frames have no results, as a sentence; empty: all have some
  bool go_on_ = false;  // to the first of the worst frames, once they are known
  BackgroundJob job_;
};

}  // namespace vantage::ui
