// vantage: opens what stands behind the window, shows the window.

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <QApplication>
#include <QTimer>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "app/backends/backend_option.h"
#include "app/workbench/workbench.h"
#include "core/base/crash_report.h"
#include "core/base/instruction_sets.h"
#include "core/base/memory.h"
#include "ui/main_window/status_line.h"
#include "ui/platform/gl_state.h"
#include "ui/platform/language.h"
#include "ui/platform/stall_watch.h"

namespace vantage {
namespace {

// Options of vantage's command line.

struct WorkbenchOptions {
  // Opened at the start: a project, or videos and calibrations of a new one; empty: the start page.
  std::vector<std::string> files;
  std::string backend;  // auto, cpu or cuda; empty: as preferred
  std::string demo;     // a project, or the folder it is in: opened, played, analysed
  std::filesystem::path
      screenshot;  // a picture of the window, written after some seconds; then the program ends
  double after_s = 5;
  int width_px = 0, height_px = 0;  // of the window; 0: as last time
  std::string theme;                // system, light or dark; empty: as last time
};

std::string check_size(const std::string& text) {
  int width = 0, height = 0;
  char end = 0;
  const bool right = std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &end) == 2 && width >= 320 &&
                     height >= 240 && width <= 16384 && height <= 16384;
  return right ? std::string() : "give WIDTHxHEIGHT, at least 320x240";
}

// NAME.vantage in a folder: the one named like it, else the only one.
std::filesystem::path project_in(const std::filesystem::path& folder) {
  std::error_code none;
  const std::filesystem::path named = folder / (folder.filename().string() + ".vantage");
  if (std::filesystem::is_regular_file(named, none)) return named;
  std::vector<std::filesystem::path> projects;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".vantage") projects.push_back(entry.path());
  return projects.size() == 1 ? projects.front() : std::filesystem::path();
}

// Returns true to go on, else the program ends with `exit_code` (2 for wrong usage).
bool parse_options(int argc, char** argv, WorkbenchOptions* options, int* exit_code) {
  CLI::App app(
      "Vantage: a window on footage of one scene seen by several calibrated cameras.\n"
      "Example: vantage hall.vantage",
      "vantage");
  std::string size;
  app.set_version_flag("--version", "vantage " VANTAGE_VERSION);
  app.add_option("files", options->files, "Project to open, or videos and calibration of a new one")
      ->type_name("FILE");
  add_backend_option(app, options->backend,
                     "Device that runs the chain; as set in the preferences if absent");
  app.add_option("--demo", options->demo, "Open this project or folder, play it and analyse while playing");
  app.add_option("--screenshot", options->screenshot,
                 "Write a picture of the window to this PNG file, then quit");
  app.add_option("--after", options->after_s, "Seconds until the screenshot")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  app.add_option("--size", size, "Size of the window, for example 1280x720")->check(check_size);
  app.add_option("--theme", options->theme, "Colours of the window")
      ->check(CLI::IsMember({"system", "light", "dark"}));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    *exit_code = app.exit(error) == 0 ? 0 : 2;
    return false;
  }
  if (!size.empty()) std::sscanf(size.c_str(), "%dx%d", &options->width_px, &options->height_px);
  return true;
}

// The project file that `demo` means, and the one made by installer/demo; empty where there is none.
std::filesystem::path demonstration_project(const std::string& demo) {
  std::error_code none;
  if (!demo.empty()) {
    const std::filesystem::path given = std::filesystem::absolute(demo, none).lexically_normal();
    if (!std::filesystem::is_directory(given, none)) return given;
    return project_in(given.has_filename() ? given : given.parent_path());
  }
  const std::filesystem::path folder = demonstration_folder();
  return folder.empty() ? folder : project_in(folder);
}

void take_screenshot(ui::MainWindow& window, const WorkbenchOptions& options) {
  QTimer::singleShot(static_cast<int>(options.after_s * 1000), &window, [&window, file = options.screenshot] {
    const bool saved = window.grab().save(QString::fromStdString(file.string()), "PNG");
    if (!saved) fmt::print(stderr, "vantage: {}: the screenshot could not be written\n", file.string());
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
    fmt::print(stderr, "vantage: {}\n", workbench.error().message());
    return 1;
  }
  const std::filesystem::path demonstration = demonstration_project(options.demo);
  ui::use_language(ui::stored_preferences().language);
  std::unique_ptr<ui::MainWindow> window = (*workbench)->make_window(demonstration, &marker);
  const std::function<void()> follow_language = [&] {
    const auto make_again = [&] {
      window = window->made_again();
      follow_language();
    };
    QObject::connect(window.get(), &ui::MainWindow::language_chosen, qApp, make_again, Qt::QueuedConnection);
  };
  follow_language();
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
    fmt::print(stderr, "vantage: {}\n", chosen.error().message());
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
