// Timings of the analysis: the spans of the last seconds over time and summarised by name, refreshed twice a
// second while visible and not paused; the latency of frames; exports; a comparison with earlier timings.
#pragma once

#include <QLabel>
#include <QTimer>
#include <QWidget>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/byte_stream.h"
#include "core/base/trace.h"
#include "core/image/backend/device.h"

class QTableWidget;
class QToolButton;

namespace vantage::ui {

class SpanTimeline;

// Timings of one frame; the newest ones if it was computed more than once.
struct FrameTimings {
  std::map<std::string, double> stages_ms;  // keyed by stage, for all cameras together
  std::map<int, double> decode_ms;          // keyed by camera
  std::optional<double> latency_ms;         // trace.h; only for frames of a run
};

class TimingsPanel final : public QWidget {
  Q_OBJECT
 public:
  // `spans` must outlive the panel.
  explicit TimingsPanel(SpanReaders* spans, QWidget* parent = nullptr);
  void set_launches(LaunchLookup launches);          // launches of kernels, shown with the selected span
  void set_cameras(std::vector<std::string> names);  // in order of the indices
  void refresh();
  // Timings of a frame among the last 10 s of work; else empty.
  FrameTimings timings_of(int64_t frame);
  // A run is in progress: frames go through the chain as they come, as those of live cameras and of an
  // analysis do. Only frames of the last run have a latency: others wait for the user to play, pause or seek.
  void set_running(bool running);
  void set_live(bool live);  // off: the display is frozen for examination
  // A timings.json to compare with; nothing: none.
  void compare_with(std::optional<std::vector<SpanStatistics>> baseline, const QString& name);

  int row_count() const;
  QString cell(int row, int column) const;
  QString summary() const { return summary_->text(); }
  // The position of a column, from the left.
  int position_of_column(int column) const;
  SpanTimeline* timeline() const { return timeline_; }
  QString details() const { return details_->text(); }

 signals:
  // File work for a thread other than the GUI's; `done` is shown on success.
  void work_requested(std::function<vantage::Status()> work, const QString& done);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* build_bar();
  void build_table();
  void fetch();
  void fill_table();
  void sort_by(int column);
  void fill_row(int row, const SpanStatistics& line, const std::optional<SpanStatistics>& before);
  std::vector<FrameLatency> run_latencies(const std::vector<TraceSpan>& spans) const;
  void show_summary();
  void arrange_columns();
  void show_span(const TraceSpan& span);
  void export_table();
  void export_spans();
  void export_chrome_trace();
  void save_baseline();
  void choose_baseline();
  std::string file_to_write(const QString& title, const QString& name, const QString& filter);

  SpanReaders* spans_;
  LaunchLookup launches_;
  QTimer timer_;
  bool live_ = true;
  uint64_t place_ = 0;  // position among the spans
  std::deque<TraceSpan> recent_;
  bool running_ = false;
  // Range of the last run; empty: there was none.
  int64_t run_begin_ns_ = 0, run_end_ns_ = 0;
  int64_t newest_ns_ = std::numeric_limits<int64_t>::min();  // end of the newest span read
  std::vector<SpanStatistics> rows_;
  int sort_column_ = -1;  // the table's; -1: as ordered by summarize()
  bool ascending_ = false;
  std::optional<std::vector<SpanStatistics>> baseline_;
  QString baseline_name_;
  SpanTimeline* timeline_;
  QTableWidget* table_;
  QLabel *summary_, *details_;
  QToolButton* live_button_;
};

}  // namespace vantage::ui
