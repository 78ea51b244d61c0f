#include "ui/main_window/sweep/sweep_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QProgressBar>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/widgets/colors.h"
#include "ui/widgets/curve_plot.h"
#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

constexpr int kMaxSteps = 1000, kBlocks = 8;

enum SweepColumn { kSweptValue, kSweptTune, kSweptTest, kSweptNote };

QString swept_figure(const SpanFigures& figures) {
  if (figures.whole.empty() || !std::isfinite(figures.whole[0])) return QStringLiteral("\u2013");
  QString text = QString::number(figures.whole[0], 'g', 4);
  if (const double deviation = deviation_of(figures, 0); std::isfinite(deviation))
    text += QStringLiteral(" \u00b1 %1").arg(deviation, 0, 'g', 2);
  return text;
}

tl::unexpected<Error> refused(const QString& what) {
  return fail(ErrorKind::invalid_argument, what.toStdString());
}

// "A:B", B excluded.
Result<FrameRange> span_from(const QString& text, const QString& name) {
  static const QRegularExpression kSpan(QStringLiteral("^\\s*(\\d{1,15})\\s*:\\s*(\\d{1,15})\\s*$"));
  const QRegularExpressionMatch match = kSpan.match(text);
  if (!match.hasMatch() || match.captured(1).toLongLong() >= match.captured(2).toLongLong())
    return refused(SweepPanel::tr("%1: frames from:to are expected, as 0:500 (500 excluded).").arg(name));
  return FrameRange{match.captured(1).toLongLong(), match.captured(2).toLongLong()};
}

Curve swept_curve(const QString& name, QRgb color, Qt::PenStyle style, const SweepRequest& request,
                  const std::map<size_t, SweepPoint>& measured, SpanFigures SweepPoint::* span) {
  Curve curve{name, QColor(color), style, 2, {}, {}};
  for (const auto& [index, point] : measured) {
    const SpanFigures& figures = point.*span;
    if (!figures.whole.empty() && std::isfinite(figures.whole[0]))
      curve.points.emplace_back(request.parameter.values[index], figures.whole[0]);
  }
  return curve;
}

}  // namespace

SweepPanel::SweepPanel(const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      parameter_(new QComboBox),
      metric_(new QComboBox),
      from_(new QLineEdit),
      to_(new QLineEdit),
      tune_(new QLineEdit),
      test_(new QLineEdit),
      steps_(new QSpinBox),
      plot_(new CurvePlot(tr("Metric over the values"))),
      table_(row_table(tr("Values measured"), {tr("Value"), tr("Tuning span"), tr("Test span"), tr("")},
                       kSweptNote)),
      text_(text_label()),
      progress_(new QProgressBar) {
  setAccessibleName(tr("Sweep"));
  parameter_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  parameter_->setMinimumContentsLength(18);
  steps_->setRange(2, kMaxSteps);
  steps_->setValue(5);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  progress_->setAccessibleName(tr("Values measured so far"));
  progress_->hide();
  text_->setAccessibleName(tr("What the sweep says"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(4, 4, 4, 4);
  page->setSpacing(4);
  auto* form = new QFormLayout;
  add_field(form, tr("&Parameter"), tr("What takes the values; all others stay as they are"), parameter_);
  auto* values = new QHBoxLayout;
  values->setSpacing(4);
  for (const auto& [line, name] : {std::pair{from_, tr("First value")}, std::pair{to_, tr("Last value")}}) {
    line->setAccessibleName(name);
    line->setToolTip(tr("%1, in the parameter's unit").arg(name));
    values->addWidget(line, 1);
    if (line == from_) values->addWidget(new QLabel(tr("to")));
  }
  steps_->setAccessibleName(tr("Values"));
  steps_->setToolTip(tr("How many values, evenly, both ends included"));
  steps_->setSuffix(tr(" values"));
  values->addWidget(steps_);
  auto* range = new QLabel(tr("&Values"));
  range->setBuddy(from_);
  form->addRow(range, values);
  add_field(form, tr("&Metric"), tr("Decides which value is best; most need ground truth (Shift+T)"),
            metric_);
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
  page->addLayout(form);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(4);
  for (QAction* action : actions) buttons->addWidget(text_button(action));
  buttons->addStretch(1);
  page->addLayout(buttons);
  page->addWidget(plot_);
  page->addWidget(table_, 1);
  page->addWidget(progress_);
  page->addWidget(text_);
  connect(parameter_, &QComboBox::activated, this, &SweepPanel::take_range);
  connect(parameter_, &QComboBox::currentIndexChanged, this, &SweepPanel::changed);
  connect(metric_, &QComboBox::currentIndexChanged, this, &SweepPanel::changed);
  for (const QLineEdit* line : {from_, to_, tune_, test_})
    connect(line, &QLineEdit::textChanged, this, &SweepPanel::changed);
  connect(table_, &QTableWidget::itemSelectionChanged, this, &SweepPanel::value_chosen);
  show_measured({}, {});
}

void SweepPanel::show_parameters(const ParameterStore& parameters) {
  const QString before = parameter_->currentData().toString();
  const QSignalBlocker blocked(parameter_);
  parameter_->clear();
  parameters_.clear();
  for (const ParameterTable* table : parameters.tables())
    for (const ParameterDescription& entry : table->entries) {
      if (entry.type != ParameterType::real && entry.type != ParameterType::integer) continue;
      parameters_.emplace_back(table->stage, &entry);
      const QString key = QString::fromStdString(table->stage + "." + entry.name);
      parameter_->addItem(QStringLiteral("%1 \u2013 %2").arg(key, QString::fromStdString(entry.display_name)),
                          key);
    }
  const int again = parameter_->findData(before);
  parameter_->setCurrentIndex(std::max(0, again));
  if (again < 0) take_range();
}

void SweepPanel::show_metrics(bool people, bool masks) {
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

QString SweepPanel::metric() const {
  return metric_->currentData().toString();
}

void SweepPanel::choose_metric(const QString& name) {
  metric_->setCurrentIndex(std::max(0, metric_->findData(name)));
}

const ParameterDescription* SweepPanel::parameter() const {
  const auto at = static_cast<size_t>(parameter_->currentIndex());
  return at < parameters_.size() ? parameters_[at].second : nullptr;
}

void SweepPanel::take_range() {
  const ParameterDescription* chosen = parameter();
  if (!chosen) return;
  from_->setText(QString::number(chosen->minimum, 'g', 6));
  to_->setText(QString::number(chosen->maximum, 'g', 6));
}

void SweepPanel::choose(const QString& key, double from, double to, int steps) {
  parameter_->setCurrentIndex(std::max(0, parameter_->findData(key)));
  from_->setText(QString::number(from, 'g', 12));
  to_->setText(QString::number(to, 'g', 12));
  steps_->setValue(steps);
}

void SweepPanel::set_spans(const QString& tune, const QString& test) {
  tune_->setText(tune);
  test_->setText(test);
}

Result<SweepRequest> SweepPanel::request() const {
  SweepRequest request;
  const ParameterDescription* chosen = parameter();
  const SweepMetric* measured_by = find_sweep_metric(metric().toStdString());
  if (!chosen || !measured_by) return refused(tr("Choose a parameter and a metric."));
  bool numbers[2] = {};
  const double from = from_->text().toDouble(&numbers[0]), to = to_->text().toDouble(&numbers[1]);
  if (!numbers[0] || !numbers[1] || !(from < to))
    return refused(tr("Values: two numbers are expected, the smaller one first."));
  if (from < chosen->minimum || to > chosen->maximum)
    return refused(tr("Values: %1 lies between %2 and %3.")
                       .arg(parameter_->currentData().toString())
                       .arg(chosen->minimum)
                       .arg(chosen->maximum));
  request.parameter = {parameters_[static_cast<size_t>(parameter_->currentIndex())].first, chosen,
                       stepped_values(*chosen, from, to, static_cast<size_t>(steps_->value()))};
  VANTAGE_ASSIGN(request.spans.tune, span_from(tune_->text(), tr("Frames")));
  if (!test_->text().trimmed().isEmpty()) {
    VANTAGE_ASSIGN(request.spans.test, span_from(test_->text(), tr("test")));
  }
  request.how.metrics = {measured_by};
  request.how.blocks = kBlocks;
  return request;
}

void SweepPanel::show_measured(const SweepRequest& request, const std::map<size_t, SweepPoint>& measured) {
  std::vector<Curve> curves;
  if (!measured.empty()) {
    curves.push_back(swept_curve(tr("tuning span"), kForegroundOverlay, Qt::SolidLine, request, measured,
                                 &SweepPoint::tune));
    if (request.spans.test)
      curves.push_back(
          swept_curve(tr("test span"), kDoubtful, Qt::DashLine, request, measured, &SweepPoint::test));
    std::erase_if(curves, [](const Curve& curve) { return curve.points.empty(); });
    plot_->set_axis(QString::fromStdString(request.parameter.description->unit), {});
  }
  plot_->set_curves(std::move(curves), tr("Nothing was measured yet."));
  std::optional<BestPoint> best;
  if (!measured.empty()) best = best_point(*request.how.metrics[0], measured);
  plot_->set_marks({});
  if (best) plot_->set_marks({{request.parameter.values[best->point], tr("best"), {}, Qt::DashLine}});
  const std::optional<size_t> before = chosen_value();
  const QSignalBlocker blocked(table_);
  table_->setRowCount(static_cast<int>(measured.size()));
  int row = 0;
  for (const auto& [index, point] : measured) {
    const bool is_best = best && best->point == index;
    const bool as_good = best && std::ranges::find(best->as_good, index) != best->as_good.end();
    int column = 0;
    for (const QString& text :
         {QString::fromStdString(request.parameter.text(request.parameter.values[index])),
          swept_figure(point.tune), swept_figure(point.test),
          is_best   ? tr("best")
          : as_good ? tr("as good")
                    : QString()}) {
      auto* item = new QTableWidgetItem(text);
      item->setData(Qt::UserRole, static_cast<qulonglong>(index));
      if (as_good)
        item->setToolTip(tr("Its difference from the best may be noise, by blocks of time (95 %)"));
      table_->setItem(row, column++, item);
    }
    ++row;
  }
  if (before) choose_value(*before);
}

std::optional<size_t> SweepPanel::chosen_value() const {
  for (int row = 0; row < table_->rowCount(); ++row)
    if (table_->selectionModel()->isRowSelected(row, {}))
      return static_cast<size_t>(table_->item(row, kSweptValue)->data(Qt::UserRole).toULongLong());
  return std::nullopt;
}

void SweepPanel::choose_value(size_t value) {
  for (int row = 0; row < table_->rowCount(); ++row)
    if (table_->item(row, kSweptValue)->data(Qt::UserRole).toULongLong() == value) table_->selectRow(row);
}

void SweepPanel::show_text(const QString& words) {
  text_->setText(words);
  text_->setVisible(!words.isEmpty());
}

QString SweepPanel::text() const {
  return text_->text();
}

void SweepPanel::show_progress(size_t done, size_t all) {
  progress_->setRange(0, static_cast<int>(all));
  progress_->setValue(static_cast<int>(done));
  progress_->show();
}

void SweepPanel::hide_progress() {
  progress_->hide();
}

}  // namespace vantage::ui
