#include "ui/panels/rules_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/tracks/counting/counting.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

constexpr std::array kKinds = {RuleKind::enters,    RuleKind::leaves,  RuleKind::stays_longer,
                               RuleKind::more_than, RuleKind::crosses, RuleKind::faster_than};
constexpr double kMaxRuleNumber = 3600;
constexpr int kRulesHeight = 420, kScreenMargin = 40, kNothingWidth = 480;

QString kind_text(RuleKind kind) {
  switch (kind) {
    case RuleKind::enters:
      return QObject::tr("enters");
    case RuleKind::leaves:
      return QObject::tr("leaves");
    case RuleKind::stays_longer:
      return QObject::tr("stays longer than");
    case RuleKind::more_than:
      return QObject::tr("more people than");
    case RuleKind::crosses:
      return QObject::tr("crosses");
    case RuleKind::faster_than:
      return QObject::tr("is faster than");
  }
  return {};
}

QString limit_unit(RuleKind kind) {
  return kind == RuleKind::stays_longer  ? QObject::tr(" s")
         : kind == RuleKind::faster_than ? QObject::tr(" m/s")
                                         : QString();
}

bool has_limit(RuleKind kind) {
  return kind == RuleKind::stays_longer || kind == RuleKind::more_than || kind == RuleKind::faster_than;
}

// The text before the delay.
QString delay_text(RuleKind kind) {
  switch (kind) {
    case RuleKind::enters:
      return QObject::tr("and stays");
    case RuleKind::leaves:
      return QObject::tr("and stays away");
    case RuleKind::stays_longer:
      return QObject::tr("plus");
    default:
      return QObject::tr("for");
  }
}

// Digits that preserve a value from a file.
int decimals_of(double value) {
  int decimals = 1;
  for (double tenfold = 10 * value; decimals < 4 && std::abs(tenfold - std::round(tenfold)) > 1e-6;
       tenfold *= 10)
    ++decimals;
  return decimals;
}

}  // namespace

// A rule as a sentence with the fields of its kind.
class RuleSentence final : public QFrame {
 public:
  RuleSentence(const Project& project, const FloorRule& rule);

  void on_changed(const std::function<void()>& changed);
  FloorRule rule() const;
  QLineEdit* name() const { return name_; }
  QToolButton* remove() const { return remove_; }
  QToolButton* tried() const { return tried_; }

 private:
  RuleKind kind() const { return static_cast<RuleKind>(kind_->currentData().toInt()); }
  template <typename Field>
  Field* field(const QString& name) {
    auto* made = new Field(this);
    made->setAccessibleName(name);
    return made;
  }
  QDoubleSpinBox* number(double value, const QString& name);
  QComboBox* choice(const QString& name);
  void offer_places(const QString& chosen);
  void take_kind();
  void show_fields();

  const Project& project_;
  QLineEdit* name_;
  QToolButton* remove_;
  QLabel* subject_;
  QComboBox* kind_;
  QDoubleSpinBox* limit_;
  QLabel* in_;
  QComboBox *where_, *way_;
  QLabel* stays_;
  QDoubleSpinBox* delay_;
  QLabel* over_;
  QDoubleSpinBox* clear_;
  QLabel* ends_;
  QToolButton* tried_;
};

RuleSentence::RuleSentence(const Project& project, const FloorRule& rule)
    : project_(project),
      name_(field<QLineEdit>(tr("Name"))),
      remove_(field<QToolButton>(tr("Remove Rule"))),
      subject_(new QLabel(this)),
      kind_(choice(tr("What"))),
      limit_(number(rule.limit, tr("Limit"))),
      in_(new QLabel(tr("in"), this)),
      where_(choice(tr("Where"))),
      way_(choice(tr("Way"))),
      stays_(new QLabel(this)),
      delay_(number(rule.delay_s, tr("After"))),
      over_(new QLabel(tr("– over"), this)),
      clear_(number(rule.clear_s, tr("Over after"))),
      ends_(new QLabel(tr("after it ends"), this)),
      tried_(field<QToolButton>(tr("Tried"))) {
  setFrameShape(QFrame::StyledPanel);
  name_->setText(QString::fromStdString(rule.name));
  name_->setToolTip(tr("The rule's name, which its events have"));
  remove_->setText(tr("Remove"));
  remove_->setToolTip(tr("Delete this rule"));
  for (const RuleKind one : kKinds) kind_->addItem(kind_text(one), static_cast<int>(one));
  kind_->setCurrentIndex(kind_->findData(static_cast<int>(rule.kind)));
  where_->setPlaceholderText(tr("none is drawn"));
  way_->addItems({tr("either way"), tr("to the left"), tr("to the right")});
  way_->setCurrentIndex(static_cast<int>(rule.way));
  for (QDoubleSpinBox* seconds : {delay_, clear_}) seconds->setSuffix(tr(" s"));
  delay_->setToolTip(tr("How long this has to hold until it is an event"));
  clear_->setToolTip(tr("How long it has to hold no more until the event is over"));
  tried_->setPopupMode(QToolButton::InstantPopup);
  tried_->setMenu(new QMenu(tried_));
  QPalette quiet;  // a count of nothing and the fault of a rule are only read
  quiet.setColor(QPalette::Disabled, QPalette::ButtonText, palette().color(QPalette::PlaceholderText));
  tried_->setPalette(quiet);
  for (QToolButton* one : {remove_, tried_}) {
    one->setFocusPolicy(Qt::TabFocus);
    one->setToolButtonStyle(Qt::ToolButtonTextOnly);
  }
  offer_places(QString::fromStdString(rule.where));
  auto* head = new QHBoxLayout;
  head->addWidget(name_, 1);
  head->addWidget(remove_);
  auto* words = new QHBoxLayout;
  for (QWidget* part : std::initializer_list<QWidget*>{subject_, kind_, limit_, in_, where_, way_, stays_,
                                                       delay_, over_, clear_, ends_})
    words->addWidget(part);
  words->addStretch(1);
  words->addWidget(tried_);
  auto* lines = new QVBoxLayout(this);
  lines->addLayout(head);
  lines->addLayout(words);
  take_kind();
}

void RuleSentence::on_changed(const std::function<void()>& changed) {
  connect(name_, &QLineEdit::textChanged, this, changed);
  connect(kind_, &QComboBox::currentIndexChanged, this, [this, changed] {
    const QSignalBlocker quiet(where_);
    offer_places(where_->currentData().toString());
    take_kind();
    changed();
  });
  connect(where_, &QComboBox::currentIndexChanged, this, [this, changed] {
    show_fields();
    changed();
  });
  connect(way_, &QComboBox::currentIndexChanged, this, changed);
  for (QDoubleSpinBox* box : {limit_, delay_, clear_})
    connect(box, &QDoubleSpinBox::valueChanged, this, changed);
}

QDoubleSpinBox* RuleSentence::number(double value, const QString& name) {
  auto* box = field<QDoubleSpinBox>(name);
  box->setRange(0, std::max(kMaxRuleNumber, value));
  box->setDecimals(decimals_of(value));
  box->setValue(value);
  return box;
}

QComboBox* RuleSentence::choice(const QString& name) {
  auto* box = field<QComboBox>(name);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  return box;
}

// The lines or zones of the project. One that no longer exists stays until another is chosen.
void RuleSentence::offer_places(const QString& chosen) {
  const bool first = where_->count() == 0;
  where_->clear();
  const auto offer = [this](const auto& shapes) {
    for (const auto& shape : shapes) {
      const QString name = QString::fromStdString(shape.name);
      where_->addItem(name, name);
    }
  };
  kind() == RuleKind::crosses ? offer(project_.lines) : offer(project_.zones);
  if (kind() == RuleKind::faster_than) where_->addItem(tr("anywhere"), QString());
  if (first && !chosen.isEmpty() && where_->findData(chosen) < 0) where_->addItem(chosen, chosen);
  where_->setCurrentIndex(std::max(where_->findData(chosen), where_->count() > 0 ? 0 : -1));
}

// Not during typing: it would rewrite the number.
void RuleSentence::take_kind() {
  const bool counts = kind() == RuleKind::more_than;
  limit_->setSuffix(limit_unit(kind()));
  limit_->setDecimals(
      counts && limit_->value() == std::round(limit_->value()) ? 0 : decimals_of(limit_->value()));
  subject_->setText(counts ? tr("When there are") : tr("When anybody"));
  stays_->setText(delay_text(kind()));
  show_fields();
}

void RuleSentence::show_fields() {
  const bool limited = has_limit(kind()), lasts = kind() != RuleKind::crosses;
  limit_->setVisible(limited);
  in_->setVisible(limited && !where_->currentData().toString().isEmpty());
  way_->setVisible(!lasts);
  for (QWidget* part : std::initializer_list<QWidget*>{stays_, delay_, over_, clear_, ends_})
    part->setVisible(lasts);
}

FloorRule RuleSentence::rule() const {
  return {.name = name_->text().toStdString(),
          .kind = kind(),
          .where = where_->currentData().toString().toStdString(),
          .way = static_cast<CrossingWay>(way_->currentIndex()),
          .limit = limit_->value(),
          .delay_s = delay_->value(),
          .clear_s = clear_->value()};
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
      return kind_text(rule.kind);
  }
}

namespace {

// Acts when what it watches wants another size: widgets that are new have theirs only when they are shown.
class SizeWatch final : public QObject {
 public:
  SizeWatch(QWidget* watched, std::function<void()> act) : QObject(watched), act_(std::move(act)) {
    watched->installEventFilter(this);
  }
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) act_();
    return false;
  }

 private:
  const std::function<void()> act_;
};

}  // namespace

RulesDialog::RulesDialog(const Project& project, TriedFrames tried, QWidget* parent)
    : QDialog(parent),
      project_(project),
      on_(std::move(tried)),
      area_(new QScrollArea),
      nothing_(quiet_label(
          tr("No rules yet. Add Rule begins a sentence: when anybody enters a zone, stays too long, "
             "crosses a line or is too fast, it is an event."))) {
  setWindowTitle(tr("Rules"));
  auto* page_of_rules = new QWidget;
  list_ = new QVBoxLayout(page_of_rules);
  nothing_->setMinimumWidth(kNothingWidth);
  list_->addWidget(nothing_);
  list_->addStretch(1);
  area_->setWidgetResizable(true);
  area_->setWidget(page_of_rules);
  area_->setAccessibleName(tr("Rules"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  auto* add = buttons->addButton(tr("&Add Rule"), QDialogButtonBox::ActionRole);
  add->setToolTip(tr("Another rule"));
  auto* page = new QVBoxLayout(this);
  page->addWidget(area_, 1);
  page->addWidget(text_label(trial_text()));
  page->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(add, &QPushButton::clicked, this, [this] {
    FloorRule rule;
    rule.name = tr("rule %1").arg(sentences_.size() + 1).toStdString();
    add_rule(rule);
    sentences_.back()->name()->setFocus();
  });
  for (const FloorRule& rule : project.rules) add_rule(rule);
  new SizeWatch(page_of_rules, [this] { fit(); });
  resize(width(), kRulesHeight);
}

QString RulesDialog::trial_text() const {
  if (!on_.tracks) return tr("No frames are analysed yet to try the rules on. OK arms them.");
  return on_.first_frame
             ? tr("Tried on the kept past of the cameras: press a rule's count to see the times. OK arms the "
                  "rules.")
             : tr("Tried on the analysed frames: press a rule's count to see the times. OK arms the rules.");
}

void RulesDialog::add_rule(const FloorRule& rule) {
  auto* sentence = new RuleSentence(project_, rule);
  sentence->on_changed([this, sentence] { try_rule(*sentence); });
  list_->insertWidget(static_cast<int>(sentences_.size()), sentence);
  sentences_.push_back(sentence);
  sentence->show();  // else it is measured without it
  nothing_->hide();
  connect(sentence->remove(), &QToolButton::clicked, this, [this, sentence] { remove_rule(sentence); });
  try_rule(*sentence);
}

void RulesDialog::remove_rule(RuleSentence* sentence) {
  std::erase(sentences_, sentence);
  nothing_->setVisible(sentences_.empty());
  sentence->hide();
  sentence->deleteLater();  // its button was pressed
}

// Makes the dialog as wide as the longest sentence, up to the screen.
void RulesDialog::fit() {
  const int wanted = area_->widget()->sizeHint().width() + area_->verticalScrollBar()->sizeHint().width() +
                     2 * area_->frameWidth();
  area_->setMinimumWidth(std::min(wanted, screen()->availableGeometry().width() - 2 * kScreenMargin));
}

std::vector<FloorRule> RulesDialog::rules() const {
  std::vector<FloorRule> rules;
  for (const RuleSentence* sentence : sentences_) rules.push_back(sentence->rule());
  return rules;
}

// Fast: rules evaluate tracks, not pictures.
void RulesDialog::try_rule(const RuleSentence& sentence) {
  QToolButton* button = sentence.tried();
  const FloorRule rule = sentence.rule();
  const TrackedRange range =
      on_.tracks ? TrackedRange{on_.tracks->paths, on_.tracks->known_frames, on_.tracks->frame_rate}
                 : TrackedRange{};
  auto events = find_events(range, {&rule, 1}, project_.zones, project_.lines);
  if (events) {
    if (on_.first_frame)
      std::erase_if(*events, [&](const FloorEvent& event) { return event.raised_frame < *on_.first_frame; });
    button->setText(on_.tracks ? count_text(*events) : QString());
    show_moments(button, *events);
  } else {
    button->setText(QString::fromStdString(events.error().what));
    button->setToolTip(QString::fromStdString(events.error().message()));
    button->setEnabled(false);
  }
  button->setVisible(!button->text().isEmpty());
  button->setAccessibleName(tr("Tried: %1").arg(button->text()));
  fit();
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
  // IDs, and with them the tracks, may have begun after the kept past.
  const int64_t frames =
      known.empty() ? 0
                    : known.back() + 1 - std::max(known.front(), std::min(*on_.first_frame, known.back()));
  return tr("%1 in the last %2")
      .arg(events.size())
      .arg(short_time_text(static_cast<double>(frames) / std::max(on_.tracks->frame_rate, 1.0)));
}

// Only the newest: a rule that fires all the time is to be changed, not reviewed.
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
  return sentences_[row]->tried();
}

QString RulesDialog::tried(int row) const {
  return moments(row)->text();
}

}  // namespace vantage::ui
