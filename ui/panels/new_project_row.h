// One camera of a new project: its video with a picture, its calibrated camera, empty-scene clip, file of
// detections and rate. Without videos, only its detections.
#pragma once

#include <QFrame>
#include <QSize>
#include <optional>
#include <vector>

#include "core/project/new_project.h"
#include "ui/platform/video_probe.h"

class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;
class QSpinBox;
class QToolButton;

namespace vantage::ui {

// Widths of the columns; the video's gets the rest.
struct NewProjectColumns {
  static constexpr int thumbnail = 96, picture = 132, camera = 190, clip = 150, buttons = 62, gap = 10;
};

// A camera's file of detections as read.
struct ReadDetections {
  QString words;                    // "MOTChallenge, 4321 boxes in 620 frames"
  QString remarks;                  // assumptions and omissions; empty: none
  QString error;                    // why it cannot be used; empty: it can
  bool asks = false;                // the page has a field for what the error asks
  QString frames_said;              // the numbers in names that are its frames; empty: the file states them
  double frame_rate = 0;            // frames/s; 0: the file does not state it
  int width_px = 0, height_px = 0;  // the picture's; 0: the file does not state it
  QSize for_px;                     // the picture's size for which it was read
};

class NewProjectRow final : public QFrame {
  Q_OBJECT
 public:
  // `files`: of a video that is several files.
  explicit NewProjectRow(const QString& video, std::optional<FileGroup> files = {},
                         QWidget* parent = nullptr);

  const QString& video() const { return video_; }  // empty: none, but detections
  const std::optional<FileGroup>& files() const { return files_; }
  QString file() const { return video_.isEmpty() ? detections_ : video_; }
  const ProbedVideo& probed() const { return probed_; }
  bool opened() const { return probed_.info.width_px > 0; }
  void set_probed(const ProbedVideo& probed);
  void set_base(bool base);  // the first row: its frames are those of the recording
  void set_rate_doubtful(bool doubtful);

  // The calibrated cameras to choose from, read for this row's picture size. An earlier choice is kept.
  void set_cameras(const std::vector<CalibratedCamera>& cameras);
  void match(std::optional<size_t> camera);  // unless the user has chosen
  bool undecided() const;                    // neither a camera nor "none" was chosen, though there are some
  QString camera_name() const;               // the chosen one's; empty: none

  void set_clip(const QString& clip);
  void set_clip_probed(const ProbedVideo& probed);
  const QString& clip() const { return clip_; }

  void set_detections(const QString& file);
  void set_detections_read(const ReadDetections& read);
  const QString& detections() const { return detections_; }
  // The user's options for reading the file (CameraDetectionFile); true if changed.
  bool set_reading(const QString& person_class, const QString& frames_by);
  bool asks() const { return read_ && read_->asks; }
  // They were read for another picture size than that of the calibration chosen since.
  bool detections_stale() const { return read_ && chosen() && read_->for_px != picture_px(); }
  // The picture's size, for files with shares of it; 0 x 0: unknown.
  QSize picture_px() const;

  double rate() const;  // the user's, else the container's
  // The sentence on why the project cannot be created; empty: it can.
  QString problem() const;
  NewCamera camera() const;

 signals:
  void changed();
  void clip_wanted();
  void detections_wanted();
  void moved_up();
  void removed();
  void separated();  // its files are to be a camera each

 protected:
  void changeEvent(QEvent* event) override;

 private:
  // Chooses a file, and drops it.
  struct FileField {
    QToolButton *button = nullptr, *clear = nullptr;
  };
  void build_video(QHBoxLayout* row);
  void build_picture(QHBoxLayout* row);
  void build_camera(QHBoxLayout* row);
  void build_files(QHBoxLayout* row);
  void show_file(const FileField& field, const QString& none, const QString& name);
  void show_name();
  void show_detections();
  void build_buttons(QHBoxLayout* row);
  void choose_camera(int index);
  void show_fit();
  void show_picture();
  PictureFit fit() const;
  const CalibratedCamera* chosen() const;
  void set_icons();

  const std::optional<FileGroup> files_;
  QString video_, clip_, clip_problem_, detections_, person_class_, frames_by_;
  std::optional<ReadDetections> read_;  // read from detections_; nothing: not read yet
  ProbedVideo probed_;
  std::vector<CalibratedCamera> cameras_;
  std::optional<size_t> chosen_;
  bool decided_ = false;    // decided by the user, or matched by name
  QString wanted_;          // the camera last chosen, even if no calibration has it now
  bool by_person_ = false;  // a later match does not change it
  bool base_ = false;

  QLabel *thumbnail_, *name_, *folder_, *joints_, *picture_;
  QDoubleSpinBox* rate_;
  QComboBox* camera_;
  QWidget* fit_box_;
  QLabel* fit_question_;
  QComboBox* fit_;
  QWidget* crop_;
  QSpinBox *crop_x_, *crop_y_;
  FileField clip_field_, detections_field_;
  QToolButton *up_, *remove_, *separate_;
};

}  // namespace vantage::ui
