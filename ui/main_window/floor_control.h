// Zones and lines on the floor: drawn and moved with the mouse in any view, kept in the project as edits that
// can be undone, counted off the GUI thread. Others ask it to have a place drawn that is not the project's.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "ui/main_window/control.h"
#include "ui/panels/floor_panel.h"
#include "ui/platform/background_job.h"
#include "ui/views/marks.h"
#include "ui/views/picture_tool.h"

namespace vantage::ui {

class FloorControl final : public Control, public FloorTool {
  Q_OBJECT
 public:
  explicit FloorControl(const WindowParts& parts);
  ~FloorControl() override;

  void forget() override;
  void refresh(Changes what) override;
  bool stoppable() const override { return drawing(); }
  void stop() override { cancel(); }
  void end_tool() override;

  // The shape drawn next, a zone (three corners or more) or a line (two), goes to `take` and not into the
  // project; nothing comes where it is cancelled.
  using TakeCorners = std::function<void(const std::vector<Eigen::Vector2d>& corners_m)>;
  void draw_for(const QString& name, bool zone, TakeCorners take);
  // Shown with the project's; nothing: none.
  void show_also(std::optional<MarkedShape> shape);

  // A shape is being drawn, or its corner moved.
  bool drawing() const { return drawn_ || dragged_; }

  // FloorTool: by the views, which only say where.
  bool press(const FloorPosition& place) override;
  void drag(const FloorPosition& place) override;
  void release() override;
  void abandon() override;
  bool double_click() override;

 private:
  struct Drawn {
    bool zone = true;
    std::vector<Eigen::Vector2d> corners_m;
    QString name = {};      // as it is marked
    TakeCorners take = {};  // empty: the project gets it
  };
  struct Dragged {
    FloorShapeRef shape;
    size_t corner = 0;
    std::vector<Eigen::Vector2d> corners_m;
  };
  struct Counted {
    RecordedPeople people;
    Result<FloorCounts> counts;
    std::optional<FloorUseMap> map;
  };
  void take_project();
  void show_project();
  void point_at(const std::optional<Eigen::Vector3d>& position_in_world_m);
  void start_drawing(Drawn drawn);
  void cancel();  // what is being drawn or moved
  void finish_drawing();
  bool takes(bool zone, const std::vector<Eigen::Vector2d>& corners_m);
  void add_shape(bool zone, std::vector<Eigen::Vector2d> corners_m);
  void set_corners(const FloorShapeRef& shape, const std::vector<Eigen::Vector2d>& corners_m);
  void rename(const FloorShapeRef& shape, const QString& name);
  void set_kind(const FloorShapeRef& shape, ZoneKind kind);
  void learn();
  void remove();
  void export_counts();
  void update_tool();
  void show_shapes();
  void count();
  void on_counted(std::shared_ptr<const Counted> counted);
  void warn_of_coverage();
  std::vector<FloorShapeRef> shapes() const;
  std::vector<Eigen::Vector2d> first_corners(bool zone) const;
  bool eventFilter(QObject* watched, QEvent* event) override;

  QAction *shapes_, *move_corners_;
  FloorPanel* panel_;
  std::optional<Drawn> drawn_;
  std::optional<Dragged> dragged_;
  std::optional<MarkedShape> also_;
  std::optional<Eigen::Vector2d> pointed_;
  std::shared_ptr<const Counted> counted_;
  uint64_t counted_by_ = 0;  // the carving parameters with which `counted_` was
  std::string warn_about_;   // a new shape's name: its coverage is examined when it is counted
  bool again_ = false;
  bool press_taken_ = false;  // the last press was this tool's
  BackgroundJob job_;
};

}  // namespace vantage::ui
