#include "ui/main_window/status_line.h"

#include <QAction>

namespace vantage::ui {
namespace {

constexpr int kStatusHeight = 24, kButtonHeight = 20, kIndent = 10, kMargin = 8;

QLabel* named_label(const QString& name) {
  auto* label = new QLabel;
  label->setAccessibleName(name);
  return label;
}

}  // namespace

StatusLine::StatusLine(QAction* stop, QWidget* parent)
    : QStatusBar(parent),
      position_(named_label(tr("Position"))),
      volume_(named_label(tr("Volume"))),
      backend_(named_label(tr("Backend"))),
      activity_(named_label(tr("Activity"))),
      serving_(new QToolButton),
      stop_(new QPushButton(tr("Stop"))) {
  serving_->setToolTip(tr("The results can be read at this address: open it, copy it, stop"));
  serving_->setAutoRaise(true);
  serving_->setFocusPolicy(Qt::TabFocus);
  serving_->setPopupMode(QToolButton::InstantPopup);
  serving_->setFixedHeight(kButtonHeight);
  serving_->hide();
  stop_->setAccessibleName(tr("Stop"));
  stop_->setToolTip(stop->toolTip());
  stop_->setFixedHeight(kButtonHeight);
  stop_->hide();
  connect(stop_, &QPushButton::clicked, stop, &QAction::trigger);
  connect(stop, &QAction::changed, this, [this, stop] { stop_->setToolTip(stop->toolTip()); });
  backend_->setObjectName("backend");
  setSizeGripEnabled(false);
  setFixedHeight(kStatusHeight);
  position_->setIndent(kIndent);
  addWidget(position_, 1);
  for (QWidget* widget : std::initializer_list<QWidget*>{serving_, volume_, backend_, activity_, stop_}) {
    widget->setContentsMargins(kMargin, 0, kMargin, 0);
    addPermanentWidget(widget);
  }
}

void StatusLine::set_position(const QString& text) {
  position_text_ = text;
  show_position();
}

void StatusLine::set_flow(const QString& text) {
  flow_text_ = text;
  show_position();
}

void StatusLine::show_position() {
  const bool both = !position_text_.isEmpty() && !flow_text_.isEmpty();
  position_->setText(position_text_ + (both ? QStringLiteral("  \u2502  ") : QString()) + flow_text_);
}

void StatusLine::set_surface(const QString& text) {
  surface_ = text;
  show_notes();
}

void StatusLine::add_note(const QString& note) {
  notes_ << note;
  show_notes();
}

void StatusLine::show_notes() {
  backend_->setToolTip((QStringList(surface_) + notes_).join('\n').trimmed());
}

}  // namespace vantage::ui
