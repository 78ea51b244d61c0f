#include "ui/main_window/truth/mask_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/widgets/form.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kMaxRadius_px = 200, kMaxTolerance = 442, kMaxCarried = 100;
constexpr int kFrameRole = Qt::UserRole;

enum MaskCameraColumn { kMaskCamera, kMaskPainted, kMaskHere, kMaskMean };
enum MaskFrameColumn { kMaskFrame, kMaskCameras, kMaskFrameIoU };

QString iou_text(const std::optional<double>& iou) {
  return iou ? number_text(*iou, 'f', 3) : QStringLiteral("\u2013");
}

}  // namespace

MaskPanel::MaskPanel(const std::vector<std::vector<QAction*>>& actions, QWidget* parent)
    : QWidget(parent),
      radius_(number_field(1, kMaxRadius_px, 12, tr(" px"))),
      tolerance_(number_field(1, kMaxTolerance, 30)),
      step_(number_field(1, kMaxCarried, 1)),
      cameras_(row_table(tr("Masks of this frame"), {tr("Camera"), tr("Painted"), tr("IoU here"), tr("Mean")},
                         kMaskMean)),
      frames_(row_table(tr("Painted frames, the worst first"), {tr("Frame"), tr("Cameras"), tr("IoU")},
                        kMaskFrameIoU)),
      text_(text_label()),
      page_(new QVBoxLayout(this)) {
  setAccessibleName(tr("Masks"));
  QBoxLayout* page = page_;
  page->setContentsMargins(kTight, kTight, kTight, kTight);
  page->setSpacing(kTight);
  for (const std::vector<QAction*>& row : actions) page->addLayout(last_buttons_ = button_row(row));
  auto* form = new QFormLayout;
  add_field(form, tr("B&rush"), tr("Radius of the brush, pixels of the picture; the wheel and [ ] change it"),
            radius_);
  add_field(form, tr("Tolera&nce"),
            tr("How far a colour may be from the one that was clicked, 0 to 442: the distance of red, green "
               "and blue; while growing the wheel and [ ] change it"),
            tolerance_);
  add_field(form, tr("Carr&y frames"), tr("Frames from here to the frame that masks are carried to"), step_);
  page->addLayout(form);
  cameras_->setSelectionMode(QAbstractItemView::SingleSelection);
  cameras_->horizontalHeaderItem(kMaskPainted)->setToolTip(tr("Pixels inside the mask of this frame"));
  cameras_->horizontalHeaderItem(kMaskHere)->setToolTip(
      tr("Intersection over union of the foreground and the mask, in this frame"));
  cameras_->horizontalHeaderItem(kMaskMean)->setToolTip(
      tr("Its mean over the painted frames that were measured with these parameters"));
  frames_->setSelectionMode(QAbstractItemView::SingleSelection);
  frames_->horizontalHeaderItem(kMaskFrameIoU)
      ->setToolTip(tr("Mean over the cameras; a dash: not measured with these parameters yet"));
  page->addWidget(cameras_, 1);
  page->addWidget(frames_, 1);
  describe(
      text_, tr("Foreground by these masks"),
      tr("IoU: pixels in both the foreground and the mask, by pixels in either; 1 where they are the same"));
  page->addWidget(text_);
  connect(cameras_, &QTableWidget::itemSelectionChanged, this, &MaskPanel::camera_chosen);
  connect(frames_, &QTableWidget::cellDoubleClicked, this, [this](int row) {
    emit seek_requested(frames_->item(row, kMaskFrame)->data(kFrameRole).toLongLong());
  });
}

void MaskPanel::add_merging(QAction* action, QWidget* disagreements) {
  last_buttons_->insertWidget(last_buttons_->count() - 1, text_button(action));
  page_->insertWidget(page_->indexOf(frames_) + 1, disagreements, 1);
}

void MaskPanel::show_cameras(const std::vector<CameraRow>& rows) {
  const QSignalBlocker blocked(cameras_);
  cameras_->setRowCount(static_cast<int>(rows.size()));
  for (int row = 0; row < cameras_->rowCount(); ++row) {
    const CameraRow& one = rows[row];
    fill_row(cameras_, row,
             {one.name, one.painted_px ? tr("%1 px").arg(*one.painted_px) : QStringLiteral("\u2013"),
              iou_text(one.here), iou_text(one.mean)});
  }
}

int MaskPanel::chosen_camera() const {
  for (int row = 0; row < cameras_->rowCount(); ++row)
    if (cameras_->selectionModel()->isRowSelected(row, {})) return row;
  return -1;
}

void MaskPanel::choose_camera(int camera) {
  const QSignalBlocker blocked(cameras_);
  cameras_->clearSelection();
  if (camera >= 0 && camera < cameras_->rowCount()) cameras_->selectRow(camera);
}

void MaskPanel::show_frames(const std::vector<FrameRow>& rows, int64_t frame) {
  const QSignalBlocker blocked(frames_);
  frames_->clearSelection();
  frames_->setRowCount(static_cast<int>(rows.size()));
  for (int row = 0; row < frames_->rowCount(); ++row) {
    const FrameRow& one = rows[row];
    fill_row(frames_, row, {QString::number(one.frame), QString::number(one.cameras), iou_text(one.iou)});
    frames_->item(row, kMaskFrame)->setData(kFrameRole, static_cast<qlonglong>(one.frame));
    if (one.frame == frame) frames_->selectRow(row);
  }
}

void MaskPanel::show_text(const QString& words) {
  text_->setText(words);
}

void MaskPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  emit shown_or_hidden();
}

void MaskPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  emit shown_or_hidden();
}

}  // namespace vantage::ui
