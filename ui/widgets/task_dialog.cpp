#include "ui/widgets/task_dialog.h"

#include <QDialogButtonBox>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {

TaskDialog::TaskDialog(const QString& title, const QString& button, const QString& tip, QWidget* parent)
    : QDialog(parent),
      fields_(new QWidget),
      problem_(text_label()),
      bar_(new QProgressBar),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
  setWindowTitle(title);
  problem_->setAccessibleName(tr("What is missing"));
  problem_->setMinimumHeight(fontMetrics().lineSpacing());  // else the buttons would move
  bar_->setAccessibleName(tr("Progress"));
  bar_->setVisible(false);
  buttons_->button(QDialogButtonBox::Ok)->setText(button);
  buttons_->button(QDialogButtonBox::Ok)->setToolTip(tip);
  connect(buttons_, &QDialogButtonBox::accepted, this, [this] { start(); });
  connect(buttons_->button(QDialogButtonBox::Cancel), &QPushButton::clicked, this, [this] {
    if (running_)
      emit cancelled();
    else
      reject();
  });
}

void TaskDialog::lay_out() {
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kPage, kWide, kPage, kWide);
  page->setSpacing(kWide);
  page->addWidget(fields_);
  page->addWidget(problem_);
  page->addWidget(bar_);
  page->addStretch(1);
  page->addWidget(buttons_);
}

void TaskDialog::show_problem(const QString& problem) {
  problem_->setText(problem);
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty() && !running_);
}

void TaskDialog::name_button(const QString& text) {
  buttons_->button(QDialogButtonBox::Ok)->setText(text);
}

void TaskDialog::show_running(bool running) {
  running_ = running;
  fields_->setEnabled(!running);
  bar_->setVisible(running);
  bar_->setRange(0, 0);
  QPushButton* cancel = buttons_->button(QDialogButtonBox::Cancel);
  cancel->setText(running ? tr("&Stop") : tr("&Close"));
  cancel->setToolTip(running ? tr("End the export; nothing of it is kept") : tr("Close this dialog"));
  update_state();
}

void TaskDialog::show_progress(int64_t done, int64_t total, const QString& doing) {
  bar_->setRange(0, static_cast<int>(total));
  bar_->setValue(static_cast<int>(done));
  if (!doing.isEmpty()) bar_->setFormat(doing + QStringLiteral(" %p %"));
}

void TaskDialog::reject() {
  if (running_)
    hide();
  else
    QDialog::reject();
}

}  // namespace vantage::ui
