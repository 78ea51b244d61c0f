#include <QAbstractButton>
#include <QBoxLayout>
#include <QDir>
#include <QDockWidget>
#include <QFormLayout>
#include <QGridLayout>
#include <QMap>
#include <QProgressBar>
#include <QRegularExpression>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "tests/ui/support/hands.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/window_docks.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/plot_widget.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
namespace {

// A program with everything: checks, and offsets that can be found.
class FullWindow : public OpenWindow {
 public:
  FullWindow()
      : OpenWindow(
            {}, true, [](const Project&, const CheckOptions&) { return CheckReport(); }, 0,
            [](const Project&, const AlignOptions&) { return Alignment(); }) {}
};

// The docks that are shown, by their titles in the order of the tabs; of the right side, then below.
QStringList shown_docks(const MainWindow& window) {
  QStringList titles;
  for (const auto area : {Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea})
    for (auto* dock : window.findChildren<QDockWidget*>())
      if (!dock->isHidden() && window.dockWidgetArea(dock) == area) titles << dock->windowTitle();
  return titles;
}

QToolButton* tool_button(const MainWindow& window, const char* action) {
  for (auto* button : window.findChild<WindowToolBar*>()->findChildren<QToolButton*>())
    if (button->defaultAction() == window.action(action)) return button;
  return nullptr;
}

void keep_look(QWidget& widget, const QString& name) {
  const QString folder = qEnvironmentVariable("VANTAGE_SCREENSHOTS");
  if (!folder.isEmpty()) widget.grab().save(QDir(folder).filePath(name + ".png"));
}

}  // namespace

// Layouts by task, and what resources/docs/looks.md states of every part of the window.
class LooksTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_layout_has_few_docks_with_whole_names_data();
  void a_layout_has_few_docks_with_whole_names();
  void each_layout_stays_as_people_arranged_it();
  void a_layout_is_reset();
  void no_dock_is_beside_the_start_page();
  void spacing_and_text_are_of_the_table();
  void icons_are_of_one_family();
  void the_accent_is_for_one_thing();
  void nothing_moves_while_something_is_done();
  void progress_is_in_one_place();
  void no_button_is_empty();
  void no_layout_widens_the_window();
  void pictures_of_all_layouts();
};

void LooksTest::a_layout_has_few_docks_with_whole_names_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QStringList>("docks");
  const auto row = [](const char* name, const QStringList& docks) {
    QTest::newRow(name) << QString(name) << docks;
  };
  row("layout_review", {"Events", "Find", "Doubtful IDs", "People"});
  row("layout_tune", {"Parameters", "Variants", "Why"});
  row("layout_calibrate", {"Checks", "Synchronisation", "Calibrate"});
  row("layout_live", {"Zones and Lines", "Health", "Events"});
}

// The layout is chosen by a click, and by its key; the second time its docks go away.
void LooksTest::a_layout_has_few_docks_with_whole_names() {
  QFETCH(QString, name);
  QFETCH(QStringList, docks);
  FullWindow w;
  w.window->resize(1366, 768);
  QVERIFY(shown_docks(*w.window).isEmpty());
  QToolButton* button = tool_button(*w.window, name.toLatin1());
  QVERIFY(button && button->isVisible() && !button->text().isEmpty());
  QTest::mouseClick(button, Qt::LeftButton);
  QCoreApplication::processEvents();
  const auto sorted = [](QStringList list) {
    list.sort();
    return list;
  };
  QCOMPARE(sorted(shown_docks(*w.window)), sorted(docks));
  for (const char* one : kTaskActions) QCOMPARE(w.window->action(one)->isChecked(), name == one);
  int tabs_seen = 0;
  for (const auto* tabs : w.window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    if (!tabs->isVisible()) continue;
    for (int i = 0; i < tabs->count(); ++i, ++tabs_seen) {
      QVERIFY2(tabs->rect().contains(tabs->tabRect(i)), qPrintable(tabs->tabText(i)));
      QVERIFY2(tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)) < tabs->tabRect(i).width(),
               qPrintable(tabs->tabText(i)));
    }
  }
  QVERIFY(tabs_seen >= 3);
  keep_look(*w.window, name);
  if (name == QString("layout_review")) {  // with zones for rules, too
    w.window->action("floor_dock")->trigger();
    QCoreApplication::processEvents();
    for (const auto* tabs : w.window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
      for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i)
        QVERIFY2(tabs->rect().contains(tabs->tabRect(i)), qPrintable(tabs->tabText(i)));
    w.window->action("floor_dock")->trigger();
    QCoreApplication::processEvents();
  }
  QTest::keySequence(w.window.get(), w.window->action(name.toLatin1())->shortcut());
  QCoreApplication::processEvents();
  QVERIFY(shown_docks(*w.window).isEmpty() && !button->isChecked());
  QTest::keySequence(w.window.get(), w.window->action(name.toLatin1())->shortcut());
  QCoreApplication::processEvents();
  QCOMPARE(sorted(shown_docks(*w.window)), sorted(docks));
}

void LooksTest::each_layout_stays_as_people_arranged_it() {
  const QStringList mine = {"Events", "Find", "Doubtful IDs", "Log"};
  const auto sorted = [](QStringList list) {
    list.sort();
    return list;
  };
  {
    FullWindow w;
    const Hands hands(Hand::keyboard, *w.window);
    QVERIFY(hands.command("layout_review") && hands.command("people_dock") && hands.command("log"));
    QCOMPARE(sorted(shown_docks(*w.window)), sorted(mine));
    QVERIFY(hands.command("layout_tune"));
    QVERIFY(!shown_docks(*w.window).contains("Log"));
    QVERIFY(hands.command("layout_review"));
    QCOMPARE(sorted(shown_docks(*w.window)), sorted(mine));
    w.window->close();
  }
  FullWindow again;  // the next start
  QVERIFY(again.window->action("layout_review")->isChecked());
  QCOMPARE(sorted(shown_docks(*again.window)), sorted(mine));
  const Hands hands(Hand::keyboard, *again.window);
  QVERIFY(hands.command("layout_live"));
  QVERIFY(!shown_docks(*again.window).contains("Log"));
}

// Whatever was closed, opened, torn off or put elsewhere, by mistake or not.
void LooksTest::a_layout_is_reset() {
  FullWindow w;
  const Hands hands(Hand::mouse, *w.window);
  QTest::mouseClick(tool_button(*w.window, "layout_tune"), Qt::LeftButton);
  QCoreApplication::processEvents();
  const QStringList first = shown_docks(*w.window);
  QVERIFY(hands.command("parameters"));  // in front: it closes
  QVERIFY(hands.command("log"));
  auto* why = w.window->findChild<QDockWidget*>("why_dock_dock");
  w.window->addDockWidget(Qt::LeftDockWidgetArea, why);
  auto* variants = w.window->findChild<QDockWidget*>("variants_dock_dock");
  variants->setFloating(true);
  QVERIFY(shown_docks(*w.window) != first);
  QVERIFY(hands.command("reset_layout"));
  QCOMPARE(shown_docks(*w.window), first);
  QVERIFY(!variants->isFloating() && w.window->dockWidgetArea(why) == Qt::RightDockWidgetArea);
  const auto* front = w.window->findChild<QDockWidget*>("parameters_dock");
  QTRY_VERIFY(!front->visibleRegion().isEmpty());
}

void LooksTest::no_dock_is_beside_the_start_page() {
  FullWindow w;
  QTest::mouseClick(tool_button(*w.window, "layout_review"), Qt::LeftButton);
  const QStringList docks = shown_docks(*w.window);
  QVERIFY(!docks.isEmpty());
  w.window->action("close")->trigger();
  QTRY_VERIFY(w.window->shows_start_page());
  QVERIFY(shown_docks(*w.window).isEmpty());
  QVERIFY(!w.window->action("layout_review")->isEnabled());
  w.window->open_project("/somewhere/hall.vantage");
  QTRY_COMPARE(shown_docks(*w.window), docks);
}

// Every panel has margins and gaps in steps of 4 px, and texts in three sizes.
void LooksTest::spacing_and_text_are_of_the_table() {
  FullWindow w;
  QStringList wrong;
  const auto note = [&](const QObject* of, const QString& what) {
    QString path;
    for (const QObject* one = of; one && path.count('/') < 3; one = one->parent())
      path = QString(one->metaObject()->className()) + '/' + path;
    if (const QString line = path + ' ' + what; !wrong.contains(line)) wrong << line;
  };
  const QList<double> sizes = {sized(QFont(), TextSize::small).pointSizeF(),
                               sized(QFont(), TextSize::normal).pointSizeF(),
                               sized(QFont(), TextSize::title).pointSizeF()};
  const auto has_own_look = [](const QObject* one) {  // Qt's own parts, plots on paper
    for (; one; one = one->parent())
      if (qobject_cast<const QStatusBar*>(one) || qobject_cast<const PlotWidget*>(one) ||
          one->inherits("QDialogButtonBox"))
        return true;
    return false;
  };
  int layouts = 0, widgets = 0;
  const auto check_layout = [&](const QLayout* layout) {
    const QMargins margins = layout->contentsMargins();
    for (const int px : {margins.left(), margins.top(), margins.right(), margins.bottom()})
      if (px % 4 != 0) note(layout, QString("margin %1").arg(px));
    QList<int> gaps = {layout->spacing()};
    if (const auto* form = qobject_cast<const QFormLayout*>(layout))
      gaps = {form->horizontalSpacing(), form->verticalSpacing()};
    if (const auto* grid = qobject_cast<const QGridLayout*>(layout))
      gaps = {grid->horizontalSpacing(), grid->verticalSpacing()};
    for (const int px : gaps)
      if (px > 0 && px % 4 != 0) note(layout, QString("gap %1").arg(px));
    ++layouts;
  };
  for (auto* dock : w.window->findChildren<QDockWidget*>()) {
    dock->show();
    dock->raise();
    QCoreApplication::processEvents();
    for (const auto* widget : dock->widget()->findChildren<QWidget*>()) {
      if (has_own_look(widget) || !widget->isVisible()) continue;
      ++widgets;
      const double size = widget->font().pointSizeF();
      if (std::ranges::none_of(sizes, [&](double one) { return std::abs(one - size) < 0.05; }))
        note(widget, QString("text of %1 pt").arg(size));
    }
    for (const auto* layout : dock->widget()->findChildren<QLayout*>())
      if (!has_own_look(layout) &&
          (qobject_cast<const QBoxLayout*>(layout) || qobject_cast<const QFormLayout*>(layout) ||
           qobject_cast<const QGridLayout*>(layout)))
        check_layout(layout);
  }
  QVERIFY(layouts > 100 && widgets > 300);
  QVERIFY2(wrong.isEmpty(), qPrintable('\n' + wrong.join('\n')));
}

// Drawn on a square of 24 by lines of 2 with round ends, in the colour of the text next to them.
void LooksTest::icons_are_of_one_family() {
  colored_pixmap("close", Qt::white, 16);  // the resources are registered with the first icon
  const QStringList files = QDir(":/icons").entryList({"*.svg"});
  QVERIFY(files.size() > 15);
  for (const QString& name : files) {
    if (name == "vantage.svg") continue;  // the program's mark
    QFile file(":/icons/" + name);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString svg = file.readAll();
    for (const char* part : {"viewBox=\"0 0 24 24\"", "stroke=\"currentColor\"", "stroke-width=\"2\"",
                             "stroke-linejoin=\"round\"", "stroke-linecap=\"round\""})
      QVERIFY2(svg.contains(part), qPrintable(name + ": " + part));
    QVERIFY2(!svg.contains(QRegularExpression("#[0-9a-fA-F]{3}")), qPrintable(name));
  }
}

// With every overlay on: in the bar the layout alone has the accent's colour.
void LooksTest::the_accent_is_for_one_thing() {
  FullWindow w;
  for (const Theme theme : {Theme::light, Theme::dark}) {
    w.window->choose_theme(theme);
    for (const char* overlay : {"foreground", "people", "trails", "volume", "floor_map", "top"})
      if (!w.window->action(overlay)->isChecked()) w.window->action(overlay)->trigger();
    if (!w.window->action("layout_review")->isChecked()) w.window->action("layout_review")->trigger();
    QCoreApplication::processEvents();
    const QColor accent = QApplication::palette().color(QPalette::Highlight);
    int accented = 0;
    for (auto* button : w.window->findChild<WindowToolBar*>()->findChildren<QToolButton*>()) {
      if (!button->isVisible()) continue;
      const QImage seen = button->grab().toImage();
      int like = 0;
      for (int y = 0; y < seen.height(); ++y)
        for (int x = 0; x < seen.width(); ++x) like += seen.pixelColor(x, y).rgb() == accent.rgb();
      const bool of_layout = button->defaultAction() == w.window->action("layout_review");
      QVERIFY2((like > 20) == of_layout, qPrintable(button->accessibleName() + QString(" %1").arg(like)));
      accented += of_layout;
    }
    QCOMPARE(accented, 1);
  }
  w.window->choose_theme(Theme::system);
}

// Buttons stay under the pointer while an analysis is running, and when checks are found to be doubtful.
void LooksTest::nothing_moves_while_something_is_done() {
  OpenWindow w({}, true, [](const Project&, const CheckOptions&) {
    CheckReport report;
    report.items.assign(12, {"view", "cam1", Verdict::doubtful, "3 cm", "2 cm", "Calibrate again.", 12});
    return report;
  });
  w.window->action("layout_calibrate")->trigger();
  QCoreApplication::processEvents();
  const auto where = [&] {
    QMap<QString, QPoint> at;
    for (QWidget* bar :
         std::initializer_list<QWidget*>{w.window->findChild<WindowToolBar*>(),
                                         w.window->workspace()->transport(), w.window->statusBar()})
      for (const auto* one : bar->findChildren<QWidget*>())
        if (one->isVisible() && !one->accessibleName().isEmpty() && !qobject_cast<const ActionButton*>(one) &&
            (qobject_cast<const QAbstractButton*>(one) || one->accessibleName() == "Backend"))
          at[one->accessibleName()] = one->mapTo(w.window.get(), QPoint());
    return at;
  };
  const auto before = where();
  QVERIFY(before.size() > 15);
  const auto moved = [&] {
    QStringList names;
    const auto now = where();
    for (auto one = before.begin(); one != before.end(); ++one)
      if (now.contains(one.key()) && now[one.key()] != one.value()) names << one.key();
    return names.join(", ");
  };
  w.session().hold(true);
  w.window->action("check")->trigger();
  QTRY_VERIFY(!w.window->action("checks")->icon().isNull());
  QCoreApplication::processEvents();
  QCOMPARE(moved(), QString());
  // The number has the ink of the other texts, whether its dock is open or not.
  const QIcon mark = w.window->action("checks")->icon();
  QCOMPARE(mark.pixmap(64, QIcon::Normal, QIcon::On).toImage(),
           mark.pixmap(64, QIcon::Normal, QIcon::Off).toImage());
  w.window->action("analyse_all")->trigger();
  QTRY_VERIFY(w.window->state().status().analysing);
  QCoreApplication::processEvents();
  keep_look(*w.window, "looks_analysing");
  QCOMPARE(moved(), QString());
  w.session().hold(false);
  w.session().let_go();
}

// No dock has a bar of its own: work that takes long is reported next to its name in the status line.
void LooksTest::progress_is_in_one_place() {
  FullWindow w;
  for (auto* dock : w.window->findChildren<QDockWidget*>())
    QVERIFY2(dock->findChildren<QProgressBar*>().isEmpty(), qPrintable(dock->windowTitle()));
}

// While nothing is open there is no time to be clicked.
void LooksTest::no_button_is_empty() {
  Transport transport;
  transport.show();
  const auto empty = [&] {
    return std::ranges::any_of(transport.findChildren<QToolButton*>(), [](const QToolButton* one) {
      return one->isVisible() && one->text().isEmpty() && one->icon().isNull();
    });
  };
  QAction play("play"), analyse("Analyse");
  transport.set_playback_actions(&play, &play, &play);
  transport.set_analyse_action(&analyse, {}, -1);
  QVERIFY(!empty());
  SessionStatus status;
  status.open = true, status.frame_rate = 25, status.frame_count = 100;
  transport.set_status(status, 1);
  QVERIFY(!empty() && !transport.time_of_frame().isEmpty());
}

// On a small screen, whatever page of a dock is in front.
void LooksTest::no_layout_widens_the_window() {
  FullWindow w;
  const QSize small = w.window->size();
  for (const char* name : kTaskActions) {
    w.window->action(name)->trigger();
    QCoreApplication::processEvents();
    for (auto* dock : w.window->findChildren<QDockWidget*>()) {
      if (dock->isHidden()) continue;
      dock->raise();
      QCoreApplication::processEvents();
      for (auto* tabs : dock->findChildren<QTabWidget*>())
        for (int page = 0; page < tabs->count(); ++page) {
          tabs->setCurrentIndex(page);
          QCoreApplication::processEvents();
        }
      QVERIFY2(w.window->size() == small, qPrintable(QString("%1, %2: %3 x %4")
                                                         .arg(name, dock->windowTitle())
                                                         .arg(w.window->width())
                                                         .arg(w.window->height())));
    }
  }
}

// To be looked at (VANTAGE_SCREENSHOTS): each layout, in the light and in the dark, on both common screens;
// and with QT_SCALE_FACTOR=2 of the same names in another folder.
void LooksTest::pictures_of_all_layouts() {
  FullWindow w;
  for (const Theme theme : {Theme::light, Theme::dark})
    for (const QSize size : {QSize(1366, 768), QSize(1920, 1080)}) {
      w.window->choose_theme(theme);
      w.window->resize(size);
      for (const char* name : kTaskActions) {
        if (!w.window->action(name)->isChecked()) w.window->action(name)->trigger();
        QCoreApplication::processEvents();
        QVERIFY2(w.window->width() <= size.width() && w.window->height() <= size.height(), name);
        keep_look(
            *w.window,
            QString("%1_%2_%3").arg(name).arg(size.width()).arg(theme == Theme::dark ? "dark" : "light"));
      }
    }
  w.window->choose_theme(Theme::system);
}

const TestPart<LooksTest> kLooksPart("looks");

}  // namespace vantage::ui

#include "looks_test.moc"
