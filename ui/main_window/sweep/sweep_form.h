// The fields of a sweep: one parameter or two, each with its values (evenly spaced, listed, or random within
// a range); the metric, the spans.
#pragma once

#include <QWidget>
#include <array>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/run/sweep_project.h"
#include "ui/widgets/time_axis.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace vantage::ui {

class Form;

inline constexpr size_t kMaxSweptPoints = 1000;

class SweepForm final : public QWidget {
  Q_OBJECT
 public:
  explicit SweepForm(QWidget* parent = nullptr);

  // Numbers alone have a range; of others values are listed.
  void show_parameters(const ParameterStore& parameters);
  // Metrics that need ground truth, people's or masks', are shown only with it.
  void show_metrics(bool people, bool masks);
  // Everything but the truth. Errors: what is wrong in the fields, for people.
  Result<SweepRequest> request() const;
  void choose(const QString& key, double from, double to, int steps);
  // An empty key: none.
  void choose_second(const QString& key, double from = 0, double to = 0, int steps = 2);
  void choose_listed(const QString& key, const QString& values);  // "0.1, 0.3, 0.6"
  void choose_random(int points, uint32_t seed);                  // within the ranges of the parameters
  void show_request(const SweepRequest& request);
  void set_times(const FrameTimes& times) { times_ = times; }  // of the recording, as spans can be typed
  void set_spans(const QString& tune, const QString& test);    // "0 to 499"
  static QString span_text(const FrameRange& range);           // likewise
  QString metric() const;
  void choose_metric(const QString& name);

 signals:
  void changed();

 private:
  struct Swept {
    QComboBox* parameter;
    QWidget* values;  // the row of the others
    QLineEdit *from, *to, *list;
    QLabel* between;
    QSpinBox* steps;
  };
  enum class Values : uint8_t { evenly, listed, random };
  Values mode() const;
  void set_mode(Values mode);
  void add_mode();
  Swept add_swept(bool second);
  QWidget* values_row(Swept* swept, bool second);
  void add_spans();
  void fill(QComboBox* field, bool with_none) const;
  void take_range(const Swept& swept);  // of the chosen parameter, as the program bounds it
  void show_second();
  void show_mode();
  Result<SweptParameter> listed(const Swept& swept, const QString& name) const;
  const ParameterDescription* parameter(const Swept& swept, std::string* stage = nullptr) const;
  Result<SweptParameter> values(const Swept& swept, const QString& name) const;

  Form* form_;
  ParameterStore store_;
  FrameTimes times_;
  std::vector<std::pair<std::string, const ParameterDescription*>> parameters_;  // with their stages
  std::array<Swept, 2> swept_;
  QComboBox *mode_, *metric_;
  QSpinBox *random_points_, *seed_;
  QLineEdit *tune_, *test_;
};

}  // namespace vantage::ui
