// opening_bench PROJECT: opens a project with long results in the real window, as a day that was merged, and
// prints as JSON: seconds until the tracks are shown, the longest time that the window did not answer on the
// way (drawing it for the first time included) and that it took to take over tracks and timeline, what the
// watchdog (ui/platform/stall_watch.h) says of opening, playing and seeking, memory, and how long drawing,
// scrolling, choosing a person and searching take then. Needs a display.
#include <fmt/core.h>
#include <sys/resource.h>
#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeView>
#include <algorithm>
#include <cstdio>

#include "app/workbench/workbench.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/results/floor_counts.h"
#include "core/tracks/counting/rules.h"
#include "core/tracks/repairs/repairs.h"
#include "tests/support/choose_instruction_set.h"
#include "ui/main_window/find/find_panel.h"
#include "ui/main_window/people_control.h"
#include "ui/panels/events_panel.h"
#include "ui/platform/gl_state.h"
#include "ui/platform/stall_watch.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/track_lanes.h"

namespace vantage {
namespace {

constexpr int kTick_ms = 5, kPatience_ms = 1'800'000, kSettle_ms = 5000;
constexpr int kRounds = 20;

// The longest of several, behind one that fills caches of fonts and the like.
template <typename Act>
double longest_ms(const Act& act) {
  double longest = 0;
  act(0);
  for (int i = 0; i < kRounds; ++i) {
    QElapsedTimer timer;
    timer.start();
    act(i);
    longest = std::max(longest, 1e-6 * static_cast<double>(timer.nsecsElapsed()));
  }
  return longest;
}

class OpeningBench {
 public:
  explicit OpeningBench(Workbench& workbench) : workbench_(workbench) {
    // The window is told between the slots of before it was made and those of after.
    const auto begin = [this] { taking_.start(); };
    const auto end = [this] {
      longest_taking_ms_ = std::max(longest_taking_ms_, 1e-6 * static_cast<double>(taking_.nsecsElapsed()));
    };
    QObject::connect(&workbench.bridge(), &ui::SessionBridge::tracks_changed, &tick_, begin);
    QObject::connect(&workbench.bridge(), &ui::SessionBridge::results_changed, &tick_, begin);
    window_ = workbench.make_window({});
    QObject::connect(&workbench.bridge(), &ui::SessionBridge::tracks_changed, &tick_, end);
    QObject::connect(&workbench.bridge(), &ui::SessionBridge::results_changed, &tick_, end);
    window_->resize(1600, 900);
    window_->show();
    QObject::connect(&workbench.bridge(), &ui::SessionBridge::tracks_changed, window_.get(),
                     [this](const TracksRef& tracks) {
                       if (tracks && !tracks->paths.empty()) tracks_ = tracks;
                     });
    QObject::connect(&tick_, &QTimer::timeout, window_.get(), [this] {
      longest_stall_ms_ = std::max(longest_stall_ms_, static_cast<double>(since_tick_.restart()));
    });
  }

  // False where no tracks came.
  bool open(const QString& project) {
    QElapsedTimer timer;
    timer.start();
    since_tick_.start();
    tick_.start(kTick_ms);
    window_->open_project(project);
    while (!tracks_ && timer.elapsed() < kPatience_ms)
      QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    QApplication::processEvents();
    open_s_ = 1e-3 * static_cast<double>(timer.elapsed());
    tick_.stop();
    return tracks_ != nullptr;
  }

  nlohmann::ordered_json figures() {
    nlohmann::ordered_json all = opened();
    all["opening"] = watched([] { settle(); });
    all["playing"] = watched([this] {
      workbench_.session().post(command::Play{});
      settle();
      workbench_.session().post(command::Pause{});
    });
    all["seeking"] = watched([this] {
      for (int i = 0; i < kRounds; ++i) {
        workbench_.session().post(command::Seek{frame_at(i)});
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < kSettle_ms / kRounds)
          QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
      }
    });
    all.update(looked());
    return all;
  }

 private:
  int64_t frame_at(int i) const {
    return tracks_->frames[tracks_->frames.size() * static_cast<size_t>(i) / kRounds];
  }
  // What the watchdog has measured since the last time, in ms.
  template <typename Act>
  static nlohmann::ordered_json watched(const Act& act) {
    act();
    ui::StallWatch& watch = ui::StallWatch::instance();
    const nlohmann::ordered_json measured = {{"events", watch.events()},
                                             {"stalls", watch.stall_count()},
                                             {"longest_ms", 1e3 * watch.longest_s()},
                                             {"longest_own_ms", 1e3 * watch.longest_own_s()},
                                             {"own_stalls", watch.own_stalls_text()}};
    watch.reset();
    return measured;
  }
  nlohmann::ordered_json opened() const {
    return {{"frames", tracks_->frames.size()},
            {"people", tracks_->paths.size()},
            {"open_s", open_s_},
            {"longest_stall_ms", longest_stall_ms_},
            {"take_over_ms", longest_taking_ms_}};
  }
  nlohmann::ordered_json looked() {
    auto* const lanes = window_->findChild<ui::TrackLanes*>();
    auto* const timeline = window_->findChild<ui::Timeline*>();
    QAction* const next = window_->findChild<QAction*>(QStringLiteral("next_person"));
    // A made-up day belongs to a recording of seconds, whose length is all that both would show.
    const double take_timeline_ms = stretch(timeline);
    rusage used = {};
    ::getrusage(RUSAGE_SELF, &used);
    return {{"largest_memory_mb", static_cast<double>(used.ru_maxrss) / 1024},
            {"take_timeline_ms", take_timeline_ms},
            {"draw_lanes_ms", longest_ms([&](int) { lanes->grab(); })},
            {"draw_lanes_of_a_minute_ms", longest_ms([&](int) {
               timeline->axis()->show(0, 60 * tracks_->frame_rate);
               lanes->grab();
             })},
            {"scroll_lanes_ms", longest_ms([&](int i) {
               timeline->axis()->show_all();
               lanes->verticalScrollBar()->setValue(i * lanes->verticalScrollBar()->maximum() / kRounds);
               lanes->grab();
             })},
            {"play_lanes_and_timeline_ms", longest_ms([&](int i) {
               lanes->set_frame(frame_at(kRounds / 2) + i);
               timeline->set_frame(frame_at(kRounds / 2) + i);
               lanes->grab();
               timeline->grab();
             })},
            {"events", rows_of("events", list_of<ui::EventsPanel>())},
            {"scroll_events_ms", scroll_ms(list_of<ui::EventsPanel>())},
            {"found", rows_of("find", window_->findChild<ui::FoundList*>())},
            {"scroll_found_ms", scroll_ms(window_->findChild<ui::FoundList*>())},
            {"draw_timeline_of_a_minute_ms", longest_ms([&](int) { timeline->grab(); })},
            {"draw_timeline_ms", longest_ms([&](int) {
               timeline->axis()->show_all();
               timeline->grab();
             })},
            {"choose_next_person_ms", longest_ms([&](int) { next->trigger(); })},
            {"choose_and_draw_next_person_ms", longest_ms([&](int) {
               next->trigger();
               QApplication::processEvents();
             })},
            {"person_at_place_ms", longest_ms([&](int i) {
               person_at(tracks_->paths, tracks_->by_frame, {frame_at(i), 1.0, 1.0});
             })},
            {"events_of_the_whole_s", events_s()}};
  }

  template <typename Panel>
  QAbstractItemView* list_of() const {
    return window_->findChild<Panel*>()->template findChild<QTreeView*>();
  }
  // How many there are, once the dock is seen and its work is done.
  int rows_of(const char* dock, const QAbstractItemView* list) const {
    if (QAction* action = window_->action(dock); !action->isChecked()) action->trigger();
    settle();
    return list->model()->rowCount();
  }
  static double scroll_ms(QAbstractItemView* list) {
    return longest_ms([list](int i) {
      list->verticalScrollBar()->setValue(i * list->verticalScrollBar()->maximum() / kRounds);
      list->grab();
    });
  }
  // What follows from opening is over: frames in steps, counts, a thumbnail.
  static void settle() {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < kSettle_ms) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
  }

  // Both show all frames of the tracks; how long the timeline takes for its part.
  double stretch(ui::Timeline* timeline) const {
    const auto count = static_cast<int64_t>(tracks_->frames.size());
    std::vector<FrameSummary> frames(tracks_->frames.size(), {FrameState::current, 10, false});
    QElapsedTimer timer;
    timer.start();
    timeline->set_extent(count, tracks_->frame_rate);
    timeline->set_frames(std::move(frames), 1);
    return 1e-6 * static_cast<double>(timer.nsecsElapsed());
  }

  // As the Events panel searches, off the window's thread.
  double events_s() const {
    const FloorZone zone{"middle", {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
    const FloorRule rule = parse_rule("in=enters,where=middle").value();
    RecordedPeople people;
    people.paths = tracks_->paths, people.frames = tracks_->frames;
    people.known_frames = tracks_->known_frames, people.frame_rate = tracks_->frame_rate;
    QElapsedTimer timer;
    timer.start();
    const auto found = find_events(people.range(), std::vector{rule}, std::vector{zone}, {});
    return found ? 1e-3 * static_cast<double>(timer.elapsed()) : -1;
  }

  Workbench& workbench_;
  std::unique_ptr<ui::MainWindow> window_;
  TracksRef tracks_;
  QTimer tick_;
  QElapsedTimer since_tick_, taking_;
  double open_s_ = 0, longest_stall_ms_ = 0, longest_taking_ms_ = 0;
};

int run(const QString& project) {
  const Result<std::unique_ptr<Workbench>> workbench = Workbench::open("cpu");
  if (!workbench) {
    fmt::print(stderr, "opening_bench: {}\n", workbench.error().message());
    return 1;
  }
  OpeningBench bench(**workbench);
  if (!bench.open(project)) {
    fmt::print(stderr, "opening_bench: no tracks came\n");
    return 1;
  }
  fmt::print("{}\n", json_text(bench.figures()));
  return 0;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  vantage::give_back_large_blocks();  // as the program does
  if (argc != 2) {
    std::fputs("usage: opening_bench PROJECT\n", stderr);
    return 2;
  }
  QTemporaryDir settings;
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  QApplication::setOrganizationName("vantage-bench");
  QApplication::setApplicationName("opening_bench");
  vantage::ui::choose_gl_format();
  vantage::ui::WatchedApplication app(argc, argv);
  return vantage::run(app.arguments().at(1));
}
