#include "ui/main_window/variants/variants_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

void put_cell(QTableWidget* table, int row, int column, const QString& text, const QString& tip) {
  auto* item = new QTableWidgetItem(text);
  item->setToolTip(tip);
  table->setItem(row, column, item);
}

QString origin_text(const Variant& variant) {
  return VariantsPanel::tr("Made %1 of %2, by version %3")
      .arg(QString::fromStdString(variant.made_utc), QString::fromStdString(variant.origin),
           QString::fromStdString(variant.version));
}

QString frames_text(const ShownVariant& shown) {
  if (!shown.frames) return QStringLiteral("\u2013");
  const QString frames = VariantsPanel::tr("%1 frames").arg(*shown.frames);
  return shown.results_current ? frames : VariantsPanel::tr("%1, out of date").arg(frames);
}

QString value_text(const ParameterDifference& one, double value) {
  return QString::fromStdString(ParameterStore::to_text(*one.description, value));
}

}  // namespace

VariantsPanel::VariantsPanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent),
      name_(new QLineEdit),
      list_(row_table(tr("Variants"), {tr("variant"), tr("differs"), tr("results")}, 0)),
      differences_(row_table(tr("Parameters of the chosen variant that differ from those in use"),
                             {tr("parameter"), tr("variant"), tr("in use"), tr("unit")}, 0)),
      words_(quiet_label()),
      difference_words_(quiet_label()) {
  setAccessibleName(tr("Variants"));
  name_->setPlaceholderText(tr("Name of a new variant"));
  name_->setAccessibleName(tr("Name of a new variant"));
  name_->setToolTip(tr("Letters, digits, spaces, dots, - and _"));
  name_->setMaxLength(60);
  list_->horizontalHeaderItem(1)->setToolTip(tr("In how many parameters it differs from those in use"));
  list_->horizontalHeaderItem(2)->setToolTip(
      tr("Results kept under its name, by Keep Results or by a run with it"));
  auto* above = new QWidget;
  auto* rows = new QVBoxLayout(above);
  rows->setContentsMargins(0, 0, 0, 0);
  auto* head = new QHBoxLayout;
  head->addWidget(name_, 1);
  rows->addLayout(head);
  auto* buttons = new QHBoxLayout;
  for (size_t i = 0; i < commands.size(); ++i) (i == 0 ? head : buttons)->addWidget(text_button(commands[i]));
  buttons->addStretch(1);
  rows->addWidget(list_, 1);
  rows->addWidget(words_);
  rows->addLayout(buttons);
  auto* below = new QWidget;
  auto* table = new QVBoxLayout(below);
  table->setContentsMargins(0, 0, 0, 0);
  table->addWidget(difference_words_);
  table->addWidget(differences_, 1);
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(above);
  split->addWidget(below);
  split->setChildrenCollapsible(false);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(8, 8, 4, 4);
  page->addWidget(split, 1);
  connect(list_, &QTableWidget::itemSelectionChanged, this, [this] {
    fill_differences();
    emit chosen_changed();
  });
  connect(name_, &QLineEdit::textChanged, this, &VariantsPanel::chosen_changed);
  if (!commands.empty()) connect(name_, &QLineEdit::returnPressed, commands.front(), &QAction::trigger);
  clear();
}

void VariantsPanel::show_variants(std::vector<ShownVariant> variants) {
  const QString before = chosen() ? QString::fromStdString(chosen()->variant.name) : QString();
  variants_ = std::move(variants);
  fill_list();
  choose(before);
  show_text(variants_.empty() ? tr("No variants yet. Keep the parameters in use under a name, to come back "
                                   "to them or to compare.")
                              : QString());
}

void VariantsPanel::show_in_use(const ParameterStore& parameters) {
  in_use_ = parameters;
  for (int row = 0; row < list_->rowCount(); ++row) {
    const auto count =
        parameter_differences(variants_[static_cast<size_t>(row)].variant.parameters, in_use_).size();
    list_->item(row, 1)->setText(count == 0 ? tr("in use") : QString::number(count));
  }
  fill_differences();
}

void VariantsPanel::fill_list() {
  const QSignalBlocker blocked(list_);
  list_->clearSelection();
  list_->setRowCount(static_cast<int>(variants_.size()));
  for (int row = 0; row < list_->rowCount(); ++row) {
    const ShownVariant& shown = variants_[static_cast<size_t>(row)];
    const QString tip = origin_text(shown.variant);
    put_cell(list_, row, 0, QString::fromStdString(shown.variant.name), tip);
    put_cell(list_, row, 1, {}, tip);
    put_cell(list_, row, 2, frames_text(shown), tip);
  }
  show_in_use(in_use_);
}

void VariantsPanel::fill_differences() {
  const ShownVariant* shown = chosen();
  const auto differences =
      shown ? parameter_differences(shown->variant.parameters, in_use_) : std::vector<ParameterDifference>();
  differences_->setRowCount(static_cast<int>(differences.size()));
  for (int row = 0; row < differences_->rowCount(); ++row) {
    const ParameterDifference& one = differences[static_cast<size_t>(row)];
    const QString tip = QString::fromStdString(one.description->help);
    put_cell(differences_, row, 0, QString::fromStdString(one.key()), tip);
    put_cell(differences_, row, 1, value_text(one, one.first), tip);
    put_cell(differences_, row, 2, value_text(one, one.second), tip);
    put_cell(differences_, row, 3, QString::fromStdString(one.description->unit), tip);
  }
  difference_words_->setText(!shown ? tr("Choose a variant to see how it differs.")
                             : differences.empty()
                                 ? tr("%1 is in use.").arg(QString::fromStdString(shown->variant.name))
                                 : origin_text(shown->variant));
}

void VariantsPanel::show_text(const QString& words) {
  words_->setText(words);
  words_->setVisible(!words.isEmpty());
}

void VariantsPanel::clear() {
  variants_.clear();
  fill_list();
  fill_differences();
  show_text(tr("Open a project to keep variants of its parameters."));
}

void VariantsPanel::choose(const QString& name) {
  for (int row = 0; row < list_->rowCount(); ++row)
    if (list_->item(row, 0)->text() == name) return list_->selectRow(row);
  list_->clearSelection();
  fill_differences();
}

const ShownVariant* VariantsPanel::chosen() const {
  const auto rows = list_->selectionModel()->selectedRows();
  if (rows.isEmpty() || static_cast<size_t>(rows.front().row()) >= variants_.size()) return nullptr;
  return &variants_[static_cast<size_t>(rows.front().row())];
}

QString VariantsPanel::name() const {
  return name_->text().trimmed();
}

void VariantsPanel::clear_name() {
  name_->clear();
}

void VariantsPanel::focus_name() {
  name_->setFocus();
}

}  // namespace vantage::ui
