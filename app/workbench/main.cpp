// vantage: opens what stands behind the window, shows the window.
#include <QApplication>
#include <QTimer>
#include <clocale>
#include <cstdio>
#include <memory>

#include "app/workbench/options.h"
#include "app/workbench/workbench.h"
#include "core/base/allocator.h"
#include "core/base/crash_report.h"
#include "core/base/instruction_sets.h"
#include "ui/main_window/run_marker.h"
#include "ui/platform/gl_format.h"
#include "ui/platform/stall_watch.h"

namespace vantage {
namespace {

void take_screenshot(ui::MainWindow& window, const WorkbenchOptions& options) {
  QTimer::singleShot(static_cast<int>(options.after_s * 1000), &window, [&window, file = options.screenshot] {
    const bool saved = window.grab().save(QString::fromStdString(file.string()), "PNG");
    if (!saved) std::fprintf(stderr, "vantage: %s: the screenshot could not be written\n", file.c_str());
    QApplication::exit(saved ? 0 : 1);
  });
}

ui::Theme theme_named(const std::string& name) {
  return name == "dark" ? ui::Theme::dark : name == "light" ? ui::Theme::light : ui::Theme::system;
}

// A project with which the program ended early is not opened by itself: the window offers it.
void open_first(ui::MainWindow& window, const WorkbenchOptions& options,
                const std::filesystem::path& demonstration) {
  if (!options.demo.empty()) {
    const QString file =
        QString::fromStdString(demonstration.empty() ? options.demo : demonstration.string());
    if (!window.withheld(file)) window.open_demonstration(file);
  } else if (!options.files.empty()) {
    QStringList files;
    for (const std::string& file : options.files)
      files << QString::fromStdString(std::filesystem::absolute(file).lexically_normal().string());
    files.removeIf([&](const QString& file) { return window.withheld(file); });
    window.open_files(files);
  }
}

int run(const WorkbenchOptions& options) {
  ui::RunMarker marker;
  marker.end_as_asked_on_signals();
  const Result<std::unique_ptr<Workbench>> workbench =
      Workbench::open(options.backend, marker.ended_while_starting());
  if (!workbench) {
    std::fprintf(stderr, "vantage: %s\n", workbench.error().message().c_str());
    return 1;
  }
  const std::filesystem::path demonstration = demonstration_project(options.demo);
  const std::unique_ptr<ui::MainWindow> window = (*workbench)->make_window(demonstration, &marker);
  if (!options.theme.empty()) window->choose_theme(theme_named(options.theme));
  if (options.width_px > 0) window->resize(options.width_px, options.height_px);
  window->show();
  QTimer::singleShot(0, window.get(), [&marker] { marker.started(); });
  open_first(*window, options, demonstration);
  if (!options.screenshot.empty()) take_screenshot(*window, options);
  return QApplication::exec();
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  vantage::give_back_large_blocks();
  vantage::WorkbenchOptions options;
  if (const vantage::Status chosen = vantage::use_instruction_set_of_environment(); !chosen) {
    std::fprintf(stderr, "vantage: %s\n", chosen.error().message().c_str());
    return 2;
  }
  vantage::report_crashes("vantage", VANTAGE_VERSION);
  int exit_code = 0;
  if (!vantage::parse_options(argc, argv, &options, &exit_code)) return exit_code;
  QApplication::setOrganizationName("vantage");
  QApplication::setApplicationName("vantage");
  QApplication::setDesktopFileName("vantage");
  vantage::ui::choose_gl_format();
  vantage::ui::WatchedApplication app(argc, argv);
  std::setlocale(LC_NUMERIC, "C");  // Qt sets the user's; numbers in files and commands have points
  return vantage::run(options);
}
