#include "ui/main_window/sweep/sweep_form.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <tuple>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

constexpr int kMaxSweptSteps = 1000, kSweptBlocks = 8;
constexpr size_t kMaxSweptPoints = 1000;

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

SweepForm::SweepForm(QWidget* parent)
    : QWidget(parent),
      form_(new QFormLayout(this)),
      swept_{add_swept(form_, false), add_swept(form_, true)},
      metric_(new QComboBox),
      tune_(new QLineEdit),
      test_(new QLineEdit) {
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setVerticalSpacing(4);
  add_field(form_, tr("&Metric"), tr("Decides which value is best; most need ground truth (Shift+T)"),
            metric_);
  add_spans(form_);
  connect(metric_, &QComboBox::currentIndexChanged, this, &SweepForm::changed);
  for (const QLineEdit* line : {tune_, test_})
    connect(line, &QLineEdit::textChanged, this, &SweepForm::changed);
  show_second();
}

SweepForm::Swept SweepForm::add_swept(QFormLayout* form, bool second) {
  Swept swept{new QComboBox, nullptr, new QLineEdit, new QLineEdit, new QSpinBox};
  swept.parameter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  swept.parameter->setMinimumContentsLength(18);
  add_field(form, second ? tr("Seco&nd") : tr("&Parameter"),
            second ? tr("A second parameter: every value of one is tried with every value of the other")
                   : tr("What takes the values; all others stay as they are"),
            swept.parameter);
  if (second) swept.parameter->setAccessibleName(tr("Second parameter"));
  swept.values = values_row(&swept, second);
  auto* label = new QLabel(second ? tr("Va&lues") : tr("&Values"));
  label->setBuddy(swept.from);
  form->addRow(label, swept.values);
  connect(swept.parameter, &QComboBox::activated, this, [this, second] {
    take_range(swept_[second ? 1 : 0]);
    if (second) show_second();
  });
  connect(swept.parameter, &QComboBox::currentIndexChanged, this, &SweepForm::changed);
  for (const QLineEdit* line : {swept.from, swept.to})
    connect(line, &QLineEdit::textChanged, this, &SweepForm::changed);
  connect(swept.steps, &QSpinBox::valueChanged, this, &SweepForm::changed);
  return swept;
}

QWidget* SweepForm::values_row(Swept* swept, bool second) {
  auto* row = new QWidget;
  auto* values = new QHBoxLayout(row);
  values->setContentsMargins(0, 0, 0, 0);
  values->setSpacing(4);
  const auto named = [second](const QString& first, const QString& other) { return second ? other : first; };
  for (const auto& [line, name] :
       {std::pair{swept->from, named(tr("First value"), tr("First value of the second parameter"))},
        std::pair{swept->to, named(tr("Last value"), tr("Last value of the second parameter"))}}) {
    line->setAccessibleName(name);
    line->setToolTip(tr("%1, in the parameter's unit").arg(name));
    values->addWidget(line, 1);
    if (line == swept->from) values->addWidget(new QLabel(tr("to")));
  }
  swept->steps->setRange(2, kMaxSweptSteps);
  swept->steps->setValue(5);
  swept->steps->setAccessibleName(named(tr("Values"), tr("Values of the second parameter")));
  swept->steps->setToolTip(tr("How many values, evenly, both ends included"));
  swept->steps->setSuffix(tr(" values"));
  values->addWidget(swept->steps);
  return row;
}

void SweepForm::add_spans(QFormLayout* form) {
  auto* spans = new QHBoxLayout;
  spans->setSpacing(4);
  for (const auto& [line, name, tip] :
       {std::tuple{tune_, tr("Tuning span"), tr("Frames from:to that values are compared on, to excluded")},
        std::tuple{
            test_, tr("Test span"),
            tr("Frames from:to apart from those, that tell how good the best value is; may be empty")}}) {
    line->setAccessibleName(name);
    line->setToolTip(tip);
    line->setPlaceholderText(line == tune_ ? QStringLiteral("0:500") : tr("none"));
    spans->addWidget(line, 1);
    if (line == tune_) spans->addWidget(new QLabel(tr("test")));
  }
  auto* tune = new QLabel(tr("&Frames"));
  tune->setBuddy(tune_);
  form->addRow(tune, spans);
}

// ---- what can be chosen

void SweepForm::show_parameters(const ParameterStore& parameters) {
  store_ = parameters;
  parameters_.clear();
  for (const ParameterTable* table : parameters.tables())
    for (const ParameterDescription& entry : table->entries)
      if (entry.type == ParameterType::real || entry.type == ParameterType::integer)
        parameters_.emplace_back(table->stage, &entry);
  for (const Swept& swept : swept_) {
    const bool second = &swept == &swept_[1];
    const QString before = swept.parameter->currentData().toString();
    const QSignalBlocker blocked(swept.parameter);
    fill(swept.parameter, second);
    const int again = swept.parameter->findData(before);
    swept.parameter->setCurrentIndex(std::max(0, again));
    if (again < 0) take_range(swept);
  }
  show_second();
}

void SweepForm::fill(QComboBox* field, bool with_none) const {
  field->clear();
  if (with_none) field->addItem(tr("none"), QString());
  for (const auto& [stage, entry] : parameters_) {
    const QString key = QString::fromStdString(stage + "." + entry->name);
    field->addItem(QStringLiteral("%1 \u2013 %2").arg(key, QString::fromStdString(entry->display_name)), key);
  }
}

void SweepForm::show_second() {
  form_->setRowVisible(swept_[1].values, !swept_[1].parameter->currentData().toString().isEmpty());
}

void SweepForm::show_metrics(bool people, bool masks) {
  const QString before = metric();
  const int count = metric_->count();
  const QSignalBlocker blocked(metric_);
  metric_->clear();
  for (const SweepMetric& one : sweep_metrics()) {
    if ((one.truth == NeededTruth::people && !people) || (one.truth == NeededTruth::masks && !masks))
      continue;
    const QString name = QString::fromUtf8(one.name.data(), static_cast<qsizetype>(one.name.size()));
    metric_->addItem(
        QStringLiteral("%1 \u2013 %2")
            .arg(name, QString::fromUtf8(one.meaning.data(), static_cast<qsizetype>(one.meaning.size()))),
        name);
  }
  // What there was before was chosen for want of ground truth.
  metric_->setCurrentIndex(metric_->count() > count ? 0 : std::max(0, metric_->findData(before)));
}

QString SweepForm::metric() const {
  return metric_->currentData().toString();
}

void SweepForm::choose_metric(const QString& name) {
  metric_->setCurrentIndex(std::max(0, metric_->findData(name)));
}

const ParameterDescription* SweepForm::parameter(const Swept& swept, std::string* stage) const {
  const QString key = swept.parameter->currentData().toString();
  for (const auto& [its_stage, entry] : parameters_)
    if (key == QString::fromStdString(its_stage + "." + entry->name)) {
      if (stage) *stage = its_stage;
      return entry;
    }
  return nullptr;
}

void SweepForm::take_range(const Swept& swept) {
  const ParameterDescription* chosen = parameter(swept);
  if (!chosen) return;
  swept.from->setText(QString::number(chosen->minimum, 'g', 6));
  swept.to->setText(QString::number(chosen->maximum, 'g', 6));
}

void SweepForm::choose(const QString& key, double from, double to, int steps) {
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

Result<SweptParameter> SweepForm::values(const Swept& swept, const QString& name) const {
  std::string stage;
  const ParameterDescription* chosen = parameter(swept, &stage);
  if (!chosen) return refused(tr("Choose a parameter."));
  bool numbers[2] = {};
  const double from = swept.from->text().toDouble(&numbers[0]), to = swept.to->text().toDouble(&numbers[1]);
  if (!numbers[0] || !numbers[1] || !(from < to))
    return refused(tr("%1: two numbers are expected, the smaller one first.").arg(name));
  if (from < chosen->minimum || to > chosen->maximum)
    return refused(tr("%1: %2 lies between %3 and %4.")
                       .arg(name, swept.parameter->currentData().toString())
                       .arg(chosen->minimum)
                       .arg(chosen->maximum));
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
    if (second.values.size() * parameters[0].values.size() > kMaxSweptPoints)
      return refused(tr("These are more than %1 pairs of values.").arg(kMaxSweptPoints));
    parameters.push_back(std::move(second));
  }
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
