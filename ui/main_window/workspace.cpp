#include "ui/main_window/workspace.h"

#include <QFrame>
#include <QLabel>
#include <QProgressBar>
#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/main_window/focus_keys.h"
#include "ui/panels/height_map_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/views/height_map_canvas.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
namespace {

constexpr int kCamerasWidth = 1120, kSceneWidth = 794;  // of 1920: their shares of the room
constexpr int kOpeningWidth = 360;

// A text over a bar that moves.
QFrame* opening_page(QLabel* text) {
  auto* page = new QFrame;
  page->setAccessibleName(Workspace::tr("Opening"));
  page->setStyleSheet(QStringLiteral("QFrame { background: %1; } QLabel { color: %2; }")
                          .arg(QColor(kViewBackground).name(), QColor(kViewText).name()));
  auto* bar = new QProgressBar;
  bar->setRange(0, 0);
  bar->setTextVisible(false);
  bar->setFixedSize(kOpeningWidth, 4);
  bar->setAccessibleName(Workspace::tr("Opening"));
  text->setAlignment(Qt::AlignCenter);
  auto* rows = new QVBoxLayout(page);
  rows->addStretch(1);
  rows->addWidget(text);
  rows->addWidget(bar, 0, Qt::AlignHCenter);
  rows->addStretch(1);
  page->hide();
  return page;
}

}  // namespace

Workspace::Workspace(const SurfaceFactory& surfaces, const HeightStudyFactory& height_study, QWidget* parent)
    : QWidget(parent),
      views_(new QSplitter(Qt::Horizontal)),
      all_apart_(
          new QLabel(tr("Cameras and scene have windows of their own: Ctrl+Shift+1 and Ctrl+Shift+2."))),
      opening_text_(new QLabel),
      opening_(opening_page(opening_text_)),
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
  views_->setHandleWidth(kTight);
  views_->setStretchFactor(0, kCamerasWidth);
  views_->setStretchFactor(1, kSceneWidth);
  views_->setSizes({kCamerasWidth, kSceneWidth});
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  all_apart_->setAlignment(Qt::AlignCenter);
  all_apart_->setWordWrap(true);
  all_apart_->hide();
  rows->addWidget(views_, 1);
  rows->addWidget(all_apart_, 1);
  rows->addWidget(opening_, 1);
  rows->addWidget(transport_);
  rows->addWidget(timeline_);
  connect(cameras_, &CameraGrid::surface_failed, this, &Workspace::surface_failed);
  connect(scene_, &SceneView::surface_failed, this, &Workspace::surface_failed);
  connect(height_map_->canvas(), &HeightMapCanvas::surface_failed, this, &Workspace::surface_failed);
}

void Workspace::choose(Layout layout) {
  layout_ = layout;
  arrange();
  emit layout_chosen(layout);
  (layout == Layout::height_map ? height_map_->canvas()
   : layout == Layout::scene    ? static_cast<QWidget*>(scene_)
                                : cameras_)
      ->setFocus();
  QSettings().setValue("layout", static_cast<int>(layout));
}

bool Workspace::apart(const QWidget* view) const {
  return std::find(apart_.begin(), apart_.end(), view) != apart_.end();
}

// What stands elsewhere is seen in every layout, and its neighbour has the room in the layouts of both.
void Workspace::arrange() {
  const bool map = layout_ == Layout::height_map;
  cameras_->setVisible(apart(cameras_) || (!map && (layout_ != Layout::scene || apart(scene_))));
  scene_->setVisible(apart(scene_) || (!map && (layout_ != Layout::cameras || apart(cameras_))));
  height_map_->setVisible(map);
  const bool nothing = !map && apart(cameras_) && apart(scene_);
  const bool opening = !opening_text_->text().isEmpty();
  opening_->setVisible(opening);
  views_->setVisible(!nothing && !opening);
  all_apart_->setVisible(nothing && !opening);
}

void Workspace::set_apart(QWidget* view, bool apart) {
  if (this->apart(view) == apart) return;
  if (apart) {
    if (apart_.empty()) shares_ = views_->saveState();
    apart_.push_back(view);
  } else {
    std::erase(apart_, view);
    views_->insertWidget(view == cameras_ || this->apart(cameras_) ? 0 : 1, view);
    if (apart_.empty()) views_->restoreState(shares_);
  }
  arrange();
}

void Workspace::show_opening(const QString& text) {
  if (text == opening_text_->text()) return;
  opening_text_->setText(text);
  arrange();
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
  const QByteArray shares = settings.value("views").toByteArray();
  if (!apart_.empty())
    shares_ = shares;
  else
    views_->restoreState(shares);
  const int kept = settings.value("layout", 0).toInt();
  const bool known = kept >= 0 && kept <= static_cast<int>(Layout::height_map);
  const Layout layout = known ? static_cast<Layout>(kept) : Layout::both;
  choose(layout == Layout::height_map && !height_map_->available() ? Layout::both : layout);
}

void Workspace::save(QSettings& settings) const {
  settings.setValue("views", apart_.empty() ? views_->saveState() : shares_);
}

}  // namespace vantage::ui
