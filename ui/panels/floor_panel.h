// Zones and lines drawn on the floor: their names, corners as numbers, and counts; the map of the floor's
// use.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/display/floor_picture.h"
#include "core/results/floor_counts.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableWidget;

namespace vantage::ui {

// One of the project's zones or, with higher indices, lines.
struct FloorShapeRef {
  bool zone = true;
  size_t index = 0;
  bool operator==(const FloorShapeRef&) const = default;
};

class FloorPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands are buttons in its head.
  explicit FloorPanel(const std::vector<QAction*>& commands, QWidget* parent = nullptr);

  // `people` and `counts` may be null: nothing was analysed.
  void show_project(const Project& project, const RecordedPeople* people, const FloorCounts* counts);
  void set_frame(int64_t frame);
  void choose(std::optional<FloorShapeRef> shape);
  std::optional<FloorShapeRef> chosen() const;
  std::optional<FloorUseKind> map() const;
  // The legend of the map's colours.
  void set_map_text(const QString& words);
  QTableWidget* table() const { return table_; }
  QLineEdit* corners() const { return corners_; }
  QComboBox* kind() const { return kind_; }

 signals:
  void chosen_by_hand();
  void renamed(const vantage::ui::FloorShapeRef& shape, const QString& name);
  void corners_typed(const vantage::ui::FloorShapeRef& shape, const std::vector<Eigen::Vector2d>& corners_m);
  void kind_chosen(const vantage::ui::FloorShapeRef& shape, vantage::ZoneKind kind);
  void map_changed();

 private:
  void show_counts();
  void show_corners();
  void take_corners();
  FloorShapeRef shape_of(int row) const;
  QString now_text(const FloorShapeRef& shape) const;
  QString all_text(const FloorShapeRef& shape) const;

  Project project_;
  const RecordedPeople* people_ = nullptr;
  const FloorCounts* counts_ = nullptr;
  int64_t frame_ = 0;
  bool filling_ = false;
  QTableWidget* table_;
  QLineEdit* corners_;
  QComboBox *kind_, *map_;
  QLabel *map_text_, *hint_;
};

std::vector<Eigen::Vector2d> corners_of(const Project& project, const FloorShapeRef& shape);
const std::string& name_of(const Project& project, const FloorShapeRef& shape);

// "0 0; 3 0; 3 2": metres. Nothing unless it is a list of at least `min` positions.
std::optional<std::vector<Eigen::Vector2d>> corners_from(const QString& text, size_t min);

}  // namespace vantage::ui
