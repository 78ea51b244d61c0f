// The residuals of a calibration that was solved, camera by camera: the picture with its vectors, the
// pictures of the board sorted by what they miss by, what the camera's pictures leave open and what to record
// next.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QLineF>
#include <QWidget>
#include <optional>

#include "ui/main_window/residuals/residuals.h"

class QAction;
class QComboBox;
class QTableWidget;

namespace vantage::ui {

// A camera's picture area with all residual vectors, enlarged: a lens that does not fit shows as a pattern
// about the middle, one bad picture as arrows that go with each other. Under them the parts of the picture
// with the corners or clicks counted in each.

// One vector: a picture of the camera and one of what was seen in it.
struct ResidualChoice {
  size_t picture = 0, seen = 0;
  bool operator==(const ResidualChoice&) const = default;
};

class ResidualsView final : public QWidget {
  Q_OBJECT
 public:
  explicit ResidualsView(QWidget* parent = nullptr);

  // Null: an empty view. The camera must outlive its being shown. `board`: it saw corners, else clicks.
  void show_camera(const CameraResiduals* camera, bool board = true);
  // Its arrows stand out; nothing: all are alike.
  void highlight(std::optional<size_t> picture);
  void choose(std::optional<ResidualChoice> arrow);
  const std::optional<size_t>& highlighted() const { return highlighted_; }
  const std::optional<ResidualChoice>& chosen() const { return chosen_; }

  int scale() const;  // by how much vectors are enlarged, in pixels of the picture
  QRectF picture_area() const;
  QPointF position_of(const Eigen::Vector2d& pixel) const;
  // "frame 40, corner 7: x +0.31 px, y -0.12 px, 0.33 px".
  QString words(const ResidualChoice& arrow) const;

  QSize sizeHint() const override { return {560, 420}; }
  QSize minimumSizeHint() const override { return {240, 180}; }

 signals:
  void arrow_chosen(const std::optional<vantage::ui::ResidualChoice>& arrow);
  void scale_changed();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  std::optional<ResidualChoice> arrow_at(const QPointF& place) const;
  QLineF line_of(const SeenResidual& seen) const;
  void choose_by_hand(std::optional<ResidualChoice> arrow);
  QRectF part_area(int part) const;
  void draw_parts(QPainter& painter) const;
  void draw_counts(QPainter& painter) const;
  void draw_arrows(QPainter& painter, size_t picture) const;
  void describe();

  const CameraResiduals* camera_ = nullptr;
  bool board_ = true;
  std::optional<size_t> highlighted_;
  std::optional<ResidualChoice> chosen_;
};

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
  QString summary() const { return summary_->text(); }
  QString chosen_text() const { return chosen_->text(); }
  QString notes() const { return notes_->text(); }
  // Leaves the chosen pictures out, or uses them again where none of them is used.
  QAction* leave_out() const { return leave_out_; }
  QAction* undo() const { return undo_; }
  void show_ticks();  // as the residuals have them

 signals:
  // To be solved again without these pictures.
  void leaves_out(const vantage::ui::LeftOut& pictures);
  void undo_wanted();

 private:
  const CameraResiduals& shown() const { return shown_; }
  int64_t frame_of(int row) const;
  bool is_used(int row) const;
  std::vector<int> chosen_rows() const;
  void use(const std::vector<int>& rows, bool used);
  void show_boards();
  void show_summary();
  void show_chosen();

  ResidualsRef residuals_;
  CameraResiduals shown_;  // of the camera and board chosen
  QComboBox *camera_, *board_;
  ResidualsView* view_;
  QTableWidget* pictures_;
  QLabel *summary_, *chosen_, *notes_;
  QAction *leave_out_, *undo_;
  bool filling_ = false;
};

}  // namespace vantage::ui
