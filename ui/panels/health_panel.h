// Health of the live cameras: a card per camera with its state, its figures, the last two minutes as a strip
// (height: share of the declared rate that arrived), and a sentence on any fault. Below, the targets of
// messages: what was delivered, what waits, and why.
#pragma once

#include <QLabel>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "core/live/health.h"
#include "core/push/push_queue.h"
#include "core/session/session.h"
#include "ui/widgets/live_badge.h"

namespace vantage::ui {

// The figures of a live camera in the words of a camera installer.

// Faults of a camera in the last seconds.
struct RecentFaults {
  int64_t decode_errors = 0, late = 0, reconnections = 0;
};

// The worst fault. `bound_ms`: maximum wait of a set for its last picture; `overloaded`: pictures are late
// because of this machine (machine_state()).
CameraState camera_state(const CameraHealth& health, const RecentFaults& recent, double bound_ms,
                         bool overloaded = false);

// The cause of missing pictures with its remedy, by the machine's own figures: the machine ("overloaded",
// "slow") or the network ("network"); good with an empty sentence: none.
CameraState machine_state(const LiveHealth& health, const std::vector<RecentFaults>& recent);

// Two lines of figures; the last one states the reference view of a turned camera.
QStringList health_figures(const CameraHealth& health);
// A target of messages: "12 delivered, 3 wait", and its fault.
CameraState push_state_text(const PushState& push);
// All cameras together: sets/s, latency, dropped sets.
QString live_summary(const LiveHealth& health);

class HealthCard;
class PushCard;
class ScrollList;

class HealthPanel final : public QWidget {
  Q_OBJECT
 public:
  // Offers `add_camera` while there are no live cameras.
  explicit HealthPanel(QAction* add_camera, QWidget* parent = nullptr);

  void show_health(const LiveHealth& health);
  void show_push(const std::vector<PushState>& targets);  // targets of messages; empty: nothing is sent
  void clear();                                           // no live cameras
  const std::vector<CameraState>& states() const { return states_; }
  const CameraState& machine() const { return machine_; }
  QString summary() const { return summary_->text(); }
  QStringList push_texts() const;  // "home: 12 delivered, 3 waiting. SENTENCE", by target

 signals:
  void view_accepted(int camera);  // the view of a turned camera is correct

 private:
  void make_cards(size_t cameras);
  void take_sample(const LiveHealth& health);
  void show_machine(const CameraState& state);

  std::vector<CameraState> states_;
  CameraState machine_;
  std::vector<std::vector<RecentFaults>> counts_;  // one per camera, one a second, the oldest first
  qint64 last_sample_ms_ = 0;
  QLabel *machine_mark_, *machine_text_, *summary_;
  QToolButton* add_;
  ScrollList* rows_;
  std::vector<HealthCard*> cards_;
  std::vector<PushState> push_;
  QLabel* push_title_;
  std::vector<PushCard*> push_cards_;
};

}  // namespace vantage::ui
