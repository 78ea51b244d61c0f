#include "ui/main_window/clock/moment_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace vantage::ui {
namespace {

constexpr int kMomentWidth = 380;

}  // namespace

MomentDialog::MomentDialog(const MomentQuestion& question, QWidget* parent)
    : QDialog(parent),
      question_(question),
      note_(new QLabel),
      field_(new QLineEdit(question.text)),
      answer_(new QLabel),
      accept_(nullptr) {
  setWindowTitle(question.title);
  note_->setWordWrap(true);
  note_->hide();
  field_->setMinimumSize(kMomentWidth, field_->sizeHint().height());
  field_->setToolTip(question.hint);
  field_->setAccessibleName(QString(question.label).remove('&'));
  field_->setAccessibleDescription(question.hint);
  answer_->setWordWrap(true);
  answer_->setAlignment(Qt::AlignTop);
  answer_->setMinimumHeight(2 * fontMetrics().lineSpacing());
  answer_->setAccessibleName(tr("What it means"));
  auto* form = new QFormLayout;
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->addRow(question.label, field_);
  form->addRow(QString(), answer_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  accept_ = buttons->addButton(question.button, QDialogButtonBox::AcceptRole);
  accept_->setDefault(true);
  accept_->setToolTip(question.title);
  if (!question.removal.isEmpty()) {
    QPushButton* removal = buttons->addButton(question.removal, QDialogButtonBox::DestructiveRole);
    removal->setAutoDefault(false);
    removal->setToolTip(question.removal_tip);
    connect(removal, &QPushButton::clicked, this, [this] {
      emit removed();
      reject();
    });
  }
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(field_, &QLineEdit::textChanged, this, &MomentDialog::update_answer);
  auto* page = new QVBoxLayout(this);
  page->addWidget(note_);
  page->addLayout(form);
  page->addWidget(buttons);
  field_->selectAll();
  update_answer();
}

QString MomentDialog::typed() const {
  return field_->text().trimmed();
}

QString MomentDialog::answer() const {
  return answer_->text();
}

void MomentDialog::show_note(const QString& note) {
  note_->setText(note);
  note_->show();
  note_->setMinimumHeight(note_->heightForWidth(kMomentWidth));
  adjustSize();
}

void MomentDialog::update_answer() {
  if (typed().isEmpty() && !question_.may_be_empty) {
    accept_->setEnabled(false);
    return answer_->setText(question_.hint);
  }
  const Result<QString> meant = question_.answer(typed());
  accept_->setEnabled(meant.has_value());
  answer_->setText(meant ? *meant : QString::fromStdString(meant.error().message()));
}

}  // namespace vantage::ui
