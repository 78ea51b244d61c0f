// window_bench PROJECT OTHER [auto|cpu|cuda [CHANGES [SECONDS]]]: the real window, playing and analysing.
// First how often its views are drawn, then resizes, moves of docks and changes of the project in turn, with
// the memory that the process and the GPU hold at the start and eight times along the way, and what Qt,
// OpenGL and the window complained about. 1 when something did. Needs a display.
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
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include "app/workbench/workbench.h"
#include "core/base/allocator.h"
#include "ui/platform/gl_format.h"
#include "ui/widgets/message_bar.h"

namespace vantage {
namespace {

constexpr int kSettle_ms = 150, kOpen_ms = 700;
constexpr int kReadings = 8;  // of the memory, along the changes

int complaints = 0;
void hear(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtDebugMsg || type == QtInfoMsg) return;
  ++complaints;
  std::printf("Qt: %s\n", qPrintable(message));
}

void work_for(int ms) {
  QElapsedTimer timer;
  timer.start();
  while (timer.elapsed() < ms) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

// Memory of this process, in MB.
double resident_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::atof(line.c_str() + 6) / 1024;
  return 0;
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
    // Results kept to be shown again would hide a growth, or look like one.
    workbench.session().set_limits({size_t{64} << 20, size_t{64} << 20, 4});
    window_->resize(1600, 900);
    window_->show();
    QObject::connect(&questions_, &QTimer::timeout, answer_questions);
    questions_.start(kSettle_ms);
  }

  void play(const QString& project) {
    window_->open_project(project);
    workbench_.session().set_analyse_while_playing(true);
    workbench_.session().play();
    work_for(kOpen_ms);
    listen();
  }

  // Pictures a second of each view, at a multiple of the recording's pace.
  void count_pictures(double rate, double seconds) {
    workbench_.session().seek(0);
    workbench_.session().set_playback_rate(rate);
    workbench_.session().play();
    work_for(kSettle_ms);
    listen();  // opening may take long
    drawn_.clear();
    work_for(static_cast<int>(1000 * seconds));
    std::printf("pace x%-4g", rate);
    for (const auto& [view, count] : drawn_)
      std::printf("  %s %.1f pictures/s", view.c_str(), count / seconds);
    std::printf("\n");
    workbench_.session().set_playback_rate(1);
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
    look_for_errors();
  }

  void say_memory(int changes) const {
    std::printf("after %3d changes: process %.0f MB", changes, resident_mb());
    if (workbench_.backends().device != Device::cpu)
      std::printf(", GPU %.0f MB more than at the start", (free_at_start_ - free_bytes()) / 1e6);
    std::printf("\n");
    std::fflush(stdout);
  }

 private:
  double free_bytes() const {
    if (workbench_.backends().device == Device::cpu) return 0;
    const Result<double> free = free_device_bytes(workbench_.backends());
    return free ? *free : 0;
  }
  int between(int least, int most) { return std::uniform_int_distribution(least, most)(random_); }

  // Views are made anew with some changes.
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
        std::printf("OpenGL: %#x in %s\n", error, view->metaObject()->className());
      }
      view->doneCurrent();
    }
    const QString said = window_->messages()->isVisible() ? window_->messages()->text() : QString();
    if (said == said_) return;
    said_ = said;
    if (!said.isEmpty()) std::printf("window: %s\n", qPrintable(said));
  }

  Workbench& workbench_;
  std::unique_ptr<ui::MainWindow> window_;
  QString projects_[2];
  QTimer questions_;
  double free_at_start_ = 0;
  std::map<std::string, int> drawn_;
  int project_ = 0;
  QString said_;
  std::mt19937 random_{20};
};

int run(const QStringList& arguments) {
  const auto argument = [&](int index, const char* otherwise) {
    return index < arguments.size() ? arguments[index] : QString(otherwise);
  };
  const Result<std::unique_ptr<Workbench>> workbench = Workbench::open(argument(3, "auto").toStdString());
  if (!workbench) {
    std::fprintf(stderr, "window_bench: %s\n", workbench.error().message().c_str());
    return 1;
  }
  const int changes = argument(4, "200").toInt();
  const double seconds = argument(5, "5").toDouble();
  const std::string kinds = argument(6, "rdp").toStdString();
  WindowBench bench(**workbench, arguments[1], arguments[2]);
  bench.play(arguments[1]);
  for (const double rate : {1.0, 16.0}) bench.count_pictures(rate, seconds);
  bench.say_memory(0);
  for (int i = 0; i < changes; ++i) {
    bench.change(kinds[static_cast<size_t>(i) % kinds.size()]);
    if ((i + 1) % std::max(changes / kReadings, 1) == 0) bench.say_memory(i + 1);
  }
  std::printf("%d complaints\n", complaints);
  return complaints == 0 ? 0 : 1;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
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
