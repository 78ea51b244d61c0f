// Everybody's tracks in the window: who is chosen, following a person through the views, and repairs of
// identities as edits of the project that can be undone.
#pragma once

#include <QObject>
#include <vector>

#include "core/session/session.h"
#include "core/session/shown_people.h"
#include "ui/main_window/window_actions.h"
#include "ui/views/marks.h"
#include "ui/widgets/track_lanes.h"

namespace vantage::ui {

class CameraGrid;
class MessageBar;
class OverlayControl;
class PeoplePanel;
class SceneView;

class PeopleControl final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    PeoplePanel* panel;
    CameraGrid* cameras;
    SceneView* scene;
    OverlayControl* overlays;
    MessageBar* messages;
    Session* session;
  };
  PeopleControl(const WindowActions& actions, Parts parts, QObject* parent);

  void set_project(const Project& project);
  void set_tracks(const TracksRef& tracks);
  void set_frame_count(int64_t count);  // 0: of live cameras
  void set_live(bool live);
  // The overlays have been given both before: they say who is who.
  void show_result(const FrameResult& result);
  void forget();
  void update_availability(bool open, const QString& why_closed);
  void stop_following();
  bool following() const { return following_; }
  const ChosenPeople& chosen() const { return chosen_; }

 signals:
  void following_changed();
  void seek_requested(qint64 frame);
  void step_requested(int frames);

 private:
  void choose(const ChosenPeople& chosen);
  void choose_next(int by);
  void click(int64_t id, bool second);
  void set_following(bool on);
  void follow();
  void show_choice();
  void join();
  void split();
  void swap();
  void remove();
  void add(const MeantRepair& meant);
  void drop(int number);
  const ShownPeople& who() const;
  std::optional<PlaceInTime> place_now(int64_t id) const;

  const WindowActions& actions_;
  Parts parts_;
  Project project_;
  TracksRef tracks_;
  int64_t frame_ = 0;
  ChosenPeople chosen_;
  bool following_ = false;
  bool open_ = false, live_ = false;
  QString why_closed_;
};

}  // namespace vantage::ui
