// Copies the open project with all its files into one folder, while the window does other work.
#pragma once

#include <QPointer>
#include <filesystem>
#include <optional>

#include "core/export/collect/collect.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/widgets/task_dialog.h"

class QLineEdit;

namespace vantage::ui {

// Asks for the folder, then shows how far it is.

class CollectDialog final : public TaskDialog {
  Q_OBJECT
 public:
  CollectDialog(const Project& project, QWidget* parent = nullptr);
  void offer_saving(bool unsaved);  // the project is saved before it is collected

 signals:
  void chosen(const std::filesystem::path& folder);

 private:
  void update_state() override;
  void start() override;

  QLineEdit* folder_;
};

class CollectControl final : public Control {
  Q_OBJECT
 public:
  explicit CollectControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  CollectDialog* dialog() const { return dialog_; }  // null: none was asked for

 private:
  void ask();
  void begin(const std::filesystem::path& folder);
  void finish(const Result<CollectedProject>& collected);

  QPointer<CollectDialog> dialog_;
  std::optional<std::filesystem::path> waiting_;  // for the project to be saved
  BackgroundJob job_;
};

}  // namespace vantage::ui
