#include "ui/panels/events_panel.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

#include "core/tracks/counting/counting.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

constexpr QSize kPicture(112, 84);
constexpr int kEventMark = 20;

QString shown_standing(EventStanding standing) {
  return standing == EventStanding::seen          ? QObject::tr("seen")
         : standing == EventStanding::false_alarm ? QObject::tr("false alarm")
         : standing == EventStanding::exported    ? QObject::tr("exported")
                                                  : QObject::tr("new");
}

// The common standing of several: new while one is; empty: they differ.
std::optional<EventStanding> standing_of(const ShownItem& item) {
  const auto is = [](EventStanding standing) {
    return [standing](const ShownEvent& event) { return event.mark.standing == standing; };
  };
  if (std::any_of(item.begin(), item.end(), is(EventStanding::fresh))) return EventStanding::fresh;
  for (const EventStanding standing :
       {EventStanding::seen, EventStanding::false_alarm, EventStanding::exported})
    if (std::all_of(item.begin(), item.end(), is(standing))) return standing;
  return std::nullopt;
}

// "4 events, 2 new", "3 events, 1 false alarm".
QString count_text(const ShownItem& item) {
  QStringList words = {QObject::tr("%1 events").arg(item.size())};
  for (const EventStanding standing :
       {EventStanding::fresh, EventStanding::seen, EventStanding::false_alarm, EventStanding::exported}) {
    const auto many = std::count_if(item.begin(), item.end(),
                                    [&](const ShownEvent& event) { return event.mark.standing == standing; });
    if (many > 0) words << QString::number(many) + QLatin1Char(' ') + shown_standing(standing);
  }
  return words.join(QStringLiteral(", "));
}

void set_font(QTreeWidgetItem* line, QFont font, std::optional<EventStanding> standing) {
  font.setBold(standing == EventStanding::fresh);
  font.setStrikeOut(standing == EventStanding::false_alarm);
  line->setFont(0, font);
}

constexpr int kEventRole = Qt::UserRole;  // the event's index in its item; -1: the item itself

// The second click of two would judge the event that took the first one's place.
class JudgingButton final : public QPushButton {
  using QPushButton::QPushButton;
  void mouseDoubleClickEvent(QMouseEvent* event) override { event->accept(); }
};

template <typename Button = QPushButton>
QPushButton* button(const QString& text, const QString& tip) {
  auto* made = new Button(text);
  describe(made, text, tip);
  return made;
}

}  // namespace

EventsPanel::EventsPanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent),
      summary_(new QLabel),
      warnings_(new QLabel),
      list_(new QTreeWidget),
      note_(new QLineEdit),
      seen_(button<JudgingButton>(tr("See&n"), {})),
      false_alarm_(button<JudgingButton>(tr("False A&larm"), {})),
      next_(button(tr("Ne&xt New"), tr("Go to the next new event (N)"))),
      sound_(new QCheckBox(tr("S&ound"))) {
  setAccessibleName(tr("Events"));
  summary_->setWordWrap(true);
  summary_->setAccessibleName(tr("Summary of the events"));
  warnings_->setWordWrap(true);
  warnings_->setAccessibleName(tr("Warnings about zones and lines"));
  list_->setIconSize(kPicture);
  describe(
      list_, tr("Events"),
      tr("Events within 10 s and 2 m are a group, which unfolds when it is reached. Seen and False Alarm "
         "apply to the selected event; with the group's own line selected, to all of it."));
  list_->setHeaderHidden(true);
  list_->installEventFilter(this);
  list_->viewport()->installEventFilter(this);
  list_->setExpandsOnDoubleClick(false);
  list_->setWordWrap(true);
  list_->setUniformRowHeights(false);
  list_->setIndentation(18);
  note_->setPlaceholderText(tr("Note"));
  note_->setAccessibleName(tr("Note"));
  sound_->setToolTip(tr("Play a sound for every new event"));
  auto* rules = button(tr("&Rules…"), tr("Edit what raises an event; tried on what was analysed"));
  auto* head = new QHBoxLayout;
  head->addWidget(summary_, 1);
  head->addWidget(sound_, 0, Qt::AlignTop);
  head->addWidget(rules, 0, Qt::AlignTop);
  auto* foot = new QHBoxLayout;
  for (QPushButton* one : {seen_, false_alarm_, next_}) foot->addWidget(one);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kApart, kApart);
  page->addLayout(head);
  page->addWidget(warnings_);
  page->addWidget(list_, 1);
  page->addWidget(note_);
  page->addLayout(foot);
  if (!commands.empty()) page->addLayout(button_row(commands));
  connect(next_, &QPushButton::clicked, this, &EventsPanel::next_requested);
  connect(rules, &QPushButton::clicked, this, &EventsPanel::rules_requested);
  connect(seen_, &QPushButton::clicked, this, [this] { mark(EventStanding::seen); });
  connect(false_alarm_, &QPushButton::clicked, this, [this] { mark(EventStanding::false_alarm); });
  connect(note_, &QLineEdit::returnPressed, this, [this] {
    const std::vector<EventIndex> positions = chosen_places();
    if (positions.empty()) return;
    mark(std::max(at(positions.front()).mark.standing, EventStanding::seen));
    list_->setFocus(Qt::OtherFocusReason);  // the note is kept: N, S and X are keys again
  });
  connect(list_, &QTreeWidget::currentItemChanged, this, &EventsPanel::reach);
  connect(list_, &QTreeWidget::itemExpanded, this,
          [this](QTreeWidgetItem* line) { emit item_unfolded(list_->indexOfTopLevelItem(line)); });
  show_summary();
  set_read_only({});
}

void EventsPanel::show_events(std::vector<ShownItem> items, const EventRate& rate,
                              const QStringList& warnings) {
  const std::vector<EventIndex> before = chosen_places();
  const bool whole = list_->currentItem() && list_->currentItem()->childCount() > 0;
  std::optional<EventKey> chosen_key;
  if (!before.empty()) chosen_key = at(before.front()).key;
  std::optional<QString> typing;  // a note that is not saved yet
  if (note_->isModified() && note_->hasFocus()) typing = note_->text();
  std::set<EventKey> unfolded_keys;
  for (size_t i = 0; i < items_.size(); ++i)
    if (unfolded(i))
      for (const ShownEvent& event : items_[i]) unfolded_keys.insert(event.key);
  const QSignalBlocker quiet(list_);
  without_picture_ = {};  // the theme may have changed
  items_ = std::move(items);
  rate_ = rate;
  list_->clear();
  QTreeWidgetItem* chosen_line = nullptr;
  for (size_t i = 0; i < items_.size(); ++i) {
    auto* line = new QTreeWidgetItem(list_);
    bool open = false;
    for (size_t k = 0; k < items_[i].size(); ++k) {
      const EventKey& key = items_[i][k].key;
      open = open || unfolded_keys.contains(key);
      if (items_[i].size() > 1) new QTreeWidgetItem(line);
      if (chosen_key == key) chosen_line = line_of({i, k});
    }
    if (chosen_line && chosen_line->parent() == line) {
      open = open || !whole;  // it shares a line from now on
      if (whole) chosen_line = line;
    }
    line->setExpanded(open);
    show_line(i);
  }
  list_->setCurrentItem(chosen_line);
  warnings_->setText(warnings.join('\n'));
  warnings_->setVisible(!warnings.isEmpty());
  show_summary();
  show_chosen();
  if (!typing || !chosen_line) return;
  note_->setText(*typing);
  note_->setModified(true);
}

void EventsPanel::set_picture(const EventIndex& position, const QImage& picture) {
  if (position.item >= items_.size() || position.event >= items_[position.item].size()) return;
  items_[position.item][position.event].picture = picture;
  show_line(position.item);
}

void EventsPanel::set_rate(const EventRate& rate) {
  rate_ = rate;
  show_summary();
}

// The event's line; for a single one the item's.
QTreeWidgetItem* EventsPanel::line_of(const EventIndex& position) const {
  QTreeWidgetItem* line = list_->topLevelItem(static_cast<int>(position.item));
  return line && line->childCount() > 0 ? line->child(static_cast<int>(position.event)) : line;
}

bool EventsPanel::unfolded(size_t item) const {
  const QTreeWidgetItem* line = list_->topLevelItem(static_cast<int>(item));
  return line && line->isExpanded() && line->childCount() > 0;
}

// Events without a picture share an icon: there may be thousands.
QIcon EventsPanel::icon_of(const QImage& picture, EventStanding standing) {
  if (!picture.isNull()) return drawn_icon(picture, standing);
  QIcon& shared = without_picture_[static_cast<size_t>(standing)];
  if (shared.isNull()) shared = drawn_icon(picture, standing);
  return shared;
}

// The picture with the standing's mark in its corner.
QIcon EventsPanel::drawn_icon(const QImage& picture, EventStanding standing) const {
  const qreal ratio = devicePixelRatioF();
  QPixmap pixmap(kPicture * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(QColor(kViewBackground));
  QPainter painter(&pixmap);
  if (!picture.isNull()) {
    const QSize size = picture.size().scaled(kPicture, Qt::KeepAspectRatio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(
        QRect(QPoint((kPicture.width() - size.width()) / 2, (kPicture.height() - size.height()) / 2), size),
        picture);
  }
  if (standing == EventStanding::fresh)
    painter.drawPixmap(4, 4, colored_pixmap("doubtful", QColor(kDoubtful), kEventMark, ratio));
  else
    painter.drawPixmap(4, 4,
                       colored_pixmap(standing == EventStanding::false_alarm ? "close" : "passed",
                                      palette().color(QPalette::BrightText), kEventMark, ratio));
  return QIcon(pixmap);
}

void EventsPanel::show_event(const EventIndex& position, QTreeWidgetItem* line) {
  const ShownEvent& event = at(position);
  QString text =
      QStringLiteral("%1   %2   %3\n%4")
          .arg(QString::number(event.number), event.time, shown_standing(event.mark.standing), event.words);
  if (!event.mark.note.empty()) text += "\n" + QString::fromStdString(event.mark.note);
  line->setText(0, text);
  line->setData(0, kEventRole, static_cast<int>(position.event));
  line->setIcon(0, icon_of(event.picture, event.mark.standing));
  set_font(line, list_->font(), event.mark.standing);
}

void EventsPanel::show_line(size_t index) {
  const ShownItem& item = items_[index];
  QTreeWidgetItem* line = list_->topLevelItem(static_cast<int>(index));
  if (item.size() == 1) return show_event({index, 0}, line);
  const auto standing = standing_of(item);
  line->setText(0, tr("%1 to %2   %3\n%4, and %5 more")
                       .arg(item.front().time, item.back().time, count_text(item), item.front().words)
                       .arg(item.size() - 1));
  line->setData(0, kEventRole, -1);
  const auto pictured =
      std::find_if(item.begin(), item.end(), [](const ShownEvent& event) { return !event.picture.isNull(); });
  line->setIcon(0, icon_of(pictured == item.end() ? QImage() : pictured->picture,
                           standing.value_or(EventStanding::seen)));
  set_font(line, list_->font(), standing);
  for (size_t i = 0; i < item.size(); ++i) show_event({index, i}, line->child(static_cast<int>(i)));
}

QString EventsPanel::rate_text() const {
  if (rate_.span_s >= kMinRateSpan_s)
    return tr(". %1 events an hour.").arg(static_cast<double>(rate_.events) * 3600 / rate_.span_s, 0, 'f', 1);
  if (!(rate_.span_s > 0)) return QStringLiteral(".");
  const QString span = short_time_text(rate_.span_s);
  return rate_.latest ? tr("; %1 in the last %2.").arg(rate_.events).arg(span) : tr(", over %1.").arg(span);
}

// Total of events, as in the rules' dialog and `count`.
void EventsPanel::show_summary() {
  size_t all = 0, fresh = 0;
  for (const ShownItem& item : items_) {
    all += item.size();
    for (const ShownEvent& event : item) fresh += event.mark.standing == EventStanding::fresh;
  }
  if (all == 0) {
    summary_->setText(tr("No events yet. Draw a zone or a line (F3), then add a rule with Rules\u2026"));
  } else {
    QString words = tr("%1 new of %n events", nullptr, static_cast<int>(all)).arg(fresh);
    if (items_.size() < all) words += tr(" in %1 lines").arg(items_.size());
    summary_->setText(words + rate_text());
  }
  next_->setEnabled(fresh > 0);
}

// A group unfolds and its first event is next, or its last coming from below, so that the judged event is
// visible. Its own line is reached once it is unfolded.
void EventsPanel::reach(QTreeWidgetItem* line, const QTreeWidgetItem* from) {
  if (line && line->childCount() > 0 && !line->isExpanded()) {
    const QTreeWidgetItem* below = line->treeWidget()->itemBelow(line);
    line->setExpanded(true);
    const int event = !pressed_ && from && from == below ? line->childCount() - 1 : 0;
    const EventIndex place{static_cast<size_t>(list_->indexOfTopLevelItem(line)), static_cast<size_t>(event)};
    if (!pressed_) return choose(place);
    unfolded_by_press_ = place;  // chosen after the click, which selects the line under the mouse
    return;
  }
  show_chosen();
  if (const std::vector<EventIndex> positions = chosen_places(); !positions.empty())
    emit chosen(positions.front());
}

// The events that commands apply to: one, or all of an unfolded group.
std::vector<EventIndex> EventsPanel::chosen_places() const {
  const QTreeWidgetItem* line = list_->currentItem();
  if (!line) return {};
  const QTreeWidgetItem* top = line->parent() ? line->parent() : line;
  const auto item = static_cast<size_t>(list_->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(top)));
  if (item >= items_.size()) return {};
  const int event = line->data(0, kEventRole).toInt();
  if (event >= 0) return {{item, static_cast<size_t>(event)}};
  std::vector<EventIndex> all;
  for (size_t i = 0; i < items_[item].size(); ++i) all.push_back({item, i});
  return all;
}

// The common note of all.
QString EventsPanel::note_of(const std::vector<EventIndex>& positions) const {
  if (positions.empty()) return {};
  const std::string& first = at(positions.front()).mark.note;
  const bool same = std::all_of(positions.begin(), positions.end(),
                                [&](const EventIndex& position) { return at(position).mark.note == first; });
  return same ? QString::fromStdString(first) : QString();
}

void EventsPanel::show_chosen() {
  const std::vector<EventIndex> positions = chosen_places();
  const bool judging = !positions.empty() && read_only_.isEmpty();
  for (QWidget* widget : std::initializer_list<QWidget*>{note_, seen_, false_alarm_})
    widget->setEnabled(judging);
  set_own_keys(list_, judging ? QStringLiteral("SX") : QString());
  const QString all = positions.size() > 1 ? tr(": all %1").arg(positions.size()) : QString();
  seen_->setText(tr("See&n") + all);
  false_alarm_->setText(tr("False A&larm") + all);
  note_->setText(note_of(positions));
}

void EventsPanel::set_read_only(const QString& why) {
  read_only_ = why;
  seen_->setToolTip(why.isEmpty() ? tr("Mark as seen (S in the list)") : why);
  false_alarm_->setToolTip(why.isEmpty() ? tr("Mark as a false alarm (X in the list)") : why);
  note_->setToolTip(why.isEmpty() ? tr("A note about the selected event; Enter saves it") : why);
  show_chosen();
}

bool EventsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == list_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (is_own_key(*list_, *key)) {
      mark(key->key() == Qt::Key_S ? EventStanding::seen : EventStanding::false_alarm);
      return true;
    }
  }
  if (watched == list_->viewport() && event->type() == QEvent::MouseButtonPress) pressed_ = true;
  if (watched == list_->viewport() && event->type() == QEvent::MouseButtonRelease) {
    pressed_ = false;
    if (const auto place = std::exchange(unfolded_by_press_, std::nullopt))
      QMetaObject::invokeMethod(this, [this, at = *place] { choose(at); }, Qt::QueuedConnection);
  }
  return QWidget::eventFilter(watched, event);
}

// Folded events are not judged. An unchanged note keeps each event's own.
void EventsPanel::mark(EventStanding standing) {
  QTreeWidgetItem* line = list_->currentItem();
  if (line && line->childCount() > 0 && !line->isExpanded()) return reach(line, nullptr);
  const std::vector<EventIndex> positions = chosen_places();
  if (positions.empty() || !read_only_.isEmpty()) return;
  const bool noted = note_->text() != note_of(positions);
  std::vector<JudgedEvent> judgements;
  for (const EventIndex& position : positions) {
    EventMark& mark = items_[position.item][position.event].mark;
    mark.standing = standing;
    if (noted) mark.note = note_->text().toStdString();
    judgements.push_back({position, mark});
  }
  show_line(positions.front().item);
  show_summary();
  emit judged(judgements);
}

std::optional<EventIndex> EventsPanel::next_new() const {
  std::vector<EventIndex> all;
  for (size_t i = 0; i < items_.size(); ++i)
    for (size_t k = 0; k < items_[i].size(); ++k) all.push_back({i, k});
  size_t start = 0;
  if (const std::vector<EventIndex> now = chosen_places(); !now.empty())
    start = static_cast<size_t>(std::find(all.begin(), all.end(), now.front()) - all.begin()) +
            (now.size() == 1 ? 1 : 0);
  for (size_t i = 0; i < all.size(); ++i)
    if (const EventIndex& position = all[(start + i) % all.size()];
        at(position).mark.standing == EventStanding::fresh)
      return position;
  return std::nullopt;
}

void EventsPanel::choose(const EventIndex& position) {
  if (QTreeWidgetItem* line = line_of(position)) {
    if (line->parent()) line->parent()->setExpanded(true);
    list_->setCurrentItem(line);
  }
}

bool EventsPanel::sound() const {
  return sound_->isChecked();
}

}  // namespace vantage::ui
