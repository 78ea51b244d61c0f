#include "ui/main_window/nudge/nudge_control.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/calibration/solve/measure.h"
#include "core/calibration/solve/points_solve.h"
#include "core/project/camera_in_time.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

// Root mean square distance of the camera's clicks from where all clicks together place their points.
std::optional<double> clicks_miss_px(const std::vector<Camera>& cameras,
                                     const std::vector<ClickedPoint>& points, const std::string& name) {
  PointsInput input;
  for (const Camera& camera : cameras) input.cameras.push_back({camera, false, false});
  input.points = points;
  const Result<PointsSolution> solution = solve_points(input);
  if (!solution) return std::nullopt;
  for (const PointsSolvedCamera& one : solution->cameras)
    if (one.camera.name() == name && one.clicks > 0) return one.after_px;
  return std::nullopt;
}

// The effect of a nudge, in words. `cameras`: as calibrated, by the project's names.
QString nudge_text(const std::vector<Camera>& cameras, const Camera& nudged,
                   const std::optional<VoxelGrid>& grid, const std::vector<ClickedPoint>& points) {
  std::vector<Camera> after = cameras;
  const auto at = std::find_if(after.begin(), after.end(),
                               [&](const Camera& camera) { return camera.name() == nudged.name(); });
  if (at == after.end()) return {};
  const Camera before = *at;
  *at = nudged;
  const CameraChange change = change_between(before, nudged);
  QString text = NudgeControl::tr("Turned by %1\u00b0, moved by %2 cm.")
                     .arg(change.head<3>().norm() * 180 / M_PI, 0, 'f', 2)
                     .arg(100 * change.segment<3>(3).norm(), 0, 'f', 1);
  if (grid)
    if (const auto compared = compare_cameras(before, nudged, &*grid); compared && !compared->floor.empty())
      text +=
          NudgeControl::tr(" Places on the floor move by up to %1 cm.").arg(100 * compared->max_m, 0, 'f', 1);
  const auto missed = clicks_miss_px(cameras, points, nudged.name()),
             misses = clicks_miss_px(after, points, nudged.name());
  if (missed && misses)
    text += NudgeControl::tr(" Its clicks miss by %1 px, calibrated by %2 px.")
                .arg(*misses, 0, 'f', 2)
                .arg(*missed, 0, 'f', 2);
  return text;
}

}  // namespace

NudgeControl::NudgeControl(const WindowParts& parts) : Control(parts) {
  const auto changed = [this] { return Need{!page_->change().isZero(), tr("Nothing is nudged.")}; };
  add_action(
      {"nudge_camera", "Nu&dge Camera", "Ctrl+Alt+G",
       "Try other values of the ticked camera's calibration, one by one, in all views"},
      {Menu::analysis, "drop_later_calibrations"}, [this] { show_page(); },
      [this] { return unmet({{!page_->camera().empty(), tr("No camera is calibrated.")}}); });
  QAction* apply = add_action(
      {"apply_nudge", "Appl&y Nudge", "", "Apply the nudged camera to the project; can be undone", false,
       "Apply"},
      {Menu::analysis, "nudge_camera"}, [this] { this->apply(); },
      [this, changed] { return unmet({changed(), idle()}); });
  QAction* reset = add_action(
      {"reset_nudge", "Rese&t Nudge", "Ctrl+Alt+Backspace", "Show the camera as it is calibrated", false,
       "Reset"},
      {Menu::analysis, "apply_nudge"}, [this] { end_tool(); }, [changed] { return unmet({changed()}); });
  page_ = new NudgePage({apply, reset});
  parts.calibrate->add_page(page_, tr("Nudge"));
  page_->installEventFilter(this);
  connect(page_, &NudgePage::nudged, this, &NudgeControl::show_nudge);
  connect(page_, &NudgePage::camera_chosen, this, &NudgeControl::show_as_calibrated);
}

void NudgeControl::show_page() {
  parts().calibrate->show_page(page_);
  if (const auto ticked = parts().calibrate->chosen_cameras(); !ticked.empty())
    page_->choose_camera(ticked.front());
  page_->fields().front()->setFocus();
}

// Shapes, clicks and masks belong to the calibration that the project has.
void NudgeControl::end_tool() {
  page_->reset();
  show_as_calibrated();
}

// A nudge ends when it is no longer visible.
bool NudgeControl::eventFilter(QObject* watched, QEvent* event) {
  if (watched == page_ && event->type() == QEvent::Hide && showing_) end_tool();
  return Control::eventFilter(watched, event);
}

void NudgeControl::forget() {
  job_.stop();
  page_->reset();
  page_->show_cameras({});
  showing_ = false;
}

// A project that changed otherwise has other calibrations: what was tried against the former ones goes.
void NudgeControl::refresh(Changes what) {
  if (!state().open()) return;
  if (what.testFlag(Change::project)) {
    std::vector<std::string> names;
    for (const Camera& camera : project().named_calibrations()) names.push_back(camera.name());
    page_->show_cameras(names);
    if (what.testFlag(Change::other_project) || state().project_change().recording) {
      job_.stop();
      page_->reset();
      showing_ = false;  // the views take the project's cameras themselves
    } else if (showing_) {
      show_nudge();
    }
    update_availability();
  } else if (what.testFlag(Change::frame) && showing_ && shown_at() != shown_at_) {
    show_nudge();
  }
}

// The frame set whose calibrations hold at the frame that is shown.
int64_t NudgeControl::shown_at() const {
  const int64_t frame = state().shown() ? state().shown()->result->frame : 0;
  int64_t at = 0;
  for (const int64_t change : project().calibration_changes())
    if (change <= frame) at = change;
  return at;
}

// The camera as it would be; nothing where no value is nudged, or no camera comes of them.
std::optional<Camera> NudgeControl::nudged() const {
  for (const Camera& camera : project().named_calibrations(shown_at()))
    if (camera.name() == page_->camera() && !page_->change().isZero())
      return changed_camera(camera, page_->change());
  return std::nullopt;
}

void NudgeControl::show_nudge() {
  const std::optional<Camera> camera = nudged();
  update_availability();
  if (!camera) return show_as_calibrated();
  Project then = project_at(project(), shown_at_ = shown_at());
  for (ProjectCamera& one : then.cameras)
    if (one.name == camera->name()) one.calibration = *camera;
  parts().cameras->set_cameras(then.cameras);
  parts().scene->set_project(then);
  showing_ = true;
  job_.start([this, camera = *camera, cameras = project().named_calibrations(shown_at_),
              points = project().points,
              project = project()](const StopSource& stop) -> BackgroundJob::Deliver {
    if (stop.stop_requested()) return {};  // a newer value is waiting
    std::optional<VoxelGrid> grid;
    if (project.calibrated())
      if (const auto fitted = project.effective_grid()) grid = *fitted;
    return [this, text = nudge_text(cameras, camera, grid, points)] { page_->show_words(text); };
  });
}

void NudgeControl::show_as_calibrated() {
  job_.stop();
  page_->show_words({});
  update_availability();
  if (!std::exchange(showing_, false)) return;
  const Project then = project_at(project(), shown_at());
  parts().cameras->set_cameras(then.cameras);
  parts().scene->set_project(then);
}

void NudgeControl::apply() {
  const std::optional<Camera> camera = nudged();
  if (!camera) return;
  post(command::Edit{"calibration of " + camera->name(),
                     [camera = *camera, frame = shown_at()](Project& project) {
                       for (ProjectCamera& one : project.cameras)
                         if (one.name == camera.name()) replace_calibration_at(&one, frame, camera);
                     }});
}

namespace {

struct NudgeField {
  const char *name, *tip, *unit;
  double step, range;
  double per_unit;  // CameraChange's unit for each of the field's
};
constexpr double kDegree = M_PI / 180;
constexpr NudgeField kNudgeFields[kChanges] = {
    {QT_TRANSLATE_NOOP("NudgePage", "Tilt"),
     QT_TRANSLATE_NOOP("NudgePage", "About the picture's x axis, degrees"), "\u00b0", 0.05, 45, kDegree},
    {QT_TRANSLATE_NOOP("NudgePage", "Pan"),
     QT_TRANSLATE_NOOP("NudgePage", "About the picture's y axis, degrees"), "\u00b0", 0.05, 45, kDegree},
    {QT_TRANSLATE_NOOP("NudgePage", "Roll"),
     QT_TRANSLATE_NOOP("NudgePage", "About the line of sight, degrees"), "\u00b0", 0.05, 45, kDegree},
    {QT_TRANSLATE_NOOP("NudgePage", "x"),
     QT_TRANSLATE_NOOP("NudgePage", "Along the world's x axis, centimetres"), " cm", 0.5, 500, 0.01},
    {QT_TRANSLATE_NOOP("NudgePage", "y"),
     QT_TRANSLATE_NOOP("NudgePage", "Along the world's y axis, centimetres"), " cm", 0.5, 500, 0.01},
    {QT_TRANSLATE_NOOP("NudgePage", "z"), QT_TRANSLATE_NOOP("NudgePage", "Up, centimetres"), " cm", 0.5, 500,
     0.01},
    {QT_TRANSLATE_NOOP("NudgePage", "Focal length"),
     QT_TRANSLATE_NOOP("NudgePage", "Longer, per cent: the picture shows less"), " %", 0.1, 50, 0.01},
};

}  // namespace

NudgePage::NudgePage(const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent), camera_(new QComboBox), words_(quiet_label()) {
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, kTight, 0, 0);
  page->setSpacing(kTight);
  auto* head = new QHBoxLayout;
  auto* label = new QLabel(tr("&Camera"));
  label->setBuddy(camera_);
  describe(camera_, tr("Camera to nudge"), tr("The camera for whose calibration other values are tried"));
  head->addWidget(label);
  head->addWidget(camera_, 1);
  page->addLayout(head);
  auto* grid = new QGridLayout;
  grid->setSpacing(kTight);
  for (int i = 0; i < kChanges; ++i) {
    const NudgeField& described = kNudgeFields[i];
    auto* field = new DecimalField;
    field->setRange(-described.range, described.range);
    field->setDecimals(2);
    field->setSingleStep(described.step);
    field->setSuffix(QString::fromUtf8(described.unit));
    describe(field, tr(described.name),
             tr(described.tip) + tr("; arrow keys step, Page Up and Down by ten steps"));
    const int row = i % 3, column = i == kChanges - 1 ? 0 : 2 * (i / 3);
    grid->addWidget(new QLabel(tr(described.name)), i == kChanges - 1 ? 3 : row, column);
    grid->addWidget(field, i == kChanges - 1 ? 3 : row, column + 1);
    connect(field, &QDoubleSpinBox::valueChanged, this, [this] {
      if (!filling_) emit nudged();
    });
    fields_[i] = field;
  }
  page->addLayout(grid);
  page->addLayout(button_row(actions));
  words_->setWordWrap(true);
  page->addWidget(words_);
  page->addStretch(1);
  connect(camera_, &QComboBox::currentIndexChanged, this, [this] {
    if (filling_) return;
    reset();
    emit camera_chosen();
  });
}

void NudgePage::show_cameras(const std::vector<std::string>& names) {
  const QString before = camera_->currentText();
  filling_ = true;
  camera_->clear();
  for (const std::string& name : names) camera_->addItem(QString::fromStdString(name));
  const int kept = camera_->findText(before);
  camera_->setCurrentIndex(kept >= 0 ? kept : camera_->count() > 0 ? 0 : -1);
  filling_ = false;
  for (QDoubleSpinBox* field : fields_) field->setEnabled(camera_->count() > 0);
}

std::string NudgePage::camera() const {
  return camera_->currentText().toStdString();
}

void NudgePage::choose_camera(const std::string& name) {
  camera_->setCurrentText(QString::fromStdString(name));
}

CameraChange NudgePage::change() const {
  CameraChange change;
  for (int i = 0; i < kChanges; ++i) change[i] = fields_[i]->value() * kNudgeFields[i].per_unit;
  return change;
}

void NudgePage::reset() {
  filling_ = true;
  for (QDoubleSpinBox* field : fields_) field->setValue(0);
  filling_ = false;
  show_words({});
}

void NudgePage::show_words(const QString& text) {
  words_->setText(text);
}

}  // namespace vantage::ui
