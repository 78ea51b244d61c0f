// The parameters of every stage, from their tables: basic ones shown, the rest behind More, with a search
// over all.
#pragma once

#include <QStringList>
#include <QWidget>
#include <map>
#include <vector>

#include "core/base/parameters.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSlider;
class QToolButton;

namespace vantage::ui {

class ParameterEditor;
class ScrollList;

class ParametersPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit ParametersPanel(QWidget* parent = nullptr);

  // Builds the rows for new tables, else only updates the values.
  void set_parameters(const ParameterStore& parameters);
  void clear();
  // A hint on project settings that users search for among parameters: shown when one of the words is
  // searched for.
  void set_hint(const QStringList& words, const QString& hint);
  ParameterEditor* editor(const std::string& stage, const std::string& name) const;
  void show_expert(bool on);
  // As if typed into the search.
  void search_for(const QString& words);

 signals:
  void edited(const std::string& stage, const std::string& name, double value);
  void reset_requested(const std::string& stage, const std::string& name);

 private:
  struct Section {
    QWidget* heading;
    std::vector<ParameterEditor*> editors;
  };
  void build();
  void filter();

  std::vector<const ParameterTable*> tables_;
  std::vector<Section> sections_;
  QLineEdit* search_;
  QToolButton* more_;
  QLabel *empty_, *hint_;
  QStringList hint_words_;
  ScrollList* rows_;
};

// One parameter's row, from its description: a slider and a number, a choice or a check box, with help as
// tooltip. A value that differs from the default is marked and can be reset.

class ParameterEditor final : public QWidget {
  Q_OBJECT
 public:
  ParameterEditor(std::string stage, const ParameterDescription& description, QWidget* parent = nullptr);

  const std::string& stage() const { return stage_; }
  const ParameterDescription& description() const { return description_; }
  double value() const { return value_; }
  // Without a signal. A slider being dragged keeps its position.
  void set_value(double value);
  bool matches(const QString& search) const;

 signals:
  void edited(double value);
  void reset_requested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void make_number(QWidget* row);
  void make_choice();
  void make_check();
  void edit(double value);
  void show_changed();
  int slider_position(double value) const;
  double slider_value(int position) const;
  QString tooltip() const;

  std::string stage_;
  ParameterDescription description_;
  double value_ = 0;
  QLabel* name_;
  QToolButton* reset_;
  QSlider* slider_ = nullptr;
  QDoubleSpinBox* number_ = nullptr;
  QComboBox* choice_ = nullptr;
  QCheckBox* check_ = nullptr;
};

}  // namespace vantage::ui
