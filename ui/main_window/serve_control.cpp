#include "ui/main_window/serve_control.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QMenu>
#include <QPointer>
#include <QToolButton>
#include <QUrl>

#include "core/base/log.h"
#include "ui/main_window/status_line.h"
#include "ui/widgets/message_bar.h"

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
      serve_(add_action({"serve", "Ser&ve Results…", "Ctrl+Shift+H",
                         "Let other programs read the project's results over HTTP"},
                        {Menu::file, "export_menu"}, [this] { ask(); })),
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

void ServeControl::update_availability() {
  enable(serve_, open_ && !folder_.empty(),
         tr("Save the project first: the results are served from the folder next to it."));
}

}  // namespace vantage::ui
