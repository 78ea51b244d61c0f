// The project's variants: which there are, and how the one chosen differs from the parameters in use.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/project/variants.h"

class QLabel;
class QLineEdit;
class QTableWidget;

namespace vantage::ui {

// A variant as it is shown.
struct ShownVariant {
  Variant variant;
  std::optional<int64_t> frames;  // of the results that are kept under its name; nothing: there are none
  bool results_current = false;   // made with its parameters
};

class VariantsPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands stand below the list as buttons.
  explicit VariantsPanel(const std::vector<QAction*>& commands, QWidget* parent = nullptr);

  // The chosen one stays chosen, by its name.
  void show_variants(std::vector<ShownVariant> variants);
  void show_in_use(const ParameterStore& parameters);  // what variants are compared with
  void show_text(const QString& words);
  void clear();
  void choose(const QString& name);
  const ShownVariant* chosen() const;  // null: none
  QString name() const;                // the one typed for a new variant
  void clear_name();
  void focus_name();
  QTableWidget* list() const { return list_; }
  QTableWidget* differences() const { return differences_; }

 signals:
  void chosen_changed();

 private:
  void fill_list();
  void fill_differences();

  std::vector<ShownVariant> variants_;
  ParameterStore in_use_;
  QLineEdit* name_;
  QTableWidget *list_, *differences_;
  QLabel *words_, *difference_words_;
};

}  // namespace vantage::ui
