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

// The key of the token in the store of the cameras' passwords.
constexpr const char* kTokenKey = "vantage://served-results/";
constexpr const char* kTokenUser = "token";

Result<std::string> kept_token(const CredentialStore* tokens) {
  if (!tokens) return std::string();
  VANTAGE_ASSIGN(const std::optional<Credentials> kept, tokens->find(kTokenKey));
  return kept ? kept->password : std::string();
}

}  // namespace

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
    return begin(settings, [tokens = tokens_] { return kept_token(tokens.get()); });
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
    const Result<std::string> kept = kept_token(tokens.get());
    if (!kept) return log_error(kept.error().message());
    QMetaObject::invokeMethod(
        qApp,
        [dialog, token = QString::fromStdString(*kept)] {
          if (dialog) dialog->offer_token(token);
        },
        Qt::QueuedConnection);
  });
  dialog->open();
}

void ServeControl::choose(const ServeSettings& settings, const QString& token) {
  store_serve_settings(settings);
  if (!settings.on) return end();
  begin(settings, [tokens = tokens_, token = token.toStdString()]() -> Result<std::string> {
    VANTAGE_ASSIGN(const std::string kept, kept_token(tokens.get()));
    if (tokens && token != kept) VANTAGE_TRY(tokens->keep(kTokenKey, {kTokenUser, token}));
    return token;
  });
}

void ServeControl::begin(const ServeSettings& settings, std::function<Result<std::string>()> token) {
  work_.start([this, turn = ++turn_, service = service_, token = std::move(token),
               choice = ServeChoice{settings.address(),
                                    {},
                                    settings.certificate.toStdString(),
                                    settings.key.toStdString(),
                                    settings.pictures},
               folder = folder_]() mutable {
    const auto started = [&]() -> Result<std::string> {
      VANTAGE_ASSIGN(choice.token, token());
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
         tr("Save the project first: the results are served from the folder beside it."));
}

}  // namespace vantage::ui
