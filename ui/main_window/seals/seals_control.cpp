#include "ui/main_window/seals/seals_control.h"

#include <algorithm>

#include "core/seal/recording_seal.h"
#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

Result<std::vector<CameraSeal>> seals_of(const Project& project) {
  VANTAGE_ASSIGN(const std::vector<CameraFiles> cameras, files_of_cameras(project));
  std::vector<CameraSeal> seals;
  for (const CameraFiles& files : cameras) {
    const auto sealed = std::ranges::count_if(files.files, [](const std::filesystem::path& file) {
      std::error_code none;
      return std::filesystem::exists(seal_path(file), none);
    });
    seals.push_back({files, static_cast<size_t>(sealed)});
  }
  return seals;
}

}  // namespace

SealsControl::SealsControl(const WindowParts& parts) : Control(parts) {
  add_action(
      {"seals", "Sea&ls and Custody…", "Alt+Shift+S",
       "Sign the recordings, compare them with their seals, and show who did what with the project"},
      {Menu::file, "collect_project"}, [this] { ask(); },
      [this] {
        return unmet({{!project().path.empty(), tr("Save the project first.")},
                      {!project().live(), tr("Live cameras are sealed as they are recorded.")},
                      {project().has_pictures(), tr("The project has no videos.")}});
      });
  connect(&job_, &BackgroundJob::stopped, this, [this] { finish({}); });
}

void SealsControl::forget() {
  job_.stop();
  if (dialog_) dialog_->deleteLater();
}

void SealsControl::ask() {
  if (!dialog_) {
    dialog_ = new SealsDialog(parts().window);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &SealsDialog::seal_wanted, this, &SealsControl::seal);
    connect(dialog_, &SealsDialog::verify_wanted, this, &SealsControl::verify);
    connect(dialog_, &SealsDialog::stopped, &job_, &BackgroundJob::stop);
    connect(dialog_, &QObject::destroyed, &job_, &BackgroundJob::stop);
    read();
  }
  dialog_->show();
  dialog_->raise();
  dialog_->activateWindow();
}

void SealsControl::read() {
  dialog_->show_running(true);
  job_.start([this, project = project()](const StopSource&) -> BackgroundJob::Deliver {
    return [this, seals = seals_of(project), log = read_custody(custody_path(project.path))] {
      if (!dialog_) return;
      if (seals) dialog_->show_cameras(*seals);
      dialog_->show_log(log);
      finish(seals ? Status() : fail(seals.error()));
    };
  });
}

void SealsControl::tell(const StopSource& stop, const QString& doing) {
  QMetaObject::invokeMethod(
      this,
      [this, stop, doing] {
        if (dialog_ && job_.running() && !stop.stop_requested()) dialog_->show_doing(doing);
      },
      Qt::QueuedConnection);
}

void SealsControl::seal() {
  dialog_->show_running(true);
  job_.start([this, project = project()](const StopSource& stop) -> BackgroundJob::Deliver {
    const auto seal_all = [&]() -> Status {
      VANTAGE_ASSIGN(const std::unique_ptr<SigningKey> key, SigningKey::of_user());
      VANTAGE_ASSIGN(const std::vector<CameraFiles> cameras, files_of_cameras(project));
      for (const CameraFiles& camera : cameras) {
        VANTAGE_ASSIGN(
            const std::vector<FileSeal> sealed,
            seal_camera(camera, *key, stop, [&](const std::filesystem::path& file, double seconds) {
              tell(stop, tr("Sealing %1: %2 s")
                             .arg(qt_text(file.filename().string()))
                             .arg(static_cast<int64_t>(seconds)));
            }));
        VANTAGE_TRY(note_sealed(project.path, camera, sealed));
      }
      return {};
    };
    return [this, sealed = seal_all()] {
      finish(sealed);
      if (dialog_) read();
    };
  });
}

void SealsControl::verify() {
  dialog_->show_running(true);
  job_.start([this, project = project()](const StopSource& stop) -> BackgroundJob::Deliver {
    const auto cameras = files_of_cameras(project);
    const auto known = KnownKeys::with_own();
    bool untouched = cameras && known;
    for (size_t i = 0; cameras && known && i < cameras->size() && !stop.stop_requested(); ++i) {
      const CameraFiles& camera = (*cameras)[i];
      tell(stop, tr("Comparing %1").arg(qt_text(camera.camera)));
      const auto verdict = verify_camera(camera, stop);
      untouched = untouched && verdict && verdict->untouched();
      QMetaObject::invokeMethod(
          this,
          [this, stop, camera = camera.camera, verdict, known = *known] {
            if (dialog_ && !stop.stop_requested()) dialog_->show_verdict(camera, verdict, known);
          },
          Qt::QueuedConnection);
    }
    if (cameras && known && !stop.stop_requested())
      note_custody(project.path, "verified", {{"result", untouched ? "untouched" : "touched"}});
    const Status done = !cameras ? fail(cameras.error()) : !known ? fail(known.error()) : Status();
    return [this, done, log = read_custody(custody_path(project.path))] {
      finish(done);
      if (dialog_) dialog_->show_log(log);
    };
  });
}

void SealsControl::finish(const Status& done) {
  if (dialog_) dialog_->show_running(false);
  if (!done) emit failed(done.error());
}

}  // namespace vantage::ui
