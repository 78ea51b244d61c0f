// The fields of one target of messages.
#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "core/live/credentials.h"
#include "core/project/push_target.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;

namespace vantage::ui {

class Form;

// "Broker (MQTT 5)"
QString push_kind_text(PushKind kind);

// A target as it is edited, with what is this machine's and not the project's.
struct EditedTarget {
  PushTarget target;
  std::string former_name = {};                  // in the project; empty: it was added here
  bool allowed = false;                          // to be sent to from this machine
  bool was_allowed = false;                      // before the dialog
  std::optional<bool> secret_kept = {};          // nothing: not known yet
  std::optional<Credentials> typed_secret = {};  // in place of the one that is kept; nothing: none was typed
};

class TargetEditor final : public QWidget {
  Q_OBJECT
 public:
  // `rules`: the project's, by name; `base`: what topics begin with where nothing is written; `place`: where
  // passwords are kept, as text.
  TargetEditor(const std::vector<std::string>& rules, const QString& base, const QString& place,
               QWidget* parent = nullptr);

  void show_target(const EditedTarget& edited);
  EditedTarget edited() const { return edited_; }
  void show_secret_kept(bool kept);
  void focus_name();

 signals:
  void changed();  // by the user

 private:
  template <typename Field>
  Field* add(const QString& name, const QString& tip, Field* field);
  QLineEdit* add_line(const QString& name, const QString& tip);
  QLineEdit* add_file(const QString& name, const QString& tip, const QString& kinds);
  void add_destination();
  void add_contents();
  void take();
  void show_rules();
  void show_kind();
  void show_secret_hint();

  const std::vector<std::string> rules_;
  const QString place_;
  EditedTarget edited_;
  bool showing_ = false;
  std::vector<std::string> shown_arguments_;  // as text they may be others
  QString shown_text_;
  Form* form_;
  QLineEdit *name_, *address_, *program_, *user_, *password_, *ca_, *topic_, *discovery_;
  QComboBox* kind_;
  QPlainTextEdit* arguments_;
  QDoubleSpinBox* limit_;
  QCheckBox *events_, *pictures_, *health_, *allow_;
  QListWidget* only_;
  QLabel* allow_words_;
};

}  // namespace vantage::ui
