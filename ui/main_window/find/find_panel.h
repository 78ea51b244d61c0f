// What is asked of everybody's tracks, and what was found: it is asked again with every change.
#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "core/tracks/find/question.h"
#include "ui/main_window/find/found_list.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSettings;
class QToolButton;

namespace vantage::ui {

// As it stands in the fields.
struct TypedQuestion {
  FindKind kind = FindKind::present;
  std::string place;  // name of a zone or line of the project; empty: the drawn one
  CrossingWay way = CrossingWay::either;
  double closer_m = 1, longer_s = 0;
  std::optional<double> taller_m, shorter_m;
  QString from, to, people;
};

class FindPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands that go to the next and the previous answer stand below as buttons.
  explicit FindPanel(const std::vector<QAction*>& commands, QWidget* parent = nullptr);

  TypedQuestion typed() const;
  void show_places(const std::vector<std::string>& zones, const std::vector<std::string>& lines);
  void set_drawn(bool zone, bool there);  // a place was drawn, and is chosen; or it is gone
  // How times are written here: "14:32:05, +0:12:30 …".
  void show_moment_hint(const QString& hint);
  void show_found(std::vector<FoundRow> rows, bool pictured, const QString& words);
  void show_problem(const QString& problem);  // nothing can be asked so
  void focus_first();
  FoundList* list() const { return list_; }
  QString summary() const;

  void restore(const QSettings& settings);
  void save(QSettings& settings) const;

 signals:
  void asked();
  void draw_wanted(bool zone);

 private:
  template <typename Field>
  Field* add(const QString& name, const QString& tip, Field* field);
  QLineEdit* add_line(const QString& name, const QString& tip, const QString& empty);
  QDoubleSpinBox* add_number(const QString& name, const QString& tip, double highest, const QString& unit,
                             const QString& none);
  void add_place();
  void show_kind();
  void fill_places();

  std::vector<std::string> zones_, lines_;
  bool drawn_zone_ = false, drawn_line_ = false;
  QFormLayout* form_;
  QComboBox *kind_, *place_, *way_;
  QToolButton* draw_;
  QWidget* place_row_;
  QDoubleSpinBox *closer_, *longer_, *taller_, *shorter_;
  QLineEdit *from_, *to_, *people_;
  QLabel* summary_;
  FoundList* list_;
};

}  // namespace vantage::ui
