// The preferences, each with what it does; a change acts at once, and Restore Defaults takes all of them
// back. The sound of alarms can be heard here.
#pragma once

#include <QDialog>

#include "ui/main_window/preferences.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace vantage::ui {

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
  QSpinBox* memory_field(int min_mib);
  QDoubleSpinBox* seconds_field(double min_s, double max_s);
  QWidget* alarm_fields();
  void choose_alarm(const QString& file);  // empty: our own
  void test_alarm();
  void show_values(const Preferences& preferences);
  void report();

  QComboBox *theme_, *backend_, *offsets_;
  QSpinBox *cache_, *replay_, *volume_;
  QDoubleSpinBox *trail_, *autosave_;
  QComboBox* alarm_;
  QLabel* alarm_text_;
  QString alarm_file_;  // empty: ours
  AlarmSound sound_;
  bool showing_ = false;  // values are being set by the program
};

}  // namespace vantage::ui
