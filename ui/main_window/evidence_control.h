// Which detections carry the person under the pointer, beside it; and, when asked, what each camera says of
// the position that was clicked and why nobody was found there. Its words are core/session/evidence_text.h's.
#pragma once

#include <QString>
#include <optional>

#include "ui/main_window/control.h"

namespace vantage::ui {

class EvidenceControl final : public Control {
  Q_OBJECT
 public:
  explicit EvidenceControl(const WindowParts& parts);

  void forget() override;
  void update_availability() override;

  // The text beside the pointer; empty: none.
  const QString& hover_text() const { return hover_text_; }
  // The last answer about a position; empty: nothing was asked.
  const QString& answer() const { return answer_; }

 private:
  // The position on the floor under the pointer, in a view or the scene; nothing: none.
  void point_at(const std::optional<Eigen::Vector3d>& position_in_world_m);
  void offer_menu(const std::optional<Eigen::Vector3d>& position_in_world_m, const QPoint& at);
  void explain_pointed();
  void explain(const Eigen::Vector3d& position_in_world_m, const QPoint& at);
  QString text_at(const Eigen::Vector3d& position_in_world_m) const;

  QAction* why_nobody_;
  int64_t person_ = 0;  // under the pointer; 0: none with a number
  std::optional<Eigen::Vector3d> pointed_;
  QString hover_text_, answer_;
};

}  // namespace vantage::ui
