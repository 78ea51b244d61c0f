#include "ui/main_window/shortcuts_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

namespace vantage::ui {

ShortcutsDialog::ShortcutsDialog(const std::vector<const QAction*>& actions, QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("Shortcuts"));
  auto* table = new QTableWidget(0, 2);
  table->setAccessibleName(tr("Shortcuts"));
  table->setHorizontalHeaderLabels({tr("Key"), tr("What it does")});
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(24);
  table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  const auto add = [table](const QString& keys, const QString& what) {
    const int row = table->rowCount();
    table->insertRow(row);
    table->setItem(row, 0, new QTableWidgetItem(keys));
    table->setItem(row, 1, new QTableWidgetItem(what));
  };
  add(tr("hold X"), tr("Bare footage"));
  add(tr("hold K, then J or L"), tr("One frame back or forward"));
  for (const QAction* action : actions) {
    if (!action->isVisible()) continue;
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText);
    add(keys.join(tr(" or ")), action->property("tip").toString());
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* page = new QVBoxLayout(this);
  page->addWidget(table);
  page->addWidget(buttons);
  resize(620, 640);
}

}  // namespace vantage::ui
