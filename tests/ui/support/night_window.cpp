#include "tests/ui/support/night_window.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/project/recording_clock.h"
#include "core/results/results_paths.h"
#include "core/results/results_writer.h"
#include "core/run/run.h"
#include "core/synth/synth.h"
#include "ui/main_window/clock/clock_control.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/people_panel.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
namespace {

// Two people cross a hall of 4 m some hundred times in a busy night: at the door, over the lines of the
// floor.
constexpr int64_t kQuietFrames = 80, kBusyFrames = 400;

// Lines every 40 cm, each with a rule: whoever walks crosses one after the other.
void count_steps(Project* project) {
  constexpr double kApart_m = 0.4, kReach_m = 1.8;
  for (double at_m = -kReach_m; at_m <= kReach_m; at_m += kApart_m) {
    const std::string number = std::to_string(project->lines.size() / 2 + 1);
    project->lines.push_back({"row " + number, {-kReach_m, at_m}, {kReach_m, at_m}});
    project->lines.push_back({"column " + number, {at_m, -kReach_m}, {at_m, kReach_m}});
    for (const char* way : {"row ", "column "})
      project->rules.push_back(
          {.name = "over " + (way + number), .kind = RuleKind::crosses, .where = way + number});
  }
}

// Two people in a hall, from 23:59:56 on, over midnight; the door is where one of them is in frame 20.
Project render_night(const std::filesystem::path& folder, Night night) {
  const int64_t frames = night == Night::busy ? kBusyFrames : kQuietFrames;
  SynthOptions options;
  options.cameras = 4, options.people = 2, options.area_m = 4;
  options.seconds = static_cast<double>(frames) / kNightRate, options.frame_rate = kNightRate;
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
  if (night == Night::busy) count_steps(&project);
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

}  // namespace

NightWindow::NightWindow(Night night, Hand hand)
    : SessionWindow([night](const std::filesystem::path& folder) { return render_night(folder, night); }) {
  register_cpu_backends(registry_);
  analyse_night(project_, &registry_);
  right = read_paths(project_.results_folder() / "tracks.csv").value();
  std::ranges::sort(right, std::ranges::greater(), [](const PersonPath& path) { return path.points.size(); });
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

void NightWindow::open_and_wait() {
  open();
  QTRY_VERIFY(window->state().tracks() && !window->state().tracks()->paths.empty());
}

EventsPanel* NightWindow::events() const {
  return window->part<EventsPanel>();
}

TrackLanes* NightWindow::lanes() const {
  return window->part<PeoplePanel>()->lanes();
}

Timeline* NightWindow::timeline() const {
  return window->workspace()->timeline();
}

QToolButton* NightWindow::time() const {
  return named<QToolButton>(window->workspace()->transport(), "Time");
}

void NightWindow::go(const QString& moment, int64_t frame, bool by_menus) const {
  if (hands->keys() || by_menus)
    QVERIFY(hands->command("go_to"));
  else
    hands->click(time());
  MomentDialog* dialog = window->part<ClockControl>()->dialog();
  QTRY_VERIFY(dialog && dialog->isVisible());
  auto* field = dialog->findChild<QLineEdit*>();
  QVERIFY(hands->type(field, moment));
  hands->key(field, Qt::Key_Return);
  QTRY_COMPARE(timeline()->frame(), frame);
  QTRY_VERIFY(window->state().shown() && window->state().shown()->result->frame == frame);
}

void NightWindow::choose_people(int64_t first, int64_t second) const {
  const auto chosen = [&] { return window->part<PeopleControl>()->chosen(); };
  if (hands->keys()) {
    QVERIFY(hands->go_to(lanes()));
    for (int i = 0; i < 10; ++i) QTest::keyClick(lanes(), Qt::Key_Up);
    for (int i = 0; i < 10 && chosen().first != first; ++i) hands->key(lanes(), Qt::Key_Down);
    for (int i = 0; i < 10 && chosen().second != second; ++i)
      hands->key(lanes(), i < 5 ? Qt::Key_Down : Qt::Key_Up, Qt::ShiftModifier);
  } else {
    click_lane({}, [&] { return chosen().first == first; });
    click_lane(Qt::ControlModifier, [&] { return chosen().second == second; });
  }
  QCOMPARE(chosen(), (ChosenPeople{first, second}));
}

// Down the lanes until it is the right one, which an operator sees: one click.
void NightWindow::click_lane(Qt::KeyboardModifiers with, const std::function<bool()>& done) const {
  constexpr int kStep_px = 6;
  QWidget* area = lanes()->viewport();
  hands->count_click();
  for (int y = kStep_px; y < area->height() && !done(); y += kStep_px) {
    QTest::mouseClick(area, Qt::LeftButton, with, {area->width() / 2, y});
    QCoreApplication::processEvents();
  }
}

bool NightWindow::as_tracked() const {
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

}  // namespace vantage::ui
