// New Project: one page with a row per camera, of one video or of several files
// (core/project/camera_files.h). Videos, calibrated cameras and files of detections are matched by name,
// never by order, and can be corrected; without videos each file of detections is a camera. Files are read
// off the GUI thread.
#pragma once

#include <QStringList>
#include <QThreadPool>
#include <QWidget>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/project/new_project.h"
#include "ui/platform/video_probe.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace vantage::ui {

class NewProjectPlan;
class NewProjectRow;
struct ReadDetections;

// A remedy that names options of `vantage-cli new`, with the page's fields in their place.
QString page_words(const std::string& remedy);

// Videos, calibration files and folders among dropped or chosen paths.
struct SortedFiles {
  QStringList videos, calibrations;
};
SortedFiles sort_files(const QStringList& paths);

class NewProjectPage final : public QWidget {
  Q_OBJECT
 public:
  explicit NewProjectPage(QWidget* parent = nullptr);
  ~NewProjectPage() override;

  void reset();                              // an empty page
  void keep_clear(int top_px);               // space at the top that is kept free
  void add_files(const QStringList& paths);  // videos, folders of videos and calibration files
  void add_clips(const QStringList& paths);  // empty-scene clips, matched by name
  // Files of detections, matched by name; without videos, one camera each.
  void add_detections(const QStringList& paths);
  const std::vector<NewProjectRow*>& rows() const { return rows_; }
  bool ready() const;       // the project can be created
  QString problem() const;  // the first obstacle
  // Writes the project, off the GUI thread; created() or failed() follows.
  void create(const QString& file);

 signals:
  void created(const QString& file);
  void noted(const QString& note);  // what was taken or doubted, before created()
  void failed(const vantage::Error& error);
  void cancelled();

 protected:
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;  // Escape cancels

 private:
  using PictureSize = std::pair<int, int>;
  struct CalibrationFile {
    QString path;
    std::map<PictureSize, std::vector<CalibratedCamera>> cameras;  // read for videos of that size
    Error error;                                                   // `what` is empty: none
  };
  void build_head(QVBoxLayout* page);
  void build_calibration(QVBoxLayout* page);
  void build_detections(QVBoxLayout* page);
  void read_all_detections();
  QString unit_question() const;
  void build_foot(QVBoxLayout* page);
  void ask_for_videos();
  void ask_for_calibrations();
  void ask_for_clips();
  void ask_for_clip(NewProjectRow* row);
  void ask_for_detections();
  void ask_for_detections_of(NewProjectRow* row);
  void ask_where_to_write();
  void add_calibrations(const QStringList& paths);
  void add_videos(const std::vector<FileGroup>& groups);
  NewProjectRow* add_row(const QString& video, std::optional<FileGroup> files = {});
  void separate(NewProjectRow* row);
  bool is_listed(const std::string& file) const;
  bool has_videos() const;
  std::vector<std::string> row_files() const;
  void match_files(const QStringList& paths, const std::function<void(NewProjectRow*, const QString&)>& take);
  void set_clip(NewProjectRow* row, const QString& clip);
  void set_detections(NewProjectRow* row, const QString& file);
  void read_detections(NewProjectRow* row);
  void on_detections(const QString& path, const ReadDetections& read);
  void take_left_over(const QStringList& paths);
  void remove_row(NewProjectRow* row);
  void move_up(NewProjectRow* row);
  void order_rows();
  void on_probed(const QString& path, const ProbedVideo& video);
  void read_calibrations();
  void on_calibrations(int turn, std::vector<CalibrationFile> files);
  void lay_out_cameras();
  QString files_text(const std::vector<size_t>& files) const;
  void show_calibrations();
  QWidget* make_calibration_line(const QString& text, const std::vector<size_t>& files);
  void match_rows();
  void update_state();
  QString rates_text() const;
  QString clocks_text() const;

  VideoProbe probe_;
  QThreadPool pool_;
  std::vector<NewProjectRow*> rows_;
  std::vector<CalibrationFile> calibrations_;
  int turn_ = 0;  // number of the reading of calibrations: only the newest counts
  bool reading_ = false, writing_ = false;
  QStringList left_over_;  // files of detections that match no video

  QLabel* hint_;
  QWidget* columns_;
  QVBoxLayout* list_;
  QVBoxLayout* calibration_list_;
  QWidget* calibration_options_;
  NewProjectPlan* plan_;
  QLabel* stands_;                // text on the cameras' poses
  std::vector<Camera> laid_out_;  // shown by plan_ and stands_
  int layout_turn_ = 0;           // only the newest counts
  QDoubleSpinBox* unit_scale_;
  QComboBox* up_axis_;
  QCheckBox* mirrored_;
  QWidget* detection_options_;  // shown where a file asked for one of them
  QLineEdit* person_class_;
  QLineEdit* frames_by_;
  QLabel* rates_;
  QLabel* problem_;
  QProgressBar* progress_;
  QPushButton* create_;
};

}  // namespace vantage::ui
