// Fields of dialogs and panels: each is declared in one place, with its name, its tip, its range and unit,
// and where it is kept in the settings; the form says when any of them changes.
#pragma once

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QVariant>
#include <functional>
#include <vector>

#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

class QCheckBox;
class QListWidget;
class QSettings;

namespace vantage::ui {

QSpinBox* number_field(int low, int high, int value, const QString& unit = {}, int step = 1);
// A step of 0: Qt's.
QDoubleSpinBox* number_field(double low, double high, double value, int decimals, const QString& unit = {},
                             double step = 0);
// Adds a button inside the line that asks for a file or a folder; `ask` gets what is typed, and returns what
// is to be typed, or nothing.
void add_chooser(QLineEdit* line, const QString& title, std::function<QString(const QString& now)> ask);
// An entry that can be ticked.
void add_ticked(QListWidget* list, const QString& text, bool ticked, const QVariant& data = {});
void set_rows_shown(QListWidget* list, int rows);
// Widgets in a row without margins; the first gets the focus of all.
QWidget* side_by_side(const std::vector<QWidget*>& fields);

class Form final : public QFormLayout {
  Q_OBJECT
 public:
  explicit Form(QWidget* parent = nullptr, int between_rows_px = kApart);

  // A row; `name` has a letter behind '&'. The field is watched.
  template <typename Field>
  Field* add(const QString& name, const QString& tip, Field* field) {
    add_row(name, tip, field);
    watch(field);
    return field;
  }
  QLineEdit* add_line(const QString& name, const QString& tip, const QString& text = {}, int width_px = 0);
  QCheckBox* add_check(const QString& name, const QString& tip, bool checked = false);
  QComboBox* add_choice(const QString& name, const QString& tip, const QStringList& texts = {});
  // A row of something that is no field, or of several, which watch() takes.
  void add_row(const QString& name, const QString& tip, QWidget* field);

  // Its changes are the form's from now on.
  void watch(QWidget* field);
  // Its value (of a choice: the number of the entry) is kept under `key`; the one it has now is the default.
  void keep(QWidget* field, const char* key);
  void restore(const QSettings& settings);
  void save(QSettings& settings) const;

 signals:
  void changed();  // by the user or the program

 private:
  struct Kept {
    QWidget* field;
    const char* key;
    QVariant otherwise;
  };
  std::vector<Kept> kept_;
};

}  // namespace vantage::ui
