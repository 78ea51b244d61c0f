// Exports figures and films of the open project, with its present parameters, while the window does other
// work.
#pragma once

#include <QPointer>

#include "ui/main_window/control.h"
#include "ui/main_window/figure/figure_dialog.h"
#include "ui/main_window/variants/variants_control.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class FigureControl final : public Control {
  Q_OBJECT
 public:
  explicit FigureControl(const WindowParts& parts);

  void forget() override;
  void update_availability() override;
  FigureDialog* dialog() const { return dialog_; }  // null: none was asked for

 private:
  void ask(FigureFile file);
  void take_variants(const std::vector<ShownVariant>& variants);
  FrameRange offered(FigureFile file) const;
  SceneFigure seen_in_window() const;
  void begin(const FigureOptions& chosen);
  void finish(const FigureOptions& wanted, const Result<ExportedFigure>& made);

  QAction *figure_, *film_;
  std::vector<Variant> variants_;
  QPointer<FigureDialog> dialog_;
  BackgroundJob job_;  // the export
};

}  // namespace vantage::ui
