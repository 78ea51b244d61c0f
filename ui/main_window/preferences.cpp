#include "ui/main_window/preferences.h"

#include <QSettings>
#include <QVariant>
#include <algorithm>
#include <cmath>

namespace vantage::ui {

namespace {

double seconds_in(const QVariant& value, double max_s, double otherwise) {
  bool read = false;
  const double seconds = value.toDouble(&read);
  return read && std::isfinite(seconds) ? std::clamp(seconds, kShortest_s, max_s) : otherwise;
}

// A stored value of an enumeration whose values are 0 to `last`.
template <typename Choice>
Choice choice_in(const QVariant& value, Choice last, Choice otherwise) {
  bool read = false;
  const int choice = value.toInt(&read);
  return read && choice >= 0 && choice <= static_cast<int>(last) ? static_cast<Choice>(choice) : otherwise;
}

}  // namespace

Preferences stored_preferences() {
  const QSettings settings;
  const Preferences none;
  Preferences p;
  p.theme = choice_in(settings.value("theme"), Theme::dark, none.theme);
  p.backend = settings.value("backend", none.backend).toString();
  p.cache_mib = std::clamp(settings.value("cache_mib", none.cache_mib).toInt(), 0, kLargestMemory_mib);
  p.replay_mib = std::clamp(settings.value("replay_mib", none.replay_mib).toInt(), kSmallestReplay_mib,
                            kLargestMemory_mib);
  p.trail_s = seconds_in(settings.value("trail_s"), kLongestTrail_s, none.trail_s);
  p.autosave_s = seconds_in(settings.value("autosave_s"), kLongestAutosave_s, none.autosave_s);
  p.offset_watch = choice_in(settings.value("offset_watch"), OffsetWatch::apply, none.offset_watch);
  p.alarm.file = settings.value("alarm_file", none.alarm.file).toString();
  p.alarm.volume_percent =
      std::clamp(settings.value("alarm_volume", none.alarm.volume_percent).toInt(), 0, 100);
  return p;
}

void store_preferences(const Preferences& p) {
  QSettings settings;
  settings.setValue("theme", static_cast<int>(p.theme));
  settings.setValue("backend", p.backend);
  settings.setValue("cache_mib", p.cache_mib);
  settings.setValue("replay_mib", p.replay_mib);
  settings.setValue("trail_s", p.trail_s);
  settings.setValue("autosave_s", p.autosave_s);
  settings.setValue("offset_watch", static_cast<int>(p.offset_watch));
  settings.setValue("alarm_file", p.alarm.file);
  settings.setValue("alarm_volume", p.alarm.volume_percent);
}

SessionLimits limits_of(const Preferences& p) {
  return {static_cast<size_t>(p.cache_mib) << 20, static_cast<size_t>(p.replay_mib) << 20, p.trail_s};
}

}  // namespace vantage::ui
