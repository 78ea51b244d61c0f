// Exports figures and films of the open project, with its present parameters, while the window does other
// work.
#pragma once

#include <QPointer>
#include <vector>

#include "core/export/figure/figure.h"
#include "core/project/variants.h"
#include "ui/main_window/control.h"
#include "ui/main_window/variants/variants_control.h"
#include "ui/platform/background_job.h"
#include "ui/widgets/task_dialog.h"

class QComboBox;
class QLineEdit;
class QListWidget;
class QSpinBox;

namespace vantage::ui {

// Asks for a figure or a film: the view and what is drawn over it, frames, width, file; then
// shows how far it is.

enum class FigureFile : uint8_t { picture, film };

class Form;
class SceneFields;

class FigureDialog final : public TaskDialog {
  Q_OBJECT
 public:
  // `variants`: with which the project can be compared. `frames`: what is offered; a picture shows the first
  // of them. `scene`: likewise, of the 3-D scene.
  FigureDialog(const Project& project, std::vector<Variant> variants, FigureFile file, FrameRange frames,
               int64_t frame_count, const FrameTimes& times, const SceneFigure& scene,
               QWidget* parent = nullptr);

  FigureFile file() const { return file_; }

 signals:
  // Everything but the backends.
  void chosen(const vantage::FigureOptions& options);

 private:
  void add_view(Form* form);
  void add_comparison(Form* form);
  void add_file(Form* form);
  FigureKind kind() const;
  void offer_overlays();
  FigureOptions options() const;
  void update_state() override;
  void start() override;

  const Project project_;
  const std::vector<Variant> variants_;
  const FigureFile file_;
  QComboBox *view_, *camera_, *against_, *compare_by_;
  QListWidget* overlays_;
  SceneFields* scene_;
  QSpinBox *first_, *last_ = nullptr, *width_;  // last: of a film
  QLineEdit* out_;
};

class FigureControl final : public Control {
  Q_OBJECT
 public:
  explicit FigureControl(const WindowParts& parts);

  void forget() override;
  FigureDialog* dialog() const { return dialog_; }  // null: none was asked for

 private:
  void ask(FigureFile file);
  void take_variants(const std::vector<ShownVariant>& variants);
  FrameRange offered(FigureFile file) const;
  SceneFigure seen_in_window() const;
  void begin(const FigureOptions& chosen);
  void finish(const FigureOptions& wanted, const Result<ExportedFigure>& made);

  std::vector<Variant> variants_;
  QPointer<FigureDialog> dialog_;
  BackgroundJob job_;  // the export
};

}  // namespace vantage::ui
