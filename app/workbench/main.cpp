// vantage: picks the backend, makes the session, shows the window.
#include <QApplication>
#include <QSurfaceFormat>
#include <QTimer>
#include <cstdio>
#include <memory>

#include "app/backends/backends.h"
#include "app/workbench/options.h"
#include "core/base/log.h"
#include "core/check/check.h"
#include "core/session/cpu_backends.h"
#include "ui/main_window/main_window.h"
#include "ui/platform/host_surface.h"
#include "ui/platform/keyring.h"
#include "ui/platform/local_camera.h"
#include "ui/platform/session_bridge.h"

namespace vantage {
namespace {

void choose_opengl() {
  QSurfaceFormat format;
  format.setVersion(3, 3);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  format.setSamples(0);
  QSurfaceFormat::setDefaultFormat(format);
  QApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
}

// Interop where OpenGL runs on the chain's device, else host memory; a chain on a device then copies to the
// host, and the window says so.
ui::SurfaceFactory surface_factory(const Backends& backends, TraceRecorder* trace, Session* session,
                                   SessionListener* listener) {
  return [&backends, trace, session, listener]() -> std::unique_ptr<DisplaySurface> {
    Result<std::unique_ptr<DisplaySurface>> device = make_device_surface(backends, trace);
    if (device) return std::move(*device);
    if (backends.device == Device::cpu) return std::make_unique<ui::HostSurface>("Drawn from host memory");
    const std::string reason = "Copied through the host: " + device.error().message();
    session->set_host_display(true);
    listener->on_note(reason);
    return std::make_unique<ui::HostSurface>(reason);
  };
}

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

void open_first(ui::MainWindow& window, const WorkbenchOptions& options,
                const std::filesystem::path& demonstration) {
  if (!options.demo.empty()) {
    window.open_demonstration(
        QString::fromStdString(demonstration.empty() ? options.demo : demonstration.string()));
  } else if (!options.files.empty()) {
    QStringList files;
    for (const std::string& file : options.files)
      files << QString::fromStdString(std::filesystem::absolute(file).lexically_normal().string());
    window.open_files(files);
  }
}

// The command line's choice has to be there. A preferred device that is gone only gets a note: the window is
// where the preference is changed.
Result<Backends> open_chosen_backends(const WorkbenchOptions& options, TraceRecorder* trace) {
  if (!options.backend.empty()) return open_backends(options.backend, trace);
  Result<Backends> preferred = open_backends(ui::stored_preferences().backend.toStdString(), trace);
  if (preferred) return preferred;
  Result<Backends> any = open_backends("auto", trace);
  if (any) any->notes.push_back("Not as preferred: " + preferred.error().message());
  return any;
}

int run(const WorkbenchOptions& options) {
  TraceRecorder trace;
  Result<Backends> backends = open_chosen_backends(options, &trace);
  if (!backends) {
    std::fprintf(stderr, "vantage: %s\n", backends.error().message().c_str());
    return 1;
  }
  const auto bridge = std::make_shared<ui::SessionBridge>();
  SessionOptions session_options;
  session_options.backends = &backends->registry;
  session_options.device = backends->device;
  session_options.device_index = backends->device_index;
  session_options.hardware = backends->hardware;
  session_options.trace = &trace;
  const std::shared_ptr<CredentialStore> credentials =
      ui::make_keyring(make_credential_file(default_credential_path()));
  session_options.credentials = credentials;
  session_options.device_description = backends->description;
  const std::unique_ptr<Session> session = Session::make(std::move(session_options), bridge);
  const std::filesystem::path demonstration = demonstration_project(options.demo);
  ui::WindowServices services;
  services.session = session.get();
  services.bridge = bridge.get();
  services.trace = &trace;
  services.surfaces = surface_factory(*backends, &trace, session.get(), bridge.get());
  services.backend = QString::fromStdString(backends->description);
  services.demonstration = QString::fromStdString(demonstration.string());
  services.credentials = credentials;
  services.local_cameras = ui::local_cameras;
  set_device_opener(ui::open_local_camera);
  services.launches = [&backends](const std::string& kernel) -> std::optional<ui::KernelLaunch> {
    const auto launch = last_launch(*backends, kernel);
    if (!launch) return std::nullopt;
    return ui::KernelLaunch{launch->blocks, launch->threads, launch->registers, launch->shared_bytes};
  };
  services.check = [&backends](const Project& project, CheckOptions check) {
    check.device = backends->device;
    if (check.device != Device::cpu)
      if (const Result<double> free = free_device_bytes(*backends)) check.memory.device_bytes = *free;
    BackendRegistry registry;
    register_cpu_backends(registry);
    check.backends = &registry;
    return check_project(project, check);
  };
  services.height_study = [&backends, &trace](const Project& project) {
    HeightMapperOptions height_map;
    height_map.backends = &backends->registry;
    height_map.device = backends->device;
    height_map.context = {&trace, backends->device_index};
    height_map.cameras = project.calibrations();
    height_map.region = project.grid;
    return std::make_unique<HeightStudy>(std::move(height_map));
  };
  services.align = [](const Project& project, AlignOptions align) {
    BackendRegistry registry;
    register_cpu_backends(registry);
    align.collect.backends = &registry;
    return align_project(project, align);
  };
  services.agreement = [](const Project& project, OffsetAgreementOptions agreement) {
    BackendRegistry registry;
    register_cpu_backends(registry);
    agreement.backends = &registry;
    return offset_agreement(project, agreement);
  };
  for (const std::string& note : backends->notes) services.notes << QString::fromStdString(note);
  ui::MainWindow window(std::move(services));
  for (const std::string& note : backends->notes) log_info(note);
  if (!options.theme.empty()) window.choose_theme(theme_named(options.theme));
  if (options.width_px > 0) window.resize(options.width_px, options.height_px);
  window.show();
  open_first(window, options, demonstration);
  if (!options.screenshot.empty()) take_screenshot(window, options);
  return QApplication::exec();
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  vantage::WorkbenchOptions options;
  int exit_code = 0;
  if (!vantage::parse_options(argc, argv, &options, &exit_code)) return exit_code;
  QApplication::setOrganizationName("vantage");
  QApplication::setApplicationName("vantage");
  QApplication::setDesktopFileName("vantage");
  vantage::choose_opengl();
  QApplication app(argc, argv);
  return vantage::run(options);
}
