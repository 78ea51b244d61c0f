// The list of events: one line for simultaneous events, which unfolds when it is reached, with picture, time
// and text; new, seen or false alarm, judged one by one, or all of an unfolded group by its line; a note; the
// rate per hour. Single events are counted. Warnings about zones and lines are above it.
#pragma once

#include <QIcon>
#include <QImage>
#include <QLabel>
#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "core/results/results_events.h"

class QAction;
class QCheckBox;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace vantage::ui {

struct ShownEvent {
  size_t number = 0;  // counted from 1, in the order they were raised
  EventKey key;
  QString time, words;  // "0:32.4", "door: person 3 crosses"
  QImage picture;       // the position at that instant; null: none
  EventMark mark;
};
// In the order they were raised; never empty.
using ShownItem = std::vector<ShownEvent>;

struct EventIndex {
  size_t item = 0, event = 0;  // the item, and the event in it
  bool operator==(const EventIndex&) const = default;
};

struct JudgedEvent {
  EventIndex place;
  EventMark mark;
};

// Events counted over the time with known people.
struct EventRate {
  size_t events = 0;
  double span_s = 0;
  bool latest = false;  // the last part of an ongoing time: not all events of the list
};

class EventsPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands are buttons below those that judge.
  explicit EventsPanel(const std::vector<QAction*>& commands = {}, QWidget* parent = nullptr);

  // Choice and unfolded lines are kept while they exist.
  void show_events(std::vector<ShownItem> items, const EventRate& rate, const QStringList& warnings);
  void set_picture(const EventIndex& place, const QImage& picture);
  void set_rate(const EventRate& rate);
  // The first new event after the chosen one, wrapping around; nothing: there is none.
  std::optional<EventIndex> next_new() const;
  // Chooses the event; its line unfolds.
  void choose(const EventIndex& place);
  bool unfolded(size_t item) const;
  bool sound() const;
  QTreeWidget* list() const { return list_; }
  QString summary() const { return summary_->text(); }
  // Events cannot be judged, for the reason given; empty: they can.
  void set_read_only(const QString& why);

 signals:
  void chosen(const vantage::ui::EventIndex& place);
  void judged(const std::vector<vantage::ui::JudgedEvent>& events);
  void item_unfolded(qint64 item);
  void next_requested();
  void rules_requested();

 private:
  // S and X judge the choice while the list has the focus; clicks in it.
  bool eventFilter(QObject* watched, QEvent* event) override;
  std::vector<EventIndex> chosen_places() const;
  void reach(QTreeWidgetItem* line, const QTreeWidgetItem* from);
  void mark(EventStanding standing);
  void show_line(size_t item);
  void show_event(const EventIndex& place, QTreeWidgetItem* line);
  void show_summary();
  QString rate_text() const;
  void show_chosen();
  QIcon icon_of(const QImage& picture, EventStanding standing);
  QIcon drawn_icon(const QImage& picture, EventStanding standing) const;
  QTreeWidgetItem* line_of(const EventIndex& place) const;
  QString note_of(const std::vector<EventIndex>& places) const;
  const ShownEvent& at(const EventIndex& place) const { return items_[place.item][place.event]; }

  std::vector<ShownItem> items_;
  EventRate rate_;
  QString read_only_;                                              // why nothing can be judged; empty: it can
  std::array<QIcon, kEventStandingNames.size()> without_picture_;  // one per standing
  QLabel *summary_, *warnings_;
  QTreeWidget* list_;
  QLineEdit* note_;
  QPushButton *seen_, *false_alarm_, *next_;
  QCheckBox* sound_;
  bool pressed_ = false;                         // the mouse, in the list
  std::optional<EventIndex> unfolded_by_press_;  // to be chosen at the release
};

}  // namespace vantage::ui

Q_DECLARE_METATYPE(vantage::EventMark)
