#include <QComboBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolTip>

#include <atomic>
#include <cmath>
#include <limits>

#include "core/base/file.h"
#include "core/run/sweep_folder.h"
#include "tests/ui/support/open_window.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/compare/compare_control.h"
#include "ui/main_window/sweep/sweep_control.h"
#include "ui/main_window/sweep/sweep_panel.h"
#include "ui/main_window/trackers/trackers_control.h"
#include "ui/main_window/variants/variants_control.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/timings_panel.h"
#include "ui/widgets/curve_plot.h"
#include "ui/widgets/heat_map_plot.h"

namespace vantage::ui {

// Parameters tried in the window: variants, and measures that are of older parameters.
class TuningTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_variant_is_kept_compared_used_and_undone();
  void a_variant_is_made_of_old_results();
  void a_variant_is_never_replaced_unasked();
  void values_are_swept_and_one_is_used();
  void two_parameters_make_heat_maps_and_are_used_at_once();
  void the_moments_behind_a_value_are_gone_to();
  void listed_values_survive_a_restart();
  void random_points_have_a_seed();
  void a_sweep_is_stopped_and_says_what_is_wrong();
  void measures_of_older_parameters_are_marked();
  void measures_by_older_truth_are_marked();
  void a_project_that_passed_its_check_is_not_checked_again();
  void parameters_are_found_by_key_and_synonym();
  void timings_are_sorted_by_any_column();
};

namespace {

constexpr int kResultFrames = 12;

// Of people.min_own = 0.4.
void write_old_results(const std::filesystem::path& folder) {
  std::string lines = R"({"schema":"vantage-results-1","version":"0.0.9","device":"CPU","frame_rate":25.0,)"
                      R"("parameters":{"people":{"min_own":0.4}}})"
                      "\n";
  std::string csv;
  for (int frame = 0; frame < kResultFrames; ++frame) {
    lines += R"({"frame":)" + std::to_string(frame) +
             R"(,"versions":{},"cameras":[],"people":{"count":1,"people":[{"id":1,"x_m":0,"y_m":0,)"
             R"("height_m":1.7,"confidence":0.9}],"rejected":[]}})"
             "\n";
    csv += std::to_string(frame + 1) + ",1,-1,-1,-1,-1,0.9,0,0,0,1.7\n";
  }
  QVERIFY(make_folder(folder).has_value());
  QVERIFY(write_file_atomically(folder / "results.jsonl", lines).has_value());
  QVERIFY(write_file_atomically(folder / "tracks.csv", csv).has_value());
}

class TuningWindow : public SessionWindow {
 public:
  explicit TuningWindow(bool with_results = false) : SessionWindow(2, kResultFrames) {
    if (with_results) write_old_results(project_.results_folder());
    show({1366, 768});
    open();
    QTRY_VERIFY(window->action("keep_variant")->isEnabled());
    window->action("variants_dock")->trigger();
  }
  ~TuningWindow() { window.reset(); }

  VariantsPanel* panel() const { return window->part<VariantsPanel>(); }
  void keep(const QString& name) const {
    auto* field = panel()->findChild<QLineEdit*>();
    QTest::keyClicks(field, name);
    QTest::keyClick(field, Qt::Key_Return);
  }
  QString cell(int row, int column) const {
    const QTableWidgetItem* item = panel()->list()->item(row, column);
    return item ? item->text() : QString();
  }
  QString difference(int row, int column) const {
    const QTableWidgetItem* item = panel()->differences()->item(row, column);
    return item ? item->text() : QString();
  }
  bool says(const QWidget* within, const QString& words) const {
    for (const QLabel* label : within->findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(words)) return true;
    return false;
  }
  std::filesystem::path file() const { return project_.path; }
  const Project& shown() const { return window->state().project(); }
};

// Ground truth is drawn: somebody in the middle.
class SweepWindow : public SessionWindow {
 public:
  SweepWindow() : SessionWindow(2, 12) {
    project_.truth = {{1, 0, {{0, 0, 0}, {11, 0, 0}}}};
    static_cast<void>(save_project(project_, project_.path));
    begin();
  }
  void begin() {
    show({1366, 768}, {}, [](WindowServices& services) { services.sweep = sweep_on_cpu(); });
    open();
    QTRY_VERIFY(window->action("sweep_dock")->isEnabled());
    if (!panel().isVisible()) window->action("sweep_dock")->trigger();
    QTRY_VERIFY(panel().isVisible());
  }
  ~SweepWindow() { window.reset(); }
  void restart() {
    window->close();
    window.reset();
    session.reset();
    begin();
  }

  SweepControl& control() const { return *window->part<SweepControl>(); }
  SweepPanel& panel() const { return *control().panel(); }
  const Project& shown() const { return window->state().project(); }
  template <typename Field>
  Field* field(const char* name) const {
    for (auto* one : panel().findChildren<Field*>())
      if (one->accessibleName() == name) return one;
    return nullptr;
  }
  // By the arrows.
  void pick(QComboBox* field, const char* key) const {
    const int wanted = field->findData(key);
    field->setFocus();
    for (int i = 0; i < field->count() && field->currentIndex() != wanted; ++i)
      QTest::keyClick(field, field->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
  }
  void type(const char* name, const char* text) const {
    auto* line = field<QLineEdit>(name);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
  }
};

}  // namespace

void TuningTest::a_variant_is_kept_compared_used_and_undone() {
  TuningWindow w;
  QTRY_VERIFY(w.says(w.panel(), "No variants yet"));
  w.keep("as it was");
  QTRY_COMPARE(w.panel()->list()->rowCount(), 1);
  QCOMPARE(w.cell(0, 0), QString("as it was"));
  QCOMPARE(w.cell(0, 1), QString("in use"));
  w.session->post(command::SetParameter{"carving", "threshold", 0.5});
  w.session->post(command::SetParameter{"people", "min_own", 0.4});
  QTRY_COMPARE(w.cell(0, 1), QString("2"));
  QCOMPARE(w.panel()->differences()->rowCount(), 2);
  QCOMPARE(w.difference(0, 0), QString("carving.threshold"));
  QCOMPARE(w.difference(0, 2), QString("0.5"));
  keep_picture(*w.window, "variants");
  w.window->action("use_variant")->trigger();
  QTRY_COMPARE(w.cell(0, 1), QString("in use"));
  QCOMPARE(w.panel()->differences()->rowCount(), 0);
  w.window->action("undo")->trigger();
  QTRY_COMPARE(w.cell(0, 1), QString("2"));
  w.saved(
      [](const Project& saved) { return saved.parameters.get("carving", "threshold").value_or(0) == 0.5; });
}

void TuningTest::a_variant_is_made_of_old_results() {
  TuningWindow w(true);
  w.window->part<VariantsControl>()->keep_results(
      QString::fromStdString(std::filesystem::path(w.file()).replace_extension(".results").string()));
  QTRY_COMPARE(w.panel()->list()->rowCount(), 1);
  QCOMPARE(w.cell(0, 0), QString("footage"));
  QCOMPARE(w.panel()->differences()->rowCount() > 0, true);
  const Variant variant = read_variant(w.file(), "footage", default_parameters()).value();
  QCOMPARE(variant.parameters.get("people", "min_own").value(), 0.4);
  QCOMPARE(QString::fromStdString(variant.origin), QString("footage.results of version 0.0.9"));
}

void TuningTest::a_variant_is_never_replaced_unasked() {
  TuningWindow w;
  w.keep("one");
  QTRY_COMPARE(w.panel()->list()->rowCount(), 1);
  w.session->post(command::SetParameter{"carving", "threshold", 0.5});
  QTRY_COMPARE(w.cell(0, 1), QString("1"));
  w.keep("one");
  QTRY_VERIFY(w.says(w.panel(), "there is a variant of that name"));
  QCOMPARE(w.cell(0, 1), QString("1"));
  auto* field = w.panel()->findChild<QLineEdit*>();
  field->clear();
  w.keep("../one");
  QTRY_VERIFY(w.says(w.panel(), "not a name of a variant"));
  QVERIFY(!std::filesystem::exists(w.file().parent_path() / "one.json"));
}

void TuningTest::values_are_swept_and_one_is_used() {
  SweepWindow w;
  SweepPanel& panel = w.panel();
  QTRY_VERIFY(panel.form()->request().has_value());  // two thirds of the drawn frames tune, the rest tests
  QCOMPARE(panel.form()->request()->spans.tune.end, int64_t{8});
  QCOMPARE(panel.form()->request()->spans.test->begin, int64_t{8});
  panel.form()->choose("people.min_own", 0.2, 0.6, 3);
  panel.form()->choose_metric("moda");
  QTRY_VERIFY2(w.window->action("sweep")->isEnabled(), qPrintable(w.window->action("sweep")->toolTip()));
  w.window->action("sweep")->trigger();
  QTRY_VERIFY2(panel.text().startsWith("Best on the tuning span"), qPrintable(panel.text()));
  keep_picture(*w.window, "sweep");
  QCOMPARE(panel.table()->rowCount(), 3);
  QCOMPARE(panel.table()->item(1, 0)->text(), QString("0.4"));
  QCOMPARE(panel.plot()->curves().size(), size_t{2});
  QCOMPARE(panel.plot()->curves()[0].points.size(), qsizetype{3});
  for (const auto& [value, point] : w.control().measured()) {
    QVERIFY(std::isfinite(point.tune.whole[0]));
    QVERIFY(std::isfinite(point.test.whole[0]));
  }
  QVERIFY(!std::filesystem::exists(std::filesystem::path(w.folder().toStdString()) / "hall.sweep.part"));
  const double before = *w.shown().parameters.get("people", "min_own");
  panel.choose_point(2);
  QTRY_VERIFY(w.window->action("use_swept")->isEnabled());
  w.window->action("use_swept")->trigger();
  QTRY_COMPARE(*w.shown().parameters.get("people", "min_own"), 0.6);
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  w.window->action("undo")->trigger();
  QTRY_COMPARE(*w.shown().parameters.get("people", "min_own"), before);
}

void TuningTest::two_parameters_make_heat_maps_and_are_used_at_once() {
  SweepWindow w;
  SweepPanel& panel = w.panel();
  QTRY_VERIFY(panel.form()->request().has_value());
  panel.form()->choose("people.min_own", 0.2, 0.6, 3);
  panel.form()->choose_metric("moda");
  auto* second = w.field<QComboBox>("Second parameter");
  QVERIFY(!w.field<QLineEdit>("First value of the second parameter")->isVisible());
  w.pick(second, "people.min_own");
  w.type("First value of the second parameter", "0.3");
  w.type("Last value of the second parameter", "0.5");
  QTRY_VERIFY(w.window->action("sweep")->toolTip().contains("two different parameters"));
  w.pick(second, "people.min_height_m");
  QCOMPARE(second->currentData().toString(), QString("people.min_height_m"));
  w.type("First value of the second parameter", "1");
  w.type("Last value of the second parameter", "1.4");
  w.field<QSpinBox>("Values of the second parameter")->setValue(2);
  QTRY_VERIFY2(w.window->action("sweep")->isEnabled(), qPrintable(w.window->action("sweep")->toolTip()));
  QTest::keyClick(w.window.get(), Qt::Key_F3, Qt::ShiftModifier);
  QTRY_VERIFY2(panel.text().startsWith("Best on the tuning span: people.min_own"), qPrintable(panel.text()));
  HeatMapPlot& map = *panel.heat_map();
  QVERIFY(map.isVisible() && !panel.plot()->isVisible());
  QCOMPARE(map.maps().size(), size_t{2});  // tuning and test span
  QCOMPARE(map.maps()[0].rows, (std::vector<std::string>{"0.2", "0.4", "0.6"}));
  QCOMPARE(map.maps()[0].columns, (std::vector<std::string>{"1", "1.4"}));
  QCOMPARE(map.maps()[0].best, map.chosen());
  QCOMPARE(panel.table()->rowCount(), 6);
  QCOMPARE(panel.table()->columnCount(), 5);
  for (size_t cell = 0; cell < 6; ++cell) {
    QCOMPARE(map.maps()[0].values[cell], w.control().measured().at(cell).tune.whole[0]);
    QCOMPARE(map.maps()[1].values[cell], w.control().measured().at(cell).test.whole[0]);
  }
  // A cell of the map of the test span.
  const QPoint at = map.cell_area(1, 2).center().toPoint();
  QTest::mouseClick(&map, Qt::LeftButton, {}, at);
  QCOMPARE(panel.chosen_point(), std::optional<size_t>(2));
  QCOMPARE(map.chosen(), std::optional<size_t>(2));
  QVERIFY(panel.moments()->rowCount() > 0);
  QTest::keyClick(&map, Qt::Key_Right);
  QCOMPARE(panel.chosen_point(), std::optional<size_t>(3));
  QTest::keyClick(&map, Qt::Key_Right);  // there is no further column
  QTest::keyClick(&map, Qt::Key_Down);
  QCOMPARE(panel.chosen_point(), std::optional<size_t>(5));
  QHelpEvent help(QEvent::ToolTip, at, map.mapToGlobal(at));
  QCoreApplication::sendEvent(&map, &help);
  QVERIFY2(QToolTip::text().contains("people.min_own 0.4") && QToolTip::text().contains("on the test span"),
           qPrintable(QToolTip::text()));
  keep_picture(*w.window, "sweep_of_two");
  const QString file = w.folder() + "/map.csv";
  QVERIFY(map.save(file).has_value());
  QCOMPARE(QString::fromStdString(read_file(file.toStdString()).value()).count('\n'), 13);
  QVERIFY(map.save(w.folder() + "/map.pdf").has_value());
  QVERIFY(map.save(w.folder() + "/map.svg").has_value());
  QVERIFY(!map.save(w.folder() + "/map.doc").has_value());
  // Both at once, undone at once.
  const auto value = [&](const char* name) { return *w.shown().parameters.get("people", name); };
  const double own = value("min_own"), height = value("min_height_m");
  QTest::keyClick(w.window.get(), Qt::Key_U, Qt::AltModifier);
  QTRY_COMPARE(value("min_own"), 0.6);
  QCOMPARE(value("min_height_m"), 1.4);
  QTRY_VERIFY(w.window->action("undo")->isEnabled());
  w.window->action("undo")->trigger();
  QTRY_COMPARE(value("min_own"), own);
  QCOMPARE(value("min_height_m"), height);
  // Back to a curve.
  panel.form()->choose_second({});
  QVERIFY(!w.field<QLineEdit>("First value of the second parameter")->isVisible());
  QCOMPARE(panel.form()->request()->points.parameters.size(), size_t{1});
}

void TuningTest::the_moments_behind_a_value_are_gone_to() {
  SweepWindow w;
  SweepPanel& panel = w.panel();
  QTRY_VERIFY(panel.form()->request().has_value());
  panel.form()->choose("people.min_own", 0.2, 0.6, 3);
  panel.form()->choose_metric("recall");
  QVERIFY(!w.window->action("show_swept")->isEnabled());
  w.window->action("sweep")->trigger();
  QTRY_VERIFY2(panel.text().startsWith("Best on the tuning span"), qPrintable(panel.text()));
  // The last point of the curve.
  CurvePlot& plot = *panel.plot();
  QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(plot.width() - 12, plot.height() / 2));
  QCOMPARE(panel.chosen_point(), std::optional<size_t>(2));
  QTest::keyClick(&plot, Qt::Key_Left);
  QCOMPARE(panel.chosen_point(), std::optional<size_t>(1));
  // As many frames missed as the metric says, the span with more of them first.
  int64_t missed = 0, before = std::numeric_limits<int64_t>::max();
  const auto& point = w.control().measured().at(1);
  for (const WorstMoment& moment : point.tune.moments) {
    QCOMPARE(moment.kind, MomentKind::missed);
    QVERIFY(static_cast<int64_t>(moment.amount) <= before);
    missed += before = static_cast<int64_t>(moment.amount);
  }
  QVERIFY(missed > 0);
  QVERIFY(std::abs(point.tune.whole[0] - (1 - static_cast<double>(missed) / 8)) < 1e-9);
  QCOMPARE(panel.moments()->rowCount(),
           static_cast<int>(point.tune.moments.size() + point.test.moments.size()));
  // A row is gone to by a click; who was found there is told beside who is found now.
  const int64_t frame = panel.moments()->item(1, 0)->text().toLongLong();
  const QRect row = panel.moments()->visualItemRect(panel.moments()->item(1, 1));
  QTest::mouseClick(panel.moments()->viewport(), Qt::LeftButton, {}, row.center());
  QTRY_COMPARE(w.window->state().shown()->result->frame, frame);
  QVERIFY(w.window->action("show_swept")->isChecked());
  QVERIFY2(panel.text().contains("B is with this value"), qPrintable(panel.text()));
  const auto* compare = w.window->part<CompareControl>();
  QTRY_VERIFY(compare->shown());
  QCOMPARE(compare->shown()->sides[1].name, QString("B: people.min_own 0.4"));
  QVERIFY(compare->shown()->sides[1].known);
  QVERIFY(compare->shown()->place_in_world_m.has_value());
  keep_picture(*w.window, "sweep_moments");
  // The next by a key, and on to the first again.
  const int rows = panel.moments()->rowCount();
  for (int i = 0; i < rows; ++i) QTest::keyClick(w.window.get(), Qt::Key_9, Qt::AltModifier);
  QCOMPARE(panel.chosen_moment(), 1);
  // Another value: its people. A frame that was not swept has none.
  panel.choose_point(0);
  QTRY_COMPARE(compare->shown()->sides[1].name, QString("B: people.min_own 0.2"));
  QTest::keyClick(w.window.get(), Qt::Key_6, Qt::AltModifier);
  QVERIFY(!w.window->action("show_swept")->isChecked());
  QVERIFY(!compare->shown());
}

void TuningTest::listed_values_survive_a_restart() {
  SweepWindow w;
  QTRY_VERIFY(w.panel().form()->request().has_value());
  w.pick(w.field<QComboBox>("Parameter"), "people.min_own");
  w.field<QComboBox>("Which values")->setCurrentIndex(1);
  QVERIFY(w.field<QLineEdit>("Listed values")->isVisible());
  QVERIFY(!w.field<QLineEdit>("First value")->isVisible());
  QTRY_VERIFY2(w.window->action("sweep")->toolTip().contains("list them"),
               qPrintable(w.window->action("sweep")->toolTip()));
  w.type("Listed values", "0.4, many");
  QTRY_VERIFY(!w.window->action("sweep")->isEnabled());
  w.type("Listed values", "0.4, 0.2,0.35");
  w.panel().form()->choose_metric("gospa_m");
  QTRY_VERIFY2(w.window->action("sweep")->isEnabled(), qPrintable(w.window->action("sweep")->toolTip()));
  w.window->action("sweep")->trigger();
  QTRY_VERIFY2(w.panel().text().startsWith("Best on the tuning span"), qPrintable(w.panel().text()));
  QCOMPARE(w.panel().table()->rowCount(), 3);
  QCOMPARE(w.panel().table()->item(1, 0)->text(), QString("0.35"));
  const auto measured = w.control().measured();
  keep_picture(*w.window, "sweep_listed");
  w.restart();
  QTRY_VERIFY2(w.panel().text().startsWith("Measured before. Best on"), qPrintable(w.panel().text()));
  QVERIFY2(!w.panel().text().contains("Out of date"), qPrintable(w.panel().text()));
  QCOMPARE(w.panel().table()->rowCount(), 3);
  QCOMPARE(w.field<QLineEdit>("Listed values")->text(), QString("0.2, 0.35, 0.4"));
  for (const auto& [point, figures] : measured) {
    QCOMPARE(w.control().measured().at(point).tune.whole[0], figures.tune.whole[0]);
    QCOMPARE(w.control().measured().at(point).people.frames, figures.people.frames);
  }
  // A point that is missing is measured, the others are there already; another parameter makes them old.
  const std::filesystem::path kept =
      std::filesystem::directory_iterator(kept_sweeps_folder(w.shown()))->path();
  const std::string points = read_file(kept / "points.jsonl").value();
  QVERIFY(write_file_atomically(kept / "points.jsonl", points.substr(0, points.find('\n') + 30)).has_value());
  w.restart();
  QTRY_VERIFY2(w.panel().text().contains("1 of 3 values"), qPrintable(w.panel().text()));
  QTRY_VERIFY(w.window->action("sweep")->isEnabled());
  w.window->action("sweep")->trigger();
  QTRY_VERIFY2(w.panel().text().startsWith("Best on the tuning span"), qPrintable(w.panel().text()));
  QCOMPARE(w.control().measured().size(), size_t{3});
  QCOMPARE(read_file(kept / "points.jsonl").value(), points);
  QVERIFY(std::filesystem::exists(kept / "sweep.csv"));
  w.session->post(command::SetParameter{"people", "min_height_m", 1.2});
  QTRY_COMPARE(*w.shown().parameters.get("people", "min_height_m"), 1.2);
  w.session->post(command::Save{w.shown().path});
  QTRY_VERIFY(!w.window->isWindowModified());
  w.restart();
  QTRY_VERIFY2(w.panel().text().contains("Out of date"), qPrintable(w.panel().text()));
}

void TuningTest::random_points_have_a_seed() {
  SweepWindow w;
  SweepPanel& panel = w.panel();
  QTRY_VERIFY(panel.form()->request().has_value());
  panel.form()->choose("people.min_own", 0.2, 0.6, 3);
  panel.form()->choose_random(4, 7);
  QVERIFY(w.field<QSpinBox>("Seed")->isVisible());
  QVERIFY(!w.field<QSpinBox>("Values")->isVisible());
  const auto first = panel.form()->request();
  QVERIFY(first.has_value() && first->points.points.size() == 4);
  QCOMPARE(panel.form()->request()->points.points, first->points.points);
  w.field<QSpinBox>("Seed")->setValue(8);
  QVERIFY(panel.form()->request()->points.points != first->points.points);
  panel.form()->choose_metric("moda");
  QTRY_VERIFY2(w.window->action("sweep")->isEnabled(), qPrintable(w.window->action("sweep")->toolTip()));
  w.window->action("sweep")->trigger();
  QTRY_VERIFY2(panel.text().startsWith("Best on the tuning span"), qPrintable(panel.text()));
  QCOMPARE(panel.table()->rowCount(), 4);
  const std::vector<QPointF> points = panel.plot()->curves()[0].points;
  QVERIFY(std::ranges::is_sorted(points, {}, &QPointF::x));
  keep_picture(*w.window, "sweep_random");
  panel.form()->choose_second("people.min_height_m", 1, 1.4);
  QTRY_COMPARE(panel.form()->request()->points.points[0].size(), size_t{2});
  QTRY_VERIFY(w.window->action("sweep")->isEnabled());
  w.window->action("sweep")->trigger();
  QTRY_COMPARE(panel.table()->columnCount(), 5);
  QTRY_COMPARE(panel.table()->rowCount(), 4);
  QVERIFY(panel.plot()->curves().empty());
  QVERIFY(!panel.heat_map()->isVisible());
}

void TuningTest::a_sweep_is_stopped_and_says_what_is_wrong() {
  SweepWindow w;
  SweepPanel& panel = w.panel();
  QTRY_VERIFY(panel.form()->request().has_value());
  panel.form()->choose("people.min_own", 0.6, 0.2, 3);
  QTRY_VERIFY(!w.window->action("sweep")->isEnabled());
  QVERIFY(w.window->action("sweep")->toolTip().contains("the smaller one first"));
  panel.form()->choose("people.min_own", 0.2, 7, 3);
  QVERIFY(w.window->action("sweep")->toolTip().contains("lies between"));
  panel.form()->choose("people.min_own", 0.2, 0.6, 3);
  panel.form()->set_spans("0 to 5", "4 to 11");
  QTRY_VERIFY(w.window->action("sweep")->isEnabled());
  w.window->action("sweep")->trigger();
  QTRY_VERIFY2(panel.text().contains("have frames in common"), qPrintable(panel.text()));
  panel.form()->set_spans("0 to 5", "");
  panel.form()->choose("people.min_own", 0, 0.9, 900);
  QTRY_VERIFY(w.window->action("sweep")->isEnabled());
  w.window->action("sweep")->trigger();
  QTRY_VERIFY(w.control().measured().size() >= 2);
  QVERIFY(!w.window->action("analyse_all")->isEnabled());
  w.window->action("stop")->trigger();
  QTRY_VERIFY2(panel.text().startsWith("Stopped after"), qPrintable(panel.text()));
  const size_t kept = w.control().measured().size();
  QVERIFY(kept < 900);
  QTRY_VERIFY(w.window->action("analyse_all")->isEnabled());
  QCOMPARE(w.control().measured().size(), kept);
}

// The parameters that the window's results were made with, so that nothing is out of date.
void use_parameters_of_results(TuningWindow& w) {
  w.session->post(command::SetParameter{"people", "min_own", 0.4});
  w.session->post(command::SetParameter{"foreground", "learning_frames", std::nullopt});
  w.session->post(command::SetParameter{"foreground", "whole_recording", std::nullopt});
}

void TuningTest::measures_of_older_parameters_are_marked() {
  TuningWindow w(true);
  use_parameters_of_results(w);
  QTRY_VERIFY(w.window->action("compare_trackers")->isEnabled());
  w.window->action("trackers_dock")->trigger();
  auto* panel = w.window->part<TrackersPanel>();
  w.window->action("compare_trackers")->trigger();
  QTRY_VERIFY(w.says(panel, "They differ in"));
  QVERIFY(panel->table()->isEnabled());
  QVERIFY(!w.says(panel, "Out of date"));
  w.session->post(command::SetParameter{"people", "min_height_m", 1.3});
  QTRY_VERIFY(w.says(panel, "Out of date: people.min_height_m"));
  QVERIFY(!panel->table()->isEnabled());
  keep_picture(*w.window, "outdated_measures");
  w.window->action("undo")->trigger();
  QTRY_VERIFY(!w.says(panel, "Out of date"));
  w.session->post(command::SetParameter{"tracking", "keep_s", 0.3});
  QTRY_VERIFY(w.says(panel, "Out of date: tracking.keep_s"));
}

void TuningTest::measures_by_older_truth_are_marked() {
  TuningWindow w(true);
  use_parameters_of_results(w);
  const auto draw = [&](double x_m) {
    w.session->post(command::Edit{"truth", [x_m](Project& project) {
                                    project.truth = {{1, 0, {{0, x_m, 0}, {kResultFrames - 1, x_m, 0}}}};
                                  }});
  };
  draw(0.1);
  QTRY_VERIFY(!w.shown().truth.empty());
  QTRY_VERIFY(w.window->action("compare_trackers")->isEnabled());
  w.window->action("trackers_dock")->trigger();
  auto* panel = w.window->part<TrackersPanel>();
  w.window->action("compare_trackers")->trigger();
  QTRY_VERIFY(w.says(panel, "Against the truth drawn here"));
  QVERIFY(!w.says(panel, "ground truth has changed"));
  draw(2);
  QTRY_VERIFY(w.says(panel, "the ground truth has changed since"));
  QVERIFY(!panel->table()->isEnabled());
  w.window->action("compare_trackers")->trigger();
  QTRY_VERIFY(!w.says(panel, "ground truth has changed"));
}

void TuningTest::a_project_that_passed_its_check_is_not_checked_again() {
  std::atomic<int> checks = 0;
  OpenWindow w({}, true, [&](const Project&, const CheckOptions&) {
    ++checks;
    return CheckReport();
  });
  auto* panel = w.window->part<ParametersPanel>();
  const auto analyse_with = [&](const char* stage, const char* name, double value) {
    w.session().post(command::SetParameter{stage, name, value});
    QTRY_COMPARE(panel->editor(stage, name)->value(), value);
    w.session().calls.clear();
    QTRY_VERIFY(w.window->action("analyse_all")->isEnabled());
    w.window->action("analyse_all")->trigger();
    agree(*w.window);  // but for the first time there are results
    QTRY_VERIFY(w.session().calls.contains("analyse 0:100"));
    w.session().post(command::Stop{});
  };
  analyse_with("people", "min_height_m", 1.2);
  QCOMPARE(checks.load(), 1);
  analyse_with("people", "min_height_m", 1.3);
  QCOMPARE(checks.load(), 1);
  analyse_with("carving", "threshold", 0.5);
  QCOMPARE(checks.load(), 2);
  w.session().post(command::Save{"/somewhere/hall.vantage"});
}

void TuningTest::parameters_are_found_by_key_and_synonym() {
  TuningWindow w;
  w.window->action("parameters")->trigger();
  auto* panel = w.window->part<ParametersPanel>();
  auto* search = panel->findChild<QLineEdit*>();
  const auto shown = [&](const char* stage, const char* name) {
    return panel->editor(stage, name)->isVisible();
  };
  for (const char* words : {"carving.threshold", "consensus", "Vote cameras"}) {
    search->setText(words);
    QTRY_VERIFY2(shown("carving", "threshold"), words);
    QVERIFY2(!shown("people", "min_height_m"), words);
  }
  search->setText("voxel");
  QTRY_VERIFY(w.says(panel, "voxels of 5 cm, a region of 1.6 \u00d7 1.6 \u00d7 1.6 m"));
  search->setText("threshold");
  QTRY_VERIFY(!w.says(panel, "voxels of"));
}

void TuningTest::timings_are_sorted_by_any_column() {
  TraceRecorder trace;
  SpanReaders spans(&trace);
  TimingsPanel panel(&spans);
  panel.resize(600, 500);
  panel.show();
  for (const auto& [name, ms] : {std::pair{"people", 2}, {"foreground", 9}, {"carving", 5}})
    trace.record({.name = name, .lane = "cpu", .start_ns = trace_now_ns(), .duration_ns = ms * 1'000'000});
  panel.refresh();
  auto* header = panel.findChild<QTableWidget*>()->horizontalHeader();
  const auto names = [&] { return panel.cell(0, 0) + " " + panel.cell(1, 0) + " " + panel.cell(2, 0); };
  const auto click = [&](int column) {
    const int x = header->sectionViewportPosition(column) + header->sectionSize(column) / 2;
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, {x, header->height() / 2});
  };
  QCOMPARE(names(), QString("foreground carving people"));
  click(0);
  QCOMPARE(names(), QString("carving foreground people"));
  click(0);
  QCOMPARE(names(), QString("people foreground carving"));
  click(2);
  QCOMPARE(names(), QString("foreground carving people"));
  click(2);
  QCOMPARE(names(), QString("people carving foreground"));
  panel.refresh();
  QCOMPARE(names(), QString("people carving foreground"));
}

const TestPart<TuningTest> kTuningPart("tuning");

}  // namespace vantage::ui

#include "tuning_test.moc"
