#include "ui/main_window/file_control.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QSettings>
#include <QStandardPaths>
#include <QWidget>
#include <memory>
#include <utility>

#include "core/project/project_store.h"
#include "ui/views/camera_grid.h"

namespace vantage::ui {
namespace {

QString when_text(int64_t utc_s) {
  const QDateTime when = QDateTime::fromSecsSinceEpoch(utc_s);
  return QLocale().toString(when,
                            when.date() == QDate::currentDate() ? "HH:mm" : QObject::tr("d MMM, HH:mm"));
}

using Search = Result<std::vector<FoundFile>>;

Search search(const Project& project, const QString& folder, const StopSource& stop) {
  VANTAGE_ASSIGN(auto found, find_missing_files(project, folder.toStdString(), ByName::when_unknown, stop));
  VANTAGE_TRY(write_found_lists(found));
  return found;
}

}  // namespace

FileControl::FileControl(const WindowParts& parts)
    : Control(parts),
      find_(add_action(
          {"find_videos", "Find &Missing Files…", "",
           "Search a folder for the files that are not where the project says", false, "Find…"},
          {Menu::file, "save_as"}, [this] { find(); },
          [this] {
            return unmet({{!state().status().missing.empty(), tr("No file of the project is missing.")}});
          })) {
  connect(&making_, &BackgroundJob::stopped, this, &FileControl::show_making);
}

void FileControl::make_demonstration() {
  if (making_.running()) return;
  made_percent_ = 0;
  making_.start(
      [this, make = parts().services.make_demonstration](const StopSource& stop) -> BackgroundJob::Deliver {
        const auto report = [this, stop](double share) {
          QMetaObject::invokeMethod(
              this,
              [this, stop, percent = static_cast<int>(100 * share)] {
                if (stop.stop_requested() || percent == made_percent_) return;
                made_percent_ = percent;
                show_making();
              },
              Qt::QueuedConnection);
        };
        const auto made = std::make_shared<Result<std::filesystem::path>>(make(report, stop));
        return [this, made] {
          show_making();
          if (!*made) return emit failed(made->error());
          emit demonstration_made(QString::fromStdString((*made)->string()));
        };
      });
  show_making();
}

std::optional<RunningWork> FileControl::running() const {
  if (!making_.running()) return std::nullopt;
  return RunningWork{tr("Making the demonstration, %1 %").arg(made_percent_),
                     tr("The demonstration is being made.")};
}

// Its command, which the start page shows, says how far it is.
void FileControl::show_making() {
  QAction* demonstration = action("demonstration");
  demonstration->setText(making_.running() ? tr("Making the &Demonstration, %1 %").arg(made_percent_)
                                           : tr("Open &Demonstration"));
  set_available(demonstration, !making_.running(), tr("It is being made."));
  emit running_changed();
}

// A file that is saved under another name is another project, about which the same may have to be said.
void FileControl::refresh(Changes what) {
  if (what & (Change::project | Change::mode)) mark_missing();
  if (what.testFlag(Change::project) && !state().open())
    withdraw();
  else if (what.testFlag(Change::status) && state().open())
    say_state_of_file();
}

void FileControl::mark_missing() {
  std::vector<QString> words(project().cameras.size());
  for (const size_t camera : state().status().without_video)
    if (camera < words.size())
      words[camera] = tr("%1 is missing")
                          .arg(QFileInfo(QString::fromStdString(project().cameras[camera].video)).fileName());
  parts().cameras->set_missing(std::move(words), find_);
}

void FileControl::withdraw() {
  job_.stop();
  for (QString* said : {&held_, &changed_, &missing_}) say(*said, {});
}

// Replaces the message posted before; an empty text only withdraws it.
void FileControl::say(QString& said, Message message) {
  if (said == message.text) return;
  if (!said.isEmpty()) parts().messages->withdraw(said);
  said = message.text;
  if (!said.isEmpty()) parts().messages->post(std::move(message));
}

void FileControl::say_state_of_file() {
  const SessionStatus& status = state().status();
  const QString name = QString::fromStdString(project().path.stem().string());
  Message held, changed, missing;
  if (status.held_by) {
    held = {Severity::doubtful,
            tr("%1 has been open in %2 since %3. It is read-only here: save your changes under another name.")
                .arg(name, QString::fromStdString(owner_text(*status.held_by)),
                     when_text(status.held_by->since_utc_s)),
            tr("Open Anyway"), [this] { post(command::TakeOver{}); }};
    held.second_button = tr("Save As…");
    held.second_action = [this] { emit save_as_requested(); };
  }
  if (!status.changed_outside.empty()) {
    changed = {Severity::doubtful,
               tr("%1 was changed by another program: %2. Reload it, overwrite it, or save yours under "
                  "another name.")
                   .arg(name, QString::fromStdString(status.changed_outside)),
               tr("Reload"), [this] { post(command::Reload{}); }};
    changed.second_button = tr("Overwrite");
    changed.second_action = [this] { post(command::Overwrite{}); };
  }
  if (!status.missing.empty()) {
    const QString what = QString::fromStdString(status.missing);
    missing = {Severity::doubtful,
               status.keeps_from_analysing.empty()
                   ? tr("Missing: %1. The other cameras are shown.").arg(what)
                   : tr("Missing: %1. The other cameras are shown, with the results of all.").arg(what),
               tr("Find…"), [this] { find(); }};
  }
  say(held_, std::move(held));
  say(changed_, std::move(changed));
  say(missing_, std::move(missing));
}

void FileControl::repeat_change() {
  say(changed_, {});
  say_state_of_file();
}

QString FileControl::folder_for_search() {
  return QFileDialog::getExistingDirectory(parts().window, tr("Find Missing Videos In"),
                                           QString::fromStdString(project().path.parent_path().string()));
}

void FileControl::find() {
  if (const QString folder = folder_for_search(); !folder.isEmpty())
    find_in(folder);
  else
    repeat_missing();
}

void FileControl::find_in(const QString& folder) {
  job_.start([this, folder, project = project()](const StopSource& stop) -> BackgroundJob::Deliver {
    const auto found = std::make_shared<Search>(search(project, folder, stop));
    return [this, found, project] {
      if (!*found) return emit failed(found->error());
      post(command::Edit{"find videos", [all = **found](Project& changed) { relink(all, &changed); }});
      tell(project, **found, false);
    };
  });
}

void FileControl::find_for(const QString& file) {
  if (const QString folder = folder_for_search(); !folder.isEmpty()) find_in_for(folder, file);
}

void FileControl::find_in_for(const QString& folder, const QString& file) {
  job_.start([this, folder, file](const StopSource& stop) -> BackgroundJob::Deliver {
    Project project;
    const auto work = [&]() -> Search {
      VANTAGE_ASSIGN(project, load_project(file.toStdString()));
      VANTAGE_ASSIGN(const auto found, search(project, folder, stop));
      VANTAGE_TRY(change_project_file(file.toStdString(), [&](Project& changed) -> Status {
        relink(found, &changed);
        return {};
      }));
      return found;
    };
    const auto found = std::make_shared<Search>(work());
    return [this, found, project, file] {
      if (!*found) return emit failed(found->error());
      emit open_requested(file);
      tell(project, **found, true);
    };
  });
}

void FileControl::tell(const Project& project, const std::vector<FoundFile>& found, bool kept) {
  QStringList lost;
  for (const FoundFile& one : found)
    if (one.path.empty()) lost << QString::fromStdString(found_text(project, one));
  const auto count = static_cast<qsizetype>(found.size()) - lost.size();
  if (lost.isEmpty())
    parts().messages->post(
        {Severity::note,
         tr("Found all %1.").arg(count) + (kept ? QString() : ' ' + tr("Save the project to keep it."))});
  else
    parts().messages->post({Severity::failed,
                            tr("Found %1 of %2. %3").arg(count).arg(found.size()).arg(lost.join("; ")),
                            tr("Find…"), [this] { find(); }});
}

// The button took the message away, and nothing was done about it.
void FileControl::repeat_missing() {
  say(missing_, {});
  say_state_of_file();
}

namespace {

constexpr const char* kKey = "recent_projects";
constexpr int kKept = 10;
constexpr QSize kThumbnail(288, 192);

QString thumbnail_path(const QString& file) {
  const QByteArray name = QCryptographicHash::hash(file.toUtf8(), QCryptographicHash::Sha1).toHex().left(16);
  return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + "/thumbnails/" + name + ".png";
}

}  // namespace

QStringList recent_projects() {
  QStringList files = QSettings().value(kKey).toStringList();
  files.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
  return files;
}

void add_recent_project(const QString& file) {
  QSettings settings;
  QStringList files = settings.value(kKey).toStringList();
  const QString path = QFileInfo(file).absoluteFilePath();
  if (!files.isEmpty() && files.front() == path) return;
  files.removeAll(path);
  files.prepend(path);
  settings.setValue(kKey, files.mid(0, kKept));
  settings.sync();
}

QPixmap thumbnail_of(const QString& file) {
  return QPixmap(thumbnail_path(QFileInfo(file).absoluteFilePath()));
}

void save_thumbnail(const QString& file, const QPixmap& picture) {
  const QString path = thumbnail_path(QFileInfo(file).absoluteFilePath());
  QDir().mkpath(QFileInfo(path).absolutePath());
  picture.scaled(kThumbnail, Qt::KeepAspectRatio, Qt::SmoothTransformation).save(path, "PNG");
}

}  // namespace vantage::ui
