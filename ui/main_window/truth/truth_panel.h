// The people of the ground truth that is drawn in the project, and what the results are worth by it.
#pragma once

#include <QLabel>
#include <QWidget>
#include <span>
#include <vector>

#include "core/metrics/drawn_truth.h"

class QAction;
class QDoubleSpinBox;
class QSpinBox;
class QTableWidget;

namespace vantage::ui {

class TruthPanel final : public QWidget {
  Q_OBJECT
 public:
  // The actions as buttons, a row each list.
  explicit TruthPanel(const std::vector<std::vector<QAction*>>& actions, QWidget* parent = nullptr);

  // `frame`: those who are there then are said so.
  void show_people(std::span<const TruePerson> people, int64_t frame);
  int64_t chosen() const;  // 0: no one
  void choose(int64_t id);
  int frames_per_click() const;
  void set_frames_per_click(int frames);
  void show_metrics(const QString& words);
  QTableWidget* table() const { return table_; }
  QDoubleSpinBox* height() const { return height_; }
  QString metrics() const { return metrics_->text(); }

 signals:
  void chosen_by_hand();
  void height_typed(double height_m);
  void seek_requested(qint64 frame);  // to the first frame of the person who was double-clicked

 private:
  void show_height();

  QTableWidget* table_;
  QDoubleSpinBox* height_;
  QSpinBox* go_on_;
  QLabel* metrics_;
  std::vector<TruePerson> people_;  // as the table has them
};

}  // namespace vantage::ui
