// Variants of the project: parameters kept under a name, compared, brought back with undo. Files are read and
// written off the GUI thread.
#pragma once

#include <filesystem>

#include "ui/main_window/control.h"
#include "ui/main_window/variants/variants_panel.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class VariantsControl final : public Control {
  Q_OBJECT
 public:
  explicit VariantsControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  std::optional<Dock> dock() const override;

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

  QAction *dock_, *keep_, *keep_results_, *use_, *from_results_, *remove_;
  VariantsPanel* panel_;
  BackgroundJob job_;
};

}  // namespace vantage::ui
