// Messages about the open project's file, and their remedies: another user has it open, another program has
// written it, videos are missing.
#pragma once

#include <QPixmap>
#include <QString>
#include <QStringList>

#include "core/project/missing_files.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

class FileControl final : public Control {
  Q_OBJECT
 public:
  explicit FileControl(const WindowParts& parts);

  void refresh(Changes what) override;
  // The message that another program has written the file is shown again: it keeps the project from being
  // saved.
  void repeat_change();

  // Asks for a folder; looks there for what is missing, off the GUI thread.
  void find();
  void find_in(const QString& folder);
  // The same for a project that cannot be opened without what is missing: what is found goes into its file.
  void find_for(const QString& file);
  void find_in_for(const QString& folder, const QString& file);

  // Renders the demonstration's footage, unless that is in progress.
  void make_demonstration();
  std::optional<RunningWork> running() const override;
  void stop() override { making_.stop(); }

 signals:
  void save_as_requested();
  void demonstration_made(const QString& file);

 private:
  QString folder_for_search();
  void say_state_of_file();
  void mark_missing();
  void show_making();
  void withdraw();
  void repeat_missing();
  void say(QString& said, Message message);
  // `kept`: what was found is in the project's file already.
  void tell(const Project& project, const std::vector<FoundFile>& found, bool kept);

  QAction* const find_;
  QString held_, changed_, missing_;  // what is said now; empty: nothing
  BackgroundJob job_, making_;
  int made_percent_ = 0;
};

// The projects of late, newest first, in the program's settings. Written at once, so that a crash loses
// nothing.

QStringList recent_projects();  // those that still exist
void add_recent_project(const QString& file);
// A small picture of the project, kept in the program's cache; null where there is none.
QPixmap thumbnail_of(const QString& file);
void save_thumbnail(const QString& file, const QPixmap& picture);

}  // namespace vantage::ui
