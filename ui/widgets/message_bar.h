// One message at a time, floating over the views so that nothing jumps; the others are counted and a click
// away. Everything shown here is in the log as well.
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
  QString button = {};                // what to do about it; empty: there is nothing to be done
  std::function<void()> action = {};  // run by the button
  QString second_button = {};         // next to it, or where more about it stands; empty: none
  std::function<void()> second_action = {};
  bool of_program = false;  // not of the open project: it stays when that one is left
};

class MessageBar final : public QFrame {
  Q_OBJECT
 public:
  // Floats at the top of `area` and follows its size. Hidden while there is nothing to say.
  explicit MessageBar(QWidget* area);

  // Failures are shown before doubts and doubts before notes; of those of a kind the ones about which
  // something can be done, and then the newest, as it answers what was done last. A message already waiting
  // or shown is not repeated.
  void post(Message message);
  void dismiss();                      // shows the next
  void show_next();                    // in turn, keeping all
  void withdraw(const QString& text);  // shown or waiting: there is nothing left to be done about it
  void clear();                        // all that is of the project
  void set_aside(bool aside);          // what is of the project so far, until it is shown again
  int count() const { return static_cast<int>(messages_.size()); }
  QString text() const;

 signals:
  // How far down the area it reaches, for pages that keep clear of it; 0: it is hidden.
  void reached(int bottom_px);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QToolButton* add_tool(const QString& name, const QString& tip, void (MessageBar::*command)());
  QPushButton* add_button(std::function<void()> Message::* action);
  void show_first();
  void place();

  std::deque<Message> messages_, aside_;
  QLabel* mark_;
  QLabel* text_;
  QToolButton* others_;
  QPushButton *button_, *second_;
  QToolButton* dismiss_;
};

}  // namespace vantage::ui
