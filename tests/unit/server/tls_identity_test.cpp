// The server through TLS, asked by a client that checks its certificate; and files that are none of a
// server's.
#include <vector>

#include "app/server/served_session.h"
#include "app/server/tls_identity.h"
#include "core/base/file.h"
#include "core/base/log.h"
#include "tests/support/tls_connection.h"
#include "tests/unit/server/server_fixture.h"

namespace vantage::server {
namespace {

using test::HttpConnection;
using test::make_certificate;
using test::PemPair;
using test::TlsConnection;

class TlsTest : public ServerTest {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path) << text;
    std::filesystem::permissions(path,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    return path;
  }
  void serve_tls(ServerOptions options = {}) {
    pair_ = make_certificate();
    options.tls = {file("cert.pem", pair_.certificate), file("key.pem", pair_.key)};
    serve(options);
  }

  PemPair pair_;
};

TEST_F(TlsTest, AnswersAndStreamsToWhoTrustsIt) {
  serve_tls();
  EXPECT_TRUE(server_->url().starts_with("https://127.0.0.1:")) << server_->url();
  for (int64_t frame = 0; frame < 50; ++frame) write(frame, 3000);
  TlsConnection connection(port_, pair_.certificate);
  ASSERT_TRUE(connection.trusted());
  for (int i = 0; i < 3; ++i) {
    connection.ask("GET", "/v1/frames/7");
    EXPECT_EQ(connection.answer().body, line(7, 3000) + "\n");
  }
  std::ofstream(folder_.path() / "tracks.csv") << "1,1\n2,2\n";
  EXPECT_EQ(connection.stream("9").status, 200);
  for (int64_t frame = 10; frame < 50; ++frame) ASSERT_EQ(connection.event()->data, line(frame, 3000));
  server_->stop();
  EXPECT_EQ(connection.event()->name, "end");
}

TEST_F(TlsTest, NobodyIsAnsweredWithoutIt) {
  serve_tls();
  EXPECT_EQ(get("/v1/status").status, 0) << "plain HTTP";
  EXPECT_FALSE(TlsConnection(port_, make_certificate().certificate).trusted()) << "another's certificate";
  for (const char* old : {"NORMAL:-VERS-ALL:+VERS-TLS1.0", "NORMAL:-VERS-ALL:+VERS-TLS1.1"})
    EXPECT_FALSE(TlsConnection(port_, pair_.certificate, old).trusted()) << old;
  TlsConnection connection(port_, pair_.certificate, "NORMAL:-VERS-ALL:+VERS-TLS1.2");
  connection.ask("GET", "/v1/status");
  EXPECT_EQ(connection.answer().status, 200);
}

TEST_F(TlsTest, TheTokenIsStillAskedFor) {
  ServerOptions options;
  options.admission.token = "secret";
  serve_tls(options);
  TlsConnection connection(port_, pair_.certificate);
  connection.ask("GET", "/v1/status");
  EXPECT_EQ(connection.answer().status, 401);
  connection.ask("GET", "/v1/status", "Authorization: Bearer secret\r\n");
  EXPECT_EQ(connection.answer().status, 200);
}

TEST_F(TlsTest, ClientsThatNeverFinishTheHandshakeAreLetGo) {
  ServerOptions options;
  options.limits.idle = options.limits.request = std::chrono::seconds(1);
  serve_tls(options);
  std::vector<std::unique_ptr<HttpConnection>> stalled;
  for (int i = 0; i < 20; ++i) {
    stalled.push_back(std::make_unique<HttpConnection>(port_));
    stalled.back()->send(i % 2 == 0 ? "\x16\x03\x01" : "");
  }
  for (const auto& client : stalled) EXPECT_TRUE(client->closed());
  const auto served = [&] {
    TlsConnection connection(port_, pair_.certificate);
    connection.ask("GET", "/v1/status");
    return connection.answer().status == 200;
  };
  while (!served()) std::this_thread::yield();
}

TEST_F(TlsTest, StopsWhileClientsHang) {
  serve_tls();
  write(0);
  HttpConnection handshake(port_);
  handshake.send("\x16\x03\x01");
  TlsConnection idle(port_, pair_.certificate), stalled(port_, pair_.certificate);
  stalled.stream("-1");
  for (int64_t frame = 1; frame < 200; ++frame) write(frame, 50'000);
  server_->stop();
  EXPECT_TRUE(handshake.closed());
  EXPECT_FALSE(HttpConnection(port_).connected());
}

TEST_F(TlsTest, FilesThatAreWrongAreToldAndNeverQuoted) {
  const PemPair mine = make_certificate(), other = make_certificate();
  const auto certificate = file("cert.pem", mine.certificate), key = file("key.pem", mine.key);
  const auto broken = file("broken.pem", mine.key.substr(0, mine.key.size() / 2));
  const std::string secret = mine.key.substr(40, 24);  // of the key itself
  struct Case {
    std::filesystem::path certificate, key;
    ErrorKind kind;
    std::string said;
    std::filesystem::path where;
  };
  const std::vector<Case> cases = {
      {folder_.path() / "none.pem", key, ErrorKind::not_found, "", folder_.path() / "none.pem"},
      {certificate, folder_.path() / "none.pem", ErrorKind::not_found, "", folder_.path() / "none.pem"},
      {key, certificate, ErrorKind::bad_data, "this is not a certificate", key},
      {file("empty.pem", ""), key, ErrorKind::bad_data, "this is not a certificate",
       folder_.path() / "empty.pem"},
      {certificate, certificate, ErrorKind::bad_data, "this is not a private key", certificate},
      {certificate, broken, ErrorKind::bad_data, "this is not a private key", broken},
      {certificate, file("locked.pem", mine.encrypted_key), ErrorKind::bad_data, "has a password",
       folder_.path() / "locked.pem"},
      {certificate, file("other.pem", other.key), ErrorKind::bad_data, "another certificate's",
       folder_.path() / "other.pem"},
      {file("chain.pem", other.certificate + mine.certificate), key, ErrorKind::bad_data,
       "another certificate's", key}};
  std::string logged;
  set_log_listener([&](LogLevel, const std::string& text) { logged += text; });
  for (const Case& one : cases) {
    ServerOptions options;
    options.tls = {one.certificate, one.key};
    const auto server = ResultServer::open(options);
    ASSERT_FALSE(server) << one.said;
    EXPECT_EQ(server.error().kind, one.kind) << server.error().message();
    EXPECT_NE(server.error().what.find(one.said), std::string::npos) << server.error().message();
    EXPECT_NE(server.error().message().find(one.where.string()), std::string::npos)
        << server.error().message();
    EXPECT_EQ((server.error().message() + logged).find(secret), std::string::npos);
  }
  ServedSession session;
  const auto refused = session.start({"127.0.0.1:0", {}, certificate, {}}, folder_.path());
  EXPECT_FALSE(refused) << "a certificate without its key is not served without TLS";
  set_log_listener({});
}

TEST_F(TlsTest, DoubtsAreSaid) {
  std::string logged;
  set_log_listener([&](LogLevel, const std::string& text) { logged += text + "\n"; });
  const PemPair past = make_certificate(0), good = make_certificate();
  EXPECT_TRUE(read_tls_identity({file("past.pem", past.certificate), file("past-key.pem", past.key)}));
  EXPECT_NE(logged.find("past.pem: the certificate has expired"), std::string::npos) << logged;
  logged.clear();
  const auto key = file("key.pem", good.key);
  EXPECT_TRUE(read_tls_identity({file("cert.pem", good.certificate), key}));
  EXPECT_EQ(logged, "");
  std::filesystem::permissions(key, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
  EXPECT_TRUE(read_tls_identity({folder_.path() / "cert.pem", key}));
  EXPECT_NE(logged.find("every user of this machine can read the private key"), std::string::npos) << logged;
  set_log_listener({});
}

}  // namespace
}  // namespace vantage::server
