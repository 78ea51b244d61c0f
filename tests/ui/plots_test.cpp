#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QWheelEvent>
#include <cmath>
#include <fstream>

#include "core/base/file.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/plots/plot_dialog.h"
#include "ui/main_window/plots/plot_kinds.h"
#include "ui/main_window/plots/plots_control.h"
#include "ui/main_window/workspace.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

// Plots of figures of the results that people choose, linked with the timeline.
class PlotsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_plot_is_added_by_keys_and_changed();
  void hovering_tells_values_and_a_click_goes_there();
  void dragging_marks_the_range();
  void zoom_agrees_unless_it_is_unlinked();
  void a_point_of_a_scatter_plot_goes_to_its_frame();
  void the_frames_of_a_bin_are_gone_through();
  void removing_is_a_step_of_the_one_history();
  void plots_are_there_after_a_restart();
  void exports_are_those_of_the_command_line();
  void results_that_grow_or_go_are_followed();
  void a_plot_without_values_says_why();
  void an_hour_is_drawn_once_and_loses_no_peak();
  void a_tick_alone_has_its_digits();
};

namespace {

constexpr int kPlotFrames = 60;

std::string plot_header() {
  return R"({"schema":"vantage-results-1","version":"0.1.0","device":"CPU","frame_rate":25.0,)"
         R"("cameras":[{"name":"cam1"},{"name":"cam2"}],"parameters":{}})"
         "\n";
}

// litres: 100 + frame; people: frame modulo 3; person 1 is there in the first 30 frames.
std::string plot_line(int frame) {
  std::string line = R"({"frame":)" + std::to_string(frame) +
                     R"(,"versions":{},"cameras":[{"name":"cam1","foreground_share":0.)" +
                     std::to_string(10 + frame % 7) + R"(},{"name":"cam2"}],"volume":{"litres":)" +
                     std::to_string(100 + frame) + R"(},"people":{"count":)" + std::to_string(frame % 3) +
                     R"(,"people":[)";
  if (frame < 30)
    line +=
        R"({"id":1,"x_m":)" + std::to_string(0.01 * frame) + R"(,"y_m":0,"height_m":1.7,"confidence":0.9})";
  return line + "],\"rejected\":[]}}\n";
}

std::string plot_lines(int from, int to) {
  std::string lines;
  for (int frame = from; frame < to; ++frame) lines += plot_line(frame);
  return lines;
}

class PlotsWindow : public SessionWindow {
 public:
  explicit PlotsWindow(bool with_results = true, bool open_dock = true) : SessionWindow(2, kPlotFrames) {
    if (with_results) write("results.jsonl", plot_header() + plot_lines(0, kPlotFrames));
    show({1366, 768});
    open();
    QTRY_VERIFY(window->action("add_plot")->isEnabled());
    QTRY_VERIFY(window->state().shown());
    if (open_dock) QTest::keyClick(window.get(), Qt::Key_F11, Qt::ShiftModifier);
    if (open_dock) QTRY_VERIFY(panel().isVisible());
  }
  ~PlotsWindow() { window.reset(); }

  void write(const char* name, const std::string& text) const {
    QVERIFY(make_folder(results()).has_value());
    QVERIFY(write_file_atomically(results() / name, text).has_value());
  }
  std::filesystem::path results() const { return project_.results_folder(); }
  PlotsControl& control() const { return *window->part<PlotsControl>(); }
  PlotsPanel& panel() const { return *control().panel(); }
  Timeline& timeline() const { return *window->workspace()->timeline(); }
  int64_t frame() const { return window->state().shown()->result->frame; }
  template <typename Plot>
  Plot* plot(size_t number) const {
    return number < panel().plots().size() ? qobject_cast<Plot*>(panel().plots()[number]) : nullptr;
  }

  static QListWidgetItem* first_shown(const PlotDialog& dialog, const QString& figure) {
    for (int row = 0; row < dialog.list()->count(); ++row)
      if (QListWidgetItem* item = dialog.list()->item(row);
          item->text().startsWith(figure) && !item->isHidden())
        return item;
    return nullptr;
  }
  // Without a window manager nobody makes the window active again after a dialog.
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const {
    QApplication::setActiveWindow(window.get());
    QTest::keyClick(window.get(), key, modifiers);
  }
  // Through the dialog: by typing and the keys.
  void fill(PlotDialog* dialog, ScalarPlotKind kind, const QStringList& figures) const {
    dialog->findChild<QComboBox*>()->setCurrentIndex(static_cast<int>(kind));
    for (const QString& figure : figures) {
      auto* search = dialog->findChild<QLineEdit*>();
      search->setFocus();
      search->clear();
      QTest::keyClicks(search, figure);
      // Whose figures there are is read meanwhile.
      QListWidgetItem* found = nullptr;
      QTRY_VERIFY2((found = first_shown(*dialog, figure)), qPrintable(figure));
      QVERIFY2(found, qPrintable(figure));
      dialog->list()->setFocus();
      dialog->list()->setCurrentItem(found);
      QTest::keyClick(dialog->list(), Qt::Key_Space);
      QCOMPARE(found->checkState(), Qt::Checked);
    }
  }
  void accept(PlotDialog* dialog) const {
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
  }
  void add(ScalarPlotKind kind, const QStringList& figures) const {
    const size_t before = panel().plots().size();
    QTRY_VERIFY(!control().dialog());
    press(Qt::Key_P, Qt::ControlModifier);
    QTRY_VERIFY(control().dialog() && control().dialog()->isVisible());
    fill(control().dialog(), kind, figures);
    accept(control().dialog());
    QTRY_COMPARE(panel().plots().size(), before + 1);
    QTRY_VERIFY2(panel().plots().back()->empty_text().isEmpty(),
                 qPrintable(panel().plots().back()->empty_text()));
    QTRY_VERIFY(panel().plots().back()->isVisible());
    QCoreApplication::processEvents();  // its place
  }
  // In the middle of the plot, at a frame.
  QPoint at_frame(PlotCanvas& plot, int64_t frame) const {
    const QRectF area = plot.plot().area;
    return QPointF(timeline().axis()->x_of(static_cast<double>(frame), area.left(), area.width()),
                   area.center().y())
        .toPoint();
  }
};

void move_pointer(QWidget* widget, const QPoint& at, Qt::MouseButtons buttons = Qt::NoButton) {
  QMouseEvent move(QEvent::MouseMove, QPointF(at), QPointF(widget->mapToGlobal(at)), Qt::NoButton, buttons,
                   {});
  QCoreApplication::sendEvent(widget, &move);
}

QByteArray plot_bytes(const QString& name) {
  QFile file(name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

void PlotsTest::a_plot_is_added_by_keys_and_changed() {
  PlotsWindow w;
  QVERIFY(w.panel().plots().empty());
  QVERIFY(!w.window->action("remove_plot")->isEnabled());
  w.press(Qt::Key_P, Qt::ControlModifier);
  QTRY_VERIFY(w.control().dialog());
  PlotDialog* dialog = w.control().dialog();
  auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  QVERIFY(!ok->isEnabled());
  QVERIFY(dialog->problem().contains("Choose a figure"));
  w.fill(dialog, ScalarPlotKind::scatter, {"litres"});
  QVERIFY2(dialog->problem().contains("two figures"), qPrintable(dialog->problem()));
  w.fill(dialog, ScalarPlotKind::time, {"people"});
  QVERIFY(ok->isEnabled());
  // Searched by meaning, too; what is chosen stays.
  auto* search = dialog->findChild<QLineEdit*>();
  search->clear();
  QTest::keyClicks(search, "pixels FOREGROUND cam2");
  QStringList left;
  for (int row = 0; row < dialog->list()->count(); ++row)
    if (!dialog->list()->item(row)->isHidden()) left << dialog->list()->item(row)->text().section(':', 0, 0);
  QCOMPARE(left, QStringList({"people", "litres", "foreground"}));
  if (const QString folder = qEnvironmentVariable("VANTAGE_SCREENSHOTS"); !folder.isEmpty())
    dialog->grab().save(folder + "/plot_dialog.png");
  w.accept(dialog);
  QTRY_COMPARE(w.panel().plots().size(), size_t{1});
  QCOMPARE(w.plot<TimePlot>(0)->spec().figures, (std::vector<std::string>{"litres", "people"}));
  QTRY_VERIFY(w.plot<TimePlot>(0)->head_text().contains("litres (l) 100, people 0"));
  w.add(ScalarPlotKind::histogram, {"litres"});
  QCOMPARE(w.panel().chosen(), 1);
  QCOMPARE(w.plot<HistogramPlot>(1)->bins().count(), 8);
  // Changed to one over another.
  QTRY_VERIFY(!w.control().dialog());
  w.press(Qt::Key_F11, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_VERIFY(w.control().dialog());
  QCOMPARE(w.control().dialog()->chosen(), std::vector<std::string>{"litres"});
  w.fill(w.control().dialog(), ScalarPlotKind::scatter, {"people"});
  w.accept(w.control().dialog());
  QTRY_VERIFY(w.plot<ScatterPlot>(1));
  QTRY_VERIFY(w.plot<ScatterPlot>(1)->head_text().startsWith("60 frames, r = "));
  keep_picture(*w.window, "plots");
}

void PlotsTest::hovering_tells_values_and_a_click_goes_there() {
  PlotsWindow w;
  w.add(ScalarPlotKind::time, {"litres", "x_m:1"});
  TimePlot* plot = w.plot<TimePlot>(0);
  // Where the timeline has the frame, the plot has it.
  const double on_timeline = w.timeline().mapTo(w.window.get(), QPointF(w.timeline().x_of(40), 0)).x();
  QVERIFY(std::abs(plot->mapTo(w.window.get(), w.at_frame(*plot, 40)).x() - on_timeline) <= 1);
  move_pointer(plot, w.at_frame(*plot, 20));
  QVERIFY2(plot->head_text().startsWith("frame 20, 0:00.800") &&
               plot->head_text().contains("litres (l) 120") && plot->head_text().contains("x_m:1 (m) 0.2"),
           qPrintable(plot->head_text()));
  QCOMPARE(w.timeline().pointed(), std::optional<int64_t>(20));
  move_pointer(plot, w.at_frame(*plot, 40));
  QVERIFY2(plot->head_text().contains("x_m:1 (m) \u2013"), "nobody there any more");
  QCOMPARE(w.frame(), int64_t{0});
  const int pictures = plot->pictures_drawn();
  QTest::mouseClick(plot, Qt::LeftButton, {}, w.at_frame(*plot, 33));
  QTRY_COMPARE(w.frame(), int64_t{33});
  QCOMPARE(plot->pictures_drawn(), pictures);
  QVERIFY(w.window->state().range().empty());
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(plot, &leave);
  QVERIFY(!w.timeline().pointed());
  QTRY_VERIFY2(plot->head_text().startsWith("frame 33,"), qPrintable(plot->head_text()));
  // The other way round.
  move_pointer(&w.timeline(), QPoint(static_cast<int>(std::lround(w.timeline().x_of(12))), 30));
  QCOMPARE(plot->pointed(), std::optional<int64_t>(12));
  QCoreApplication::sendEvent(&w.timeline(), &leave);
  QVERIFY(!plot->pointed());
}

void PlotsTest::dragging_marks_the_range() {
  PlotsWindow w;
  w.add(ScalarPlotKind::time, {"litres"});
  TimePlot* plot = w.plot<TimePlot>(0);
  const QPoint from = w.at_frame(*plot, 45), to = w.at_frame(*plot, 15);
  QTest::mousePress(plot, Qt::LeftButton, {}, from);
  move_pointer(plot, (from + to) / 2, Qt::LeftButton);
  move_pointer(plot, to, Qt::LeftButton);
  QCOMPARE(plot->dragged(), (std::optional<std::pair<int64_t, int64_t>>({15, 45})));
  QVERIFY(w.window->state().range().empty());
  QTest::mouseRelease(plot, Qt::LeftButton, {}, to);
  QCOMPARE(w.window->state().range().in, std::optional<int64_t>(15));
  QCOMPARE(w.window->state().range().out, std::optional<int64_t>(45));
  QCOMPARE(w.frame(), int64_t{0});
  keep_picture(*w.window, "plots_range");
  // It is the range of I and O: cleared by its key.
  w.press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(w.window->state().range().empty());
}

void PlotsTest::zoom_agrees_unless_it_is_unlinked() {
  PlotsWindow w;
  w.add(ScalarPlotKind::time, {"litres"});
  TimePlot* plot = w.plot<TimePlot>(0);
  TimeAxis* axis = w.timeline().axis();
  QVERIFY(axis->whole());
  const auto turn = [&](int notches) {
    const QPointF at = w.at_frame(*plot, 30);
    QWheelEvent wheel(at, plot->mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(plot, &wheel);
  };
  turn(2);
  QVERIFY(!axis->whole());
  QCOMPARE(plot->plot().x_high, axis->right());
  QVERIFY2(plot->plot().y_high < 158, "the values that are seen have the height");
  w.press(Qt::Key_0, Qt::ControlModifier | Qt::AltModifier);
  QVERIFY(axis->whole());
  QCOMPARE(plot->plot().x_high, 59.0);
  w.press(Qt::Key_L, Qt::AltModifier | Qt::ShiftModifier);
  QVERIFY(!w.window->action("link_plots")->isChecked());
  turn(2);
  QVERIFY(axis->whole());
  QVERIFY(plot->plot().x_high < 59);
  w.press(Qt::Key_L, Qt::AltModifier | Qt::ShiftModifier);
  QCOMPARE(plot->plot().x_high, 59.0);
}

void PlotsTest::a_point_of_a_scatter_plot_goes_to_its_frame() {
  PlotsWindow w;
  w.add(ScalarPlotKind::scatter, {"litres", "foreground:cam1"});
  ScatterPlot* plot = w.plot<ScatterPlot>(0);
  const QPointF place = plot->place_of(41).value();
  move_pointer(plot, place.toPoint());
  QCOMPARE(w.timeline().pointed(), std::optional<int64_t>(41));
  QVERIFY2(plot->head_text().contains("frame 41,") && plot->head_text().contains("litres (l) 141"),
           qPrintable(plot->head_text()));
  QTest::mouseClick(plot, Qt::LeftButton, {}, place.toPoint());
  QTRY_COMPARE(w.frame(), int64_t{41});
  QTest::mouseClick(plot, Qt::LeftButton, {}, QPoint(plot->width() - 2, 2));  // nothing is there
  QTest::qWait(50);
  QCOMPARE(w.frame(), int64_t{41});
  // Only the marked range, as it changes.
  w.press(Qt::Key_F11, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_VERIFY(w.control().dialog());
  for (auto* box : w.control().dialog()->findChildren<QCheckBox*>()) box->setChecked(true);
  w.accept(w.control().dialog());
  QTRY_VERIFY(w.plot<ScatterPlot>(0)->spec().in_range);
  plot = w.plot<ScatterPlot>(0);
  QTRY_VERIFY(plot->head_text().startsWith("60 frames"));
  w.press(Qt::Key_I);
  QTRY_VERIFY2(plot->head_text().startsWith("19 frames"), qPrintable(plot->head_text()));
  QVERIFY(!plot->place_of(40));
}

void PlotsTest::the_frames_of_a_bin_are_gone_through() {
  PlotsWindow w;
  w.add(ScalarPlotKind::histogram, {"people"});
  HistogramPlot* plot = w.plot<HistogramPlot>(0);
  QVERIFY(!w.window->action("next_of_bin")->isEnabled());
  const int last = plot->bins().count() - 1;
  const QPoint at = plot->bin_area(last).center().toPoint();
  move_pointer(plot, at);
  QVERIFY2(plot->head_text().contains("people 20"), qPrintable(plot->head_text()));
  QTest::mouseClick(plot, Qt::LeftButton, {}, at);
  QTRY_COMPARE(w.frame(), int64_t{2});
  QCOMPARE(plot->chosen_bin(), std::optional<int>(last));
  QCOMPARE(plot->frames_of_bin().size(), size_t{20});
  QTest::mouseClick(plot, Qt::LeftButton, {}, at);
  QTRY_COMPARE(w.frame(), int64_t{5});
  w.press(Qt::Key_F, Qt::AltModifier | Qt::ShiftModifier);
  QTRY_COMPARE(w.frame(), int64_t{8});
  w.press(Qt::Key_P, Qt::AltModifier | Qt::ShiftModifier);
  QTRY_COMPARE(w.frame(), int64_t{5});
  w.press(Qt::Key_P, Qt::AltModifier | Qt::ShiftModifier);
  QTRY_COMPARE(w.frame(), int64_t{2});
  w.press(Qt::Key_P, Qt::AltModifier | Qt::ShiftModifier);  // from the other end
  QTRY_COMPARE(w.frame(), int64_t{59});
  keep_picture(*w.window, "plots_histogram");
}

void PlotsTest::removing_is_a_step_of_the_one_history() {
  PlotsWindow w;
  w.add(ScalarPlotKind::time, {"litres"});
  w.add(ScalarPlotKind::time, {"people"});
  QTest::mouseClick(w.plot<TimePlot>(0), Qt::RightButton);  // chooses; the menu comes by another event
  QCOMPARE(w.panel().chosen(), 0);
  w.press(Qt::Key_F10, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(w.panel().plots().size(), size_t{1});
  QCOMPARE(w.plot<TimePlot>(0)->spec().figures, std::vector<std::string>{"people"});
  QTRY_COMPARE(w.window->action("undo")->text(), QString("&Undo Remove plot"));
  w.press(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(w.panel().plots().size(), size_t{2});
  QTRY_VERIFY(w.plot<TimePlot>(0)->head_text().contains("litres"));
  QTRY_VERIFY(w.window->action("redo")->isEnabled());
  w.press(Qt::Key_Y, Qt::ControlModifier);
  QTRY_COMPARE(w.panel().plots().size(), size_t{1});
  // What the project did since comes first.
  w.session->post(command::SetParameter{"carving", "threshold", 0.5});
  QTRY_VERIFY(w.window->isWindowModified());
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  w.press(Qt::Key_Z, Qt::ControlModifier);
  QTRY_VERIFY(!w.window->isWindowModified());
  QCOMPARE(w.panel().plots().size(), size_t{1});
  QTRY_COMPARE(w.window->action("undo")->text(), QString("&Undo Remove plot"));
  w.press(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(w.panel().plots().size(), size_t{2});
}

void PlotsTest::plots_are_there_after_a_restart() {
  {
    PlotsWindow w;
    w.add(ScalarPlotKind::time, {"litres", "people"});
    w.add(ScalarPlotKind::histogram, {"foreground:cam1"});
    w.press(Qt::Key_L, Qt::AltModifier | Qt::ShiftModifier);
    QVERIFY(w.window->close());
  }
  PlotsWindow w(true, false);
  QTRY_VERIFY(w.panel().isVisible());
  QCOMPARE(w.panel().plots().size(), size_t{2});
  QCOMPARE(w.plot<TimePlot>(0)->spec().figures, (std::vector<std::string>{"litres", "people"}));
  QVERIFY(w.plot<HistogramPlot>(1));
  QVERIFY(!w.window->action("link_plots")->isChecked());
  QTRY_VERIFY(w.plot<TimePlot>(0)->head_text().contains("litres (l) 100"));
  QVERIFY(!plot_spec_of("{\"kind\":\"pie\",\"figures\":[],\"bins\":0,\"in_range\":false}"));
  QVERIFY(!plot_spec_of("7"));
}

void PlotsTest::exports_are_those_of_the_command_line() {
  PlotsWindow w;
  const struct {
    ScalarPlotKind kind;
    QStringList figures, words;
  } plots[] = {{ScalarPlotKind::time, {"litres", "speed_m_per_s:1"}, {"--kind", "time"}},
               {ScalarPlotKind::histogram, {"people"}, {"--kind", "histogram", "--frames", "10:31"}},
               {ScalarPlotKind::scatter, {"litres", "foreground:cam1"}, {"--kind", "scatter"}}};
  w.window->part<PlotsControl>();
  for (const auto& [kind, figures, words] : plots) {
    w.add(kind, figures);
    if (words.contains("10:31")) {
      w.press(Qt::Key_F11, Qt::ControlModifier | Qt::ShiftModifier);
      QTRY_VERIFY(w.control().dialog());
      for (auto* box : w.control().dialog()->findChildren<QCheckBox*>()) box->setChecked(true);
      w.accept(w.control().dialog());
      w.session->post(command::Seek{10});
      QTRY_COMPARE(w.frame(), int64_t{10});
      w.press(Qt::Key_I);
      w.session->post(command::Seek{30});
      QTRY_COMPARE(w.frame(), int64_t{30});
      w.press(Qt::Key_O);
      QTRY_VERIFY(w.window->action("export_plot")->isEnabled());
    }
    for (const char* ending : {"svg", "pdf", "png", "csv"}) {
      const QString by_window = w.folder() + "/window." + ending, by_cli = w.folder() + "/cli." + ending;
      w.window->messages()->clear();
      w.control().export_to(by_window);
      QTRY_VERIFY2(w.window->messages()->text().startsWith("Plot written to "),
                   qPrintable(w.window->messages()->text()));
      QProcess process;
      process.start(QCoreApplication::applicationDirPath() + "/vantage-cli",
                    QStringList{"plot", QString::fromStdString(w.results().string()), "--of",
                                figures.join(','), "--out", by_cli} +
                        words);
      QVERIFY(process.waitForFinished(kWait_ms) && process.exitCode() == 0);
      QVERIFY(plot_bytes(by_window).size() > 60);
      QVERIFY2(plot_bytes(by_window) == plot_bytes(by_cli), ending);
      QFile::remove(by_window);
      QFile::remove(by_cli);
    }
  }
  w.window->messages()->clear();
  w.control().export_to(w.folder() + "/plot.doc");
  QTRY_VERIFY2(w.window->messages()->text().contains("not written in this format"),
               qPrintable(w.window->messages()->text()));
}

void PlotsTest::results_that_grow_or_go_are_followed() {
  PlotsWindow w(false);
  w.press(Qt::Key_P, Qt::ControlModifier);
  QTRY_VERIFY(w.control().dialog());
  w.fill(w.control().dialog(), ScalarPlotKind::time, {"litres", "foreground:cam2"});
  w.accept(w.control().dialog());
  QTRY_COMPARE(w.panel().plots().size(), size_t{1});
  TimePlot* plot = w.plot<TimePlot>(0);
  QTRY_VERIFY2(plot->empty_text().contains("There are no results yet"), qPrintable(plot->empty_text()));
  w.write("results.jsonl.part", plot_header() + plot_lines(0, 20));
  const auto frames = [&] {
    const ScalarsRef read = w.control().reader().scalars_of({"litres", "foreground:cam2"});
    return read ? read->frames.size() : 0;
  };
  QTRY_COMPARE(frames(), size_t{20});
  QVERIFY(plot->empty_text().isEmpty());
  std::ofstream(w.results() / "results.jsonl.part", std::ios::app) << plot_lines(20, 45);
  QTRY_COMPARE(frames(), size_t{45});
  std::filesystem::rename(w.results() / "results.jsonl.part", w.results() / "results.jsonl");
  w.write("results.jsonl", plot_header() + plot_lines(30, 60));
  QTRY_COMPARE(frames(), size_t{30});
  QCOMPARE(w.control().reader().scalars_of({"litres", "foreground:cam2"})->frames.front(), int64_t{30});
  std::filesystem::remove(w.results() / "results.jsonl");
  QTRY_VERIFY(plot->empty_text().contains("There are no results yet"));
}

void PlotsTest::a_plot_without_values_says_why() {
  QSettings().setValue("plots",
                       QStringList{plot_spec_text({ScalarPlotKind::time, {"x_m:77"}, 0, false}),
                                   plot_spec_text({ScalarPlotKind::time, {"litres", "ms:carving"}, 0, false}),
                                   plot_spec_text({ScalarPlotKind::histogram, {"nothing"}, 0, false}),
                                   plot_spec_text({ScalarPlotKind::scatter, {"heads", "litres"}, 0, false})});
  PlotsWindow w;
  QCOMPARE(w.panel().plots().size(), size_t{4});
  const auto empty = [&](size_t number) { return w.panel().plots()[number]->empty_text(); };
  QTRY_VERIFY2(empty(0).contains("These results have no x_m:77"), qPrintable(empty(0)));
  QTRY_VERIFY(empty(1).isEmpty());
  QVERIFY(w.plot<TimePlot>(1)->head_text().contains("ms:carving (ms) not in these results"));
  QVERIFY2(empty(2).contains("there is no such figure of results: nothing"), qPrintable(empty(2)));
  QVERIFY(w.panel().plots()[3]->isVisible());
  QVERIFY(!w.window->action("export_plot")->isEnabled());
  QVERIFY(w.window->action("export_plot")->toolTip().contains("x_m:77"));
  keep_picture(*w.window, "plots_empty");
}

void PlotsTest::an_hour_is_drawn_once_and_loses_no_peak() {
  constexpr int64_t kHour = 90'000;
  auto scalars = std::make_shared<ResultScalars>();
  scalars->frame_rate = 25;
  for (int64_t frame = 0; frame < kHour; ++frame) scalars->frames.push_back(frame);
  for (int series = 0; series < 6; ++series) {
    ScalarSeries one{"x_m:" + std::to_string(series), "m", {}};
    for (int64_t frame = 0; frame < kHour; ++frame)
      one.values.push_back(frame == 61'234 ? 9 : std::sin(static_cast<double>(frame + series) / 40));
    scalars->series.push_back(std::move(one));
  }
  QWidget window;
  TimeAxis axis;
  axis.set_extent(0, kHour);
  auto* plot = new TimePlot({ScalarPlotKind::time, {"x_m:0"}, 0, false}, &window);
  plot->setParent(&window);
  plot->set_axis(&axis);
  plot->resize(1000, 200);
  window.resize(1000, 200);
  plot->show_scalars(scalars, {});
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  const QPixmap picture = plot->grab();
  const int pictures = plot->pictures_drawn();
  for (int64_t frame = 0; frame < 500; ++frame) {
    plot->set_frame(frame);
    plot->set_pointed(2 * frame);
    plot->repaint();
  }
  QCOMPARE(plot->pictures_drawn(), pictures);
  QVERIFY(plot->plot().y_high > 9);
  axis.show(100, 200);
  plot->repaint();
  QCOMPARE(plot->pictures_drawn(), pictures + 1);
  QVERIFY(plot->plot().y_high < 2);
  // What is drawn of a series: at most four points a pixel, the peak among them; gaps stay.
  std::vector<QPointF> points;
  for (int64_t frame = 0; frame < kHour; ++frame)
    points.emplace_back(static_cast<double>(frame) / 90,
                        frame == 50'000 ? NAN : scalars->series[0].values[frame]);
  const std::vector<QPolygonF> lines = thinned_lines(points);
  QCOMPARE(lines.size(), size_t{2});
  qsizetype count = 0;
  double highest = 0;
  for (const QPolygonF& line : lines)
    for (const QPointF& point : line) ++count, highest = std::max(highest, point.y());
  QVERIFY(count <= 4 * 1001);
  QCOMPARE(highest, 9.0);
}

void PlotsTest::a_tick_alone_has_its_digits() {
  QCOMPARE(tick_text({0.02}, 0.02), QString("0.02"));
  QCOMPARE(tick_text({0, 0.5, 1}, 1), QString("1.0"));
  QCOMPARE(tick_text({10, 20}, 10), QString("10"));
}

const TestPart<PlotsTest> kPlotsPart("plots");

}  // namespace vantage::ui

#include "plots_test.moc"
