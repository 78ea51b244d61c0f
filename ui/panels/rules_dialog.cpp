#include "ui/panels/rules_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <array>

#include "core/counting/event_items.h"

namespace vantage::ui {
namespace {

enum RuleColumn { kRuleName, kKind, kWhere, kWay, kLimit, kDelay, kClear, kTried, kColumns };
constexpr std::array kKinds = {RuleKind::enters,    RuleKind::leaves,  RuleKind::stays_longer,
                               RuleKind::more_than, RuleKind::crosses, RuleKind::faster_than};
constexpr double kMaxSeconds = 3600;

QDoubleSpinBox* number(double value, const QString& name) {
  auto* box = new QDoubleSpinBox;
  box->setRange(0, kMaxSeconds);
  box->setDecimals(1);
  box->setValue(value);
  box->setAccessibleName(name);
  return box;
}

template <typename Field>
Field* cell(const QTableWidget& table, int row, RuleColumn column) {
  return qobject_cast<Field*>(table.cellWidget(row, column));
}

}  // namespace

QString rule_kind_text(RuleKind kind) {
  switch (kind) {
    case RuleKind::enters:
      return QObject::tr("enters");
    case RuleKind::leaves:
      return QObject::tr("leaves");
    case RuleKind::stays_longer:
      return QObject::tr("stays longer than (s)");
    case RuleKind::more_than:
      return QObject::tr("more people than");
    case RuleKind::crosses:
      return QObject::tr("crosses");
    case RuleKind::faster_than:
      return QObject::tr("faster than (m/s)");
  }
  return {};
}

RulesDialog::RulesDialog(const Project& project, TracksRef tracks, QWidget* parent)
    : QDialog(parent), project_(project), tracks_(std::move(tracks)), table_(new QTableWidget(0, kColumns)) {
  setWindowTitle(tr("Rules"));
  table_->setHorizontalHeaderLabels({tr("Name"), tr("What"), tr("Where"), tr("Way"), tr("Limit"),
                                     tr("After (s)"), tr("Over after (s)"), tr("Tried")});
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->verticalHeader()->hide();
  table_->setAccessibleName(tr("Rules"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  words_ = new QLabel(tracks_ ? tr("Tried on the analysed frames; OK arms the rules.")
                              : tr("No frames are analysed yet to try the rules on. OK arms them."));
  words_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  auto* add = buttons->addButton(tr("&Add Rule"), QDialogButtonBox::ActionRole);
  auto* remove = buttons->addButton(tr("&Remove Rule"), QDialogButtonBox::ActionRole);
  add->setToolTip(tr("Another rule"));
  remove->setToolTip(tr("Delete the selected rule"));
  auto* page = new QVBoxLayout(this);
  page->addWidget(table_, 1);
  page->addWidget(words_);
  page->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(remove, &QPushButton::clicked, this, &RulesDialog::remove_rule);
  connect(add, &QPushButton::clicked, this, [this] {
    FloorRule rule;
    rule.name = tr("rule %1").arg(table_->rowCount() + 1).toStdString();
    add_rule(rule);
  });
  for (const FloorRule& rule : project.rules) add_rule(rule);
  resize(860, 320);
}

QStringList RulesDialog::places(RuleKind kind) const {
  QStringList names;
  if (kind == RuleKind::crosses)
    for (const FloorLine& line : project_.lines) names << QString::fromStdString(line.name);
  else
    for (const FloorZone& zone : project_.zones) names << QString::fromStdString(zone.name);
  if (kind == RuleKind::faster_than) names << QString();  // anywhere
  return names;
}

void RulesDialog::add_rule(const FloorRule& rule) {
  const int row = table_->rowCount();
  table_->insertRow(row);
  auto* name = new QLineEdit(QString::fromStdString(rule.name));
  name->setAccessibleName(tr("Name"));
  auto* kind = new QComboBox;
  kind->setAccessibleName(tr("What"));
  for (const RuleKind one : kKinds) kind->addItem(rule_kind_text(one), static_cast<int>(one));
  kind->setCurrentIndex(kind->findData(static_cast<int>(rule.kind)));
  auto* where = new QComboBox;
  where->setAccessibleName(tr("Where"));
  where->addItems(places(rule.kind));
  where->setCurrentText(QString::fromStdString(rule.where));
  auto* way = new QComboBox;
  way->setAccessibleName(tr("Way"));
  way->addItems({tr("either way"), tr("to the left"), tr("to the right")});
  way->setCurrentIndex(static_cast<int>(rule.way));
  auto* tried = new QLabel;
  tried->setContentsMargins(6, 0, 6, 0);
  const std::array<std::pair<RuleColumn, QWidget*>, 8> cells = {
      {{kRuleName, name},
       {kKind, kind},
       {kWhere, where},
       {kWay, way},
       {kLimit, number(rule.limit, tr("Limit"))},
       {kDelay, number(rule.delay_s, tr("After"))},
       {kClear, number(rule.clear_s, tr("Over after"))},
       {kTried, tried}}};
  for (const auto& [column, widget] : cells) table_->setCellWidget(row, column, widget);
  connect(name, &QLineEdit::textChanged, this, &RulesDialog::try_rules);
  connect(kind, &QComboBox::currentIndexChanged, this, [this, kind, where] {
    where->clear();
    where->addItems(places(static_cast<RuleKind>(kind->currentData().toInt())));
    try_rules();
  });
  for (QComboBox* box : {where, way})
    connect(box, &QComboBox::currentIndexChanged, this, &RulesDialog::try_rules);
  for (const RuleColumn column : {kLimit, kDelay, kClear})
    connect(cell<QDoubleSpinBox>(*table_, row, column), &QDoubleSpinBox::valueChanged, this,
            &RulesDialog::try_rules);
  try_rules();
}

void RulesDialog::remove_rule() {
  if (table_->currentRow() >= 0) table_->removeRow(table_->currentRow());
}

std::vector<FloorRule> RulesDialog::rules() const {
  std::vector<FloorRule> rules;
  for (int row = 0; row < table_->rowCount(); ++row) {
    FloorRule rule;
    rule.name = cell<QLineEdit>(*table_, row, kRuleName)->text().toStdString();
    rule.kind = static_cast<RuleKind>(cell<QComboBox>(*table_, row, kKind)->currentData().toInt());
    rule.where = cell<QComboBox>(*table_, row, kWhere)->currentText().toStdString();
    rule.way = static_cast<CrossingWay>(cell<QComboBox>(*table_, row, kWay)->currentIndex());
    rule.limit = cell<QDoubleSpinBox>(*table_, row, kLimit)->value();
    rule.delay_s = cell<QDoubleSpinBox>(*table_, row, kDelay)->value();
    rule.clear_s = cell<QDoubleSpinBox>(*table_, row, kClear)->value();
    rules.push_back(std::move(rule));
  }
  return rules;
}

// Quick: rules look at tracks, not at pictures.
void RulesDialog::try_rules() {
  const std::vector<FloorRule> all = rules();
  for (int row = 0; row < table_->rowCount(); ++row) {
    auto* label = cell<QLabel>(*table_, row, kTried);
    const FloorRule& rule = all[static_cast<size_t>(row)];
    cell<QComboBox>(*table_, row, kWay)->setEnabled(rule.kind == RuleKind::crosses);
    cell<QDoubleSpinBox>(*table_, row, kLimit)
        ->setEnabled(rule.kind == RuleKind::stays_longer || rule.kind == RuleKind::more_than ||
                     rule.kind == RuleKind::faster_than);
    const TrackedRange range =
        tracks_ ? TrackedRange{tracks_->paths, tracks_->known_frames, tracks_->frame_rate} : TrackedRange{};
    const auto events = find_events(range, {&rule, 1}, project_.zones, project_.lines);
    label->setToolTip(events ? QString() : QString::fromStdString(events.error().message()));
    if (!events)
      label->setText(QString::fromStdString(events.error().what));
    else if (!tracks_)
      label->setText({});
    else
      label->setText(
          tr("%1 an hour (%2)")
              .arg(events_per_hour(events->size(), range.frames.size(), range.frame_rate), 0, 'f', 1)
              .arg(events->size()));
  }
}

QString RulesDialog::tried(int row) const {
  return cell<QLabel>(*table_, row, kTried)->text();
}

}  // namespace vantage::ui
