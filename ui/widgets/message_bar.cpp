#include "ui/widgets/message_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kHeight = 36;
constexpr int kMessageMargin = 10;

struct Look {
  const char* icon;
  QRgb color;
  const char* word;
};
Look look_of(Severity severity) {
  switch (severity) {
    case Severity::failed:
      return {"failed", kFailed, QT_TRANSLATE_NOOP("MessageBar", "Failed")};
    case Severity::doubtful:
      return {"doubtful", kDoubtful, QT_TRANSLATE_NOOP("MessageBar", "Doubtful")};
    case Severity::note:
      break;
  }
  return {"note", kForegroundOverlay, QT_TRANSLATE_NOOP("MessageBar", "Note")};
}

// The greatest rank is shown first.
std::pair<Severity, bool> rank_of(const Message& message) {
  return {message.severity, message.action != nullptr};
}

}  // namespace

MessageBar::MessageBar(QWidget* area)
    : QFrame(area),
      mark_(new QLabel),
      text_(new QLabel),
      others_(add_tool(tr("Next message"), tr("Show the next message"), &MessageBar::show_next)),
      button_(add_button(&Message::action)),
      second_(add_button(&Message::second_action)),
      dismiss_(add_tool(tr("Dismiss"), tr("Dismiss this message"), &MessageBar::dismiss)) {
  setObjectName("message_bar");
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Button);
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("Message"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kApart, kTight, kApart, kTight);
  row->setSpacing(kApart);
  row->addWidget(mark_);
  row->addWidget(text_, 1);
  row->addWidget(others_);
  row->addWidget(button_);
  row->addWidget(second_);
  row->addWidget(dismiss_);
  text_->setTextFormat(Qt::PlainText);
  text_->setMinimumWidth(40);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  area->installEventFilter(this);
  hide();
}

QToolButton* MessageBar::add_tool(const QString& name, const QString& tip, void (MessageBar::*command)()) {
  auto* button = new QToolButton;
  button->setFocusPolicy(Qt::TabFocus);
  button->setAutoRaise(true);
  describe(button, name, tip);
  connect(button, &QToolButton::clicked, this, command);
  return button;
}

QPushButton* MessageBar::add_button(std::function<void()> Message::* action) {
  auto* button = new QPushButton;
  button->setFocusPolicy(Qt::TabFocus);
  connect(button, &QPushButton::clicked, this, [this, action] {
    const std::function<void()> run = messages_.empty() ? nullptr : messages_.front().*action;
    dismiss();
    if (run) run();
  });
  return button;
}

void MessageBar::post(Message message) {
  const auto same = [&](const Message& other) { return other.text == message.text; };
  if (std::any_of(messages_.begin(), messages_.end(), same)) return;
  messages_.push_front(std::move(message));
  std::stable_sort(messages_.begin(), messages_.end(),
                   [](const Message& a, const Message& b) { return rank_of(a) > rank_of(b); });
  show_first();
}

void MessageBar::dismiss() {
  if (!messages_.empty()) messages_.pop_front();
  show_first();
}

void MessageBar::show_next() {
  if (messages_.empty()) return;
  std::rotate(messages_.begin(), messages_.begin() + 1, messages_.end());
  show_first();
}

void MessageBar::withdraw(const QString& text) {
  for (std::deque<Message>* messages : {&messages_, &aside_})
    std::erase_if(*messages, [&](const Message& message) { return message.text == text; });
  show_first();
}

void MessageBar::clear() {
  aside_.clear();
  std::erase_if(messages_, [](const Message& message) { return !message.of_program; });
  show_first();
}

void MessageBar::set_aside(bool aside) {
  if (aside) {
    const auto of_project =
        std::ranges::stable_partition(messages_, [](const Message& message) { return message.of_program; });
    std::ranges::move(of_project, std::back_inserter(aside_));
    messages_.erase(of_project.begin(), of_project.end());
    return show_first();
  }
  while (!aside_.empty()) {
    post(std::move(aside_.back()));
    aside_.pop_back();
  }
}

QString MessageBar::text() const {
  return messages_.empty() ? QString() : messages_.front().text;
}

void MessageBar::show_first() {
  if (messages_.empty()) {
    hide();
    emit reached(0);
    return;
  }
  const Message& message = messages_.front();
  const Look look = look_of(message.severity);
  mark_->setPixmap(colored_pixmap(look.icon, QColor(look.color), 20, devicePixelRatioF()));
  describe(mark_, tr(look.word), tr(look.word));
  text_->setText(message.text);
  text_->setToolTip(message.text);
  setAccessibleDescription(message.text);
  const int waiting = count() - 1;
  others_->setText(waiting > 0 ? tr("%n more", nullptr, waiting) : QString());
  others_->setVisible(waiting > 0);
  for (const auto& [button, text] :
       {std::pair(button_, message.button), std::pair(second_, message.second_button)}) {
    button->setText(text);
    describe(button, text, text);
    button->setVisible(!text.isEmpty());
  }
  dismiss_->setIcon(themed_icon("close", palette()));
  show();
  raise();
  place();
}

void MessageBar::place() {
  const int room = parentWidget()->width() - 2 * kMessageMargin;
  const int wanted = text_->fontMetrics().horizontalAdvance(text_->text()) + mark_->sizeHint().width() +
                     (others_->isHidden() ? 0 : others_->sizeHint().width() + 8) +
                     (button_->isHidden() ? 0 : button_->sizeHint().width() + 8) +
                     (second_->isHidden() ? 0 : second_->sizeHint().width() + 8) +
                     dismiss_->sizeHint().width() + 60;
  const int width = std::max(40, std::min(room, std::max(360, wanted)));
  // A text that does not fit in one line gets as many as it needs.
  text_->setWordWrap(wanted > room);
  const int text_width =
      std::max(40, room - (wanted - text_->fontMetrics().horizontalAdvance(text_->text())));
  const int height = wanted > room ? std::max(kHeight, text_->heightForWidth(text_width) + 12) : kHeight;
  setGeometry((parentWidget()->width() - width) / 2, kMessageMargin, width, height);
  emit reached(geometry().bottom() + 1);
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && !isHidden()) place();
  return QFrame::eventFilter(watched, event);
}

void MessageBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && !messages_.empty())
    dismiss_->setIcon(themed_icon("close", palette()));
  QFrame::changeEvent(event);
}

}  // namespace vantage::ui
