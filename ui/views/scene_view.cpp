#include "ui/views/scene_view.h"

#include <vtkCamera.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkMatrix4x4.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>

#include <Eigen/LU>
#include <QAction>
#include <QContextMenuEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineF>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <cmath>
#include <utility>

#include "ui/platform/gl_state.h"
#include "ui/views/plane_prop.h"
#include "ui/views/scene_geometry.h"
#include "ui/views/shell_prop.h"
#include "ui/views/view_texts.h"
#include "ui/views/vtk_view.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kSceneClick_px = 4;  // a longer movement is a drag
constexpr double kFollowingZoom = 1.8;

}  // namespace

SceneView::SceneView(SurfaceFactory surfaces, QWidget* parent)
    : GlView(std::move(surfaces), parent),
      shell_(vtkSmartPointer<ShellProp>::New()),
      planes_(vtkSmartPointer<PlaneProp>::New()),
      gizmo_(new BoxGizmo(this)),
      hint_(new QFrame(this)),
      hint_text_(new QLabel),
      hint_button_(new QPushButton) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(160, 120);
  setAccessibleName(tr("Scene"));
  renderer_->SetBackground(kSceneGround[0] / 255.0, kSceneGround[1] / 255.0, kSceneGround[2] / 255.0);
  renderer_->AddViewProp(shell_);
  window_->AddRenderer(renderer_);
  window_->SetOwnContext(0);
  window_->SetIsDirect(1);
  window_->SetSupportsOpenGL(1);
  window_->SetIsCurrent(true);
  window_->SetMultiSamples(4);
  window_->SetFrameBlitModeToNoBlit();

  hint_->setAutoFillBackground(true);
  hint_->setFrameShape(QFrame::StyledPanel);
  auto* row = new QHBoxLayout(hint_);
  row->setContentsMargins(kWide, kApart, kWide, kApart);
  row->addWidget(hint_text_);
  row->addWidget(hint_button_);
  hint_button_->setFocusPolicy(Qt::TabFocus);
  hint_->hide();
  connect(hint_button_, &QPushButton::clicked, this, [this] {
    if (hint_action_) hint_action_->trigger();
  });
}

SceneView::~SceneView() {
  end_gl();
}

void SceneView::make_gl() {
  gl().glGenBuffers(1, &points_);
  drawn_.reset();
  window_->SetReadyForRendering(true);
  window_->OpenGLInitContext();
}

void SceneView::release_gl() {
  window_->Finalize();
  window_->SetReadyForRendering(false);
  gl().glDeleteBuffers(1, &points_);
  points_ = 0;
}

void SceneView::set_project(const Project& project) {
  cameras_.clear(), numbers_.clear();
  for (size_t i = 0; i < project.cameras.size(); ++i) {
    if (!project.cameras[i].calibration) continue;
    cameras_.push_back(*project.cameras[i].calibration);
    cameras_.back().set_name(project.cameras[i].name);
    numbers_.push_back(static_cast<int>(i));
  }
  if (project.grid) grid_ = project.grid;
  rebuild_scene();
}

void SceneView::clear() {
  cameras_.clear(), numbers_.clear();
  grid_.reset();
  result_.reset();
  framed_ = false;
  rebuild_scene();
}

void SceneView::add(vtkSmartPointer<vtkProp> prop) {
  renderer_->AddViewProp(prop);
  props_.push_back(std::move(prop));
}

void SceneView::rebuild_scene() {
  for (const auto& prop : props_) renderer_->RemoveViewProp(prop);
  props_.clear();
  floor_ = floor_area(cameras_, grid_ ? &*grid_ : nullptr);
  for (const auto& actor : floor_actors(floor_)) add(actor);
  for (size_t i = 0; i < cameras_.size(); ++i)
    add(frustum_actor(cameras_[i], frustum_length_m(floor_), numbers_[i]));
  if (grid_) add(box_actor(*grid_));
  add(planes_);  // last: all else shows through
  if (!framed_) {
    reset();
    framed_ = grid_.has_value();
  }
  update();
}

void SceneView::reset() {
  frame_scene(floor_, cameras_, &orbit_);
  update();
}

bool SceneView::shows_all() const {
  OrbitCamera fitted;
  frame_scene(floor_, cameras_, &fitted);
  return orbit_.target_m() == fitted.target_m() && orbit_.distance_m() == fitted.distance_m();
}

void SceneView::set_marks(Marks marks) {
  marks_ = std::move(marks);
  planes_->set_pictures({marks_.floor_map, marks_.cut});
  color_shell();
  update();
}

void SceneView::set_color_by_person(bool by_person) {
  by_person_ = by_person;
  color_shell();
  update();
}

void SceneView::color_shell() {
  if (!by_person_) return shell_->set_people(std::nullopt);
  std::vector<ShellPerson> people;
  for (const MarkedPerson& person : marks_.everybody)
    people.push_back({person.position_in_world_m.x(), person.position_in_world_m.y(),
                      person.id > 0 ? person_rgb(person.id) : kShellUnknown});
  shell_->set_people(std::move(people));
}

void SceneView::set_floor_tool(FloorTool* tool) {
  tool_.set_tool(tool);
  if (tool) gizmo_->put_away();
  update();
}

void SceneView::set_details(QStringList details) {
  details_ = std::move(details);
  update();
}

void SceneView::follow(std::optional<MarkedPerson> person) {
  if (person) {
    if (!before_following_) {
      before_following_ = orbit_;
      orbit_.zoom(kFollowingZoom);
    }
    orbit_.look_at(person->position_in_world_m + Eigen::Vector3d(0, 0, person->height_m / 2));
  } else if (before_following_) {
    const bool top = orbit_.top();
    orbit_ = *before_following_;
    orbit_.set_top(top);
    before_following_.reset();
  }
  update();
}

void SceneView::set_top(bool top) {
  orbit_.set_top(top);
  update();
}

void SceneView::show_result(FrameResultRef result) {
  result_ = std::move(result);
  if (result_ && result_->volume() && !grid_) {
    grid_ = result_->volume()->grid;
    rebuild_scene();
  }
  update();
}

void SceneView::set_volume_visible(bool visible) {
  shell_->SetVisibility(visible);
  update();
}

void SceneView::set_pointed(std::optional<Eigen::Vector3d> point_in_world_m) {
  if (!pointed_ && !point_in_world_m) return;
  pointed_ = point_in_world_m;
  update();
}

void SceneView::fill_points() {
  if (drawn_ == result_) return;
  drawn_ = result_;
  point_count_ = 0;
  const CarvedVolume* volume = result_ ? result_->volume() : nullptr;
  if (volume && surface()) {
    const Result<int64_t> count = surface()->draw_points(points_, *result_);
    if (!count) emit surface_failed(QString::fromStdString(count.error().message()));
    point_count_ = count.value_or(0);
  }
  shell_->set_points(points_, point_count_, volume ? volume->grid : VoxelGrid{});
}

void SceneView::update_matrix() {
  const double aspect = static_cast<double>(width()) / std::max(1, height());
  vtkMatrix4x4* matrix = renderer_->GetActiveCamera()->GetCompositeProjectionTransformMatrix(aspect, -1, 1);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      clip_from_world_(row, column) = matrix->GetElement(row, column);
}

void SceneView::render_scene() {
  const int width_px = qRound(width() * devicePixelRatioF()),
            height_px = qRound(height() * devicePixelRatioF());
  window_->SetSize(width_px, height_px);
  apply(orbit_, *renderer_->GetActiveCamera(), static_cast<double>(width()) / std::max(1, height()));
  renderer_->ResetCameraClippingRange();
  vtkOpenGLState* state = window_->GetState();
  state->Reset();
  state->Push();
  window_->Render();
  state->Pop();
  update_matrix();
  gl().glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
  window_->BlitDisplayFramebuffer(0, 0, 0, width_px, height_px, 0, 0, width_px, height_px,
                                  GL_COLOR_BUFFER_BIT, GL_NEAREST);
  // The widget is composed with its alpha, in which VTK leaves gaps.
  gl().glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
  gl().glDisable(GL_SCISSOR_TEST);
  gl().glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  gl().glClearColor(0, 0, 0, 1);
  gl().glClear(GL_COLOR_BUFFER_BIT);
  gl().glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void SceneView::paintGL() {
  fill_points();
  render_scene();
  for (const Status* state : {&shell_->state(), &planes_->state()})
    if (!*state) emit surface_failed(QString::fromStdString(state->error().message()));
  gl().glDisable(GL_DEPTH_TEST);
  draw_to_whole_view();
  ViewPainter painter(*this);
  draw_text(*painter);
}

MarkView SceneView::mark_view() const {
  const QSizeF size = this->size();
  const auto project = [matrix = clip_from_world_,
                        size](const Eigen::Vector3d& point) -> std::optional<Eigen::Vector2d> {
    const Eigen::Vector4d clip = matrix * point.homogeneous();
    if (clip.w() <= 1e-6) return std::nullopt;
    return Eigen::Vector2d((clip.x() / clip.w() + 1) / 2 * size.width(),
                           (1 - clip.y() / clip.w()) / 2 * size.height());
  };
  const Eigen::Vector2d far(size.width(), size.height());
  const double* eye = renderer_->GetActiveCamera()->GetPosition();
  return {{project, Eigen::AlignedBox2d(-far, 2 * far)},
          {},
          QRectF({0, 0}, size),
          {eye[0], eye[1], eye[2]},
          /*camera=*/false,
          orbit_.top()};
}

Ray SceneView::ray_at(const QPointF& position) const {
  const Eigen::Matrix4d world_from_clip = clip_from_world_.inverse();
  const auto unproject = [&](double depth) {
    const Eigen::Vector4d p = world_from_clip * Eigen::Vector4d(2 * position.x() / width() - 1,
                                                                1 - 2 * position.y() / height(), depth, 1);
    return Eigen::Vector3d(p.head<3>() / p.w());
  };
  const Eigen::Vector3d near = unproject(-1);
  return {near, (unproject(1) - near).normalized()};
}

void SceneView::draw_text(QPainter& painter) {
  const MarkView here = mark_view();
  draw_floor_marks(painter, here, floor_);
  draw_marks(painter, here, marks_);
  if (!tool_.has_tool()) gizmo_->draw(painter, here);
  if (pointed_) draw_pointed(painter, here, *pointed_, marks_.figure);
  for (size_t i = 0; i < cameras_.size(); ++i)
    if (const auto at = widget_position(here, cameras_[i].center_in_world_m()))
      draw_haloed(painter, *at + QPointF(8, -6), QString::fromStdString(cameras_[i].name()),
                  camera_color(numbers_[i]));
  if (marks_.comparison) draw_compared_names(painter, rect(), -1, *marks_.comparison, true);
  draw_keys(painter);
  draw_details(painter, QRectF(rect()).adjusted(8, 8, -8, -48), details_);
  if (result_ && result_->preview)
    draw_label(painter, QPointF(8, height() - 64), tr("preview, not exact"), QColor(kDoubtful), width() - 16);
}

void SceneView::draw_keys(QPainter& painter) {
  draw_scale_bar(painter, QPointF(18, height() - 16), orbit_.pixels_per_metre(width(), height()));
  QPointF corner(width() - 18, height() - 12);
  const auto key = [&](const ColorMap& map, const QString& words) {
    corner.ry() -= draw_color_key(painter, corner, map, words);
  };
  if (marks_.cut) {
    int axis = 0;  // the axis across the plane
    marks_.cut->u_axis.cross(marks_.cut->v_axis).cwiseAbs().maxCoeff(&axis);
    key(kCividis, tr("confidence 0 to 1, at %1 = %2 m")
                      .arg(QChar("xyz"[axis]))
                      .arg(marks_.cut->corner_in_world_m[axis], 0, 'f', 2));
  }
  if (marks_.floor_map) key(kCividis, marks_.floor_text);
  if (point_count_ > 0 && shell_->GetVisibility() && shell_->by_height())
    key(kViridis, tr("height 0 to %1 m").arg(kShellFullHeight_m));
}

void SceneView::set_hint(const QString& text, QAction* action) {
  if (hint_action_) disconnect(hint_action_, &QAction::changed, this, &SceneView::show_hint_button);
  hint_action_ = action;
  if (action) connect(action, &QAction::changed, this, &SceneView::show_hint_button);
  hint_text_->setText(text);
  hint_->setVisible(!text.isEmpty());
  show_hint_button();
}

void SceneView::show_hint_button() {
  hint_button_->setVisible(hint_action_ && hint_action_->isVisible() && hint_action_->isEnabled());
  if (hint_action_) {
    const QString text = hint_action_->iconText();
    hint_button_->setText(text);
    describe(hint_button_, text, hint_action_->toolTip());
  }
  place_hint();
}

QString SceneView::hint() const {
  return hint_->isHidden() ? QString() : hint_text_->text();
}

void SceneView::place_hint() {
  const int room = std::max(60, width() - 24);
  hint_text_->setWordWrap(false);
  QSize size = hint_->sizeHint();
  if (size.width() > room) {
    hint_text_->setWordWrap(true);
    size = {room, hint_->heightForWidth(room)};
  }
  hint_->setGeometry((width() - size.width()) / 2, height() - size.height() - 40, size.width(),
                     size.height());
}

void SceneView::resizeEvent(QResizeEvent* event) {
  GlView::resizeEvent(event);
  place_hint();
}

void SceneView::mousePressEvent(QMouseEvent* event) {
  if (tool_.held() || gizmo_->held() || wipe_.held()) return;
  const bool left = event->button() == Qt::LeftButton;
  if (left && !tool_.has_tool() && wipe_.press(marks_.comparison.get(), rect(), event->position())) return;
  if (left && press_box(event->position())) return;
  if (left && tool_.has_tool() && tool_.press(floor_at(event->position()))) return;
  press_ = drag_ = event->position();
}

void SceneView::mouseMoveEvent(QMouseEvent* event) {
  // The release was lost: a dialog or another layout took the mouse.
  if (event->buttons() == Qt::NoButton) let_go();
  if (gizmo_->held()) return gizmo_->drag(ray_at(event->position()));
  if (wipe_.held()) {
    emit wipe_dragged(wipe_.drag(event->position()));
    return;
  }
  if (tool_.held()) {
    tool_.drag(floor_at(event->position()));
    return point_at(event->position());
  }
  if (!drag_) {
    const bool divider =
        !tool_.has_tool() && WipeHandle::is_at(marks_.comparison.get(), rect(), event->position());
    if (std::exchange(over_divider_, divider) && !divider) unsetCursor();
    if (!tool_.has_tool()) divider ? gizmo_->leave() : gizmo_->hover(mark_view(), event->position());
    if (divider) setCursor(Qt::SplitHCursor);
    return point_at(event->position());
  }
  const QPointF by = event->position() - *drag_;
  drag_ = event->position();
  const bool turns =
      (event->buttons() & Qt::LeftButton) && !(event->modifiers() & Qt::ShiftModifier) && !orbit_.top();
  turns ? orbit_.orbit(by.x(), by.y()) : orbit_.pan(by.x(), by.y(), height());
  update();
}

std::optional<FloorPosition> SceneView::floor_at(const QPointF& position) const {
  return floor_position(ray_at(position), ray_at(position + QPointF(kFloorReach_px, 0)));
}

void SceneView::mouseReleaseEvent(QMouseEvent* event) {
  if ((tool_.held() || gizmo_->held() || wipe_.held()) && event->button() != Qt::LeftButton) return;
  drag_.reset();
  const auto press = std::exchange(press_, std::nullopt);
  if (tool_.held()) return tool_.release();
  if (gizmo_->held()) return gizmo_->release();
  if (wipe_.held()) return wipe_.let_go();
  if (!press || tool_.has_tool() || QLineF(*press, event->position()).length() > kSceneClick_px) return;
  if (event->button() == Qt::RightButton)
    emit menu_wanted(intersect_horizontal_plane(ray_at(*press), 0), event->globalPosition().toPoint());
  if (event->button() == Qt::LeftButton && !gizmo_->click(mark_view(), *press))
    emit person_clicked(person_at(mark_view(), marks_, *press),
                        event->modifiers().testFlag(Qt::ControlModifier));
}

void SceneView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  let_go();
  if (WipeHandle::is_at(marks_.comparison.get(), rect(), event->position())) return;
  if (press_box(event->position())) return;
  if (!tool_.double_click()) reset();
}

void SceneView::let_go() {
  press_.reset();
  drag_.reset();
  tool_.give_up();
  gizmo_->give_up();
  wipe_.let_go();
}

bool SceneView::press_box(const QPointF& position) {
  if (tool_.has_tool() || !gizmo_->press(mark_view(), position, ray_at(position))) return false;
  emit pointed(std::nullopt);  // marks there would hide the box
  return true;
}

// A hidden view gets no release.
void SceneView::hideEvent(QHideEvent* event) {
  let_go();
  GlView::hideEvent(event);
}

void SceneView::wheelEvent(QWheelEvent* event) {
  orbit_.zoom(std::pow(1.15, event->angleDelta().y() / 120.0));
  event->accept();
  update();
}

// For the menu key; the right button's menu opens at its release, since dragging with it moves the scene.
void SceneView::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Keyboard) emit menu_wanted(pointed_, event->globalPos());
}

void SceneView::point_at(const QPointF& position) {
  emit person_pointed(person_at(mark_view(), marks_, position));
  emit pointed(intersect_horizontal_plane(ray_at(position), 0));
}

void SceneView::leaveEvent(QEvent*) {
  gizmo_->leave();
  emit person_pointed(0);
  emit pointed(std::nullopt);
}

}  // namespace vantage::ui
