#include "ui/main_window/first_steps_dialog.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace vantage::ui {
namespace {

struct Step {
  const char* title;
  const char* text;
};
constexpr Step kSteps[] = {
    {QT_TR_NOOP("Play"), QT_TR_NOOP("Space plays and pauses, , and . step one frame, Home and End go to the "
                                    "first and last frame. 1 to 9 show one camera, 0 shows all.")},
    {QT_TR_NOOP("Look"),
     QT_TR_NOOP("F shows the foreground, V the volume; hold X for the bare footage. Point at the floor to "
                "see that position in every camera. Turn the scene with the mouse; M looks from above.")},
    {QT_TR_NOOP("Check"), QT_TR_NOOP("Ctrl+F7 checks a few frames of every camera; F7 lists what passed, is "
                                     "doubtful or failed, and what to do about it.")},
    {QT_TR_NOOP("Tune"),
     QT_TR_NOOP("F6 opens the parameters. The current frame follows at once; the strip under the seek bar "
                "shows which frames are out of date. Ctrl+Z undoes a change.")},
    {QT_TR_NOOP("Analyse"),
     QT_TR_NOOP("I and O mark a range, Ctrl+R analyses it, Ctrl+Shift+R everything. The results are saved "
                "next to the project and shown when it is opened again.")},
};

}  // namespace

FirstStepsDialog::FirstStepsDialog(QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("First Steps"));
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(18);
  grid->setVerticalSpacing(14);
  grid->setColumnStretch(1, 1);
  int row = 0;
  for (const Step& step : kSteps) {
    auto* title = new QLabel(tr("%1. %2").arg(row + 1).arg(tr(step.title)));
    QFont font = title->font();
    font.setBold(true);
    title->setFont(font);
    auto* text = new QLabel(tr(step.text));
    text->setWordWrap(true);
    grid->addWidget(title, row, 0, Qt::AlignTop);
    grid->addWidget(text, row++, 1, Qt::AlignTop);
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(24, 20, 24, 16);
  page->setSpacing(18);
  page->addLayout(grid, 1);
  page->addWidget(buttons);
  resize(600, 380);
}

}  // namespace vantage::ui
