// Which detections carry the person under the pointer, or why a peak there is not a person, next to it. Its
// words are core/session/evidence_text.h's; the dock Why says more (ui/main_window/why).
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

  // The text next to the pointer; empty: none.
  const QString& hover_text() const { return hover_text_; }

 private:
  // The position on the floor under the pointer, in a view or the scene; nothing: none.
  void point_at(const std::optional<Eigen::Vector3d>& position_in_world_m);
  QString text_at(const Eigen::Vector3d& position_in_world_m) const;

  int64_t person_ = 0;  // under the pointer; 0: none with a number
  QString hover_text_;
};

}  // namespace vantage::ui
