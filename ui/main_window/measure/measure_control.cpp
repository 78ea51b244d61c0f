#include "ui/main_window/measure/measure_control.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/calibration/solve/solution_report.h"
#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/overlay_control.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kPlumb_m = 2.5;  // of the line that shows what is straight above a foot

QString part_of(const Report& measure, const char* of_lengths, const char* of_angles) {
  const std::string& text = measure.text(of_lengths);
  return QString::fromStdString(text.empty() ? measure.text(of_angles) : text);
}

}  // namespace

MeasureControl::MeasureControl(const WindowParts& parts) : Control(parts) {
  const auto tool = [this](const ActionSpec& spec, const MenuPosition& place, MeasureKind kind) {
    QAction* action = add_action(
        spec, place, [this, kind](bool on) { on ? start(kind) : end(); },
        [this] {
          return unmet({{!project().named_calibrations().empty(), tr("Measuring needs a calibration.")}});
        });
    tools_.push_back({action, kind});
    return action;
  };
  const auto some = [this] { return unmet({{!measures_.empty(), tr("Nothing was measured yet.")}}); };
  QAction* distance =
      tool({"measure_distance", "Measure Dis&tance", "Alt+M",
            "Click or drag between two points of the floor, in a picture or the scene; Esc ends", true,
            "Distance"},
           {Menu::scene, "world_to_known", true}, MeasureKind::distance);
  QAction* height =
      tool({"measure_height", "Measure &Height", "Alt+Shift+M",
            "Click a point of the floor in a picture and one straight above it, or drag; Esc ends", true,
            "Height"},
           {Menu::scene, "measure_distance"}, MeasureKind::height);
  QAction* angle = tool({"measure_angle", "Measure An&gle", "Ctrl+Alt+M",
                         "Click three points of the floor: the angle at the second; Esc ends", true, "Angle"},
                        {Menu::scene, "measure_height"}, MeasureKind::angle);
  QAction* copy = add_action(
      {"copy_measures", "&Copy Measures", "", "Copy the chosen measures, or all, as text", false, "Copy"},
      {Menu::scene, "measure_angle"}, [this] { QApplication::clipboard()->setText(list_->text()); }, some);
  QAction* remove = add_action(
      {"remove_measures", "Remove Measu&res", "Alt+Shift+Del",
       "Remove the chosen measures, or all; Undo restores them", false, "Remove"},
      {Menu::scene, "copy_measures"}, [this] { this->remove(); }, some);
  list_ = new MeasureList({distance, height, angle}, {copy, remove});
  parts.calibrate->add_page(list_, tr("Measures"));
  parts.calibrate->installEventFilter(this);
  connect(parts.cameras, &CameraGrid::pointed, this, &MeasureControl::point_at);
  connect(parts.scene, &SceneView::pointed, this, &MeasureControl::point_at);
  connect(list_, &MeasureList::chosen_by_hand, this, &MeasureControl::show);
}

// The views live longer.
MeasureControl::~MeasureControl() {
  parts().cameras->drop_picture_tool(this);
  parts().scene->drop_floor_tool(this);
}

void MeasureControl::forget() {
  end();
  measures_.clear();
  list_->show_rows({});
  show();
}

void MeasureControl::refresh(Changes what) {
  if (!what.testFlag(Change::project) || !state().open()) return;
  measures_.clear();
  for (const ClickedMeasure& measure : project().measures)
    measures_.push_back({measure, this->measure(measure.kind, measure.clicks)});
  show();
  update_availability();
}

// ---- the tool

// A height needs a picture: the scene only says positions on the floor.
void MeasureControl::start(MeasureKind kind) {
  end();
  emit tool_begun();
  kind_ = kind;
  for (const auto& [action, its] : tools_) action->setChecked(its == kind);
  parts().cameras->set_picture_tool(this);
  parts().cameras->setCursor(Qt::CrossCursor);
  if (kind != MeasureKind::height) {
    parts().scene->set_floor_tool(this);
    parts().scene->setCursor(Qt::CrossCursor);
  }
  parts().calibrate->show_page(list_);
  if (!parts().scene->hasFocus()) parts().cameras->setFocus();
  show();
  emit availability_changed();
}

void MeasureControl::end() {
  for (const auto& [tool, kind] : tools_) tool->setChecked(false);
  if (!kind_) return;
  kind_.reset();
  clicks_.clear();
  drag_.reset();
  pointed_.reset();
  parts().cameras->drop_picture_tool(this);
  parts().scene->drop_floor_tool(this);
  if (!parts().cameras->has_tool()) parts().cameras->unsetCursor();
  if (!parts().scene->has_tool()) parts().scene->unsetCursor();
  show();
  emit availability_changed();
}

MeasureClick MeasureControl::in_picture(const PicturePosition& place) const {
  return {project().cameras[place.camera].name, place.at_px};
}

bool MeasureControl::press(const PicturePosition& place) {
  if (refuses_click(place.camera)) return true;
  return press(in_picture(place), place.reach_px);
}

bool MeasureControl::press(const FloorPosition& place) {
  return press(MeasureClick{{}, place.at_m}, place.reach_m);
}

bool MeasureControl::press(const MeasureClick& click, double reach) {
  drag_.reset();
  if (take(click) && !clicks_.empty()) drag_ = Drag{click, {}, reach};
  return true;
}

void MeasureControl::drag(const PicturePosition& place) {
  drag(in_picture(place));
}

void MeasureControl::drag(const FloorPosition& place) {
  drag(MeasureClick{{}, place.at_m});
}

// Within the picture in which the press was.
void MeasureControl::drag(const MeasureClick& click) {
  if (!drag_ || click.camera != drag_->from.camera) return;
  if (!drag_->to && (click.at - drag_->from.at).norm() <= drag_->reach) return;
  drag_->to = click;
  show();
}

void MeasureControl::release() {
  const std::optional<Drag> dragged = std::exchange(drag_, std::nullopt);
  if (dragged && dragged->to) take(*dragged->to);
}

void MeasureControl::abandon() {
  drag_.reset();
  show();
}

// The next click; one that shows no place is refused with the reason.
bool MeasureControl::take(const MeasureClick& click) {
  std::vector<MeasureClick> clicks = clicks_;
  clicks.push_back(click);
  const std::optional<Measured> result = measure(*kind_, clicks);
  if (!result) {
    const bool raised = *kind_ == MeasureKind::height && !clicks_.empty();
    parts().messages->post(
        {Severity::doubtful,
         raised ? tr("Nothing straight above the first point is seen there. Click in a calibrated picture.")
                : tr("No place of the floor is seen there. Click on the floor in a calibrated picture.")});
    return false;
  }
  pointed_.reset();
  if (clicks.size() == clicks_of(*kind_))
    post(command::Edit{"measure", [measure = ClickedMeasure{*kind_, std::exchange(clicks, {})}](
                                      Project& project) { project.measures.push_back(measure); }});
  clicks_ = clicks;
  show();
  update_availability();
  return true;
}

void MeasureControl::point_at(const std::optional<Eigen::Vector3d>& position_in_world_m) {
  if (!kind_ || *kind_ == MeasureKind::height || (clicks_.empty() && !pointed_)) return;
  pointed_.reset();
  if (position_in_world_m && !clicks_.empty()) pointed_ = MeasureClick{{}, position_in_world_m->head<2>()};
  show();
}

// ---- what was measured

std::optional<Measured> MeasureControl::measure(MeasureKind kind,
                                                const std::vector<MeasureClick>& clicks) const {
  return measured(kind, clicks, project().named_calibrations(), parts().proposal->known_poses());
}

// Nothing: its cameras show no such place any more.
std::optional<MarkedMeasure> MeasureControl::mark_of(const Measure& measure) {
  const std::optional<Measured>& result = measure.result;
  if (!result) return std::nullopt;
  const MeasureRow row = row_of(measure);
  MarkedMeasure mark{result->points_m, result->value ? row.value : QString(), false};
  if (result->std) mark.text += tr(" \u00b1 %1").arg(row.std);
  return mark;
}

MeasureRow MeasureControl::row_of(const Measure& measure) {
  const Report report = report_of(measure, measure.result);
  MeasureRow row{QString::fromStdString(report.text("kind")), part_of(report, "value_m", "value_deg"),
                 part_of(report, "std_m", "std_deg"), QString::fromStdString(report.text("clicked_in"))};
  if (row.value.isEmpty()) row.value = tr("not seen any more");
  return row;
}

void MeasureControl::show() {
  std::vector<MarkedMeasure> marks;
  const std::vector<int> chosen = list_->chosen();
  const bool shown = state().open() && (parts().calibrate->isVisible() || measuring());
  std::vector<MeasureRow> rows;
  for (size_t i = 0; i < measures_.size(); ++i) {
    rows.push_back(row_of(measures_[i]));
    std::optional<MarkedMeasure> mark = shown ? mark_of(measures_[i]) : std::nullopt;
    if (!mark) continue;
    mark->chosen = std::find(chosen.begin(), chosen.end(), static_cast<int>(i)) != chosen.end();
    marks.push_back(std::move(*mark));
  }
  if (kind_ && !clicks_.empty()) {
    Measure open{{*kind_, clicks_}, {}};
    const auto mark_now = [&] {
      open.result = measure(open.kind, open.clicks);
      return mark_of(open);
    };
    const std::optional<MeasureClick> next = drag_ && drag_->to ? drag_->to : pointed_;
    if (next) open.clicks.push_back(*next);
    std::optional<MarkedMeasure> mark = mark_now();
    if (!mark && next) open.clicks.pop_back(), mark = mark_now();
    if (mark && *kind_ == MeasureKind::height && mark->points_m.size() == 1)
      mark->points_m.push_back(mark->points_m[0] + kPlumb_m * Eigen::Vector3d::UnitZ());
    if (mark) mark->chosen = true, marks.push_back(std::move(*mark));
  }
  list_->show_rows(rows);
  parts().overlays->set_measures(std::move(marks));
}

void MeasureControl::remove() {
  const std::vector<int> chosen = list_->chosen();
  post(command::Edit{"remove measures", [chosen](Project& project) {
                       std::vector<ClickedMeasure>& measures = project.measures;
                       if (chosen.empty()) measures.clear();
                       for (auto row = chosen.rbegin(); row != chosen.rend(); ++row)
                         if (static_cast<size_t>(*row) < measures.size())
                           measures.erase(measures.begin() + *row);
                     }});
}

bool MeasureControl::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show || event->type() == QEvent::Hide) show();
  return QObject::eventFilter(watched, event);
}

MeasureList::MeasureList(const std::vector<QAction*>& tools, const std::vector<QAction*>& edits,
                         QWidget* parent)
    : QWidget(parent),
      table_(row_table(tr("Measures"), {tr("Measure"), tr("Value"), tr("\u00b1"), tr("In")}, 3)) {
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->horizontalHeaderItem(2)->setToolTip(
      tr("Standard deviation: of clicks by one pixel, and of cameras that were solved in this session"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, kTight, 0, 0);
  page->setSpacing(kTight);
  for (const std::vector<QAction*>& actions : {tools, edits}) page->addLayout(button_row(actions));
  page->addWidget(quiet_label(
      tr("Click or drag on the floor in a camera's picture or in the scene; a height in a picture: from "
         "the floor straight up. Esc ends.")));
  page->addWidget(table_, 1);
  connect(table_, &QTableWidget::itemSelectionChanged, this, &MeasureList::chosen_by_hand);
}

void MeasureList::show_rows(const std::vector<MeasureRow>& rows) {
  if (rows == rows_) return;  // as while the pointer moves
  rows_ = rows;
  table_->setRowCount(static_cast<int>(rows.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const MeasureRow& one = rows[row];
    fill_row(table_, row, {one.what, one.value, one.std, one.where});
    for (int column = 0; column < table_->columnCount(); ++column)
      table_->item(row, column)->setToolTip(table_->item(row, column)->text());
  }
}

std::vector<int> MeasureList::chosen() const {
  std::vector<int> rows;
  for (int row = 0; row < table_->rowCount(); ++row)
    if (table_->selectionModel()->isRowSelected(row, {})) rows.push_back(row);
  return rows;
}

QString MeasureList::text() const {
  std::vector<int> rows = chosen();
  if (rows.empty())
    for (int row = 0; row < table_->rowCount(); ++row) rows.push_back(row);
  QStringList lines;
  for (const int row : rows) {
    QStringList cells;
    for (int column = 0; column < table_->columnCount(); ++column) cells << table_->item(row, column)->text();
    lines << cells.join('\t');
  }
  return lines.join('\n');
}

}  // namespace vantage::ui
