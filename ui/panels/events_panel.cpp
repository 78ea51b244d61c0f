#include "ui/panels/events_panel.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/colors.h"
#include "ui/widgets/icons.h"

namespace vantage::ui {
namespace {

constexpr QSize kPicture(112, 84);
constexpr int kMark = 20;

QString words_of(EventStanding standing) {
  return standing == EventStanding::seen          ? QObject::tr("seen")
         : standing == EventStanding::false_alarm ? QObject::tr("false alarm")
                                                  : QObject::tr("new");
}

// The picture with the standing's mark in its corner.
QIcon item_icon(const ShownEvent& event, const QPalette& palette, qreal ratio) {
  QPixmap pixmap(kPicture * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(QColor(kViewBackground));
  QPainter painter(&pixmap);
  if (!event.picture.isNull()) {
    const QSize size = event.picture.size().scaled(kPicture, Qt::KeepAspectRatio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(
        QRect(QPoint((kPicture.width() - size.width()) / 2, (kPicture.height() - size.height()) / 2), size),
        event.picture);
  }
  if (event.mark.standing == EventStanding::fresh)
    painter.drawPixmap(4, 4, colored_pixmap("doubtful", QColor(kDoubtful), kMark, ratio));
  else
    painter.drawPixmap(4, 4,
                       colored_pixmap(event.mark.standing == EventStanding::seen ? "passed" : "close",
                                      palette.color(QPalette::BrightText), kMark, ratio));
  return QIcon(pixmap);
}

QPushButton* button(const QString& text, const QString& tip) {
  auto* made = new QPushButton(text);
  made->setToolTip(tip);
  made->setAccessibleName(QString(text).remove('&'));
  return made;
}

}  // namespace

EventsPanel::EventsPanel(QWidget* parent)
    : QWidget(parent),
      summary_(new QLabel),
      warnings_(new QLabel),
      list_(new QListWidget),
      note_(new QLineEdit),
      seen_(button(tr("&Seen"), tr("This was looked at"))),
      false_alarm_(button(tr("&False Alarm"), tr("This was nothing"))),
      next_(button(tr("&Next New"), tr("Go to the next new event (N)"))),
      sound_(new QCheckBox(tr("S&ound"))) {
  setAccessibleName(tr("Events"));
  summary_->setWordWrap(true);
  summary_->setAccessibleName(tr("Summary of the events"));
  warnings_->setWordWrap(true);
  warnings_->setAccessibleName(tr("Warnings about zones and lines"));
  list_->setIconSize(kPicture);
  list_->setAccessibleName(tr("Events"));
  list_->setWordWrap(true);
  list_->setSpacing(2);
  note_->setPlaceholderText(tr("Note"));
  note_->setAccessibleName(tr("Note"));
  note_->setToolTip(tr("A note about the chosen event; Enter keeps it"));
  sound_->setToolTip(tr("Sound for every new event"));
  auto* rules = button(tr("&Rules…"), tr("What makes an event, tried on what is analysed"));
  auto* head = new QHBoxLayout;
  head->addWidget(summary_, 1);
  head->addWidget(sound_, 0, Qt::AlignTop);
  head->addWidget(rules, 0, Qt::AlignTop);
  auto* foot = new QHBoxLayout;
  for (QPushButton* one : {seen_, false_alarm_, next_}) foot->addWidget(one);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(8, 8, 8, 8);
  page->addLayout(head);
  page->addWidget(warnings_);
  page->addWidget(list_, 1);
  page->addWidget(note_);
  page->addLayout(foot);
  connect(next_, &QPushButton::clicked, this, &EventsPanel::next_requested);
  connect(rules, &QPushButton::clicked, this, &EventsPanel::rules_requested);
  connect(seen_, &QPushButton::clicked, this, [this] { mark(EventStanding::seen); });
  connect(false_alarm_, &QPushButton::clicked, this, [this] { mark(EventStanding::false_alarm); });
  connect(note_, &QLineEdit::returnPressed, this, [this] {
    if (const int row = list_->currentRow(); row >= 0)
      mark(std::max(events_[static_cast<size_t>(row)].mark.standing, EventStanding::seen));
  });
  connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
    show_chosen();
    if (row >= 0) emit chosen(row);
  });
  show_summary();
  show_chosen();
}

void EventsPanel::show_events(std::vector<ShownEvent> events, double per_hour, const QStringList& warnings) {
  const int row = list_->currentRow();
  const bool same = row >= 0 && static_cast<size_t>(row) < events.size() &&
                    events[static_cast<size_t>(row)].frame == events_[static_cast<size_t>(row)].frame;
  const QSignalBlocker quiet(list_);
  events_ = std::move(events);
  per_hour_ = per_hour;
  list_->clear();
  for (size_t i = 0; i < events_.size(); ++i) {
    list_->addItem(new QListWidgetItem);
    show_item(i);
  }
  if (same) list_->setCurrentRow(row);
  warnings_->setText(warnings.join('\n'));
  warnings_->setVisible(!warnings.isEmpty());
  show_summary();
  show_chosen();
}

void EventsPanel::set_picture(size_t item, const QImage& picture) {
  if (item >= events_.size()) return;
  events_[item].picture = picture;
  show_item(item);
}

void EventsPanel::set_per_hour(double per_hour) {
  per_hour_ = per_hour;
  show_summary();
}

void EventsPanel::show_item(size_t index) {
  const ShownEvent& event = events_[index];
  QListWidgetItem* item = list_->item(static_cast<int>(index));
  QString text = QStringLiteral("%1   %2\n%3").arg(event.time, words_of(event.mark.standing), event.words);
  if (!event.mark.note.empty()) text += "\n" + QString::fromStdString(event.mark.note);
  item->setText(text);
  item->setIcon(item_icon(event, palette(), devicePixelRatioF()));
  QFont font = list_->font();
  font.setBold(event.mark.standing == EventStanding::fresh);
  font.setStrikeOut(event.mark.standing == EventStanding::false_alarm);
  item->setFont(font);
}

void EventsPanel::show_summary() {
  const auto fresh = std::count_if(events_.begin(), events_.end(), [](const ShownEvent& event) {
    return event.mark.standing == EventStanding::fresh;
  });
  if (events_.empty())
    summary_->setText(tr("No events. Rules over zones and lines make them."));
  else
    summary_->setText(
        tr("%1 new of %2. %3 alarms an hour.").arg(fresh).arg(events_.size()).arg(per_hour_, 0, 'f', 1));
  next_->setEnabled(fresh > 0);
}

void EventsPanel::show_chosen() {
  const int row = list_->currentRow();
  for (QWidget* widget : std::initializer_list<QWidget*>{note_, seen_, false_alarm_})
    widget->setEnabled(row >= 0);
  note_->setText(row >= 0 ? QString::fromStdString(events_[static_cast<size_t>(row)].mark.note) : QString());
}

void EventsPanel::mark(EventStanding standing) {
  const int row = list_->currentRow();
  if (row < 0) return;
  const auto item = static_cast<size_t>(row);
  events_[item].mark = {standing, note_->text().toStdString()};
  show_item(item);
  show_summary();
  emit marked(row, events_[item].mark);
}

std::optional<size_t> EventsPanel::next_new() const {
  const auto start = static_cast<size_t>(list_->currentRow() + 1);
  for (size_t i = 0; i < events_.size(); ++i) {
    const size_t item = (start + i) % events_.size();
    if (events_[item].mark.standing == EventStanding::fresh) return item;
  }
  return std::nullopt;
}

void EventsPanel::choose(size_t item) {
  list_->setCurrentRow(static_cast<int>(item));
}

bool EventsPanel::sound() const {
  return sound_->isChecked();
}

QString EventsPanel::summary() const {
  return summary_->text();
}

}  // namespace vantage::ui
