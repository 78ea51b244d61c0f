// The page of an open project: cameras, scene and height map over transport and timeline, and the layouts in
// which the views share the room.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <vector>

#include "ui/platform/height_map_runner.h"
#include "ui/views/gl_view.h"

class QFrame;
class QLabel;
class QSettings;
class QSplitter;

namespace vantage::ui {

class CameraGrid;
class HeightMapPanel;
class HeldKeys;
class SceneView;
class Timeline;
class Transport;

class Workspace final : public QWidget {
  Q_OBJECT
 public:
  enum class Layout { both, cameras, scene, height_map };

  // Without `height_study` there is no layout of the height map.
  Workspace(const SurfaceFactory& surfaces, const HeightStudyFactory& height_study,
            QWidget* parent = nullptr);

  CameraGrid* cameras() const { return cameras_; }
  SceneView* scene() const { return scene_; }
  HeightMapPanel* height_map() const { return height_map_; }
  Transport* transport() const { return transport_; }
  Timeline* timeline() const { return timeline_; }
  HeldKeys* held() const { return held_; }

  void choose(Layout layout);  // remembered in the settings
  // Cameras or scene: it stands in a window of its own, or comes back.
  void set_apart(QWidget* view, bool apart);
  // In place of the views, which have nothing to show yet; empty: the views.
  void show_opening(const QString& text);
  QPixmap picture();      // of the views alone
  void renew_surfaces();  // of all views, after their device failed
  void restore(const QSettings& settings);
  void save(QSettings& settings) const;

 signals:
  void layout_chosen(vantage::ui::Workspace::Layout layout);
  void surface_failed(const QString& message);

 private:
  void arrange();
  bool apart(const QWidget* view) const;

  QSplitter* views_;
  QLabel *all_apart_, *opening_text_;
  QFrame* opening_;
  CameraGrid* cameras_;
  SceneView* scene_;
  HeightMapPanel* height_map_;
  Transport* transport_;
  Timeline* timeline_;
  HeldKeys* held_;
  Layout layout_ = Layout::both;
  std::vector<const QWidget*> apart_;
  QByteArray shares_;  // of the room, as they were while all views stood here
};

}  // namespace vantage::ui
