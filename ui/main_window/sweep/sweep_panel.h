// What is swept, and what came of it: a curve over one parameter or heat maps over two, a table of the
// points, and the worst frames of the chosen one.
#pragma once

#include <QLabel>
#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "ui/main_window/sweep/sweep_form.h"

class QAction;
class QStackedWidget;
class QTableWidget;

namespace vantage::ui {

class CurvePlot;
class HeatMapPlot;

// "people.min_own 0.4, tracking.keep_s 2".
QString point_words(const SweepPoints& points, size_t point);

// A row of the worst frames.
struct SweptMoment {
  WorstMoment moment;
  bool test = false;  // of the test span
};

struct SweepPanelActions {
  std::vector<QAction*> sweep, moments;  // as buttons: below the fields, above the worst frames
};

class SweepPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit SweepPanel(const SweepPanelActions& actions, QWidget* parent = nullptr);

  SweepForm* form() const { return form_; }
  // The chosen point stays chosen.
  void show_measured(const SweepRequest& request, const std::map<size_t, SweepPoint>& measured);
  std::optional<size_t> chosen_point() const;  // of the table's rows
  void choose_point(size_t point);
  // `empty`: what is said where there are none.
  void show_moments(const std::vector<SweptMoment>& moments, const QString& head, const QString& empty);
  int chosen_moment() const;  // by its row; -1: none
  void choose_moment(int row);
  void show_text(const QString& words);
  QString text() const { return text_->text(); }
  QTableWidget* table() const { return table_; }
  QTableWidget* moments() const { return moments_; }
  CurvePlot* plot() const { return plot_; }
  HeatMapPlot* heat_map() const { return heat_map_; }

 signals:
  void point_chosen();
  void moment_chosen(int row);  // a click or a key, also on the one that is chosen

 private:
  bool has_heat_maps() const;  // two parameters, evenly or listed
  void show_curves();
  void show_heat_maps();
  void fill_table();
  void mark_chosen();
  QString tip(size_t point) const;

  SweepForm* form_;
  QStackedWidget* plots_;
  CurvePlot* plot_;
  HeatMapPlot* heat_map_;
  QTableWidget *table_, *moments_;
  QLabel *head_, *text_;
  SweepRequest request_;                                    // of what is shown
  const std::map<size_t, SweepPoint>* measured_ = nullptr;  // while it is shown
};

}  // namespace vantage::ui
