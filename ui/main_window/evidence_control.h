// Which detections carry the person under the pointer, beside it; and, when asked, what each camera says of
// the place that was clicked and why nobody was found there. Its words are core/session/evidence_text.h's.
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "core/project/project.h"
#include "core/session/shown_frame.h"
#include "ui/main_window/window_actions.h"

class QWidget;

namespace vantage::ui {

class CameraGrid;
class OverlayControl;
class SceneView;

class EvidenceControl final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    CameraGrid* cameras;
    SceneView* scene;
    OverlayControl* overlays;
    QWidget* window;
  };
  EvidenceControl(const WindowActions& actions, const Parts& parts);

  void set_project(const Project& project);
  void show_frame(const ShownFrameRef& shown) { shown_ = shown; }
  void forget();
  void update_availability(bool open, const QString& why_closed);

  // The place on the floor under the pointer, in a view or the scene; nothing: none.
  void point_at(const std::optional<Eigen::Vector3d>& place_in_world_m);
  // What is shown beside the pointer; empty: nothing.
  const QString& hover_words() const { return hover_words_; }
  // What was answered last about a place; empty: nothing was asked.
  const QString& answer() const { return answer_; }

 private:
  void offer_menu(const std::optional<Eigen::Vector3d>& place_in_world_m, const QPoint& at);
  void explain(const Eigen::Vector3d& place_in_world_m, const QPoint& at);
  QString words_at(const Eigen::Vector3d& place_in_world_m) const;

  const WindowActions& actions_;
  Parts parts_;
  Project project_;
  ShownFrameRef shown_;
  int64_t person_ = 0;  // under the pointer; 0: none with a number
  std::optional<Eigen::Vector3d> pointed_;
  QString hover_words_, answer_;
};

}  // namespace vantage::ui
