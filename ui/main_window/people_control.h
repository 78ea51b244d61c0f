// Everybody's tracks in the window: who is chosen, following a person through the views, and repairs of
// identities as edits of the project that can be undone.
#pragma once

#include <QObject>
#include <vector>

#include "core/session/session.h"
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
  void set_frames(const std::vector<FrameSummary>& frames);
  void set_frame_count(int64_t count);  // 0: of live cameras
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
  void mark_recorded(const FrameResult& result);
  void show_choice();
  void join();
  void split();
  void swap();
  void remove();
  void add(const IdentityRepair& repair);
  void drop(int number);
  const PersonPath* path_of(int64_t id) const;
  const PathPoint* point_now(int64_t id) const;
  std::optional<MarkedPerson> marked_now(int64_t id) const;

  const WindowActions& actions_;
  Parts parts_;
  Project project_;
  TracksRef tracks_;
  std::vector<FrameSummary> frames_;
  int64_t frame_ = 0;
  ChosenPeople chosen_;
  bool following_ = false;
  bool open_ = false;
  QString why_closed_;
};

}  // namespace vantage::ui
