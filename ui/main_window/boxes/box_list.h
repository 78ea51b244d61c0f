// The project's boxes: names, sizes and places, and what can be done with them.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "core/geometry/upright_box.h"

class QAction;
class QTableWidget;

namespace vantage::ui {

class BoxList final : public QWidget {
  Q_OBJECT
 public:
  // The actions as buttons.
  explicit BoxList(const std::vector<QAction*>& actions, QWidget* parent = nullptr);

  void show_boxes(const std::vector<NamedBox>& boxes, const std::string& chosen);
  QTableWidget* table() const { return table_; }

 signals:
  void chosen_by_hand(const QString& name);
  void renamed(const QString& before, const QString& after);

 private:
  QTableWidget* table_;
  std::vector<std::string> names_;
  bool filling_ = false;
};

}  // namespace vantage::ui
