// What is swept, and what came of it: the parameter with its values, the spans, the metric; a curve and a
// table of the values.
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/run/sweep_project.h"

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QSpinBox;
class QTableWidget;

namespace vantage::ui {

class CurvePlot;

class SweepPanel final : public QWidget {
  Q_OBJECT
 public:
  // The actions as buttons.
  explicit SweepPanel(const std::vector<QAction*>& actions, QWidget* parent = nullptr);

  // Numbers alone have a range.
  void show_parameters(const ParameterStore& parameters);
  // Those that need ground truth, people's or masks', only with it.
  void show_metrics(bool people, bool masks);
  // Everything but the truth. Errors: what is wrong in the fields, for people.
  Result<SweepRequest> request() const;
  void choose(const QString& key, double from, double to, int steps);
  void set_spans(const QString& tune, const QString& test);  // "0:500"
  QString metric() const;
  void choose_metric(const QString& name);

  void show_measured(const SweepRequest& request, const std::map<size_t, SweepPoint>& measured);
  std::optional<size_t> chosen_value() const;  // of the table's rows
  void choose_value(size_t value);
  void show_text(const QString& words);
  void show_progress(size_t done, size_t all);
  void hide_progress();
  QString text() const;
  QTableWidget* table() const { return table_; }
  CurvePlot* plot() const { return plot_; }

 signals:
  void changed();       // of the fields
  void value_chosen();  // in the table

 private:
  void take_range();  // of the chosen parameter, as the program bounds it
  const ParameterDescription* parameter() const;

  std::vector<std::pair<std::string, const ParameterDescription*>> parameters_;  // with their stages
  QComboBox *parameter_, *metric_;
  QLineEdit *from_, *to_, *tune_, *test_;
  QSpinBox* steps_;
  CurvePlot* plot_;
  QTableWidget* table_;
  QLabel* text_;
  QProgressBar* progress_;
};

}  // namespace vantage::ui
