// Synchronisation: the offset found for each camera compared with the project's, with confidence and drift;
// the likelihood over the offset; the signals of one pair of epipolar lines before and after; the agreement
// of the silhouettes before and after; offsets by marked instants and by nudging.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/setup/alignment/align.h"
#include "core/sync/coarse_signals.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QVBoxLayout;

namespace vantage::ui {

class CurvePlot;

// Shares of the cameras' silhouettes that the common hull covers.
struct OffsetAgreement {
  std::vector<double> before, after;  // one per camera; with the project's offsets, and with the found ones
};

class SyncPanel final : public QWidget {
  Q_OBJECT
 public:
  // The card is above the cameras.
  SyncPanel(QAction* find, QAction* undo, QWidget* card, QWidget* parent = nullptr);

  void clear();
  void set_project(const Project& project, double base_frame_rate);
  void show_running(bool running);
  void show_alignment(std::shared_ptr<const Alignment> found);
  void show_problem(const QString& text);
  void show_agreement(const OffsetAgreement& agreement);
  // The frames that the views show: each camera's own, -1 where it has none.
  void set_instant(const std::vector<int64_t>& camera_frames);

  // Marked instants of a camera with those of the base, in order of marking.
  std::vector<MarkedInstant> marks(int camera) const;
  int shown_pair() const;  // -1: none
  int shown_line() const;
  bool shows_lines() const;

 signals:
  void apply_requested(const std::vector<int>& cameras);
  void nudged(int camera, double frames);
  void marks_given();
  void lines_changed();  // the pair, the line, or whether they are shown

 private:
  struct Row {
    QLabel *found, *project, *marks;
    QPushButton* apply = nullptr;
  };
  void build_rows();
  QWidget* make_row(int camera);
  QWidget* make_plots();
  void refresh_rows();
  void refresh_row(size_t camera);
  const CameraAlignment* found(size_t camera) const;  // null: nothing was examined
  double rate_of(size_t camera) const;
  QString found_text(size_t camera) const;
  QString project_text(size_t camera) const;
  QString summary_text() const;
  void refresh_pairs();
  void refresh_plots();
  void refresh_curve(const PairEstimate& pair);
  void refresh_signals();
  double project_lag(const PairEstimate& pair) const;  // at the base's rate
  void mark(int camera);

  Project project_;
  double base_rate_ = 25;
  std::shared_ptr<const Alignment> found_;
  const LineSignals* busiest_of_ = nullptr;  // the pair whose busiest line was chosen at first
  std::vector<int64_t> moment_;
  std::vector<std::vector<int64_t>> marks_;
  std::vector<Row> rows_;
  QLabel* summary_;
  bool running_ = false;  // the search for offsets
  QVBoxLayout* list_;     // the cameras'
  QWidget* plots_;
  QComboBox* pair_;
  QSlider* line_;
  QCheckBox* show_lines_;
  CurvePlot *curve_, *before_, *after_;
  QLabel* agreement_;
  QPushButton *apply_all_, *use_marks_, *clear_marks_;
};

}  // namespace vantage::ui
