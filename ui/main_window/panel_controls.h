// The panel of the log, which fills itself.
#pragma once

#include <QString>
#include <optional>

#include "ui/main_window/control.h"

namespace vantage::ui {

class LogControl final : public Control {
  Q_OBJECT
 public:
  explicit LogControl(const WindowParts& parts);
};

// The panel of timings, and what it is told of the project and the session.

class TimingsControl final : public Control {
  Q_OBJECT
 public:
  explicit TimingsControl(const WindowParts& parts);

  void refresh(Changes what) override;
};

// The parameters of the open project: shown in their panel, changed there and next to the height map.

class ParametersPanel;

class ParametersControl final : public Control {
  Q_OBJECT
 public:
  explicit ParametersControl(const WindowParts& parts);

  void refresh(Changes what) override;

  // Brings up the panel with this parameter, "people.min_own".
  void show_parameter(const QString& key);

 private:
  template <typename Panel>
  void connect_editing(Panel* panel);

  ParametersPanel* panel_;
};

// The detections that carry the person under the pointer, or why a peak there is not a person, next to it.
// Its words are core/session/evidence_text.h's; the dock Why says more (ui/main_window/why).

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
