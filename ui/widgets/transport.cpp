#include "ui/widgets/transport.h"

#include <QAction>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/widgets/icons.h"
#include "ui/widgets/time_text.h"

namespace vantage::ui {
namespace {

QToolButton* button_for(QAction* action, Qt::ToolButtonStyle style) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setToolButtonStyle(style);
  button->setAutoRaise(style == Qt::ToolButtonIconOnly);
  button->setIconSize({20, 20});
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(action->text().remove('&'));
  return button;
}

QLabel* number_label(const QString& accessible_name) {
  auto* label = new QLabel;
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  label->setFont(font);
  label->setAccessibleName(accessible_name);
  return label;
}

}  // namespace

Transport::Transport(const TransportActions& actions, QWidget* parent)
    : QWidget(parent),
      step_back_(button_for(actions.step_back, Qt::ToolButtonIconOnly)),
      play_(button_for(actions.play, Qt::ToolButtonIconOnly)),
      step_forward_(button_for(actions.step_forward, Qt::ToolButtonIconOnly)),
      rate_(number_label(tr("Playback rate"))),
      time_(number_label(tr("Time"))),
      frame_(number_label(tr("Frame"))),
      range_(number_label(tr("Marked range"))),
      analyse_(button_for(actions.analyse_range, Qt::ToolButtonTextOnly)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 4, 10, 4);
  row->setSpacing(4);
  for (QWidget* widget : {step_back_, play_, step_forward_}) row->addWidget(widget);
  row->addSpacing(6);
  row->addWidget(rate_);
  row->addSpacing(14);
  row->addWidget(time_);
  row->addSpacing(14);
  row->addWidget(frame_);
  row->addSpacing(14);
  row->addStretch(1);
  row->addWidget(range_);
  row->addSpacing(8);
  row->addWidget(analyse_);
  setFixedHeight(44);
  rate_->setToolTip(tr("Playback rate (J, K, L)"));
  set_icons();
  show_position();
}

void Transport::set_icons() {
  step_back_->defaultAction()->setIcon(themed_icon("step-back", palette()));
  step_forward_->defaultAction()->setIcon(themed_icon("step-forward", palette()));
  play_->defaultAction()->setIcon(themed_icon(status_.playing ? "pause" : "play", palette()));
}

void Transport::set_status(const SessionStatus& status, double playback_rate) {
  const bool icon_changes = status.playing != status_.playing;
  const int64_t shown = status_.frame;
  status_ = status;
  if (status.open) status_.frame = shown;
  rate_->setText(rate_text(playback_rate));
  if (icon_changes) set_icons();
  show_position();
}

void Transport::set_frame(int64_t frame) {
  status_.frame = frame;
  show_position();
}

void Transport::set_range(const MarkedRange& range) {
  QStringList parts;
  if (range.in) parts << tr("In %1").arg(*range.in);
  if (range.out) parts << tr("Out %1").arg(*range.out);
  range_->setText(parts.join("  "));
}

void Transport::show_position() {
  const double rate = status_.frame_rate;
  time_->setText(time_text(rate > 0 ? static_cast<double>(status_.frame) / rate : 0));
  const int digits = static_cast<int>(QString::number(status_.frame_count).size());
  const QString number = QStringLiteral("%1").arg(status_.frame, digits);
  const QString count =
      (status_.frame_count_exact ? QString() : tr("about ")) + QString::number(status_.frame_count);
  frame_->setText(status_.open ? tr("frame %1 of %2").arg(number, count) : QString());
}

QString Transport::frame_text() const {
  return frame_->text();
}

void Transport::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) set_icons();
  QWidget::changeEvent(event);
}

}  // namespace vantage::ui
