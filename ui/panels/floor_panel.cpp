#include "ui/panels/floor_panel.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

enum FloorColumn { kFloorName, kFloorNow, kFloorAll };

QString percent(double share) {
  return number_text(100 * share, 'f', 0) + QStringLiteral("\u00a0%");
}

}  // namespace

std::vector<Eigen::Vector2d> corners_of(const Project& project, const FloorShapeRef& shape) {
  if (shape.zone) return project.zones[shape.index].corners_m;
  return {project.lines[shape.index].from_m, project.lines[shape.index].to_m};
}

const std::string& name_of(const Project& project, const FloorShapeRef& shape) {
  return shape.zone ? project.zones[shape.index].name : project.lines[shape.index].name;
}

std::optional<std::vector<Eigen::Vector2d>> corners_from(const QString& text, size_t min) {
  std::vector<Eigen::Vector2d> corners;
  for (const QString& position : text.split(';', Qt::SkipEmptyParts)) {
    const QStringList numbers = position.simplified().split(' ', Qt::SkipEmptyParts);
    bool x_ok = false, y_ok = false;
    if (numbers.size() != 2) return std::nullopt;
    corners.emplace_back(typed_number(numbers[0], &x_ok), typed_number(numbers[1], &y_ok));
    if (!x_ok || !y_ok || !corners.back().allFinite()) return std::nullopt;
  }
  if (corners.size() < min || (min == 2 && corners.size() != 2)) return std::nullopt;
  return corners;
}

FloorPanel::FloorPanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent),
      table_(new QTableWidget(0, 3)),
      corners_(new QLineEdit),
      kind_(new QComboBox),
      map_(new QComboBox),
      map_text_(new QLabel),
      hint_(new QLabel(
          tr("Draw a zone or a line: click its corners on the floor, in the scene or in a camera's picture. "
             "Return ends a zone; Return right away makes one in the middle."))) {
  setAccessibleName(tr("Zones and Lines"));
  auto* head = new QHBoxLayout;
  for (QAction* command : commands) head->addWidget(text_button(command));
  head->addStretch(1);
  hint_->setWordWrap(true);
  hint_->setForegroundRole(QPalette::PlaceholderText);
  table_->setAccessibleName(tr("Zones and lines with counts"));
  table_->setHorizontalHeaderLabels({tr("Name"), tr("Now"), tr("Everything that was analysed")});
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(kFloorAll, QHeaderView::Stretch);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setTabKeyNavigation(false);
  describe(corners_, tr("Corners"), tr("The chosen shape's corners in metres: x y; x y; \u2026"));
  corners_->setPlaceholderText(tr("x y; x y; \u2026 in metres"));
  kind_->addItems({tr("counted"), tr("entrance"), tr("area")});
  describe(kind_, tr("What the zone is for"),
           tr("counted: people in it are counted. entrance: once there is one, paths begin and end only in "
              "entrances. area: once there is one, people are searched for only in areas"));
  map_->addItem(tr("none"));
  for (const FloorUseKind kind : kFloorUseKinds) map_->addItem(tr(std::string(floor_use_name(kind)).c_str()));
  describe(
      map_, tr("Map of the floor's use"),
      tr("Show on the floor where people passed, the total time they spent, how long each stayed, or how "
         "fast they walked"));
  auto* corners_row = new QHBoxLayout;
  corners_row->addWidget(new QLabel(tr("Corners")));
  corners_row->addWidget(corners_, 1);
  corners_row->addWidget(kind_);
  auto* map_row = new QHBoxLayout;
  map_row->addWidget(new QLabel(tr("Map")));
  map_row->addWidget(map_);
  map_row->addWidget(map_text_, 1);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kApart, kApart);
  page->addLayout(head);
  page->addWidget(hint_);
  page->addWidget(table_, 1);
  page->addLayout(corners_row);
  page->addLayout(map_row);
  connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
    if (filling_) return;
    show_corners();
    emit chosen_by_hand();
  });
  connect(table_, &QTableWidget::cellChanged, this, [this](int row, int column) {
    if (!filling_ && column == kFloorName)
      emit renamed(shape_of(row), table_->item(row, kFloorName)->text().trimmed());
  });
  connect(corners_, &QLineEdit::editingFinished, this, &FloorPanel::take_corners);
  connect(kind_, &QComboBox::activated, this, [this](int kind) {
    if (const auto shape = chosen()) emit kind_chosen(*shape, static_cast<ZoneKind>(kind));
  });
  connect(map_, &QComboBox::currentIndexChanged, this, &FloorPanel::map_changed);
}

FloorShapeRef FloorPanel::shape_of(int row) const {
  const auto index = static_cast<size_t>(row);
  if (index < project_.zones.size()) return {true, index};
  return {false, index - project_.zones.size()};
}

std::optional<FloorShapeRef> FloorPanel::chosen() const {
  const int row = table_->currentRow();
  if (row < 0 || table_->selectedItems().isEmpty()) return std::nullopt;
  return shape_of(row);
}

std::optional<FloorUseKind> FloorPanel::map() const {
  if (map_->currentIndex() <= 0) return std::nullopt;
  return kFloorUseKinds[map_->currentIndex() - 1];
}

void FloorPanel::set_map_text(const QString& words) {
  map_text_->setText(words);
}

void FloorPanel::show_project(const Project& project, const RecordedPeople* people,
                              const FloorCounts* counts) {
  project_ = project;
  people_ = people;
  counts_ = counts;
  filling_ = true;
  const int rows = static_cast<int>(project.zones.size() + project.lines.size());
  table_->setRowCount(rows);
  for (int row = 0; row < rows; ++row) {
    for (int column = kFloorName; column <= kFloorAll; ++column) {
      if (table_->item(row, column)) continue;
      auto* item = new QTableWidgetItem;
      if (column != kFloorName) item->setFlags(item->flags() & ~Qt::ItemIsEditable);
      table_->setItem(row, column, item);
    }
    table_->item(row, kFloorName)->setText(QString::fromStdString(name_of(project_, shape_of(row))));
    table_->item(row, kFloorName)
        ->setToolTip(shape_of(row).zone ? tr("A zone; double-click or F2 renames it")
                                        : tr("A line; double-click or F2 renames it"));
  }
  filling_ = false;
  hint_->setVisible(rows == 0);
  show_counts();
  show_corners();
}

void FloorPanel::set_frame(int64_t frame) {
  if (frame == frame_) return;
  frame_ = frame;
  if (isVisible()) show_counts();
}

void FloorPanel::choose(std::optional<FloorShapeRef> shape) {
  filling_ = true;
  if (shape)
    table_->selectRow(static_cast<int>(shape->zone ? shape->index : project_.zones.size() + shape->index));
  else
    table_->clearSelection();
  filling_ = false;
  show_corners();
}

void FloorPanel::show_counts() {
  filling_ = true;
  for (int row = 0; row < table_->rowCount(); ++row) {
    table_->item(row, kFloorNow)->setText(now_text(shape_of(row)));
    table_->item(row, kFloorAll)->setText(all_text(shape_of(row)));
    table_->item(row, kFloorAll)->setToolTip(all_text(shape_of(row)));
  }
  table_->resizeRowsToContents();
  filling_ = false;
}

QString FloorPanel::now_text(const FloorShapeRef& shape) const {
  if (!counts_ || !people_ || people_->frames.empty()) return {};
  if (shape.zone) {
    const auto at = std::lower_bound(people_->frames.begin(), people_->frames.end(), frame_);
    if (at == people_->frames.end() || *at != frame_) return QStringLiteral("?");
    const auto& inside = counts_->zones[shape.index].people[at - people_->frames.begin()];
    return inside ? QString::number(*inside) : QStringLiteral("?");
  }
  int left = 0, right = 0;
  for (const Crossing& one : counts_->lines[shape.index].crossings)
    if (one.frame <= frame_) ++(one.to_left ? left : right);
  return tr("%1 left, %2 right").arg(left).arg(right);
}

QString FloorPanel::all_text(const FloorShapeRef& shape) const {
  if (!counts_) return tr("being counted");
  const double share =
      shape.zone ? counts_->zones[shape.index].covered_share : counts_->lines[shape.index].covered_share;
  const QString part = tr("\u25b2 cameras cover %1 of it").arg(percent(share));
  const bool analysed = people_ && !people_->frames.empty();
  if (!shape.zone) {
    const LineCount& line = counts_->lines[shape.index];
    const QString words = analysed
                              ? tr("%1 to the left, %2 to the right").arg(line.to_left).arg(line.to_right)
                              : tr("not analysed");
    return line.covered() ? words : words + QStringLiteral("; ") + part;
  }
  const ZoneCount& zone = counts_->zones[shape.index];
  if (!zone.covered()) return tr("unknown: ") + part;
  if (!analysed || !zone.mean_people) return tr("not analysed");
  QString words = tr("%1 on average, %2 maximum; %3 visits")
                      .arg(*zone.mean_people, 0, 'f', 2)
                      .arg(*zone.max_people)
                      .arg(zone.visits.size());
  if (zone.mean_stay_s) words += tr(" of %1 s").arg(*zone.mean_stay_s, 0, 'f', 1);
  return words;
}

// ---- corners by numbers

void FloorPanel::show_corners() {
  const auto shape = chosen();
  corners_->setEnabled(shape.has_value());
  kind_->setEnabled(shape && shape->zone);
  kind_->setCurrentIndex(shape && shape->zone ? static_cast<int>(project_.zones[shape->index].kind) : 0);
  QStringList positions;
  if (shape)
    for (const Eigen::Vector2d& corner : corners_of(project_, *shape))
      positions << QStringLiteral("%L1 %L2").arg(corner.x(), 0, 'f', 2).arg(corner.y(), 0, 'f', 2);
  corners_->setText(positions.join(QStringLiteral("; ")));
  corners_->setModified(false);
}

// Text that is not a list of positions is rejected, and the former text restored.
void FloorPanel::take_corners() {
  const auto shape = chosen();
  if (!shape || !corners_->isModified()) return;
  const auto corners = corners_from(corners_->text(), shape->zone ? 3 : 2);
  show_corners();
  if (corners) emit corners_typed(*shape, *corners);
}

}  // namespace vantage::ui
