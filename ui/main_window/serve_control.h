// Serving the open project's results: the command, its dialog, what the status bar says. It ends with the
// project and comes back with the next one; other machines are never let in unasked.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/live/credentials.h"
#include "core/project/project.h"
#include "core/session/result_service.h"
#include "ui/main_window/serve_dialog.h"
#include "ui/main_window/window_actions.h"

class QToolButton;

namespace vantage::ui {

class MessageBar;

class ServeControl final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    MessageBar* messages;
    QToolButton* shown;  // in the status bar
  };
  // `service` null: this program serves nothing. `tokens` null: none is kept.
  ServeControl(const WindowActions& actions, Parts parts, std::shared_ptr<ResultService> service,
               std::shared_ptr<CredentialStore> tokens, QWidget* window);
  ~ServeControl() override;

  void set_project(const Project& project);
  void forget();                        // no project
  QString url() const { return url_; }  // empty: nothing is served
  void choose(const ServeSettings& settings, const QString& token);
  void update_availability(const QString& closed);

 private:
  void build_menu();
  void ask();
  void begin_as_stored();
  void begin(const ServeSettings& settings, std::function<Result<std::string>()> token);
  void end();
  void show_url(const QString& url);
  void on_failed(const Error& error);

  WindowActions actions_;
  Parts parts_;
  std::shared_ptr<ResultService> service_;
  std::shared_ptr<CredentialStore> tokens_;
  QWidget* window_;               // that dialogs belong to
  std::filesystem::path folder_;  // of the project's results; empty: it has no file yet
  bool open_ = false;
  QString url_;
  int turn_ = 0;      // of beginning and ending: only the newest is shown
  QThreadPool work_;  // one at a time
};

}  // namespace vantage::ui
