#include "ui/widgets/form.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMetaMethod>
#include <QMetaProperty>
#include <QSettings>
#include <QStyle>

#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

// The property that a user changes; of a choice the number of the entry, since texts are translated.
QMetaProperty value_of(const QWidget& field) {
  const QMetaObject& type = *field.metaObject();
  return qobject_cast<const QComboBox*>(&field) ? type.property(type.indexOfProperty("currentIndex"))
                                                : type.userProperty();
}

}  // namespace

QSpinBox* number_field(int low, int high, int value, const QString& unit, int step) {
  auto* field = new QSpinBox;
  field->setRange(low, high);
  field->setSingleStep(step);
  field->setSuffix(unit);
  field->setValue(value);
  return field;
}

QDoubleSpinBox* number_field(double low, double high, double value, int decimals, const QString& unit,
                             double step) {
  auto* field = new DecimalField;
  field->setRange(low, high);
  field->setDecimals(decimals);
  if (step > 0) field->setSingleStep(step);
  field->setSuffix(unit);
  field->setValue(value);
  return field;
}

void add_chooser(QLineEdit* line, const QString& title, std::function<QString(const QString& now)> ask) {
  QAction* choose =
      line->addAction(line->style()->standardIcon(QStyle::SP_DialogOpenButton), QLineEdit::TrailingPosition);
  choose->setText(title);
  choose->setToolTip(title);
  QObject::connect(choose, &QAction::triggered, line, [line, ask = std::move(ask)] {
    const QString chosen = ask(line->text());
    if (chosen.isEmpty()) return;
    line->setText(chosen);
    emit line->textEdited(chosen);
  });
}

void add_ticked(QListWidget* list, const QString& text, bool ticked, const QVariant& data) {
  auto* item = new QListWidgetItem(text, list);
  item->setData(Qt::UserRole, data);
  item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
  item->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
}

void set_rows_shown(QListWidget* list, int rows) {
  const int row = list->count() > 0 ? list->sizeHintForRow(0) : list->fontMetrics().lineSpacing() + 4;
  list->setFixedHeight(rows * row + 2 * list->frameWidth());
}

QWidget* side_by_side(const std::vector<QWidget*>& fields) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  for (QWidget* field : fields) layout->addWidget(field, 1);
  row->setFocusProxy(fields.front());
  return row;
}

Form::Form(QWidget* parent, int between_rows_px) : QFormLayout(parent) {
  setContentsMargins(0, 0, 0, 0);
  setHorizontalSpacing(kApart);
  setVerticalSpacing(between_rows_px);
}

void Form::add_row(const QString& name, const QString& tip, QWidget* field) {
  add_field(this, name, tip, field);
}

QLineEdit* Form::add_line(const QString& name, const QString& tip, const QString& text, int width_px) {
  auto* line = new QLineEdit(text);
  if (width_px > 0) line->setMinimumWidth(width_px);
  return add(name, tip, line);
}

QCheckBox* Form::add_check(const QString& name, const QString& tip, bool checked) {
  QCheckBox* box = described(new QCheckBox(name), name, tip);
  box->setChecked(checked);
  addRow(QString(), box);
  watch(box);
  return box;
}

QComboBox* Form::add_choice(const QString& name, const QString& tip, const QStringList& texts) {
  auto* choice = new QComboBox;
  choice->addItems(texts);
  return add(name, tip, choice);
}

void Form::watch(QWidget* field) {
  if (auto* list = qobject_cast<QListWidget*>(field)) {
    connect(list, &QListWidget::itemChanged, this, &Form::changed);
    return;
  }
  const auto* choice = qobject_cast<const QComboBox*>(field);
  if (choice && choice->isEditable()) {
    connect(choice, &QComboBox::editTextChanged, this, &Form::changed);
    return;
  }
  connect(field, value_of(*field).notifySignal(), this, QMetaMethod::fromSignal(&Form::changed));
}

void Form::keep(QWidget* field, const char* key) {
  kept_.push_back({field, key, value_of(*field).read(field)});
}

void Form::restore(const QSettings& settings) {
  for (const Kept& kept : kept_)
    value_of(*kept.field).write(kept.field, settings.value(kept.key, kept.otherwise));
}

void Form::save(QSettings& settings) const {
  for (const Kept& kept : kept_) settings.setValue(kept.key, value_of(*kept.field).read(kept.field));
}

}  // namespace vantage::ui
