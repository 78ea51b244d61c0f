#include "ui/main_window/nudge/nudge_page.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <cmath>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

struct NudgeField {
  const char *name, *tip, *unit;
  double step, range;
  double per_unit;  // CameraChange's unit for each of the field's
};
constexpr double kDegree = M_PI / 180;
constexpr NudgeField kNudgeFields[kChanges] = {
    {QT_TRANSLATE_NOOP("NudgePage", "Tilt"),
     QT_TRANSLATE_NOOP("NudgePage", "About the picture's x axis, degrees"), "\u00b0", 0.05, 45, kDegree},
    {QT_TRANSLATE_NOOP("NudgePage", "Pan"),
     QT_TRANSLATE_NOOP("NudgePage", "About the picture's y axis, degrees"), "\u00b0", 0.05, 45, kDegree},
    {QT_TRANSLATE_NOOP("NudgePage", "Roll"),
     QT_TRANSLATE_NOOP("NudgePage", "About the line of sight, degrees"), "\u00b0", 0.05, 45, kDegree},
    {QT_TRANSLATE_NOOP("NudgePage", "x"),
     QT_TRANSLATE_NOOP("NudgePage", "Along the world's x axis, centimetres"), " cm", 0.5, 500, 0.01},
    {QT_TRANSLATE_NOOP("NudgePage", "y"),
     QT_TRANSLATE_NOOP("NudgePage", "Along the world's y axis, centimetres"), " cm", 0.5, 500, 0.01},
    {QT_TRANSLATE_NOOP("NudgePage", "z"), QT_TRANSLATE_NOOP("NudgePage", "Up, centimetres"), " cm", 0.5, 500,
     0.01},
    {QT_TRANSLATE_NOOP("NudgePage", "Focal length"),
     QT_TRANSLATE_NOOP("NudgePage", "Longer, per cent: the picture shows less"), " %", 0.1, 50, 0.01},
};

}  // namespace

NudgePage::NudgePage(const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent), camera_(new QComboBox), words_(quiet_label()) {
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 4, 0, 0);
  page->setSpacing(4);
  auto* head = new QHBoxLayout;
  auto* label = new QLabel(tr("&Camera"));
  label->setBuddy(camera_);
  camera_->setAccessibleName(tr("Camera to nudge"));
  camera_->setToolTip(tr("The camera for whose calibration other values are tried"));
  head->addWidget(label);
  head->addWidget(camera_, 1);
  page->addLayout(head);
  auto* grid = new QGridLayout;
  grid->setSpacing(4);
  for (int i = 0; i < kChanges; ++i) {
    const NudgeField& described = kNudgeFields[i];
    auto* field = new QDoubleSpinBox;
    field->setRange(-described.range, described.range);
    field->setDecimals(2);
    field->setSingleStep(described.step);
    field->setSuffix(QString::fromUtf8(described.unit));
    field->setAccessibleName(tr(described.name));
    field->setToolTip(tr(described.tip) + tr("; arrow keys step, Page Up and Down by ten steps"));
    const int row = i % 3, column = i == kChanges - 1 ? 0 : 2 * (i / 3);
    grid->addWidget(new QLabel(tr(described.name)), i == kChanges - 1 ? 3 : row, column);
    grid->addWidget(field, i == kChanges - 1 ? 3 : row, column + 1);
    connect(field, &QDoubleSpinBox::valueChanged, this, [this] {
      if (!filling_) emit nudged();
    });
    fields_[static_cast<size_t>(i)] = field;
  }
  page->addLayout(grid);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(4);
  for (QAction* action : actions) buttons->addWidget(text_button(action));
  buttons->addStretch(1);
  page->addLayout(buttons);
  words_->setWordWrap(true);
  page->addWidget(words_);
  page->addStretch(1);
  connect(camera_, &QComboBox::currentIndexChanged, this, [this] {
    if (filling_) return;
    reset();
    emit camera_chosen();
  });
}

void NudgePage::show_cameras(const std::vector<std::string>& names) {
  const QString before = camera_->currentText();
  filling_ = true;
  camera_->clear();
  for (const std::string& name : names) camera_->addItem(QString::fromStdString(name));
  const int kept = camera_->findText(before);
  camera_->setCurrentIndex(kept >= 0 ? kept : camera_->count() > 0 ? 0 : -1);
  filling_ = false;
  for (QDoubleSpinBox* field : fields_) field->setEnabled(camera_->count() > 0);
}

std::string NudgePage::camera() const {
  return camera_->currentText().toStdString();
}

void NudgePage::choose_camera(const std::string& name) {
  camera_->setCurrentText(QString::fromStdString(name));
}

CameraChange NudgePage::change() const {
  CameraChange change;
  for (int i = 0; i < kChanges; ++i)
    change[i] = fields_[static_cast<size_t>(i)]->value() * kNudgeFields[i].per_unit;
  return change;
}

void NudgePage::reset() {
  filling_ = true;
  for (QDoubleSpinBox* field : fields_) field->setValue(0);
  filling_ = false;
  show_words({});
}

void NudgePage::show_words(const QString& text) {
  words_->setText(text);
}

QString NudgePage::words() const {
  return words_->text();
}

}  // namespace vantage::ui
