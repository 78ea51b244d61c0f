// The other side of messages, as real programs: a web server in Python, the broker mosquitto. They are killed
// and come back at the same port.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/push/push.h"
#include "core/push/push_consent.h"
#include "tests/support/data.h"
#include "tests/support/loopback_socket.h"

namespace vantage::test {

// False: it never came true. The limit only ends a test that hangs.
inline bool wait_until(const std::function<bool()>& done) {
  for (int i = 0; i < 6000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    if (done()) return true;
  return false;
}

class Process {
 public:
  explicit Process(const std::vector<std::string>& words, const std::string& output = "/dev/null") {
    child_ = ::fork();
    if (child_ != 0) return;
    ::dup2(::open(output.c_str(), O_CREAT | O_APPEND | O_WRONLY, 0600), 1);
    ::dup2(::open("/dev/null", O_WRONLY), 2);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Process() { kill(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  void kill() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    child_ = 0;
  }

 private:
  pid_t child_ = 0;
};

inline int free_tcp_port() {
  return LoopbackSocket(SOCK_STREAM).port();
}

inline bool listens(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback_address(port);
  const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);
  return connected;
}

inline std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::istringstream in(read_file(file).value_or(""));
  for (std::string line; std::getline(in, line);)
    if (!in.eof()) lines.push_back(line);  // the last one may still be written
  return lines;
}

// Numbers without those that came again: at least once is promised, not once.
inline std::vector<int> without_repeats(const std::vector<int>& numbers) {
  std::vector<int> once;
  for (const int number : numbers)
    if (once.empty() || once.back() != number) once.push_back(number);
  return once;
}

// A project with one rule, targets that are allowed, and a store for their secrets.
class PushTest : public testing::Test {
 protected:
  PushTest() {
    project_.path = folder_.path() / "hall.vantage";
    project_.cameras.resize(1);
    project_.cameras[0].name = "cam1", project_.cameras[0].video = "cam1.mp4";
    project_.zones = {{"shop", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}};
    project_.rules = {{.name = "door", .kind = RuleKind::enters, .where = "shop"}};
  }

  void use(const PushTarget& target, const std::string& user = {}, const std::string& password = {}) {
    project_.push_targets = {target};
    ASSERT_TRUE(PushConsent(consent()).allow(target));
    if (!password.empty()) {
      ASSERT_TRUE(store_->keep(secret_address(target), {user, password}));
    }
  }
  std::unique_ptr<Push> open_push() const {
    PushOptions options;
    options.credentials = store_;
    options.consent = consent();
    options.frame_rate = 10;
    options.retry = {0.05, 0.1};
    auto push = Push::open(project_, options);
    EXPECT_TRUE(push) << push.error().message();
    return push ? std::move(*push) : nullptr;
  }
  // Person `number` enters and stays.
  static void add_event(Push& push, int number) {
    FloorEvent event;
    event.rule = "door", event.id = number, event.first_frame = event.raised_frame = number;
    push.add_events(std::span(&event, 1), nullptr, 0);
  }
  std::filesystem::path consent() const { return folder_.path() / "consent.json"; }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  static PushState state_of(const Push& push) { return push.states().at(0); }

  const TemporaryFolder folder_;
  const std::shared_ptr<CredentialStore> store_ = make_credential_file(folder_.path() / "secrets.json");
  Project project_;
};

// The receiver of webhook_server.py.
class WebhookServer {
 public:
  WebhookServer(std::filesystem::path folder, std::string key, std::vector<std::string> tls = {})
      : folder_(std::move(folder)), key_(std::move(key)), tls_(std::move(tls)), port_(free_tcp_port()) {}

  void start() {
    std::vector<std::string> words = {
        VANTAGE_PYTHON,        std::string(VANTAGE_SOURCE_DIR) + "/tests/unit/push/webhook_server.py",
        std::to_string(port_), key_,
        log().string(),        mode().string()};
    words.insert(words.end(), tls_.begin(), tls_.end());
    process_ = std::make_unique<Process>(words);
    ASSERT_TRUE(wait_until([this] { return listens(port_); }));
  }
  void kill() { process_.reset(); }
  // "500", "stall" or "": takes what comes.
  void behave(const std::string& how) const { ASSERT_TRUE(write_file_atomically(mode(), how)); }

  int port() const { return port_; }
  PushTarget target() const {
    PushTarget target;
    target.name = "desk", target.kind = PushKind::webhook;
    target.address =
        (tls_.empty() ? "http://127.0.0.1:" : "https://localhost:") + std::to_string(port_) + "/hook";
    return target;
  }
  std::vector<nlohmann::json> taken() const {
    std::vector<nlohmann::json> requests;
    for (const std::string& line : lines_of(log())) requests.push_back(parse_json_or_throw(line));
    return requests;
  }
  std::vector<int> persons() const {
    std::vector<int> persons;
    for (const nlohmann::json& request : taken())
      if (request["body"]["kind"] == "event") persons.push_back(request["body"]["event"]["person"]);
    return persons;
  }

 private:
  std::filesystem::path log() const { return folder_ / "taken.jsonl"; }
  std::filesystem::path mode() const { return folder_ / "mode"; }
  const std::filesystem::path folder_;
  const std::string key_;
  const std::vector<std::string> tls_;
  const int port_;
  std::unique_ptr<Process> process_;
};

}  // namespace vantage::test
