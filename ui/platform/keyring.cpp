#include "ui/platform/keyring.h"

#include <qt6keychain/keychain.h>

#include <QCoreApplication>
#include <QThread>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "core/base/log.h"

namespace vantage::ui {
namespace {

constexpr std::chrono::seconds kPatience(30);  // the user may have to unlock it
const QString kService = QStringLiteral("Vantage cameras");

// A job's answer, passed from the GUI thread to the waiting one.
struct Answer {
  std::mutex mutex;
  std::condition_variable given;
  bool there = false;
  QKeychain::Error error = QKeychain::OtherError;
  QString text;
};

// Runs a key ring job on the GUI thread; nothing: no answer in time, or not possible.
std::shared_ptr<Answer> ask(const std::function<QKeychain::Job*()>& make) {
  QCoreApplication* app = QCoreApplication::instance();
  if (!app || QThread::currentThread() == app->thread()) return nullptr;
  auto answer = std::make_shared<Answer>();
  QMetaObject::invokeMethod(
      app,
      [answer, make] {
        QKeychain::Job* job = make();
        QObject::connect(job, &QKeychain::Job::finished, job, [answer](QKeychain::Job* done) {
          const std::lock_guard lock(answer->mutex);
          answer->error = done->error();
          if (const auto* read = qobject_cast<QKeychain::ReadPasswordJob*>(done))
            answer->text = read->textData();
          answer->there = true;
          answer->given.notify_all();
        });
        job->start();
      },
      Qt::QueuedConnection);
  std::unique_lock lock(answer->mutex);
  if (!answer->given.wait_for(lock, kPatience, [&] { return answer->there; })) return nullptr;
  return answer;
}

class Keyring final : public CredentialStore {
 public:
  explicit Keyring(std::shared_ptr<CredentialStore> otherwise) : otherwise_(std::move(otherwise)) {}

  Result<std::optional<Credentials>> find(const std::string& address) const override {
    if (usable_ && !host_of(address).empty()) {
      const auto answer = ask([key = key_of(address)] {
        auto* job = new QKeychain::ReadPasswordJob(kService);
        job->setKey(key);
        return job;
      });
      if (answer && answer->error == QKeychain::NoError) {
        const qsizetype end = answer->text.indexOf('\n');
        return std::optional<Credentials>(
            {answer->text.left(end).toStdString(), answer->text.mid(end + 1).toStdString()});
      }
      if (!answer || answer->error != QKeychain::EntryNotFound) give_up();
    }
    return otherwise_->find(address);
  }

  Status keep(const std::string& address, const Credentials& credentials) override {
    if (usable_) {
      const QString text = QString::fromStdString(credentials.user + "\n" + credentials.password);
      const auto answer = ask([key = key_of(address), text] {
        auto* job = new QKeychain::WritePasswordJob(kService);
        job->setKey(key);
        job->setTextData(text);
        return job;
      });
      if (answer && answer->error == QKeychain::NoError) return {};
      give_up();
    }
    return otherwise_->keep(address, credentials);
  }

  std::string place() const override { return usable_ ? "the desktop's key ring" : otherwise_->place(); }

 private:
  static QString key_of(const std::string& address) { return QString::fromStdString(host_of(address)); }
  void give_up() const {
    if (usable_.exchange(false))
      log_info("there is no key ring here; cameras' passwords are kept in " + otherwise_->place());
  }

  const std::shared_ptr<CredentialStore> otherwise_;
  mutable std::atomic<bool> usable_{true};
};

}  // namespace

std::shared_ptr<CredentialStore> make_keyring(std::shared_ptr<CredentialStore> otherwise) {
  return std::make_shared<Keyring>(std::move(otherwise));
}

}  // namespace vantage::ui
