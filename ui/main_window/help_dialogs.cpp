#include "ui/main_window/help_dialogs.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/main_window/window_menus.h"

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

// Keys are typed, not spelled.
class KeyDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override {
    auto* editor = new QKeySequenceEdit(parent);
    auto* self = const_cast<KeyDelegate*>(this);
    connect(editor, &QKeySequenceEdit::editingFinished, self, [self, editor] {
      emit self->commitData(editor);
      emit self->closeEditor(editor);
    });
    return editor;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    static_cast<QKeySequenceEdit*>(editor)->setKeySequence(
        QKeySequence(index.data(Qt::UserRole).toString(), QKeySequence::PortableText));
  }
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
    // One chord: the editor takes up to four in a row.
    const QKeySequence typed = static_cast<QKeySequenceEdit*>(editor)->keySequence();
    const QKeySequence key = typed.isEmpty() ? typed : QKeySequence(typed[0]);
    model->setData(index, key.toString(QKeySequence::PortableText), Qt::EditRole);
  }
};

constexpr int kHeldRows = 2;  // of keys that are held, which stay as they are

ShortcutsDialog::ShortcutsDialog(const std::vector<QAction*>& actions, QWidget* parent)
    : QDialog(parent), table_(new QTableWidget(0, 2)), note_(new QLabel) {
  setWindowTitle(tr("Shortcuts"));
  for (QAction* action : actions)
    if (action->isVisible()) actions_.push_back(action);
  table_->setAccessibleName(tr("Shortcuts"));
  table_->setHorizontalHeaderLabels({tr("Key"), tr("What it does")});
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(24);
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
  table_->setItemDelegateForColumn(0, new KeyDelegate(table_));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  note_->setText(tr("Double-click a key, or press F2, to change it."));
  note_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  auto* one = buttons->addButton(tr("&Reset"), QDialogButtonBox::ResetRole);
  one->setToolTip(tr("Give the chosen commands the keys that they came with"));
  auto* all = buttons->addButton(tr("Reset &All"), QDialogButtonBox::ResetRole);
  all->setToolTip(tr("Give every command the key that it came with"));
  // Enter ends typing a key, and presses nothing.
  for (QAbstractButton* button : buttons->buttons()) static_cast<QPushButton*>(button)->setAutoDefault(false);
  connect(one, &QPushButton::clicked, this, [this] { reset(false); });
  connect(all, &QPushButton::clicked, this, [this] { reset(true); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(table_, &QTableWidget::itemChanged, this, &ShortcutsDialog::take_key);
  auto* page = new QVBoxLayout(this);
  page->addWidget(table_);
  page->addWidget(note_);
  page->addWidget(buttons);
  resize(620, 640);
  list();
}

void ShortcutsDialog::list() {
  const QSignalBlocker quiet(table_);
  table_->setRowCount(0);
  const auto add = [this](const QString& keys, const QString& what, const QString& key, bool editable) {
    const int row = table_->rowCount();
    table_->insertRow(row);
    auto* first = new QTableWidgetItem(keys);
    first->setData(Qt::UserRole, key);
    auto* second = new QTableWidgetItem(what);
    second->setFlags(second->flags() & ~Qt::ItemIsEditable);
    if (!editable) first->setFlags(first->flags() & ~Qt::ItemIsEditable);
    table_->setItem(row, 0, first);
    table_->setItem(row, 1, second);
  };
  add(tr("hold X"), tr("Bare footage"), {}, false);
  add(tr("hold K, then J or L"), tr("One frame back or forward"), {}, false);
  for (const QAction* action : actions_) {
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText);
    add(keys.join(tr(" or ")), action->property("tip").toString(),
        action->shortcut().toString(QKeySequence::PortableText), true);
  }
}

void ShortcutsDialog::take_key(QTableWidgetItem* item) {
  const int row = item->row();
  if (item->column() != 0 || row < kHeldRows) return;
  QAction* action = actions_[static_cast<size_t>(row - kHeldRows)];
  const QKeySequence key(item->text(), QKeySequence::PortableText);
  const QString text = key.toString(QKeySequence::NativeText);
  QAction* owner = nullptr;
  for (QAction* other : actions_)
    if (other != action && !key.isEmpty() && other->shortcuts().contains(key)) owner = other;
  if (owner) {
    note_->setText(
        tr("%1 belongs to “%2”: give that another key first.").arg(text, owner->property("tip").toString()));
  } else {
    set_own_key(action, key);
    note_->setText(key.isEmpty() ? tr("No key: Ctrl+Shift+P finds the command by its words.")
                                 : tr("%1 is now: %2.").arg(text, action->property("tip").toString()));
  }
  // Behind the editor, which still stands in the table.
  QMetaObject::invokeMethod(
      this,
      [this, row] {
        list();
        table_->setCurrentCell(row, 0);
      },
      Qt::QueuedConnection);
}

void ShortcutsDialog::reset(bool all) {
  for (size_t i = 0; i < actions_.size(); ++i)
    if (all || table_->item(static_cast<int>(i) + kHeldRows, 1)->isSelected()) reset_key(actions_[i]);
  list();
}

}  // namespace vantage::ui
