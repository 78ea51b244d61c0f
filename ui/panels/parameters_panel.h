// The parameters of every stage, made from their tables: basic ones shown, the rest behind More, a search
// over all.
#pragma once

#include <QStringList>
#include <QWidget>
#include <map>
#include <vector>

#include "core/base/parameters.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace vantage::ui {

class ParameterEditor;
class ScrollList;

class ParametersPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit ParametersPanel(QWidget* parent = nullptr);

  // Builds the rows when the tables are new, else only updates the values.
  void set_parameters(const ParameterStore& parameters);
  void clear();
  // What is searched for among the parameters and belongs to the project: shown when one of the words is.
  void set_hint(const QStringList& words, const QString& hint);
  ParameterEditor* editor(const std::string& stage, const std::string& name) const;
  void show_expert(bool on);
  // As if that were typed into the search.
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

}  // namespace vantage::ui
