// One message at a time, floating over the views so that nothing jumps; the others wait and are counted.
// Everything shown here is in the log as well.
#pragma once

#include <QFrame>
#include <deque>
#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace vantage::ui {

enum class Severity { note, doubtful, failed };

struct Message {
  Severity severity = Severity::note;
  QString text;
  QString button;                // what to do about it; empty: only Dismiss
  std::function<void()> action;  // run by the button
  QString second_button = {};    // empty: none
  std::function<void()> second_action = {};
};

class MessageBar final : public QFrame {
  Q_OBJECT
 public:
  // Floats at the top of `area` and follows its size. Hidden while there is nothing to say.
  explicit MessageBar(QWidget* area);

  // Waits behind what is shown, and failures before notes; a note that is shown gives way to a failure. A
  // message already waiting or shown is not repeated.
  void post(Message message);
  void dismiss();                      // shows the next
  void withdraw(const QString& text);  // shown or waiting: there is nothing left to be done about it
  void clear();
  int count() const { return static_cast<int>(messages_.size()); }
  QString text() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QPushButton* add_button(std::function<void()> Message::*action);
  void show_first();
  void place();

  std::deque<Message> messages_;
  QLabel* mark_;
  QLabel* text_;
  QLabel* others_;
  QPushButton *button_, *second_;
  QToolButton* dismiss_;
};

}  // namespace vantage::ui
