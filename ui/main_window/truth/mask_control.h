// Ground truth painted over the cameras' pictures: masks by brush, polygon, filling and growing by colour,
// carried from frame to frame by optical flow. They are files next to the project
// (core/results/drawn_masks.h), and steps of the one history; the foreground of the frame that is shown is
// measured by them as one paints and tunes.
#pragma once

#include <QImage>
#include <QObject>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/metrics/masks/mask_painting.h"
#include "core/metrics/masks/masks.h"
#include "core/results/drawn_masks.h"
#include "core/run/mask_scores.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/views/picture_tool.h"

namespace vantage::ui {

// The masks drawn for the open project: those of the frame that is shown, and which files there are. Files
// are read and written off the GUI thread; what was changed is on the disk soon after, whatever the program
// does then.

class MaskStore final : public QObject {
  Q_OBJECT
 public:
  explicit MaskStore(QObject* parent = nullptr) : QObject(parent) {}
  ~MaskStore() override;  // writes what was not written yet

  // Empty: closes. What was not written yet still is.
  void open(const std::filesystem::path& folder);
  // Reads the folder again: another program wrote it.
  void read_again();
  const std::filesystem::path& folder() const { return folder_; }

  // The masks there are, by what was painted, also where it is not on the disk yet.
  const DrawnMasks& drawn() const { return drawn_; }
  void go_to(int64_t frame);
  int64_t frame() const { return frame_; }
  bool loaded() const { return loaded_; }                               // the masks of the frame are known
  const std::map<std::string, Image>& masks() const { return masks_; }  // of the frame, by camera
  Image mask(const std::string& camera) const;                          // empty: none

  // Changes masks of that folder, which may have been open before, of any frame. A file that cannot be
  // written is tried again with the next one, and at the end.
  void apply(const MaskStep& step, const std::filesystem::path& folder);
  bool saved() const { return unsaved_.empty() && writing_.empty(); }

 signals:
  void changed();  // masks, or which there are
  void all_saved();
  void failed(const vantage::Error& error);

 private:
  struct File {
    std::filesystem::path folder;
    std::string camera;
    int64_t frame = 0;
    auto operator<=>(const File&) const = default;
  };
  using Files = std::map<File, Image>;  // empty: it is to be removed
  struct Written {
    Files failed;
    std::optional<Error> error;
  };
  static Written write(const Files& files);
  void note(const MaskChange& change);
  void write_unsaved();

  std::filesystem::path folder_;
  DrawnMasks drawn_;
  int64_t frame_ = -1;
  bool listed_ = false, loaded_ = false;
  std::map<std::string, Image> masks_;
  int64_t changes_ = 0;  // so many masks were changed so far
  Files unsaved_, writing_;
  BackgroundJob listing_, loading_, saving_;
};

class MaskPanel;
class TruthControl;

class MaskControl final : public Control, public PictureTool {
  Q_OBJECT
 public:
  enum class Tool : uint8_t { brush, polygon, fill, grow };

  explicit MaskControl(const WindowParts& parts);
  ~MaskControl() override;

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  void restore(const QSettings& settings) override;  // sizes of the tools
  void save(QSettings& settings) const override;
  std::optional<RunningWork> running() const override;
  bool stoppable() const override { return painting() || scoring_.running() || carrying_.running(); }
  void end_tool() override { end(); }
  void stop() override;  // the polygon that is being drawn first

  bool painting() const { return tool_.has_value(); }
  MaskPanel* panel() const { return panel_; }
  const MaskStore& store() const { return store_; }
  const std::vector<MaskScore>& scores() const { return scores_; }
  void import_from(const QString& folder);
  QString why_not() const;           // empty: masks can be painted
  void apply(const MaskStep& step);  // as one step to undo
  // Masks of another painter in the frame that is shown, by camera: where they differ from ours is drawn.
  void set_theirs(std::map<std::string, Image> masks);
  void when_saved(std::function<void()> then);
  void tell(const QString& words, bool doubtful);
  void export_to(const QString& folder);

  // PictureTool: by the cameras' view.
  bool press(const PicturePosition& place) override;
  void drag(const PicturePosition& place) override;
  void release() override;
  void abandon() override;
  bool double_click() override;
  bool wheel(double notches) override;

 signals:
  void masks_changed();  // which there are

 private:
  // A mask that is being changed, between press and release.
  struct Stroke {
    int camera = 0;
    Image before, mask;
    Eigen::Vector2d last_px;
  };

  bool shown() const;  // the masks are before the user's eyes
  // ---- the tools (mask_tools.cpp)
  void start(Tool tool);
  void end();
  Paint paint() const;  // Erase, or Shift that is held
  std::string name_of(int camera) const;
  std::optional<QSize> picture_size(int camera) const;
  Image copy_of(int camera) const;  // of the frame's mask, to be painted on; empty: there is no picture
  void commit(int camera, Image mask);
  void close_polygon();
  void grow(int camera, const Eigen::Vector2d& at_px);
  void change_size(double steps);
  void carry();
  void take_carried(int64_t from, int64_t to, const std::map<std::string, Image>& masks);
  void set_nobody();
  void remove();
  void show_masks();
  void draw_masks();
  // ---- what they are worth (mask_tools.cpp)
  void score_shown();
  void measure();
  void go_to_worst();
  void take_scores(std::vector<MaskScore> scores);
  void show_panel();
  QString metrics_text() const;

  int64_t frame() const;
  void go_to(int64_t frame);

  QAction* erase_;
  std::vector<std::pair<QAction*, Tool>> tools_;
  TruthControl* truth_;
  MaskPanel* panel_;
  MaskStore store_;
  std::optional<Tool> tool_;
  std::optional<Stroke> stroke_;
  int polygon_camera_ = -1;
  std::vector<Eigen::Vector2d> polygon_;
  std::optional<PicturePosition> pointed_;
  // A mask in the views and on the page, made once for each.
  struct Tinted {
    BufferRef of, theirs;
    QImage image;
    int64_t inside_px = 0;
  };
  const Tinted& tinted(const std::string& camera, const Image& mask);
  std::map<std::string, Tinted> tinted_;  // by camera
  std::map<std::string, Image> theirs_;   // likewise

  std::vector<MaskScore> scores_;  // with the foreground of `scored_version_`
  uint64_t scored_version_ = 0;
  std::vector<std::function<void()>> once_saved_;
  BackgroundJob growing_, carrying_, scoring_here_, scoring_, reading_;
  double scored_ = 0;  // the share of the painted frames that is measured
};

}  // namespace vantage::ui
