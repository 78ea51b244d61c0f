#include "ui/main_window/why/why_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSet>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

constexpr int kFirstColumn_px = 185;
constexpr int kParameterRole = Qt::UserRole;  // of a threshold's section: its parameter

QString words(const std::string& text) {
  return QString::fromStdString(text);
}

}  // namespace

WhyPanel::WhyPanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent), verdict_(text_label()), waiting_(quiet_label()), values_(new QTreeWidget) {
  setAccessibleName(tr("Why"));
  verdict_->setAccessibleName(tr("Answer"));
  values_->setAccessibleName(tr("Values behind the answer"));
  values_->setHeaderLabels({tr("what"), tr("value")});
  values_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  values_->setUniformRowHeights(true);
  values_->setTextElideMode(Qt::ElideRight);
  values_->setIndentation(12);
  values_->header()->resizeSection(0, kFirstColumn_px);
  values_->header()->setStretchLastSection(true);
  auto* buttons = new QHBoxLayout;
  for (QAction* command : commands) buttons->addWidget(text_button(command));
  buttons->addStretch(1);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(8, 8, 4, 4);
  rows->addWidget(verdict_);
  rows->addWidget(waiting_);
  rows->addWidget(values_, 1);
  rows->addLayout(buttons);
  connect(values_, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
    const QString key = (item->parent() ? item->parent() : item)->data(0, kParameterRole).toString();
    if (!key.isEmpty()) emit parameter_wanted(key);
  });
  show_text({});
}

void WhyPanel::show_answer(const WhyAnswer& answer) {
  has_answer_ = true;
  verdict_->setText(words(answer.verdict));
  all_ = words(text_of(answer));
  show_waiting({});
  fill(answer);
}

// What was folded or unfolded by hand stays so from answer to answer, by its title.
void WhyPanel::fill(const WhyAnswer& answer) {
  QSet<QString> known, open;
  for (int i = 0; i < values_->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* section = values_->topLevelItem(i);
    known.insert(section->text(0));
    if (section->isExpanded()) open.insert(section->text(0));
  }
  values_->clear();
  for (const WhySection& section : answer.sections) {
    const QString title = words(section.title), summary = words(section.summary);
    auto* top = new QTreeWidgetItem(values_, {title, summary});
    top->setToolTip(0, title);
    top->setToolTip(1, summary);
    QFont font = top->font(0);
    font.setBold(section.decides);
    top->setFont(0, font);
    for (const WhyValue& value : section.values) {
      if (value.key == "parameter") {
        top->setData(0, kParameterRole, words(value.text));
        top->setToolTip(0, tr("%1: double-click to see the parameter").arg(title));
      }
      auto* row = new QTreeWidgetItem(top, {words(value.label), words(value.text)});
      for (int column = 0; column < 2; ++column)
        row->setToolTip(column, words(value.label + ": " + value.text));
    }
    top->setExpanded(known.contains(title) ? open.contains(title) : section.decides);
  }
}

void WhyPanel::show_text(const QString& text) {
  has_answer_ = false;
  verdict_->setText(text.isEmpty()
                        ? tr("Point at the floor and press ?, or at a pixel and press Ctrl+?; or use "
                             "the right mouse button.")
                        : text);
  all_.clear();
  values_->clear();
  show_waiting({});
}

void WhyPanel::show_waiting(const QString& text) {
  waiting_->setText(text);
  waiting_->setVisible(!text.isEmpty());
}

QString WhyPanel::verdict() const {
  return verdict_->text();
}

QString WhyPanel::waiting() const {
  return waiting_->text();
}

QString WhyPanel::text_to_copy() const {
  QStringList lines;
  for (int i = 0; i < values_->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* section = values_->topLevelItem(i);
    if (section->isSelected()) lines << section->text(0) + ": " + section->text(1);
    for (int k = 0; k < section->childCount(); ++k)
      if (const QTreeWidgetItem* row = section->child(k); row->isSelected())
        lines << section->text(0) + ", " + row->text(0) + ": " + row->text(1);
  }
  return lines.isEmpty() ? all_ : lines.join('\n');
}

}  // namespace vantage::ui
