#include "ui/main_window/calibrate/calibrate_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QProgressBar>
#include <QScrollArea>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/main_window/result_text.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kMaxCameraRows = 6;

enum CameraColumn { kCameraName, kCameraStands, kCameraMisses, kCameraCheck, kCameraColumns };
enum PointColumn { kPointName, kPointViews, kPointAt, kPointMisses, kPointColumns };
enum ProposalColumn { kOfCamera, kTurned, kMoved, kFloor, kMisses, kProposalColumns };

// As high as its rows; beyond kMaxCameraRows it scrolls.
void fit_height(QTableWidget* table) {
  table->setFixedHeight(table->horizontalHeader()->sizeHint().height() +
                        std::clamp(table->rowCount(), 1, kMaxCameraRows) *
                            table->verticalHeader()->defaultSectionSize() +
                        2 * table->frameWidth() + 2);
}

QTableWidgetItem* put(QTableWidget* table, int row, int column, const QString& text,
                      const QString& tip = {}) {
  QTableWidgetItem* item = table->item(row, column);
  if (!item) table->setItem(row, column, item = new QTableWidgetItem);
  item->setText(text);
  item->setToolTip(tip);
  return item;
}

QStringList proposal_columns() {
  return {CalibratePanel::tr("Camera"), CalibratePanel::tr("Turned"), CalibratePanel::tr("Moved"),
          CalibratePanel::tr("Floor"), CalibratePanel::tr("Misses")};
}

QHBoxLayout* row_of(const std::vector<QAction*>& actions) {
  auto* row = new QHBoxLayout;
  row->setSpacing(kTight);
  for (QAction* action : actions) row->addWidget(text_button(action));
  return row;
}

}  // namespace

std::optional<Eigen::Vector3d> coordinates_from(const QString& text) {
  const QStringList numbers = QString(text).replace(';', ' ').simplified().split(' ', Qt::SkipEmptyParts);
  if (numbers.size() != 3) return std::nullopt;
  Eigen::Vector3d at;
  for (int axis = 0; axis < 3; ++axis) {
    bool good = false;
    at[axis] = numbers[axis].toDouble(&good);
    if (!good) return std::nullopt;
  }
  return at.allFinite() ? std::optional(at) : std::nullopt;
}

CalibratePanel::CalibratePanel(const CalibrateCommands& commands, QWidget* parent)
    : QWidget(parent),
      pages_(new QTabWidget),
      cameras_(row_table(tr("Cameras to calibrate"),
                         {tr("Solve"), tr("Stands at (m)"), tr("Clicks miss"), tr("Check")}, kCameraCheck)),
      points_(
          row_table(tr("Clicked points"), {tr("Point"), tr("Views"), tr("At (m)"), tr("Misses")}, kPointAt)),
      focal_(new QCheckBox(tr("focal length"))),
      lenses_(new QCheckBox(tr("lenses"))),
      origin_(new QComboBox),
      towards_x_(new QComboBox),
      length_(new QDoubleSpinBox),
      coordinates_(new QLineEdit),
      text_(text_label()),
      hint_(
          quiet_label(tr("Click Points: click the same mark in several cameras; Return begins the next one. "
                         "Marks that stand still: corners, tape, a tripod's foot."))),
      progress_(new QProgressBar) {
  setAccessibleName(tr("Calibrate"));
  cameras_->setSelectionMode(QAbstractItemView::NoSelection);
  points_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  points_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  describe(focal_, tr("Solve focal lengths by points"),
           tr("Solve the focal length of the ticked cameras, too (five points or more)"));
  describe(
      lenses_, tr("Solve lenses by people"),
      tr("Solve each camera's focal length and k1 by people, too; all cameras ticked. Otherwise lenses are "
         "fixed, and judged by what people show"));
  describe(coordinates_, tr("Measured coordinates"),
           tr("The chosen point's coordinates as measured, x y z in metres; empty: not known"));
  coordinates_->setPlaceholderText(tr("measured x y z in metres"));
  text_->setAccessibleName(tr("What the clicks say"));
  progress_->setAccessibleName(tr("Frames searched"));
  progress_->hide();
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kApart, kApart);
  page->setSpacing(kTight);
  page->addWidget(cameras_);
  QHBoxLayout* solve = row_of(commands.solve);
  solve->addStretch(1);
  page->addLayout(solve);
  QHBoxLayout* in_time = row_of(commands.in_time);
  in_time->addStretch(1);
  in_time->addWidget(focal_);
  in_time->addWidget(lenses_);
  page->addLayout(in_time);
  pages_->setDocumentMode(true);
  add_page(make_points_page(commands), tr("Points"));
  page->addWidget(pages_, 1);
  page->addWidget(progress_);
  page->addWidget(text_);
  page->addWidget(card_ = make_proposal(commands));
  connect(cameras_, &QTableWidget::itemChanged, this, [this] {
    if (!filling_) emit cameras_chosen();
  });
  connect(points_, &QTableWidget::itemSelectionChanged, this, [this] {
    if (filling_) return;
    show_coordinates();
    emit points_chosen();
  });
  connect(points_, &QTableWidget::cellChanged, this, [this](int row, int column) {
    if (filling_ || column != kPointName) return;
    emit renamed(QString::fromStdString(rows_[row].name), points_->item(row, kPointName)->text().trimmed());
  });
  connect(coordinates_, &QLineEdit::editingFinished, this, &CalibratePanel::take_coordinates);
  show_points({});
  show_text({});
}

void CalibratePanel::add_page(QWidget* page, const QString& title) {
  pages_->addTab(page, title);
}

void CalibratePanel::show_page(QWidget* page) {
  pages_->setCurrentWidget(page);
}

void CalibratePanel::add_to_proposal(QAction* action) {
  card_buttons_->insertWidget(card_buttons_->count() - 1, text_button(action));
}

QWidget* CalibratePanel::make_points_page(const CalibrateCommands& commands) {
  auto* points = new QWidget;
  auto* page = new QVBoxLayout(points);
  page->setContentsMargins(0, kTight, 0, 0);
  page->setSpacing(kTight);
  QHBoxLayout* clicks = row_of(commands.points);
  clicks->addWidget(coordinates_, 1);
  page->addLayout(clicks);
  page->addWidget(hint_);
  page->addWidget(points_, 1);
  page->addWidget(make_world_row(commands));
  return points;
}

// What moves the world: level by the chosen points, scale by two of them, the box.
QWidget* CalibratePanel::make_world_row(const CalibrateCommands& commands) {
  auto* world = new QWidget;
  auto* rows = new QVBoxLayout(world);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(kTight);
  length_->setRange(0.001, 1000);
  length_->setDecimals(3);
  length_->setValue(1);
  length_->setSuffix(tr(" m"));
  length_->setKeyboardTracking(false);
  describe(length_, tr("Length between the two chosen points"),
           tr("Length between the two chosen points as measured, metres"));
  describe(origin_, tr("Origin"), tr("The point that becomes the floor's origin when the world is levelled"));
  describe(towards_x_, tr("x axis"), tr("The point that the x axis runs towards when the world is levelled"));
  QHBoxLayout* axes = row_of({commands.world[0]});
  axes->addWidget(origin_, 1);
  axes->addWidget(towards_x_, 1);
  rows->addLayout(axes);
  QHBoxLayout* scale = row_of({commands.world[1]});
  scale->addWidget(length_);
  scale->addStretch(1);
  scale->addWidget(text_button(commands.world[4]));
  rows->addLayout(scale);
  QHBoxLayout* box = row_of({commands.world[2], commands.world[3]});
  box->addStretch(1);
  rows->addLayout(box);
  return world;
}

QFrame* CalibratePanel::make_proposal(const CalibrateCommands& commands) {
  auto* card = new QFrame;
  card->setFrameShape(QFrame::StyledPanel);
  card->setAccessibleName(tr("Proposed calibration"));
  proposal_text_ = text_label();
  proposal_text_->setAccessibleName(tr("The proposal"));
  proposal_ = row_table(tr("What the proposal changes"), proposal_columns(), kMisses);
  proposal_->setSelectionMode(QAbstractItemView::NoSelection);
  proposal_->verticalHeader()->setDefaultSectionSize(2 * fontMetrics().height() + 6);  // value and deviation
  proposal_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  commands.apply->setIconText(tr("Apply"));
  commands.dismiss->setIconText(tr("Dismiss"));
  take_offsets_ = new QCheckBox(tr("Appl&y the offsets, too"));
  take_offsets_->setToolTip(
      tr("Apply also changes the frame offsets of the cameras' videos; one Undo reverts both"));
  take_offsets_->setObjectName(QStringLiteral("take_offsets"));
  take_offsets_->hide();
  card_buttons_ = row_of({commands.apply, commands.dismiss});
  card_buttons_->addStretch(1);
  // A low window shows a part of it, never of what is pressed.
  auto* read = new QWidget;
  auto* read_rows = new QVBoxLayout(read);
  read_rows->setContentsMargins(0, 0, 0, 0);
  read_rows->setSpacing(kTight);
  read_rows->addWidget(proposal_);
  read_rows->addWidget(proposal_text_);
  auto* scrolled = new QScrollArea;
  scrolled->setWidget(read);
  scrolled->setWidgetResizable(true);
  scrolled->setFrameShape(QFrame::NoFrame);
  scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scrolled->setMinimumHeight(8 * fontMetrics().height());
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(kApart, kApart, kApart, kApart);
  column->setSpacing(kTight);
  column->addWidget(scrolled);
  column->addWidget(take_offsets_);
  column->addLayout(card_buttons_);
  card->hide();
  return card;
}

void CalibratePanel::show_cameras(const std::vector<CalibrateCameraRow>& rows) {
  const std::vector<std::string> chosen = chosen_cameras();
  filling_ = true;
  cameras_->setRowCount(static_cast<int>(rows.size()));
  for (size_t i = 0; i < rows.size(); ++i) {
    const int row = static_cast<int>(i);
    QTableWidgetItem* name = put(cameras_, row, kCameraName, rows[i].name,
                                 rows[i].calibrated ? tr("Ticked: its pose is solved; the others are fixed")
                                                    : tr("It has no calibration to start from"));
    name->setFlags(rows[i].calibrated ? Qt::ItemIsEnabled | Qt::ItemIsUserCheckable : Qt::NoItemFlags);
    const bool ticked = std::find(chosen.begin(), chosen.end(), rows[i].name.toStdString()) != chosen.end();
    name->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
    put(cameras_, row, kCameraStands, rows[i].stands, rows[i].later);
    put(cameras_, row, kCameraMisses, rows[i].misses,
        tr("Root mean square of its clicks' distances, pixels"));
    put(cameras_, row, kCameraCheck, rows[i].check, rows[i].check_tip);
  }
  fit_height(cameras_);
  filling_ = false;
}

std::vector<std::string> CalibratePanel::chosen_cameras() const {
  std::vector<std::string> names;
  for (int row = 0; row < cameras_->rowCount(); ++row)
    if (cameras_->item(row, kCameraName)->checkState() == Qt::Checked)
      names.push_back(cameras_->item(row, kCameraName)->text().toStdString());
  return names;
}

void CalibratePanel::choose_cameras(const std::vector<std::string>& names) {
  for (int row = 0; row < cameras_->rowCount(); ++row) {
    QTableWidgetItem* item = cameras_->item(row, kCameraName);
    const bool chosen = std::find(names.begin(), names.end(), item->text().toStdString()) != names.end();
    item->setCheckState(chosen ? Qt::Checked : Qt::Unchecked);
  }
}

void CalibratePanel::show_points(const std::vector<CalibratePointRow>& rows) {
  const std::vector<std::string> chosen = chosen_points();
  filling_ = true;
  rows_ = rows;
  points_->setRowCount(static_cast<int>(rows.size()));
  for (size_t i = 0; i < rows.size(); ++i) {
    const CalibratePointRow& row = rows[i];
    const int at = static_cast<int>(i);
    put(points_, at, kPointName, QString::fromStdString(row.name), tr("Double-click or F2 renames it"));
    put(points_, at, kPointViews, QString::number(row.views), tr("Cameras in which it was clicked"));
    const QString tip = row.known_m ? tr("as measured")
                        : row.at_m  ? tr("triangulated, \u00b1 %1 mm").arg(1000 * row.std_m, 0, 'f', 1)
                                    : tr("Click it in two cameras, or type its coordinates");
    QString place = row.at_m ? coordinates_text(*row.at_m) : QStringLiteral("\u2013");
    if (row.known_m) place += tr(" measured");
    put(points_, at, kPointAt, place, tip);
    QTableWidgetItem* misses =
        put(points_, at, kPointMisses, row.rms_px ? tr("%1 px").arg(*row.rms_px, 0, 'f', 2) : QString(),
            row.doubtful ? tr("One of its clicks lies far from where the others place it") : QString());
    misses->setForeground(row.doubtful ? QBrush(QColor(kFailed)) : QBrush());
    for (const int column : {kPointViews, kPointAt, kPointMisses})
      points_->item(at, column)->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  }
  filling_ = false;
  hint_->setVisible(rows.empty());
  show_axes();
  choose_points(chosen);
}

// What is chosen there is kept by name.
void CalibratePanel::show_axes() {
  for (QComboBox* axis : {origin_, towards_x_}) {
    const QString before = axis->currentData().toString();
    axis->clear();
    axis->addItem(axis == origin_ ? tr("origin as now") : tr("x as now"), QString());
    for (const CalibratePointRow& row : rows_) {
      const QString name = QString::fromStdString(row.name);
      axis->addItem(axis == origin_ ? tr("origin at %1").arg(name) : tr("x towards %1").arg(name), name);
    }
    axis->setCurrentIndex(std::max(0, axis->findData(before)));
  }
}

std::vector<std::string> CalibratePanel::chosen_points() const {
  std::vector<std::string> names;
  for (int row = 0; row < points_->rowCount(); ++row)
    if (points_->selectionModel()->isRowSelected(row, {})) names.push_back(rows_[row].name);
  return names;
}

void CalibratePanel::choose_points(const std::vector<std::string>& names) {
  filling_ = true;
  points_->clearSelection();
  for (size_t i = 0; i < rows_.size(); ++i)
    if (std::find(names.begin(), names.end(), rows_[i].name) != names.end())
      points_->selectionModel()->select(points_->model()->index(static_cast<int>(i), 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
  filling_ = false;
  show_coordinates();
}

void CalibratePanel::show_coordinates() {
  const std::vector<std::string> chosen = chosen_points();
  coordinates_->setEnabled(chosen.size() == 1);
  QString text;
  for (const CalibratePointRow& row : rows_)
    if (chosen.size() == 1 && row.name == chosen[0] && row.known_m) text = coordinates_text(*row.known_m);
  coordinates_->setText(text);
  coordinates_->setModified(false);
}

// A text that is not three numbers is not taken, and what was there comes back.
void CalibratePanel::take_coordinates() {
  const std::vector<std::string> chosen = chosen_points();
  if (chosen.size() != 1 || !coordinates_->isModified()) return;
  const bool empty = coordinates_->text().trimmed().isEmpty();
  const auto known_m = coordinates_from(coordinates_->text());
  show_coordinates();
  if (empty || known_m) emit coordinates_typed(QString::fromStdString(chosen[0]), known_m);
}

void CalibratePanel::show_text(const QString& text) {
  text_->setText(text);
  text_->setVisible(!text.isEmpty());
}

void CalibratePanel::show_progress(qint64 done, qint64 total) {
  constexpr int kSteps = 1000;
  if (total <= 0 && share_ > 0) return;
  share_ = total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), share_, 1.0) : 0.0;
  progress_->setRange(0, total > 0 ? kSteps : 0);
  progress_->setValue(static_cast<int>(kSteps * share_));
  progress_->setFormat(share_ < 1 ? QStringLiteral("%p %") : tr("solving"));
  progress_->show();
}

void CalibratePanel::hide_progress() {
  share_ = 0;
  progress_->hide();
}

void CalibratePanel::show_proposal(const QString& text, const std::vector<CalibrateProposalRow>& rows,
                                   const QStringList& columns) {
  proposal_text_->setText(text);
  proposal_->setHorizontalHeaderLabels(columns.empty() ? proposal_columns() : columns);
  const bool usual = columns.empty();
  proposal_->horizontalHeaderItem(kFloor)->setToolTip(usual ? tr("The place under the region that moves most")
                                                            : QString());
  proposal_->horizontalHeaderItem(kMisses)->setToolTip(
      usual ? tr("Root mean square of what its clicks or outlines miss by, before and after") : QString());
  proposal_->setRowCount(static_cast<int>(rows.size()));
  for (size_t i = 0; i < rows.size(); ++i) {
    const int row = static_cast<int>(i);
    const QString& tip = rows[i].tip;
    put(proposal_, row, kOfCamera, rows[i].camera, tip);
    put(proposal_, row, kTurned, rows[i].turned, tip);
    put(proposal_, row, kMoved, rows[i].moved, tip);
    put(proposal_, row, kFloor, rows[i].floor, tip);
    put(proposal_, row, kMisses, rows[i].misses, tip.isEmpty() ? rows[i].misses : tip);
  }
  fit_height(proposal_);
  card_->show();
}

void CalibratePanel::hide_proposal() {
  card_->hide();
}

void CalibratePanel::offer_offsets(bool offered, bool wanted) {
  take_offsets_->setVisible(offered);
  take_offsets_->setChecked(wanted);
}

bool CalibratePanel::takes_offsets() const {
  return !take_offsets_->isHidden() && take_offsets_->isChecked();
}

bool CalibratePanel::focal() const {
  return focal_->isChecked();
}
bool CalibratePanel::lenses() const {
  return lenses_->isChecked();
}
double CalibratePanel::length_m() const {
  return length_->value();
}
std::string CalibratePanel::origin() const {
  return origin_->currentData().toString().toStdString();
}
std::string CalibratePanel::towards_x() const {
  return towards_x_->currentData().toString().toStdString();
}
QString CalibratePanel::proposal_text() const {
  return card_->isHidden() ? QString() : proposal_text_->text();
}

}  // namespace vantage::ui
