// Where the masks of two painters disagree, and the buttons that settle it. Hidden while they agree.
#pragma once

#include <QWidget>
#include <span>
#include <vector>

#include "core/results/merge_masks.h"

class QAction;
class QTableWidget;

namespace vantage::ui {

class MaskMergePanel final : public QWidget {
  Q_OBJECT
 public:
  explicit MaskMergePanel(const std::vector<QAction*>& actions, QWidget* parent = nullptr);

  void show_disagreements(std::span<const MaskDisagreement> disagreements);
  // Indices of the chosen rows; none chosen: all.
  std::vector<size_t> chosen() const;
  QTableWidget* table() const { return table_; }

 signals:
  void seek_requested(qint64 frame);  // to the frame of the row that was double-clicked

 private:
  QTableWidget* table_;
};

}  // namespace vantage::ui
