// Variants of the project: parameters kept under a name, compared, brought back with undo. Files are read and
// written off the GUI thread.
#pragma once

#include <QWidget>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/project/variants.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

class QLabel;
class QLineEdit;
class QTableWidget;

namespace vantage::ui {

// The project's variants: which there are, and how the one chosen differs from the parameters in use.

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

class VariantsControl final : public Control {
  Q_OBJECT
 public:
  explicit VariantsControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;

  // Keeps the parameters that results in that folder were made with, under the name of the folder.
  void keep_results(const QString& folder);
  void read_list() { change({}, {}); }

 signals:
  // The variants were read from the disk.
  void listed(const std::vector<vantage::ui::ShownVariant>& variants);

 private:
  bool has_file() const { return state().open() && !project().path.empty(); }
  void keep();
  void keep_with_results();
  bool has_name();  // else it is asked for
  void ask_for_results();
  void use();
  void ask_to_remove();
  // Off the GUI thread, then the list is read again and `name` chosen.
  void change(const std::function<Status(const std::filesystem::path& project)>& work, const QString& name);
  void show(const std::vector<ShownVariant>& variants, const std::vector<Error>& damaged,
            const QString& name);

  VariantsPanel* panel_;
  BackgroundJob job_;
};

}  // namespace vantage::ui
