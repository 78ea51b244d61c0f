// Serving the open project's results: the command, its dialog, what the status bar says. It ends with the
// project and comes back with the next one; other machines are never let in unasked.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QThreadPool>
#include <filesystem>
#include <functional>

#include "core/session/session.h"
#include "ui/main_window/control.h"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace vantage::ui {

// Asks where the project's results are served: address, port, tokens, files for TLS, and whether at all.

// Settings of the program, kept between starts. The tokens are elsewhere (core/live/credentials.h).
struct ServeSettings {
  QString host = QStringLiteral("127.0.0.1");
  int port = 8080;
  bool on = false;
  QString certificate = {}, key = {};  // files in PEM form; both empty: without TLS
  bool pictures = false;               // the cameras' newest pictures and clips, too
  std::string address() const;         // as ServeChoice has it
};
// Sent by clients: to read, and to mark events, too. Empty: none is asked for; no one marks any.
struct ServeTokens {
  QString read = {}, mark = {};
};
ServeSettings stored_serve_settings();
void store_serve_settings(const ServeSettings& settings);

class ServeDialog final : public QDialog {
  Q_OBJECT
 public:
  // `place`: where the tokens are kept, as text.
  ServeDialog(const ResultService& service, const ServeSettings& settings, const QString& place,
              QWidget* parent = nullptr);
  // The kept tokens, unless others were typed meanwhile.
  void offer_tokens(const vantage::ui::ServeTokens& tokens);
  QString problem() const { return problem_->text(); }  // what hinders it, for people

 signals:
  void chosen(const vantage::ui::ServeSettings& settings, const vantage::ui::ServeTokens& tokens);

 private:
  ServeSettings settings() const;
  QString missing() const;  // what hinders it, for people
  void update_state();

  const ResultService& service_;
  QCheckBox *serve_, *pictures_;
  QComboBox* host_;
  QSpinBox* port_;
  QLineEdit *token_, *mark_token_, *certificate_, *key_;
  QLabel* problem_;
  QDialogButtonBox* buttons_;
};

class ServeControl final : public Control {
  Q_OBJECT
 public:
  explicit ServeControl(const WindowParts& parts);
  ~ServeControl() override;

  void refresh(Changes what) override;

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
