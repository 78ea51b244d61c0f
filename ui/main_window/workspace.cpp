#include "ui/main_window/workspace.h"

#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/main_window/held_keys.h"
#include "ui/panels/height_map_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/views/height_map_canvas.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
namespace {

constexpr int kCamerasWidth = 1120, kSceneWidth = 794;  // of 1920: their shares of the room

}  // namespace

Workspace::Workspace(const SurfaceFactory& surfaces, const HeightStudyFactory& height_study, QWidget* parent)
    : QWidget(parent),
      views_(new QSplitter(Qt::Horizontal)),
      cameras_(new CameraGrid(surfaces)),
      scene_(new SceneView(surfaces)),
      height_map_(new HeightMapPanel(height_study, surfaces)),
      transport_(new Transport),
      timeline_(new Timeline),
      held_(new HeldKeys(this)) {
  for (QWidget* view : std::initializer_list<QWidget*>{cameras_, scene_, height_map_})
    views_->addWidget(view);
  height_map_->hide();
  views_->setChildrenCollapsible(false);
  views_->setHandleWidth(4);
  views_->setStretchFactor(0, kCamerasWidth);
  views_->setStretchFactor(1, kSceneWidth);
  views_->setSizes({kCamerasWidth, kSceneWidth});
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(views_, 1);
  rows->addWidget(transport_);
  rows->addWidget(timeline_);
  connect(cameras_, &CameraGrid::surface_failed, this, &Workspace::surface_failed);
  connect(scene_, &SceneView::surface_failed, this, &Workspace::surface_failed);
  connect(height_map_->canvas(), &HeightMapCanvas::surface_failed, this, &Workspace::surface_failed);
}

void Workspace::choose(Layout layout) {
  cameras_->setVisible(layout == Layout::both || layout == Layout::cameras);
  scene_->setVisible(layout == Layout::both || layout == Layout::scene);
  height_map_->setVisible(layout == Layout::height_map);
  emit layout_chosen(layout);
  (layout == Layout::height_map ? height_map_->canvas()
   : layout == Layout::scene    ? static_cast<QWidget*>(scene_)
                                : cameras_)
      ->setFocus();
  QSettings().setValue("layout", static_cast<int>(layout));
}

QPixmap Workspace::picture() {
  return views_->grab();
}

void Workspace::renew_surfaces() {
  cameras_->renew_surface();
  scene_->renew_surface();
  height_map_->canvas()->renew_surface();
}

void Workspace::restore(const QSettings& settings) {
  views_->restoreState(settings.value("views").toByteArray());
  const int kept = settings.value("layout", 0).toInt();
  const bool known = kept >= 0 && kept <= static_cast<int>(Layout::height_map);
  const Layout layout = known ? static_cast<Layout>(kept) : Layout::both;
  choose(layout == Layout::height_map && !height_map_->available() ? Layout::both : layout);
}

void Workspace::save(QSettings& settings) const {
  settings.setValue("views", views_->saveState());
}

}  // namespace vantage::ui
