#include "ui/main_window/help_dialogs.h"

#include <QAction>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDirIterator>
#include <QFile>
#include <QGridLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/main_window/window_menus.h"
#include "ui/platform/language.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

static void load_guide() {
  Q_INIT_RESOURCE(guide);
}

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
  grid->setHorizontalSpacing(kWide);
  grid->setVerticalSpacing(kWide);
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
  page->setContentsMargins(kPage, kWide, kPage, kWide);
  page->setSpacing(kWide);
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

namespace {

constexpr char kContents[] = "qrc:/docs/guide/README.md", kGermanPages[] = "qrc:/docs/guide/de/";

// Contents, those of the language in use first.
QStringList contents_pages() {
  return language_in_use() == Language::german ? QStringList{QString(kGermanPages) + "README.md", kContents}
                                               : QStringList{kContents};
}

// Pictures are not in the program.
class GuideText final : public QTextBrowser {
 public:
  QVariant loadResource(int type, const QUrl& name) override {
    if (type != QTextDocument::ImageResource) return QTextBrowser::loadResource(type, name);
    QImage none(1, 1, QImage::Format_ARGB32);
    none.fill(Qt::transparent);
    return none;
  }
};

// As addresses name a heading: "Fewer looks" is "fewer-looks".
QString anchor_of(const QString& heading) {
  QString anchor = heading.toLower().trimmed();
  anchor.removeIf([](QChar c) { return !c.isLetterOrNumber() && c != ' ' && c != '-' && c != '_'; });
  return anchor.replace(' ', '-');
}

QString guide_text(const QString& url) {
  QFile file(url.mid(QStringLiteral("qrc").size()));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

GuideWindow::GuideWindow(QWidget* parent)
    : QDialog(parent), words_(new QLineEdit), list_(new QListWidget), text_(new GuideText) {
  load_guide();
  setWindowTitle(tr("Guide"));
  words_->setPlaceholderText(tr("Search the guide"));
  words_->setAccessibleName(tr("Search the guide"));
  words_->setClearButtonEnabled(true);
  list_->setAccessibleName(tr("Pages"));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  text_->setAccessibleName(tr("Page"));
  text_->setOpenLinks(false);
  text_->document()->setDocumentMargin(16);
  auto* back = new QToolButton;
  back->setText(tr("Back"));
  describe(back, tr("The page before"), tr("The page before (Alt+Left)"));
  back->setEnabled(false);
  auto* left = new QVBoxLayout;
  left->addWidget(words_);
  left->addWidget(list_, 1);
  left->addWidget(back, 0, Qt::AlignLeft);
  auto* columns = new QHBoxLayout(this);
  columns->addLayout(left, 2);
  columns->addWidget(text_, 5);
  connect(words_, &QLineEdit::textChanged, this, &GuideWindow::list);
  connect(list_, &QListWidget::currentItemChanged, this, &GuideWindow::open_chosen);
  connect(text_, &QTextBrowser::anchorClicked, this, &GuideWindow::follow);
  connect(text_, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
  connect(back, &QToolButton::clicked, text_, &QTextBrowser::backward);
  read_pages();
  list();
  resize(960, 660);
}

// The contents, then the pages that they name, then all others.
void GuideWindow::read_pages() {
  QStringList urls;
  static const QRegularExpression link(QStringLiteral("\\]\\(([^)#]+\\.md)"));
  for (const QString& contents : contents_pages()) {
    urls << contents;
    for (auto found = link.globalMatch(guide_text(contents)); found.hasNext();)
      urls << QUrl(contents).resolved(QUrl(found.next().captured(1))).toString();
  }
  for (QDirIterator at(":/docs", QDirIterator::Subdirectories); at.hasNext();)
    if (const QString file = at.next(); file.endsWith(".md")) urls << "qrc" + file;
  urls.removeDuplicates();
  if (language_in_use() != Language::german)
    urls.removeIf([](const QString& url) { return url.startsWith(kGermanPages); });
  for (const QString& url : urls) {
    const QString text = guide_text(url);
    if (!text.isEmpty())
      pages_.push_back({url, text.section('\n', 0, 0).remove('#').remove('`').trimmed(), text});
  }
}

// Pages that name a word in their title stand first.
void GuideWindow::list() {
  const QStringList words = words_->text().split(' ', Qt::SkipEmptyParts);
  const auto holds = [&](const QString& text) {
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
  };
  {
    const QSignalBlocker quiet(list_);
    list_->clear();
    for (const bool in_title : {true, false})
      for (const Page& page : pages_) {
        if (holds(page.title) != in_title || !holds(page.text)) continue;
        if (!words.isEmpty() && contents_pages().contains(page.url)) continue;  // it names everything
        auto* item = new QListWidgetItem(page.title, list_);
        item->setData(Qt::UserRole, page.url);
      }
  }
  if (list_->count() > 0) list_->setCurrentRow(0);
}

void GuideWindow::open_chosen() {
  if (const QListWidgetItem* item = list_->currentItem()) follow(QUrl(item->data(Qt::UserRole).toString()));
}

// Pages of the program's documents are shown here, all else is opened by the desktop.
void GuideWindow::follow(const QUrl& link) {
  const QUrl url = text_->source().resolved(link);
  if (url.scheme() != "qrc") {
    QDesktopServices::openUrl(url);
    return;
  }
  const QUrl page = url.adjusted(QUrl::RemoveFragment);
  if (!QFile::exists(':' + page.path())) return;
  if (page != text_->source()) text_->setSource(page);
  mark_words();
  if (url.fragment().isEmpty()) return;
  for (QTextBlock block = text_->document()->begin(); block.isValid(); block = block.next())
    if (block.blockFormat().headingLevel() > 0 && anchor_of(block.text()) == url.fragment()) {
      text_->setTextCursor(QTextCursor(block));
      text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->value() + text_->cursorRect().top());
      return;
    }
}

void GuideWindow::mark_words() {
  QList<QTextEdit::ExtraSelection> marks;
  QTextCursor first;
  for (const QString& word : words_->text().split(' ', Qt::SkipEmptyParts))
    for (QTextCursor at = text_->document()->find(word); !at.isNull();
         at = text_->document()->find(word, at)) {
      QTextEdit::ExtraSelection mark;
      mark.cursor = at;
      mark.format.setBackground(palette().highlight());
      mark.format.setForeground(palette().highlightedText());
      marks << mark;
      if (first.isNull() || at.position() < first.position()) first = at;
    }
  text_->setExtraSelections(marks);
  if (first.isNull()) return;
  first.clearSelection();
  text_->setTextCursor(first);
}

ShortcutsDialog::ShortcutsDialog(const std::vector<QAction*>& actions, QWidget* parent)
    : QDialog(parent), table_(new QTableWidget(0, 2)), note_(new QLabel) {
  setWindowTitle(tr("Shortcuts"));
  for (QAction* action : actions)
    if (action->isVisible()) actions_.push_back(action);
  table_->setAccessibleName(tr("Shortcuts"));
  table_->setHorizontalHeaderLabels({tr("Key"), tr("What it does")});
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setMinimumSectionSize(24);
  // Sentences wrap.
  connect(table_->horizontalHeader(), &QHeaderView::sectionResized, table_,
          &QTableWidget::resizeRowsToContents);
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

void ShortcutsDialog::add_heading(const QString& text) {
  const int row = table_->rowCount();
  table_->insertRow(row);
  rows_.push_back(nullptr);
  auto* heading = new QTableWidgetItem(text);
  heading->setFlags(Qt::ItemIsEnabled);
  QFont bold = table_->font();
  bold.setBold(true);
  heading->setFont(bold);
  table_->setItem(row, 0, heading);
  table_->setSpan(row, 0, 1, 2);
}

void ShortcutsDialog::list() {
  const QSignalBlocker quiet(table_);
  table_->clearSpans();
  table_->setRowCount(0);
  rows_.clear();
  const auto add = [this](QAction* action, const QString& keys, const QString& what, const QString& key) {
    const int row = table_->rowCount();
    table_->insertRow(row);
    rows_.push_back(action);
    auto* first = new QTableWidgetItem(keys);
    first->setData(Qt::UserRole, key);
    auto* second = new QTableWidgetItem(what);
    second->setFlags(second->flags() & ~Qt::ItemIsEditable);
    if (!action) first->setFlags(first->flags() & ~Qt::ItemIsEditable);
    table_->setItem(row, 0, first);
    table_->setItem(row, 1, second);
  };
  add_heading(tr("Held"));
  add(nullptr, tr("hold X"), tr("Bare footage"), {});
  add(nullptr, tr("hold K, then J or L"), tr("One frame back or forward"), {});
  QStringList menus;
  for (const QAction* action : actions_)
    if (!menus.contains(menu_of(*action))) menus << menu_of(*action);
  for (const QString& menu : menus) {
    add_heading(menu);
    for (QAction* action : actions_) {
      if (menu_of(*action) != menu) continue;
      QStringList keys;
      for (const QKeySequence& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText);
      add(action, keys.join(tr(" or ")), action->property("tip").toString(),
          action->shortcut().toString(QKeySequence::PortableText));
    }
  }
  table_->resizeRowsToContents();
}

void ShortcutsDialog::take_key(QTableWidgetItem* item) {
  const int row = item->row();
  QAction* action = rows_[row];
  if (item->column() != 0 || !action) return;
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
  for (size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i] && (all || table_->item(static_cast<int>(i), 1)->isSelected())) reset_key(rows_[i]);
  list();
}

}  // namespace vantage::ui
