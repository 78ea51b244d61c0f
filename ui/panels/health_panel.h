// How well the live cameras feed the analysis: a card a camera with its state, its figures, the last two
// minutes as a strip (height: share of the declared rate that came), and a sentence where something is wrong.
// Below them the targets of messages: what was delivered, what waits, and why.
#pragma once

#include <QWidget>
#include <vector>

#include "core/session/session.h"
#include "ui/panels/health_text.h"

class QLabel;

namespace vantage::ui {

class HealthCard;
class PushCard;
class ScrollList;

class HealthPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit HealthPanel(QWidget* parent = nullptr);

  void show_health(const LiveHealth& health);
  void show_push(const std::vector<PushState>& targets);  // of messages; empty: nothing is sent
  void clear();                                           // no live cameras
  const std::vector<CameraState>& states() const { return states_; }
  QString summary() const;
  QStringList push_texts() const;  // "home: 12 delivered, 3 waiting. SENTENCE", by target

 signals:
  void view_accepted(int camera);  // what a turned camera shows is right

 private:
  void make_cards(size_t cameras);
  void take_sample(const LiveHealth& health);

  std::vector<CameraState> states_;
  std::vector<std::vector<RecentFaults>> counts_;  // by camera, one a second, the oldest first
  qint64 last_sample_ms_ = 0;
  QLabel* summary_;
  ScrollList* rows_;
  std::vector<HealthCard*> cards_;
  std::vector<PushState> push_;
  QLabel* push_title_;
  std::vector<PushCard*> push_cards_;
};

}  // namespace vantage::ui
