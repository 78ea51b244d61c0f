// What is drawn over the views: takes the overlays' commands, gathers what they show from project and
// results, and hands the same marks to cameras and scene. Edits of box and region go to the session.
#pragma once

#include <QObject>
#include <QStringList>
#include <array>
#include <optional>

#include "core/session/session.h"
#include "core/session/shown_people.h"
#include "ui/main_window/window_actions.h"
#include "ui/views/marks.h"

class QSettings;

namespace vantage::ui {

class BoxEditor;
class CameraGrid;
class SceneView;
class TimingsPanel;

class OverlayControl final : public QObject {
  Q_OBJECT
 public:
  struct Views {
    CameraGrid* cameras;
    SceneView* scene;
    TimingsPanel* timings;
  };
  OverlayControl(const WindowActions& actions, Views views, Session* session, QObject* parent);

  void set_project(const Project& project);
  void show_frame(const ShownFrameRef& shown);
  void set_frame_rate(double frames_per_s);
  void forget();  // no project
  void update_availability(bool open, const QString& why_closed);
  void restore(const QSettings& settings);  // the switches
  void save() const;

  // Who is chosen and to be seen in every view.
  void set_choice(MarkedChoice choice);
  void set_tracks(const TracksRef& tracks);
  // Who is in the frame that is shown; whom the views mark, and everybody else asks.
  const ShownPeople& who() const { return who_; }
  void set_shapes(std::vector<MarkedShape> shapes);
  // Two trackers in place of the people's own numbers; nothing: not compared.
  void set_trackers(std::optional<MarkedTrackers> trackers);
  // Laid over the floor in the floor map's place; null: none.
  void set_floor_use(FloorPictureRef picture, const QString& words);

  const Marks& marks() const { return marks_; }
  // Why the peak at this place was not taken for a person, as it is marked; empty: none is there.
  QString rejected_because(const Eigen::Vector3d& place_in_world_m) const;
  // Whose ring the place lies in, "person 183"; empty: nobody's who has a number.
  QString person_words(const Eigen::Vector3d& place_in_world_m) const;
  BoxEditor* editor() const { return editor_; }

 signals:
  // "detections", "flow", "heads" or "heightmap" is to be shown, and this project has that stage switched
  // off.
  void stage_missed(const QString& stage);

 private:
  void connect_switches();
  void update_flow();
  void connect_editing();
  void connect_stage(QAction* action, const char* stage);
  void update_marks();
  void mark_people();
  std::vector<double> heights_by_heads(size_t people) const;
  void mark_heads();
  void mark_detections();
  std::optional<DetectionStrength> strength_of(const PersonDetection& person) const;
  void mark_coverage();
  void mark_floor_map();
  void update_details();
  void set_cut(bool shown, double by_m);
  void turn_cut();
  void toggle_box(bool shown);
  void box_dragged(const UprightBox& box, bool finished);
  void box_typed(const UprightBox& box, double voxel_m);
  void edit_region(bool on);
  void edit_by_numbers(bool on);
  void show_handles();
  void place_editor();
  UprightBox first_box() const;
  bool editing_region() const;
  bool eventFilter(QObject* watched, QEvent* event) override;

  const WindowActions& actions_;
  Views views_;
  Session* session_;
  BoxEditor* editor_;
  Project project_;
  bool open_ = false;
  std::optional<VoxelGrid> grid_;  // the project's, or the one fitted for it
  std::optional<UprightBox> dragged_;
  ShownFrameRef shown_;
  // What the detector saw last in each camera, and at which frame, for the frames that it leaves out.
  struct LastLook {
    int64_t frame = -1;
    std::vector<PersonDetection> people;
  };
  std::vector<LastLook> last_looks_;
  double frame_rate_ = 25;
  Marks marks_;
  int arrow_spacing_px_ = 0;
  std::vector<MarkedCoverage> coverage_;
  bool coverage_known_ = false;
  FloorPictureRef floor_map_;
  FrameResultRef floor_map_of_;
  int cut_axis_ = 2;                                                                   // level
  std::array<std::optional<double>, 3> cut_at_m_ = {std::nullopt, std::nullopt, 1.0};  // by axis
  ShownPeople who_;
  std::vector<MarkedShape> shapes_;
  std::optional<MarkedTrackers> trackers_;
  FloorPictureRef floor_use_;
  QString floor_use_words_;
};

}  // namespace vantage::ui
