// How good the results are by the ground truth that was drawn: figures with intervals, over time, of each
// person, in each zone, by cameras; and the worst frames.
#pragma once

#include <QWidget>
#include <vector>

#include "core/metrics/worst_moments.h"
#include "core/results/measured_parts.h"

class QAction;
class QComboBox;
class QLabel;
class QTableWidget;

namespace vantage::ui {

// What is listed: by parts, or the worst frames.
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
  QString text() const;
  QTableWidget* table() const { return table_; }
  QComboBox* views() const { return views_; }
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
  void set_row(int row, const QStringList& cells, const QString& tip);

  QComboBox* views_;
  QTableWidget* table_;
  QLabel* text_;
};

}  // namespace vantage::ui
