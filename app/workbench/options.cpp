#include "app/workbench/options.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "app/backends/backend_option.h"

namespace vantage {
namespace {

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

}  // namespace

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

std::filesystem::path demonstration_project(const std::string& demo) {
  std::error_code none;
  if (!demo.empty()) {
    const std::filesystem::path given = std::filesystem::absolute(demo, none).lexically_normal();
    if (!std::filesystem::is_directory(given, none)) return given;
    return project_in(given.has_filename() ? given : given.parent_path());
  }
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  if (!(data && *data) && !home) return {};
  const std::filesystem::path base =
      data && *data ? std::filesystem::path(data) : std::filesystem::path(home) / ".local" / "share";
  return project_in(base / "vantage" / "demonstration");
}

}  // namespace vantage
