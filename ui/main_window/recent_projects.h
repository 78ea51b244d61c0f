// The projects of late, newest first, in the program's settings. Written at once, so that a crash loses
// nothing.
#pragma once

#include <QPixmap>
#include <QStringList>

namespace vantage::ui {

QStringList recent_projects();  // those that still exist
void add_recent_project(const QString& file);
// A small picture of the project, kept in the program's cache; null where there is none.
QPixmap thumbnail_of(const QString& file);
void save_thumbnail(const QString& file, const QPixmap& picture);

}  // namespace vantage::ui
