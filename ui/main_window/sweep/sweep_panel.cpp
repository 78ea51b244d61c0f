#include "ui/main_window/sweep/sweep_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/sweep_points.h"
#include "ui/widgets/curve_plot.h"
#include "ui/widgets/heat_map_plot.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kPointRole = Qt::UserRole;
enum MomentColumn { kMomentFrame, kMomentWhat, kMomentSpan };

QString swept_figure(const SpanFigures& figures) {
  if (figures.whole.empty() || !std::isfinite(figures.whole[0])) return QStringLiteral("\u2013");
  QString text = number_text(figures.whole[0], 'g', 4);
  if (const double deviation = deviation_of(figures, 0); std::isfinite(deviation))
    text += QStringLiteral(" \u00b1 %L1").arg(deviation, 0, 'g', 2);
  return text;
}

Curve swept_curve(const QString& name, QRgb color, Qt::PenStyle style, const SweepRequest& request,
                  const std::map<size_t, SweepPoint>& measured, SpanFigures SweepPoint::* span) {
  Curve curve{name, QColor(color), style, 2, {}, {}};
  for (const auto& [index, point] : measured) {
    const SpanFigures& figures = point.*span;
    if (!figures.whole.empty() && std::isfinite(figures.whole[0]))
      curve.points.emplace_back(request.points.points[index][0], figures.whole[0]);
  }
  std::ranges::stable_sort(curve.points, {}, &QPointF::x);  // random points
  return curve;
}

QWidget* titled(QWidget* head, QWidget* below, const std::vector<QAction*>& actions) {
  auto* part = new QWidget;
  auto* rows = new QVBoxLayout(part);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(kTight);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(kTight);
  buttons->addWidget(head, 1);
  for (QAction* action : actions) buttons->addWidget(text_button(action));
  rows->addLayout(buttons);
  rows->addWidget(below, 1);
  return part;
}

}  // namespace

QString point_words(const SweepPoints& points, size_t point) {
  QStringList words;
  for (size_t i = 0; i < points.parameters.size(); ++i) {
    const SweptParameter& parameter = points.parameters[i];
    words << QString::fromStdString(parameter.key() + " " + parameter.text(points.points[point][i]));
  }
  return words.join(QStringLiteral(", "));
}

SweepPanel::SweepPanel(const SweepPanelActions& actions, QWidget* parent)
    : QWidget(parent),
      form_(new SweepForm),
      plots_(new QStackedWidget),
      plot_(new CurvePlot(tr("Metric over the values"))),
      heat_map_(new HeatMapPlot(tr("Metric over both parameters"))),
      table_(row_table(tr("Values measured"), {tr("Value"), tr("Tuning span"), tr("Test span"), tr("")}, 3)),
      moments_(row_table(tr("Worst frames"), {tr("Frame"), tr("What"), tr("Span")}, kMomentWhat)),
      head_(quiet_label()),
      text_(text_label()) {
  setAccessibleName(tr("Sweep"));
  text_->setAccessibleName(tr("Result of the sweep"));
  head_->setAccessibleName(tr("Value that these frames belong to"));
  plot_->set_choosable(true);
  plots_->addWidget(plot_);
  plots_->addWidget(heat_map_);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kTight, kTight, kTight, kTight);
  page->setSpacing(kTight);
  page->addWidget(form_);
  page->addLayout(button_row(actions.sweep));
  auto* split = new QSplitter(Qt::Vertical);
  split->setChildrenCollapsible(false);
  split->addWidget(plots_);
  split->addWidget(table_);
  split->addWidget(titled(head_, moments_, actions.moments));
  split->setSizes({180, 110, 150});
  page->addWidget(split, 1);
  page->addWidget(text_);
  connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
    mark_chosen();
    emit point_chosen();
  });
  connect(plot_, &CurvePlot::point_chosen, this, [this](double x) {
    for (size_t point = 0; point < request_.points.points.size(); ++point)
      if (request_.points.points[point][0] == x) choose_point(point);
  });
  connect(heat_map_, &HeatMapPlot::cell_chosen, this, &SweepPanel::choose_point);
  connect(moments_, &QTableWidget::itemSelectionChanged, this, [this] {
    if (const int row = chosen_moment(); row >= 0) emit moment_chosen(row);
  });
  // Back to the one that is chosen already.
  connect(moments_, &QTableWidget::cellClicked, this, &SweepPanel::moment_chosen);
  show_measured({}, {});
  show_moments({}, {}, {});
}

// ---- the points

void SweepPanel::show_measured(const SweepRequest& request, const std::map<size_t, SweepPoint>& measured) {
  const std::optional<size_t> before = chosen_point();
  request_ = request, measured_ = &measured;
  const bool two = has_heat_maps();
  plots_->setCurrentWidget(two ? static_cast<QWidget*>(heat_map_) : plot_);
  two ? show_heat_maps() : show_curves();
  {
    const QSignalBlocker blocked(table_);
    fill_table();
    if (before) choose_point(*before);
  }
  measured_ = nullptr;
  mark_chosen();
}

bool SweepPanel::has_heat_maps() const {
  return request_.points.parameters.size() == 2 && !request_.points.random;
}

void SweepPanel::show_curves() {
  heat_map_->set_maps({}, {});
  std::vector<Curve> curves;
  plot_->set_marks({});
  if (request_.points.parameters.size() > 1)
    return plot_->set_curves({}, tr("Random points of two parameters are in the table below."));
  if (!measured_->empty()) {
    curves.push_back(swept_curve(tr("tuning span"), kForegroundOverlay, Qt::SolidLine, request_, *measured_,
                                 &SweepPoint::tune));
    if (request_.spans.test)
      curves.push_back(
          swept_curve(tr("test span"), kDoubtful, Qt::DashLine, request_, *measured_, &SweepPoint::test));
    std::erase_if(curves, [](const Curve& curve) { return curve.points.empty(); });
    plot_->set_axis(QString::fromStdString(request_.points.parameters[0].description->unit), {});
    if (const auto best = best_point(*request_.how.metrics[0], *measured_))
      plot_->set_marks({{request_.points.points[best->point][0], tr("best"), {}, Qt::DashLine}});
  }
  plot_->set_curves(std::move(curves), tr("Nothing was measured yet."));
}

void SweepPanel::show_heat_maps() {
  std::vector<QString> tips(request_.points.points.size());
  for (const auto& [index, point] : *measured_) tips[index] = tip(index);
  heat_map_->set_maps(
      sweep_heat_maps(request_.points, *request_.how.metrics[0], *measured_, request_.spans.test.has_value()),
      std::move(tips));
}

QString SweepPanel::tip(size_t point) const {
  const SweepPoint& figures = measured_->at(point);
  const std::string metric(request_.how.metrics[0]->name);
  QString text = tr("%1: %2 %3 on the tuning span")
                     .arg(point_words(request_.points, point), QString::fromStdString(metric),
                          swept_figure(figures.tune));
  if (!figures.test.whole.empty()) text += tr(", %1 on the test span").arg(swept_figure(figures.test));
  return text;
}

void SweepPanel::fill_table() {
  const std::optional<BestPoint> best =
      measured_->empty() ? std::nullopt : best_point(*request_.how.metrics[0], *measured_);
  QStringList columns;
  const bool two = request_.points.parameters.size() == 2;
  for (const SweptParameter& parameter : request_.points.parameters)
    columns << (two ? QString::fromStdString(parameter.description->name) : tr("Value"));
  if (columns.isEmpty()) columns << tr("Value");
  columns << tr("Tuning span") << tr("Test span") << QString();
  table_->setColumnCount(static_cast<int>(columns.size()));
  table_->setHorizontalHeaderLabels(columns);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setStretchLastSection(true);
  for (size_t i = 0; i < request_.points.parameters.size(); ++i)
    table_->horizontalHeaderItem(static_cast<int>(i))
        ->setToolTip(QString::fromStdString(axis_text(request_.points.parameters[i])));
  table_->setRowCount(static_cast<int>(measured_->size()));
  int row = 0;
  for (const auto& [index, point] : *measured_) {
    const bool is_best = best && best->point == index;
    const bool as_good = best && std::ranges::find(best->as_good, index) != best->as_good.end();
    QStringList texts;
    for (size_t i = 0; i < request_.points.parameters.size(); ++i)
      texts << QString::fromStdString(request_.points.parameters[i].text(request_.points.points[index][i]));
    texts << swept_figure(point.tune) << swept_figure(point.test)
          << (is_best   ? tr("best")
              : as_good ? tr("not told apart")
                        : QString());
    const QString words =
        as_good
            ? tr("%1. Its difference from the best may be noise, by blocks of time (95 %).").arg(tip(index))
            : tip(index);
    fill_row(table_, row, texts, words);
    table_->item(row, 0)->setData(kPointRole, static_cast<qulonglong>(index));
    ++row;
  }
}

void SweepPanel::mark_chosen() {
  const std::optional<size_t> chosen = chosen_point();
  const bool known = chosen && *chosen < request_.points.points.size();
  plot_->choose(known && request_.points.parameters.size() == 1
                    ? std::optional(request_.points.points[*chosen][0])
                    : std::nullopt);
  heat_map_->choose(known && has_heat_maps() ? chosen : std::nullopt);
}

std::optional<size_t> SweepPanel::chosen_point() const {
  for (int row = 0; row < table_->rowCount(); ++row)
    if (table_->selectionModel()->isRowSelected(row, {}))
      return static_cast<size_t>(table_->item(row, 0)->data(kPointRole).toULongLong());
  return std::nullopt;
}

void SweepPanel::choose_point(size_t point) {
  for (int row = 0; row < table_->rowCount(); ++row)
    if (table_->item(row, 0)->data(kPointRole).toULongLong() == point) {
      table_->selectRow(row);
      table_->scrollToItem(table_->item(row, 0));
    }
}

// ---- the worst frames

void SweepPanel::show_moments(const std::vector<SweptMoment>& moments, const QString& head,
                              const QString& empty) {
  const QSignalBlocker blocked(moments_);
  moments_->clearSelection();
  moments_->setRowCount(static_cast<int>(moments.size()));
  head_->setText(moments.empty() ? empty : head);
  for (int row = 0; row < moments_->rowCount(); ++row) {
    const auto& [moment, test] = moments[row];
    const QString what = QString::fromStdString(moment_text(moment));
    const QString frames = moment.first_frame == moment.last_frame
                               ? tr("Frame %1").arg(moment.frame)
                               : tr("Frames %1 to %2").arg(moment.first_frame).arg(moment.last_frame);
    fill_row(moments_, row, {QString::number(moment.frame), what, test ? tr("test") : tr("tuning")},
             QStringLiteral("%1: %2").arg(frames, what));
  }
}

int SweepPanel::chosen_moment() const {
  const auto rows = moments_->selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : rows.front().row();
}

void SweepPanel::choose_moment(int row) {
  const QSignalBlocker blocked(moments_);
  moments_->selectRow(row);
  moments_->scrollToItem(moments_->item(row, 0));
}

void SweepPanel::show_text(const QString& words) {
  text_->setText(words);
  text_->setVisible(!words.isEmpty());
}

}  // namespace vantage::ui
