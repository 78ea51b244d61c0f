// Widgets in a column that scrolls: what a panel lists. It is as wide as the space it has; what does not fit
// is scrolled up and down.
#pragma once

#include <QScrollArea>

class QBoxLayout;
class QVBoxLayout;

namespace vantage::ui {

class ScrollList final : public QScrollArea {
  Q_OBJECT
 public:
  explicit ScrollList(int spacing_px, QWidget* parent = nullptr);

  void append(QWidget* row);  // below the others
  void clear();               // deletes them
  // Rows have the heights of what they show now, not only when the event loop comes to it.
  void settle();
  // For margins, and for rows in another order. Its last item is the stretch below all rows.
  QVBoxLayout* rows() const { return rows_; }

 private:
  QVBoxLayout* rows_;
};

// Deletes the widgets of a layout; room between them stays.
void delete_widgets(QBoxLayout* layout);

}  // namespace vantage::ui
