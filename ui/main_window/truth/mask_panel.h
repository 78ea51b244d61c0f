// The masks of the ground truth: tools with their sizes, the cameras of this frame and the frames that were
// painted, with how well the project's foreground fits them.
#pragma once

#include <QLabel>
#include <QWidget>
#include <optional>
#include <vector>

class QAction;
class QBoxLayout;
class QSpinBox;
class QTableWidget;

namespace vantage::ui {

class MaskPanel final : public QWidget {
  Q_OBJECT
 public:
  struct CameraRow {
    QString name;
    std::optional<int64_t> painted_px;  // nothing: no mask in this frame
    std::optional<double> here, mean;   // IoU in this frame, and over the frames measured
  };
  struct FrameRow {
    int64_t frame = 0;
    int cameras = 0;
    std::optional<double> iou;
  };

  // The actions as buttons, a row each list.
  explicit MaskPanel(const std::vector<std::vector<QAction*>>& actions, QWidget* parent = nullptr);

  // The action goes next to the other files' buttons, the disagreements between the tables.
  void add_merging(QAction* action, QWidget* disagreements);
  void show_cameras(const std::vector<CameraRow>& rows);
  int chosen_camera() const;  // by its row; -1: none
  void choose_camera(int camera);
  // In the order given: the worst first.
  void show_frames(const std::vector<FrameRow>& rows, int64_t frame);
  void show_text(const QString& words);
  QString text() const { return text_->text(); }

  QSpinBox* radius() const { return radius_; }        // px of the picture
  QSpinBox* tolerance() const { return tolerance_; }  // distance of colours
  QSpinBox* step() const { return step_; }            // frames that masks are carried over
  QTableWidget* cameras() const { return cameras_; }
  QTableWidget* frames() const { return frames_; }

 signals:
  void camera_chosen();
  void seek_requested(qint64 frame);
  void shown_or_hidden();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QSpinBox *radius_, *tolerance_, *step_;
  QTableWidget *cameras_, *frames_;
  QLabel* text_;
  QBoxLayout *page_, *last_buttons_ = nullptr;
};

}  // namespace vantage::ui
