#include "ui/main_window/cameras/ignored_control.h"

#include <QAction>
#include <QKeyEvent>
#include <algorithm>
#include <string>
#include <utility>

#include "core/geometry/ignored_region.h"
#include "ui/views/camera_grid.h"

namespace vantage::ui {
namespace {

QPolygonF polygon_of(const std::vector<Eigen::Vector2d>& corners_px) {
  QPolygonF polygon;
  for (const Eigen::Vector2d& corner : corners_px) polygon << QPointF(corner.x(), corner.y());
  return polygon;
}

}  // namespace

IgnoredControl::IgnoredControl(const WindowParts& parts) : Control(parts) {
  shown_ = add_switch(
      {"ignored_regions", "&Ignored Regions", "Ctrl+I",
       "Show the parts of the cameras' pictures that do not count, hatched"},
      {Menu::overlays, "coverage"}, [this] { show(); }, needs_project);
  keep_switch(shown_, "ignored_regions", true);
  draw_ = add_switch(
      {"ignore_region", "&Ignore a Part of the Picture", "Shift+I",
       "Click corners around what does not count: a time stamp, a screen, a road. A double-click, the first "
       "corner or Return closes; Backspace removes the last; Esc ends. A click on a region chooses it"},
      {Menu::cameras, "rename_camera", true}, [this](bool on) { on ? start() : end(); }, needs_project);
  add_action(
      {"next_ignored_region", "Choose Ne&xt Ignored Region", "Shift+G", "Choose the next ignored region"},
      {Menu::cameras, "ignore_region"}, [this] { choose_next(); },
      [this] { return unmet({{!all().empty(), tr("Nothing is ignored yet.")}}); });
  add_action(
      {"remove_ignored_region", "&Remove Ignored Region", "Alt+Shift+Backspace",
       "This part of the picture counts again"},
      {Menu::cameras, "next_ignored_region"}, [this] { remove(); },
      [this] {
        return unmet(
            {{chosen_.has_value(), tr("Choose an ignored region first (Shift+G, or a click on it while "
                                      "Shift+I is on).")}});
      });
  parts.cameras->installEventFilter(this);
}

// The views live longer.
IgnoredControl::~IgnoredControl() {
  parts().cameras->drop_picture_tool(this);
}

void IgnoredControl::refresh(Changes what) {
  if (!what.testFlag(Change::project) || !state().open()) return;
  const std::vector<Chosen> regions = all();
  if (chosen_ && std::ranges::find(regions, *chosen_) == regions.end()) chosen_.reset();
  show();
  update_availability();
}

void IgnoredControl::forget() {
  draw_->setChecked(false);
  chosen_.reset();
  parts().cameras->set_ignored({});
}

void IgnoredControl::start() {
  emit tool_begun();
  parts().cameras->set_picture_tool(this);
  parts().cameras->setCursor(Qt::CrossCursor);
  parts().cameras->setFocus();
  show();
  emit availability_changed();
}

void IgnoredControl::end() {
  draw_->setChecked(false);
  polygon_.clear();
  parts().cameras->drop_picture_tool(this);
  if (!parts().cameras->has_tool()) parts().cameras->unsetCursor();
  show();
  emit availability_changed();
}

void IgnoredControl::stop() {
  if (polygon_.empty()) return end();
  polygon_.clear();
  show();
}

std::vector<IgnoredControl::Chosen> IgnoredControl::all() const {
  std::vector<Chosen> regions;
  for (size_t c = 0; c < project().cameras.size(); ++c)
    for (size_t i = 0; i < project().cameras[c].ignored.size(); ++i)
      regions.push_back({static_cast<int>(c), i});
  return regions;
}

std::optional<IgnoredControl::Chosen> IgnoredControl::region_at(const PicturePosition& place) const {
  for (const Chosen& one : all())
    if (one.camera == place.camera && polygon_of(project().cameras[one.camera].ignored[one.region].corners_px)
                                          .containsPoint({place.at_px.x(), place.at_px.y()}, Qt::OddEvenFill))
      return one;
  return std::nullopt;
}

bool IgnoredControl::press(const PicturePosition& place) {
  if (polygon_camera_ != place.camera) polygon_.clear();
  polygon_camera_ = place.camera;
  if (polygon_.empty()) {
    chosen_ = region_at(place);
    update_availability();
    if (!chosen_) polygon_.push_back(place.at_px);
  } else if (polygon_.size() > 2 && (polygon_.front() - place.at_px).norm() <= place.reach_px) {
    close_polygon();
  } else {
    polygon_.push_back(place.at_px);
  }
  show();
  return true;
}

// The first of the two clicks has set the last corner, or chosen a region.
bool IgnoredControl::double_click() {
  close_polygon();
  return drawing();
}

void IgnoredControl::close_polygon() {
  if (polygon_.size() < 3) return;
  const auto camera = static_cast<size_t>(polygon_camera_);
  const FrameSet* frames = state().shown() ? state().shown()->result->frames() : nullptr;
  const Picture picture =
      frames && camera < frames->cameras.size() ? frames->cameras[camera].picture : Picture();
  const std::vector<Eigen::Vector2d> corners = std::exchange(polygon_, {});
  show();
  const Result<IgnoredRegion> region = make_ignored_region(corners, picture.width(), picture.height());
  if (!region) {
    emit failed(region.error());
    return;
  }
  const std::string name = project().cameras[camera].name;
  chosen_ = Chosen{polygon_camera_, project().cameras[camera].ignored.size()};
  post(command::Edit{"ignore a part of " + name, [name, region = *region](Project& project) {
                       for (ProjectCamera& one : project.cameras)
                         if (one.name == name) one.ignored.push_back(region);
                     }});
}

void IgnoredControl::remove() {
  if (!chosen_) return;
  const ProjectCamera& camera = project().cameras[chosen_->camera];
  const IgnoredRegion region = camera.ignored[chosen_->region];
  chosen_.reset();
  post(command::Edit{"count an ignored part of " + camera.name,
                     [name = camera.name, region](Project& project) {
                       for (ProjectCamera& one : project.cameras)
                         if (one.name == name) std::erase(one.ignored, region);
                     }});
}

void IgnoredControl::choose_next() {
  const std::vector<Chosen> regions = all();
  if (regions.empty()) return;
  const auto at = chosen_ ? std::ranges::find(regions, *chosen_) : regions.end();
  chosen_ = at == regions.end() || at + 1 == regions.end() ? regions.front() : *(at + 1);
  shown_->setChecked(true);
  show();
  update_availability();
}

void IgnoredControl::show() {
  MarkedIgnored marked;
  if (shown_->isChecked() || drawing())
    for (const Chosen& one : all())
      marked.regions.push_back({one.camera,
                                polygon_of(project().cameras[one.camera].ignored[one.region].corners_px),
                                chosen_ == one});
  marked.drawn_camera = polygon_.empty() ? -1 : polygon_camera_;
  marked.drawn = polygon_of(polygon_);
  parts().cameras->set_ignored(std::move(marked));
}

bool IgnoredControl::eventFilter(QObject* watched, QEvent* event) {
  if (!drawing() || event->type() != QEvent::KeyPress) return QObject::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->modifiers().testFlag(Qt::AltModifier) || polygon_.empty())
    return QObject::eventFilter(watched, event);
  if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
    close_polygon();
    return true;
  }
  if (key->key() != Qt::Key_Backspace) return QObject::eventFilter(watched, event);
  polygon_.pop_back();
  show();
  return true;
}

}  // namespace vantage::ui
