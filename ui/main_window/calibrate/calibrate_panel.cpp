#include "ui/main_window/calibrate/calibrate_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

constexpr int kMaxCameraRows = 6;

enum CameraColumn { kCameraName, kCameraStands, kCameraMisses, kCameraCheck };
enum ProposalColumn { kOfCamera, kTurned, kMoved, kFloor, kMisses };

// As high as its rows; beyond kMaxCameraRows it scrolls.
void fit_height(QTableWidget* table) {
  table->setFixedHeight(table->horizontalHeader()->sizeHint().height() +
                        std::clamp(table->rowCount(), 1, kMaxCameraRows) *
                            table->verticalHeader()->defaultSectionSize() +
                        2 * table->frameWidth() + 2);
}

QStringList proposal_columns() {
  return {CalibratePanel::tr("Camera"), CalibratePanel::tr("Turned"), CalibratePanel::tr("Moved"),
          CalibratePanel::tr("Floor"), CalibratePanel::tr("Misses")};
}

}  // namespace

CalibratePanel::CalibratePanel(const CalibrateCommands& commands, QWidget* parent)
    : QWidget(parent),
      pages_(new QTabWidget),
      cameras_(row_table(tr("Cameras to calibrate"),
                         {tr("Solve"), tr("Stands at (m)"), tr("Clicks miss"), tr("Check")}, kCameraCheck)),
      focal_(described(new QCheckBox(tr("focal length")), tr("Solve focal lengths by points"),
                       tr("Solve the focal length of the ticked cameras, too (five points or more)"))),
      lenses_(described(
          new QCheckBox(tr("lenses")), tr("Solve lenses by people"),
          tr("Solve each camera's focal length and k1 by people, too; all cameras ticked. Otherwise lenses "
             "are fixed, and judged by what people show"))),
      text_(text_label()) {
  setAccessibleName(tr("Calibrate"));
  cameras_->setSelectionMode(QAbstractItemView::NoSelection);
  text_->setAccessibleName(tr("What the clicks say"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kApart, kApart);
  page->setSpacing(kTight);
  page->addWidget(cameras_);
  page->addLayout(button_row(commands.solve));
  QHBoxLayout* in_time = button_row(commands.in_time);
  in_time->addWidget(focal_);
  in_time->addWidget(lenses_);
  page->addLayout(in_time);
  pages_->setDocumentMode(true);
  page->addWidget(pages_, 1);
  page->addWidget(text_);
  page->addWidget(card_ = make_proposal(commands));
  connect(cameras_, &QTableWidget::itemChanged, this, [this] {
    if (!filling_) emit cameras_chosen();
  });
  show_text({});
}

void CalibratePanel::add_page(QWidget* page, const QString& title) {
  pages_->addTab(page, title);
}

void CalibratePanel::show_page(QWidget* page) {
  pages_->setCurrentWidget(page);
  emit wanted();
}

void CalibratePanel::add_to_proposal(QAction* action) {
  card_buttons_->insertWidget(card_buttons_->count() - 1, text_button(action));
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
  card_buttons_ = button_row({commands.apply, commands.dismiss});
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
    QTableWidgetItem* name =
        put_cell(cameras_, row, kCameraName, rows[i].name,
                 rows[i].calibrated ? tr("Ticked: its pose is solved; the others are fixed")
                                    : tr("It has no calibration to start from"));
    name->setFlags(rows[i].calibrated ? Qt::ItemIsEnabled | Qt::ItemIsUserCheckable : Qt::NoItemFlags);
    const bool ticked = std::find(chosen.begin(), chosen.end(), rows[i].name.toStdString()) != chosen.end();
    name->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
    put_cell(cameras_, row, kCameraStands, rows[i].stands, rows[i].later);
    put_cell(cameras_, row, kCameraCheck, rows[i].check, rows[i].check_tip);
  }
  fit_height(cameras_);
  filling_ = false;
}

void CalibratePanel::show_misses(const std::map<std::string, double>& miss_px) {
  filling_ = true;
  for (int row = 0; row < cameras_->rowCount(); ++row) {
    const auto found = miss_px.find(cameras_->item(row, kCameraName)->text().toStdString());
    put_cell(cameras_, row, kCameraMisses,
             found == miss_px.end() ? QString() : tr("%1 px").arg(found->second, 0, 'f', 2),
             tr("Root mean square of its clicks' distances, pixels"));
  }
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

void CalibratePanel::show_text(const QString& text) {
  text_->setText(text);
  text_->setVisible(!text.isEmpty());
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
    put_cell(proposal_, row, kOfCamera, rows[i].camera, tip);
    put_cell(proposal_, row, kTurned, rows[i].turned, tip);
    put_cell(proposal_, row, kMoved, rows[i].moved, tip);
    put_cell(proposal_, row, kFloor, rows[i].floor, tip);
    put_cell(proposal_, row, kMisses, rows[i].misses, tip.isEmpty() ? rows[i].misses : tip);
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
QString CalibratePanel::proposal_text() const {
  return card_->isHidden() ? QString() : proposal_text_->text();
}

}  // namespace vantage::ui
