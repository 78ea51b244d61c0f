#include "ui/panels/timings_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <array>

namespace vantage::ui {
namespace {

constexpr int64_t kWindowNs = 10'000'000'000;
constexpr size_t kMaxSpans = 20'000;
constexpr int kRefreshMs = 500;

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
  return QString::number(ms, 'f', ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

}  // namespace

TimingsPanel::TimingsPanel(TraceRecorder* trace, QWidget* parent)
    : QWidget(parent), trace_(trace), table_(new QTableWidget(0, 7)), summary_(new QLabel) {
  setAccessibleName(tr("Timings"));
  table_->setAccessibleName(tr("Timings of the last 10 seconds, in milliseconds"));
  table_->setHorizontalHeaderLabels(
      {tr("name"), tr("count"), tr("mean"), tr("p50"), tr("p95"), tr("p99"), tr("share")});
  table_->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  static constexpr std::array<const char*, 7> tips = {
      QT_TR_NOOP("What was timed"),
      QT_TR_NOOP("How often in the last 10 s"),
      QT_TR_NOOP("Mean, ms"),
      QT_TR_NOOP("Half took at most this, ms"),
      QT_TR_NOOP("95 of 100 took at most this, ms"),
      QT_TR_NOOP("99 of 100 took at most this, ms"),
      QT_TR_NOOP("Share of all time of the same kind (stage, kernel, copy, wait) on the same device")};
  for (int column = 0; column < table_->columnCount(); ++column)
    table_->horizontalHeaderItem(column)->setToolTip(tr(tips[static_cast<size_t>(column)]));
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(22);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setFocusPolicy(Qt::TabFocus);
  table_->horizontalHeader()->setMinimumSectionSize(30);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  QFont font = table_->font();
  font.setPointSizeF(std::max(7.0, font.pointSizeF() - 1));
  table_->setFont(font);
  table_->horizontalHeader()->setFont(font);
  summary_->setForegroundRole(QPalette::PlaceholderText);
  summary_->setWordWrap(true);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(4, 8, 4, 4);
  page->addWidget(summary_);
  page->addWidget(table_, 1);
  timer_.setInterval(kRefreshMs);
  connect(&timer_, &QTimer::timeout, this, &TimingsPanel::refresh);
}

void TimingsPanel::fetch() {
  std::vector<TraceSpan> fresh = trace_->take_new();
  for (TraceSpan& span : fresh) recent_.push_back(std::move(span));
  const int64_t oldest = trace_now_ns() - kWindowNs;
  while (!recent_.empty() && (recent_.front().start_ns < oldest || recent_.size() > kMaxSpans))
    recent_.pop_front();
}

void TimingsPanel::refresh() {
  fetch();
  const std::vector<SpanStatistics> rows = summarize({recent_.begin(), recent_.end()});
  summary_->setText(rows.empty() ? tr("Nothing was timed in the last 10 s. Play or analyse.")
                                 : tr("The last 10 s, milliseconds"));
  table_->setRowCount(static_cast<int>(rows.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const SpanStatistics& line = rows[static_cast<size_t>(row)];
    const bool on_host = line.device == "host";
    set_cell(*table_, row, 0,
             QString::fromStdString(on_host ? line.name : line.name + " (" + line.device + ")"));
    table_->item(row, 0)->setToolTip(tr("%1 (%2, %3)")
                                         .arg(QString::fromStdString(line.name), kind_text(line.kind),
                                              QString::fromStdString(line.device)));
    set_cell(*table_, row, 1, QString::number(line.count));
    set_cell(*table_, row, 2, milliseconds(line.mean_ms));
    set_cell(*table_, row, 3, milliseconds(line.p50_ms));
    set_cell(*table_, row, 4, milliseconds(line.p95_ms));
    set_cell(*table_, row, 5, milliseconds(line.p99_ms));
    set_cell(*table_, row, 6, QStringLiteral("%1 %").arg(qRound(line.share * 100)));
  }
}

FrameTimings TimingsPanel::timings_of(int64_t frame) {
  fetch();
  FrameTimings timings;
  for (const TraceSpan& span : recent_) {
    if (span.frame != frame || span.kind != SpanKind::stage) continue;
    const double ms = static_cast<double>(span.duration_ns) * 1e-6;
    if (span.camera < 0)
      timings.stages_ms[span.name] = ms;
    else if (span.name == "decode")
      timings.decode_ms[span.camera] = ms;
  }
  return timings;
}

int TimingsPanel::row_count() const {
  return table_->rowCount();
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
