#include "ui/panels/timings_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QSplitter>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/file.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/span_timeline.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int64_t kWindowNs = 10'000'000'000;
constexpr size_t kMaxSpans = 20'000;
constexpr int kRefreshMs = 500;
constexpr int kPlainColumns = 7;  // without a comparison
constexpr int kMeanColumn = 2;

QString kind_text(SpanKind kind) {
  switch (kind) {
    case SpanKind::stage:
      return TimingsPanel::tr("stage");
    case SpanKind::kernel:
      return TimingsPanel::tr("kernel");
    case SpanKind::copy:
      return TimingsPanel::tr("copy");
    case SpanKind::wait:
      return TimingsPanel::tr("wait");
  }
  return {};
}

// "132 × 2": ones at the end are left out.
QString extent_text(const std::array<unsigned, 3>& extent) {
  QString text = QString::number(extent[0]);
  if (extent[1] > 1 || extent[2] > 1) text += QStringLiteral(" \u00d7 %1").arg(extent[1]);
  if (extent[2] > 1) text += QStringLiteral(" \u00d7 %1").arg(extent[2]);
  return text;
}

QStringList launch_texts(const LaunchShape& launch) {
  QStringList texts = {TimingsPanel::tr("%1 blocks of %2 threads")
                           .arg(extent_text(launch.blocks), extent_text(launch.threads))};
  if (launch.registers > 0) texts << TimingsPanel::tr("%1 registers a thread").arg(launch.registers);
  if (launch.shared_bytes > 0)
    texts << TimingsPanel::tr("%1 KiB shared a block").arg(launch.shared_bytes / 1024.0, 0, 'f', 1);
  return texts;
}

void set_cell(QTableWidget& table, int row, int column, const QString& text) {
  QTableWidgetItem* item = table.item(row, column);
  if (!item) {
    item = new QTableWidgetItem;
    item->setTextAlignment(Qt::AlignVCenter | (column == 0 ? Qt::AlignLeft : Qt::AlignRight));
    table.setItem(row, column, item);
  }
  if (item->text() != text) item->setText(text);
}

QString milliseconds(double ms) {
  return number_text(ms, 'f', ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

// "+12 %": of the mean, against the baseline's.
QString change_text(double now_ms, double before_ms) {
  if (!(before_ms > 0)) return {};
  const int percent = qRound(100 * (now_ms / before_ms - 1));
  return (percent > 0 ? QStringLiteral("+") : QString()) + QStringLiteral("%1 %").arg(percent);
}

// The figure of a column; without a baseline, below every other.
double figure_of(const SpanStatistics& line, const std::optional<SpanStatistics>& before, int column) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  switch (column) {
    case 1:
      return static_cast<double>(line.count);
    case 2:
      return line.mean_ms;
    case 3:
      return line.p50_ms;
    case 4:
      return line.p95_ms;
    case 5:
      return line.p99_ms;
    case 6:
      return line.share;
    case 7:
      return before ? before->mean_ms : kNone;
    default:
      return before && before->mean_ms > 0 ? line.mean_ms / before->mean_ms : kNone;
  }
}

void sort_rows(int column, bool ascending, const std::vector<SpanStatistics>& baseline,
               std::vector<SpanStatistics>* rows) {
  const auto before = matching(*rows, baseline);
  std::vector<size_t> order(rows->size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (!ascending) std::swap(a, b);
    if (column == 0) return (*rows)[a].name < (*rows)[b].name;
    return figure_of((*rows)[a], before[a], column) < figure_of((*rows)[b], before[b], column);
  });
  std::vector<SpanStatistics> sorted;
  for (const size_t row : order) sorted.push_back((*rows)[row]);
  *rows = std::move(sorted);
}

QToolButton* bar_button(const QString& text, const QString& tip) {
  auto* button = new QToolButton;
  button->setText(text);
  describe(button, text, tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

TimingsPanel::TimingsPanel(SpanReaders* spans, QWidget* parent)
    : QWidget(parent),
      spans_(spans),
      timeline_(new SpanTimeline),
      table_(new QTableWidget(0, kPlainColumns + 2)),
      summary_(new QLabel),
      details_(new QLabel) {
  setAccessibleName(tr("Timings"));
  build_table();
  summary_->setForegroundRole(QPalette::PlaceholderText);
  summary_->setWordWrap(true);
  details_->setWordWrap(true);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  details_->setAccessibleName(tr("The selected span"));
  details_->setForegroundRole(QPalette::PlaceholderText);
  details_->setText(tr("Click a span to see its figures."));
  auto* above = new QWidget;
  auto* rows = new QVBoxLayout(above);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->addWidget(timeline_, 1);
  rows->addWidget(details_);
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(above);
  split->addWidget(table_);
  split->setSizes({300, 260});
  split->setChildrenCollapsible(false);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kTight, kTight, kTight, kTight);
  page->addWidget(build_bar());
  page->addWidget(summary_);
  page->addWidget(split, 1);
  timer_.setInterval(kRefreshMs);
  connect(&timer_, &QTimer::timeout, this, &TimingsPanel::refresh);
  connect(timeline_, &SpanTimeline::span_selected, this, &TimingsPanel::show_span);
  // A user who examines a position wants it to stay.
  connect(timeline_, &SpanTimeline::following_changed, this, [this](bool following) {
    if (!following) set_live(false);
  });
  compare_with(std::nullopt, {});
}

QWidget* TimingsPanel::build_bar() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  live_button_ = bar_button(tr("Live"), tr("Always show the last 10 s; off: hold the display"));
  live_button_->setCheckable(true);
  live_button_->setChecked(true);
  connect(live_button_, &QToolButton::toggled, this, &TimingsPanel::set_live);
  auto* all = bar_button(tr("Show all"), tr("Zoom out to everything recorded (0 in the timeline)"));
  connect(all, &QToolButton::clicked, timeline_, &SpanTimeline::show_all);
  const auto menu_button = [](const QString& text, const QString& tip) {
    QToolButton* button = bar_button(text, tip);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(new QMenu(button));
    button->menu()->setToolTipsVisible(true);
    return button;
  };
  QToolButton* exports = menu_button(tr("Export"), tr("Write the timings to a file"));
  const auto add = [](QToolButton* to, const QString& text, const QString& tip, auto what) {
    QAction* action = to->menu()->addAction(text);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, to, what);
  };
  add(exports, tr("&Table as CSV\u2026"), tr("The table as shown"), [this] { export_table(); });
  add(exports, tr("&Spans as CSV\u2026"), tr("Every recorded span, one row each"),
      [this] { export_spans(); });
  add(exports, tr("&Chrome Trace\u2026"), tr("Every recorded span, for chrome://tracing or Perfetto"),
      [this] { export_chrome_trace(); });
  QToolButton* compare = menu_button(tr("Compare"), tr("Compare with timings saved earlier"));
  add(compare, tr("&Save as Baseline\u2026"), tr("Keep what is shown, to compare with it later"),
      [this] { save_baseline(); });
  add(compare, tr("&Compare With\u2026"), tr("A baseline, or the timings.json of a run's results"),
      [this] { choose_baseline(); });
  add(compare, tr("&No Comparison"), tr("Show only the current timings"),
      [this] { compare_with(std::nullopt, {}); });
  for (QToolButton* button : {live_button_, all, exports, compare}) row->addWidget(button);
  row->addStretch(1);
  return bar;
}

void TimingsPanel::build_table() {
  table_->setAccessibleName(tr("Timings of the last 10 seconds, in milliseconds"));
  table_->setHorizontalHeaderLabels({tr("name"), tr("count"), tr("mean"), tr("p50"), tr("p95"), tr("p99"),
                                     tr("share"), tr("before"), tr("change")});
  table_->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  static constexpr std::array<const char*, kPlainColumns + 2> tips = {
      QT_TR_NOOP("What was timed"),
      QT_TR_NOOP("How often in the last 10 s"),
      QT_TR_NOOP("Mean, ms"),
      QT_TR_NOOP("Median, ms"),
      QT_TR_NOOP("95th percentile, ms"),
      QT_TR_NOOP("99th percentile, ms"),
      QT_TR_NOOP("Share of the total time of the same kind (stage, kernel, copy, wait) on the same device"),
      QT_TR_NOOP("The baseline's mean, ms"),
      QT_TR_NOOP("Change of the mean against the baseline's")};
  for (int column = 0; column < table_->columnCount(); ++column)
    table_->horizontalHeaderItem(column)->setToolTip(tr(tips[column]));
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(22);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setFocusPolicy(Qt::TabFocus);
  table_->horizontalHeader()->setSectionsClickable(true);
  connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, &TimingsPanel::sort_by);
  table_->horizontalHeader()->setMinimumSectionSize(30);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  table_->setFont(sized(table_->font(), TextSize::small));
  table_->horizontalHeader()->setFont(table_->font());
}

void TimingsPanel::fetch() {
  std::vector<TraceSpan> fresh = spans_->take_new(&place_);
  if (fresh.empty()) return;
  // The window ends with the newest span, not now, so that the figures of a run stay after its end.
  for (TraceSpan& span : fresh) {
    newest_ns_ = std::max(newest_ns_, span.start_ns + span.duration_ns);
    recent_.push_back(std::move(span));
  }
  const int64_t oldest = newest_ns_ - kWindowNs;
  while (!recent_.empty() && (recent_.front().start_ns < oldest || recent_.size() > kMaxSpans))
    recent_.pop_front();
}

void TimingsPanel::refresh() {
  fetch();
  if (!live_) return;
  timeline_->set_spans({recent_.begin(), recent_.end()});
  rows_ = summarize(timeline_->spans());
  show_summary();
  fill_table();
}

void TimingsPanel::set_running(bool running) {
  if (std::exchange(running_, running) == running) return;
  if (running)
    run_begin_ns_ = trace_now_ns(), run_end_ns_ = std::numeric_limits<int64_t>::max();
  else
    run_end_ns_ = trace_now_ns();
}

std::vector<FrameLatency> TimingsPanel::run_latencies(const std::vector<TraceSpan>& spans) const {
  std::vector<TraceSpan> of_run;
  std::copy_if(spans.begin(), spans.end(), std::back_inserter(of_run), [&](const TraceSpan& span) {
    return span.start_ns >= run_begin_ns_ && span.start_ns + span.duration_ns <= run_end_ns_;
  });
  return frame_latencies(of_run);
}

void TimingsPanel::show_summary() {
  const std::vector<TraceSpan>& spans = timeline_->spans();
  if (spans.empty())
    return summary_->setText(tr("No timings yet. Play or analyse to see how long each stage takes."));
  QString text = tr("The last 10 s of work, milliseconds.");
  std::vector<double> latencies;
  for (const FrameLatency& frame : run_latencies(spans)) latencies.push_back(frame.ms);
  if (!latencies.empty()) {
    std::sort(latencies.begin(), latencies.end());
    const auto at = [&](double share) {
      return milliseconds(latencies[static_cast<size_t>(share * static_cast<double>(latencies.size() - 1))]);
    };
    text += tr(" From the last camera's bytes to the result: p50 %1, p95 %2, max %3.")
                .arg(at(0.5), at(0.95), milliseconds(latencies.back()));
  }
  if (baseline_) text += tr(" Compared with %1.").arg(QFileInfo(baseline_name_).fileName());
  summary_->setText(text);
}

// Largest first, names from A; the same column again reverses, then restores the order.
void TimingsPanel::sort_by(int column) {
  const bool by_name = column == 0;
  if (column != sort_column_)
    sort_column_ = column, ascending_ = by_name;
  else if (ascending_ == by_name)
    ascending_ = !by_name;
  else
    sort_column_ = -1;
  QHeaderView* header = table_->horizontalHeader();
  header->setSortIndicatorShown(sort_column_ >= 0);
  if (sort_column_ >= 0)
    header->setSortIndicator(sort_column_, ascending_ ? Qt::AscendingOrder : Qt::DescendingOrder);
  rows_ = summarize(timeline_->spans());
  fill_table();
}

void TimingsPanel::fill_table() {
  const auto baseline = baseline_.value_or(std::vector<SpanStatistics>());
  if (sort_column_ >= 0) sort_rows(sort_column_, ascending_, baseline, &rows_);
  const auto before = matching(rows_, baseline);
  table_->setRowCount(static_cast<int>(rows_.size()));
  for (int row = 0; row < table_->rowCount(); ++row) fill_row(row, rows_[row], before[row]);
}

void TimingsPanel::fill_row(int row, const SpanStatistics& line,
                            const std::optional<SpanStatistics>& before) {
  const bool on_host = line.device == "host";
  set_cell(*table_, row, 0,
           QString::fromStdString(on_host ? line.name : line.name + " (" + line.device + ")"));
  table_->item(row, 0)->setToolTip(
      tr("%1 (%2, %3)")
          .arg(QString::fromStdString(line.name), kind_text(line.kind), QString::fromStdString(line.device)));
  set_cell(*table_, row, 1, QString::number(line.count));
  set_cell(*table_, row, 2, milliseconds(line.mean_ms));
  set_cell(*table_, row, 3, milliseconds(line.p50_ms));
  set_cell(*table_, row, 4, milliseconds(line.p95_ms));
  set_cell(*table_, row, 5, milliseconds(line.p99_ms));
  set_cell(*table_, row, 6, QStringLiteral("%1 %").arg(qRound(line.share * 100)));
  set_cell(*table_, row, 7, before ? milliseconds(before->mean_ms) : QString());
  set_cell(*table_, row, 8, before ? change_text(line.mean_ms, before->mean_ms) : QString());
}

void TimingsPanel::show_span(const TraceSpan& span) {
  QStringList parts = {
      tr("%1 (%2) in %3")
          .arg(QString::fromStdString(span.name), kind_text(span.kind), QString::fromStdString(span.lane)),
      tr("%1 ms").arg(static_cast<double>(span.duration_ns) * 1e-6, 0, 'f', 4)};
  if (span.frame >= 0) parts << tr("frame %1").arg(span.frame);
  if (span.camera >= 0) parts << QString::fromStdString(camera_name(span.camera, timeline_->cameras()));
  if (span.bytes > 0) {
    const double seconds = static_cast<double>(span.duration_ns) * 1e-9;
    parts << tr("%L1 bytes").arg(span.bytes);
    if (seconds > 0) parts << tr("%1 GB/s").arg(static_cast<double>(span.bytes) * 1e-9 / seconds, 0, 'f', 2);
  }
  if (span.kind == SpanKind::kernel && launches_)
    if (const auto launch = launches_(span.name)) parts += launch_texts(*launch);
  details_->setForegroundRole(QPalette::WindowText);
  details_->setText(parts.join(", "));
}

void TimingsPanel::set_launches(LaunchLookup launches) {
  launches_ = std::move(launches);
}

void TimingsPanel::set_cameras(std::vector<std::string> names) {
  timeline_->set_cameras(std::move(names));
}

void TimingsPanel::set_live(bool live) {
  if (live_ == live) return;
  live_ = live;
  live_button_->setChecked(live);
  if (!live) return;
  timeline_->follow();
  refresh();
}

void TimingsPanel::compare_with(std::optional<std::vector<SpanStatistics>> baseline, const QString& name) {
  baseline_ = std::move(baseline);
  baseline_name_ = name;
  table_->horizontalHeaderItem(kPlainColumns)->setToolTip(tr("Mean in %1, ms").arg(name));
  arrange_columns();
  show_summary();
  fill_table();
}

// Compared values are next to the mean, and names keep their width: in a narrow dock the other columns are
// scrolled to.
void TimingsPanel::arrange_columns() {
  const bool compared = baseline_.has_value();
  QHeaderView* header = table_->horizontalHeader();
  header->setSectionResizeMode(0, compared ? QHeaderView::ResizeToContents : QHeaderView::Stretch);
  for (const int column : {kPlainColumns, kPlainColumns + 1}) {
    table_->setColumnHidden(column, !compared);
    header->moveSection(header->visualIndex(column),
                        compared ? kMeanColumn + 1 + column - kPlainColumns : column);
  }
}

std::string TimingsPanel::file_to_write(const QString& title, const QString& name, const QString& filter) {
  return QFileDialog::getSaveFileName(this, title, name, filter).toStdString();
}

void TimingsPanel::export_table() {
  const std::string file = file_to_write(tr("Export Timings"), "timings.csv", tr("CSV (*.csv)"));
  if (file.empty()) return;
  emit work_requested([file, rows = rows_] { return write_file_atomically(file, timings_csv(rows)); },
                      tr("Timings written to %1.").arg(QString::fromStdString(file)));
}

void TimingsPanel::export_spans() {
  const std::string file = file_to_write(tr("Export Spans"), "spans.csv", tr("CSV (*.csv)"));
  if (file.empty()) return;
  emit work_requested(
      [file, spans = spans_] { return write_file_atomically(file, spans_csv(spans->snapshot())); },
      tr("Spans written to %1.").arg(QString::fromStdString(file)));
}

void TimingsPanel::export_chrome_trace() {
  const std::string file = file_to_write(tr("Export Chrome Trace"), "trace.json", tr("Traces (*.json)"));
  if (file.empty()) return;
  emit work_requested(
      [file, spans = spans_] { return write_file_atomically(file, chrome_trace_json(spans->snapshot())); },
      tr("Trace written to %1.").arg(QString::fromStdString(file)));
}

void TimingsPanel::save_baseline() {
  const std::string file = file_to_write(tr("Save as Baseline"), "timings.json", tr("Timings (*.json)"));
  if (file.empty()) return;
  emit work_requested(
      [file, spans = timeline_->spans()] { return write_file_atomically(file, timings_json(spans, 0)); },
      tr("Baseline written to %1.").arg(QString::fromStdString(file)));
}

void TimingsPanel::choose_baseline() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Compare With"), {}, tr("Timings (*.json)"));
  if (file.isEmpty()) return;
  emit work_requested(
      [this, file]() -> Status {
        VANTAGE_ASSIGN(const std::string text, read_file(file.toStdString()));
        VANTAGE_ASSIGN(auto rows, read_timings(text, file.toStdString()));
        QMetaObject::invokeMethod(
            this, [this, rows = std::move(rows), file] { compare_with(rows, file); }, Qt::QueuedConnection);
        return {};
      },
      tr("Compared with %1.").arg(file));
}

FrameTimings TimingsPanel::timings_of(int64_t frame) {
  fetch();
  FrameTimings timings;
  std::vector<TraceSpan> of_frame;
  for (const TraceSpan& span : recent_) {
    if (span.frame != frame || span.kind != SpanKind::stage) continue;
    of_frame.push_back(span);
    const double ms = static_cast<double>(span.duration_ns) * 1e-6;
    if (span.camera < 0)
      timings.stages_ms[span.name] = ms;
    else if (span.name == "decode")
      timings.decode_ms[span.camera] = ms;
  }
  if (const auto latencies = run_latencies(of_frame); !latencies.empty())
    timings.latency_ms = latencies.front().ms;
  return timings;
}

int TimingsPanel::row_count() const {
  return table_->rowCount();
}

QString TimingsPanel::cell(int row, int column) const {
  const QTableWidgetItem* item = table_->item(row, column);
  return item && !table_->isColumnHidden(column) ? item->text() : QString();
}

int TimingsPanel::position_of_column(int column) const {
  return table_->horizontalHeader()->visualIndex(column);
}

void TimingsPanel::showEvent(QShowEvent* event) {
  refresh();
  timer_.start();
  QWidget::showEvent(event);
}

void TimingsPanel::hideEvent(QHideEvent* event) {
  timer_.stop();
  QWidget::hideEvent(event);
}

}  // namespace vantage::ui
