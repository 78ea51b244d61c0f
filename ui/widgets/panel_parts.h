// Pieces that panels and dialogs are made of.
#pragma once

#include <QFormLayout>
#include <QLabel>
#include <QTableWidget>
#include <QToolButton>

namespace vantage::ui {

// Plain text that wraps and can be copied; the quiet one stands back.
QLabel* text_label(const QString& text = {});
QLabel* quiet_label(const QString& text = {});

// A button that shows the action's words; its accessible name are these.
QToolButton* text_button(QAction* action);

// A table of which whole rows are chosen and nothing is typed into; the stretched column takes what is left.
QTableWidget* row_table(const QString& name, const QStringList& columns, int stretched);

// A row of a form: the name, with its key, and the field that it names and the tip explains.
void add_field(QFormLayout* form, const QString& name, const QString& tip, QWidget* field);

}  // namespace vantage::ui
