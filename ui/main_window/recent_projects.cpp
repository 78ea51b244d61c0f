#include "ui/main_window/recent_projects.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace vantage::ui {
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
