#include "ui/main_window/cameras/cameras_control.h"

#include <QAction>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/base/address_credentials.h"
#include "core/geometry/lens_inverse.h"
#include "core/project/rename.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

enum ListedColumn { kListedName, kListedPicture, kListedOffset, kListedView, kListedHeight, kListedColumns };

double angle_between(const Ray& a, const Ray& b) {
  return std::acos(std::clamp(a.direction_in_world.dot(b.direction_in_world), -1.0, 1.0));
}

// The horizontal angle of view in degrees, by way of the middle, since a fisheye's may exceed 180; nothing
// where the lens model does not reach the borders.
std::optional<double> angle_of_view(const Camera& camera) {
  const double middle = 0.5 * (camera.height_px() - 1), right = camera.width_px() - 1;
  const auto a = camera.ray({0, middle}), b = camera.ray({0.5 * right, middle}),
             c = camera.ray({right, middle});
  if (!a || !b || !c) return std::nullopt;
  return (angle_between(*a, *b) + angle_between(*b, *c)) * 180 / std::numbers::pi;
}

QString tip_of(const ProjectCamera& camera, const Camera* calibration) {
  QStringList lines = {qt_text(redact_credentials(camera.video))};
  if (calibration) {
    const Eigen::Vector3d at = calibration->center_in_world_m();
    lines << CamerasPanel::tr("%1 lens, focal length %2 px")
                 .arg(qt_text(lens_model_name(calibration->model().lens)))
                 .arg(calibration->model().fx_px, 0, 'f', 1)
          << CamerasPanel::tr("stands at x %1, y %2, z %3 m")
                 .arg(at.x(), 0, 'f', 2)
                 .arg(at.y(), 0, 'f', 2)
                 .arg(at.z(), 0, 'f', 2);
  } else {
    lines << CamerasPanel::tr("not calibrated");
  }
  if (!camera.offset_changes.empty())
    lines << CamerasPanel::tr("loses frames %1 times").arg(camera.offset_changes.size());
  return lines.join('\n');
}

}  // namespace

CamerasPanel::CamerasPanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent),
      table_(row_table(tr("Cameras"), {tr("Camera"), tr("Picture"), tr("Offset"), tr("View"), tr("Height")},
                       kListedName)) {
  setAccessibleName(tr("Cameras"));
  const QStringList tips = {tr("Name; double-click renames it"),
                            tr("Width and height of the calibrated picture, pixels"),
                            tr("The frame of this camera simultaneous with frame 0 of the first"),
                            tr("Horizontal angle of view, degrees"), tr("Height above the floor, metres")};
  for (int column = 0; column < kListedColumns; ++column)
    table_->horizontalHeaderItem(column)->setToolTip(tips[column]);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kApart, kApart);
  page->addLayout(button_row(commands));
  page->addWidget(
      quiet_label(tr("Offset: a camera's frame at frame 0 of the first. View: its horizontal angle. "
                     "A double-click on a name renames the camera.")));
  page->addWidget(table_, 1);
  connect(table_, &QTableWidget::cellChanged, this, [this](int row, int column) {
    if (!filling_ && column == kListedName)
      emit renamed(row, table_->item(row, kListedName)->text().trimmed());
  });
}

void CamerasPanel::show_cameras(const Project& project, int64_t frame_set) {
  filling_ = true;
  table_->setRowCount(static_cast<int>(project.cameras.size()));
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const ProjectCamera& camera = project.cameras[c];
    const Camera* calibration = camera.calibration_at(frame_set);
    const std::optional<double> view = calibration ? angle_of_view(*calibration) : std::nullopt;
    const QString none = QStringLiteral("\u2013");
    const auto row = static_cast<int>(c);
    fill_row(table_, row,
             {qt_text(camera.name),
              calibration ? tr("%1 × %2").arg(calibration->width_px()).arg(calibration->height_px()) : none,
              c == 0 ? tr("base") : number_text(camera.offset_frames, 'g', 6),
              view ? tr("%1°").arg(*view, 0, 'f', 0) : none,
              calibration ? tr("%1 m").arg(calibration->center_in_world_m().z(), 0, 'f', 2) : none},
             tip_of(camera, calibration));
    // Only what differs is set: any other change would put the old name into the field that is typed into.
    for (int column = kListedName + 1; column < kListedColumns; ++column)
      if (QTableWidgetItem* item = table_->item(row, column); item->flags() & Qt::ItemIsEditable)
        item->setFlags(item->flags() & ~Qt::ItemIsEditable);
    table_->item(row, kListedName)->setData(Qt::DecorationRole, camera_color(row));
  }
  filling_ = false;
}

void CamerasPanel::edit_name() {
  const int row = std::max(0, table_->currentRow());
  table_->setCurrentCell(row, kListedName);
  table_->setFocus();
  table_->editItem(table_->item(row, kListedName));
}

CamerasControl::CamerasControl(const WindowParts& parts) : Control(parts) {
  QAction* rename = add_action(
      {"rename_camera", "Re&name Camera", "Alt+Shift+C",
       "Rename the chosen camera: results, calibration, offsets, clicks and masks stay", false, "Rename"},
      {Menu::cameras},
      [this] {
        emit dock_wanted();
        panel_->edit_name();
      },
      needs_project);
  panel_ = new CamerasPanel({rename});
  add_dock({"cameras_dock", "Ca&meras", "Shift+F9",
            "Show picture, offset, angle of view and position of every camera, and rename cameras"},
           "synchronisation", tr("Cameras"), panel_);
  connect(dock()->action, &QAction::toggled, this, &CamerasControl::show_cameras);
  connect(panel_, &CamerasPanel::renamed, this, &CamerasControl::rename);
}

void CamerasControl::refresh(Changes what) {
  // A frame changes the table only where a camera was bumped during the recording.
  const bool in_time = what.testFlag(Change::frame) && state().open() && dock_shown() &&
                       std::ranges::any_of(project().cameras, [](const ProjectCamera& camera) {
                         return !camera.later_calibrations.empty();
                       });
  if (what.testFlag(Change::project) || in_time) show_cameras();
}

void CamerasControl::show_cameras() {
  const ShownFrameRef& shown = state().shown();
  panel_->show_cameras(state().open() ? project() : Project(), shown ? shown->result->frame : 0);
}

void CamerasControl::rename(int camera, const QString& name) {
  const std::string from = project().cameras.at(static_cast<size_t>(camera)).name, to = name.toStdString();
  Project tried = project();
  if (const Status fits = rename_part(&tried, NamedPart::camera, from, to); !fits) {
    emit failed(fits.error());
    return show_cameras();
  }
  if (from != to)
    post(command::Edit{"rename " + from, [=](Project& project) {
                         static_cast<void>(rename_part(&project, NamedPart::camera, from, to));
                       }});
}

}  // namespace vantage::ui
