#include "ui/widgets/transport.h"

#include <QAction>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/widgets/action_button.h"
#include "ui/widgets/live_badge.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

QString recording_style() {
  return QStringLiteral(
             "QToolButton { background: %1; color: white; border: 1px solid %1; border-radius: 4px; "
             "padding: 4px 8px; } QToolButton:focus { border-color: palette(highlight); }")
      .arg(QColor(kOnAir).name());
}

QToolButton* styled_button(Qt::ToolButtonStyle style) {
  auto* button = new QToolButton;
  button->setToolButtonStyle(style);
  button->setAutoRaise(style == Qt::ToolButtonIconOnly);
  button->setIconSize({20, 20});
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

void show_action(QToolButton* button, QAction* action) {
  button->removeAction(button->defaultAction());  // of two, the button would offer a menu
  button->setDefaultAction(action);
  button->setAccessibleName(action->text().remove('&'));
}

void set_icon(const QToolButton* button, const QIcon& icon) {
  if (button->defaultAction()) button->defaultAction()->setIcon(icon);
}

QLabel* number_label(const QString& accessible_name) {
  auto* label = new QLabel;
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  label->setFont(font);
  label->setAccessibleName(accessible_name);
  return label;
}

}  // namespace

Transport::Transport(QWidget* parent)
    : QWidget(parent),
      step_back_(styled_button(Qt::ToolButtonIconOnly)),
      play_(styled_button(Qt::ToolButtonIconOnly)),
      step_forward_(styled_button(Qt::ToolButtonIconOnly)),
      rate_(number_label(tr("Playback rate"))),
      badge_(new LiveBadge),
      time_(styled_button(Qt::ToolButtonTextOnly)),
      frame_(number_label(tr("Frame"))),
      range_(number_label(tr("Marked range"))),
      past_(new QLabel),
      record_(styled_button(Qt::ToolButtonTextBesideIcon)),
      analyse_(new ActionButton) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kApart, kTight, kApart, kTight);
  row->setSpacing(kTight);
  for (QWidget* widget : {step_back_, play_, step_forward_}) row->addWidget(widget);
  row->addSpacing(kApart);
  row->addWidget(rate_);
  row->addWidget(badge_);
  row->addSpacing(kWide);
  row->addWidget(time_);
  row->addSpacing(kWide);
  row->addWidget(frame_);
  row->addSpacing(kWide);
  row->addStretch(1);
  row->addWidget(range_);
  row->addWidget(past_);
  row->addSpacing(kApart);
  row->addWidget(record_);
  row->addWidget(analyse_);
  setFixedHeight(44);
  past_->hide();
  past_->setAccessibleName(tr("Past that is kept"));
  badge_->hide();
  record_->hide();
  connect(badge_, &LiveBadge::clicked, this, &Transport::live_requested);
  rate_->setToolTip(tr("Playback rate (J, K, L)"));
  time_->setFont(frame_->font());
  time_->setAutoRaise(true);
  time_->setAccessibleName(tr("Time"));
  show_position();
}

void Transport::set_playback_actions(QAction* step_back, QAction* play, QAction* step_forward) {
  show_action(step_back_, step_back);
  show_action(play_, play);
  show_action(step_forward_, step_forward);
  set_icons();
}

void Transport::set_record_action(QAction* action) {
  show_action(record_, action);
  set_icons();
}

void Transport::set_go_to_action(QAction* action) {
  connect(time_, &QToolButton::clicked, action, &QAction::trigger);
}

void Transport::set_analyse_action(QAction* action, const QString& words, double share) {
  if (analyse_->defaultAction() != action) show_action(analyse_, action);
  analyse_->set_words(words);
  analyse_->set_share(share);
}

void Transport::set_icons() {
  set_icon(step_back_, themed_icon("step-back", palette()));
  set_icon(step_forward_, themed_icon("step-forward", palette()));
  QIcon record(colored_pixmap("record", QColor(kFailed), 20, devicePixelRatioF()));
  record.addPixmap(colored_pixmap("record", Qt::white, 20, devicePixelRatioF()), QIcon::Normal, QIcon::On);
  set_icon(record_, record);
  set_icon(play_, themed_icon(status_.playing ? "pause" : "play", palette()));
}

void Transport::set_status(const SessionStatus& status, double playback_rate) {
  const bool icon_changes = status.playing != status_.playing;
  const int64_t shown = status_.frame;
  status_ = status;
  if (status.open) status_.frame = shown;
  rate_->setText(rate_text(playback_rate));
  rate_->setVisible(!status.live || (status.playing && !status.live->following));
  for (QWidget* widget : std::initializer_list<QWidget*>{badge_, record_, past_})
    widget->setVisible(status.live != nullptr);
  if (status.live) {
    badge_->show_status(*status.live);
    show_past(*status.live);
    show_recording(*status.live);
  }
  if (icon_changes) set_icons();
  show_position();
}

void Transport::show_past(const LiveStatus& live) {
  const PastStatus& past = live.past;
  const bool kept = past.kept.problem.empty();
  past_->setText(kept ? tr("past %1 of %2, %3 of %4")
                            .arg(short_time_text(past.kept.seconds), short_time_text(past.limit_s),
                                 bytes_text(past.kept.bytes), bytes_text(past.limit_bytes))
                      : tr("no past is kept"));
  past_->setToolTip(kept ? tr("How much of the cameras' past is kept, of the minutes and the size that the "
                              "parameters allow (Recording: Past). The oldest is dropped.")
                         : tr("Nothing more of the cameras' past is kept; the cameras continue: %1")
                               .arg(QString::fromStdString(past.kept.problem)));
  past_->setStyleSheet(kept ? QString() : QStringLiteral("color: %1").arg(QColor(kFailed).name()));
}

// Red while it is recorded, with what was recorded so far.
void Transport::show_recording(const LiveStatus& live) {
  if (!record_->defaultAction()) return;
  const bool on = live.recording && live.recording->recording;
  const QString words =
      on ? tr("%1, %2").arg(short_time_text(live.recording->seconds), bytes_text(live.recording->bytes))
         : record_->defaultAction()->text().remove('&');
  record_->defaultAction()->setIconText(live.records_event ? tr("Event %1").arg(words) : words);
  record_->setAccessibleName(on ? tr("Record: %1").arg(words) : words);
  record_->setStyleSheet(on ? recording_style() : QString());
}

void Transport::set_frame(int64_t frame) {
  status_.frame = frame;
  show_position();
}

void Transport::set_clock(const std::optional<RecordingClock>& clock) {
  clock_ = clock;
  show_position();
  set_range(marked_);
}

void Transport::set_range(const MarkedRange& range) {
  marked_ = range;
  const FrameTimes times{status_.frame_rate, clock_};
  QStringList moments;
  for (const auto& end : {range.in, range.out})
    if (end) moments << times.full_text(*end);
  range_->setToolTip(moments.isEmpty() ? QString() : tr("Marked: %1").arg(moments.join(tr(" to "))));
  QStringList parts;
  if (range.in) parts << tr("In %1").arg(*range.in);
  if (range.out) parts << tr("Out %1").arg(*range.out);
  range_->setText(parts.join("  "));
}

void Transport::show_time(const QString& text) {
  time_->setText(text);
  time_->setVisible(!text.isEmpty());
}

void Transport::show_position() {
  if (status_.live) {
    show_time(status_.live->shown_utc_s > 0 ? clock_text(status_.live->shown_utc_s) : QString());
    return frame_->setText(tr("frame %1").arg(status_.frame));
  }
  show_time(status_.open ? FrameTimes{status_.frame_rate, clock_}.full_text(status_.frame) : QString());
  time_->setToolTip(
      tr("%1. Click: go to another (Ctrl+G)")
          .arg(clock_ ? tr("Time of day by the %1").arg(QString::fromStdString(clock_->source))
                      : tr("Time from the start: the time of day is not known (Ctrl+Shift+G sets it)")));
  const int digits = static_cast<int>(QString::number(status_.frame_count).size());
  const QString number = QStringLiteral("%1").arg(status_.frame, digits);
  const QString count =
      (status_.frame_count_exact ? QString() : tr("about ")) + QString::number(status_.frame_count);
  const bool counted = status_.frame_count > 0;
  frame_->setText(!status_.open ? QString()
                  : counted     ? tr("frame %1 of %2").arg(number, count)
                                : tr("frame %1").arg(number));
}

QString Transport::time_of_frame() const {
  return time_->text();
}

QString Transport::past_text() const {
  return status_.live ? past_->text() : QString();
}

QString Transport::record_text() const {
  return record_->text();
}

QString Transport::badge_text() const {
  return status_.live ? badge_->text() : QString();
}

void Transport::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) set_icons();
  QWidget::changeEvent(event);
}

}  // namespace vantage::ui
