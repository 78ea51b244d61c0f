#include "ui/main_window/preferences.h"

#include <QSettings>

namespace vantage::ui {

Preferences stored_preferences() {
  const QSettings settings;
  const Preferences none;
  Preferences p;
  p.theme = static_cast<Theme>(settings.value("theme", static_cast<int>(none.theme)).toInt());
  p.backend = settings.value("backend", none.backend).toString();
  p.cache_mib = settings.value("cache_mib", none.cache_mib).toInt();
  p.replay_mib = settings.value("replay_mib", none.replay_mib).toInt();
  p.trail_s = settings.value("trail_s", none.trail_s).toDouble();
  p.autosave_s = settings.value("autosave_s", none.autosave_s).toDouble();
  p.offset_watch =
      static_cast<OffsetWatch>(settings.value("offset_watch", static_cast<int>(none.offset_watch)).toInt());
  p.alarm.file = settings.value("alarm_file", none.alarm.file).toString();
  p.alarm.volume_percent = settings.value("alarm_volume", none.alarm.volume_percent).toInt();
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
