// The preferences, each with what it does; a change acts at once, and Restore Defaults takes all of them
// back. The sound of alarms can be heard here.
#pragma once

#include <QDialog>
#include <QString>

#include "core/session/session.h"
#include "ui/platform/alarm_sound.h"
#include "ui/platform/language.h"
#include "ui/widgets/theme.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace vantage::ui {

// Preferences, kept in the program's settings; a project knows nothing of them.

// Limits of the dialog's fields. Settings hold whatever was written into them.
inline constexpr int kLargestMemory_mib = 256 * 1024, kSmallestReplay_mib = 64;
inline constexpr double kShortest_s = 0.5, kLongestTrail_s = 60, kLongestAutosave_s = 600;

struct Preferences {
  Theme theme = Theme::system;
  Language language = Language::system;
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

class PreferencesDialog final : public QDialog {
  Q_OBJECT
 public:
  // `gpus`: the names of those there are, in their order; of several each can be chosen.
  PreferencesDialog(const Preferences& preferences, const QStringList& gpus, QWidget* parent);
  Preferences preferences() const;

 signals:
  void changed(const vantage::ui::Preferences& preferences);

 private:
  void add_backends(const QString& preferred, const QStringList& gpus);
  QWidget* alarm_fields();
  void choose_alarm(const QString& file);  // empty: our own
  void test_alarm();
  void show_values(const Preferences& preferences);
  void report();

  QComboBox *theme_, *language_, *backend_, *offsets_;
  QSpinBox *cache_, *replay_, *volume_;
  QDoubleSpinBox *trail_, *autosave_;
  QComboBox* alarm_;
  QLabel* alarm_text_;
  QString alarm_file_;  // empty: ours
  AlarmSound sound_;
  bool showing_ = false;  // values are being set by the program
};

}  // namespace vantage::ui
