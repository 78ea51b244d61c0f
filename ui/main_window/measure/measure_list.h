// What was measured, as a list whose rows can be copied.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

class QAction;
class QTableWidget;

namespace vantage::ui {

struct MeasureRow {
  QString what, value, std, where;
  bool operator==(const MeasureRow&) const = default;
};

class MeasureList final : public QWidget {
  Q_OBJECT
 public:
  // The actions as buttons, in two rows.
  MeasureList(const std::vector<QAction*>& tools, const std::vector<QAction*>& edits,
              QWidget* parent = nullptr);

  void show_rows(const std::vector<MeasureRow>& rows);
  std::vector<int> chosen() const;
  // The chosen rows, or all where none is: values separated by tabs, a line each.
  QString text() const;
  QTableWidget* table() const { return table_; }

 signals:
  void chosen_by_hand();

 private:
  QTableWidget* table_;
  std::vector<MeasureRow> rows_;  // as the table has them
};

}  // namespace vantage::ui
