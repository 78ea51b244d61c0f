// What the fields of a sweep ask for, and the other way.
#include <QComboBox>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ui/main_window/sweep/sweep_form.h"

namespace vantage::ui {
namespace {

constexpr int kSweptBlocks = 8;

tl::unexpected<Error> refused(const QString& what) {
  return fail(ErrorKind::invalid_argument, what.toStdString());
}

// "A:B", B excluded.
Result<FrameRange> span_from(const QString& text, const QString& name) {
  static const QRegularExpression kSpan(QStringLiteral("^\\s*(\\d{1,15})\\s*:\\s*(\\d{1,15})\\s*$"));
  const QRegularExpressionMatch match = kSpan.match(text);
  if (!match.hasMatch() || match.captured(1).toLongLong() >= match.captured(2).toLongLong())
    return refused(SweepForm::tr("%1: frames from:to are expected, as 0:500 (500 excluded).").arg(name));
  return FrameRange{match.captured(1).toLongLong(), match.captured(2).toLongLong()};
}

}  // namespace

void SweepForm::choose(const QString& key, double from, double to, int steps) {
  if (mode() == Values::listed) set_mode(Values::evenly);
  const Swept& first = swept_[0];
  first.parameter->setCurrentIndex(std::max(0, first.parameter->findData(key)));
  first.from->setText(QString::number(from, 'g', 12));
  first.to->setText(QString::number(to, 'g', 12));
  first.steps->setValue(steps);
}

void SweepForm::choose_second(const QString& key, double from, double to, int steps) {
  const Swept& second = swept_[1];
  second.parameter->setCurrentIndex(std::max(0, second.parameter->findData(key)));
  second.from->setText(QString::number(from, 'g', 12));
  second.to->setText(QString::number(to, 'g', 12));
  second.steps->setValue(steps);
  show_second();
}

void SweepForm::set_spans(const QString& tune, const QString& test) {
  tune_->setText(tune);
  test_->setText(test);
}

// ---- what was chosen

Result<SweptParameter> SweepForm::listed(const Swept& swept, const QString& name) const {
  SweptParameter made;
  made.description = parameter(swept, &made.stage);
  if (swept.list->text().trimmed().isEmpty())
    return refused(tr("%1: list them, with commas between.").arg(name));
  const Result<std::vector<double>> values = listed_values(made, swept.list->text().toStdString(), store_);
  if (!values) return refused(tr("%1: %2").arg(name, QString::fromStdString(values.error().message())));
  made.values = *values;
  return made;
}

Result<SweptParameter> SweepForm::values(const Swept& swept, const QString& name) const {
  std::string stage;
  const ParameterDescription* chosen = parameter(swept, &stage);
  if (!chosen) return refused(tr("Choose a parameter."));
  if (mode() == Values::listed) return listed(swept, name);
  if (!has_range(*chosen))
    return refused(tr("%1: %2 has no range; choose listed points.")
                       .arg(name, swept.parameter->currentData().toString()));
  bool numbers[2] = {};
  const double from = swept.from->text().toDouble(&numbers[0]), to = swept.to->text().toDouble(&numbers[1]);
  if (!numbers[0] || !numbers[1] || !(from < to))
    return refused(tr("%1: two numbers are expected, the smaller one first.").arg(name));
  if (from < chosen->minimum || to > chosen->maximum)
    return refused(tr("%1: %2 lies between %3 and %4.")
                       .arg(name, swept.parameter->currentData().toString())
                       .arg(chosen->minimum)
                       .arg(chosen->maximum));
  if (mode() == Values::random) return SweptParameter{stage, chosen, {from, to}};
  return SweptParameter{stage, chosen,
                        stepped_values(*chosen, from, to, static_cast<size_t>(swept.steps->value()))};
}

Result<SweepRequest> SweepForm::request() const {
  SweepRequest request;
  const SweepMetric* measured_by = find_sweep_metric(metric().toStdString());
  if (!measured_by) return refused(tr("Choose a metric."));
  std::vector<SweptParameter> parameters;
  VANTAGE_ASSIGN(SweptParameter first, values(swept_[0], tr("Values")));
  parameters.push_back(std::move(first));
  if (parameter(swept_[1])) {
    VANTAGE_ASSIGN(SweptParameter second, values(swept_[1], tr("Second values")));
    if (second.key() == parameters[0].key()) return refused(tr("Choose two different parameters."));
    if (mode() != Values::random && second.values.size() * parameters[0].values.size() > kMaxSweptPoints)
      return refused(tr("These are more than %1 pairs of values.").arg(kMaxSweptPoints));
    parameters.push_back(std::move(second));
  }
  if (mode() == Values::random)
    request.points = random_points(std::move(parameters), static_cast<size_t>(random_points_->value()),
                                   static_cast<uint32_t>(seed_->value()), store_);
  else
    request.points = all_points(std::move(parameters), store_);
  VANTAGE_ASSIGN(request.spans.tune, span_from(tune_->text(), tr("Frames")));
  if (!test_->text().trimmed().isEmpty()) {
    VANTAGE_ASSIGN(request.spans.test, span_from(test_->text(), tr("test")));
  }
  request.how.metrics = {measured_by};
  request.how.blocks = kSweptBlocks;
  request.how.keep_people = true;
  return request;
}

}  // namespace vantage::ui
