// Messages to a real broker (mosquitto) that is killed and comes back, read by its own client.
#include <numeric>

#include "tests/unit/push/peers.h"

namespace vantage {
namespace {

struct Heard {
  bool kept = false;
  std::string topic, payload;
};

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

class MqttTest : public test::PushTest {
 protected:
  void SetUp() override {
    if (std::string(VANTAGE_MOSQUITTO).empty() || std::string(VANTAGE_MOSQUITTO_SUB).empty())
      GTEST_SKIP() << "no broker here: install mosquitto and mosquitto-clients";
  }

  PushTarget target() const {
    PushTarget target;
    target.name = "home", target.address = "mqtt://127.0.0.1:" + std::to_string(port_);
    target.discovery = "homeassistant";
    return target;
  }
  // `more`: lines of its configuration. It keeps what it is told to keep for its clients, also over a kill.
  void start_broker(const std::string& more = "allow_anonymous true\n") {
    ASSERT_TRUE(write_file_atomically(path("broker.conf"),
                                      "listener " + std::to_string(port_) + " 127.0.0.1\n" + more +
                                          "user root\npersistence true\npersistence_location " +
                                          folder_.path().string() +
                                          "/\nautosave_on_changes true\nautosave_interval 1\n"));
    broker_ = std::make_unique<test::Process>(
        std::vector<std::string>{VANTAGE_MOSQUITTO, "-c", path("broker.conf")});
    ASSERT_TRUE(test::wait_until([this] { return test::listens(port_); }));
  }
  void kill_broker() { broker_.reset(); }
  // Listens to everything from now on, also over a broker that comes back.
  void listen(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {VANTAGE_MOSQUITTO_SUB,
                                      "-V",
                                      "5",
                                      "-p",
                                      std::to_string(port_),
                                      "-q",
                                      "1",
                                      "-c",
                                      "-i",
                                      "listener",
                                      "-t",
                                      "#",
                                      "-F",
                                      "%r %t\t%x"};
    words.insert(words.end(), more.begin(), more.end());
    listener_ = std::make_unique<test::Process>(words, path("heard"));
  }
  std::vector<Heard> heard() const {
    std::vector<Heard> all;
    for (const std::string& line : test::lines_of(path("heard"))) {
      const size_t tab = line.find('\t');
      all.push_back({line[0] == '1', line.substr(2, tab - 2), bytes_of_hex(line.substr(tab + 1))});
    }
    return all;
  }
  std::vector<std::string> payloads(const std::string& topic) const {
    std::vector<std::string> found;
    for (const Heard& one : heard())
      if (one.topic == topic) found.push_back(one.payload);
    return found;
  }
  std::string last(const std::string& topic) const {
    const auto found = payloads(topic);
    return found.empty() ? "" : found.back();
  }
  std::vector<int> persons() const {
    std::vector<int> persons;
    for (const std::string& text : payloads("vantage/hall/events/door"))
      persons.push_back(parse_json_or_throw(text)["event"]["person"]);
    return test::without_repeats(persons);
  }

  const int port_ = test::free_tcp_port();
  std::unique_ptr<test::Process> broker_, listener_;
};

TEST_F(MqttTest, ArrivesInOrderThoughTheBrokerIsKilled) {
  use(target());
  start_broker();
  listen();
  const auto push = open_push();
  ASSERT_TRUE(test::wait_until([&] { return last("vantage/hall/status") == "online"; }));
  for (int i = 1; i <= 5; ++i) add_event(*push, i);
  ASSERT_TRUE(test::wait_until([&] { return persons().size() == 5 && state_of(*push).waiting == 0; }));
  kill_broker();
  for (int i = 6; i <= 10; ++i) add_event(*push, i);
  ASSERT_TRUE(test::wait_until([&] { return state_of(*push).failures > 2; }));
  EXPECT_EQ(state_of(*push).waiting, 5);
  start_broker();
  EXPECT_TRUE(push->finish(120, {}));
  std::vector<int> all(10);
  std::iota(all.begin(), all.end(), 1);
  // A broker that is killed may have forgotten who has what, and gives it once more: at least once is
  // promised.
  const auto first_times = [this] {
    std::vector<int> seen;
    for (const int person : persons())
      if (std::find(seen.begin(), seen.end(), person) == seen.end()) seen.push_back(person);
    return seen;
  };
  EXPECT_TRUE(test::wait_until([&] { return first_times() == all; })) << testing::PrintToString(persons());
}

TEST_F(MqttTest, KeepsStatesAndTellsHomeAssistant) {
  use(target());
  start_broker();
  auto push = open_push();
  add_event(*push, 1);
  add_event(*push, 2);
  LiveHealth health;
  health.cameras.resize(1);
  health.cameras[0].name = "cam1", health.cameras[0].state = "no route";
  push->add_health(health, 1);
  push->add_health(health, 1 + HealthWatch::kLasting_ns);
  ASSERT_TRUE(push->finish(120, {}));
  listen();  // late: what is kept comes
  const std::string door = "vantage/hall/rules/door";
  ASSERT_TRUE(test::wait_until([&] { return last(door) == "ON"; }));
  EXPECT_TRUE(payloads("vantage/hall/events/door").empty()) << "events are not kept";
  EXPECT_EQ(parse_json_or_throw(last("vantage/hall/cameras/cam1"))["problem"], "no route");
  const std::string device = "homeassistant/binary_sensor/vantage_vantage_hall_";
  std::vector<std::string> sensors;
  for (const Heard& one : heard())
    if (one.topic.starts_with(device)) sensors.push_back(one.payload);
  ASSERT_EQ(sensors.size(), 2U);
  for (const std::string& text : sensors) {
    const auto sensor = parse_json_or_throw(text);
    EXPECT_EQ(sensor["availability_topic"], "vantage/hall/status");
    EXPECT_FALSE(payloads(sensor["state_topic"]).empty()) << "it names a topic that there is";
  }
  // Both leave: the rule is off when the second has gone.
  FloorEvent event;
  event.rule = "door", event.id = event.first_frame = event.raised_frame = 1, event.last_frame = 9;
  push->add_events(std::span(&event, 1), nullptr, 0);
  ASSERT_TRUE(test::wait_until([&] { return persons() == std::vector<int>{1}; }));
  EXPECT_EQ(last(door), "ON");
  event.id = event.first_frame = event.raised_frame = 2;
  push->add_events(std::span(&event, 1), nullptr, 0);
  EXPECT_TRUE(test::wait_until([&] { return last(door) == "OFF"; }));
  push.reset();
  EXPECT_TRUE(test::wait_until([&] { return last("vantage/hall/status") == "offline"; }));
}

// Nobody says goodbye for a program that is killed: the broker does.
TEST_F(MqttTest, TheLastWillTellsOfAKill) {
  use(target());
  start_broker();
  listen();
  const pid_t child = ::fork();
  if (child == 0) {
    const auto push = open_push();
    ::pause();
    ::_exit(0);
  }
  ASSERT_TRUE(test::wait_until([&] { return last("vantage/hall/status") == "online"; }));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(test::wait_until([&] { return last("vantage/hall/status") == "offline"; }));
}

TEST_F(MqttTest, AWrongPasswordIsSaidAndTheRightOneGetsIn) {
  const std::string passwords = path("passwords");
  ASSERT_EQ(
      std::system((std::string(VANTAGE_MOSQUITTO_PASSWD) + " -b -c " + passwords + " hall right").c_str()),
      0);
  start_broker("allow_anonymous false\npassword_file " + passwords + "\n");
  use(target(), "hall", "wrong");
  {
    const auto push = open_push();
    ASSERT_TRUE(test::wait_until([&] { return state_of(*push).failures > 0; }));
    EXPECT_NE(state_of(*push).problem.find("refuses"), std::string::npos) << state_of(*push).problem;
    EXPECT_EQ(state_of(*push).problem.find("wrong"), std::string::npos) << "no password in messages";
  }
  use(target(), "hall", "right");
  const auto push = open_push();
  EXPECT_TRUE(push->finish(120, {}));
}

TEST_F(MqttTest, ABrokerIsTrustedByItsAuthority) {
  const std::string make =
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext "
      "subjectAltName=DNS:localhost -keyout " +
      path("key.pem") + " -out " + path("cert.pem") + " 2>/dev/null";
  ASSERT_EQ(std::system(make.c_str()), 0);
  start_broker("allow_anonymous true\ncertfile " + path("cert.pem") + "\nkeyfile " + path("key.pem") + "\n");
  PushTarget encrypted = target();
  encrypted.address = "mqtts://localhost:" + std::to_string(port_);
  use(encrypted);
  {
    const auto push = open_push();
    ASSERT_TRUE(test::wait_until([&] { return state_of(*push).failures > 0; }));
    EXPECT_NE(state_of(*push).problem.find("certificate"), std::string::npos) << state_of(*push).problem;
    EXPECT_EQ(state_of(*push).delivered, 0);
  }
  encrypted.ca = path("cert.pem");
  use(encrypted);
  const auto push = open_push();
  EXPECT_TRUE(push->finish(120, {})) << state_of(*push).problem;
}

}  // namespace
}  // namespace vantage
