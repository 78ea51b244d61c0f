#include "ui/panels/proposal_card.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/panels/instant_view.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {

ProposalCard::ProposalCard(QAction* apply, QAction* dismiss, QWidget* parent)
    : QFrame(parent),
      camera_(new QComboBox),
      words_(new QLabel),
      agreement_(new QLabel),
      view_(new InstantView) {
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("Proposed offset"));
  describe(camera_, tr("Camera whose proposed offset is shown"), camera_->accessibleName());
  words_->setAccessibleName(tr("The proposal"));
  agreement_->setAccessibleName(tr("Agreement of the silhouettes now and as proposed"));
  for (QLabel* label : {words_, agreement_}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
  }
  auto* buttons = new QHBoxLayout;
  for (QAction* action : {apply, dismiss}) {
    action->setIconText(action == apply ? tr("Apply") : tr("Dismiss"));  // its button's text
    buttons->addWidget(text_button(action));
  }
  buttons->addStretch(1);
  buttons->addWidget(camera_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kApart, kApart, kApart, kApart);
  column->setSpacing(kTight);
  column->addWidget(words_);
  column->addLayout(buttons);
  column->addWidget(view_);
  column->addWidget(agreement_);
  connect(camera_, &QComboBox::currentIndexChanged, this, &ProposalCard::chosen);
  hide();
}

void ProposalCard::set_proposals(const QStringList& cameras, int shown) {
  const QSignalBlocker blocker(camera_);
  camera_->clear();
  camera_->addItems(cameras);
  camera_->setCurrentIndex(shown);
  camera_->setVisible(cameras.size() > 1);
  setVisible(!cameras.isEmpty());
}

void ProposalCard::show_text(const QString& text, const QString& agreement) {
  words_->setText(text);
  agreement_->setText(agreement);
  agreement_->setVisible(!agreement.isEmpty());
}

void ProposalCard::show_pictures(std::shared_ptr<const InstantPictures> pictures) {
  view_->setVisible(pictures != nullptr);
  view_->set_pictures(std::move(pictures));
}

}  // namespace vantage::ui
