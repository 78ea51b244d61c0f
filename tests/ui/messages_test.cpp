#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>

#include "core/base/file.h"
#include "core/push/push_consent.h"
#include "tests/support/loopback_socket.h"
#include "tests/ui/support/live_window.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/messages/messages_control.h"
#include "ui/main_window/messages/messages_dialog.h"
#include "ui/panels/health_panel.h"

namespace vantage::ui {

// Where messages go: the dialog, what it keeps on this machine, and the state of targets while cameras are
// live.
class MessagesTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_program_is_added_tested_and_undone();
  void what_came_with_the_project_is_allowed_first();
  void keys_stay_out_of_the_project_and_follow_a_name();
  void the_dialog_says_what_is_missing();
  void a_test_that_fails_says_why();
  void health_shows_what_waits_and_the_dialog_discards_it();
};

namespace {

template <typename Field>
Field* field(QWidget* dialog, const char* name) {
  for (auto* one : dialog->findChildren<Field*>())
    if (one->accessibleName() == name) return one;
  return nullptr;
}

void type(QLineEdit* line, const QString& text) {
  line->setFocus();
  line->selectAll();
  QTest::keyClicks(line, text);
}

QPushButton* push_button(MessagesDialog* dialog, const char* text) {
  for (auto* one : dialog->findChildren<QPushButton*>())
    if (one->text().remove('&') == text) return one;
  return nullptr;
}

QPushButton* standard(MessagesDialog* dialog, QDialogButtonBox::StandardButton which) {
  return dialog->findChild<QDialogButtonBox*>()->button(which);
}

MessagesDialog* ask(const MainWindow& window) {
  window.action("messages")->trigger();
  return window.part<MessagesControl>()->dialog();
}

PushTarget lamp(const QString& script) {
  PushTarget target;
  target.name = "lamp", target.kind = PushKind::command, target.command = {script.toStdString(), "on"};
  return target;
}

class MessagesWindow : public SessionWindow {
 public:
  explicit MessagesWindow(const std::function<void(Project&, const QString& folder)>& change = {})
      : SessionWindow(2, 20) {
    QFile script(this->script());
    if (script.open(QIODevice::WriteOnly))
      script.write(
          ("#!/bin/sh\necho \"$@\" >> " + folder() + "/words\ncat >> " + folder() + "/taken\n").toUtf8());
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    if (change) {
      change(project_, folder());
      static_cast<void>(save_project(project_, project_.path));
    }
    store = make_credential_file((folder() + "/secrets.json").toStdString());
    show({1280, 720}, {}, [this](WindowServices& services) { services.credentials = store; });
    open();
  }
  QString script() const { return folder() + "/take.sh"; }
  std::string taken(const char* file = "taken") const {
    return read_file((folder() + "/" + file).toStdString()).value_or("");
  }
  bool ready() const { return window->action("messages")->isEnabled(); }

  std::shared_ptr<CredentialStore> store;
};

}  // namespace

void MessagesTest::a_program_is_added_tested_and_undone() {
  MessagesWindow w;
  QTRY_VERIFY(w.ready());
  MessagesDialog* dialog = ask(*w.window);
  QVERIFY(dialog && dialog->isVisible());
  QCOMPARE(dialog->list()->count(), 0);
  dialog->add_target(PushKind::command);
  QVERIFY2(dialog->problem().contains("absolute path"), qPrintable(dialog->problem()));
  QVERIFY(!standard(dialog, QDialogButtonBox::Ok)->isEnabled());
  type(field<QLineEdit>(dialog, "Name"), "lamp");
  type(field<QLineEdit>(dialog, "Program"), w.script());
  field<QPlainTextEdit>(dialog, "Arguments")->setPlainText("on\nall of them");
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  push_button(dialog, "Send Test")->click();
  QVERIFY(dialog->testing());
  QTRY_VERIFY2(dialog->answer().contains("ended with 0"), qPrintable(dialog->answer()));
  QVERIFY(w.taken().find("\"kind\":\"test\"") != std::string::npos ||
          w.taken().find("\"kind\": \"test\"") != std::string::npos);
  QCOMPARE(w.taken("words"), std::string("on all of them\n"));
  standard(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(!w.window->part<MessagesControl>()->dialog());
  const Project saved = w.saved([](const Project& read) { return !read.push_targets.empty(); });
  QCOMPARE(saved.push_targets.size(), size_t{1});
  QCOMPARE(saved.push_targets[0].command,
           (std::vector<std::string>{w.script().toStdString(), "on", "all of them"}));
  QVERIFY(PushConsent(default_consent_path()).allows(saved.push_targets[0]).value());
  w.window->action("undo")->trigger();
  QVERIFY(w.saved([](const Project& read) { return read.push_targets.empty(); }).push_targets.empty());
}

void MessagesTest::what_came_with_the_project_is_allowed_first() {
  MessagesWindow w(
      [](Project& project, const QString& folder) { project.push_targets = {lamp(folder + "/take.sh")}; });
  QTRY_VERIFY(w.ready());
  MessagesDialog* dialog = ask(*w.window);
  QCOMPARE(dialog->list()->count(), 1);
  QVERIFY(dialog->list()->item(0)->text().contains("not allowed"));
  auto* allow = field<QCheckBox>(dialog, "Allow on this machine");
  QVERIFY(allow && !allow->isChecked());
  QVERIFY(!push_button(dialog, "Send Test")->isEnabled());
  QVERIFY(push_button(dialog, "Send Test")->toolTip().contains("Allow it"));
  allow->click();
  QVERIFY(push_button(dialog, "Send Test")->isEnabled());
  standard(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(!w.window->part<MessagesControl>()->dialog());
  const PushConsent consent(default_consent_path());
  QVERIFY(consent.allows(lamp(w.script())).value());
  QVERIFY(!w.window->isWindowModified());  // it is no part of the project
  dialog = ask(*w.window);
  allow = field<QCheckBox>(dialog, "Allow on this machine");
  QTRY_VERIFY(allow->isChecked());
  allow->click();
  standard(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(!w.window->part<MessagesControl>()->dialog());
  QVERIFY(!consent.allows(lamp(w.script())).value());
  QVERIFY(w.taken().empty());
}

void MessagesTest::keys_stay_out_of_the_project_and_follow_a_name() {
  MessagesWindow w;
  QTRY_VERIFY(w.ready());
  MessagesDialog* dialog = ask(*w.window);
  dialog->add_target(PushKind::webhook);
  type(field<QLineEdit>(dialog, "Name"), "desk");
  type(field<QLineEdit>(dialog, "Address"), "http://127.0.0.1:9/hook");
  type(field<QLineEdit>(dialog, "Signing key"), "open sesame");
  QCOMPARE(field<QLineEdit>(dialog, "Signing key")->echoMode(), QLineEdit::Password);
  standard(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(!w.window->part<MessagesControl>()->dialog());
  const Project saved = w.saved([](const Project& read) { return !read.push_targets.empty(); });
  QVERIFY(read_file(saved.path).value().find("sesame") == std::string::npos);
  QCOMPARE(find_secret(saved.push_targets.at(0), *w.store).value()->password, std::string("open sesame"));

  dialog = ask(*w.window);
  auto* key = field<QLineEdit>(dialog, "Signing key");
  QTRY_VERIFY2(key->placeholderText().contains("kept"), qPrintable(key->placeholderText()));
  QVERIFY(key->text().isEmpty());
  type(field<QLineEdit>(dialog, "Name"), "office");
  standard(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(!w.window->part<MessagesControl>()->dialog());
  const Project renamed = w.saved([](const Project& read) {
    return !read.push_targets.empty() && read.push_targets[0].name == "office";
  });
  QCOMPARE(find_secret(renamed.push_targets.at(0), *w.store).value()->password, std::string("open sesame"));
}

void MessagesTest::the_dialog_says_what_is_missing() {
  MessagesWindow w;
  QTRY_VERIFY(w.ready());
  MessagesDialog* dialog = ask(*w.window);
  dialog->add_target(PushKind::mqtt);
  const auto says = [&](const char* words) {
    return dialog->problem().contains(words) && !standard(dialog, QDialogButtonBox::Ok)->isEnabled();
  };
  QVERIFY2(says("not an address"), qPrintable(dialog->problem()));
  type(field<QLineEdit>(dialog, "Address"), "mqtt://a:b@host");
  QVERIFY2(says("the address contains a password"), qPrintable(dialog->problem()));
  QVERIFY(!dialog->problem().contains("vantage-cli"));
  type(field<QLineEdit>(dialog, "Address"), "mqtt://host");
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  type(field<QLineEdit>(dialog, "Topic"), "a/#");
  QVERIFY2(says("cannot begin a topic"), qPrintable(dialog->problem()));
  type(field<QLineEdit>(dialog, "Topic"), "site/hall");
  dialog->add_target(PushKind::mqtt);
  QCOMPARE(dialog->list()->count(), 2);
  type(field<QLineEdit>(dialog, "Address"), "mqtts://host");
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  type(field<QLineEdit>(dialog, "Name"), "broker");
  QVERIFY2(says("two targets have this name"), qPrintable(dialog->problem()));
  push_button(dialog, "Remove")->click();
  QCOMPARE(dialog->list()->count(), 1);
  QVERIFY2(dialog->problem().isEmpty(), qPrintable(dialog->problem()));
  QCOMPARE(field<QLineEdit>(dialog, "Topic")->text(), QString("site/hall"));
  // Of another kind nothing stays that it cannot have.
  field<QComboBox>(dialog, "Kind")->setCurrentIndex(static_cast<int>(PushKind::command));
  QVERIFY2(says("absolute path"), qPrintable(dialog->problem()));
  dialog->reject();
  QTRY_VERIFY(!w.window->part<MessagesControl>()->dialog());
  QVERIFY(!w.window->isWindowModified());
}

void MessagesTest::a_test_that_fails_says_why() {
  MessagesWindow w;
  QTRY_VERIFY(w.ready());
  MessagesDialog* dialog = ask(*w.window);
  dialog->add_target(PushKind::webhook);
  const int closed = test::LoopbackSocket(SOCK_STREAM).port();  // nobody listens there
  type(field<QLineEdit>(dialog, "Address"), QString("http://127.0.0.1:%1/hook").arg(closed));
  push_button(dialog, "Send Test")->click();
  QTRY_VERIFY2(dialog->answer().startsWith("Not sent: "), qPrintable(dialog->answer()));
  QVERIFY2(dialog->answer().contains("onnect"), qPrintable(dialog->answer()));
  QVERIFY(push_button(dialog, "Send Test")->isEnabled());
}

void MessagesTest::health_shows_what_waits_and_the_dialog_discards_it() {
  PushTarget away;
  away.name = "home", away.health = false;  // one message: that a session has begun
  away.address = "mqtt://127.0.0.1:" + std::to_string(test::LoopbackSocket(SOCK_STREAM).port());
  QVERIFY(PushConsent(default_consent_path()).allow(away).has_value());
  LiveWindow w({}, {}, [&](Project& project) { project.push_targets = {away}; });
  auto* health = w.window->part<HealthPanel>();
  const auto texts = [&] { return health->push_texts().join('\n'); };
  QTRY_VERIFY2(texts().startsWith("home: 1 waiting"), qPrintable(texts()));
  QTRY_VERIFY2(texts().contains("cannot be reached"), qPrintable(texts()));  // why
  keep_picture(*w.window, "messages_health");
  MessagesDialog* dialog = ask(*w.window);
  QTRY_VERIFY(dialog->list()->item(0)->text().contains("1 waiting"));
  QTRY_VERIFY(push_button(dialog, "Discard Waiting")->isEnabled());
  push_button(dialog, "Discard Waiting")->click();
  auto* question = dialog->findChild<QMessageBox*>();
  QVERIFY(question && question->defaultButton() == question->button(QMessageBox::Cancel));
  for (QAbstractButton* one : question->buttons())
    if (question->buttonRole(one) == QMessageBox::DestructiveRole) one->click();
  QTRY_VERIFY2(texts().startsWith("home: 0 delivered"), qPrintable(texts()));
  QTRY_VERIFY(!push_button(dialog, "Discard Waiting")->isEnabled());
  push_button(dialog, "Remove")->click();
  standard(dialog, QDialogButtonBox::Ok)->click();
  QTRY_VERIFY(texts().isEmpty());
  w.window->action("undo")->trigger();
  QTRY_VERIFY2(texts().startsWith("home: "), qPrintable(texts()));
}

const TestPart<MessagesTest> kMessagesPart("messages");

}  // namespace vantage::ui

#include "messages_test.moc"
