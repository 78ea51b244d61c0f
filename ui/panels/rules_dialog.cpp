#include "ui/panels/rules_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/tracks/counting/counting.h"
#include "ui/widgets/time_axis.h"

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

QString rule_text(const FloorRule& rule) {
  switch (rule.kind) {
    case RuleKind::stays_longer:
      return QObject::tr("stays longer than %1 s").arg(rule.limit);
    case RuleKind::more_than:
      return QObject::tr("more than %1 people").arg(rule.limit);
    case RuleKind::faster_than:
      return QObject::tr("faster than %1 m/s").arg(rule.limit);
    default:
      return rule_kind_text(rule.kind);
  }
}

RulesDialog::RulesDialog(const Project& project, TriedFrames tried, QWidget* parent)
    : QDialog(parent), project_(project), on_(std::move(tried)), table_(new QTableWidget(0, kColumns)) {
  setWindowTitle(tr("Rules"));
  table_->setHorizontalHeaderLabels({tr("Name"), tr("What"), tr("Where"), tr("Way"), tr("Limit"),
                                     tr("After (s)"), tr("Over after (s)"), tr("Tried")});
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->verticalHeader()->hide();
  table_->setAccessibleName(tr("Rules"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  words_ = new QLabel(trial_text());
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

QString RulesDialog::trial_text() const {
  if (!on_.tracks) return tr("No frames are analysed yet to try the rules on. OK arms them.");
  return on_.first_frame
             ? tr("Tried on the kept past of the cameras: press a row's count to see the times. OK arms the "
                  "rules.")
             : tr("Tried on the analysed frames: press a row's count to see the times. OK arms the rules.");
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
  auto* tried = new QToolButton;
  tried->setPopupMode(QToolButton::InstantPopup);
  tried->setAutoRaise(true);
  tried->setMenu(new QMenu(tried));
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
    QToolButton* button = moments(row);
    const FloorRule& rule = all[static_cast<size_t>(row)];
    cell<QComboBox>(*table_, row, kWay)->setEnabled(rule.kind == RuleKind::crosses);
    cell<QDoubleSpinBox>(*table_, row, kLimit)
        ->setEnabled(rule.kind == RuleKind::stays_longer || rule.kind == RuleKind::more_than ||
                     rule.kind == RuleKind::faster_than);
    const TrackedRange range =
        on_.tracks ? TrackedRange{on_.tracks->paths, on_.tracks->known_frames, on_.tracks->frame_rate}
                   : TrackedRange{};
    auto events = find_events(range, {&rule, 1}, project_.zones, project_.lines);
    if (!events) {
      button->setText(QString::fromStdString(events.error().what));
      button->setToolTip(QString::fromStdString(events.error().message()));
      button->setEnabled(false);
      continue;
    }
    if (on_.first_frame)
      std::erase_if(*events, [&](const FloorEvent& event) { return event.raised_frame < *on_.first_frame; });
    button->setText(on_.tracks ? count_text(*events) : QString());
    show_moments(button, *events);
  }
}

QString RulesDialog::count_text(const std::vector<FloorEvent>& events) const {
  const std::vector<int64_t>& known = on_.tracks->known_frames;
  const double span_s = static_cast<double>(known.size()) / std::max(on_.tracks->frame_rate, 1.0);
  if (!on_.first_frame && span_s < kMinRateSpan_s)
    return tr("%1 in %2").arg(events.size()).arg(short_time_text(span_s));
  if (!on_.first_frame)
    return tr("%1 an hour (%2)")
        .arg(events_per_hour(events.size(), known.size(), on_.tracks->frame_rate), 0, 'f', 1)
        .arg(events.size());
  // IDs, and with them the tracks, may have begun later than what is kept.
  const int64_t frames =
      known.empty() ? 0
                    : known.back() + 1 - std::max(known.front(), std::min(*on_.first_frame, known.back()));
  return tr("%1 in the last %2")
      .arg(events.size())
      .arg(short_time_text(static_cast<double>(frames) / std::max(on_.tracks->frame_rate, 1.0)));
}

// The newest: a rule that fires all the time is to be changed, not gone through.
void RulesDialog::show_moments(QToolButton* button, const std::vector<FloorEvent>& events) {
  constexpr size_t kMaxMoments = 30;
  QMenu* menu = button->menu();
  menu->clear();
  button->setEnabled(!events.empty());
  button->setToolTip(events.empty() ? tr("The rule would not have fired")
                                    : tr("When the rule would have fired: choose a time to see it"));
  for (size_t i = events.size() - std::min(events.size(), kMaxMoments); i < events.size(); ++i) {
    const FloorEvent& event = events[i];
    const QString time =
        on_.time_of ? on_.time_of(event.raised_frame) : tr("frame %1").arg(event.raised_frame);
    menu->addAction(event.id > 0 ? tr("%1  person %2").arg(time).arg(event.id) : time, this,
                    [this, frame = event.raised_frame] { emit moment_chosen(frame); });
  }
}

QToolButton* RulesDialog::moments(int row) const {
  return cell<QToolButton>(*table_, row, kTried);
}

QString RulesDialog::tried(int row) const {
  return moments(row)->text();
}

}  // namespace vantage::ui
