#include "ui/main_window/residuals/residuals_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

enum ResidualColumn { kOfPicture, kSeen, kPictureRms, kPictureMax };

QString two_digits(double px) {
  return QString::number(px, 'f', 2);
}

}  // namespace

ResidualsDialog::ResidualsDialog(QWidget* parent)
    : QDialog(parent),
      camera_(new QComboBox),
      board_(new QComboBox),
      view_(new ResidualsView),
      pictures_(row_table(tr("Pictures, the worst first"),
                          {tr("Picture"), tr("Corners"), tr("RMS (px)"), tr("Max (px)")}, kOfPicture)),
      summary_(text_label()),
      chosen_(text_label()),
      notes_(text_label()) {
  setWindowTitle(tr("Residuals"));
  camera_->setAccessibleName(tr("Camera"));
  camera_->setToolTip(tr("The camera whose residuals are shown, with their root mean square in pixels"));
  auto* name = new QLabel(tr("Ca&mera"));
  name->setBuddy(camera_);
  summary_->setAccessibleName(tr("Residuals in its picture"));
  chosen_->setAccessibleName(tr("The chosen arrow"));
  notes_->setAccessibleName(tr("What is open, and what to record next"));
  pictures_->setToolTip(tr("Choose a picture: its arrows stand out"));
  board_->setAccessibleName(tr("Board"));
  board_->setToolTip(tr("The board whose corners are shown and counted; all of them"));
  auto* head = new QHBoxLayout;
  head->addWidget(name);
  head->addWidget(camera_);
  head->addWidget(board_);
  head->addWidget(summary_, 1);
  auto* split = new QSplitter;
  split->addWidget(view_);
  split->addWidget(pictures_);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  split->setChildrenCollapsible(false);
  pictures_->setMinimumWidth(320);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  auto* page = new QVBoxLayout(this);
  page->addLayout(head);
  page->addWidget(split, 1);
  page->addWidget(chosen_);
  page->addWidget(notes_);
  page->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(camera_, &QComboBox::currentIndexChanged, this, &ResidualsDialog::show_camera);
  connect(board_, &QComboBox::currentIndexChanged, this, [this] { show_camera(camera_->currentIndex()); });
  connect(view_, &ResidualsView::scale_changed, this, &ResidualsDialog::show_summary);
  connect(view_, &ResidualsView::arrow_chosen, this, [this](const std::optional<ResidualChoice>& arrow) {
    filling_ = true;
    if (arrow)
      pictures_->selectRow(static_cast<int>(arrow->picture));
    else
      pictures_->clearSelection();
    filling_ = false;
    show_chosen();
  });
  connect(pictures_, &QTableWidget::itemSelectionChanged, this, [this] {
    if (filling_) return;
    const QList<QTableWidgetItem*> chosen = pictures_->selectedItems();
    view_->highlight(chosen.isEmpty() ? std::nullopt
                                      : std::optional(static_cast<size_t>(chosen.front()->row())));
    show_chosen();
  });
  resize(1040, 620);
}

// Nothing to choose where there is one alone.
void ResidualsDialog::show_boards() {
  const QSignalBlocker blocker(board_);
  board_->clear();
  board_->addItem(tr("all boards"), -1);
  for (int board = 0; board < residuals_->boards; ++board)
    board_->addItem(tr("board %1").arg(board + 1), board);
  board_->setVisible(residuals_->boards > 1);
}

void ResidualsDialog::show_residuals(ResidualsRef residuals) {
  view_->show_camera(nullptr);  // drop those before
  {
    const QSignalBlocker blocker(camera_);
    camera_->clear();
    residuals_ = std::move(residuals);
    for (const CameraResiduals& camera : residuals_->cameras)
      camera_->addItem(tr("%1: %2 px").arg(camera.name, two_digits(camera.rms_px)));
    const auto worst = std::max_element(
        residuals_->cameras.begin(), residuals_->cameras.end(),
        [](const CameraResiduals& a, const CameraResiduals& b) { return a.rms_px < b.rms_px; });
    camera_->setCurrentIndex(static_cast<int>(worst - residuals_->cameras.begin()));
  }
  show_boards();
  pictures_->horizontalHeaderItem(kOfPicture)->setText(residuals_->board ? tr("Picture") : tr("Point"));
  pictures_->horizontalHeaderItem(kSeen)->setText(residuals_->board ? tr("Corners") : tr("Clicks"));
  show_camera(camera_->currentIndex());
}

void ResidualsDialog::show_camera(int camera) {
  if (!residuals_ || camera < 0) return;
  camera_->setCurrentIndex(camera);
  view_->show_camera(nullptr);  // it holds the one before
  const CameraResiduals& whole = residuals_->cameras[static_cast<size_t>(camera)];
  const int board = board_->currentData().toInt();
  shown_ = board < 0 ? whole : of_board(whole, board);
  const CameraResiduals& one = shown();
  filling_ = true;
  pictures_->clearSelection();
  pictures_->setRowCount(static_cast<int>(one.pictures.size()));
  for (int row = 0; row < pictures_->rowCount(); ++row) {
    const PictureResiduals& picture = one.pictures[static_cast<size_t>(row)];
    int column = kOfPicture;
    for (const QString& text : {picture.name, QString::number(picture.seen.size()),
                                two_digits(picture.rms_px), two_digits(picture.max_px)}) {
      auto* item = new QTableWidgetItem(text);
      if (column != kOfPicture) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      pictures_->setItem(row, column++, item);
    }
  }
  filling_ = false;
  view_->show_camera(&one, residuals_->board);
  QStringList notes;
  for (const QString& held : one.held) notes << tr("Not determined: %1.").arg(held);
  for (const QString& advice : one.advice) notes << tr("Record next: %1.").arg(advice);
  notes_->setText(notes.join('\n'));
  notes_->setVisible(!notes.isEmpty());
  show_chosen();
}

void ResidualsDialog::show_summary() {
  if (!residuals_ || camera_->currentIndex() < 0) return;
  const CameraResiduals& one = shown();
  if (one.seen == 0) return summary_->setText(tr("nothing was used"));
  summary_->setText(
      tr("%1 %2 in %3; RMS %4 px, median %5 px, max %6 px. Arrows are enlarged \u00d7%7, red ones are longer "
         "than three times the median.")
          .arg(one.seen)
          .arg(residuals_->board ? tr("corners") : tr("clicks"))
          .arg(residuals_->board ? tr("%1 pictures").arg(one.pictures.size())
                                 : tr("%1 points").arg(one.pictures.size()))
          .arg(two_digits(one.rms_px), two_digits(one.median_px), two_digits(one.max_px))
          .arg(view_->scale()));
}

void ResidualsDialog::show_chosen() {
  const std::optional<ResidualChoice>& arrow = view_->chosen();
  const std::optional<size_t>& picture = view_->highlighted();
  if (arrow) return chosen_->setText(view_->words(*arrow));
  if (!picture)
    return chosen_->setText(
        residuals_->board ? tr("Point at an arrow or click it to read it; choose a picture in the list.")
                          : tr("Point at an arrow or click it to read it; choose a point in the list."));
  const PictureResiduals& one = shown().pictures[*picture];
  chosen_->setText(
      tr("%1: RMS %2 px, max %3 px").arg(one.name, two_digits(one.rms_px), two_digits(one.max_px)));
}

QString ResidualsDialog::summary() const {
  return summary_->text();
}
QString ResidualsDialog::chosen_text() const {
  return chosen_->text();
}
QString ResidualsDialog::notes() const {
  return notes_->text();
}

}  // namespace vantage::ui
