#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QUrl>
#include <algorithm>
#include <sstream>

#include "app/server/served_session.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/results/results_events.h"
#include "core/tracks/counting/rules.h"
#include "tests/support/tls_connection.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/session_window.h"
#include "tests/ui/support/window_test.h"
#include "ui/main_window/serve_control.h"
#include "ui/panels/events_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {

// Results over HTTP from the window, asked for over real sockets.
class ServingTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void what_a_run_writes_is_served_and_then_what_is_on_disk();
  void closing_the_project_ends_it_and_opening_begins_it_again();
  void other_machines_need_a_token_and_are_never_let_in_unasked();
  void with_a_certificate_what_is_served_is_encrypted();
  void a_port_in_use_says_what_to_do();
  void a_client_and_the_window_mark_events();
  void the_dialog_says_what_is_missing();
};

namespace {

constexpr int64_t kServedFrames = 300;

class ServedWindow : public SessionWindow {
 public:
  ServedWindow() : SessionWindow(2, kServedFrames) {
    SessionOptions options;
    options.results = served_;
    show({1280, 720}, std::move(options), [this](WindowServices& services) {
      services.result_service = served_;
      services.credentials = make_credential_file((folder() + "/passwords.json").toStdString());
    });
  }
  ~ServedWindow() { window.reset(); }

  QString url() const { return window->part<ServeControl>()->url(); }
  int port() const { return QUrl(url()).port(); }
  test::HttpAnswer ask(const std::string& target, const std::string& headers = {}) const {
    test::HttpConnection connection(port());
    connection.ask("GET", target, headers);
    return connection.answer();
  }
  void serve(const QString& host, int port = 0, const ServeTokens& tokens = {}) {
    window->part<ServeControl>()->choose({host, port, true, {}, {}, true}, tokens);
  }
  test::HttpAnswer post(const std::string& body, const std::string& token) const {
    test::HttpConnection connection(port());
    connection.ask(
        "POST", "/v1/events/marks",
        "Content-Length: " + std::to_string(body.size()) + "\r\nAuthorization: Bearer " + token + "\r\n");
    connection.send(body);
    return connection.answer();
  }
  QString message() const { return window->messages()->text(); }
  QToolButton* shown() const {
    for (auto* one : window->statusBar()->findChildren<QToolButton*>())
      if (one->isVisible() && one->text().startsWith("Serving at ")) return one;
    return nullptr;
  }
  const Project& project() const { return project_; }

 private:
  const std::shared_ptr<server::ServedSession> served_ = std::make_shared<server::ServedSession>();
};

QString text_of(const QString& file) {
  QFile opened(file);
  return opened.open(QIODevice::ReadOnly) ? QString::fromUtf8(opened.readAll()) : QString();
}

}  // namespace

void ServingTest::what_a_run_writes_is_served_and_then_what_is_on_disk() {
  ServedWindow w;
  w.open();
  QTRY_VERIFY(w.window->action("serve")->isEnabled());
  QVERIFY(w.url().isEmpty() && !w.shown());
  w.serve("127.0.0.1");
  QTRY_VERIFY(!w.url().isEmpty());
  QCOMPARE(w.shown()->accessibleName(), "Serving at " + w.url());
  const test::HttpAnswer nothing = w.ask("/v1/status");
  QCOMPARE(nothing.status, 404);
  QVERIFY2(nothing.body.find("there are no results yet") != std::string::npos, nothing.body.c_str());
  QCOMPARE(w.ask("/").status, 200);

  w.window->action("analyse_all")->trigger();
  const auto status_says = [&](const char* words) {
    return w.ask("/v1/status").body.find(words) != std::string::npos;
  };
  QTRY_VERIFY(w.ask("/v1/status").status == 200);  // of the run, or of its results if it was that quick
  test::HttpConnection stream(w.port());
  stream.ask("GET", "/v1/stream");
  QTRY_VERIFY(status_says(R"("running":false)"));
  QCOMPARE(stream.head().status, 200);
  std::vector<test::HttpConnection::Event> events;
  while (std::optional<test::HttpConnection::Event> event = stream.event()) events.push_back(*event);
  QVERIFY(events.size() > 1);
  QCOMPARE(events.back().name, std::string("end"));  // with the run, behind its last frame
  QCOMPARE(events[events.size() - 2].id, std::to_string(kServedFrames - 1));

  const QString file = QString::fromStdString((w.project().results_folder() / "results.jsonl").string());
  const QString line = text_of(file).split('\n').at(1 + 7);
  QCOMPARE(QString::fromStdString(w.ask("/v1/frames/7").body), line + "\n");
}

void ServingTest::closing_the_project_ends_it_and_opening_begins_it_again() {
  ServedWindow w;
  w.open();
  QTRY_VERIFY(w.window->action("serve")->isEnabled());
  w.serve("127.0.0.1");
  QTRY_VERIFY(!w.url().isEmpty());
  const int port = w.port();
  w.window->action("close")->trigger();
  QVERIFY(w.url().isEmpty() && !w.shown());
  QTRY_VERIFY(!test::HttpConnection(port).connected());
  QVERIFY(!w.window->action("serve")->isEnabled());
  w.open();
  QTRY_VERIFY(!w.url().isEmpty() && w.ask("/").status == 200);
  // As the menu beside the address does it.
  for (QAction* action : w.shown()->menu()->actions())
    if (action->text().contains("Stop")) action->trigger();
  QVERIFY(w.url().isEmpty());
  QVERIFY(!stored_serve_settings().on);
}

void ServingTest::other_machines_need_a_token_and_are_never_let_in_unasked() {
  const QString secret = "a-secret-of-mine";
  {
    ServedWindow w;
    w.open();
    QTRY_VERIFY(w.window->action("serve")->isEnabled());
    w.serve("0.0.0.0");
    QTRY_VERIFY(w.message().contains("no token is set"));
    QVERIFY(w.url().isEmpty());
    w.serve("0.0.0.0", 0, {secret, {}});
    QTRY_VERIFY(!w.url().isEmpty());
    QCOMPARE(w.ask("/v1/status").status, 401);
    QCOMPARE(w.ask("/v1/status", "Authorization: Bearer " + secret.toStdString() + "\r\n").status, 404);
    QVERIFY(text_of(w.folder() + "/passwords.json").contains(secret));
    QVERIFY(!text_of(QString::fromStdString(w.project().path.string())).contains(secret));
    QSettings().sync();
    QVERIFY(!text_of(QSettings().fileName()).contains(secret));
    QVERIFY(!w.window->part<LogPanel>()->text().contains(secret));
  }
  ServedWindow again;
  again.open();
  QTRY_VERIFY(again.message().contains("served to other machines last time"));
  QVERIFY(again.url().isEmpty());
}

void ServingTest::with_a_certificate_what_is_served_is_encrypted() {
  ServedWindow w;
  w.open();
  QTRY_VERIFY(w.window->action("serve")->isEnabled());
  const test::PemPair pair = test::make_certificate();
  const auto file = [&](const QString& name, const std::string& text) {
    QFile opened(w.folder() + "/" + name);
    if (opened.open(QIODevice::WriteOnly)) opened.write(QByteArray::fromStdString(text));
    return opened.fileName();
  };
  const ServeSettings with = {"127.0.0.1", 0, true, file("cert.pem", pair.certificate),
                              file("key.pem", pair.key)};
  ServeSettings wrong = with;
  wrong.key = file("other.pem", test::make_certificate().key);
  w.window->part<ServeControl>()->choose(wrong, {});
  QTRY_VERIFY(w.message().contains("the private key is another certificate's"));
  QVERIFY(w.url().isEmpty());
  w.window->part<ServeControl>()->choose(with, {});
  QTRY_VERIFY(w.url().startsWith("https://127.0.0.1:"));
  QCOMPARE(w.ask("/").status, 0);
  test::TlsConnection connection(w.port(), pair.certificate);
  connection.ask("GET", "/");
  QCOMPARE(connection.answer().status, 200);
  QCOMPARE(stored_serve_settings().certificate, with.certificate);
}

void ServingTest::a_port_in_use_says_what_to_do() {
  server::ServedSession other;
  const Result<std::string> taken = other.start({"127.0.0.1:0", {}}, {});
  QVERIFY(taken.has_value());
  ServedWindow w;
  w.open();
  QTRY_VERIFY(w.window->action("serve")->isEnabled());
  w.serve("127.0.0.1", QUrl(QString::fromStdString(*taken)).port());
  QTRY_VERIFY(w.message().contains("the port is in use"));
  QVERIFY2(w.message().contains("Choose another port, or 0"), qPrintable(w.message()));
  button(w.window->messages(), "Serve Results…")->click();
  QTRY_VERIFY(w.window->findChild<ServeDialog*>());
}

// A mark that comes over the network is shown in the list; one that is given here is kept beside it. A clip
// is of the project that is open.
void ServingTest::a_client_and_the_window_mark_events() {
  ServedWindow w;
  Project project = w.project();
  project.zones = {{"hall", {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}}};
  project.rules = {parse_rule("one=stays_longer,where=hall,limit=0.2").value(),
                   parse_rule("two=stays_longer,where=hall,limit=0.6").value()};
  QVERIFY(save_project(project, project.path).has_value());
  w.open();
  QTRY_VERIFY(w.window->action("analyse_all")->isEnabled());
  w.window->action("analyse_all")->trigger();
  auto* panel = w.window->part<EventsPanel>();
  QTRY_VERIFY(panel->next_new().has_value());
  QTRY_VERIFY(!w.window->state().status().analysing);
  w.serve("127.0.0.1", 0, {{}, "to-mark"});
  QTRY_VERIFY(!w.url().isEmpty() && w.ask("/v1/events").status == 200);
  const std::string events = w.ask("/v1/events").body;
  std::vector<nlohmann::json> all;
  std::istringstream lines(events);
  for (std::string line; std::getline(lines, line);) all.push_back(parse_json(line));
  QVERIFY(all.size() >= 2);
  nlohmann::json mark = {{"standing", "false_alarm"}, {"note", "from afar"}};
  for (const char* key : {"rule", "person", "raised_frame"}) mark[key] = all[0][key];
  QCOMPARE(w.post(mark.dump(), "to-read").status, 401);
  QCOMPARE(w.post(mark.dump(), "to-mark").status, 200);
  const auto shown = [&] {
    QStringList texts;
    for (QTreeWidgetItemIterator line(panel->list()); *line; ++line) texts << (*line)->text(0);
    return texts.join('\n');
  };
  QTRY_VERIFY2(shown().contains("from afar"), qPrintable(shown()));
  // The window judges what is still new.
  const auto before = read_event_marks(project.results_folder()).value();
  QTRY_VERIFY(panel->next_new().has_value());
  w.window->action("next_event")->trigger();
  for (auto* one : panel->findChildren<QPushButton*>())
    if (one->accessibleName() == "Seen") one->click();
  const auto after = read_event_marks(project.results_folder()).value();
  QVERIFY(after.size() > before.size());
  QVERIFY(std::ranges::any_of(after, [](const auto& one) { return one.second.note == "from afar"; }));

  const test::HttpAnswer clip = w.ask("/v1/cameras/cam1/clip.mp4?from=2&to=7");
  QCOMPARE(clip.status, 200);
  QVERIFY(clip.body.size() > 100 && clip.headers.at("content-type") == "video/mp4");
  QVERIFY(!w.window->part<LogPanel>()->text().contains("to-mark"));
}

void ServingTest::the_dialog_says_what_is_missing() {
  ServedWindow w;
  w.open();
  QTRY_VERIFY(w.window->action("serve")->isEnabled());
  w.window->action("serve")->trigger();
  auto* dialog = w.window->findChild<ServeDialog*>();
  QVERIFY(dialog);
  const QPushButton* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  QVERIFY(ok->isEnabled() && dialog->problem().isEmpty());
  const auto field = [&](const char* name) {
    for (auto* one : dialog->findChildren<QLineEdit*>())
      if (one->accessibleName() == name) return one;
    return static_cast<QLineEdit*>(nullptr);
  };
  field("Certificate")->setText(w.folder() + "/nothing.pem");
  QVERIFY2(dialog->problem().contains("belong together"), qPrintable(dialog->problem()));
  field("Private key")->setText(w.folder() + "/nothing.pem");
  QVERIFY2(dialog->problem().contains("There is no file"), qPrintable(dialog->problem()));
  QVERIFY(!ok->isEnabled());
  field("Certificate")->clear();
  field("Private key")->clear();
  QVERIFY(ok->isEnabled());
  auto* host = dialog->findChild<QComboBox*>();
  host->setEditText("somewhere");
  QVERIFY2(dialog->problem().contains("is not an address to serve at"), qPrintable(dialog->problem()));
  QVERIFY(!ok->isEnabled());
  host->setEditText("0.0.0.0");
  QVERIFY2(dialog->problem().contains("Set a token"), qPrintable(dialog->problem()));
  dialog->offer_tokens({"kept", "kept to mark"});
  QVERIFY(ok->isEnabled());
  field("Token to mark")->setText("kept");
  QVERIFY2(dialog->problem().contains("two tokens are the same"), qPrintable(dialog->problem()));
  QVERIFY(!ok->isEnabled());
  field("Token to mark")->setText("kept to mark");
  QVERIFY(ok->isEnabled());
  for (const QWidget* field : dialog->findChildren<QWidget*>())
    if (field->focusPolicy() != Qt::NoFocus && !qobject_cast<const QPushButton*>(field) &&
        field->parentWidget() == dialog && !qobject_cast<const QDialogButtonBox*>(field))
      QVERIFY2(!field->accessibleName().isEmpty() && !field->toolTip().isEmpty(),
               field->metaObject()->className());
  keep_picture(*w.window, "serve");
}

const TestPart<ServingTest> kServingPart("serving");

}  // namespace vantage::ui

#include "serving_test.moc"
