// Serving the open project's results: the command, its dialog, what the status bar says. It ends with the
// project and comes back with the next one; other machines are never let in unasked.
#pragma once

#include <QThreadPool>
#include <filesystem>
#include <functional>

#include "ui/main_window/control.h"
#include "ui/main_window/serve_dialog.h"

class QToolButton;

namespace vantage::ui {

class ServeControl final : public Control {
  Q_OBJECT
 public:
  explicit ServeControl(const WindowParts& parts);
  ~ServeControl() override;

  void refresh(Changes what) override;
  void update_availability() override;

  QString url() const { return url_; }  // empty: nothing is served
  void choose(const ServeSettings& settings, const ServeTokens& tokens);

 private:
  struct KeptTokens {
    std::string read, mark;
  };
  static Result<KeptTokens> kept_tokens(const CredentialStore* tokens);
  void build_menu();
  void ask();
  void begin_as_stored();
  void begin(const ServeSettings& settings, std::function<Result<KeptTokens>()> tokens);
  void end();
  void show_url(const QString& url);
  void on_failed(const Error& error);

  std::shared_ptr<ResultService> service_;   // null: this program serves nothing
  std::shared_ptr<CredentialStore> tokens_;  // null: none is kept
  QAction* serve_;
  QToolButton* shown_;            // in the status bar
  std::filesystem::path folder_;  // of the project's results; empty: it has no file yet
  bool open_ = false;
  QString url_;
  int turn_ = 0;      // number of starts and stops: only the newest is shown
  QThreadPool work_;  // one at a time
};

}  // namespace vantage::ui
