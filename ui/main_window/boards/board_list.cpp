#include "ui/main_window/boards/board_list.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

enum BoardListColumn { kWhichBoard, kSeenBy, kJoined };

constexpr int kMaxShown = 5;  // boards without scrolling
constexpr int kMinText_px = 200;

}  // namespace

BoardList::BoardList(const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      table_(row_table(tr("Boards"), {tr("Board"), tr("Cameras"), tr("Stands")}, kWhichBoard)),
      text_(text_label()) {
  table_->horizontalHeaderItem(kWhichBoard)->setToolTip(tr("Choose one: the fields below are its"));
  table_->horizontalHeaderItem(kSeenBy)->setToolTip(tr("How many cameras saw it, hand-held ones too"));
  table_->horizontalHeaderItem(kJoined)->setToolTip(
      tr("Whether it is known how it stands to the other boards"));
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  text_->setAccessibleName(tr("What was found of the chosen board"));
  text_->hide();
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(4);
  for (QAction* action : actions) buttons->addWidget(text_button(action));
  buttons->addStretch(1);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 0, 0, 0);
  page->setSpacing(4);
  page->addWidget(table_);
  page->addWidget(text_);
  page->addLayout(buttons);
  connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
    const int row = table_->currentRow();
    if (filling_ || row < 0) return;
    chosen_ = static_cast<size_t>(row);
    show_text();
    emit chosen_by_hand(row);
  });
}

void BoardList::show_boards(const std::vector<QString>& boards, size_t chosen, const QString& problem) {
  filling_ = true;
  problem_ = problem;
  chosen_ = std::min(chosen, boards.empty() ? 0 : boards.size() - 1);
  table_->setRowCount(static_cast<int>(boards.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    for (const int column : {kWhichBoard, kSeenBy, kJoined})
      if (!table_->item(row, column)) table_->setItem(row, column, new QTableWidgetItem);
    const QString text = QStringLiteral("%1  %2").arg(row + 1).arg(boards[static_cast<size_t>(row)]);
    table_->item(row, kWhichBoard)->setText(text);
    table_->item(row, kWhichBoard)->setToolTip(text);
  }
  table_->setCurrentCell(static_cast<int>(chosen_), kWhichBoard);
  const int shown = std::clamp(table_->rowCount(), 1, kMaxShown);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         shown * table_->verticalHeader()->defaultSectionSize() + 2 * table_->frameWidth());
  filling_ = false;
  show_text();
}

void BoardList::show_results(const std::vector<BoardResult>& results) {
  results_ = results;
  for (int row = 0; row < table_->rowCount(); ++row) {
    const auto at = static_cast<size_t>(row);
    const BoardResult result = at < results_.size() ? results_[at] : BoardResult{};
    table_->item(row, kSeenBy)->setText(result.cameras.isEmpty() ? QStringLiteral("\u2013") : result.cameras);
    table_->item(row, kJoined)->setText(result.joined.isEmpty() ? QStringLiteral("\u2013") : result.joined);
    for (const int column : {kSeenBy, kJoined})
      table_->item(row, column)->setToolTip(result.text.isEmpty() ? tr("Not searched for yet") : result.text);
  }
  show_text();
}

void BoardList::show_text() {
  const QString found = chosen_ < results_.size() ? results_[chosen_].text : QString();
  text_->setText(problem_.isEmpty() ? found : QStringLiteral("\u25b2 ") + problem_);
  text_->setVisible(!text_->text().isEmpty());
  make_room();
}

// What scrolls asks a wrapped text for its size before it knows how wide it is.
void BoardList::make_room() {
  text_->setMinimumHeight(text_->isHidden() ? 0 : text_->heightForWidth(std::max(width(), kMinText_px)));
}

void BoardList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  make_room();
}

QString BoardList::text() const {
  return text_->text();
}

}  // namespace vantage::ui
