#include "ui/views/camera_grid.h"

#include <QAction>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/video/no_video.h"
#include "ui/platform/gl_state.h"
#include "ui/views/overlays.h"
#include "ui/views/view_texts.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kArm_px = 7, kGap_px = 2;  // arms of a cross, whose middle stays free
constexpr double kPlaced_px = 4;
constexpr double kOld_s = 1;  // maximum age of a live picture that is not dimmed

void draw_haloed_path(QPainter& painter, const QPainterPath& path, const QColor& color, double width_px,
                      Qt::PenStyle style = Qt::SolidLine) {
  painter.strokePath(path, QPen(QColor(0, 0, 0, 190), width_px + 2));
  painter.strokePath(path, QPen(color, width_px, style));
}

QPainterPath cross_at(const QPointF& at) {
  QPainterPath path;
  for (const QPointF& arm : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)}) {
    path.moveTo(at + kGap_px * arm);
    path.lineTo(at + kArm_px * arm);
  }
  return path;
}

}  // namespace

void draw_clicks(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible, int camera,
                 const MarkedClicks& marks) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const MarkedEpipolarCurve& curve : marks.curves) {
    if (curve.camera != camera) continue;
    QPainterPath path;
    path.addPolygon(widget_from_picture.map(curve.pixels));
    draw_haloed_path(painter, path, camera_color(curve.of), 1);
  }
  const QFontMetricsF metrics(painter.font());
  for (const MarkedClick& click : marks.clicks) {
    if (click.camera != camera) continue;
    const QColor color(click.doubtful ? kFailed : click.chosen ? kSelection : kForegroundOverlay);
    std::optional<QPointF> at, placed;
    if (click.clicked) at = widget_from_picture.map(*click.clicked);
    if (click.placed) placed = widget_from_picture.map(*click.placed);
    if (at && placed) {
      QPainterPath off;
      off.moveTo(*at);
      off.lineTo(*placed);
      draw_haloed_path(painter, off, color, 1);
    }
    if (placed) {
      QPainterPath circle;
      circle.addEllipse(*placed, kPlaced_px, kPlaced_px);
      draw_haloed_path(painter, circle, color, 1);
    }
    if (at) draw_haloed_path(painter, cross_at(*at), color, click.chosen ? 2 : 1.5);
    const std::optional<QPointF> beside = at ? at : placed;
    if (beside && visible.contains(*beside))
      draw_haloed(painter, *beside + QPointF(kArm_px + 2, -metrics.descent() - 2), click.name, color);
  }
}

namespace {

QRectF scaled(const QRectF& r, double by) {
  return {r.topLeft() * by, r.size() * by};
}

}  // namespace

CameraGrid::CameraGrid(SurfaceFactory surfaces, QWidget* parent)
    : GlView(std::move(surfaces), parent), gizmo_(new BoxGizmo(this)), find_(new QPushButton(this)) {
  find_->hide();
  connect(find_, &QPushButton::clicked, this, [this] { find_action_->trigger(); });
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(160, 120);
  setAccessibleName(tr("Cameras"));
}

CameraGrid::~CameraGrid() {
  end_gl();
}

void CameraGrid::set_cameras(const std::vector<ProjectCamera>& cameras) {
  if (cameras.size() != cameras_.size()) {
    gizmo_->give_up();
    if (context()) makeCurrent();
    for (View& view : cameras_) delete_textures(view);
    if (surface()) surface()->release();
    if (context()) doneCurrent();
    cameras_.assign(cameras.size(), {});
    enlarged_.reset();
    result_.reset();
  }
  for (size_t i = 0; i < cameras.size(); ++i) {
    cameras_[i].name = QString::fromStdString(cameras[i].name);
    cameras_[i].calibration = cameras[i].calibration;
    cameras_[i].no_video.reset();
    if (const Result<NoVideo> none = parse_no_video(cameras[i].video))
      cameras_[i].no_video = QSizeF(none->width_px, none->height_px);
    cameras_[i].planes = {};
  }
  update();
  emit cameras_changed();
}

void CameraGrid::show_result(FrameResultRef result) {
  result_ = std::move(result);
  if (!result_) forget_pictures();
  update();
}

void CameraGrid::set_foreground_visible(bool visible) {
  foreground_visible_ = visible;
  update();
}

void CameraGrid::set_heights_visible(bool visible) {
  heights_visible_ = visible;
  update();
}

void CameraGrid::set_bare(bool bare) {
  if (bare_ == bare) return;
  bare_ = bare;
  update();
}

void CameraGrid::set_marks(Marks marks) {
  marks_ = std::move(marks);
  update();
}

void CameraGrid::set_flow(FlowStyle look) {
  flow_style_ = look;
  if (!look.shown) emit flow_pointed({});
  update();
}

void CameraGrid::set_epipolar_lines(std::vector<MarkedEpipolarLines> line_pairs) {
  line_pairs_ = std::move(line_pairs);
  update();
}

void CameraGrid::set_clicks(MarkedClicks clicks) {
  clicks_ = std::move(clicks);
  update();
}

void CameraGrid::set_ignored(MarkedIgnored ignored) {
  ignored_ = std::move(ignored);
  update();
}

void CameraGrid::set_boards(MarkedBoards boards) {
  boards_ = std::move(boards);
  update();
}

void CameraGrid::set_painted(PaintedMasks painted) {
  painted_ = std::move(painted);
  update();
}

void CameraGrid::set_details(std::vector<QStringList> details) {
  details_ = std::move(details);
  update();
}

void CameraGrid::set_live(bool live) {
  if (live == live_) return;
  live_ = live;
  forget_pictures();
  update();
}

// No later frame shows them: they belong to other cameras, or another time.
void CameraGrid::forget_pictures() {
  for (View& view : cameras_) view.picture_size = {}, view.drawn.reset();
}

void CameraGrid::set_past(const QString& words) {
  if (words == past_) return;
  if (past_.isEmpty() != words.isEmpty()) forget_pictures();
  past_ = words;
  update();
}

void CameraGrid::set_states(std::vector<CameraState> states) {
  if (states == states_) return;
  states_ = std::move(states);
  update();
}

void CameraGrid::enlarge(std::optional<int> camera) {
  if (camera && (*camera < 0 || *camera >= camera_count())) return;
  if (enlarged_ == camera) return;
  let_go();
  enlarged_ = camera;
  update();
  emit enlarged_changed();
}

void CameraGrid::set_pointed(std::optional<Eigen::Vector3d> point_in_world_m) {
  if (!pointed_ && !point_in_world_m) return;
  pointed_ = point_in_world_m;
  update();
}

QImage CameraGrid::shown_part(int camera, const QRectF& part) {
  const QImage all = grabFramebuffer();  // draws pending changes
  if (camera >= camera_count() || cameras_[camera].picture_size.width_px == 0) return {};
  const QRectF in_view = widget_from_picture(camera).mapRect(part).intersected(cell_of(camera));
  if (in_view.width() < 1 || in_view.height() < 1) return {};
  return all.copy(scaled(in_view, devicePixelRatioF()).toAlignedRect());
}

void CameraGrid::make_gl() {
  for (const Status& ready : {painter_.prepare(), planes_.prepare()})
    if (!ready) {
      painter_failed_ = true;
      emit surface_failed(QString::fromStdString(ready.error().message()));
    }
}

void CameraGrid::release_gl() {
  for (View& view : cameras_) {
    delete_textures(view);
    view.drawn.reset();
    view.planes = {};
  }
  painter_.release();
  planes_.release();
}

void CameraGrid::make_textures(View& view) {
  if (view.picture != 0) return;
  for (unsigned* texture : {&view.picture, &view.indicator, &view.heights}) gl().glGenTextures(1, texture);
}

void CameraGrid::delete_textures(View& view) {
  for (unsigned* texture : {&view.picture, &view.indicator, &view.heights}) {
    if (*texture != 0) gl().glDeleteTextures(1, texture);
    *texture = 0;
  }
}

// A live camera's picture that came too late for this set: the last one stays.
bool CameraGrid::holds_picture(const View& view, int camera) const {
  const auto index = static_cast<size_t>(camera);
  const FrameSet* frames = result_->frames();
  return live_ && past_.isEmpty() && frames && index < frames->cameras.size() &&
         !frames->cameras[index].picture && view.picture_size.width_px > 0;
}

// Age of a live camera's picture against those of the others; 0: it is the present one, or of the past.
double CameraGrid::age_s(int camera) const {
  if (!live_ || !past_.isEmpty() || !result_ || !result_->frames()) return 0;
  const auto index = static_cast<size_t>(camera);
  const double behind_s = static_cast<double>(result_->frames()->time_ns - cameras_[index].taken_ns) * 1e-9;
  return std::max({0.0, behind_s, index < states_.size() ? states_[index].age_s : 0});
}

// Why a live camera has no pictures; empty: it has, or will have soon.
QString CameraGrid::gone_text(int camera) const {
  const auto index = static_cast<size_t>(camera);
  if (!live_ || !past_.isEmpty() || index >= states_.size()) return {};
  const CameraState& state = states_[index];
  if (state.standing != CameraStanding::away && state.age_s <= kGone_s) return {};
  return state.words.left(1).toUpper() + state.words.mid(1) + ": " + state.sentence;
}

void CameraGrid::fill_textures(int camera) {
  View& view = cameras_[camera];
  if (!result_ || view.drawn == result_ || !surface()) return;
  make_textures(view);
  view.drawn = result_;
  if (holds_picture(view, camera)) return;
  view.taken_ns = result_->frames() ? result_->frames()->time_ns : 0;
  const auto fill = [&](unsigned texture, DisplayLayer layer) {
    const Result<DrawnSize> drawn = surface()->draw(texture, *result_, camera, layer);
    if (!drawn) emit surface_failed(QString::fromStdString(drawn.error().message()));
    return drawn.value_or(DrawnSize{});
  };
  view.picture_size = fill(view.picture, DisplayLayer::picture);
  view.indicator_size = fill(view.indicator, DisplayLayer::foreground);
  view.heights_size = fill(view.heights, DisplayLayer::heights);
}

void CameraGrid::draw_pictures() {
  const double ratio = devicePixelRatioF();
  const int height_px = qRound(height() * ratio);
  for (const Pane pane : panes()) {
    fill_textures(pane.camera);
    const View& view = cameras_[pane.camera];
    if (!result_ || view.picture_size.width_px == 0) continue;
    // The runs are compared, not the present parameters.
    const bool overlay =
        foreground_visible_ && !bare_ && !marks_.comparison && view.indicator_size.width_px > 0;
    const HeightEstimate* map = result_->height_map();
    const bool heights = map && heights_visible_ && !bare_ && view.heights_size.width_px > 0;
    CameraPainter::Job job{scaled(cell_of(pane), ratio), scaled(picture_area(pane), ratio), view.picture,
                           overlay ? view.indicator : 0};
    job.subdued = age_s(pane.camera) > kOld_s;
    if (heights)
      job.heights = {view.heights, map->level_count,
                     QSizeF(view.heights_size.width_px, view.heights_size.height_px)};
    painter_.draw(job, height_px);
    if (!bare_) draw_planes(pane);
  }
}

// The lower one first: the slice is above the floor.
void CameraGrid::draw_planes(Pane pane) {
  if (!cameras_[pane.camera].calibration || !(marks_.floor_map || marks_.cut)) return;
  const double ratio = devicePixelRatioF();
  const int width_px = qRound(width() * ratio), height_px = qRound(height() * ratio);
  const QRect cell = scaled(visible_part(pane), ratio).toAlignedRect();
  gl().glViewport(0, 0, width_px, height_px);
  gl().glDisable(GL_DEPTH_TEST);
  gl().glEnable(GL_SCISSOR_TEST);
  gl().glScissor(cell.left(), height_px - cell.top() - cell.height(), cell.width(), cell.height());
  draw_plane(pane, 0, marks_.floor_map);
  draw_plane(pane, 1, marks_.cut);
  gl().glDisable(GL_SCISSOR_TEST);
}

void CameraGrid::draw_plane(Pane pane, int slot, const FloorPictureRef& picture) {
  if (!picture) return;
  View& view = cameras_[pane.camera];
  const int key = 2 * pane.camera + slot;
  FloorPictureRef& known = view.planes[slot];
  if (!known || !known->same_place(*picture)) {
    const PlaneMesh mesh = project_plane(*view.calibration, picture->corner_in_world_m, picture->u_edge_m(),
                                         picture->v_edge_m());
    std::vector<PlanePoint> points;
    for (const PlaneVertex& p : mesh.vertices)
      points.push_back({p.x_px * p.depth, p.y_px * p.depth, 0, p.depth, p.u, p.v});
    planes_.set_mesh(key, points, mesh.triangles);
  }
  known = picture;
  const QTransform to_widget = widget_from_picture(pane);
  const float w = static_cast<float>(width()), h = static_cast<float>(height());
  const auto f = [](double value) { return static_cast<float>(value); };
  const QMatrix4x4 clip_from_picture(2 * f(to_widget.m11()) / w, 0, 0, 2 * f(to_widget.dx()) / w - 1,   //
                                     0, -2 * f(to_widget.m22()) / h, 0, 1 - 2 * f(to_widget.dy()) / h,  //
                                     0, 0, 0, 0,                                                        //
                                     0, 0, 0, 1);
  planes_.draw(slot, picture, key, clip_from_picture);
}

void CameraGrid::paintGL() {
  clear_view();
  if (!painter_failed_) draw_pictures();
  draw_to_whole_view();
  ViewPainter painter(*this);
  draw_text(*painter);
}

QString CameraGrid::empty_reason(int camera) const {
  if (!result_) return tr("Opening the videos …");
  const FrameSet* frames = result_->frames();
  const auto index = static_cast<size_t>(camera);
  if (!frames || index >= frames->cameras.size()) return tr("No picture here.");
  const CameraFrame& frame = frames->cameras[index];
  const QString problem = QString::fromStdString(frame.problem);
  if (!frame.picture) return problem.isEmpty() ? tr("No frame here.") : tr("No frame here: %1").arg(problem);
  return {};
}

const MarkedDetections* CameraGrid::detections_of(int camera) const {
  const auto index = static_cast<size_t>(camera);
  return index < marks_.detections.size() ? &marks_.detections[index] : nullptr;
}

void CameraGrid::set_missing(std::vector<QString> words, QAction* find) {
  if (words == missing_) return;
  missing_ = std::move(words);
  find_action_ = find;
  find_->setText(find->iconText());
  describe(find_, find_->text(), find->toolTip());
  update();
}

QString CameraGrid::missing(int camera) const {
  const auto index = static_cast<size_t>(camera);
  return index < missing_.size() ? missing_[index] : QString();
}

// Below the text in the first cell of a missing camera: it searches for the videos of all. Only after
// painting: no widget may move during it.
void CameraGrid::place_find(const QRectF& cell) {
  if (cell == find_cell_) return;
  find_cell_ = cell;
  QMetaObject::invokeMethod(
      this,
      [this] {
        const QSize size = find_->sizeHint();
        const QPoint middle = find_cell_.center().toPoint();
        find_->setGeometry(QRect(middle + QPoint(-size.width() / 2, 18), size));
        find_->setVisible(!find_cell_.isEmpty());
      },
      Qt::QueuedConnection);
}

void CameraGrid::draw_text(QPainter& painter) {
  if (bare_) return;
  QRectF cell;
  for (const Pane pane : panes()) {
    draw_pane(painter, pane);
    if (cell.isEmpty() && !missing(pane.camera).isEmpty()) cell = cell_of(pane);
  }
  place_find(cell);
  painter.setClipping(false);
  if (cameras_.empty()) draw_empty_state(painter, rect(), tr("No cameras."));
}

void CameraGrid::draw_pane(QPainter& painter, Pane pane) {
  const int camera = pane.camera;
  const View& view = cameras_[camera];
  const QRectF cell = cell_of(pane), area = visible_part(pane);
  painter.setClipRect(cell);
  const bool empty = !view.no_video && (view.picture_size.width_px == 0 || !result_);
  const QString gone = gone_text(camera);
  if (view.no_video)
    draw_no_picture(painter, area);
  else if (!missing(camera).isEmpty())
    draw_missing(painter, area, missing(camera));
  else if (empty)
    draw_empty_state(painter, cell, gone.isEmpty() ? empty_reason(camera) : gone);
  draw_flow(painter, pane);
  draw_masks(painter, pane);
  draw_ignored(painter, widget_from_picture(pane), area, camera, ignored_);
  draw_painted_mask(painter, widget_from_picture(pane), picture_area(pane), area, camera, painted_);
  if (!(empty && live_)) draw_world(painter, pane);  // on black it would show nothing, over the text
  const MarkedDetections* detections = detections_of(camera);
  if (detections) draw_detections(painter, widget_from_picture(pane), area, *detections);
  draw_heads(painter, pane);
  if (static_cast<size_t>(camera) < boards_.size())
    draw_board(painter, widget_from_picture(pane), area, boards_[camera]);
  draw_clicks(painter, widget_from_picture(pane), area, camera, clicks_);
  if (marks_.question.camera == camera)
    draw_question(painter, widget_from_picture(pane).map(marks_.question.pixel));
  if (!empty && !gone.isEmpty()) draw_notice(painter, area, gone);
  const QRectF title = draw_label(painter, name_corner(painter, area, view.name), view.name,
                                  camera_color(camera), area.width() - 16);
  draw_state(painter, camera, title.topRight() + QPointF(6, 0), area.right() - title.right() - 14);
  QPointF below = title.bottomLeft() + QPointF(0, 4);
  const double old_s = empty ? 0 : age_s(camera);
  for (const QString& words : {past_, old_s > kOld_s ? tr("%1 s old").arg(qRound(old_s)) : QString(),
                               detections ? age_text(*detections) : QString()})
    if (!words.isEmpty())
      below = draw_label(painter, below, words, QColor(kDoubtful), area.width() - 16).bottomLeft() +
              QPointF(0, 4);
  const double names =
      marks_.comparison ? draw_compared_names(painter, area, pane.side, *marks_.comparison, false) + 4 : 0;
  if (static_cast<size_t>(camera) < details_.size())
    draw_details(painter, area.adjusted(8, 8, -8, -8 - names), details_[camera]);
}

// In the corner, or below a notice that would cover it.
QPointF CameraGrid::name_corner(const QPainter& painter, const QRectF& area, const QString& name) const {
  constexpr double kEdge_px = 8, kAround_px = 40;
  const QPointF corner = area.topLeft() + QPointF(kEdge_px, kEdge_px);
  if (!notice_ || !notice_->isVisible() || notice_->window() != window()) return corner;
  const QRectF notice(mapFromGlobal(notice_->mapToGlobal(QPoint())), notice_->size());
  const QFontMetricsF metrics(painter.font());
  const QRectF label(corner,
                     QSizeF(metrics.horizontalAdvance(name) + kAround_px, metrics.height() + kEdge_px));
  return notice.intersects(label) ? QPointF(corner.x(), notice.bottom() + kEdge_px / 2) : corner;
}

// Masks of the compared runs, instead of the present foreground.
void CameraGrid::draw_masks(QPainter& painter, Pane pane) {
  const auto index = static_cast<size_t>(pane.camera);
  if (!foreground_visible_ || !marks_.comparison || index >= marks_.comparison->masks.size()) return;
  draw_compared_masks(painter, picture_area(pane), visible_part(pane), pane.side,
                      marks_.comparison->masks[index], *marks_.comparison);
}

// Draws the camera's fault next to its name.
void CameraGrid::draw_state(QPainter& painter, int camera, const QPointF& corner, double room) {
  const auto index = static_cast<size_t>(camera);
  const FrameSet* frames = result_ ? result_->frames() : nullptr;
  if (index < states_.size() && states_[index].standing != CameraStanding::good) {
    const CameraState& state = states_[index];
    const QString words =
        enlarged_ && !state.sentence.isEmpty() ? state.words + ": " + state.sentence : state.words;
    draw_label(painter, corner, words, color_of(state.standing, palette()), room);
  } else if (cameras_[index].no_video) {
    draw_label(painter, corner, tr("no video"), {}, room);
  } else if (frames && index < frames->cameras.size() && frames->cameras[index].picture &&
             !frames->cameras[index].problem.empty()) {
    draw_label(painter, corner, QString::fromStdString(frames->cameras[index].problem), QColor(kDoubtful),
               room);
  }
}

const FlowField* CameraGrid::flow_of(int camera) const {
  const FlowArtifact* flow = result_ && flow_style_.shown ? result_->flow() : nullptr;
  if (!flow || static_cast<size_t>(camera) >= flow->cameras.size()) return nullptr;
  const FlowField& field = flow->cameras[camera].field;
  return field ? &field : nullptr;
}

void CameraGrid::draw_flow(QPainter& painter, Pane pane) {
  const FlowField* field = flow_of(pane.camera);
  if (!field) return;
  View& view = cameras_[pane.camera];
  const double full_px = flow_full_px(*result_->flow());
  if (view.flow_of != result_) view.flow = flow_image(*field, full_px);
  view.flow_of = result_;
  const QRectF area = picture_area(pane), visible = visible_part(pane);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.drawImage(area, view.flow);
  if (flow_style_.arrow_spacing_px > 0)
    draw_flow_arrows(painter, widget_from_picture(pane), visible, *field, flow_style_.arrow_spacing_px,
                     full_px);
  if (pane.camera == this->visible().front() && pane.side < 1) draw_flow_wheel(painter, visible, full_px);
}

void CameraGrid::draw_world(QPainter& painter, Pane pane) {
  if (!cameras_[pane.camera].calibration) return;
  const MarkView there = mark_view(pane);
  for (const MarkedEpipolarLines& line_pairs : line_pairs_)
    if (line_pairs.camera == pane.camera) draw_epipolar_lines(painter, there, line_pairs);
  draw_marks(painter, there, marks_);
  if (pointed_ && !painted_.painting)
    draw_pointed(painter, there, *pointed_, marks_.figure && !picture_tool_.has_tool());
  if (!has_tool()) gizmo_->draw(painter, there);
}

// White on a black halo, as lines of the world are; dashed for heads found with the help of other views.
void CameraGrid::draw_heads(QPainter& painter, Pane pane) {
  const auto index = static_cast<size_t>(pane.camera);
  if (index >= marks_.heads.size()) return;
  const QRectF area = picture_area(pane);
  const QSizeF size = picture_size(cameras_[index]);
  const double x = area.width() / size.width(), y = area.height() / size.height();
  painter.setBrush(Qt::NoBrush);
  for (const auto& [head, guided] : marks_.heads[index]) {
    const QRectF box(area.left() + x * head.left(), area.top() + y * head.top(), x * head.width(),
                     y * head.height());
    painter.setPen(QPen(Qt::black, 4));
    painter.drawRect(box);
    QPen pen(Qt::white, 2, Qt::SolidLine, Qt::FlatCap);
    if (guided) pen.setDashPattern({2, 2});
    painter.setPen(pen);
    painter.drawRect(box);
  }
}

}  // namespace vantage::ui
