// The residuals of a calibration that was solved, camera by camera: the picture with its vectors, the
// pictures of the board sorted by what they miss by, what the camera's pictures leave open and what to record
// next.
#pragma once

#include <QDialog>

#include "ui/main_window/residuals/residuals_view.h"

class QComboBox;
class QLabel;
class QTableWidget;

namespace vantage::ui {

class ResidualsDialog final : public QDialog {
  Q_OBJECT
 public:
  explicit ResidualsDialog(QWidget* parent);

  // Shows the camera that misses by most. Not null.
  void show_residuals(ResidualsRef residuals);
  void show_camera(int camera);

  ResidualsView* view() const { return view_; }
  QTableWidget* pictures() const { return pictures_; }
  QComboBox* camera() const { return camera_; }
  QComboBox* board() const { return board_; }
  QString summary() const;
  QString chosen_text() const;
  QString notes() const;

 private:
  const CameraResiduals& shown() const { return shown_; }
  void show_boards();
  void show_summary();
  void show_chosen();

  ResidualsRef residuals_;
  CameraResiduals shown_;  // of the camera and board chosen
  QComboBox *camera_, *board_;
  ResidualsView* view_;
  QTableWidget* pictures_;
  QLabel *summary_, *chosen_, *notes_;
  bool filling_ = false;
};

}  // namespace vantage::ui
