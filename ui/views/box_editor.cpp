#include "ui/views/box_editor.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {

BoxEditor::BoxEditor(QWidget* parent) : QFrame(parent), title_(new QLabel), close_(new QToolButton) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setCursor(Qt::ArrowCursor);
  close_->setObjectName("close");
  close_->setAutoRaise(true);
  describe(close_, tr("Close"), tr("Close (Esc)"));
  connect(close_, &QToolButton::clicked, this, &BoxEditor::closed);
  show_icon();
  auto* head = new QHBoxLayout;
  head->addWidget(title_, 1);
  head->addWidget(close_);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(kApart);
  grid->setVerticalSpacing(kTight);
  const auto add = [&](Field field, const char* name, const char* tip, int row, int column) {
    auto* box = add_field(field, name, tip);
    grid->addWidget(labels_[field], 2 * row, column);
    grid->addWidget(box, 2 * row + 1, column);
  };
  add(kX, QT_TR_NOOP("x"), QT_TR_NOOP("Middle along x, metres"), 0, 0);
  add(kY, QT_TR_NOOP("y"), QT_TR_NOOP("Middle along y, metres"), 0, 1);
  add(kBottom, QT_TR_NOOP("bottom"), QT_TR_NOOP("Height of the bottom face above the floor, metres"), 0, 2);
  add(kLength, QT_TR_NOOP("length"), QT_TR_NOOP("Length along its own x, metres"), 1, 0);
  add(kWidth, QT_TR_NOOP("width"), QT_TR_NOOP("Width along its own y, metres"), 1, 1);
  add(kHeight, QT_TR_NOOP("height"), QT_TR_NOOP("Height, metres"), 1, 2);
  add(kTurn, QT_TR_NOOP("turn"), QT_TR_NOOP("Turned counter-clockwise as seen from above, degrees"), 2, 0);
  add(kVoxel, QT_TR_NOOP("voxel"), QT_TR_NOOP("Size of a voxel, metres"), 2, 1);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kTight, kApart, kApart);
  page->setSpacing(kTight);
  page->addLayout(head);
  page->addLayout(grid);
}

QDoubleSpinBox* BoxEditor::add_field(Field field, const char* name, const char* tip) {
  auto* box = new DecimalField;
  auto* label = new QLabel(tr(name));
  label->setForegroundRole(QPalette::PlaceholderText);
  label->setBuddy(box);
  const bool size = field == kLength || field == kWidth || field == kHeight;
  box->setRange(size ? kSmallestBox_m : -1000, 1000);
  box->setDecimals(3);  // a board's side is known to the millimetre
  box->setSingleStep(0.05);
  if (field == kTurn)
    box->setRange(-180, 180), box->setWrapping(true), box->setDecimals(1), box->setSingleStep(1);
  if (field == kVoxel) box->setRange(0.005, 0.5), box->setDecimals(3), box->setSingleStep(0.005);
  box->setSuffix(field == kTurn ? tr("°") : tr(" m"));
  describe(box, tr(tip), tr(tip));
  box->setKeyboardTracking(false);
  connect(box, &QDoubleSpinBox::valueChanged, this, &BoxEditor::read_fields);
  labels_[field] = label;
  return fields_[field] = box;
}

void BoxEditor::edit(Subject subject, const QString& title, const UprightBox& box, double voxel_m) {
  subject_ = subject;
  box_ = box;
  voxel_m_ = voxel_m;
  const bool region = subject == Subject::region;
  title_->setText(title);
  setAccessibleName(title_->text());
  for (const Field field : {kTurn, kVoxel}) {
    fields_[field]->setVisible(region == (field == kVoxel));
    labels_[field]->setVisible(region == (field == kVoxel));
  }
  const double values[kFieldCount] = {
      box.base_in_world_m.x(), box.base_in_world_m.y(), box.base_in_world_m.z(), box.size_m.x(),
      box.size_m.y(),          box.size_m.z(),          box.turn_degrees,        voxel_m};
  for (int field = 0; field < kFieldCount; ++field) {
    const QSignalBlocker quiet(fields_[field]);
    fields_[field]->setValue(values[field]);
  }
  adjustSize();
}

// Reads only edited fields: the other values keep all their digits.
void BoxEditor::read_fields() {
  const auto* changed = qobject_cast<QDoubleSpinBox*>(sender());
  double* const values[kFieldCount] = {
      &box_.base_in_world_m.x(), &box_.base_in_world_m.y(), &box_.base_in_world_m.z(), &box_.size_m.x(),
      &box_.size_m.y(),          &box_.size_m.z(),          &box_.turn_degrees,        &voxel_m_};
  for (size_t field = 0; field < kFieldCount; ++field)
    if (fields_[field] == changed) *values[field] = changed->value();
  emit edited(box_, voxel_m_);
}

void BoxEditor::show_icon() {
  close_->setIcon(themed_icon("close", palette()));
}

void BoxEditor::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) show_icon();
  QFrame::changeEvent(event);
}

void BoxEditor::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit closed();
  QFrame::keyPressEvent(event);
}

}  // namespace vantage::ui
