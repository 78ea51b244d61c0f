// Masks of another painter compared with those of the project: the missing ones come in, disagreements are
// listed, drawn over the pictures and settled; as steps of the masks that can be undone.
#pragma once

#include <QString>
#include <QWidget>
#include <span>
#include <vector>

#include "core/results/drawn_masks.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

class QAction;
class QTableWidget;

namespace vantage::ui {

class MaskControl;
class MaskMergePanel;

class MaskMergeControl final : public Control {
  Q_OBJECT
 public:
  explicit MaskMergeControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;

  MaskMergePanel* panel() const { return panel_; }
  void merge_from(const QString& folder);
  const std::vector<MaskDisagreement>& disagreements() const { return disagreements_; }

 private:
  void ask();
  void take(const MaskComparison& compared, const MaskStep& missing);
  void settle(MaskMerge how);
  void show();
  void show_theirs();

  MaskControl* masks_;
  MaskMergePanel* panel_;
  std::vector<MaskDisagreement> disagreements_;
  BackgroundJob comparing_, settling_, loading_;
};

// Disagreements of the masks of two painters, and the buttons that settle them. Hidden while they agree.

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
