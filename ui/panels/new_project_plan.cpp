#include "ui/panels/new_project_plan.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/project/match_cameras.h"
#include "core/project/scene_plan.h"
#include "ui/panels/new_project_page.h"
#include "ui/panels/new_project_row.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kMargin_px = 16;

// 1, 2 or 5 times a power of ten, about a fifth of the width.
double bar_m(double width_m) {
  const double power = std::pow(10, std::floor(std::log10(width_m / 5)));
  const double times = width_m / 5 / power;
  return power * (times < 2 ? 1 : times < 5 ? 2 : 5);
}

}  // namespace

NewProjectPlan::NewProjectPlan(QWidget* parent) : QWidget(parent) {
  setFixedSize(sizeHint());
  setAccessibleName(tr("Plan of the cameras"));
}

void NewProjectPlan::show_layout(ScenePlan layout) {
  layout_ = std::move(layout);
  const QString text = QString::fromStdString(plan_text(*layout_));
  setAccessibleDescription(text);
  setToolTip(tr("The cameras from above, with their heights in metres. Shaded: what each sees of the floor; "
                "framed: the region that they see together.\n") +
             text);
  update();
}

void NewProjectPlan::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().base());
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  if (!layout_) return;
  Eigen::AlignedBox2d box;
  for (const ScenePlan::Standing& camera : layout_->cameras)
    box.extend(Eigen::Vector2d(camera.at_m.head<2>()));
  if (const auto& grid = layout_->common) {
    const Eigen::Vector2d low(grid->origin_in_world_m[0], grid->origin_in_world_m[1]);
    box.extend(low),
        box.extend(Eigen::Vector2d(low + grid->voxel_size_m * Eigen::Vector2d(grid->nx, grid->ny)));
  }
  if (box.sizes().maxCoeff() < 1)  // a single camera: its field of view
    for (const ScenePlan::Standing& camera : layout_->cameras)
      for (const Eigen::Vector2d& corner : camera.floor_m) box.extend(corner);
  const double width_m = std::max(box.sizes().x(), 1.0), height_m = std::max(box.sizes().y(), 1.0);
  const double scale =
      std::min((width() - 2 * kMargin_px - 56) / width_m, (height() - 2 * kMargin_px - 20) / height_m);
  const auto at = [&](const Eigen::Vector2d& m) {
    const Eigen::Vector2d off = m - box.center();
    return QPointF(width() / 2.0 + scale * off.x() - 14, height() / 2.0 - scale * off.y() - 6);
  };
  int number = 0;
  for (const ScenePlan::Standing& camera : layout_->cameras) {
    QColor shade = camera_color(number++);
    shade.setAlphaF(0.12F);
    QPolygonF area;
    for (const Eigen::Vector2d& corner : camera.floor_m) area << at(corner);
    painter.setPen(Qt::NoPen);
    painter.setBrush(shade);
    painter.drawPolygon(area);
  }
  if (const auto& grid = layout_->common) {
    const Eigen::Vector2d low(grid->origin_in_world_m[0], grid->origin_in_world_m[1]);
    painter.setPen(QPen(palette().color(QPalette::Text), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(
        QRectF(at(low), at(low + grid->voxel_size_m * Eigen::Vector2d(grid->nx, grid->ny))).normalized());
  }
  number = 0;
  painter.setFont(sized(font(), TextSize::small));
  for (const ScenePlan::Standing& camera : layout_->cameras) {
    const QPointF place = at(camera.at_m.head<2>());
    painter.setPen(Qt::NoPen);
    painter.setBrush(camera_color(number++));
    painter.drawEllipse(place, 4.5, 4.5);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(place + QPointF(7, 4), QStringLiteral("%L1 m").arg(camera.at_m.z(), 0, 'f', 1));
  }
  const double bar = bar_m(width() / scale);
  const QPointF left(kMargin_px / 2, height() - 7.0);
  painter.drawLine(left, left + QPointF(bar * scale, 0));
  painter.drawText(left + QPointF(bar * scale + 5, 4), QStringLiteral("%1 m").arg(bar));
}

// New Project's calibrations: read off the GUI thread, listed, matched to the videos.

// For every picture size among the videos: some formats have no size.
void NewProjectPage::read_calibrations() {
  std::set<PictureSize> sizes;
  for (const NewProjectRow* row : rows_)
    if (row->opened() || row->video().isEmpty())  // 0 x 0: as in the calibration
      sizes.insert({row->probed().info.width_px, row->probed().info.height_px});
  CalibrationChoice choice;
  choice.unit_scale_m = unit_scale_->value();
  if (up_axis_->currentIndex() > 0) choice.up_axis = up_axis_->currentText().toStdString();
  choice.mirror = mirrored_->isChecked();
  reading_ = !calibrations_.empty() && !sizes.empty();
  const int turn = ++turn_;
  show_calibrations();
  update_state();
  if (!reading_) return;
  pool_.start([this, turn, sizes, choice, files = calibrations_]() mutable {
    std::map<PictureSize, std::vector<CalibratedCamera>> listed;
    for (CalibrationFile& file : files) {
      file.cameras.clear();
      file.error = {};
      for (const PictureSize& size : sizes) {
        auto read = read_calibrated_cameras(file.path.toStdString(), choice, size.first, size.second);
        if (!read)
          file.error = read.error();
        else if (!are_listed(*read, listed[size]))
          listed[size].insert(listed[size].end(), read->begin(), read->end()), file.cameras[size] = *read;
      }
    }
    QMetaObject::invokeMethod(
        this, [this, turn, files = std::move(files)]() mutable { on_calibrations(turn, std::move(files)); },
        Qt::QueuedConnection);
  });
}

void NewProjectPage::on_calibrations(int turn, std::vector<CalibrationFile> files) {
  if (turn != turn_) return;
  reading_ = false;
  calibrations_ = std::move(files);
  for (NewProjectRow* row : rows_) {
    std::vector<CalibratedCamera> cameras;
    const PictureSize size{row->probed().info.width_px, row->probed().info.height_px};
    for (const CalibrationFile& file : calibrations_)
      if (const auto found = file.cameras.find(size); found != file.cameras.end())
        cameras.insert(cameras.end(), found->second.begin(), found->second.end());
    row->set_cameras(cameras);
  }
  match_rows();
  show_calibrations();
  update_state();
}

void NewProjectPage::match_rows() {
  std::vector<std::string> names;
  // Every size has the same cameras in the same order.
  for (const CalibrationFile& file : calibrations_)
    if (!file.cameras.empty())
      for (const CalibratedCamera& camera : file.cameras.begin()->second)
        names.push_back(camera.camera.name());
  const auto matched = match_by_name(row_files(), names);
  for (size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i]->opened() || rows_[i]->video().isEmpty()) rows_[i]->match(matched[i]);
}

// Shows the cameras chosen in the rows, if every row has one, as a plan and as text; off the GUI thread,
// since their common view takes a while.
void NewProjectPage::lay_out_cameras() {
  std::vector<Camera> cameras;
  for (const NewProjectRow* row : rows_)
    if (const auto calibrated = row->camera().calibration) cameras.push_back(calibrated->camera);
  if (cameras.size() != rows_.size()) cameras.clear();
  const auto same = [](const Camera& a, const Camera& b) {
    return a.name() == b.name() && a.cam_from_world().matrix() == b.cam_from_world().matrix() &&
           a.intrinsics() == b.intrinsics();
  };
  if (std::equal(cameras.begin(), cameras.end(), laid_out_.begin(), laid_out_.end(), same)) return;
  laid_out_ = cameras;
  const int turn = ++layout_turn_;
  if (cameras.empty()) {
    plan_->hide(), stands_->hide();
    return;
  }
  pool_.start([this, turn, cameras] {
    QMetaObject::invokeMethod(
        this,
        [this, turn, layout = plan_scene(cameras)] {
          if (turn != layout_turn_) return;
          const QString doubt = page_words(plan_doubt(layout)).toHtmlEscaped();
          QString text = QString::fromStdString(plan_text(layout)).toHtmlEscaped();
          if (!doubt.isEmpty())
            text += QStringLiteral(" <b style=\"color:%1\">%2</b>").arg(QColor(kDoubtful).name(), doubt);
          stands_->setText(text);
          plan_->show_layout(layout);
          plan_->show(), stands_->show();
        },
        Qt::QueuedConnection);
  });
}

// "Calib.toml" or "4 files, config.xml and others".
QString NewProjectPage::files_text(const std::vector<size_t>& files) const {
  const QString first = QFileInfo(calibrations_[files.front()].path).fileName();
  return files.size() == 1 ? first : tr("%1 files, %2 and others").arg(files.size()).arg(first);
}

// One line for all files read alike, or with the same fault.
void NewProjectPage::show_calibrations() {
  while (QLayoutItem* item = calibration_list_->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  std::map<QString, std::vector<size_t>> alike;
  for (size_t i = 0; i < calibrations_.size(); ++i) {
    const CalibrationFile& file = calibrations_[i];
    const auto* cameras = file.cameras.empty() ? nullptr : &file.cameras.begin()->second;
    QString text;
    if (!file.error.what.empty())
      text = page_words(file.error.what + ". " + file.error.remedy);
    else if (cameras && !cameras->empty())
      text = QString::fromStdString(cameras->front().format + ", " + cameras->front().stated);
    alike[text].push_back(i);
  }
  for (const auto& [text, files] : alike) calibration_list_->addWidget(make_calibration_line(text, files));
  calibration_options_->setVisible(!calibrations_.empty());
}

QWidget* NewProjectPage::make_calibration_line(const QString& text, const std::vector<size_t>& files) {
  auto* line = new QWidget;
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  auto* mark = new QLabel;
  const bool failed = !calibrations_[files.front()].error.what.empty();
  mark->setPixmap(colored_pixmap(failed ? "failed" : "passed",
                                 failed ? QColor(kFailed) : palette().color(QPalette::PlaceholderText), 16,
                                 devicePixelRatioF()));
  QStringList paths;
  size_t cameras = 0;
  for (const size_t i : files) {
    paths << calibrations_[i].path;
    if (!calibrations_[i].cameras.empty()) cameras += calibrations_[i].cameras.begin()->second.size();
  }
  QString words = files_text(files);
  if (!text.isEmpty()) words += QStringLiteral(": ") + text;
  if (!failed && cameras > 0) words += tr("; cameras: %1").arg(cameras);
  auto* label = new QLabel(words);
  label->setWordWrap(true);
  label->setToolTip(paths.join('\n'));
  label->setTextFormat(Qt::PlainText);
  auto* remove = described(new QToolButton, tr("Remove calibration"), tr("Leave this calibration out"));
  remove->setAutoRaise(true);
  remove->setIcon(themed_icon("close", palette()));
  connect(remove, &QToolButton::clicked, this, [this, paths] {
    std::erase_if(calibrations_, [&](const CalibrationFile& file) { return paths.contains(file.path); });
    read_calibrations();
    if (calibrations_.empty())
      for (NewProjectRow* each : rows_) each->set_cameras({});
    update_state();
  });
  row->addWidget(mark, 0, Qt::AlignTop);
  row->addWidget(label, 1);
  row->addWidget(remove, 0, Qt::AlignTop);
  return line;
}

}  // namespace vantage::ui
