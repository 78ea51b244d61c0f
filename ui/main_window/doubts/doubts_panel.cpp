#include "ui/main_window/doubts/doubts_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

QHBoxLayout* buttons_of(const std::vector<QAction*>& actions) {
  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  for (QAction* action : actions) row->addWidget(text_button(action));
  row->addStretch(1);
  return row;
}

}  // namespace

DoubtsPanel::DoubtsPanel(const std::vector<QAction*>& moves, const std::vector<QAction*>& answers,
                         QWidget* parent)
    : QWidget(parent), question_(text_label()), summary_(new QLabel), list_(new FoundList) {
  setAccessibleName(tr("Doubtful identities"));
  question_->setAccessibleName(tr("Question"));
  question_->setWordWrap(true);
  question_->setMinimumHeight(2 * fontMetrics().lineSpacing());
  question_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  summary_->setAccessibleName(tr("How many are in doubt"));
  list_->setAccessibleName(tr("In doubt"));
  list_->set_columns(
      {{{tr("Time"), tr("The last frame before it")},
        {tr("Who"), tr("People, by name or ID")},
        {tr("Wrong"),
         tr("The probability that the tracks are wrong there, by positions and heights, in percent")},
        {tr("What"), tr("What the tracks cannot tell")}}});
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(8, 8, 8, 8);
  page->setSpacing(4);
  page->addLayout(buttons_of(moves));
  page->addWidget(question_);
  page->addLayout(buttons_of(answers));
  page->addWidget(list_, 1);
  page->addWidget(summary_);
  show_question({});
}

void DoubtsPanel::show_doubts(std::vector<FoundRow> rows, const QString& words) {
  list_->set_rows(std::move(rows), false);
  summary_->setText(words);
}

void DoubtsPanel::show_question(const QString& question) {
  question_->setText(question.isEmpty() ? tr("Go to a doubtful identity, play it, and say who is who.")
                                        : question);
}

QString DoubtsPanel::summary() const {
  return summary_->text();
}

QString DoubtsPanel::question() const {
  return question_->text();
}

}  // namespace vantage::ui
