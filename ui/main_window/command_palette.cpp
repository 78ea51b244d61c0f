#include "ui/main_window/command_palette.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

namespace vantage::ui {
namespace {

constexpr char kRecent[] = "commands/recent";
constexpr int kMaxRecent = 8;

// How well what was typed fits: 0 best, -1 not at all. Each word has to occur.
int fit(const QStringList& typed, const QString& text, const QString& menu, const QString& tip) {
  int worst = 0;
  for (const QString& word : typed) {
    const auto in = [&](const QString& where) { return where.contains(word, Qt::CaseInsensitive); };
    const bool begins =
        text.startsWith(word, Qt::CaseInsensitive) || text.contains(' ' + word, Qt::CaseInsensitive);
    const int one = begins ? 0 : in(text) ? 1 : in(menu) ? 2 : in(tip) ? 3 : -1;
    if (one < 0) return -1;
    worst = std::max(worst, one);
  }
  return worst;
}

}  // namespace

CommandPalette::CommandPalette(const std::vector<QAction*>& actions, QWidget* parent)
    : QDialog(parent), words_(new QLineEdit), list_(new QTreeWidget), tip_(new QLabel) {
  setWindowTitle(tr("Find Command"));
  const QStringList recent = QSettings().value(kRecent).toStringList();
  for (QAction* action : actions)
    if (action->isVisible()) commands_.push_back({action, without_letter(action->text()), menu_of(*action)});
  // The last ones that were given stand first while nothing is typed.
  const auto age = [&](const Command& command) {
    const qsizetype at = recent.indexOf(command.action->objectName());
    return at < 0 ? recent.size() : at;
  };
  std::stable_sort(commands_.begin(), commands_.end(),
                   [&](const Command& a, const Command& b) { return age(a) < age(b); });
  words_->setPlaceholderText(tr("Words of a command"));
  words_->setAccessibleName(tr("Words of a command"));
  words_->setClearButtonEnabled(true);
  words_->installEventFilter(this);
  list_->setAccessibleName(tr("Commands"));
  list_->setColumnCount(3);
  list_->setHeaderHidden(true);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  tip_->setWordWrap(true);
  tip_->setMinimumHeight(2 * tip_->fontMetrics().lineSpacing());
  tip_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  auto* page = new QVBoxLayout(this);
  page->addWidget(words_);
  page->addWidget(list_, 1);
  page->addWidget(tip_);
  connect(words_, &QLineEdit::textChanged, this, &CommandPalette::list);
  connect(words_, &QLineEdit::returnPressed, this, &CommandPalette::choose);
  connect(list_, &QTreeWidget::itemActivated, this, &CommandPalette::choose);
  connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::choose);
  connect(list_, &QTreeWidget::currentItemChanged, this, &CommandPalette::tell_current);
  resize(620, 420);
  list({});
}

// The arrows move in the list while the words keep the focus.
bool CommandPalette::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down       ? 1
                     : key == Qt::Key_Up       ? -1
                     : key == Qt::Key_PageDown ? 10
                     : key == Qt::Key_PageUp   ? -10
                                               : 0;
    if (step != 0) {
      const int row = list_->indexOfTopLevelItem(list_->currentItem()) + step;
      list_->setCurrentItem(
          list_->topLevelItem(std::clamp(row, 0, std::max(0, list_->topLevelItemCount() - 1))));
      return true;
    }
  }
  return QDialog::eventFilter(object, event);
}

void CommandPalette::list(const QString& typed) {
  const QStringList words = typed.split(' ', Qt::SkipEmptyParts);
  std::vector<std::pair<int, size_t>> fitting;
  for (size_t i = 0; i < commands_.size(); ++i)
    if (const int how =
            fit(words, commands_[i].text, commands_[i].menu, commands_[i].action->property("tip").toString());
        how >= 0)
      fitting.emplace_back(how, i);
  std::stable_sort(fitting.begin(), fitting.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  list_->clear();
  for (const auto& [how, index] : fitting) {
    const Command& command = commands_[index];
    auto* item = new QTreeWidgetItem(
        {command.text, command.menu, command.action->shortcut().toString(QKeySequence::NativeText)});
    item->setSizeHint(0, QSize(0, fontMetrics().lineSpacing() + 8));
    item->setData(0, Qt::UserRole, static_cast<qulonglong>(index));
    item->setForeground(1, palette().placeholderText());
    if (!command.action->isEnabled())
      for (int column = 0; column < 3; ++column) item->setForeground(column, palette().placeholderText());
    if (command.action->isChecked()) {
      QFont font = item->font(0);
      font.setBold(true);
      item->setFont(0, font);
    }
    list_->addTopLevelItem(item);
  }
  if (list_->topLevelItemCount() > 0)
    list_->setCurrentItem(list_->topLevelItem(0));
  else
    tip_->setText(tr("No command has these words."));
}

void CommandPalette::tell_current() {
  if (const QTreeWidgetItem* item = list_->currentItem())
    tip_->setText(commands_[item->data(0, Qt::UserRole).toULongLong()].action->toolTip());
}

// One that is not available stays on screen with its reason.
void CommandPalette::choose() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (!item) return;
  QAction* action = commands_[item->data(0, Qt::UserRole).toULongLong()].action;
  if (!action->isEnabled()) return tell_current();
  QStringList recent = QSettings().value(kRecent).toStringList();
  recent.removeAll(action->objectName());
  recent.prepend(action->objectName());
  QSettings().setValue(kRecent, QStringList(recent.mid(0, kMaxRecent)));
  chosen_ = action;
  accept();
}

}  // namespace vantage::ui
