// The preferences, each with what it does; a change acts at once, and Restore Defaults takes all of them
// back.
#pragma once

#include <QDialog>

#include "ui/main_window/preferences.h"

class QComboBox;
class QDoubleSpinBox;
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
  QSpinBox* memory_field(int least_mib);
  QDoubleSpinBox* seconds_field(double least_s, double most_s);
  void show_values(const Preferences& preferences);
  void report();

  QComboBox *theme_, *backend_, *offsets_;
  QSpinBox *cache_, *replay_;
  QDoubleSpinBox *trail_, *autosave_;
  bool showing_ = false;  // values are being set by the program
};

}  // namespace vantage::ui
