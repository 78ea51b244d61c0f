#include "tests/ui/operator_test.h"

#include <QDialogButtonBox>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/case/case_verify.h"
#include "core/find/question.h"
#include "core/project/recording_clock.h"
#include "core/results/event_marks.h"
#include "core/results/results_paths.h"
#include "core/results/results_writer.h"
#include "core/run/describe_run.h"
#include "core/synth/synth.h"
#include "tests/ui/support/hands.h"
#include "tests/ui/support/session_window.h"
#include "ui/main_window/case/case_control.h"
#include "ui/main_window/case/handover_control.h"
#include "ui/main_window/clock/clock_control.h"
#include "ui/main_window/find/find_control.h"
#include "ui/main_window/find/find_panel.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/events_panel.h"
#include "ui/panels/people_panel.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/track_lanes.h"

namespace vantage::ui {
namespace {

constexpr int64_t kNightFrames = 80, kSwapped = 40;
constexpr double kNightRate = 10;

// Two people in a hall, from 23:59:56 on, over midnight; the door is where one of them is in frame 20.
Project render_night(const std::filesystem::path& folder) {
  SynthOptions options;
  options.cameras = 4, options.people = 2, options.area_m = 4;
  options.seconds = static_cast<double>(kNightFrames) / kNightRate, options.frame_rate = kNightRate;
  options.width_px = 320, options.height_px = 240, options.seed = 7;
  EXPECT_TRUE(render_recording(options, folder / "hall", [](double) {}, StopSource()));
  Project project = load_project(folder / "hall" / "hall.vantage").value();
  const auto truth = read_paths(folder / "hall" / "truth" / "tracks.csv").value();
  const PathPoint at = *truth[0].points.find(20);
  constexpr double kHalf_m = 0.7;
  project.zones = {{"door",
                    {{at.x_m - kHalf_m, at.y_m - kHalf_m},
                     {at.x_m + kHalf_m, at.y_m - kHalf_m},
                     {at.x_m + kHalf_m, at.y_m + kHalf_m},
                     {at.x_m - kHalf_m, at.y_m + kHalf_m}}}};
  project.rules = {parse_rule("at the door=stays_longer,where=door,limit=0.4").value(),
                   parse_rule("somebody walks=faster_than,limit=0.2,delay=0.3").value()};
  project.clock = parse_clock("2026-05-01T23:59:56+02:00").value();
  EXPECT_TRUE(save_project(project, project.path));
  return project;
}

// As it was analysed last night.
void analyse_night(const Project& project, BackendRegistry* registry) {
  AnalysisOptions options;
  options.backends = {registry, Device::cpu, {}};
  auto analysis = Analysis::open(project, options).value();
  auto writer = ResultsWriter::open(project.results_folder(), project,
                                    describe_run(*analysis, options.backends, "CPU").value())
                    .value();
  const Status done = analysis->pipeline().analyse(
      {0, INT64_MAX}, ExecutionMode::threaded,
      [&](const FrameResultRef& result) { return writer->write(*result).has_value(); }, {});
  QVERIFY(done.has_value());
  QVERIFY(writer->finish(nullptr).has_value());
}

// The tracks exchange the IDs of two people from kSwapped on, as where they pass and nobody can tell.
void exchange_ids(const std::filesystem::path& results, int64_t a, int64_t b) {
  const auto other = [a, b](int64_t id) { return id == a ? b : id == b ? a : id; };
  std::string changed, line;
  std::istringstream lines(read_file(results / "results.jsonl").value());
  while (std::getline(lines, line)) {
    nlohmann::ordered_json entry = parse_ordered_json(line);
    if (entry.value("frame", int64_t{-1}) >= kSwapped && entry["people"].is_object())
      for (auto& person : entry["people"]["people"])
        if (person["id"].is_number()) person["id"] = other(person["id"].get<int64_t>());
    changed += json_text(entry) + "\n";
  }
  QVERIFY(write_file_atomically(results / "results.jsonl", changed).has_value());
  std::vector<PersonPath> paths = read_paths(results / "tracks.csv").value(), exchanged = paths;
  for (PersonPath& path : exchanged) {
    const auto partner = std::ranges::find(paths, other(path.id), &PersonPath::id);
    PathPoints points;
    for (const PathPoint& point : path.points)
      if (point.frame < kSwapped) points.push_back(point);
    for (const PathPoint& point : partner->points)
      if (point.frame >= kSwapped) points.push_back(point);
    path.points = std::move(points);
  }
  QVERIFY(write_file_atomically(results / "tracks.csv", path_rows(exchanged)).has_value());
}

class NightWindow : public SessionWindow {
 public:
  explicit NightWindow(Hand hand) : SessionWindow(render_night) {
    qputenv("XDG_CONFIG_HOME", (folder() + "/config").toUtf8());
    register_cpu_backends(registry_);
    analyse_night(project_, &registry_);
    right = read_paths(project_.results_folder() / "tracks.csv").value();
    std::ranges::sort(right, std::ranges::greater(),
                      [](const PersonPath& path) { return path.points.size(); });
    if (right.size() < 2) return;
    exchange_ids(project_.results_folder(), right[0].id, right[1].id);
    show({1366, 768}, {}, [this](WindowServices& services) {
      services.export_case = [this](CaseOptions options) {
        options.backends = {&registry_, Device::cpu, {}};
        return export_case(options);
      };
    });
    hands = std::make_unique<Hands>(hand, *window);
  }
  ~NightWindow() {
    window.reset();
    qunsetenv("XDG_CONFIG_HOME");
  }

  void open_and_wait() {
    open();
    QTRY_VERIFY(window->state().tracks() && !window->state().tracks()->paths.empty());
  }
  EventsPanel* events() const { return window->part<EventsPanel>(); }
  TrackLanes* lanes() const { return window->part<PeoplePanel>()->lanes(); }
  Timeline* timeline() const { return window->workspace()->timeline(); }
  template <typename Field>
  static Field* named(const QWidget* in, const QString& name) {
    for (auto* one : in->findChildren<Field*>())
      if (one->accessibleName() == name) return one;
    return nullptr;
  }
  // To a moment that is typed, as one reads it off a clock.
  void go(const QString& moment, int64_t frame) const {
    QVERIFY(hands->command("go_to"));
    MomentDialog* dialog = window->part<ClockControl>()->dialog();
    QTRY_VERIFY(dialog && dialog->isVisible());
    auto* field = dialog->findChild<QLineEdit*>();
    QVERIFY(hands->type(field, moment));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(timeline()->frame(), frame);
    QTRY_VERIFY(window->state().shown() && window->state().shown()->result->frame == frame);
  }
  // Two lanes: with the arrow keys, or by clicks, the second with Ctrl.
  void choose_people(int64_t first, int64_t second) const {
    const auto chosen = [&] { return window->part<PeopleControl>()->chosen(); };
    if (hands->keys()) {
      QVERIFY(hands->go_to(lanes()));
      for (int i = 0; i < 10; ++i) QTest::keyClick(lanes(), Qt::Key_Up);
      for (int i = 0; i < 10 && chosen().first != first; ++i) QTest::keyClick(lanes(), Qt::Key_Down);
      for (int i = 0; i < 10 && chosen().second != second; ++i)
        QTest::keyClick(lanes(), i < 5 ? Qt::Key_Down : Qt::Key_Up, Qt::ShiftModifier);
    } else {
      click_lane(first, {}, [&] { return chosen().first == first; });
      click_lane(second, Qt::ControlModifier, [&] { return chosen().second == second; });
    }
    QCOMPARE(chosen(), (ChosenPeople{first, second}));
  }
  // Down the lanes until it is the right one.
  void click_lane(int64_t, Qt::KeyboardModifiers with, const std::function<bool()>& done) const {
    constexpr int kStep_px = 6;
    QWidget* area = lanes()->viewport();
    for (int y = kStep_px; y < area->height() && !done(); y += kStep_px) {
      QTest::mouseClick(area, Qt::LeftButton, with, {area->width() / 2, y});
      QCoreApplication::processEvents();
    }
  }
  // Whether everybody is where the tracks had them before somebody exchanged them.
  bool as_tracked() const {
    for (size_t i = 0; i < 2; ++i) {
      const auto& paths = window->state().tracks()->paths;
      const auto found = std::ranges::find(paths, right[i].id, &PersonPath::id);
      if (found == paths.end()) return false;
      for (const PathPoint& point : right[i].points) {
        const auto now = found->points.find(point.frame);
        if (!now || std::hypot(now->x_m - point.x_m, now->y_m - point.y_m) > 0.01) return false;
      }
    }
    return true;
  }
  QPushButton* ok_of(const QDialog* dialog) const {
    return dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  }
  const Project& project() const { return project_; }

  std::vector<PersonPath> right;  // the two who are longest there come first
  std::unique_ptr<Hands> hands;
};

#define OPERATOR_STEP(step)                 \
  do {                                      \
    step;                                   \
    if (QTest::currentTestFailed()) return; \
  } while (false)

// Each new event is gone to and judged; one gets a note.
void work_through_events(NightWindow& w) {
  QVERIFY(w.hands->command("events"));
  EventsPanel* panel = w.events();
  QTRY_VERIFY(panel->isVisible() && panel->next_new().has_value());
  auto* seen = NightWindow::named<QPushButton>(panel, "Seen");
  auto* false_alarm = NightWindow::named<QPushButton>(panel, "False Alarm");
  auto* note = NightWindow::named<QLineEdit>(panel, "Note");
  QVERIFY(seen && false_alarm && note);
  // By keys in the list: S and X; by mouse the buttons below it.
  const auto judge = [&](bool right) {
    if (!w.hands->keys()) return w.hands->press(right ? seen : false_alarm);
    if (!w.hands->go_to(panel->list())) return false;
    QTest::keyClick(panel->list(), right ? Qt::Key_S : Qt::Key_X);
    return true;
  };
  constexpr int kMaxLines = 60;
  for (int i = 0; i < kMaxLines && panel->next_new(); ++i) {
    QVERIFY(w.hands->command("next_event"));
    QTRY_VERIFY(panel->list()->currentItem());
    if (i == 0) keep_picture(*w.window, "operator_events");
    QVERIFY(judge(i != 1));
    if (i != 1) continue;
    QVERIFY(w.hands->type(note, "a draught"));
    QTest::keyClick(note, Qt::Key_Return);   // keeps how it was judged
    QVERIFY(w.hands->go_to(panel->list()));  // else N would be a letter of the note
  }
  QVERIFY2(panel->summary().startsWith("0 new of "), qPrintable(panel->summary()));
  const EventMarks marks = read_event_marks(w.project().results_folder()).value();
  QVERIFY(marks.size() >= 2);
  QVERIFY(std::ranges::any_of(marks, [](const auto& one) {
    return one.second == EventMark{EventStanding::false_alarm, "a draught"};
  }));
}

// Who stood at the door in the first three seconds?
void find_who_stood_at_the_door(NightWindow& w) {
  QVERIFY(w.hands->command("find"));
  auto* find = w.window->part<FindControl>();
  auto* panel = w.window->part<FindPanel>();
  QTRY_VERIFY(panel->isVisible());
  QVERIFY(w.hands->choose(NightWindow::named<QComboBox>(panel, "Who"), static_cast<int>(FindKind::visits)));
  QVERIFY(w.hands->type(NightWindow::named<QLineEdit>(panel, "From"), "23:59:57"));
  QVERIFY(w.hands->type(NightWindow::named<QLineEdit>(panel, "To"), "23:59:59"));
  QTRY_VERIFY(!find->searching() && panel->list()->count() > 0);
  keep_picture(*w.window, "operator_find");
  QCOMPARE(find->found().size(), static_cast<size_t>(panel->list()->count()));
  for (const FoundMoment& moment : find->found())
    QVERIFY(moment.first_frame <= 30 && moment.last_frame >= 10);
  QVERIFY(w.hands->command("next_found"));
  QTRY_COMPARE(w.timeline()->frame(), find->found().front().first_frame);
}

void repair_the_swap(NightWindow& w) {
  QVERIFY(!w.as_tracked());
  if (!w.window->part<PeoplePanel>()->isVisible()) QVERIFY(w.hands->command("people_dock"));
  QTRY_VERIFY(w.window->part<PeoplePanel>()->isVisible() && w.lanes()->lanes().size() >= 2);
  OPERATOR_STEP(w.choose_people(w.right[0].id, w.right[1].id));
  OPERATOR_STEP(w.go("00:00:00", kSwapped));  // a lane that is clicked goes to its frame
  QVERIFY(w.hands->command("swap_people"));
  QTRY_VERIFY(w.as_tracked());
  keep_picture(*w.window, "operator_swap");
  QVERIFY(w.hands->command("save"));
  QTRY_VERIFY(!w.window->isWindowModified());
}

void export_and_verify(NightWindow& w, const QString& folder) {
  OPERATOR_STEP(w.go("23:59:57", 10));
  QVERIFY(w.hands->command("mark_in"));
  OPERATOR_STEP(w.go("00:00:00", 40));
  QVERIFY(w.hands->command("mark_out"));
  QVERIFY(w.hands->command("export_case"));
  CaseDialog* dialog = w.window->part<CaseControl>()->dialog();
  QTRY_VERIFY(dialog && dialog->isVisible());
  const auto line = [&](const char* name) { return NightWindow::named<QLineEdit>(dialog, name); };
  QVERIFY(w.hands->type(line("Exported by"), "A. Jones"));
  QVERIFY(w.hands->type(line("Reason"), "file 7"));
  QVERIFY(w.hands->type(line("Folder"), folder));
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  QCOMPARE(NightWindow::named<QComboBox>(dialog, "Blurred")->currentText(), QString("Everybody"));
  keep_picture(*w.window, "operator_case");
  QVERIFY(w.hands->press(w.ok_of(dialog)));
  QTRY_VERIFY2(w.window->messages()->text().startsWith("Case exported to "),
               qPrintable(w.window->messages()->text()));
  const auto untouched = verify_case(folder.toStdString(), {});
  QVERIFY(untouched && untouched->untouched());
  QVERIFY(std::filesystem::exists((folder + "/report.pdf").toStdString()));
  // Whoever changes a byte is found out.
  const std::filesystem::path report = (folder + "/report.html").toStdString();
  const std::string bytes = read_file(report).value();
  std::string changed = bytes;
  changed[changed.size() / 2] ^= 1;
  QVERIFY(write_file_atomically(report, changed).has_value());
  QVERIFY(!verify_case(folder.toStdString(), {})->untouched());
  QVERIFY(write_file_atomically(report, bytes).has_value());
}

// With what was exported, which the events now say, too.
void hand_over(NightWindow& w, const QString& file) {
  QVERIFY(w.hands->command("handover"));
  QPointer<HandoverDialog> dialog = w.window->part<HandoverControl>()->dialog();
  QTRY_VERIFY(dialog && dialog->isVisible());
  QVERIFY(w.hands->type(NightWindow::named<QLineEdit>(dialog, "File"), file));
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  QVERIFY2(NightWindow::named<QLineEdit>(dialog, "Handed over by")->text() == "A. Jones",
           "who exported is remembered");
  if (const QString pictures = qEnvironmentVariable("VANTAGE_SCREENSHOTS"); !pictures.isEmpty())
    dialog->grab().save(pictures + "/operator_handover.png");
  QVERIFY(w.hands->press(w.ok_of(dialog)));
  QTRY_VERIFY2(w.window->messages()->text().startsWith("Hand-over page written to "),
               qPrintable(w.window->messages()->text()));
  const std::string page = read_file(file.toStdString()).value();
  for (const char* part : {"Hand-over: hall", "A. Jones", "2026-05-01 23:59:57.000 +02:00", "at the door",
                           "a draught", "exported", "case7"})
    QVERIFY2(page.find(part) != std::string::npos, part);
}

void day(Hand hand) {
  NightWindow w(hand);
  QVERIFY(w.hands);
  OPERATOR_STEP(w.open_and_wait());
  OPERATOR_STEP(work_through_events(w));
  OPERATOR_STEP(find_who_stood_at_the_door(w));
  OPERATOR_STEP(repair_the_swap(w));
  OPERATOR_STEP(export_and_verify(w, w.folder() + "/case7"));
  OPERATOR_STEP(hand_over(w, w.folder() + "/shift.html"));
}

}  // namespace

void OperatorTest::a_day_by_keyboard() {
  day(Hand::keyboard);
}

void OperatorTest::a_day_by_mouse() {
  day(Hand::mouse);
}

}  // namespace vantage::ui
