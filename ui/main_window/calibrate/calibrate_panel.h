// Cameras with their poses and verdicts, clicked points with their places and residuals, what can be done
// with them, and the proposal that comes of it.
#pragma once

#include <Eigen/Core>
#include <QLabel>
#include <QWidget>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFrame;
class QHBoxLayout;
class QLineEdit;
class QProgressBar;
class QTabWidget;
class QTableWidget;

namespace vantage::ui {

struct CalibrateCameraRow {
  QString name;
  bool calibrated = false;  // can be solved
  QString stands;           // "1.20 3.40 2.61", with the frames from which it stands otherwise
  QString later;            // how, from those frames on
  QString check;            // what the checks say; empty: not checked
  QString check_tip;
  QString misses;  // of its clicks
};

struct CalibratePointRow {
  std::string name;
  int views = 0;
  std::optional<Eigen::Vector3d> at_m;
  double std_m = 0;
  std::optional<Eigen::Vector3d> known_m;
  std::optional<double> rms_px;
  bool doubtful = false;  // one of its clicks does not fit
};

struct CalibrateProposalRow {
  QString camera, turned, moved, floor, misses;
  QString tip = {};  // of all its cells
};

// The commands, as buttons.
struct CalibrateCommands {
  std::vector<QAction*> points, solve, in_time, world;
  QAction *apply, *dismiss;
};

class CalibratePanel final : public QWidget {
  Q_OBJECT
 public:
  explicit CalibratePanel(const CalibrateCommands& commands, QWidget* parent = nullptr);

  // A page next to the clicked points.
  void add_page(QWidget* page, const QString& title);
  void show_page(QWidget* page);
  // A button on the proposal's card, behind those that it has.
  void add_to_proposal(QAction* action);
  // Ticks are kept by name.
  void show_cameras(const std::vector<CalibrateCameraRow>& rows);
  std::vector<std::string> chosen_cameras() const;
  void choose_cameras(const std::vector<std::string>& names);
  // The selection is kept by name.
  void show_points(const std::vector<CalibratePointRow>& rows);
  std::vector<std::string> chosen_points() const;  // in the order of the list
  void choose_points(const std::vector<std::string>& names);
  void show_text(const QString& text);  // what goes on, what does not fit; empty: nothing
  // The bar of one task, never back until it is hidden. A total of 0: nothing is known of its length yet;
  // what comes behind the total has no known length.
  void show_progress(qint64 done, qint64 total);
  void hide_progress();
  // `columns`: empty where they are what the rows are named by.
  void show_proposal(const QString& text, const std::vector<CalibrateProposalRow>& rows,
                     const QStringList& columns);
  void hide_proposal();
  // The card's choice whether the offsets that come with the proposal are applied with it.
  void offer_offsets(bool offered, bool wanted);
  bool takes_offsets() const;  // offered, and ticked

  bool focal() const;
  bool lenses() const;
  double length_m() const;
  std::string origin() const;     // a point's name; empty: as the floor has it
  std::string towards_x() const;  // likewise
  QTableWidget* cameras() const { return cameras_; }
  QTableWidget* points() const { return points_; }
  QTableWidget* proposal() const { return proposal_; }
  QProgressBar* progress() const { return progress_; }
  QLineEdit* coordinates() const { return coordinates_; }
  QDoubleSpinBox* length() const { return length_; }
  QString text() const { return text_->text(); }
  QString proposal_text() const;

 signals:
  void cameras_chosen();
  void points_chosen();
  void renamed(const QString& before, const QString& after);
  // The chosen point's coordinates, in metres; nothing: no longer known.
  void coordinates_typed(const QString& point, const std::optional<Eigen::Vector3d>& known_m);

 private:
  QWidget* make_points_page(const CalibrateCommands& commands);
  QWidget* make_world_row(const CalibrateCommands& commands);
  QFrame* make_proposal(const CalibrateCommands& commands);
  void show_coordinates();
  void take_coordinates();
  void show_axes();

  QTabWidget* pages_;
  QTableWidget *cameras_, *points_, *proposal_ = nullptr;
  QCheckBox *focal_, *lenses_, *take_offsets_ = nullptr;
  QComboBox *origin_, *towards_x_;
  QDoubleSpinBox* length_;
  QLineEdit* coordinates_;
  QLabel *text_, *hint_, *proposal_text_ = nullptr;
  QProgressBar* progress_;
  double share_ = 0;  // of the task, that was shown
  QFrame* card_ = nullptr;
  QHBoxLayout* card_buttons_ = nullptr;
  std::vector<CalibratePointRow> rows_;
  bool filling_ = false;
};

// "1 2.5 0" as coordinates; nothing where it is not three numbers.
std::optional<Eigen::Vector3d> coordinates_from(const QString& text);

}  // namespace vantage::ui
