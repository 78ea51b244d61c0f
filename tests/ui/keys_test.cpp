#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QDockWidget>
#include <QHash>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPushButton>
#include <QTableWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <functional>

#include "tests/ui/support/open_window.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/focus_keys.h"
#include "ui/main_window/help_dialogs.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/window_menus.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/events_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

// The window's actions: what they tell of themselves, and what their keys do.
class KeysTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void every_action_has_tooltip_and_name_and_no_key_is_given_twice();
  void entries_of_a_menu_share_no_letter();
  void disabled_actions_say_why();
  void keys_do_what_they_say_data();
  void keys_do_what_they_say();
  void keys_act_wherever_the_focus_is();
  void typed_text_and_lists_keep_their_keys();
  void space_presses_what_keys_have_reached();
  void held_keys();
  void shuttle_gets_faster();
  void commands_are_found_by_their_words();
  void keys_can_be_changed();
  void shortcuts_are_listed_by_menus();
  void the_guide_is_read_and_searched();
};

namespace {

void keep_picture_of(QWidget& widget, const QString& name) {
  const QString folder = qEnvironmentVariable("VANTAGE_SCREENSHOTS");
  if (!folder.isEmpty()) widget.grab().save(QDir(folder).filePath(name + ".png"));
}

QList<QAction*> actions_of(const OpenWindow& w) {
  return w.window->findChildren<QAction*>(Qt::FindDirectChildrenOnly);
}

}  // namespace

void KeysTest::every_action_has_tooltip_and_name_and_no_key_is_given_twice() {
  OpenWindow w;
  QSet<QString> keys;
  const QList<QAction*> all = actions_of(w);
  QVERIFY(all.size() > 100);
  for (const QAction* action : all) {
    QVERIFY(!action->text().isEmpty());
    QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
    for (const QKeySequence& key : action->shortcuts()) {
      QVERIFY2(!keys.contains(key.toString()), qPrintable(key.toString() + " twice"));
      const int code = key[0].key();  // Linux changes to another console
      QVERIFY2(!(key.toString().contains("Ctrl+Alt+") && code >= Qt::Key_F1 && code <= Qt::Key_F12),
               qPrintable(key.toString()));
      QVERIFY2(key.toString().count('+') < 3 || key.toString().endsWith("++"), qPrintable(key.toString()));
      keys << key.toString();
    }
  }
  for (const char* key :
       {"Space", "J", "K",      "L",   ",", ".", "Left", "Right", "Shift+Left", "Shift+Right", "Home", "End",
        "I",     "O", "Ctrl+R", "Esc", "0", "1", "9",    "F",     "P",          "T",           "V",    "G",
        "B",     "U", "R",      "C",   "S", "D", "F6",   "F7",    "F8",         "F9",          "F11",  "F1"})
    QVERIFY2(keys.contains(key), key);
  for (const QToolButton* button : w.window->findChildren<QToolButton*>()) {
    if (!button->isVisible() || button->objectName().startsWith("qt_")) continue;
    QVERIFY2(!button->accessibleName().isEmpty(), qPrintable(button->text() + " " + button->toolTip()));
    QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->accessibleName()));
  }
  QSet<const QAction*> in_menus;
  for (const QMenu* menu : w.window->menuBar()->findChildren<QMenu*>()) {
    QVERIFY(menu->toolTipsVisible() || menu->title().isEmpty());
    for (const QAction* action : menu->actions()) in_menus << action;
  }
  for (const QAction* action : all) QVERIFY2(in_menus.contains(action), qPrintable(action->text()));
  const std::vector<QAction*> listed = w.window->part<WindowMenus>()->in_order();
  QCOMPARE(QSet<const QAction*>(listed.begin(), listed.end()), QSet<const QAction*>(all.begin(), all.end()));
  QCOMPARE(listed.size(), static_cast<size_t>(all.size()));
}

// Below each other in one menu, as they are when it opens; also after a text has changed.
void KeysTest::entries_of_a_menu_share_no_letter() {
  OpenWindow w;
  int entries = 0;
  const auto check = [&](const QMenu& menu) {
    QHash<QString, QString> taken;
    int shown = 0, lettered = 0;
    for (const QAction* action : menu.actions()) {
      if (action->isSeparator() || !action->isVisible()) continue;
      ++shown;
      const QString letter = QKeySequence::mnemonic(action->text()).toString();
      if (letter.isEmpty()) continue;
      ++lettered;
      QVERIFY2(!taken.contains(letter),
               qPrintable(menu.title() + ": " + taken.value(letter) + " and " + action->text()));
      taken[letter] = action->text();
    }
    QVERIFY2(lettered == shown || lettered >= 20, qPrintable(menu.title() + " has entries without a letter"));
    entries += shown;
  };
  for (QMenu* menu : w.window->menuBar()->findChildren<QMenu*>()) {
    if (menu->title().isEmpty()) continue;
    emit menu->aboutToShow();
    check(*menu);
  }
  QVERIFY(entries > 100);
  QAction* last = w.window->action("last");
  last->setText("Go to &Play");
  auto* playback = qobject_cast<QMenu*>(w.window->action("play")->associatedObjects().value(0));
  for (QObject* one : w.window->action("play")->associatedObjects())
    if (auto* menu = qobject_cast<QMenu*>(one)) playback = menu;
  QVERIFY(playback);
  emit playback->aboutToShow();
  check(*playback);
}

void KeysTest::disabled_actions_say_why() {
  OpenWindow w({}, false);
  for (const QAction* action : actions_of(w))
    if (!action->isEnabled() && action->isVisible())
      QVERIFY2(action->toolTip().contains('\n'), qPrintable(action->text() + ": " + action->toolTip()));
  QVERIFY(!w.window->action("play")->isEnabled());
  QVERIFY(w.window->action("play")->toolTip().contains("Open a project first."));
  w.window->open_project("/somewhere/hall.vantage");
  QTRY_VERIFY(w.window->action("play")->isEnabled());
  QVERIFY(!w.window->action("play")->toolTip().contains('\n'));
  QVERIFY(w.window->action("analyse_range")->toolTip().contains("Mark a range"));
}

void KeysTest::keys_do_what_they_say_data() {
  QTest::addColumn<int>("key");
  QTest::addColumn<int>("modifiers");
  QTest::addColumn<QString>("call");
  const auto add = [](const char* name, int key, int modifiers, const QString& call) {
    QTest::newRow(name) << key << modifiers << call;
  };
  add("Space", Qt::Key_Space, Qt::NoModifier, "play");
  add("comma", Qt::Key_Comma, Qt::NoModifier, "step -1");
  add("period", Qt::Key_Period, Qt::NoModifier, "step 1");
  add("Left", Qt::Key_Left, Qt::NoModifier, "step -1");
  add("Right", Qt::Key_Right, Qt::NoModifier, "step 1");
  add("Shift+Left", Qt::Key_Left, Qt::ShiftModifier, "step -25");
  add("Shift+Right", Qt::Key_Right, Qt::ShiftModifier, "step 25");
  add("Home", Qt::Key_Home, Qt::NoModifier, "seek 0");
  add("End", Qt::Key_End, Qt::NoModifier, "seek 99");
  add("J", Qt::Key_J, Qt::NoModifier, "play");
  add("K", Qt::Key_K, Qt::NoModifier, "pause");
  add("L", Qt::Key_L, Qt::NoModifier, "play");
}

void KeysTest::keys_do_what_they_say() {
  QFETCH(int, key);
  QFETCH(int, modifiers);
  QFETCH(QString, call);
  OpenWindow w;
  w.key(key, static_cast<Qt::KeyboardModifiers>(modifiers));
  QCOMPARE(w.last(), call);
}

// After a click anywhere, the keys of playback and events do what they do in the views.
void KeysTest::keys_act_wherever_the_focus_is() {
  OpenWindow w;
  for (auto* dock : w.window->findChildren<QDockWidget*>()) dock->show();
  QCoreApplication::processEvents();
  int places = 0;
  for (QWidget* place : w.window->findChildren<QWidget*>()) {
    if (!place->isVisible() || !place->isEnabled() || !(place->focusPolicy() & Qt::ClickFocus)) continue;
    const QKeyEvent letter(QEvent::KeyPress, Qt::Key_L, Qt::NoModifier, "l");
    if (place->focusProxy() || needs_key(*place, letter)) continue;
    place->setFocus(Qt::MouseFocusReason);
    if (QApplication::focusWidget() != place) continue;  // of another window
    ++places;
    const QString where = QString(place->metaObject()->className()) + " " + place->accessibleName();
    for (const auto& [key, call] :
         {std::pair{Qt::Key_Period, "step 1"}, {Qt::Key_Comma, "step -1"}, {Qt::Key_K, "pause"}}) {
      w.session().calls.clear();
      w.key(key);
      QVERIFY2(w.session().calls.contains(call), qPrintable(where + ": " + call));
    }
    w.session().calls.clear();
    w.key(Qt::Key_Space);
    const auto* list = qobject_cast<QAbstractItemView*>(place);
    const bool checks = list && list->currentIndex().flags().testFlag(Qt::ItemIsUserCheckable);
    QVERIFY2(checks || w.session().calls.contains("play"), qPrintable(where + ": Space"));
    w.session().post(command::Pause{});
    QCoreApplication::processEvents();
  }
  QVERIFY2(places > 10, qPrintable(QString::number(places)));
  auto* events = w.window->part<EventsPanel>()->list();
  events->setFocus();
  QVERIFY2(!w.window->action("next_event")->isEnabled(), "there are none here");
  QTest::keyPress(events, Qt::Key_X);
  const QImage bare = w.window->workspace()->cameras()->grabFramebuffer();
  QTest::keyRelease(events, Qt::Key_X);
  QVERIFY(w.window->workspace()->cameras()->grabFramebuffer() != bare);
}

void KeysTest::typed_text_and_lists_keep_their_keys() {
  OpenWindow w;
  w.window->action("parameters")->trigger();
  QCoreApplication::processEvents();
  auto* panel = w.window->part<ParametersPanel>();
  auto* number = panel->findChild<QWidget*>("qt_spinbox_lineedit");
  QVERIFY(number);
  number->setFocus();
  const qsizetype before = w.session().calls.size();
  for (const int key : {Qt::Key_L, Qt::Key_Home, Qt::Key_Space, Qt::Key_Period}) w.key(key);
  QCOMPARE(w.session().calls.size(), before);
  auto* search = panel->findChild<QLineEdit*>();
  search->setFocus();
  search->clear();
  QTest::keyClicks(search, "l .");
  QCOMPARE(search->text(), QString("l ."));
  QCOMPARE(w.session().calls.size(), before);
  // Arrows and ends are a list's.
  w.window->action("events")->trigger();
  QCoreApplication::processEvents();
  w.window->part<EventsPanel>()->list()->setFocus();
  for (const int key : {Qt::Key_Home, Qt::Key_Right, Qt::Key_Down}) w.key(key);
  QCOMPARE(w.session().calls.size(), before);
  w.window->workspace()->timeline()->setFocus();
  w.key(Qt::Key_Home);
  QCOMPARE(w.last(), QString("seek 0"));
  // Nothing is commanded that is not to be seen.
  w.window->action("new_project")->trigger();
  QCoreApplication::processEvents();
  w.session().calls.clear();
  w.key(Qt::Key_L);
  QVERIFY(w.session().calls.isEmpty());
}

void KeysTest::space_presses_what_keys_have_reached() {
  OpenWindow w;
  w.window->action("events")->trigger();
  QCoreApplication::processEvents();
  auto* sound = w.window->part<EventsPanel>()->findChild<QCheckBox*>();
  QVERIFY(sound && !sound->isChecked());
  QTest::mouseClick(sound, Qt::LeftButton, {}, QPoint(8, sound->height() / 2));
  QVERIFY(sound->isChecked());
  sound->setFocus(Qt::MouseFocusReason);
  w.key(Qt::Key_Space);
  QCOMPARE(w.last(), QString("play"));
  QVERIFY(sound->isChecked());
  w.session().calls.clear();
  w.window->workspace()->cameras()->setFocus();
  sound->setFocus(Qt::TabFocusReason);
  w.key(Qt::Key_Space);
  QVERIFY(!sound->isChecked());
  QVERIFY(w.session().calls.isEmpty());
}

void KeysTest::held_keys() {
  OpenWindow w;
  QTest::keyPress(w.window->workspace()->cameras(), Qt::Key_K);
  w.key(Qt::Key_L);
  QCOMPARE(w.last(), QString("step 1"));
  w.key(Qt::Key_J);
  QCOMPARE(w.last(), QString("step -1"));
  QTest::keyRelease(w.window->workspace()->cameras(), Qt::Key_K);
  w.key(Qt::Key_L);
  QCOMPARE(w.last(), QString("play"));

  const QImage overlaid = w.window->workspace()->cameras()->grabFramebuffer();
  QTest::keyPress(w.window->workspace()->cameras(), Qt::Key_X);
  QVERIFY(w.window->workspace()->cameras()->grabFramebuffer() != overlaid);
  QTest::keyRelease(w.window->workspace()->cameras(), Qt::Key_X);
  w.key(Qt::Key_K);
  w.key(Qt::Key_2);
  QCOMPARE(w.window->workspace()->cameras()->enlarged(), std::optional<int>(1));
  w.key(Qt::Key_0);
  QCOMPARE(w.window->workspace()->cameras()->enlarged(), std::optional<int>());
  w.key(Qt::Key_F);
  QVERIFY(!w.window->action("foreground")->isChecked());
  w.key(Qt::Key_F);
  w.key(Qt::Key_M);
  QVERIFY(w.window->workspace()->scene()->top());
}

void KeysTest::shuttle_gets_faster() {
  OpenWindow w;
  w.key(Qt::Key_L);
  w.key(Qt::Key_L);
  w.key(Qt::Key_L);
  QCOMPARE(w.last(), QString("set_playback_rate 4"));
  w.key(Qt::Key_J);
  QCOMPARE(w.last(), QString("set_playback_rate -1"));
  w.key(Qt::Key_Space);
  QTRY_COMPARE(w.last(), QString("set_playback_rate 1"));  // a pause forgets the rate
  QVERIFY(w.session().calls.contains("pause"));
}

// Words in any order find a command, the arrows choose, Enter gives it; one that cannot be given says why.
void KeysTest::commands_are_found_by_their_words() {
  OpenWindow w;
  QAction* volume = w.window->action("volume");
  const bool before = volume->isChecked();
  QTimer::singleShot(0, w.window.get(), [] {
    auto* palette = qobject_cast<CommandPalette*>(QApplication::activeModalWidget());
    if (!palette) return;
    auto* list = palette->findChild<QTreeWidget*>();
    const int all = list->topLevelItemCount();
    QTest::keyClicks(palette->findChild<QLineEdit*>(), "volume overlay");
    QVERIFY(list->topLevelItemCount() > 0 && list->topLevelItemCount() < all / 4);
    while (list->currentItem()->text(0) != "Volume") {
      const QTreeWidgetItem* item = list->currentItem();
      QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Down);
      if (list->currentItem() == item) break;
    }
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
  });
  w.window->action("find_command")->trigger();
  QCOMPARE(volume->isChecked(), !before);
  QString told;
  QTimer::singleShot(0, w.window.get(), [&told] {
    auto* palette = qobject_cast<CommandPalette*>(QApplication::activeModalWidget());
    if (!palette) return;
    QTest::keyClicks(palette->findChild<QLineEdit*>(), "analyse range");
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    told = palette->findChild<QLabel*>()->text();
    QTest::keyClick(palette, Qt::Key_Escape);
  });
  w.window->action("find_command")->trigger();
  QVERIFY2(told.contains("range"), qPrintable(told));
}

// A key is typed into the list of shortcuts, stays for the next window, and is refused where another has it.
void KeysTest::keys_can_be_changed() {
  const auto in_dialog = [](OpenWindow& w, const std::function<void(QTableWidget*)>& act) {
    QTimer::singleShot(0, w.window.get(), [&] {
      QWidget* dialog = QApplication::activeModalWidget();
      if (!dialog) return;
      act(dialog->findChild<QTableWidget*>());
      QTest::keyClick(dialog, Qt::Key_Escape);
    });
    w.window->action("shortcuts")->trigger();
  };
  const auto row_of = [](const QTableWidget* table, const QString& key) {
    for (int row = 0; row < table->rowCount(); ++row)
      if (table->item(row, 0)->text() == key) return row;
    return -1;
  };
  const auto type = [](QTableWidget* table, int row, Qt::Key key) {
    table->editItem(table->item(row, 0));
    auto* editor = table->findChild<QKeySequenceEdit*>();
    QVERIFY(editor);
    QTest::keyClick(editor, key, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!table->findChild<QKeySequenceEdit*>());
  };
  {
    OpenWindow w;
    in_dialog(w, [&](QTableWidget* table) {
      const int row = row_of(table, "V");
      QVERIFY(row > 0);
      type(table, row, Qt::Key_R);  // Analyse All has it
      QTRY_COMPARE(table->item(row, 0)->text(), "V");
      type(table, row, Qt::Key_U);
      QTRY_COMPARE(table->item(row, 0)->text(), "Ctrl+Shift+U");
    });
    QCOMPARE(w.window->action("volume")->shortcut(), QKeySequence("Ctrl+Shift+U"));
    QVERIFY(w.window->action("volume")->toolTip().contains("Ctrl+Shift+U"));
  }
  OpenWindow w;
  QCOMPARE(w.window->action("volume")->shortcut(), QKeySequence("Ctrl+Shift+U"));
  in_dialog(w, [&](QTableWidget* table) {
    for (QPushButton* button : table->window()->findChildren<QPushButton*>())
      if (button->text() == "Reset &All") button->click();
  });
  QCOMPARE(w.window->action("volume")->shortcut(), QKeySequence("V"));
}

void KeysTest::shortcuts_are_listed_by_menus() {
  OpenWindow w;
  QStringList headings, of_playback;
  QTimer::singleShot(0, w.window.get(), [&] {
    QWidget* dialog = QApplication::activeModalWidget();
    if (!dialog) return;
    const auto* table = dialog->findChild<QTableWidget*>();
    for (int row = 0; row < table->rowCount(); ++row) {
      if (table->columnSpan(row, 0) == 2)
        headings << table->item(row, 0)->text();
      else if (headings.back() == "Playback")
        of_playback << table->item(row, 1)->text();
    }
    keep_picture_of(*dialog, "shortcuts");
    QTest::keyClick(dialog, Qt::Key_Escape);
  });
  w.key(Qt::Key_F1);
  QVERIFY(headings.size() > 8);
  QCOMPARE(QSet<QString>(headings.begin(), headings.end()).size(), headings.size());
  for (const char* menu : {"Held", "File", "Overlays", "Analysis", "Help"})
    QVERIFY2(headings.contains(menu), menu);
  QVERIFY(of_playback.contains("Play or pause") && !of_playback.contains("Save the project"));
}

// Every page that the guide's contents name is there; words find pages, and links lead to others.
void KeysTest::the_guide_is_read_and_searched() {
  OpenWindow w({}, false);
  w.key(Qt::Key_H, Qt::ControlModifier);
  auto* guide = w.window->findChild<GuideWindow*>();
  QVERIFY(guide && guide->isVisible());
  auto* words = guide->findChild<QLineEdit*>();
  auto* pages = guide->findChild<QListWidget*>();
  auto* text = guide->findChild<QTextBrowser*>();
  const int all = pages->count();
  QVERIFY(all > 30);
  QCOMPARE(pages->item(0)->text(), QString("User guide"));
  QVERIFY(text->toPlainText().contains("A first project"));
  int links = 0;
  for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next())
    for (auto at = block.begin(); !at.atEnd(); ++at) {
      const QString href = at.fragment().charFormat().anchorHref();
      if (!href.contains(".md")) continue;
      ++links;
      const QUrl url = text->source().resolved(QUrl(href)).adjusted(QUrl::RemoveFragment);
      QVERIFY2(QFile::exists(":" + url.path()), qPrintable(href));
    }
  QVERIFY(links > 30);
  guide->activateWindow();
  QTest::keyClicks(words, "rolling shutter");
  QVERIFY(pages->count() > 0 && pages->count() < all / 3);
  QVERIFY(text->toPlainText().contains("rolling", Qt::CaseInsensitive) && !text->extraSelections().isEmpty());
  keep_picture_of(*guide, "guide_search");
  QTest::keyClick(words, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(words, "camera bumped");
  QCOMPARE(pages->item(0)->text(), QString("A camera that was bumped"));
  QTest::mouseClick(pages->viewport(), Qt::LeftButton, {}, pages->visualItemRect(pages->item(0)).center());
  QVERIFY(text->source().path().endsWith("calibrating-bumped.md"));
  emit text->anchorClicked(QUrl("calibrating.md"));
  QVERIFY(text->source().path().endsWith("/calibrating.md"));
  for (auto* button : guide->findChildren<QToolButton*>())
    if (button->text() == "Back") QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(text->source().path().endsWith("calibrating-bumped.md"));
  for (const Theme theme : {Theme::dark, Theme::light}) {
    w.window->choose_theme(theme);
    QCoreApplication::processEvents();
    keep_picture_of(*guide, theme == Theme::dark ? "guide_dark" : "guide_light");
  }
}

const TestPart<KeysTest> kKeysPart("keys");

}  // namespace vantage::ui

#include "keys_test.moc"
