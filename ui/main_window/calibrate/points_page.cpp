#include "ui/main_window/calibrate/points_page.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QTableWidget>
#include <algorithm>

#include "ui/main_window/result_text.h"
#include "ui/widgets/form.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

enum PointColumn { kPointName, kPointViews, kPointAt, kPointMisses };

// "1 2.5 0" as coordinates; nothing where it is not three numbers.
std::optional<Eigen::Vector3d> coordinates_from(const QString& text) {
  const QStringList numbers = QString(text).replace(';', ' ').simplified().split(' ', Qt::SkipEmptyParts);
  if (numbers.size() != 3) return std::nullopt;
  Eigen::Vector3d at;
  for (int axis = 0; axis < 3; ++axis) {
    bool good = false;
    at[axis] = typed_number(numbers[axis], &good);
    if (!good) return std::nullopt;
  }
  return at.allFinite() ? std::optional(at) : std::nullopt;
}

}  // namespace

PointsPage::PointsPage(const std::vector<QAction*>& points, const std::vector<QAction*>& world,
                       QWidget* parent)
    : QWidget(parent),
      table_(
          row_table(tr("Clicked points"), {tr("Point"), tr("Views"), tr("At (m)"), tr("Misses")}, kPointAt)),
      origin_(described(new QComboBox, tr("Origin"),
                        tr("The point that becomes the floor's origin when the world is levelled"))),
      towards_x_(described(new QComboBox, tr("x axis"),
                           tr("The point that the x axis runs towards when the world is levelled"))),
      length_(described(number_field(0.001, 1000, 1, 3, tr(" m")), tr("Length between the two chosen points"),
                        tr("Length between the two chosen points as measured, metres"))),
      coordinates_(
          described(new QLineEdit, tr("Measured coordinates"),
                    tr("The chosen point's coordinates as measured, x y z in metres; empty: not known"))),
      hint_(
          quiet_label(tr("Click Points: click the same mark in several cameras; Return begins the next one. "
                         "Marks that stand still: corners, tape, a tripod's foot."))) {
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  coordinates_->setPlaceholderText(tr("measured x y z in metres"));
  length_->setKeyboardTracking(false);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, kTight, 0, 0);
  page->setSpacing(kTight);
  page->addLayout(button_row(points, {coordinates_}));
  page->addWidget(hint_);
  page->addWidget(table_, 1);
  page->addWidget(make_world_rows(world));
  connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
    if (filling_) return;
    show_coordinates();
    emit chosen_changed();
  });
  connect(table_, &QTableWidget::cellChanged, this, [this](int row, int column) {
    if (filling_ || column != kPointName) return;
    emit renamed(QString::fromStdString(points_[row].name), table_->item(row, kPointName)->text().trimmed());
  });
  connect(coordinates_, &QLineEdit::editingFinished, this, &PointsPage::take_coordinates);
  show_points({}, nullptr);
}

// What moves the world: level by the chosen points, scale by two of them, the box.
QWidget* PointsPage::make_world_rows(const std::vector<QAction*>& world) {
  auto* box = new QWidget;
  auto* rows = new QVBoxLayout(box);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(kTight);
  rows->addLayout(button_row({world[0]}, {origin_, towards_x_}));
  QHBoxLayout* scale = button_row({world[1]});
  scale->insertWidget(1, length_);
  scale->addWidget(text_button(world[4]));
  rows->addLayout(scale);
  rows->addLayout(button_row({world[2], world[3]}));
  return box;
}

void PointsPage::show_points(const std::vector<ClickedPoint>& points, const PointsSolution* solution) {
  const std::vector<std::string> names = chosen();
  filling_ = true;
  points_ = points;
  table_->setRowCount(static_cast<int>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) {
    const ClickedPoint& point = points[i];
    const SolvedPoint* solved = nullptr;
    if (solution)
      for (const SolvedPoint& one : solution->points)
        if (one.name == point.name && one.at_m) solved = &one;
    const bool missed = solved && !solved->clicks.empty();
    const bool doubtful = missed && std::ranges::any_of(solved->clicks, &SolvedClick::doubtful);
    const int row = static_cast<int>(i);
    put_cell(table_, row, kPointName, QString::fromStdString(point.name),
             tr("Double-click or F2 renames it"));
    put_cell(table_, row, kPointViews, QString::number(point.clicks.size()),
             tr("Cameras in which it was clicked"));
    const QString tip = point.known_m ? tr("as measured")
                        : solved
                            ? tr("triangulated, \u00b1 %1 mm").arg(1000 * solved->std_m.norm(), 0, 'f', 1)
                            : tr("Click it in two cameras, or type its coordinates");
    QString place = solved ? coordinates_text(*solved->at_m) : QStringLiteral("\u2013");
    if (point.known_m) place += tr(" measured");
    put_cell(table_, row, kPointAt, place, tip);
    QTableWidgetItem* misses =
        put_cell(table_, row, kPointMisses, missed ? tr("%1 px").arg(solved->rms_px, 0, 'f', 2) : QString(),
                 doubtful ? tr("One of its clicks lies far from where the others place it") : QString());
    misses->setForeground(doubtful ? QBrush(QColor(kFailed)) : QBrush());
    for (const int column : {kPointViews, kPointAt, kPointMisses})
      table_->item(row, column)->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  }
  filling_ = false;
  hint_->setVisible(points.empty());
  show_axes();
  choose(names);
}

// What is chosen there is kept by name.
void PointsPage::show_axes() {
  for (QComboBox* axis : {origin_, towards_x_}) {
    const QString before = axis->currentData().toString();
    axis->clear();
    axis->addItem(axis == origin_ ? tr("origin as now") : tr("x as now"), QString());
    for (const ClickedPoint& point : points_) {
      const QString name = QString::fromStdString(point.name);
      axis->addItem(axis == origin_ ? tr("origin at %1").arg(name) : tr("x towards %1").arg(name), name);
    }
    axis->setCurrentIndex(std::max(0, axis->findData(before)));
  }
}

std::vector<std::string> PointsPage::chosen() const {
  std::vector<std::string> names;
  for (int row = 0; row < table_->rowCount(); ++row)
    if (table_->selectionModel()->isRowSelected(row, {})) names.push_back(points_[row].name);
  return names;
}

void PointsPage::choose(const std::vector<std::string>& names) {
  filling_ = true;
  table_->clearSelection();
  for (size_t i = 0; i < points_.size(); ++i)
    if (std::find(names.begin(), names.end(), points_[i].name) != names.end())
      table_->selectionModel()->select(table_->model()->index(static_cast<int>(i), 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
  filling_ = false;
  show_coordinates();
}

void PointsPage::show_coordinates() {
  const std::vector<std::string> names = chosen();
  coordinates_->setEnabled(names.size() == 1);
  QString text;
  for (const ClickedPoint& point : points_)
    if (names.size() == 1 && point.name == names[0] && point.known_m) text = coordinates_text(*point.known_m);
  coordinates_->setText(text);
  coordinates_->setModified(false);
}

// Text that is not three numbers is rejected, and the former value restored.
void PointsPage::take_coordinates() {
  const std::vector<std::string> names = chosen();
  if (names.size() != 1 || !coordinates_->isModified()) return;
  const bool empty = coordinates_->text().trimmed().isEmpty();
  const auto known_m = coordinates_from(coordinates_->text());
  show_coordinates();
  if (empty || known_m) emit coordinates_typed(QString::fromStdString(names[0]), known_m);
}

double PointsPage::length_m() const {
  return length_->value();
}

std::string PointsPage::origin() const {
  return origin_->currentData().toString().toStdString();
}

std::string PointsPage::towards_x() const {
  return towards_x_->currentData().toString().toStdString();
}

}  // namespace vantage::ui
