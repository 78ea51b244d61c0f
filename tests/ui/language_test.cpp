// Languages of the window: it is made again with what was open, and numbers and times are read as they are
// written.
#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QTest>

#include "tests/ui/support/in_german.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/plots/plots_control.h"
#include "ui/widgets/form.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {

class LanguageTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_language_is_the_users_where_it_is_ours_data();
  void the_language_is_the_users_where_it_is_ours();
  void one_and_several_differ();
  void numbers_are_read_with_comma_and_point();
  void times_are_read_as_they_are_written();
  void the_window_is_made_again_with_its_project();
  void steps_of_a_window_before_are_undone_in_the_one_after();
  void it_is_not_made_again_while_something_runs();
};

namespace {

QString first_menu(const MainWindow& window) {
  return window.menuBar()->actions().front()->text();
}

void prefer(Language language) {
  Preferences preferences = stored_preferences();
  preferences.language = language;
  store_preferences(preferences);
}

// What follows a choice in the preferences, without their dialog.
void change_language(OpenWindow& w, Language language) {
  prefer(language);
  w.window = w.window->made_again();
  QApplication::setActiveWindow(w.window.get());
  QCoreApplication::processEvents();
}

}  // namespace

void LanguageTest::the_language_is_the_users_where_it_is_ours_data() {
  QTest::addColumn<QByteArray>("locale");
  QTest::addColumn<QByteArray>("languages");
  QTest::addColumn<bool>("german");
  QTest::newRow("none") << QByteArray("C.UTF-8") << QByteArray() << false;
  QTest::newRow("English") << QByteArray("en_GB.UTF-8") << QByteArray() << false;
  QTest::newRow("German") << QByteArray("de_AT.UTF-8") << QByteArray() << true;
  QTest::newRow("French") << QByteArray("fr_FR.UTF-8") << QByteArray() << false;
  // Last: Qt keeps a list that it has read once.
  QTest::newRow("French, then German") << QByteArray("fr_FR.UTF-8") << QByteArray("fr:de") << true;
}

void LanguageTest::the_language_is_the_users_where_it_is_ours() {
  QFETCH(QByteArray, locale);
  QFETCH(QByteArray, languages);
  QFETCH(bool, german);
  qputenv("LC_ALL", locale);
  qputenv("LANGUAGE", languages);
  use_language(Language::system);
  const bool is_german = language_in_use() == Language::german;
  const QString number = number_text(2.5, 'f', 1);
  qputenv("LC_ALL", "C.UTF-8");
  qunsetenv("LANGUAGE");
  use_language(Language::english);
  QCOMPARE(is_german, german);
  QCOMPARE(number, QString(german ? "2,5" : "2.5"));
}

void LanguageTest::one_and_several_differ() {
  const auto texts = [] {
    return QStringList{QCoreApplication::translate("Any", "%n frames", nullptr, 1),
                       QCoreApplication::translate("Any", "%n frames", nullptr, 2)};
  };
  QCOMPARE(texts(), QStringList({"1 frame", "2 frames"}));
  const InGerman german;
  QCOMPARE(texts(), QStringList({"1 Bild", "2 Bilder"}));
  QCOMPARE(QCoreApplication::translate("Any", "%1 m").arg(2.5, 0, 'f', 2), QString("2,50 m"));
}

void LanguageTest::numbers_are_read_with_comma_and_point() {
  const InGerman german;
  const std::unique_ptr<QDoubleSpinBox> field(number_field(0.0, 9000.0, 1.0, 2, " m"));
  for (const auto& [typed, value] :
       {std::pair("2,5", 2.5), std::pair("3.5", 3.5), std::pair("1234,5", 1234.5), std::pair("0.05", 0.05)}) {
    field->selectAll();
    QTest::keyClicks(field.get(), typed);
    QCOMPARE(field->value(), value);
  }
  QCOMPARE(field->text(), QString("0,05 m"));
  bool good = false;
  QCOMPARE(typed_number(" 2,5", &good), 2.5);
  QVERIFY(good);
  QCOMPARE(typed_number("-2.5", &good), -2.5);
  QVERIFY(good);
  typed_number("2,5,1", &good);
  QVERIFY(!good);
}

// Every form in which a time is shown leads back to its frame, whatever the language; English forms stay.
void LanguageTest::times_are_read_as_they_are_written() {
  const Result<RecordingClock> clock = parse_clock("2026-05-01T23:59:50Z");
  QVERIFY(clock.has_value());
  const FrameTimes with{25, *clock}, without{25, std::nullopt};
  for (const bool in_german : {false, true}) {
    std::optional<InGerman> german;
    if (in_german) german.emplace();
    for (const FrameTimes& times : {with, without})
      for (const int64_t frame : {int64_t{0}, int64_t{12}, int64_t{333}, int64_t{2000}})
        for (const QString& text : {times.text(frame), times.full_text(frame)}) {
          const Result<TypedTime> read = parse_time(plain_time(text), times.frame_rate, times.clock);
          QVERIFY2(read && read->frame == frame, qPrintable(text + " as " + plain_time(text).c_str()));
        }
    const QString shown = with.full_text(333);
    QCOMPARE(shown, QString(in_german ? "02.05.2026 00:00:03,320" : "2026-05-02 00:00:03.320"));
    QCOMPARE(with.text(333), QString(in_german ? "2. Mai 00:00:03,320" : "2 May 00:00:03.320"));
    QCOMPARE(plain_time("2026-05-02 00:00:03.320"), std::string("2026-05-02 00:00:03.320"));
    if (!in_german) continue;
    QCOMPARE(plain_time("Sa, 2. Mai 00:00:03,5"), std::string("2 May 00:00:03.5"));
    QCOMPARE(plain_time("Bild 163"), std::string("frame 163"));
    QCOMPARE(plain_time("0 bis 499"), std::string("0 to 499"));
    QCOMPARE(plain_time("2.5.2026 14:32"), std::string("2026-05-02 14:32"));
    QCOMPARE(plain_time("1,5 s"), std::string("1.5 s"));
  }
}

void LanguageTest::the_window_is_made_again_with_its_project() {
  OpenWindow w;
  QCOMPARE(first_menu(*w.window), QString("&File"));
  w.session().post(command::Edit{"box", [](Project& project) { project.boxes.push_back({"crate", {}}); }});
  w.session().post(command::Seek{12});
  QCoreApplication::processEvents();
  w.window->action("mark_in")->trigger();
  w.window->action("layout_scene")->trigger();
  const MarkedRange range = w.window->state().range();
  QCOMPARE(range.in, std::optional<int64_t>(12));
  const QStringList before = w.session().calls;
  change_language(w, Language::german);
  QCOMPARE(first_menu(*w.window), QString("&Datei"));
  for (const QString& call : w.session().calls.mid(before.size()))
    QVERIFY2(!call.startsWith("open") && !call.startsWith("analyse ") && !call.startsWith("seek"),
             qPrintable(call));
  QVERIFY(w.window->state().open() && w.window->isVisible() && !w.window->shows_start_page());
  QCOMPARE(w.window->state().shown()->result->frame, int64_t{12});
  QCOMPARE(w.window->state().range().in, range.in);
  QCOMPARE(w.window->state().project().boxes.size(), size_t{1});
  QVERIFY(w.window->action("undo")->isEnabled() &&
          w.window->action("undo")->text().startsWith("&Rückgängig"));
  w.window->action("undo")->trigger();
  QCoreApplication::processEvents();
  QVERIFY(w.window->state().project().boxes.empty());
  QCOMPARE(w.window->action("play")->shortcut(), QKeySequence("Space"));
  change_language(w, Language::english);
  QCOMPARE(first_menu(*w.window), QString("&File"));
  QVERIFY(w.window->state().open());
}

// Steps outside the project, which the window carries out: the one that is there now.
void LanguageTest::steps_of_a_window_before_are_undone_in_the_one_after() {
  PlotSpec spec;
  spec.figures = {"people"};
  QSettings().setValue("plots", QStringList{plot_spec_text(spec)});
  OpenWindow w;
  const auto plots = [&] { return w.window->part<PlotsControl>()->panel()->plots().size(); };
  QCOMPARE(plots(), size_t{1});
  w.window->action("remove_plot")->trigger();
  QCoreApplication::processEvents();
  QCOMPARE(plots(), size_t{0});
  change_language(w, Language::german);
  QCOMPARE(plots(), size_t{0});
  w.window->action("undo")->trigger();
  QCoreApplication::processEvents();
  QCOMPARE(plots(), size_t{1});
  w.window->action("redo")->trigger();
  QCoreApplication::processEvents();
  QCOMPARE(plots(), size_t{0});
  change_language(w, Language::english);
}

void LanguageTest::it_is_not_made_again_while_something_runs() {
  OpenWindow w;
  int chosen = 0;
  connect(w.window.get(), &MainWindow::language_chosen, this, [&] { ++chosen; });
  const auto choose = [&](int language) {
    QTimer::singleShot(0, qApp, [language] {
      auto* dialog = qobject_cast<PreferencesDialog*>(QApplication::activeModalWidget());
      QVERIFY(dialog);
      for (auto* box : dialog->findChildren<QComboBox*>())
        if (box->findText("Deutsch") >= 0) box->setCurrentIndex(language);
      dialog->close();
    });
    w.window->action("preferences")->trigger();
    QCoreApplication::processEvents();
  };
  choose(2);
  QCOMPARE(chosen, 1);
  choose(2);  // as before
  QCOMPARE(chosen, 1);
  w.session().hold(true);
  w.window->action("analyse_all")->trigger();
  QTRY_VERIFY(w.window->state().busy());
  choose(1);
  QCOMPARE(chosen, 1);
  QVERIFY(w.window->messages()->text().contains("next start"));
  w.session().let_go();
  prefer(Language::system);
}

const TestPart<LanguageTest> kLanguagePart("language");

}  // namespace vantage::ui

#include "language_test.moc"
