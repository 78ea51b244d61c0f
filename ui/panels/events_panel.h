// The list of events: an item for what happened together, with picture, time and words; new, seen or false
// alarm; a note; how many alarms an hour. What warns about zones and lines stands above it.
#pragma once

#include <QImage>
#include <QWidget>
#include <vector>

#include "core/project/event_marks.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace vantage::ui {

struct ShownEvent {
  QString time, words;  // "0:32.4", "door: person 3 crosses"
  QImage picture;       // of the place at that moment; null: none
  EventMark mark;
  int64_t frame = 0;
};

class EventsPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit EventsPanel(QWidget* parent = nullptr);

  // What was chosen stays so while the list only grows at its end.
  void show_events(std::vector<ShownEvent> events, double per_hour, const QStringList& warnings);
  void set_picture(size_t item, const QImage& picture);
  void set_per_hour(double per_hour);
  // The first new item after the chosen one, from the beginning again after the last; nothing: there is none.
  std::optional<size_t> next_new() const;
  void choose(size_t item);
  bool sound() const;
  QListWidget* list() const { return list_; }
  QString summary() const;

 signals:
  void chosen(qint64 item);
  void marked(qint64 item, const vantage::EventMark& mark);
  void next_requested();
  void rules_requested();

 private:
  void mark(EventStanding standing);
  void show_item(size_t item);
  void show_summary();
  void show_chosen();

  std::vector<ShownEvent> events_;
  double per_hour_ = 0;
  QLabel *summary_, *warnings_;
  QListWidget* list_;
  QLineEdit* note_;
  QPushButton *seen_, *false_alarm_, *next_;
  QCheckBox* sound_;
};

}  // namespace vantage::ui

Q_DECLARE_METATYPE(vantage::EventMark)
