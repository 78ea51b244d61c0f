// Texts of the window: all of them are seen whole at the sizes of common screens, whatever panel or dialog is
// open, and of what is shown together no two have the same letter.
#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QObject>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScreen>
#include <QSpinBox>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <functional>
#include <optional>

#include "tests/ui/support/in_german.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/checks_panel.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/track_lanes.h"

namespace vantage::ui {

class TextsTest final : public QObject {
  Q_OBJECT
 private slots:
  void no_letter_is_given_twice_data() { add_languages(); }
  void no_letter_is_given_twice();
  void tooltips_are_seen_whole();
  void names_of_lanes_have_room();
  void every_text_fits_data();
  void every_text_fits();

 private:
  void add_languages();
};

namespace {

// A docked panel in front of all others of its area.
void bring_up(QDockWidget* dock) {
  dock->show();
  dock->raise();
  QCoreApplication::processEvents();
}

QList<QDockWidget*> docks_in(const MainWindow& window, Qt::DockWidgetArea area) {
  QList<QDockWidget*> docks;
  for (auto* dock : window.findChildren<QDockWidget*>())
    if (window.dockWidgetArea(dock) == area) docks << dock;
  return docks;
}

// Calls it for every combination of pages that tabs inside `in` can show.
void for_each_page(QWidget* in, const std::function<void()>& act) {
  const auto tabs = in->findChildren<QTabWidget*>();
  if (tabs.isEmpty()) return act();
  for (QTabWidget* one : tabs)
    for (int page = 0; page < one->count(); ++page) {
      one->setCurrentIndex(page);
      QCoreApplication::processEvents();
      act();
    }
}

// Letters that Alt gives to what is visible, and keys of commands that are Alt and a letter.
QList<std::pair<QString, QString>> letters_of(const MainWindow& window) {
  QList<std::pair<QString, QString>> letters;
  const auto take = [&](const QString& text) {
    const QString letter = QKeySequence::mnemonic(text).toString();
    if (!letter.isEmpty()) letters.append({letter, text});
  };
  for (const QAction* menu : window.menuBar()->actions()) take(menu->text());
  for (const auto* action : window.findChildren<QAction*>(Qt::FindDirectChildrenOnly))
    for (const QKeySequence& key : action->shortcuts())
      if (key.count() == 1 && key[0].keyboardModifiers() == Qt::AltModifier && key[0].key() >= Qt::Key_A &&
          key[0].key() <= Qt::Key_Z)
        letters.append({key.toString(), action->text()});
  for (const auto* widget : window.findChildren<QWidget*>()) {
    if (!widget->isVisible()) continue;
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) take(button->text());
    if (const auto* label = qobject_cast<const QLabel*>(widget); label && label->buddy()) take(label->text());
    if (const auto* group = qobject_cast<const QGroupBox*>(widget)) take(group->title());
    if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
      for (int tab = 0; tab < tabs->count(); ++tab) take(tabs->tabText(tab));
  }
  return letters;
}

QStringList twice_in(const QList<std::pair<QString, QString>>& letters) {
  QHash<QString, QString> taken;
  QStringList twice;
  for (const auto& [letter, text] : letters) {
    if (taken.contains(letter)) twice << letter + ": " + taken[letter] + " and " + text;
    taken[letter] = text;
  }
  return twice;
}

// ---- what fits

int width_of(const QWidget& widget, const QString& text) {
  return widget.fontMetrics().size(Qt::TextShowMnemonic, text).width();
}

// What ends in dots by intent, its whole text in a tooltip: files, and names that people gave.
bool may_be_elided(const QString& text) {
  return text.contains('/');
}

bool label_fits(const QLabel& label) {
  if (label.text().isEmpty()) return true;
  if (label.wordWrap()) {
    for (const QString& word : label.text().split(QRegularExpression("\\s"), Qt::SkipEmptyParts))
      if (label.textFormat() == Qt::PlainText && width_of(label, word) > label.width() &&
          !may_be_elided(word))
        return false;
    return label.heightForWidth(label.width()) <= label.height() + 1;
  }
  return label.sizeHint().width() <= label.width() + 1 && label.sizeHint().height() <= label.height() + 2;
}

bool button_fits(const QAbstractButton& button) {
  const auto* tool = qobject_cast<const QToolButton*>(&button);
  const QString text = tool && tool->defaultAction() ? tool->defaultAction()->iconText() : button.text();
  if (text.isEmpty() || (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull()))
    return true;
  int needed = width_of(button, text) + 2;
  if (!button.icon().isNull()) needed += button.iconSize().width() + 2;
  if (qobject_cast<const QCheckBox*>(&button) || qobject_cast<const QRadioButton*>(&button))
    needed += button.style()->pixelMetric(QStyle::PM_IndicatorWidth) +
              button.style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing);
  return needed <= button.width() && button.fontMetrics().height() <= button.height();
}

bool combo_fits(const QComboBox& box) {
  QStyleOptionComboBox option;
  option.initFrom(&box);
  option.rect = box.rect();
  const QRect field =
      box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
  QString shown = box.currentIndex() < 0 ? box.placeholderText() : box.currentText();
  // Of a key and its meaning the box shows the key alone.
  if (const QString key = box.currentData().toString(); shown.startsWith(key + " \u2013 ")) shown = key;
  return width_of(box, shown) <= field.width() || may_be_elided(shown);
}

bool line_fits(const QLineEdit& line) {
  const bool of_number = qobject_cast<const QAbstractSpinBox*>(line.parentWidget());
  const QString shown = of_number ? line.text() : line.text().isEmpty() ? line.placeholderText() : QString();
  return width_of(line, shown) + 4 <= line.width() || may_be_elided(shown);
}

QString cut_tab(const QTabBar& tabs) {
  for (int tab = 0; tab < tabs.count(); ++tab)
    if (tabs.isTabVisible(tab) && width_of(tabs, tabs.tabText(tab)) + 6 > tabs.tabRect(tab).width())
      return tabs.tabText(tab);
  return {};
}

QString cut_header(const QHeaderView& header) {
  if (header.orientation() == Qt::Vertical) return {};
  for (int section = 0; section < header.count(); ++section) {
    const QString text = header.model()->headerData(section, Qt::Horizontal).toString();
    if (!header.isSectionHidden(section) && width_of(header, text) + 4 > header.sectionSize(section))
      return text;
  }
  return {};
}

QString cut_cell(const QAbstractItemView& view) {
  const auto* tree = qobject_cast<const QTreeView*>(&view);
  const auto* table = qobject_cast<const QTableView*>(&view);
  if (!view.model() || (!tree && !table) || (tree && tree->wordWrap())) return {};
  constexpr int kRows = 40;
  for (int row = 0; row < std::min(kRows, view.model()->rowCount()); ++row)
    for (int column = 0; column < view.model()->columnCount(); ++column) {
      const QModelIndex index = view.model()->index(row, column);
      const QRect cell = view.visualRect(index);
      if (cell.isEmpty() || view.indexWidget(index)) continue;
      int needed = 4;
      if (index.data(Qt::CheckStateRole).isValid())
        needed += view.style()->pixelMetric(QStyle::PM_IndicatorWidth);
      const QString text = index.data().toString();
      const int flags = table && table->wordWrap() ? Qt::TextWordWrap : 0;
      const QRect taken =
          view.fontMetrics().boundingRect(QRect(0, 0, cell.width() - needed, 1000), flags, text);
      if ((taken.width() > cell.width() - needed || taken.height() > cell.height()) && !may_be_elided(text))
        return text;
    }
  return {};
}

// Every text below `root` that is to be seen and is not seen whole: "QLabel 'From'".
QStringList cut_texts(const QWidget& root) {
  QStringList cut;
  const auto note = [&](const QWidget& widget, const QString& text) {
    cut << QString("%1 '%2' (%3, %4 px)")
               .arg(widget.metaObject()->className(), text, widget.accessibleName())
               .arg(widget.width());
  };
  for (const auto* widget : root.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
    if (const auto* label = qobject_cast<const QLabel*>(widget); label && !label_fits(*label))
      note(*widget, label->text());
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget); button && !button_fits(*button))
      note(*widget, button->text());
    if (const auto* box = qobject_cast<const QComboBox*>(widget); box && !combo_fits(*box))
      note(*widget, box->currentText());
    if (const auto* line = qobject_cast<const QLineEdit*>(widget); line && !line_fits(*line))
      note(*widget, line->text() + line->placeholderText());
    if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
      if (const QString text = cut_tab(*tabs); !text.isEmpty()) note(*widget, text);
    if (const auto* header = qobject_cast<const QHeaderView*>(widget))
      if (const QString text = cut_header(*header); !text.isEmpty())
        note(*widget->parentWidget(), "heading " + text);
    if (const auto* view = qobject_cast<const QAbstractItemView*>(widget))
      if (const QString text = cut_cell(*view); !text.isEmpty()) note(*widget, "cell " + text);
    if (const auto* group = qobject_cast<const QGroupBox*>(widget);
        group && width_of(*group, group->title()) + 8 > group->width())
      note(*widget, group->title());
  }
  return cut;
}

// Looks at the dialog that a command opens, and closes it; false: none was opened.
bool look_at_dialog(const MainWindow& window, const std::function<void()>& open,
                    const std::function<void(QWidget*)>& look) {
  bool seen = false;
  const auto look_and_close = [&](QWidget* dialog) {
    seen = true;
    QCoreApplication::processEvents();
    look(dialog);
    dialog->close();
  };
  QTimer::singleShot(0, qApp, [&] {
    if (QWidget* modal = QApplication::activeModalWidget()) look_and_close(modal);
  });
  open();
  QCoreApplication::processEvents();
  for (auto* dialog : window.findChildren<QDialog*>())
    if (dialog->isVisible()) look_and_close(dialog);
  return seen;
}

}  // namespace

void TextsTest::add_languages() {
  QTest::addColumn<bool>("german");
  QTest::newRow("English") << false;
  QTest::newRow("German") << true;
}

// In every layout: what is in the menu bar, over and under the views, and in front in both areas of docks.
void TextsTest::no_letter_is_given_twice() {
  QFETCH(bool, german);
  std::optional<InGerman> language;
  if (german) language.emplace();
  OpenWindow w;
  const MainWindow& window = *w.window;
  const auto right = docks_in(window, Qt::RightDockWidgetArea),
             bottom = docks_in(window, Qt::BottomDockWidgetArea);
  QVERIFY(right.size() > 10 && !bottom.isEmpty());
  int lettered = 0;
  QStringList twice;
  const auto check = [&] {
    const auto letters = letters_of(window);
    lettered = std::max(lettered, static_cast<int>(letters.size()));
    for (const QString& one : twice_in(letters))
      if (!twice.contains(one)) twice << one;
  };
  check();
  for (QDockWidget* below : bottom) {
    bring_up(below);
    for (QDockWidget* beside : right) {
      bring_up(beside);
      QVERIFY2(beside->widget()->isVisible() && below->widget()->isVisible(),
               qPrintable(beside->windowTitle()));
      for_each_page(beside->widget(), check);
    }
  }
  QVERIFY(lettered > 12);
  for (const char* layout : {"layout_cameras", "layout_scene", "layout_height_map", "new_project"}) {
    w.window->action(layout)->trigger();
    QCoreApplication::processEvents();
    check();
  }
  QVERIFY2(twice.isEmpty(), qPrintable('\n' + twice.join('\n')));
  OpenWindow without({}, false);
  twice = twice_in(letters_of(*without.window));
  QVERIFY2(twice.isEmpty(), qPrintable('\n' + twice.join('\n')));
}

// Long ones wrap, and are on the screen as a whole; short ones stay a line.
void TextsTest::tooltips_are_seen_whole() {
  OpenWindow w;
  const auto shown = [&](const QString& text) -> QLabel* {
    QToolTip::showText(QPoint(900, 300), text, w.window.get());
    QCoreApplication::processEvents();
    for (QWidget* one : QApplication::topLevelWidgets())
      if (one->inherits("QTipLabel") && one->isVisible()) return static_cast<QLabel*>(one);
    return nullptr;
  };
  const QString longest(QString("Words of a tip that says much. ").repeated(20).trimmed());
  for (const QString& text : {QString("short"), longest, longest + " More.", QString("short again")}) {
    const QLabel* tip = shown(text);
    QVERIFY(tip && tip->text() == text);
    const bool is_long = text.size() > 100;
    QVERIFY2(label_fits(*tip) && tip->wordWrap() == is_long && (tip->width() < 500) &&
                 (tip->height() > 60) == is_long,
             qPrintable(QString("%1 x %2").arg(tip->width()).arg(tip->height())));
    QVERIFY(tip->screen()->geometry().contains(tip->geometry()));
  }
}

// First and last name, next to the lane; longer ones end in dots, and the lane's tooltip has them whole.
void TextsTest::names_of_lanes_have_room() {
  const TrackLanes lanes("lanes", {});
  QVERIFY(lanes.fontMetrics().horizontalAdvance("Anna M\u00fcller") + 6 <= Timeline::kNameWidth);
}

void TextsTest::every_text_fits_data() {
  QTest::addColumn<QSize>("size");
  QTest::addColumn<bool>("german");
  QTest::newRow("1366x768") << QSize(1366, 768) << false;
  QTest::newRow("1920x1080") << QSize(1920, 1080) << false;
  QTest::newRow("1366x768 German") << QSize(1366, 768) << true;
}

void TextsTest::every_text_fits() {
  QFETCH(QSize, size);
  QFETCH(bool, german);
  std::optional<InGerman> language;
  if (german) language.emplace();
  OpenWindow w({}, true, [](const Project& project, const CheckOptions&) {
    CheckReport report;
    for (const ProjectCamera& camera : project.cameras)
      report.items.push_back({"view", camera.name, Verdict::doubtful,
                              "stands 3.2 cm from where it was calibrated", "less than 2 cm",
                              "Calibrate it again, or go on.", 12});
    return report;
  });
  w.window->action("check")->trigger();
  QTRY_COMPARE(w.window->part<ChecksPanel>()->count(Verdict::doubtful), 4);
  w.window->resize(size);
  QCoreApplication::processEvents();
  QStringList cut;
  const auto look = [&](const QString& where, QWidget* at) {
    for (const QString& text : cut_texts(*at))
      if (const QString line = where + ": " + text; !cut.contains(line)) cut << line;
    const QString folder = qEnvironmentVariable("VANTAGE_SCREENSHOTS");
    if (!folder.isEmpty())
      at->grab().save(QDir(folder).filePath(
          QString("texts_%1%2_%3.png").arg(german ? "de_" : "").arg(size.width()).arg(where)));
  };
  look("window", w.window.get());
  for (auto* dock : w.window->findChildren<QDockWidget*>()) {
    bring_up(dock);
    for_each_page(dock->widget(), [&] { look(dock->windowTitle(), w.window.get()); });
  }
  int dialogs = 0;
  for (const char* command :
       {"go_to", "time_of_day", "bookmark", "preferences", "shortcuts", "first_steps", "about",
        "find_command", "add_camera", "serve", "messages", "change_plot", "residuals"}) {
    QAction* action = w.window->action(command);
    if (action->isEnabled() &&
        look_at_dialog(
            *w.window, [&] { action->trigger(); },
            [&](QWidget* dialog) { for_each_page(dialog, [&] { look(command, dialog); }); }))
      ++dialogs;
  }
  QVERIFY2(dialogs >= 9, qPrintable(QString::number(dialogs)));
  w.window->action("new_project")->trigger();
  QCoreApplication::processEvents();
  look("New Project", w.window.get());
  if (german)
    for (const QString& text : language->untranslated()) cut << "not translated: " + text;
  QVERIFY2(cut.isEmpty(), qPrintable('\n' + cut.join('\n')));
}

const TestPart<TextsTest> kTextsPart("texts");

}  // namespace vantage::ui

#include "texts_test.moc"
