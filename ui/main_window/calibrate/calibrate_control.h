// Calibration in the window: cameras solved by clicked points or by people, and what is proposed, which is
// applied as an edit that can be undone. Points, boxes, boards and measures are pages of its dock.
#pragma once

#include <optional>

#include "core/check/check.h"
#include "ui/main_window/control.h"

namespace vantage::ui {

struct CalibrateCommands;

class CalibrateControl final : public Control {
  Q_OBJECT
 public:
  explicit CalibrateControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  std::optional<RunningWork> running() const override;
  void stop() override;

  CalibratePanel* panel() const { return panel_; }

 private:
  CalibrateCommands add_commands();
  Need unsolved() const;
  Need ticked() const;
  bool ticked_later() const;  // a camera with another pose from a later frame on
  void show_proposals();
  void show_cameras();
  void apply();
  void propose_people();
  void propose_bumps();
  void drop_later();

  CalibratePanel* panel_;
  CheckReport checked_;
};

}  // namespace vantage::ui
