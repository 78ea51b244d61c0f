// Shows the cameras' pictures in a grid, aspect kept, each with its foreground overlay, the marks of the
// world through its lens, its name and its state. One OpenGL widget draws them all and owns their textures;
// the display surface fills them. The wheel zooms, dragging pans, double-clicking enlarges a camera and shows
// all again. Two runs compared side by side have two panes per camera, which zoom and move together.
#pragma once

#include <Eigen/Core>
#include <QPainter>
#include <QPolygonF>
#include <QString>
#include <QTransform>
#include <array>
#include <optional>
#include <vector>

#include "core/project/project.h"
#include "ui/views/box_gizmo.h"
#include "ui/views/camera_layout.h"
#include "ui/views/camera_painter.h"
#include "ui/views/compared_marks.h"
#include "ui/views/gl_view.h"
#include "ui/views/marks.h"
#include "ui/views/overlays.h"
#include "ui/views/picture_tool.h"
#include "ui/views/plane_painter.h"
#include "ui/widgets/live_badge.h"

class QAction;
class QPushButton;

namespace vantage::ui {

// Clicked points in a camera's picture: a cross at each click, the line from it to the position of the point
// by all clicks, and epipolar lines of the chosen point's clicks in other cameras.

// In pixels of its camera's picture; (0, 0) is the centre of the first pixel.
struct MarkedClick {
  int camera = 0;
  QString name;
  std::optional<QPointF> clicked;  // nothing: not clicked in this camera
  std::optional<QPointF> placed;   // nothing: fewer than two cameras' clicks
  bool chosen = false;
  bool doubtful = false;  // far from the position by the others
};

struct MarkedEpipolarCurve {
  int camera = 0;  // whose picture it is drawn in
  int of = 0;      // whose click it belongs to
  QPolygonF pixels;
};

struct MarkedClicks {
  std::vector<MarkedClick> clicks;
  std::vector<MarkedEpipolarCurve> curves;
};

// Clicks of one camera; `visible`: the part of its picture on the screen.
void draw_clicks(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible, int camera,
                 const MarkedClicks& marks);

class CameraGrid final : public GlView {
  Q_OBJECT
 public:
  explicit CameraGrid(SurfaceFactory surfaces, QWidget* parent = nullptr);
  ~CameraGrid() override;

  // Sets names and calibrations; the views are kept while their number does not change.
  void set_cameras(const std::vector<ProjectCamera>& cameras);
  void show_result(FrameResultRef result);
  void set_foreground_visible(bool visible);
  void set_heights_visible(bool visible);
  void set_bare(bool bare);  // pictures without overlays, while X is held
  void set_marks(Marks marks);
  void set_flow(FlowStyle look);
  void set_clicks(MarkedClicks clicks);
  void set_ignored(MarkedIgnored ignored);
  const MarkedIgnored& ignored() const { return ignored_; }
  void set_boards(MarkedBoards boards);
  const MarkedBoards& boards() const { return boards_; }
  void set_painted(PaintedMasks painted);
  void set_epipolar_lines(std::vector<MarkedEpipolarLines> line_pairs);
  // Small text in each picture's lower corner, by camera; empty: none.
  void set_details(std::vector<QStringList> details);
  // Live cameras: a missing picture is replaced by the last one, dimmed and with its age, and the camera's
  // state.
  void set_live(bool live);
  bool live() const { return live_; }
  // States of live cameras: faults are shown next to the name; empty: unknown.
  void set_states(std::vector<CameraState> states);
  // Text for missing videos ("cam2.mp4 is missing"), by camera; empty: it exists. `find` is offered with it.
  void set_missing(std::vector<QString> words, QAction* find);
  // Age of the shown instant: "12 s ago"; empty: it is the present.
  void set_past(const QString& words);
  // A widget over the views that names must avoid. Call update() when it has moved.
  void set_notice(const QWidget* notice) { notice_ = notice; }
  const QString& past() const { return past_; }
  const std::vector<CameraState>& states() const { return states_; }
  void enlarge(std::optional<int> camera);  // nothing: all
  // Centres the person in every camera that sees it, at half the height of the view; nothing: restores the
  // former zoom. `time_s`: of the frame.
  void follow(std::optional<MarkedPerson> person, double time_s = 0);
  // While a person is tracked, enlarges the camera that sees the person best, with the others small around
  // it; when it changes, both cameras swap cells (camera_layout.h).
  void set_wall(bool wall);
  bool wall() const { return wall_; }
  std::optional<int> largest() const;  // in the wall; nothing: all are alike
  // Takes the mouse over the floor; null: no tool.
  void set_floor_tool(FloorTool* tool);
  void drop_floor_tool(const FloorTool* tool) {
    tool_.drop(tool);
    update();
  }
  // Takes the mouse over the pictures, before the floor's tool; null: no tool.
  void set_picture_tool(PictureTool* tool);
  void drop_picture_tool(const PictureTool* tool) {
    picture_tool_.drop(tool);
    update();
  }
  bool has_tool() const { return tool_.has_tool() || picture_tool_.has_tool(); }
  // The handles of a box, in every picture; none while a tool takes the mouse.
  BoxGizmo* gizmo() const { return gizmo_; }
  // A position on the floor, marked in every camera that sees it.
  void set_pointed(std::optional<Eigen::Vector3d> point_in_world_m);

  int camera_count() const { return static_cast<int>(cameras_.size()); }
  // Through which marks are drawn; null: none.
  const Camera* calibration(int camera) const {
    return camera < camera_count() && cameras_[camera].calibration ? &*cameras_[camera].calibration : nullptr;
  }
  std::optional<int> enlarged() const { return enlarged_; }
  // A camera's cell: its picture or, side by side, that of one run (0: A, 1: B).
  struct Pane {
    int camera = 0;
    int side = -1;
    Pane(int camera, int side = -1) : camera(camera), side(side) {}  // NOLINT: a camera is its only pane
  };
  QRectF picture_area(Pane pane) const;  // widget coordinates; of a split one: A's
  // Part of a camera's picture, in its pixels, as on the screen, for any memory of the pictures. Null: it is
  // not visible.
  QImage shown_part(int camera, const QRectF& part);

 signals:
  void cameras_changed();  // other ones, or other calibrations
  void enlarged_changed();
  // The position on the floor under the mouse, or nothing, with a text.
  void pointed(const std::optional<Eigen::Vector3d>& point_in_world_m);
  // The optical flow under the mouse, as text; empty where there is none or it is not shown.
  void flow_pointed(const QString& words);
  // A person was clicked; 0: no one. `second`: with Ctrl.
  void person_clicked(int64_t id, bool second);
  // The person under the mouse, emitted before pointed(); 0: no one with an ID.
  void person_pointed(int64_t id);
  // The pixel under the mouse, emitted before pointed() and menu_wanted(); nothing: no picture is there.
  void pixel_pointed(const std::optional<vantage::ui::PicturePosition>& pixel);
  // A context menu was requested; the position on the floor there, or nothing.
  void menu_wanted(const std::optional<Eigen::Vector3d>& position_in_world_m, const QPoint& at_on_screen);
  // The divider between two runs was dragged: the share of a picture that shows A.
  void wipe_dragged(double share);

 protected:
  void paintGL() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  struct View {
    QString name;
    std::optional<Camera> calibration;
    std::optional<QSizeF> no_video;  // size of the picture of a camera without a video, pixels
    unsigned picture = 0, indicator = 0, heights = 0;
    DrawnSize picture_size, indicator_size, heights_size;
    FrameResultRef drawn;           // the result in its textures
    int64_t taken_ns = 0;           // time of the set of its picture
    PictureZoom zoom, zoom_before;  // before a person was tracked
    QImage flow;
    FrameResultRef flow_of;                 // the result it was made for
    std::array<FloorPictureRef, 2> planes;  // the meshes were made for these
  };
  std::vector<int> visible() const;
  bool split() const;  // side by side
  std::vector<Pane> panes() const;
  std::vector<QRectF> cells() const;
  QRectF cell_of(Pane pane) const;
  QRectF visible_part(Pane pane) const;
  std::optional<Pane> pane_at(const QPointF& place) const;
  bool press_wipe(const QPointF& place);
  QSizeF picture_size(const View& view) const;
  QTransform widget_from_picture(Pane pane) const;
  QString empty_reason(int camera) const;
  double age_s(int camera) const;
  QString gone_text(int camera) const;
  void forget_pictures();
  void fill_textures(int camera);
  bool holds_picture(const View& view, int camera) const;
  void draw_pictures();
  void draw_text(QPainter& painter);
  void draw_pane(QPainter& painter, Pane pane);
  QPointF name_corner(const QPainter& painter, const QRectF& area, const QString& name) const;
  void draw_state(QPainter& painter, int camera, const QPointF& corner, double room);
  void draw_world(QPainter& painter, Pane pane);
  void draw_masks(QPainter& painter, Pane pane);
  void draw_heads(QPainter& painter, Pane pane);
  QString missing(int camera) const;
  void place_find(const QRectF& cell);
  const MarkedDetections* detections_of(int camera) const;  // null: none are shown
  void draw_flow(QPainter& painter, Pane pane);
  const FlowField* flow_of(int camera) const;  // null: none is shown
  void draw_planes(Pane pane);
  void draw_plane(Pane pane, int slot, const FloorPictureRef& picture);
  void point_at(const QPointF& place);
  std::optional<Eigen::Vector3d> floor_point(const QPointF& place) const;
  void let_go();
  bool mouse_held() const { return tool_.held() || picture_tool_.held() || gizmo_->held() || wipe_.held(); }
  bool press_box(const QPointF& place);
  MarkView mark_view(Pane pane) const;
  std::optional<Ray> ray_at(Pane pane, const QPointF& place) const;
  std::optional<Ray> ray_through(Pane pane, const QPointF& place) const;  // also outside the picture
  std::optional<PicturePosition> picture_at(const QPointF& place) const;
  std::optional<FloorPosition> floor_at(const QPointF& place) const;
  void arrange_wall();
  void zoom_to(View& view, const MarkedPerson& person, const QSizeF& cell);
  void make_textures(View& view);
  void delete_textures(View& view);
  void make_gl() override;
  void release_gl() override;

  const QWidget* notice_ = nullptr;
  CameraPainter painter_;
  PlanePainter planes_;
  bool painter_failed_ = false;
  std::vector<View> cameras_;
  FrameResultRef result_;
  std::optional<int> enlarged_;
  std::optional<Eigen::Vector3d> pointed_;
  Marks marks_;
  FlowStyle flow_style_;
  std::vector<MarkedEpipolarLines> line_pairs_;
  MarkedClicks clicks_;
  PaintedMasks painted_;
  MarkedIgnored ignored_;
  std::vector<QStringList> details_;
  std::vector<CameraState> states_;
  bool live_ = false;
  QString past_;
  bool foreground_visible_ = true, heights_visible_ = false, bare_ = false;
  std::optional<QPointF> press_, drag_, menu_press_;
  std::optional<MarkedPerson> followed_;
  double followed_time_s_ = 0;
  bool wall_ = false;
  CalmChoice best_view_;
  std::vector<int> cells_of_;  // one per camera, in the wall
  FloorToolHold tool_;
  PictureToolHold picture_tool_;
  BoxGizmo* gizmo_;
  Pane gizmo_pane_ = 0;  // the pane whose handle is dragged
  WipeHandle wipe_;
  bool over_divider_ = false;
  MarkedBoards boards_;
  std::vector<QString> missing_;
  QPushButton* find_;
  QAction* find_action_ = nullptr;
  QRectF find_cell_;  // its cell; empty: none
};

}  // namespace vantage::ui
