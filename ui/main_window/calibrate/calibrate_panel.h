// Cameras with their poses and verdicts, what can be done with them, pages of other controls, and the
// proposal that comes of it.
#pragma once

#include <QLabel>
#include <QWidget>
#include <map>
#include <string>
#include <vector>

class QAction;
class QCheckBox;
class QFrame;
class QHBoxLayout;
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
};

struct CalibrateProposalRow {
  QString camera, turned, moved, floor, misses;
  QString tip = {};  // of all its cells
};

// The commands, as buttons.
struct CalibrateCommands {
  std::vector<QAction*> solve, in_time;
  QAction *apply, *dismiss;
};

class CalibratePanel final : public QWidget {
  Q_OBJECT
 public:
  explicit CalibratePanel(const CalibrateCommands& commands, QWidget* parent = nullptr);

  void add_page(QWidget* page, const QString& title);
  void show_page(QWidget* page);  // and the dock
  // A button on the proposal's card, behind those that it has.
  void add_to_proposal(QAction* action);
  // Ticks are kept by name.
  void show_cameras(const std::vector<CalibrateCameraRow>& rows);
  std::vector<std::string> chosen_cameras() const;
  void choose_cameras(const std::vector<std::string>& names);
  // Root mean square of what a camera's clicks miss by; one without is not in the map.
  void show_misses(const std::map<std::string, double>& miss_px);
  void show_text(const QString& text);  // what goes on, what does not fit; empty: nothing
  // `columns`: empty where they are what the rows are named by.
  void show_proposal(const QString& text, const std::vector<CalibrateProposalRow>& rows,
                     const QStringList& columns);
  void hide_proposal();
  // The card's choice whether the offsets that come with the proposal are applied with it.
  void offer_offsets(bool offered, bool wanted);
  bool takes_offsets() const;  // offered, and ticked

  bool focal() const;
  bool lenses() const;
  QTableWidget* cameras() const { return cameras_; }
  QTableWidget* proposal() const { return proposal_; }
  QString text() const { return text_->text(); }
  QString proposal_text() const;

 signals:
  void cameras_chosen();
  void wanted();  // the dock is to come up

 private:
  QFrame* make_proposal(const CalibrateCommands& commands);

  QTabWidget* pages_;
  QTableWidget *cameras_, *proposal_ = nullptr;
  QCheckBox *focal_, *lenses_, *take_offsets_ = nullptr;
  QLabel *text_, *proposal_text_ = nullptr;
  QFrame* card_ = nullptr;
  QHBoxLayout* card_buttons_ = nullptr;
  bool filling_ = false;
};

}  // namespace vantage::ui
