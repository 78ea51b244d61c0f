// What people prefer of the program, kept in its settings; a project knows nothing of it.
#pragma once

#include <QString>

#include "core/session/session.h"
#include "ui/platform/alarm_sound.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {

struct Preferences {
  Theme theme = Theme::system;
  QString backend = QStringLiteral("auto");  // of the next start: auto, cpu, cuda, cuda:N
  int cache_mib = 2048;                      // results kept in memory
  int replay_mib = 1024;                     // what stages remembered, kept in memory
  double trail_s = 4;
  double autosave_s = 2;  // from the last change on
  OffsetWatch offset_watch = OffsetWatch::propose;
  AlarmTone alarm;
  bool operator==(const Preferences&) const = default;
};

Preferences stored_preferences();
void store_preferences(const Preferences& preferences);
SessionLimits limits_of(const Preferences& preferences);

}  // namespace vantage::ui
