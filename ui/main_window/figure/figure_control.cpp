#include "ui/main_window/figure/figure_control.h"

#include <QAction>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>
#include <QtMath>
#include <algorithm>
#include <cmath>

#include "core/base/log.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

constexpr double kOfferedFilm_s = 10;

}  // namespace

FigureControl::FigureControl(const WindowParts& parts)
    : Control(parts),
      figure_(add_action({"export_figure", "&Figure…", "Ctrl+Alt+F",
                          "A view at a chosen size, with scale, colour bar and a caption, as a PNG file"},
                         {Menu::file_export, "export_picture"}, [this] { ask(FigureFile::picture); })),
      film_(add_action({"export_film", "Fi&lm…", "Ctrl+Alt+L",
                        "The same over a span of frames, as a video; by default the range between I and O"},
                       {Menu::file_export, "export_figure"}, [this] { ask(FigureFile::film); })) {
  for (QAction* action : {figure_, film_})
    action->setVisible(static_cast<bool>(parts.services.export_figure));
  connect(&job_, &BackgroundJob::stopped, this, [this] {
    if (dialog_) dialog_->show_running(false);
  });
  connect(parts.window->findChild<VariantsControl*>(), &VariantsControl::listed, this,
          &FigureControl::take_variants);
}

void FigureControl::take_variants(const std::vector<ShownVariant>& variants) {
  variants_.clear();
  for (const ShownVariant& one : variants) variants_.push_back(one.variant);
}

// The export goes on without the project: it has its own copy.
void FigureControl::forget() {
  variants_.clear();
  if (dialog_ && !job_.running()) delete dialog_;
}

void FigureControl::update_availability() {
  for (QAction* action : {figure_, film_})
    enable(action, !state().live() && project().has_pictures(),
           state().live() ? tr("Live cameras are recorded first, and drawn from the recording.")
                          : tr("The project has no videos."));
}

FrameRange FigureControl::offered(FigureFile file) const {
  const int64_t count = std::max<int64_t>(1, state().status().frame_count);
  const int64_t frame = std::clamp<int64_t>(parts().playback->frame(), 0, count - 1);
  if (file == FigureFile::picture) return {frame, frame + 1};
  if (!state().range().empty()) {
    const FrameRange marked = state().frames_of_range();
    return {marked.begin, std::min(marked.end, count)};
  }
  return {frame,
          std::min(count, frame + std::max<int64_t>(1, std::lround(kOfferedFilm_s * state().frame_rate())))};
}

// The point of view of the window's scene, as far as the dialog's fields can state it.
SceneFigure FigureControl::seen_in_window() const {
  SceneFigure scene;
  const OrbitCamera& view = parts().scene->point_of_view();
  const auto rounded = [](double value, double step) { return std::round(value / step) * step; };
  if (!view.top()) {
    scene.azimuth_deg = rounded(std::remainder(qRadiansToDegrees(view.azimuth_rad()), 360.0), 0.1);
    scene.elevation_deg = std::clamp(rounded(qRadiansToDegrees(view.elevation_rad()), 0.1),
                                     kMinSceneElevation_deg, kMaxSceneElevation_deg);
  }
  if (!view.top() && !parts().scene->shows_all()) {
    scene.distance_m = rounded(view.distance_m(), 0.01);
    scene.look_at_m = (view.target_m() * 100).array().round().matrix() / 100;
  }
  scene.by_height = !parts().scene->colored_by_person();
  scene.slice = parts().overlays->slice();
  return scene;
}

void FigureControl::ask(FigureFile file) {
  if (dialog_ && job_.running()) {
    dialog_->show();
    dialog_->raise();
    return;
  }
  delete dialog_;
  dialog_ = new FigureDialog(project(), variants_, file, offered(file), state().status().frame_count, 0,
                             seen_in_window(), parts().window);
  connect(dialog_, &FigureDialog::chosen, this, &FigureControl::begin);
  connect(dialog_, &FigureDialog::cancelled, this, [this] {
    job_.stop();
    dialog_->show_running(false);
  });
  dialog_->show();
}

void FigureControl::begin(const FigureOptions& chosen) {
  dialog_->show_running(true);
  job_.start(
      [this, chosen, run = parts().services.export_figure](const StopSource& stop) -> BackgroundJob::Deliver {
        FigureOptions options = chosen;
        options.stop = stop;
        options.progress = [this, stop](int64_t done, int64_t total) {
          QMetaObject::invokeMethod(
              this,
              [this, done, total, stop] {
                if (dialog_ && !stop.stop_requested() && job_.running()) dialog_->show_progress(done, total);
              },
              Qt::QueuedConnection);
        };
        return [this, chosen, made = run(options)] { finish(chosen, made); };
      });
}

void FigureControl::finish(const FigureOptions& wanted, const Result<ExportedFigure>& made) {
  if (dialog_) dialog_->show_running(false);
  if (!made) return emit failed(made.error());
  const QString file = QString::fromStdString(wanted.out.string());
  const QString size = tr("%1 x %2 px").arg(made->width_px).arg(made->height_px);
  const QString text = made->frames == 1
                           ? tr("Figure written to %1: %2.").arg(file, size)
                           : tr("Film written to %1: %2 frames, %3.").arg(file).arg(made->frames).arg(size);
  log_info(text.toStdString());
  parts().messages->post({Severity::note, text, tr("Open File"),
                          [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); }});
  if (dialog_) dialog_->close();
}

}  // namespace vantage::ui
