// Everybody's tracks in the window: who is chosen, following a person through the views, and repairs of
// identities as edits of the project that can be undone.
#pragma once

#include <vector>

#include "core/session/shown_people.h"
#include "ui/main_window/control.h"
#include "ui/views/marks.h"
#include "ui/widgets/track_lanes.h"

class QMenu;

namespace vantage::ui {

class PeoplePanel;

class PeopleControl final : public Control {
  Q_OBJECT
 public:
  explicit PeopleControl(const WindowParts& parts);

  void forget() override;
  // The overlays have the frame and the tracks before: they say who is who.
  void refresh(Changes what) override;
  bool stoppable() const override { return following_; }
  void stop() override { stop_following(); }

  bool following() const { return following_; }
  const ChosenPeople& chosen() const { return chosen_; }
  void choose(const ChosenPeople& chosen);

 private:
  static QString choose_one();
  Need recorded() const;
  Need has_first() const;
  Need has_second() const;
  void take_tracks();
  void show_frame();
  void stop_following();
  void choose_next(int by);
  void click(int64_t id, bool second);
  void set_following(bool on);
  void follow();
  void show_choice();
  void join();
  void split();
  void swap();
  void remove();
  void add(const IntendedRepair& meant);
  void drop(int number);
  // people_menu.cpp: the menu of a person, and names
  void offer_menu(int64_t id, const QPoint& at);
  void offer_other(QMenu* menu, bool join, int64_t id);
  std::vector<int64_t> others_to_join(int64_t id) const;
  std::vector<int64_t> others_here(int64_t id) const;
  QString name_of(int64_t id) const;  // "Anna", "7"
  QString join_text(int64_t id, int64_t other) const;
  QString swap_text(int64_t id, int64_t other) const;
  QString split_text(int64_t id) const;
  QString delete_text(int64_t id) const;
  void ask_name();
  void rename(int64_t id, const QString& name);
  const ShownPeople& who() const;
  std::optional<PlaceInTime> place_now(int64_t id) const;

  QAction *follow_, *split_, *delete_, *rename_;
  PeoplePanel* panel_;
  TracksRef tracks_;  // the tracks of the chosen people
  int64_t frame_ = 0;
  ChosenPeople chosen_;
  bool following_ = false;
  int64_t pointed_ = 0;  // the person under the pointer in a view; 0: none
};

}  // namespace vantage::ui
