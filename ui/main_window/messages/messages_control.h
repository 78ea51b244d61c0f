// Where the project's messages go: the command and its dialog. What the dialog changes of the project is one
// change, which Undo restores; consent and passwords are this machine's.
#pragma once

#include <QPointer>

#include "ui/main_window/control.h"
#include "ui/main_window/messages/messages_dialog.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class MessagesControl final : public Control {
  Q_OBJECT
 public:
  explicit MessagesControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  MessagesDialog* dialog() const { return dialog_; }  // null: none was asked for

 private:
  void ask();
  void read_known();
  void read_secrets();
  void test(const EditedTarget& edited);
  void discard(const std::string& target);
  void apply(const std::vector<EditedTarget>& targets);
  void finish(const std::vector<PushTarget>& targets, const Status& kept);

  QPointer<MessagesDialog> dialog_;
  std::shared_ptr<CredentialStore> secrets_;
  // What the queue and the consent say; the key ring, which may have to be unlocked; a test; OK.
  BackgroundJob known_, kept_, testing_, applying_;
};

}  // namespace vantage::ui
