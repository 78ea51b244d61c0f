// The ruler: distances and angles on the floor and heights above it, measured by clicks in the cameras'
// pictures or in the scene, listed in the Calibrate dock and marked in every view. They are kept in the
// project as clicks, and follow the calibration.
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "core/calibration/solve/measure.h"
#include "ui/main_window/control.h"
#include "ui/views/picture_tool.h"

class QAction;
class QTableWidget;

namespace vantage::ui {

class MeasureList;
struct MarkedMeasure;
struct MeasureRow;

class MeasureControl final : public Control, public PictureTool, public FloorTool {
  Q_OBJECT
 public:
  explicit MeasureControl(const WindowParts& parts);
  ~MeasureControl() override;

  void forget() override;
  void refresh(Changes what) override;
  bool stoppable() const override { return measuring(); }
  void stop() override { end(); }
  void end_tool() override { end(); }

  bool measuring() const { return kind_.has_value(); }
  MeasureList* list() const { return list_; }

  // PictureTool and FloorTool: by the cameras' view and the scene.
  bool press(const PicturePosition& place) override;
  bool press(const FloorPosition& place) override;
  void drag(const PicturePosition& place) override;
  void drag(const FloorPosition& place) override;
  void release() override;
  void abandon() override;
  bool double_click() override { return measuring(); }

 private:
  struct Measure : ClickedMeasure {
    std::optional<Measured> result;  // by the project's calibration as it is; nothing: no such place is seen
  };
  void start(MeasureKind kind);
  void end();
  bool press(const MeasureClick& click, double reach);
  void drag(const MeasureClick& click);
  bool take(const MeasureClick& click);
  void point_at(const std::optional<Eigen::Vector3d>& position_in_world_m);
  void remove();
  void show();
  static std::optional<MarkedMeasure> mark_of(const Measure& measure);
  static MeasureRow row_of(const Measure& measure);
  std::optional<Measured> measure(MeasureKind kind, const std::vector<MeasureClick>& clicks) const;
  MeasureClick in_picture(const PicturePosition& place) const;
  bool eventFilter(QObject* watched, QEvent* event) override;

  std::vector<std::pair<QAction*, MeasureKind>> tools_;
  MeasureList* list_;
  std::vector<Measure> measures_;    // the project's
  std::optional<MeasureKind> kind_;  // being measured
  std::vector<MeasureClick> clicks_;
  struct Drag {
    MeasureClick from;
    std::optional<MeasureClick> to;  // once it is farther than `reach` from there
    double reach;
  };
  std::optional<Drag> drag_;
  std::optional<MeasureClick> pointed_;
};

// What was measured, as a list whose rows can be copied.

struct MeasureRow {
  QString what, value, std, where;
  bool operator==(const MeasureRow&) const = default;
};

class MeasureList final : public QWidget {
  Q_OBJECT
 public:
  // The actions as buttons, in two rows.
  MeasureList(const std::vector<QAction*>& tools, const std::vector<QAction*>& edits,
              QWidget* parent = nullptr);

  void show_rows(const std::vector<MeasureRow>& rows);
  std::vector<int> chosen() const;
  // The chosen rows, or all where none is: values separated by tabs, a line each.
  QString text() const;
  QTableWidget* table() const { return table_; }

 signals:
  void chosen_by_hand();

 private:
  QTableWidget* table_;
  std::vector<MeasureRow> rows_;  // as the table has them
};

}  // namespace vantage::ui
