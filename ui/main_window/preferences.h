// Preferences, kept in the program's settings; a project knows nothing of them.
#pragma once

#include <QString>

#include "core/session/session.h"
#include "ui/platform/alarm_sound.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {

// Limits of the dialog's fields. Settings hold whatever was written into them.
inline constexpr int kLargestMemory_mib = 256 * 1024, kSmallestReplay_mib = 64;
inline constexpr double kShortest_s = 0.5, kLongestTrail_s = 60, kLongestAutosave_s = 600;

struct Preferences {
  Theme theme = Theme::system;
  QString backend = QStringLiteral("auto");  // from the next start on: auto, cpu, cuda, cuda:N
  int cache_mib = 2048;                      // results kept in memory
  int replay_mib = 1024;                     // what stages remembered, kept in memory
  double trail_s = 4;
  double autosave_s = 2;  // from the last change on
  OffsetWatch offset_watch = OffsetWatch::propose;
  AlarmTone alarm;
  bool operator==(const Preferences&) const = default;
};

// Values that cannot be are brought into their ranges.
Preferences stored_preferences();
void store_preferences(const Preferences& preferences);
SessionLimits limits_of(const Preferences& preferences);

}  // namespace vantage::ui
