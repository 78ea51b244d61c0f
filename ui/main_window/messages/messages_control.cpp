#include "ui/main_window/messages/messages_control.h"

#include <QMessageBox>
#include <algorithm>

#include "core/base/log.h"
#include "core/base/trace.h"
#include "core/push/push_consent.h"
#include "core/push/push_queue.h"
#include "core/push/push_transport.h"

namespace vantage::ui {
namespace {

// The queue is made only by those that send; null: nothing was ever sent.
Result<std::unique_ptr<PushQueue>> queue_of(const std::filesystem::path& project) {
  std::error_code none;
  const std::filesystem::path folder = push_folder(project);
  if (project.empty() || !std::filesystem::exists(folder, none)) return std::unique_ptr<PushQueue>();
  return PushQueue::open(folder);
}

Result<std::vector<KnownTarget>> known_of(const Project& project) {
  VANTAGE_ASSIGN(const std::unique_ptr<PushQueue> queue, queue_of(project.path));
  const PushConsent consent(default_consent_path());
  std::vector<KnownTarget> known;
  for (const PushTarget& target : project.push_targets) {
    KnownTarget& one = known.emplace_back();
    one.name = target.name;
    VANTAGE_ASSIGN(one.allowed, consent.allows(target));
    if (!queue) continue;
    VANTAGE_ASSIGN(one.waiting, queue->waiting(target.name, 0));
    VANTAGE_ASSIGN(one.problem, queue->problem(target.name));
  }
  return known;
}

const PushTarget* target_named(const Project& project, const std::string& name) {
  const auto found = std::ranges::find(project.push_targets, name, &PushTarget::name);
  return found == project.push_targets.end() ? nullptr : &*found;
}

// The secret that a message to the target is sent with. A target of another name keeps the one it had, as
// long as it goes to the same host.
Result<std::optional<Credentials>> secret_of(const Project& project, const EditedTarget& edited,
                                             const CredentialStore& store) {
  if (edited.typed_secret) return edited.typed_secret;
  const PushTarget* former = target_named(project, edited.former_name);
  if (former && former->kind == edited.target.kind &&
      host_of(former->address) == host_of(edited.target.address))
    return find_secret(*former, store);
  return find_secret(edited.target, store);
}

// Secrets and consent are kept before the project has the targets: those of a target not in it do no harm.
Status keep(const Project& project, const std::vector<EditedTarget>& targets, CredentialStore& store) {
  const PushConsent consent(default_consent_path());
  for (const EditedTarget& edited : targets) {
    const bool renamed = !edited.former_name.empty() && edited.former_name != edited.target.name;
    if (edited.target.kind != PushKind::command && (edited.typed_secret || renamed)) {
      VANTAGE_ASSIGN(const std::optional<Credentials> secret, secret_of(project, edited, store));
      if (secret) VANTAGE_TRY(store.keep(secret_address(edited.target), *secret));
    }
    if (edited.allowed) VANTAGE_TRY(consent.allow(edited.target));
    if (edited.allowed || !edited.was_allowed) continue;
    VANTAGE_TRY(consent.withdraw(edited.target));
    if (const PushTarget* former = target_named(project, edited.former_name))
      VANTAGE_TRY(consent.withdraw(*former));
  }
  return {};
}

}  // namespace

MessagesControl::MessagesControl(const WindowParts& parts)
    : Control(parts), secrets_(parts.services.credentials) {
  add_action(
      {"messages", "&Messages…", "Ctrl+M",
       "Send events and the health of live cameras to a broker, a web server or a program"},
      {Menu::file, "serve"}, [this] { ask(); },
      [this] {
        return unmet(
            {{!project().path.empty(), tr("Save the project first: messages wait in a folder next to it.")}});
      });
  if (!secrets_) secrets_ = make_credential_file(default_credential_path());
}

void MessagesControl::forget() {
  delete dialog_;
  for (BackgroundJob* job : {&known_, &kept_, &testing_, &applying_}) job->stop();
}

void MessagesControl::refresh(Changes what) {
  if (!dialog_ || !what.testFlag(Change::status)) return;
  const LiveStatus* live = state().status().live.get();
  dialog_->show_states(live ? live->push : std::vector<PushState>());
}

void MessagesControl::ask() {
  if (dialog_) {
    dialog_->raise();
    return dialog_->activateWindow();
  }
  dialog_ = new MessagesDialog(project(), QString::fromStdString(secrets_->place()), parts().window);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog_, &MessagesDialog::chosen, this, &MessagesControl::apply);
  connect(dialog_, &MessagesDialog::test_wanted, this, &MessagesControl::test);
  connect(dialog_, &MessagesDialog::test_stopped, this, [this] {
    testing_.stop();
    dialog_->show_answer(tr("stopped"), true);
  });
  connect(dialog_, &MessagesDialog::discard_wanted, this, &MessagesControl::discard);
  connect(dialog_, &QDialog::finished, this, [this] { testing_.stop(); });
  refresh(Change::status);
  read_known();
  read_secrets();
  dialog_->open();
}

void MessagesControl::read_known() {
  known_.start([this, project = project()](const StopSource&) -> BackgroundJob::Deliver {
    return [this, known = known_of(project)] {
      if (!known) return emit failed(known.error());
      if (dialog_) dialog_->offer_known(*known);
    };
  });
}

void MessagesControl::read_secrets() {
  kept_.start(
      [this, project = project(), store = secrets_](const StopSource& stop) -> BackgroundJob::Deliver {
        std::vector<std::string> names;
        for (const PushTarget& target : project.push_targets) {
          if (stop.stop_requested()) return {};
          const auto secret = find_secret(target, *store);
          if (!secret) log_warning(secret.error().message());
          if (secret && *secret) names.push_back(target.name);
        }
        return [this, names] {
          if (dialog_) dialog_->offer_secrets(names);
        };
      });
}

void MessagesControl::test(const EditedTarget& edited) {
  dialog_->show_testing(QString::fromStdString(destination_text(edited.target)));
  testing_.start([this, edited, project = project(),
                  store = secrets_](const StopSource& stop) -> BackgroundJob::Deliver {
    const int64_t start_ns = trace_now_ns();
    const auto answer = [&]() -> Result<std::string> {
      VANTAGE_ASSIGN(const std::optional<Credentials> secret, secret_of(project, edited, *store));
      return send_test_message(edited.target, secret, pushed_project(project), stop);
    }();
    const double seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
    return [this, answer, seconds] {
      if (!dialog_) return;
      dialog_->show_answer(
          answer ? tr("Sent; %1 (after %2 s).").arg(QString::fromStdString(*answer)).arg(seconds, 0, 'f', 1)
                 : QString::fromStdString(answer.error().message()),
          !answer);
    };
  });
}

void MessagesControl::discard(const std::string& target) {
  auto* question =
      new QMessageBox(QMessageBox::Question, tr("Discard Waiting"),
                      tr("Discard the messages that wait for %1?").arg(QString::fromStdString(target)),
                      QMessageBox::Cancel, dialog_);
  question->setInformativeText(tr("They were not delivered, and will not be. It cannot be undone."));
  question->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
  question->setDefaultButton(QMessageBox::Cancel);
  question->setAttribute(Qt::WA_DeleteOnClose);
  connect(question, &QMessageBox::buttonClicked, this, [this, question, target](QAbstractButton* clicked) {
    if (question->buttonRole(clicked) != QMessageBox::DestructiveRole) return;
    known_.start([this, target, project = project()](const StopSource&) -> BackgroundJob::Deliver {
      const auto discarded = [&]() -> Status {
        VANTAGE_ASSIGN(const std::unique_ptr<PushQueue> queue, queue_of(project.path));
        return queue ? queue->remove(target, INT64_MAX) : Status();
      }();
      return [this, discarded] {
        if (!discarded) return emit failed(discarded.error());
        if (dialog_) read_known();
      };
    });
  });
  question->open();
}

void MessagesControl::apply(const std::vector<EditedTarget>& targets) {
  dialog_->show_applying(true);
  applying_.start(
      [this, targets, project = project(), store = secrets_](const StopSource&) -> BackgroundJob::Deliver {
        std::vector<PushTarget> all;
        for (const EditedTarget& edited : targets) all.push_back(edited.target);
        return [this, all, kept = keep(project, targets, *store)] { finish(all, kept); };
      });
}

void MessagesControl::finish(const std::vector<PushTarget>& targets, const Status& kept) {
  if (dialog_) dialog_->show_applying(false);
  if (!kept) return emit failed(kept.error());
  if (targets == project().push_targets)
    post(command::ReopenPush{});
  else
    post(command::Edit{"where messages go", [targets](Project& project) { project.push_targets = targets; }});
  if (dialog_) dialog_->accept();
}

}  // namespace vantage::ui
