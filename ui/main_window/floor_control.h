// Zones and lines on the floor: drawn and moved with the mouse in any view, kept in the project as edits that
// can be undone, counted off the GUI thread.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "core/session/session.h"
#include "ui/main_window/window_actions.h"
#include "ui/panels/floor_panel.h"
#include "ui/platform/background_job.h"
#include "ui/views/floor_tool.h"

namespace vantage::ui {

class CameraGrid;
class MessageBar;
class OverlayControl;
class SceneView;

class FloorControl final : public QObject, public FloorTool {
  Q_OBJECT
 public:
  struct Parts {
    FloorPanel* panel;
    CameraGrid* cameras;
    SceneView* scene;
    OverlayControl* overlays;
    MessageBar* messages;
    Session* session;
  };
  FloorControl(const WindowActions& actions, Parts parts, QObject* parent);

  void set_project(const Project& project);
  void set_tracks(const TracksRef& tracks);
  void show_result(const FrameResult& result);
  void forget();
  void update_availability(bool open, const QString& why_closed);
  // A shape is being drawn, or its corner moved.
  bool drawing() const { return drawn_ || dragged_; }
  void cancel();  // what is being drawn or moved

  // FloorTool: by the views, which only say where.
  bool press(const FloorPlace& place) override;
  void drag(const FloorPlace& place) override;
  void release() override;
  void abandon() override;
  bool double_click() override;

  void point_at(const std::optional<Eigen::Vector3d>& place_in_world_m);

 signals:
  void drawing_changed();
  void dock_wanted();
  // Off the GUI thread, with what to say when it is done.
  void work_requested(const std::function<Status()>& work, const QString& done);

 private:
  struct Drawn {
    bool zone = true;
    std::vector<Eigen::Vector2d> corners_m;
  };
  struct Dragged {
    FloorShapeRef shape;
    size_t corner = 0;
    std::vector<Eigen::Vector2d> corners_m;
  };
  struct Counted {
    RecordedPeople people;
    Result<FloorCounts> counts;
    std::optional<FloorUseMap> map;
  };
  void start_drawing(bool zone);
  void finish_drawing();
  bool takes(bool zone, const std::vector<Eigen::Vector2d>& corners_m);
  void add_shape(bool zone, std::vector<Eigen::Vector2d> corners_m);
  void set_corners(const FloorShapeRef& shape, const std::vector<Eigen::Vector2d>& corners_m);
  void rename(const FloorShapeRef& shape, const QString& name);
  void set_kind(const FloorShapeRef& shape, ZoneKind kind);
  void learn();
  void remove();
  void export_counts();
  void update_tool();
  void show_shapes();
  void count();
  void on_counted(const Counted& counted);
  void warn_of_coverage();
  std::vector<FloorShapeRef> shapes() const;
  std::vector<Eigen::Vector2d> first_corners(bool zone) const;
  bool eventFilter(QObject* watched, QEvent* event) override;

  const WindowActions& actions_;
  Parts parts_;
  Project project_;
  TracksRef tracks_;
  std::optional<Drawn> drawn_;
  std::optional<Dragged> dragged_;
  std::optional<Eigen::Vector2d> pointed_;
  std::shared_ptr<const Counted> counted_;
  std::string warn_about_;  // a new shape's name: its coverage is looked at when it is counted
  bool open_ = false, again_ = false;
  bool press_taken_ = false;  // the last press was this tool's
  BackgroundJob job_;
};

}  // namespace vantage::ui
