#include "ui/main_window/residuals/residuals_dialog.h"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/widgets/action_button.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

QString signed_text(double px) {
  return (px < 0 ? QString() : QStringLiteral("+")) + number_text(px, 'f', 2);
}

constexpr double kAround_px = 10;
constexpr double kMedianArrow_px = 18;  // on the screen
constexpr double kReach_px = 8;
constexpr double kLong = 3;  // times the median: such arrows stand out

double distance_to(const QLineF& line, const QPointF& place) {
  const QPointF along = line.p2() - line.p1(), from = place - line.p1();
  const double length2 = QPointF::dotProduct(along, along);
  const double share = length2 > 0 ? std::clamp(QPointF::dotProduct(along, from) / length2, 0.0, 1.0) : 0.0;
  return QLineF(line.pointAt(share), place).length();
}

void draw_arrow(QPainter& painter, const QLineF& line, const QColor& color, double width) {
  constexpr double kHead_px = 4;
  painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(line);
  const double head = std::min(kHead_px + width, line.length() / 2);
  for (const double turn : {150.0, -150.0})
    if (head > 1) {
      QLineF barb = line;
      barb.setAngle(line.angle() + turn);
      barb.setLength(head);
      painter.drawLine(line.p2(), line.p2() + barb.p2() - barb.p1());
    }
}

}  // namespace

ResidualsView::ResidualsView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Residuals over the picture"));
  setFocusPolicy(Qt::StrongFocus);
  set_takes_moves(this, true);
}

void ResidualsView::show_camera(const CameraResiduals* camera, bool board) {
  board_ = board;
  camera_ = camera;
  highlighted_.reset();
  chosen_.reset();
  describe();
  emit scale_changed();
}

void ResidualsView::highlight(std::optional<size_t> picture) {
  highlighted_ = picture;
  if (chosen_ && chosen_->picture != picture) chosen_.reset();
  describe();
}

void ResidualsView::choose(std::optional<ResidualChoice> arrow) {
  chosen_ = arrow;
  if (arrow) highlighted_ = arrow->picture;
  describe();
}

void ResidualsView::choose_by_hand(std::optional<ResidualChoice> arrow) {
  if (!arrow) highlighted_.reset();
  choose(arrow);
  emit arrow_chosen(arrow);
}

QRectF ResidualsView::picture_area() const {
  const QRectF room = QRectF(rect()).adjusted(kAround_px, kAround_px, -kAround_px, -kAround_px);
  if (!camera_ || camera_->width_px <= 0 || camera_->height_px <= 0) return room;
  const double zoom = std::min(room.width() / camera_->width_px, room.height() / camera_->height_px);
  const QSizeF size(zoom * camera_->width_px, zoom * camera_->height_px);
  return {room.center().x() - size.width() / 2, room.center().y() - size.height() / 2, size.width(),
          size.height()};
}

QPointF ResidualsView::position_of(const Eigen::Vector2d& pixel) const {
  const QRectF area = picture_area();
  return {area.left() + (pixel.x() + 0.5) * area.width() / camera_->width_px,
          area.top() + (pixel.y() + 0.5) * area.height() / camera_->height_px};
}

int ResidualsView::scale() const {
  if (!camera_ || camera_->seen == 0) return 1;
  return residual_scale(camera_->median_px, kMedianArrow_px * camera_->width_px / picture_area().width());
}

QLineF ResidualsView::line_of(const SeenResidual& seen) const {
  return {position_of(seen.seen_px), position_of(seen.seen_px + scale() * seen.off_px)};
}

QString ResidualsView::words(const ResidualChoice& arrow) const {
  const PictureResiduals& picture = camera_->pictures[arrow.picture];
  const SeenResidual& seen = picture.seen[arrow.seen];
  return tr("%1, %2: x %3 px, y %4 px, together %5 px")
      .arg(picture.name, seen.name)
      .arg(signed_text(seen.off_px.x()), signed_text(seen.off_px.y()))
      .arg(seen.off_px.norm(), 0, 'f', 2);
}

// The arrow is one of the highlighted picture, if there is one: its arrows lie above the others.
std::optional<ResidualChoice> ResidualsView::arrow_at(const QPointF& place) const {
  std::optional<ResidualChoice> nearest;
  double nearest_px = kReach_px;
  for (size_t p = 0; camera_ && p < camera_->pictures.size(); ++p)
    for (size_t s = 0; s < camera_->pictures[p].seen.size(); ++s) {
      const double above = highlighted_ == p ? 2 : 0;
      const double away = distance_to(line_of(camera_->pictures[p].seen[s]), place) - above;
      if (away < nearest_px) nearest_px = away, nearest = ResidualChoice{p, s};
    }
  return nearest;
}

bool ResidualsView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const std::optional<ResidualChoice> arrow = arrow_at(help->pos());
  QToolTip::showText(help->globalPos(),
                     arrow ? words(*arrow)
                     : board_
                         ? tr("Arrows run from where a corner was seen to where the calibration shows it, "
                              "enlarged; figures count corners in that part of the picture")
                         : tr("Arrows run from where a point was clicked to where the calibration shows it, "
                              "enlarged; figures count clicks in that part of the picture"),
                     this);
  return true;
}

void ResidualsView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) choose_by_hand(arrow_at(event->position()));
}

// Arrows go from one vector of the picture to the next, and from picture to picture.
void ResidualsView::keyPressEvent(QKeyEvent* event) {
  const bool along = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  const bool across = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
  if (event->modifiers() != Qt::NoModifier || !camera_ || camera_->pictures.empty() || (!along && !across))
    return QWidget::keyPressEvent(event);
  const int by = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1 : -1;
  const auto moved = [by](size_t from, size_t count) {
    return static_cast<size_t>(
        std::clamp<int64_t>(static_cast<int64_t>(from) + by, 0, static_cast<int64_t>(count) - 1));
  };
  ResidualChoice next{highlighted_.value_or(0), 0};
  if (across && highlighted_) next.picture = moved(*highlighted_, camera_->pictures.size());
  if (along && chosen_) next.seen = moved(chosen_->seen, camera_->pictures[next.picture].seen.size());
  choose_by_hand(next);
}

void ResidualsView::resizeEvent(QResizeEvent*) {
  emit scale_changed();
}

void ResidualsView::describe() {
  QString text;
  if (camera_)
    text =
        (board_ ? tr("%1: %2 corners, root mean square %3 px") : tr("%1: %2 clicks, root mean square %3 px"))
            .arg(camera_->name)
            .arg(camera_->seen)
            .arg(camera_->rms_px, 0, 'f', 2);
  if (chosen_) text += QStringLiteral("; ") + words(*chosen_);
  setAccessibleDescription(text);
  update();
}

void ResidualsView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().base());
  if (hasFocus()) {
    painter.setPen(palette().color(QPalette::Highlight));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
  painter.setPen(palette().color(QPalette::PlaceholderText));
  if (!camera_ || camera_->seen == 0) {
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     camera_ ? tr("Nothing that %1 saw was used.").arg(camera_->name) : QString());
    return;
  }
  draw_parts(painter);
  for (size_t p = 0; p < camera_->pictures.size(); ++p)
    if (highlighted_ != p) draw_arrows(painter, p);
  if (highlighted_) draw_arrows(painter, *highlighted_);
  draw_counts(painter);
}

QRectF ResidualsView::part_area(int part) const {
  const QRectF area = picture_area();
  const QSizeF size(area.width() / kCoverageColumns, area.height() / kCoverageRows);
  return {area.left() + part % kCoverageColumns * size.width(),
          area.top() + part / kCoverageColumns * size.height(), size.width(), size.height()};
}

void ResidualsView::draw_parts(QPainter& painter) const {
  QColor line = palette().color(QPalette::PlaceholderText);
  line.setAlphaF(0.35F);
  for (int i = 0; i < kCoverageColumns * kCoverageRows; ++i) {
    const QRectF cell = part_area(i);
    const int count = camera_->coverage[i];
    QColor empty(kDoubtful);
    empty.setAlphaF(0.5F);
    if (count == 0) painter.fillRect(cell, QBrush(empty, Qt::BDiagPattern));
    painter.setPen(line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cell);
  }
  painter.setPen(QPen(palette().color(QPalette::Text), 1));
  painter.drawRect(picture_area());
}

void ResidualsView::draw_arrows(QPainter& painter, size_t picture) const {
  const bool dark = is_dark(palette());
  const bool stands_out = highlighted_ == picture;
  for (const SeenResidual& seen : camera_->pictures[picture].seen) {
    const bool is_long = seen.off_px.norm() > kLong * camera_->median_px;
    QColor color = is_long ? QColor(kFailed) : dark ? QColor(kForegroundOverlay) : QColor(0, 90, 150);
    if (highlighted_ && !stands_out) color.setAlphaF(0.25F);
    if (stands_out) color = palette().color(QPalette::Text);
    draw_arrow(painter, line_of(seen), color, stands_out ? 1.4 : is_long ? 1.6 : 1);
  }
  if (!chosen_ || chosen_->picture != picture) return;
  const SeenResidual& chosen = camera_->pictures[picture].seen[chosen_->seen];
  painter.setPen(QPen(QColor(kFailed), 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(position_of(chosen.seen_px), 6, 6);
  draw_arrow(painter, line_of(chosen), QColor(kFailed), 3);
}

// Above the arrows, on a ground of their own.
void ResidualsView::draw_counts(QPainter& painter) const {
  const QFontMetricsF metrics(painter.font());
  for (int i = 0; i < kCoverageColumns * kCoverageRows; ++i) {
    const QString words = QString::number(camera_->coverage[i]);
    const QRectF ground(part_area(i).topLeft() + QPointF(2, 2),
                        QSizeF(metrics.horizontalAdvance(words) + 4, metrics.height()));
    painter.fillRect(ground, palette().base());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(ground, Qt::AlignCenter, words);
  }
}

namespace {

enum ResidualColumn { kOfPicture, kSeen, kPictureRms, kPictureMax };

QString two_digits(double px) {
  return number_text(px, 'f', 2);
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
      notes_(text_label()),
      leave_out_(new QAction(tr("&Leave Out"), this)),
      undo_(new QAction(tr("&Undo"), this)) {
  setWindowTitle(tr("Residuals"));
  describe(camera_, tr("Camera"),
           tr("The camera whose residuals are shown, with their root mean square in pixels"));
  auto* name = new QLabel(tr("Ca&mera"));
  name->setBuddy(camera_);
  summary_->setAccessibleName(tr("Residuals in its picture"));
  chosen_->setAccessibleName(tr("The chosen arrow"));
  notes_->setAccessibleName(tr("What is open, and what to record next"));
  pictures_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  leave_out_->setShortcut(Qt::Key_Delete);
  leave_out_->setToolTip(
      tr("Solve again without the chosen pictures, all boards in them; or with those left out (Del)"));
  undo_->setShortcut(QKeySequence::Undo);
  undo_->setToolTip(tr("Solve again with the pictures that were used before (Ctrl+Z)"));
  connect(leave_out_, &QAction::triggered, this, [this] {
    const std::vector<int> rows = chosen_rows();
    use(rows, std::ranges::none_of(rows, [this](int row) { return is_used(row); }));
  });
  connect(undo_, &QAction::triggered, this, &ResidualsDialog::undo_wanted);
  addActions({leave_out_, undo_});
  describe(board_, tr("Board"), tr("The board whose corners are shown and counted; all of them"));
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
  for (QAction* action : {leave_out_, undo_})
    buttons->addButton(text_button(action), QDialogButtonBox::ActionRole);
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
    pictures_->clearSelection();
    if (arrow) pictures_->selectRow(static_cast<int>(arrow->picture));
    filling_ = false;
    show_chosen();
  });
  connect(pictures_, &QTableWidget::itemSelectionChanged, this, [this] {
    if (filling_) return;
    const std::vector<int> chosen = chosen_rows();
    leave_out_->setEnabled(residuals_->board && !chosen.empty());
    const int row = pictures_->currentRow();
    const bool stands_out = std::ranges::find(chosen, row) != chosen.end() && is_used(row);
    view_->highlight(stands_out ? std::optional(static_cast<size_t>(row)) : std::nullopt);
    show_chosen();
  });
  // A tick of one of several that are chosen is one of them all.
  connect(pictures_, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem* item) {
    if (filling_ || item->column() != kOfPicture) return;
    std::vector<int> rows = chosen_rows();
    if (std::ranges::find(rows, item->row()) == rows.end()) rows = {item->row()};
    use(rows, item->checkState() == Qt::Checked);
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
  view_->show_camera(nullptr);                                                  // drop those before
  const bool same = residuals_ && residuals_->left_out != residuals->left_out;  // solved again
  const int before = camera_->currentIndex();
  {
    const QSignalBlocker blocker(camera_);
    camera_->clear();
    residuals_ = std::move(residuals);
    for (const CameraResiduals& camera : residuals_->cameras)
      camera_->addItem(tr("%1: %2 px").arg(camera.name, two_digits(camera.rms_px)));
    const auto worst = std::max_element(
        residuals_->cameras.begin(), residuals_->cameras.end(),
        [](const CameraResiduals& a, const CameraResiduals& b) { return a.rms_px < b.rms_px; });
    camera_->setCurrentIndex(same ? before : static_cast<int>(worst - residuals_->cameras.begin()));
  }
  show_boards();
  pictures_->horizontalHeaderItem(kOfPicture)->setText(residuals_->board ? tr("Picture") : tr("Point"));
  pictures_->horizontalHeaderItem(kSeen)->setText(residuals_->board ? tr("Corners") : tr("Clicks"));
  pictures_->setToolTip(residuals_->board
                            ? tr("Choose a picture: its arrows stand out; without its tick it is left out")
                            : tr("Choose a point: its arrows stand out"));
  for (QAction* action : {leave_out_, undo_}) action->setVisible(residuals_->board);
  show_camera(camera_->currentIndex());
}

void ResidualsDialog::show_camera(int camera) {
  if (!residuals_ || camera < 0) return;
  camera_->setCurrentIndex(camera);
  view_->show_camera(nullptr);  // it holds the one before
  const CameraResiduals& whole = residuals_->cameras[camera];
  const int board = board_->currentData().toInt();
  shown_ = board < 0 ? whole : of_board(whole, board);
  const CameraResiduals& one = shown();
  filling_ = true;
  pictures_->clearSelection();
  pictures_->setRowCount(static_cast<int>(one.pictures.size() + one.left_out.size()));
  for (int row = 0; row < pictures_->rowCount(); ++row) {
    const auto at = static_cast<size_t>(row);
    QStringList texts{tr("frame %1").arg(frame_of(row)), tr("left out"), {}, {}};
    if (at < one.pictures.size()) {
      const PictureResiduals& picture = one.pictures[at];
      texts = {picture.name, QString::number(picture.seen.size()), two_digits(picture.rms_px),
               two_digits(picture.max_px)};
    }
    for (int column = 0; column < texts.size(); ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      if (column != kOfPicture) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      pictures_->setItem(row, column, item);
    }
  }
  filling_ = false;
  leave_out_->setEnabled(false);
  show_ticks();
  view_->show_camera(&one, residuals_->board);
  QStringList notes;
  for (const QString& held : one.held) notes << tr("Not determined: %1.").arg(held);
  for (const QString& advice : one.advice) notes << tr("Record next: %1.").arg(advice);
  notes_->setText(notes.join('\n'));
  notes_->setVisible(!notes.isEmpty());
  show_chosen();
}

int64_t ResidualsDialog::frame_of(int row) const {
  const auto at = static_cast<size_t>(row);
  const std::vector<PictureResiduals>& used = shown().pictures;
  return at < used.size() ? used[at].frame : shown().left_out[at - used.size()];
}

bool ResidualsDialog::is_used(int row) const {
  return static_cast<size_t>(row) < shown().pictures.size();
}

std::vector<int> ResidualsDialog::chosen_rows() const {
  std::vector<int> rows;
  for (int row = 0; row < pictures_->rowCount(); ++row)
    if (pictures_->selectionModel()->isRowSelected(row, {})) rows.push_back(row);
  return rows;
}

void ResidualsDialog::show_ticks() {
  if (!residuals_ || !residuals_->board) return;
  filling_ = true;
  for (int row = 0; row < pictures_->rowCount(); ++row)
    pictures_->item(row, kOfPicture)->setCheckState(is_used(row) ? Qt::Checked : Qt::Unchecked);
  filling_ = false;
}

void ResidualsDialog::use(const std::vector<int>& rows, bool used) {
  if (!residuals_->board || rows.empty()) return;
  const auto camera = static_cast<size_t>(camera_->currentIndex());
  LeftOut pictures = residuals_->left_out;
  filling_ = true;
  for (const int row : rows) {
    pictures_->item(row, kOfPicture)->setCheckState(used ? Qt::Checked : Qt::Unchecked);
    used ? static_cast<void>(pictures.erase({camera, frame_of(row)}))
         : static_cast<void>(pictures.insert({camera, frame_of(row)}));
  }
  filling_ = false;
  emit leaves_out(pictures);
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

}  // namespace vantage::ui
