// Clicked points with their positions and residuals, and what can be done with them.
#pragma once

#include <Eigen/Core>
#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "core/calibration/solve/points_solve.h"

class QAction;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QTableWidget;

namespace vantage::ui {

class PointsPage final : public QWidget {
  Q_OBJECT
 public:
  // The commands, as buttons: `world` levels, scales, moves the box, moves the world to it and to what was
  // measured.
  PointsPage(const std::vector<QAction*>& points, const std::vector<QAction*>& world,
             QWidget* parent = nullptr);

  // The selection is kept by name. `solution`: of these points; null: none.
  void show_points(const std::vector<ClickedPoint>& points, const PointsSolution* solution);
  std::vector<std::string> chosen() const;  // in the order of the list
  void choose(const std::vector<std::string>& names);
  double length_m() const;
  std::string origin() const;     // a point's name; empty: as the floor has it
  std::string towards_x() const;  // likewise
  QTableWidget* table() const { return table_; }
  QLineEdit* coordinates() const { return coordinates_; }
  QDoubleSpinBox* length() const { return length_; }

 signals:
  void chosen_changed();
  void renamed(const QString& before, const QString& after);
  // The chosen point's coordinates, in metres; nothing: no longer known.
  void coordinates_typed(const QString& point, const std::optional<Eigen::Vector3d>& known_m);

 private:
  QWidget* make_world_rows(const std::vector<QAction*>& world);
  void show_coordinates();
  void take_coordinates();
  void show_axes();

  QTableWidget* table_;
  QComboBox *origin_, *towards_x_;
  QDoubleSpinBox* length_;
  QLineEdit* coordinates_;
  QLabel* hint_;
  std::vector<ClickedPoint> points_;  // by row
  bool filling_ = false;
};

}  // namespace vantage::ui
