// Asks where the project's results are served: address, port, tokens, files for TLS, and whether at all.
#pragma once

#include <QDialog>

#include "core/session/result_service.h"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace vantage::ui {

// Settings of the program, kept between starts. The tokens are elsewhere (core/live/credentials.h).
struct ServeSettings {
  QString host = QStringLiteral("127.0.0.1");
  int port = 8080;
  bool on = false;
  QString certificate = {}, key = {};  // files in PEM form; both empty: without TLS
  bool pictures = false;               // the cameras' newest pictures and clips, too
  std::string address() const;         // as ServeChoice has it
};
// What clients send: to read, and to mark events, too. Empty: none is asked for; no one marks any.
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
  QString problem() const;  // what hinders it, for people

 signals:
  void chosen(const vantage::ui::ServeSettings& settings, const vantage::ui::ServeTokens& tokens);

 private:
  ServeSettings settings() const;
  QLineEdit* add_file(QFormLayout* form, const QString& name, const QString& tip, const QString& file);
  QString missing() const;  // what hinders it, for people
  void update_state();

  const ResultService& service_;
  QComboBox* host_;
  QSpinBox* port_;
  QLineEdit *token_, *mark_token_;
  QLineEdit *certificate_, *key_;
  QCheckBox *serve_, *pictures_;
  QLabel* problem_;
  QDialogButtonBox* buttons_;
};

}  // namespace vantage::ui
