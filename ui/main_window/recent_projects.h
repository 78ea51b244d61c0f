// The projects of late, newest first, in the program's settings. Written at once, so that a crash loses
// nothing.
#pragma once

#include <QStringList>

namespace vantage::ui {

QStringList recent_projects();  // those that still exist
void add_recent_project(const QString& file);

}  // namespace vantage::ui
