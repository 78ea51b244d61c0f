// Where the time goes: the spans of the last seconds summarised by name, refreshed twice a second while
// visible.
#pragma once

#include <QTimer>
#include <QWidget>
#include <deque>

#include "core/base/trace.h"

class QLabel;
class QTableWidget;

namespace vantage::ui {

class TimingsPanel final : public QWidget {
  Q_OBJECT
 public:
  // `trace` outlives the panel. It is read with take_new(): this panel is its only reader of that kind.
  explicit TimingsPanel(TraceRecorder* trace, QWidget* parent = nullptr);
  void refresh();
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
