// How far a camera is nudged from its calibration, value by value, to see at once in all views what that
// does.
#pragma once

#include <QWidget>
#include <array>
#include <string>
#include <vector>

#include "core/geometry/camera_change.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace vantage::ui {

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
  QString words() const;
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
