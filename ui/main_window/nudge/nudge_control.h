// A camera nudged by hand: while values change, every view shows the footage through the nudged camera, with
// boxes, people, floor and clicked points, and the project stays as it is. Applied, it is an edit with undo.
#pragma once

#include <QLabel>
#include <QWidget>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/geometry/camera.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

class QComboBox;
class QDoubleSpinBox;

namespace vantage::ui {

class NudgePage;

class NudgeControl final : public Control {
  Q_OBJECT
 public:
  explicit NudgeControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void end_tool() override;
  NudgePage* page() const { return page_; }

 private:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void show_page();
  int64_t shown_at() const;
  std::optional<Camera> nudged() const;
  void show_nudge();
  void show_as_calibrated();
  void apply();

  NudgePage* page_;
  BackgroundJob job_;     // says what the nudge does
  bool showing_ = false;  // the views show the nudged camera
  int64_t shown_at_ = 0;  // among the cameras of that frame set
};

// How far a camera is nudged from its calibration, value by value, to see at once in all views what that
// does.

class NudgePage final : public QWidget {
  Q_OBJECT
 public:
  explicit NudgePage(const std::vector<QAction*>& actions, QWidget* parent = nullptr);

  // The cameras that are calibrated; the chosen one is kept by name.
  void show_cameras(const std::vector<std::string>& names);
  std::string camera() const;  // empty: none is calibrated
  void choose_camera(const std::string& name);
  CameraChange change() const;
  void reset();                          // all values to 0, without a signal
  void show_words(const QString& text);  // what the nudge does to the clicked points
  QString words() const { return words_->text(); }
  // Tilt, pan, roll, x, y, z, focal length, as CameraChange counts them.
  const std::array<QDoubleSpinBox*, kChanges>& fields() const { return fields_; }

 signals:
  void nudged();         // a value has changed
  void camera_chosen();  // another camera; values are 0 again

 private:
  QComboBox* camera_;
  std::array<QDoubleSpinBox*, kChanges> fields_;
  QLabel* words_;
  bool filling_ = false;
};

}  // namespace vantage::ui
