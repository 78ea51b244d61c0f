#include "app/workbench/workbench.h"

#include <cstdlib>
#include <utility>

#include "core/algorithms.h"
#include "core/base/log.h"
#include "core/check/check.h"
#include "core/image/backend/memory_transfer.h"
#include "core/run/mask_scores.h"
#include "core/synth/synth.h"
#include "ui/platform/host_surface.h"
#include "ui/platform/keyring.h"
#include "ui/platform/local_camera.h"

namespace vantage {
namespace {

// Interop where OpenGL runs on the chain's device, else host memory; a chain on a device then copies to the
// host, and the window says so.
ui::SurfaceFactory surface_factory(const Backends& backends, TraceRecorder* trace, Session* session,
                                   SessionListener* listener) {
  return [&backends, trace, session, listener]() -> std::unique_ptr<DisplaySurface> {
    Result<std::unique_ptr<DisplaySurface>> device = make_device_surface(backends, trace);
    if (device) return std::move(*device);
    if (backends.device == Device::cpu) return std::make_unique<ui::HostSurface>("Drawn from host memory");
    const std::string reason = "Copied through the host: " + device.error().message();
    session->post(command::SetHostDisplay{true});
    listener->on_note(reason);
    return std::make_unique<ui::HostSurface>(reason);
  };
}

Result<Backends> open_chosen_backends(const std::string& backend, bool careful, TraceRecorder* trace) {
  if (!backend.empty()) return open_backends(backend, trace);
  if (careful) {
    Result<Backends> cpu = open_backends("cpu", trace);
    if (cpu)
      cpu->notes.push_back("Running on the CPU this time: the last start ended before the window opened.");
    return cpu;
  }
  Result<Backends> preferred = open_backends(ui::stored_preferences().backend.toStdString(), trace);
  if (preferred) return preferred;
  Result<Backends> any = open_backends("auto", trace);
  if (any) any->notes.push_back("Not the preferred device: " + preferred.error().message());
  return any;
}

}  // namespace

Result<std::unique_ptr<Workbench>> Workbench::open(const std::string& backend, bool careful) {
  std::unique_ptr<Workbench> workbench(new Workbench);
  VANTAGE_ASSIGN(workbench->backends_, open_chosen_backends(backend, careful, &workbench->trace_));
  workbench->make_session();
  set_device_opener(ui::open_local_camera);
  return workbench;
}

void Workbench::make_session() {
  credentials_ = ui::make_keyring(make_credential_file(default_credential_path()));
  SessionOptions options;
  options.backends = backends_.on_device(&trace_);
  options.hardware = backends_.hardware;
  options.credentials = credentials_;
  options.results = served_;
  options.device_description = backends_.description;
  session_ = Session::make(std::move(options), bridge_);
}

std::unique_ptr<ui::MainWindow> Workbench::make_window(const std::filesystem::path& demonstration,
                                                       ui::RunMarker* marker) {
  ui::WindowServices services;
  services.session = session_.get();
  services.bridge = bridge_.get();
  services.spans = &spans_;
  services.surfaces = surface_factory(backends_, &trace_, session_.get(), bridge_.get());
  services.backend = QString::fromStdString(backends_.description);
  for (const std::string& name : gpu_names()) services.gpus << QString::fromStdString(name);
  services.demonstration = QString::fromStdString(demonstration.string());
  services.credentials = credentials_;
  services.result_service = served_;
  services.local_cameras = ui::local_cameras;
  services.marker = marker;
  add_studies(services);
  for (const std::string& note : backends_.notes) services.notes << QString::fromStdString(note);
  auto window = std::make_unique<ui::MainWindow>(std::move(services));
  for (const std::string& note : backends_.notes) log_info(note);
  return window;
}

std::filesystem::path demonstration_folder() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  if (data && *data) return std::filesystem::path(data) / "vantage" / "demonstration";
  return home ? std::filesystem::path(home) / ".local" / "share" / "vantage" / "demonstration"
              : std::filesystem::path();
}

namespace {

// What `solve` makes of the project's analysis on the CPU, which keeps no frames.
template <typename Solve>
auto with_analysis_on_cpu(const Project& project, const StopSource& stop, const Solve& solve)
    -> decltype(solve(std::declval<Analysis&>())) {
  BackendRegistry registry;
  register_cpu_backends(registry);
  AnalysisOptions options;
  options.backends = &registry;
  options.stop = stop;
  options.pipeline.cache_bytes = 0;
  VANTAGE_ASSIGN(const auto analysis, Analysis::open(project, options));
  return solve(*analysis);
}

}  // namespace

ui::PeopleFunction place_by_people_on_cpu() {
  return [](const Project& project, const std::vector<bool>& free, bool solve_lenses, FrameRange range,
            const std::function<void(int64_t, int64_t)>& progress, const StopSource& stop) {
    return with_analysis_on_cpu(project, stop, [&](Analysis& analysis) {
      return place_by_people(project, analysis, free, range, progress, stop, std::nullopt, solve_lenses);
    });
  };
}

ui::FootageFunction solve_footage_on_cpu() {
  return [](const Project& project, const ui::FootageRequest& request,
            const std::function<void(int64_t, int64_t)>& progress, const FootageProgressCallback& found,
            const StopSource& stop) {
    return with_analysis_on_cpu(project, stop, [&](Analysis& analysis) {
      return solve_project_from_footage(project, analysis, request.range, request.max_offset_s,
                                        request.mean_height_m, progress, stop, found);
    });
  };
}

// Services of the window in addition to the session.
void Workbench::add_studies(ui::WindowServices& services) {
  services.launches = [this](const std::string& kernel) { return last_launch(backends_, kernel); };
  services.check = [this](const Project& project, CheckOptions check) {
    check.device = backends_.device;
    if (check.device != Device::cpu)
      if (const Result<double> free = free_device_bytes(backends_)) check.memory.device_bytes = *free;
    BackendRegistry registry;
    register_cpu_backends(registry);
    check.backends = &registry;
    return check_project(project, check);
  };
  if (const std::filesystem::path folder = demonstration_folder(); !folder.empty())
    services.make_demonstration = [folder](const std::function<void(double)>& progress,
                                           const StopSource& stop) -> Result<std::filesystem::path> {
      VANTAGE_TRY(render_recording({}, folder, progress, stop));
      return folder / "demonstration.vantage";
    };
  services.height_study = [this](const Project& project) {
    HeightMapperOptions height_map;
    height_map.backends = backends_.on_device(&trace_);
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
  if (auto transfer = backends_.on_device(&trace_).create<MemoryTransfer>({}))
    services.transfer = std::move(*transfer);
  else
    log_warning("pictures of the device are not searched for a board: " + transfer.error().message());
  services.place_by_people = place_by_people_on_cpu();
  services.solve_footage = solve_footage_on_cpu();
  services.compare_by_people = [](const Project& project, const BothCalibrations& both,
                                  const std::function<void(int64_t, int64_t)>& progress,
                                  const StopSource& stop) -> Result<ComparedByPeople> {
    BackendRegistry registry;
    register_cpu_backends(registry);
    std::unique_ptr<Analysis> analysis;
    const ProjectOpener open = [&](const Project& changed,
                                   const std::shared_ptr<KeptFrames>& kept) -> Result<OpenedProject> {
      AnalysisOptions options;
      options.backends = &registry;
      options.stop = stop;
      options.pipeline.cache_bytes = 0;
      options.pipeline.kept = kept;
      analysis.reset();
      VANTAGE_ASSIGN(analysis, Analysis::open(changed, options));
      return OpenedProject{*analysis, &registry, "CPU"};
    };
    return run_under_both(project, both, open, progress, stop);
  };
  services.sweep = [](const Project& project, const SweepRequest& request,
                      const std::function<void(size_t, const SweepPoint&)>& measured,
                      const StopSource& stop) -> Status {
    BackendRegistry registry;
    register_cpu_backends(registry);
    return sweep_project(project, &registry, "CPU", request, measured, stop);
  };
  services.score_masks = [](const Project& project, const DrawnMasks& drawn,
                            const std::function<void(size_t, size_t)>& progress, const StopSource& stop) {
    BackendRegistry registry;
    register_cpu_backends(registry);
    return score_project_masks(project, &registry, drawn, progress, stop);
  };
  services.carry_masks = [](const Project& project, const std::map<std::string, Image>& masks, int64_t from,
                            int64_t to, const StopSource& stop) {
    BackendRegistry registry;
    register_cpu_backends(registry);
    return carry_masks(project, registry, masks, from, to, stop);
  };
  services.export_case = [this](CaseOptions options) {
    options.backends = backends_.on_device(&trace_);
    options.hardware = backends_.hardware;
    return export_case(options);
  };
  services.export_figure = [this](FigureOptions options) {
    options.backends = backends_.on_device(&trace_);
    options.hardware = backends_.hardware;
    return export_figure(options);
  };
  services.agreement = [](const Project& project, OffsetAgreementOptions agreement) {
    BackendRegistry registry;
    register_cpu_backends(registry);
    agreement.backends = &registry;
    return offset_agreement(project, agreement);
  };
}

}  // namespace vantage
