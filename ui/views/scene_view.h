// The scene in 3-D or from above: floor in metres, camera frusta with names, the carved box, the shell's
// points and the marks of the world. VTK renders into this widget's OpenGL context; lines and text are drawn
// over it. Left drag turns, right or middle drag pans, the wheel zooms; an editable box has handles.
#pragma once

#include <vtkNew.h>
#include <vtkSmartPointer.h>

#include <Eigen/Core>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/display/orbit_camera.h"
#include "core/project/project.h"
#include "ui/views/box_gizmo.h"
#include "ui/views/compared_marks.h"
#include "ui/views/gl_view.h"
#include "ui/views/marks.h"
#include "ui/views/picture_tool.h"
#include "ui/views/scene_geometry.h"

class QAction;
class QFrame;
class QLabel;
class QPushButton;
class vtkGenericOpenGLRenderWindow;
class vtkProp;
class vtkRenderer;

namespace vantage::ui {

class PlaneProp;
class ShellProp;

class SceneView final : public GlView {
  Q_OBJECT
 public:
  explicit SceneView(SurfaceFactory surfaces, QWidget* parent = nullptr);
  ~SceneView() override;

  void set_project(const Project& project);
  void clear();
  void show_result(FrameResultRef result);
  void set_volume_visible(bool visible);
  void set_marks(Marks marks);
  // The shell in the colours of the people, else by height.
  void set_color_by_person(bool by_person);
  // The handles of a box; none while a tool takes the mouse.
  BoxGizmo* gizmo() const { return gizmo_; }
  // Small text in the lower left corner, above the scale.
  void set_details(QStringList details);
  void set_top(bool top);
  bool top() const { return orbit_.top(); }
  void reset();
  const OrbitCamera& point_of_view() const { return orbit_; }
  bool shows_all() const;  // as after reset(), from whatever side
  bool colored_by_person() const { return by_person_; }
  // Turns about the person from near; nothing: restores the former view.
  void follow(std::optional<MarkedPerson> person);
  // Takes the mouse over the floor; null: no tool.
  void set_floor_tool(FloorTool* tool);
  void drop_floor_tool(const FloorTool* tool) {
    tool_.drop(tool);
    update();
  }
  bool has_tool() const { return tool_.has_tool(); }
  void set_pointed(std::optional<Eigen::Vector3d> point_in_world_m);
  // A sentence at the bottom with an optional button for its action, while that is enabled. Empty: none.
  void set_hint(const QString& text, QAction* action);
  QString hint() const;
  int64_t point_count() const { return point_count_; }

 signals:
  void pointed(const std::optional<Eigen::Vector3d>& point_in_world_m);
  // A person was clicked; 0: no one. `second`: with Ctrl.
  void person_clicked(int64_t id, bool second);
  // The person under the mouse, emitted before pointed(); 0: no one with an ID.
  void person_pointed(int64_t id);
  // A context menu was requested; the position on the floor there, or nothing.
  void menu_wanted(const std::optional<Eigen::Vector3d>& position_in_world_m, const QPoint& at_on_screen);
  // The divider between two runs was dragged: the share of the view that shows A.
  void wipe_dragged(double share);

 protected:
  void paintGL() override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void rebuild_scene();
  void add(vtkSmartPointer<vtkProp> prop);
  void fill_points();
  void render_scene();
  void draw_text(QPainter& painter);
  void draw_keys(QPainter& painter);
  void update_matrix();
  void color_shell();
  MarkView mark_view() const;
  Ray ray_at(const QPointF& place) const;
  void point_at(const QPointF& place);
  std::optional<FloorPosition> floor_at(const QPointF& place) const;
  void show_hint_button();
  void place_hint();
  void let_go();
  bool press_box(const QPointF& position);
  void make_gl() override;
  void release_gl() override;

  vtkNew<vtkGenericOpenGLRenderWindow> window_;
  vtkNew<vtkRenderer> renderer_;
  vtkSmartPointer<ShellProp> shell_;
  vtkSmartPointer<PlaneProp> planes_;
  std::vector<vtkSmartPointer<vtkProp>> props_;
  std::vector<Camera> cameras_;  // those that have a calibration
  std::optional<VoxelGrid> grid_;
  FloorArea floor_;
  FrameResultRef result_, drawn_;
  unsigned points_ = 0;
  int64_t point_count_ = 0;
  OrbitCamera orbit_;
  Eigen::Matrix4d clip_from_world_ = Eigen::Matrix4d::Identity();
  std::optional<Eigen::Vector3d> pointed_;
  Marks marks_;
  bool by_person_ = true;
  BoxGizmo* gizmo_;
  QStringList details_;
  std::optional<QPointF> press_, drag_;
  std::optional<OrbitCamera> before_following_;
  FloorToolHold tool_;
  WipeHandle wipe_;
  bool over_divider_ = false;
  bool framed_ = false;
  QFrame* hint_;
  QLabel* hint_text_;
  QPushButton* hint_button_;
  QAction* hint_action_ = nullptr;
  std::vector<int> numbers_;  // of cameras_ among all
};

}  // namespace vantage::ui
