#include "ui/main_window/sweep/sweep_form.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "ui/widgets/form.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

constexpr int kMaxSweptSteps = 1000;

// Its texts are a key and what it means, its data the key: closed it shows the key, the list has room for
// all.
class KeyBox final : public QComboBox {
 public:
  void showPopup() override {
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + view()->verticalScrollBar()->sizeHint().width());
    QComboBox::showPopup();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    if (const QString key = currentData().toString(); !key.isEmpty()) option.currentText = key;
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
  }
};

}  // namespace

SweepForm::SweepForm(QWidget* parent)
    : QWidget(parent), form_(new Form(this, kTight)), swept_{add_swept(false), add_swept(true)} {
  add_mode();
  metric_ = form_->add(tr("Metri&c"), tr("Decides which value is best; most need ground truth (Shift+T)"),
                       new KeyBox);
  add_spans();
  show_second();
  show_mode();
  connect(form_, &Form::changed, this, &SweepForm::changed);
}

void SweepForm::add_mode() {
  mode_ = described(new QComboBox, tr("Which values"),
                    tr("Evenly spaced between two ends; as listed, also of choices and switches; or random "
                       "points within the ranges"));
  mode_->addItems({tr("evenly spaced"), tr("listed"), tr("random")});
  connect(mode_, &QComboBox::currentIndexChanged, this, &SweepForm::show_mode);
  random_points_ =
      described(number_field(1, static_cast<int>(kMaxSweptPoints), 20, tr(" points")), tr("Random points"),
                tr("How many points; of two parameters each point takes both at random"));
  seed_ = described(number_field(0, 1'000'000'000, 1), tr("Seed"), tr("The same seed gives the same points"));
  seed_->setPrefix(tr("seed "));
  auto* row = new QHBoxLayout;
  row->setSpacing(kTight);
  row->addWidget(mode_, 1);
  row->addWidget(random_points_);
  row->addWidget(seed_);
  form_->addRow(tr("Points"), row);
  for (QWidget* field : std::initializer_list<QWidget*>{mode_, random_points_, seed_}) form_->watch(field);
}

SweepForm::Values SweepForm::mode() const {
  return static_cast<Values>(std::max(0, mode_->currentIndex()));
}

void SweepForm::set_mode(Values mode) {
  mode_->setCurrentIndex(static_cast<int>(mode));
}

void SweepForm::show_mode() {
  const bool is_listed = mode() == Values::listed, random = mode() == Values::random;
  for (QWidget* number : {random_points_, seed_}) number->setVisible(random);
  for (const Swept& swept : swept_) {
    for (QWidget* end : {static_cast<QWidget*>(swept.from), static_cast<QWidget*>(swept.to),
                         static_cast<QWidget*>(swept.between)})
      end->setVisible(!is_listed);
    swept.steps->setVisible(mode() == Values::evenly);
    swept.list->setVisible(is_listed);
  }
}

SweepForm::Swept SweepForm::add_swept(bool second) {
  Swept swept{new KeyBox,
              nullptr,
              new QLineEdit,
              new QLineEdit,
              new QLineEdit,
              new QLabel(tr("to")),
              number_field(2, kMaxSweptSteps, 5, tr(" values"))};
  swept.parameter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  swept.parameter->setMinimumContentsLength(18);
  form_->add(second ? tr("Seco&nd") : tr("Pa&rameter"),
             second ? tr("A second parameter: every value of one is tried with every value of the other")
                    : tr("The parameter that takes the values; all others stay as they are"),
             swept.parameter);
  if (second) swept.parameter->setAccessibleName(tr("Second parameter"));
  swept.values = values_row(&swept, second);
  auto* label = new QLabel(second ? tr("Values") : tr("Va&lues"));
  label->setBuddy(swept.from);
  form_->addRow(label, swept.values);
  connect(swept.parameter, &QComboBox::activated, this, [this, second] {
    take_range(swept_[second ? 1 : 0]);
    if (second) show_second();
  });
  for (QWidget* field : std::initializer_list<QWidget*>{swept.from, swept.to, swept.list, swept.steps})
    form_->watch(field);
  return swept;
}

QWidget* SweepForm::values_row(Swept* swept, bool second) {
  const auto named = [second](const QString& first, const QString& other) { return second ? other : first; };
  for (const auto& [line, name] :
       {std::pair{swept->from, named(tr("First value"), tr("First value of the second parameter"))},
        std::pair{swept->to, named(tr("Last value"), tr("Last value of the second parameter"))}})
    describe(line, name, tr("%1, in the parameter's unit").arg(name));
  describe(
      swept->list, named(tr("Listed values"), tr("Listed values of the second parameter")),
      tr("The values themselves, with commas between: numbers in the parameter's unit, names of choices, "
         "true or false"));
  swept->list->setPlaceholderText(QStringLiteral("0.1, 0.3, 0.6"));
  describe(swept->steps, named(tr("Values"), tr("Values of the second parameter")),
           tr("How many values, evenly, both ends included"));
  auto* row = new QWidget;
  auto* values = new QHBoxLayout(row);
  values->setContentsMargins(0, 0, 0, 0);
  values->setSpacing(kTight);
  values->addWidget(swept->from, 1);
  values->addWidget(swept->between);
  values->addWidget(swept->to, 1);
  values->addWidget(swept->list, 1);
  values->addWidget(swept->steps);
  return row;
}

void SweepForm::add_spans() {
  tune_ = described(new QLineEdit, tr("Tuning span"),
                    tr("First and last frame, or time, on which values are compared"));
  tune_->setPlaceholderText(tr("0 to 499"));
  test_ = described(new QLineEdit, tr("Test span"),
                    tr("Others, on which the best value is tested; can be empty"));
  test_->setPlaceholderText(tr("none"));
  auto* spans = new QHBoxLayout;
  spans->setSpacing(kTight);
  spans->addWidget(tune_, 1);
  spans->addWidget(new QLabel(tr("test")));
  spans->addWidget(test_, 1);
  auto* tune = new QLabel(tr("Frames"));
  tune->setBuddy(tune_);
  form_->addRow(tune, spans);
  for (QLineEdit* line : {tune_, test_}) form_->watch(line);
}

// ---- choices

void SweepForm::show_parameters(const ParameterStore& parameters) {
  store_ = parameters;
  parameters_.clear();
  for (const ParameterTable* table : parameters.tables())
    for (const ParameterDescription& entry : table->entries) parameters_.emplace_back(table->stage, &entry);
  for (const Swept& swept : swept_) {
    const bool second = &swept == &swept_[1];
    const QString before = swept.parameter->currentData().toString();
    const QSignalBlocker blocked(swept.parameter);
    fill(swept.parameter, second);
    const int again = swept.parameter->findData(before);
    // The first one that has a range, for evenly spaced values come first.
    const auto ranged =
        std::ranges::find_if(parameters_, [](const auto& one) { return has_range(*one.second); });
    const int offered = second ? 0 : static_cast<int>(ranged - parameters_.begin());
    swept.parameter->setCurrentIndex(again >= 0 ? again : offered);
    if (again < 0) take_range(swept);
  }
  show_second();
}

void SweepForm::fill(QComboBox* field, bool with_none) const {
  field->clear();
  if (with_none) field->addItem(tr("none"), QString());
  for (const auto& [stage, entry] : parameters_) {
    const QString key = QString::fromStdString(stage + "." + entry->name);
    field->addItem(QStringLiteral("%1 \u2013 %2").arg(key, core_text(entry->display_name)), key);
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
    const QString name = qt_text(one.name);
    metric_->addItem(QStringLiteral("%1 \u2013 %2").arg(name, qt_text(one.meaning)), name);
  }
  // The metric before was chosen for want of ground truth.
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
  swept.from->setText(number_text(chosen->minimum, 'g', 6));
  swept.to->setText(number_text(chosen->maximum, 'g', 6));
  QStringList all;
  for (const std::string& choice : chosen->choices) all << QString::fromStdString(choice);
  if (chosen->type == ParameterType::boolean) all = {QStringLiteral("false"), QStringLiteral("true")};
  swept.list->setText(all.join(QStringLiteral(", ")));
}

void SweepForm::choose_listed(const QString& key, const QString& values) {
  set_mode(Values::listed);
  const Swept& first = swept_[0];
  first.parameter->setCurrentIndex(std::max(0, first.parameter->findData(key)));
  first.list->setText(values);
}

void SweepForm::choose_random(int points, uint32_t seed) {
  set_mode(Values::random);
  random_points_->setValue(points);
  seed_->setValue(static_cast<int>(seed));
}

// Evenly spaced values come back as a list of the same.
void SweepForm::show_request(const SweepRequest& request) {
  const std::vector<SweptParameter>& parameters = request.points.parameters;
  for (size_t i = 0; i < swept_.size(); ++i) {
    const Swept& swept = swept_[i];
    const bool there = i < parameters.size();
    const int at = swept.parameter->findData(there ? QString::fromStdString(parameters[i].key()) : QString());
    swept.parameter->setCurrentIndex(std::max(0, at));
    if (!there) continue;
    QStringList texts;
    for (const double value : parameters[i].values)
      texts << QString::fromStdString(parameters[i].text(value));
    swept.list->setText(texts.join(QStringLiteral(", ")));
    if (!has_range(*parameters[i].description) || texts.isEmpty()) continue;
    swept.from->setText(texts.front());
    swept.to->setText(texts.back());
  }
  if (request.points.random)
    choose_random(static_cast<int>(request.points.points.size()), request.points.seed);
  else
    set_mode(Values::listed);
  set_spans(span_text(request.spans.tune), request.spans.test ? span_text(*request.spans.test) : QString());
  const std::string metric(request.how.metrics[0]->name);
  if (const int known = metric_->findData(QString::fromStdString(metric)); known >= 0)
    metric_->setCurrentIndex(known);
  show_second();
}

// The request of the fields, and fields of a request.

namespace {

constexpr int kSweptBlocks = 8;

tl::unexpected<Error> refused(const QString& what) {
  return fail(ErrorKind::invalid_argument, what.toStdString());
}

Result<FrameRange> span_from(const QString& text, const QString& name, const FrameTimes& times) {
  const Result<TypedSpan> span = parse_span(plain_time(text.trimmed()), times.frame_rate, times.clock);
  if (!span) return refused(name + ": " + QString::fromStdString(span.error().message()));
  return FrameRange{span->first.frame, span->last.frame + 1};
}

}  // namespace

void SweepForm::choose(const QString& key, double from, double to, int steps) {
  if (mode() == Values::listed) set_mode(Values::evenly);
  const Swept& first = swept_[0];
  first.parameter->setCurrentIndex(std::max(0, first.parameter->findData(key)));
  first.from->setText(number_text(from, 'g', 12));
  first.to->setText(number_text(to, 'g', 12));
  first.steps->setValue(steps);
}

void SweepForm::choose_second(const QString& key, double from, double to, int steps) {
  const Swept& second = swept_[1];
  second.parameter->setCurrentIndex(std::max(0, second.parameter->findData(key)));
  second.from->setText(number_text(from, 'g', 12));
  second.to->setText(number_text(to, 'g', 12));
  second.steps->setValue(steps);
  show_second();
}

QString SweepForm::span_text(const FrameRange& range) {
  return tr("%1 to %2").arg(range.begin).arg(range.end - 1);
}

void SweepForm::set_spans(const QString& tune, const QString& test) {
  tune_->setText(tune);
  test_->setText(test);
}

// ---- the request

Result<SweptParameter> SweepForm::listed(const Swept& swept, const QString& name) const {
  SweptParameter made;
  made.description = parameter(swept, &made.stage);
  if (swept.list->text().trimmed().isEmpty())
    return refused(tr("%1: list them, with commas between.").arg(name));
  QString list = swept.list->text();
  if (list.contains(';')) list.replace(',', '.').replace(';', ',');  // then commas are decimal marks
  const Result<std::vector<double>> values = listed_values(made, list.toStdString(), store_);
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
  const double from = typed_number(swept.from->text(), &numbers[0]),
               to = typed_number(swept.to->text(), &numbers[1]);
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
  VANTAGE_ASSIGN(request.spans.tune, span_from(tune_->text(), tr("Frames"), times_));
  if (!test_->text().trimmed().isEmpty()) {
    VANTAGE_ASSIGN(request.spans.test, span_from(test_->text(), tr("test"), times_));
  }
  request.how.metrics = {measured_by};
  request.how.blocks = kSweptBlocks;
  request.how.keep_people = true;
  return request;
}

}  // namespace vantage::ui
