// The parameters of the open project: shown in their panel, changed there and next to the height map.
#pragma once

#include "ui/main_window/control.h"

namespace vantage::ui {

class ParametersPanel;

class ParametersControl final : public Control {
  Q_OBJECT
 public:
  explicit ParametersControl(const WindowParts& parts);

  void refresh(Changes what) override;
  std::optional<Dock> dock() const override;

  // Brings up the panel with this parameter, "people.min_own".
  void show_parameter(const QString& key);

 private:
  template <typename Panel>
  void connect_editing(Panel* panel);

  QAction* dock_;
  ParametersPanel* panel_;
};

}  // namespace vantage::ui
