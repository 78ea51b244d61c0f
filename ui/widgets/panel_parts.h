// Pieces that panels and dialogs are made of.
#pragma once

#include <QCoreApplication>
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTableWidget>
#include <QToolButton>
#include <string>
#include <string_view>
#include <vector>

class QBoxLayout;
class QHBoxLayout;
class QVBoxLayout;

namespace vantage::ui {

// Plain text that wraps and can be copied; the quiet one stands back.
QLabel* text_label(const QString& text = {});
QLabel* quiet_label(const QString& text = {});

// A button that shows the action's words; its accessible name are these.
QToolButton* text_button(QAction* action);
// Such buttons in a row, from the left on; fields after them share the rest of it.
QHBoxLayout* button_row(const std::vector<QAction*>& actions, const std::vector<QWidget*>& fields = {});

// A table of which whole rows are chosen and nothing is typed into; the stretched column takes what is left.
QTableWidget* row_table(const QString& name, const QStringList& columns, int stretched);

// Sets accessible name and description, without the letter of the name, and the tip.
void describe(QWidget* field, const QString& name, const QString& tip);
template <typename Field>
Field* described(Field* field, const QString& name, const QString& tip) {
  describe(field, name, tip);
  return field;
}
// The cells of a row from the first column on; those that are there stay what they are but for text and tip.
void fill_row(QTableWidget* table, int row, const QStringList& texts, const QString& tip = {});
// One cell, likewise.
QTableWidgetItem* put_cell(QTableWidget* table, int row, int column, const QString& text,
                           const QString& tip = {});

inline QString qt_text(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// A name, a unit or a sentence of core in the window's language: parameters, and what else
// tests/support/translations.py finds.
inline QString core_text(std::string_view text) {
  return QCoreApplication::translate("Core", std::string(text).c_str());
}

// A row of a form: the name, with its key, and the field that it names and the tip explains.
void add_field(QFormLayout* form, const QString& name, const QString& tip, QWidget* field);

// Widgets in a column that scrolls: what a panel lists. It is as wide as the space it has; what does not fit
// is scrolled up and down.

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
