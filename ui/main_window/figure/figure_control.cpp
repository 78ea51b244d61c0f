#include "ui/main_window/figure/figure_control.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QListWidget>
#include <QSettings>
#include <QUrl>
#include <QtMath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/log.h"
#include "ui/main_window/figure/scene_fields.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/form.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

constexpr int kFigureFieldWidth = 300, kFigureWidthStep_px = 2;

QString kind_words(FigureKind kind) {
  switch (kind) {
    case FigureKind::camera:
      return QObject::tr("A camera");
    case FigureKind::plan:
      return QObject::tr("Plan of the floor");
    case FigureKind::height_map:
      return QObject::tr("Height map");
    case FigureKind::scene:
      return QObject::tr("3-D scene");
  }
  return {};
}

QString overlay_words(FigureOverlay overlay) {
  QString words = QString::fromUtf8(figure_overlay_words(overlay).data());
  words[0] = words[0].toUpper();
  return words;
}

// A frame, which can be typed as a time, too.
class FrameField final : public QSpinBox {
 public:
  FrameField(const FrameTimes& times, int64_t value, int64_t last) : times_(times) {
    setRange(0, static_cast<int>(std::max<int64_t>(0, last)));
    setValue(static_cast<int>(value));
  }

 protected:
  int valueFromText(const QString& text) const override {
    const Result<TypedTime> time = parse_time(plain_time(text), times_.frame_rate, times_.clock);
    return time ? static_cast<int>(std::clamp<int64_t>(time->frame, minimum(), maximum())) : value();
  }
  QValidator::State validate(QString& text, int&) const override {
    return parse_time(plain_time(text), times_.frame_rate, times_.clock) ? QValidator::Acceptable
                                                                         : QValidator::Intermediate;
  }

 private:
  const FrameTimes times_;
};

}  // namespace

FigureDialog::FigureDialog(const Project& project, std::vector<Variant> variants, FigureFile file,
                           FrameRange frames, int64_t frame_count, const FrameTimes& times,
                           const SceneFigure& scene, QWidget* parent)
    : TaskDialog(file == FigureFile::film ? tr("Export Film") : tr("Export Figure"), tr("&Export"),
                 tr("Draw the file; the window can be used meanwhile"), parent),
      project_(project),
      variants_(std::move(variants)),
      file_(file) {
  const bool film = file == FigureFile::film;
  auto* form = new Form(fields());
  add_view(form);
  add_comparison(form);
  scene_ = new SceneFields(form, scene, film, this);
  first_ = new FrameField(times, frames.begin, frame_count - 1);
  form->add(film ? tr("&First frame") : tr("&Frame"), tr("Its number, or a time as the window shows it"),
            first_);
  if (film)
    last_ = form->add(tr("&Last frame"), tr("The last one that the film shows, likewise"),
                      new FrameField(times, frames.end - 1, frame_count - 1));
  width_ =
      form->add(tr("&Width"), tr("Width of the whole figure in pixels, an even number; the height follows"),
                number_field(kMinFigureWidth_px, kMaxFigureWidth_px,
                             QSettings().value("figure/width_px", FigureView().width_px).toInt(), tr(" px"),
                             kFigureWidthStep_px));
  add_file(form);
  lay_out();
  connect(view_, &QComboBox::currentIndexChanged, this, &FigureDialog::offer_overlays);
  connect(form, &Form::changed, this, &FigureDialog::update_state);
  connect(scene_, &SceneFields::changed, this, &FigureDialog::update_state);
  offer_overlays();
  show_running(false);
}

void FigureDialog::add_view(Form* form) {
  view_ = form->add_choice(tr("&View"), tr("What the figure shows"));
  for (const FigureKind kind : kFigureKinds) view_->addItem(kind_words(kind), static_cast<int>(kind));
  camera_ = form->add_choice(tr("&Camera"), tr("Whose picture"));
  for (const ProjectCamera& camera : project_.cameras) camera_->addItem(QString::fromStdString(camera.name));
  overlays_ =
      form->add(tr("&Drawn over it"), tr("What lies over the picture; Space checks"), new QListWidget);
}

// A is the project as it is, B a variant.
void FigureDialog::add_comparison(Form* form) {
  against_ = form->add_choice(
      tr("C&ompare with"),
      variants_.empty() ? tr("There are no variants: keep one first (Ctrl+F6)")
                        : tr("A variant (B) whose people and foreground are compared with those of the "
                             "parameters in use (A)"),
      {tr("nothing")});
  for (const Variant& variant : variants_) against_->addItem(QString::fromStdString(variant.name));
  compare_by_ = form->add_choice(tr("&How"), tr("In one picture, or A left and B right"),
                                 {tr("In one picture: colour shows what only one has"), tr("Side by side")});
  against_->setEnabled(!variants_.empty());
}

void FigureDialog::add_file(Form* form) {
  const bool film = file_ == FigureFile::film;
  const QString folder = QSettings().value("figure/folder", QDir::homePath()).toString();
  const QString stem = QString::fromStdString(project_.path.stem().string());
  const QString name = QStringLiteral("%1_%2.%3")
                           .arg(stem.isEmpty() ? QStringLiteral("figure") : stem)
                           .arg(first_->value(), 6, 10, QLatin1Char('0'))
                           .arg(film ? QStringLiteral("mp4") : QStringLiteral("png"));
  out_ = form->add_line(tr("F&ile"),
                        film ? tr("A name that ends in .mp4, .mkv or .avi") : tr("A name that ends in .png"),
                        QDir(folder).filePath(name), kFigureFieldWidth);
  add_chooser(out_, tr("Choose the file"), [this, film](const QString& now) {
    return QFileDialog::getSaveFileName(this, windowTitle(), now,
                                        film ? tr("Films (*.mp4 *.mkv *.avi)") : tr("PNG pictures (*.png)"));
  });
}

FigureKind FigureDialog::kind() const {
  return static_cast<FigureKind>(view_->currentData().toInt());
}

// The overlays of the view, with what is usual checked.
void FigureDialog::offer_overlays() {
  {
    const QSignalBlocker quiet(overlays_);
    overlays_->clear();
    const std::set<FigureOverlay> usual = default_figure_overlays(kind());
    for (const FigureOverlay overlay : figure_overlays(kind()))
      add_ticked(overlays_, overlay_words(overlay), usual.contains(overlay), static_cast<int>(overlay));
    set_rows_shown(overlays_, overlays_->count());
  }
  scene_->set_visible(kind() == FigureKind::scene);
  update_state();
}

FigureOptions FigureDialog::options() const {
  FigureOptions options;
  options.project = project_;
  options.view.kind = kind();
  options.view.camera = static_cast<size_t>(std::max(0, camera_->currentIndex()));
  options.view.overlays.clear();
  for (int row = 0; row < overlays_->count(); ++row)
    if (overlays_->item(row)->checkState() == Qt::Checked)
      options.view.overlays.insert(
          static_cast<FigureOverlay>(overlays_->item(row)->data(Qt::UserRole).toInt()));
  options.view.width_px = width_->value();
  if (const int variant = against_->currentIndex() - 1; variant >= 0)
    options.second = {variants_[variant].name, variants_[variant].parameters,
                      kFigureComparisons[compare_by_->currentIndex()]};
  options.view.scene = scene_->scene();
  options.frames = {first_->value(), (last_ ? last_ : first_)->value() + 1};
  options.out = QFileInfo(out_->text().trimmed()).absoluteFilePath().toStdString();
  return options;
}

void FigureDialog::update_state() {
  const FigureOptions wanted = options();
  camera_->setEnabled(wanted.view.kind == FigureKind::camera);
  compare_by_->setEnabled(wanted.second.has_value());
  const Status good = check_figure(wanted);
  const bool film_wanted = file_ == FigureFile::film;
  const bool right_file = (wanted.out.extension() == ".png") != film_wanted;
  show_problem(!good         ? QString::fromStdString(good.error().message())
               : right_file  ? QString()
               : film_wanted ? tr("Use a name that ends in .mp4, .mkv or .avi.")
                             : tr("Use a name that ends in .png."));
}

void FigureDialog::start() {
  const FigureOptions wanted = options();
  QSettings settings;
  settings.setValue("figure/width_px", wanted.view.width_px);
  settings.setValue("figure/folder", QFileInfo(out_->text().trimmed()).absolutePath());
  emit chosen(wanted);
}

namespace {

constexpr double kOfferedFilm_s = 10;

}  // namespace

FigureControl::FigureControl(const WindowParts& parts) : Control(parts) {
  const auto recorded = [this] {
    return unmet({{!state().live(), tr("Live cameras are recorded first, and drawn from the recording.")},
                  {project().has_pictures(), tr("The project has no videos.")}});
  };
  QAction* figure = add_action(
      {"export_figure", "&Figure…", "Ctrl+Alt+F",
       "A view at a chosen size, with scale, colour bar and a caption, as a PNG file"},
      {Menu::file_export, "export_picture"}, [this] { ask(FigureFile::picture); }, recorded);
  QAction* film = add_action(
      {"export_film", "Fi&lm…", "Ctrl+Alt+L",
       "The same over a span of frames, as a video; by default the range between I and O"},
      {Menu::file_export, "export_figure"}, [this] { ask(FigureFile::film); }, recorded);
  for (QAction* action : {figure, film}) action->setVisible(static_cast<bool>(parts.services.export_figure));
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
  dialog_ = new FigureDialog(project(), variants_, file, offered(file), state().status().frame_count,
                             state().times(), seen_in_window(), parts().window);
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
