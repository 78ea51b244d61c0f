// window_bench PROJECT OTHER [auto|cpu|cuda [CHANGES [SECONDS [KINDS]]]]: the real window, playing and
// analysing. First how often its views are drawn, then resizes, moves of docks and changes of the project in
// turn, each of them followed by frames that went through the whole chain. Printed along the way: how many
// these were and what memory the process and the GPU hold, always with the same project open; at the end how
// fast the process grew over the second half, and what Qt, OpenGL and the window complained about. 1 when
// something did. Needs a display.
#include <fmt/core.h>
#include <malloc.h>
#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QMessageBox>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QOpenGLWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "app/workbench/workbench.h"
#include "core/base/memory.h"
#include "tests/support/choose_instruction_set.h"
#include "ui/platform/gl_state.h"
#include "ui/widgets/message_bar.h"

namespace vantage {
namespace {

constexpr int kSettle_ms = 150;
constexpr int kFramesAfter = 3;      // analysed after each change before the next one
constexpr int kPatience_ms = 10000;  // for them; opening a project takes longest
constexpr int kRoundsPrinted = 4;    // of a round: every kind of change in both projects

int complaints = 0;
void hear(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtDebugMsg || type == QtInfoMsg) return;
  ++complaints;
  fmt::print("Qt: {}\n", qPrintable(message));
}

void work_for(int ms) {
  QElapsedTimer timer;
  timer.start();
  while (timer.elapsed() < ms) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

// Memory of this process, in MB: all that is in memory, what of it belongs to no file, and what was asked of
// malloc and not given back. Where only the first two grow, the allocator keeps what is free; where the last
// one does, something is kept.
struct Memory {
  double resident_mb = 0, anonymous_mb = 0, allocated_mb = 0;
};
Memory process_memory() {
  Memory memory;
  const struct mallinfo2 heap = mallinfo2();
  memory.allocated_mb = static_cast<double>(heap.uordblks + heap.hblkhd) / (1 << 20);
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) memory.resident_mb = std::atof(line.c_str() + 6) / 1024;
    if (line.starts_with("RssAnon:")) memory.anonymous_mb = std::atof(line.c_str() + 8) / 1024;
  }
  return memory;
}

struct Reading {
  int changes = 0;
  Memory memory;
};

// By least squares over the second half of the readings, in MB per 100 changes; 0 of fewer than two.
double growth_mb(const std::vector<Reading>& readings, double Memory::* of) {
  const std::span<const Reading> half = std::span(readings).subspan(readings.size() / 2);
  double mean_changes = 0, mean_mb = 0;
  for (const Reading& reading : half) {
    mean_changes += reading.changes / static_cast<double>(half.size());
    mean_mb += reading.memory.*of / static_cast<double>(half.size());
  }
  double together = 0, spread = 0;
  for (const Reading& reading : half) {
    together += (reading.changes - mean_changes) * (reading.memory.*of - mean_mb);
    spread += (reading.changes - mean_changes) * (reading.changes - mean_changes);
  }
  return spread > 0 ? 100 * together / spread : 0;
}

// Whether to keep changes is asked when a project is left; nobody is there to answer.
void answer_questions() {
  if (auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget()))
    if (QAbstractButton* discard = question->button(QMessageBox::Discard)) discard->click();
}

class WindowBench {
 public:
  WindowBench(Workbench& workbench, QString project, QString other)
      : workbench_(workbench), window_(workbench.make_window({})), projects_{project, other} {
    free_at_start_ = free_bytes();
    // Results kept to be shown again would hide a growth, or look like one; so would spans until as many are
    // kept as ever will be.
    workbench.session().post(command::SetLimits{{size_t{64} << 20, size_t{64} << 20, 4}});
    for (size_t i = 0; i < Workbench::kMaxSpans; ++i)
      workbench.trace().record({.name = "as long as a kernel's", .lane = "cuda:0 foreground of cam1"});
    window_->resize(1600, 900);
    window_->show();
    QObject::connect(&questions_, &QTimer::timeout, answer_questions);
    questions_.start(kSettle_ms);
    const ui::SessionBridge* reports = &workbench.bridge();
    QObject::connect(reports, &ui::SessionBridge::frame_ready, window_.get(),
                     [this](const ShownFrameRef& shown) { count_analysed(shown->result); });
    // The recording begins again where it ends: there is always something to analyse.
    QObject::connect(reports, &ui::SessionBridge::status_changed, window_.get(),
                     [this](const SessionStatus& status) {
                       if (!status.open || status.playing || status.frame + 1 < status.frame_count) return;
                       workbench_.session().post(command::Seek{0});
                       workbench_.session().post(command::Play{});
                     });
  }

  void play(const QString& project) {
    window_->open_project(project);
    workbench_.session().post(command::SetAnalyseWhilePlaying{true});
    workbench_.session().post(command::Play{});
    work_until_analysed();
    listen();
  }

  // Pictures a second of each view, at a multiple of the recording's pace.
  void count_pictures(double rate, double seconds) {
    workbench_.session().post(command::Seek{0});
    workbench_.session().post(command::SetPlaybackRate{rate});
    workbench_.session().post(command::Play{});
    work_for(kSettle_ms);
    listen();  // opening may take long
    drawn_.clear();
    work_for(static_cast<int>(1000 * seconds));
    fmt::print("pace x{:<4g}", rate);
    for (const auto& [view, count] : drawn_) fmt::print("  {} {:.1f} pictures/s", view, count / seconds);
    fmt::print("\n");
    workbench_.session().post(command::SetPlaybackRate{1});
  }

  void change(char kind) {
    if (kind == 'r') {
      window_->resize(between(900, 1900), between(600, 1060));
    } else if (kind == 'd') {
      move_a_dock();
    } else {
      play(projects_[++project_ % 2]);
    }
    work_for(kSettle_ms);
    work_until_analysed();
    look_for_errors();
  }

  // Whole rounds, so that the same project is open whenever the memory is read.
  void change_in_turn(const std::string& kinds, int changes) {
    const int round = 2 * static_cast<int>(kinds.size());
    std::vector<Reading> readings;
    say_memory(0, process_memory());
    for (int done = 0; done < changes;) {
      for (int i = 0; i < round; ++i) change(kinds[static_cast<size_t>(done++) % kinds.size()]);
      readings.push_back({done, process_memory()});
      if (done % (kRoundsPrinted * round) == 0 || done >= changes) say_memory(done, readings.back().memory);
    }
    fmt::print(
        "second half, per 100 changes: process {:+.1f} MB, anonymous {:+.1f}, allocated {:+.1f}; "
        "{} changes without a frame after\n",
        growth_mb(readings, &Memory::resident_mb), growth_mb(readings, &Memory::anonymous_mb),
        growth_mb(readings, &Memory::allocated_mb), unanalysed_);
  }

 private:
  void say_memory(int changes, const Memory& memory) const {
    fmt::print(
        "after {:3} changes: {} frames analysed, process {:.0f} MB, anonymous {:.0f}, allocated {:.1f}",
        changes, analysed_, memory.resident_mb, memory.anonymous_mb, memory.allocated_mb);
    if (workbench_.backends().device != Device::cpu)
      fmt::print(", GPU {:.0f} MB more than at the start", (free_at_start_ - free_bytes()) / 1e6);
    fmt::print("\n");
    std::fflush(stdout);
  }

  // What is shown again comes from the session's memory and was counted before.
  void count_analysed(const FrameResultRef& result) {
    if (!result || !result->people() || result->frame == last_analysed_) return;
    last_analysed_ = result->frame;
    ++analysed_;
  }

  void work_until_analysed() {
    const int before = analysed_;
    QElapsedTimer timer;
    timer.start();
    while (analysed_ < before + kFramesAfter && timer.elapsed() < kPatience_ms)
      QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    if (analysed_ == before) ++unanalysed_;
  }

  double free_bytes() const {
    if (workbench_.backends().device == Device::cpu) return 0;
    const Result<double> free = free_device_bytes(workbench_.backends());
    return free ? *free : 0;
  }
  int between(int least, int most) { return std::uniform_int_distribution(least, most)(random_); }

  // Views are made again with some changes.
  void listen() {
    for (QOpenGLWidget* view : window_->findChildren<QOpenGLWidget*>()) {
      if (view->property("counted").toBool()) continue;
      view->setProperty("counted", true);
      QObject::connect(view, &QOpenGLWidget::frameSwapped, window_.get(),
                       [this, name = std::string(view->metaObject()->className())] { ++drawn_[name]; });
    }
  }

  void move_a_dock() {
    const QList<QDockWidget*> docks = window_->findChildren<QDockWidget*>();
    QDockWidget* dock = docks[between(0, static_cast<int>(docks.size()) - 1)];
    constexpr Qt::DockWidgetArea kAreas[] = {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea,
                                             Qt::BottomDockWidgetArea};
    dock->setVisible(between(0, 3) > 0);
    dock->setFloating(between(0, 3) == 0);
    if (!dock->isFloating()) window_->addDockWidget(kAreas[between(0, 2)], dock);
  }

  void look_for_errors() {
    for (QOpenGLWidget* view : window_->findChildren<QOpenGLWidget*>()) {
      if (!view->context()) continue;
      view->makeCurrent();
      while (const unsigned error = view->context()->functions()->glGetError()) {
        ++complaints;
        fmt::print("OpenGL: {:#x} in {}\n", error, view->metaObject()->className());
      }
      view->doneCurrent();
    }
    const QString said = window_->messages()->isVisible() ? window_->messages()->text() : QString();
    if (said == said_) return;
    said_ = said;
    if (!said.isEmpty()) fmt::print("window: {}\n", qPrintable(said));
  }

  Workbench& workbench_;
  std::unique_ptr<ui::MainWindow> window_;
  QString projects_[2];
  QTimer questions_;
  double free_at_start_ = 0;
  std::map<std::string, int> drawn_;
  int project_ = 0;
  int analysed_ = 0, unanalysed_ = 0;  // frames; changes after which none came
  int64_t last_analysed_ = -1;
  QString said_;
  std::mt19937 random_{20};
};

int run(const QStringList& arguments) {
  const auto argument = [&](int index, const char* otherwise) {
    return index < arguments.size() ? arguments[index] : QString(otherwise);
  };
  const Result<std::unique_ptr<Workbench>> workbench = Workbench::open(argument(3, "auto").toStdString());
  if (!workbench) {
    fmt::print(stderr, "window_bench: {}\n", workbench.error().message());
    return 1;
  }
  const int changes = argument(4, "200").toInt();
  const double seconds = argument(5, "5").toDouble();
  const std::string kinds = argument(6, "rdp").toStdString();
  WindowBench bench(**workbench, arguments[1], arguments[2]);
  bench.play(arguments[1]);
  for (const double rate : {1.0, 16.0}) bench.count_pictures(rate, seconds);
  bench.change_in_turn(kinds, changes);
  fmt::print("{} complaints\n", complaints);
  return complaints == 0 ? 0 : 1;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  vantage::give_back_large_blocks();  // as the program does
  if (argc < 3) {
    std::fputs("usage: window_bench PROJECT OTHER [auto|cpu|cuda [CHANGES [SECONDS [KINDS]]]]\n", stderr);
    return 2;
  }
  QTemporaryDir settings;
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  QApplication::setOrganizationName("vantage-bench");
  QApplication::setApplicationName("window_bench");
  vantage::ui::choose_gl_format();
  QApplication app(argc, argv);
  qInstallMessageHandler(vantage::hear);
  return vantage::run(app.arguments());
}
