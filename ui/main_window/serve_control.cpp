#include "ui/main_window/serve_control.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include "core/base/log.h"
#include "ui/main_window/status_line.h"
#include "ui/widgets/form.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

// The keys of the tokens in the store of the cameras' passwords.
constexpr const char* kTokenKey = "vantage://served-results/";
constexpr const char* kMarkTokenKey = "vantage://served-results-marks/";
constexpr const char* kTokenUser = "token";

Result<std::string> kept_token(const CredentialStore* tokens, const char* key) {
  if (!tokens) return std::string();
  VANTAGE_ASSIGN(const std::optional<Credentials> kept, tokens->find(key));
  return kept ? kept->password : std::string();
}

Status keep_token(CredentialStore* tokens, const char* key, const std::string& token) {
  VANTAGE_ASSIGN(const std::string kept, kept_token(tokens, key));
  return !tokens || token == kept ? Status() : tokens->keep(key, {kTokenUser, token});
}

}  // namespace

Result<ServeControl::KeptTokens> ServeControl::kept_tokens(const CredentialStore* tokens) {
  KeptTokens kept;
  VANTAGE_ASSIGN(kept.read, kept_token(tokens, kTokenKey));
  VANTAGE_ASSIGN(kept.mark, kept_token(tokens, kMarkTokenKey));
  return kept;
}

ServeControl::ServeControl(const WindowParts& parts)
    : Control(parts),
      service_(parts.services.result_service),
      tokens_(parts.services.credentials),
      serve_(add_action(
          {"serve", "Ser&ve Results…", "Ctrl+Shift+H",
           "Let other programs read the project's results over HTTP"},
          {Menu::file, "export_menu"}, [this] { ask(); },
          [this] {
            return unmet({{open_ && !folder_.empty(),
                           tr("Save the project first: the results are served from the folder "
                              "next to it.")}});
          })),
      shown_(parts.status_line->serving()) {
  work_.setMaxThreadCount(1);
  serve_->setVisible(service_ != nullptr);
  build_menu();
}

ServeControl::~ServeControl() {
  ++turn_;  // what is shown has gone before
  if (service_) work_.start([service = service_] { service->stop(); });
  work_.waitForDone();
}

void ServeControl::build_menu() {
  auto* menu = new QMenu(shown_);
  menu->setToolTipsVisible(true);
  const auto add = [&](const QString& text, const QString& tip, auto what) {
    QAction* action = menu->addAction(text);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, what);
  };
  add(tr("&Open in Browser"), tr("Show the page that is served"),
      [this] { QDesktopServices::openUrl(QUrl(url_)); });
  add(tr("&Copy Address"), tr("Copy the address for clients"),
      [this] { QApplication::clipboard()->setText(url_); });
  menu->addAction(serve_);
  add(tr("&Stop Serving"), tr("Stop serving; clients are disconnected"), [this] {
    ServeSettings settings = stored_serve_settings();
    settings.on = false;
    choose(settings, {});
  });
  shown_->setMenu(menu);
}

void ServeControl::refresh(Changes what) {
  if (!what.testFlag(Change::project)) return;
  const std::filesystem::path folder =
      project().path.empty() ? std::filesystem::path() : project().results_folder();
  if (!state().open()) {
    if (std::exchange(open_, false)) end();
    folder_.clear();
  } else if (service_ && !(open_ && folder == folder_)) {
    open_ = true;
    folder_ = folder;
    begin_as_stored();
  }
}

void ServeControl::begin_as_stored() {
  const ServeSettings settings = stored_serve_settings();
  const Result<bool> others = service_->reaches_others(settings.address());
  if (settings.on && others && !*others && !folder_.empty())
    return begin(settings, [tokens = tokens_] { return kept_tokens(tokens.get()); });
  end();
  if (!settings.on || !others || folder_.empty()) return;
  parts().messages->post(
      {Severity::note,
       tr("Results were served to other machines last time, at %1. They are not served now.")
           .arg(QString::fromStdString(settings.address())),
       tr("Serve Results…"), [this] { serve_->trigger(); }});
}

void ServeControl::ask() {
  auto* dialog =
      new ServeDialog(*service_, stored_serve_settings(),
                      tokens_ ? QString::fromStdString(tokens_->place()) : tr("memory"), parts().window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ServeDialog::chosen, this, &ServeControl::choose);
  work_.start([dialog = QPointer<ServeDialog>(dialog), tokens = tokens_] {
    const Result<KeptTokens> kept = kept_tokens(tokens.get());
    if (!kept) return log_error(kept.error().message());
    QMetaObject::invokeMethod(
        qApp,
        [dialog, kept = ServeTokens{QString::fromStdString(kept->read), QString::fromStdString(kept->mark)}] {
          if (dialog) dialog->offer_tokens(kept);
        },
        Qt::QueuedConnection);
  });
  dialog->open();
}

void ServeControl::choose(const ServeSettings& settings, const ServeTokens& tokens) {
  store_serve_settings(settings);
  if (!settings.on) return end();
  const KeptTokens chosen{tokens.read.toStdString(), tokens.mark.toStdString()};
  begin(settings, [store = tokens_, chosen]() -> Result<KeptTokens> {
    VANTAGE_TRY(keep_token(store.get(), kTokenKey, chosen.read));
    VANTAGE_TRY(keep_token(store.get(), kMarkTokenKey, chosen.mark));
    return chosen;
  });
}

void ServeControl::begin(const ServeSettings& settings, std::function<Result<KeptTokens>()> tokens) {
  work_.start([this, turn = ++turn_, service = service_, tokens = std::move(tokens),
               choice = ServeChoice{settings.address(),
                                    {},
                                    settings.certificate.toStdString(),
                                    settings.key.toStdString(),
                                    settings.pictures},
               folder = folder_]() mutable {
    const auto started = [&]() -> Result<std::string> {
      VANTAGE_ASSIGN(KeptTokens chosen, tokens());
      choice.token = std::move(chosen.read), choice.mark_token = std::move(chosen.mark);
      return service->start(choice, folder);
    }();
    QMetaObject::invokeMethod(
        this,
        [this, turn, started] {
          if (turn != turn_) return;
          show_url(started ? QString::fromStdString(*started) : QString());
          if (!started) on_failed(started.error());
        },
        Qt::QueuedConnection);
  });
}

void ServeControl::end() {
  ++turn_;
  show_url({});
  work_.start([service = service_] { service->stop(); });
}

void ServeControl::show_url(const QString& url) {
  url_ = url;
  const QString text = tr("Serving at %1").arg(url);
  shown_->setText(text + QStringLiteral(" \u25be"));
  shown_->setAccessibleName(text);
  shown_->setVisible(!url.isEmpty());
}

void ServeControl::on_failed(const Error& error) {
  log_error(error.message());
  parts().messages->post({Severity::failed,
                          tr("The results are not served: %1").arg(QString::fromStdString(error.message())),
                          tr("Serve Results…"), [this] { serve_->trigger(); }});
}

namespace {

constexpr int kMaxPort = 65535, kTextWidth = 420;

}  // namespace

std::string ServeSettings::address() const {
  const std::string name = host.trimmed().toStdString();
  const bool bare_ipv6 = name.find(':') != std::string::npos && !name.starts_with('[');
  return (bare_ipv6 ? "[" + name + "]" : name) + ":" + std::to_string(port);
}

ServeSettings stored_serve_settings() {
  const QSettings settings;
  const ServeSettings defaults;
  return {settings.value("serve/address", defaults.host).toString(),
          settings.value("serve/port", defaults.port).toInt(),
          settings.value("serve/on", false).toBool(),
          settings.value("serve/certificate").toString(),
          settings.value("serve/key").toString(),
          settings.value("serve/pictures", false).toBool()};
}

void store_serve_settings(const ServeSettings& choice) {
  QSettings settings;
  settings.setValue("serve/address", choice.host);
  settings.setValue("serve/port", choice.port);
  settings.setValue("serve/on", choice.on);
  settings.setValue("serve/certificate", choice.certificate);
  settings.setValue("serve/key", choice.key);
  settings.setValue("serve/pictures", choice.pictures);
}

ServeDialog::ServeDialog(const ResultService& service, const ServeSettings& settings, const QString& position,
                         QWidget* parent)
    : QDialog(parent),
      service_(service),
      serve_(described(new QCheckBox(tr("&Serve this project's results")), tr("Serve this project's results"),
                       tr("Over HTTP, for as long as a project is open"))),
      pictures_(
          described(new QCheckBox(tr("Serve the cameras' p&ictures and clips, too")),
                    tr("Serve the cameras' pictures and clips, too"),
                    tr("The newest picture of each camera during a run or with live cameras, and clips of "
                       "a span. They show people; numbers and masks do not"))),
      problem_(new QLabel),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
  setWindowTitle(tr("Serve Results"));
  auto* form = new Form;
  host_ = new QComboBox;
  host_->setEditable(true);
  host_->addItems({"127.0.0.1", "0.0.0.0"});
  host_->setEditText(settings.host);
  form->add(tr("&Address"),
            tr("127.0.0.1: programs on this machine only; 0.0.0.0: every machine that can reach this one"),
            host_);
  port_ = form->add(tr("&Port"), tr("The port number; 0 takes a free one"),
                    number_field(0, kMaxPort, settings.port));
  port_->setSpecialValueText(tr("any free port"));
  token_ = form->add_line(tr("&Token"),
                          tr("What clients send as 'Authorization: Bearer TOKEN'; kept in %1").arg(position));
  mark_token_ = form->add_line(
      tr("Token to &mark"),
      tr("A second token: clients that send it can also mark events as seen, false alarm or exported, with a "
         "note; empty: no one can; kept in %1")
          .arg(position));
  mark_token_->setPlaceholderText(tr("no one marks events"));
  for (QLineEdit* token : {token_, mark_token_}) token->setEchoMode(QLineEdit::Password);
  const auto file = [&](const QString& name, const QString& tip, const QString& path) {
    QLineEdit* line = form->add_line(name, tip, path);
    line->setPlaceholderText(tr("none"));
    const QString title = tr("Choose %1").arg(line->accessibleName());
    add_chooser(line, title, [this, title](const QString& now) {
      return QFileDialog::getOpenFileName(this, title, QFileInfo(now).absolutePath(),
                                          tr("PEM files (*.pem *.crt *.cer *.key);;All files (*)"));
    });
    return line;
  };
  certificate_ = file(tr("&Certificate"),
                      tr("PEM file with this machine's certificate: results are then served encrypted, at "
                         "https://; empty: not encrypted"),
                      settings.certificate);
  key_ = file(tr("Private &key"), tr("PEM file with the certificate's private key, without a password"),
              settings.key);
  serve_->setChecked(true);
  pictures_->setChecked(settings.pictures);
  form->watch(serve_);
  QLabel* words = quiet_label(
      tr("Other programs read status, frames, tracks and pictures here, and a browser shows a page: "
         "results on disk, a run in progress, and live cameras."));
  for (QLabel* label : {words, problem_}) {
    label->setWordWrap(true);
    label->setMinimumWidth(kTextWidth);
  }
  problem_->setAccessibleName(tr("What is missing"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kPage, kWide, kPage, kWide);
  page->setSpacing(kWide);
  page->addWidget(words);
  page->addWidget(serve_);
  page->addLayout(form);
  page->addWidget(pictures_);
  page->addWidget(problem_);
  page->addStretch(1);
  page->addWidget(buttons_);
  connect(form, &Form::changed, this, &ServeDialog::update_state);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons_, &QDialogButtonBox::accepted, this, [this] {
    emit chosen(this->settings(), {token_->text(), mark_token_->text()});
    accept();
  });
  update_state();
}

void ServeDialog::offer_tokens(const ServeTokens& tokens) {
  if (token_->text().isEmpty()) token_->setText(tokens.read);
  if (mark_token_->text().isEmpty()) mark_token_->setText(tokens.mark);
}

ServeSettings ServeDialog::settings() const {
  return {host_->currentText().trimmed(), port_->value(),         serve_->isChecked(),
          certificate_->text().trimmed(), key_->text().trimmed(), pictures_->isChecked()};
}

QString ServeDialog::missing() const {
  const ServeSettings choice = settings();
  const Result<bool> others = service_.reaches_others(choice.address());
  if (!others) return QString::fromStdString(others.error().message());
  if (*others && token_->text().isEmpty())
    return tr("Other machines can reach this address. Set a token that they have to send.");
  if (!token_->text().isEmpty() && token_->text() == mark_token_->text())
    return tr("The two tokens are the same. Choose another one to mark with.");
  if (choice.certificate.isEmpty() != choice.key.isEmpty())
    return tr("A certificate and its private key belong together. Choose both files, or none.");
  for (const QString& file : {choice.certificate, choice.key})
    if (!file.isEmpty() && !QFileInfo(file).isFile()) return tr("There is no file %1.").arg(file);
  return {};
}

void ServeDialog::update_state() {
  const QString problem = serve_->isChecked() ? missing() : QString();
  problem_->setText(problem);
  pictures_->setEnabled(serve_->isChecked());
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
}

}  // namespace vantage::ui
