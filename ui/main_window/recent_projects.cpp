#include "ui/main_window/recent_projects.h"

#include <QFileInfo>
#include <QSettings>

namespace vantage::ui {
namespace {

constexpr const char* kKey = "recent_projects";
constexpr int kKept = 10;

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

}  // namespace vantage::ui
