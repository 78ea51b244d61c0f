// Where the time goes: the spans of the last seconds summarised by name, refreshed twice a second while
// visible.
#pragma once

#include <QTimer>
#include <QWidget>
#include <deque>
#include <map>
#include <string>

#include "core/base/trace.h"

class QLabel;
class QTableWidget;

namespace vantage::ui {

// What one frame took; the newest where it was computed more than once.
struct FrameTimings {
  std::map<std::string, double> stages_ms;  // by stage, of all cameras together
  std::map<int, double> decode_ms;          // by camera
};

class TimingsPanel final : public QWidget {
  Q_OBJECT
 public:
  // `trace` outlives the panel. It is read with take_new(): this panel is its only reader of that kind.
  explicit TimingsPanel(TraceRecorder* trace, QWidget* parent = nullptr);
  void refresh();
  // Of a frame computed in the last 10 s; empty otherwise.
  FrameTimings timings_of(int64_t frame);
  int row_count() const;

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void fetch();

  TraceRecorder* trace_;
  QTimer timer_;
  std::deque<TraceSpan> recent_;
  QTableWidget* table_;
  QLabel* summary_;
};

}  // namespace vantage::ui
