// Messages to a real web server that refuses, stalls, is killed and comes back; and the kill of the sender.
#include <numeric>

#include "tests/unit/push/peers.h"

namespace vantage {
namespace {

std::vector<int> numbers(int first, int last) {
  std::vector<int> all(static_cast<size_t>(last - first + 1));
  std::iota(all.begin(), all.end(), first);
  return all;
}

class WebhookTest : public test::PushTest {
 protected:
  test::WebhookServer server_{folder_.path(), "open sesame"};
};

TEST_F(WebhookTest, ArrivesInOrderWhateverTheServerDoes) {
  PushTarget target = server_.target();
  target.limit_s = 1;
  use(target, "", "open sesame");
  server_.start();
  const auto push = open_push();
  for (int i = 1; i <= 10; ++i) add_event(*push, i);
  ASSERT_TRUE(test::wait_until([&] { return server_.persons().size() >= 10; }));
  server_.behave("500");
  for (int i = 11; i <= 20; ++i) add_event(*push, i);
  ASSERT_TRUE(test::wait_until([&] { return state_of(*push).failures > 2; }));
  EXPECT_NE(state_of(*push).problem.find("500"), std::string::npos) << state_of(*push).problem;
  server_.behave("stall");
  ASSERT_TRUE(test::wait_until([&] { return state_of(*push).problem.find("imeout") != std::string::npos; }))
      << state_of(*push).problem;
  server_.kill();
  ASSERT_TRUE(test::wait_until([&] { return state_of(*push).problem.find("onnect") != std::string::npos; }));
  EXPECT_EQ(state_of(*push).waiting, 10);
  for (int i = 21; i <= 30; ++i) add_event(*push, i);
  server_.behave("");
  server_.start();
  EXPECT_TRUE(push->finish(120, {}));
  EXPECT_EQ(test::without_repeats(server_.persons()), numbers(1, 30));
  std::set<std::string> ids;
  for (const nlohmann::json& request : server_.taken()) {
    EXPECT_EQ(request["right"], true) << "the signature";
    EXPECT_EQ(request["id"], request["body"]["id"]);
    EXPECT_EQ(request["body"]["schema"], "vantage-push-1");
    EXPECT_EQ(request["body"]["event"]["kind"], "enters");
    ids.insert(request["id"].get<std::string>());
  }
  EXPECT_EQ(ids.size(), 30U);
  EXPECT_TRUE(state_of(*push).problem.empty());
}

TEST_F(WebhookTest, AnotherKeyIsSeenByTheReceiver) {
  use(server_.target(), "", "another key");
  server_.start();
  const auto push = open_push();
  add_event(*push, 1);
  ASSERT_TRUE(push->finish(120, {}));
  EXPECT_EQ(server_.taken().at(0)["right"], false);
}

// A program that is killed at any moment: what it had queued arrives when the project is next opened.
TEST_F(WebhookTest, WhatWasQueuedSurvivesAKill) {
  use(server_.target(), "", "open sesame");
  const pid_t child = ::fork();
  if (child == 0) {
    const auto push = open_push();
    for (int i = 1; i <= 100'000; ++i) {
      add_event(*push, i);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ::_exit(0);
  }
  const auto queue = PushQueue::open(push_folder(project_.path));
  ASSERT_TRUE(queue);
  ASSERT_TRUE(test::wait_until([&] { return (*queue)->waiting("desk", 0).value_or(0) >= 50; }));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const auto queued = static_cast<int>((*queue)->waiting("desk", 0).value());
  server_.start();
  const auto push = open_push();
  EXPECT_TRUE(push->finish(120, {}));
  EXPECT_EQ(server_.persons(), numbers(1, queued));
}

TEST_F(WebhookTest, ASecondProgramQueuesAndTheFirstSends) {
  use(server_.target(), "", "open sesame");
  server_.start();
  const auto first = open_push(), second = open_push();
  ASSERT_TRUE(test::wait_until([&] {
    return state_of(*first).problem.find("another program") != std::string::npos ||
           state_of(*second).problem.find("another program") != std::string::npos;
  }));
  add_event(*first, 1);
  ASSERT_TRUE(first->finish(120, {}));
  add_event(*second, 2);
  ASSERT_TRUE(second->finish(120, {}));
  EXPECT_EQ(server_.persons(), numbers(1, 2));
}

TEST_F(WebhookTest, WhatNobodyAllowedHereIsNotSent) {
  project_.push_targets = {server_.target()};
  server_.start();
  const auto push = open_push();
  add_event(*push, 1);
  EXPECT_TRUE(push->finish(120, {})) << "nothing waits";
  EXPECT_TRUE(server_.taken().empty());
  EXPECT_NE(state_of(*push).problem.find("not allowed"), std::string::npos);
  // An allowed target whose address is changed is another one.
  PushTarget other = server_.target();
  ASSERT_TRUE(PushConsent(consent()).allow(other));
  other.address += "/elsewhere";
  EXPECT_FALSE(PushConsent(consent()).allows(other).value());
  EXPECT_FALSE(state_of(*push).allowed);
}

TEST_F(WebhookTest, ConsentCanBeWithdrawn) {
  const PushConsent given(consent());
  PushTarget other = server_.target();
  other.address += "/elsewhere";
  ASSERT_TRUE(given.allow(server_.target()));
  ASSERT_TRUE(given.allow(other));
  ASSERT_TRUE(given.withdraw(server_.target()));
  EXPECT_FALSE(given.allows(server_.target()).value());
  EXPECT_TRUE(given.allows(other).value());
  ASSERT_TRUE(given.withdraw(server_.target())) << "there is nothing left to withdraw";
}

TEST_F(WebhookTest, OnlyTheChosenRulesAreSent) {
  PushTarget target = server_.target();
  target.rules = {"gate"};
  use(target, "", "open sesame");
  server_.start();
  const auto push = open_push();
  add_event(*push, 1);
  EXPECT_TRUE(push->finish(120, {}));
  EXPECT_TRUE(server_.taken().empty());
}

// A certificate of one's own authority, and nobody else's.
TEST_F(WebhookTest, TrustsTheStatedAuthorityOnly) {
  const std::string make =
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
      "-addext subjectAltName=DNS:localhost -keyout " +
      path("key.pem") + " -out " + path("cert.pem") + " 2>/dev/null";
  ASSERT_EQ(std::system(make.c_str()), 0);
  test::WebhookServer server(folder_.path(), "k", {path("cert.pem"), path("key.pem")});
  server.start();
  PushTarget target = server.target();
  use(target, "", "k");
  {
    const auto push = open_push();
    add_event(*push, 1);
    ASSERT_TRUE(test::wait_until([&] { return state_of(*push).failures > 0; }));
    EXPECT_NE(state_of(*push).problem.find("certificate"), std::string::npos) << state_of(*push).problem;
    EXPECT_TRUE(server.taken().empty());
  }
  target.ca = path("cert.pem");
  use(target, "", "k");
  const auto push = open_push();
  EXPECT_TRUE(push->finish(120, {}));
  EXPECT_EQ(server.persons(), numbers(1, 1));
}

// ---- commands

class CommandTest : public test::PushTest {
 protected:
  PushTarget script(const std::string& text, std::vector<std::string> arguments = {}) {
    const std::string file = path("take.sh");
    EXPECT_TRUE(write_file_atomically(file, "#!/bin/sh\n" + text));
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    PushTarget target;
    target.name = "lamp", target.kind = PushKind::command, target.command = {file};
    target.command.insert(target.command.end(), arguments.begin(), arguments.end());
    return target;
  }
};

TEST_F(CommandTest, GetsTheMessageAndItsArgumentsAsTheyAre) {
  const std::string odd = "$(touch " + path("shell") + "); a 'b'";
  use(script("printf '%s\\n' \"$1\" >> " + path("words") + "; cat >> " + path("got") + "\n", {odd}));
  const auto push = open_push();
  add_event(*push, 7);
  ASSERT_TRUE(push->finish(120, {}));
  EXPECT_EQ(test::lines_of(path("words")), std::vector<std::string>{odd});
  EXPECT_FALSE(std::filesystem::exists(path("shell"))) << "no shell reads the arguments";
  const auto got = parse_json_or_throw(read_file(path("got")).value());
  EXPECT_EQ(got["event"]["person"], 7);
  EXPECT_EQ(got["state"], "begins");
}

TEST_F(CommandTest, IsTriedAgainUntilItEndsWellAndEndedWhereItTakesTooLong) {
  PushTarget target =
      script("n=$(cat " + path("count") + " 2>/dev/null || echo 0)\nn=$((n+1))\necho $n > " + path("count") +
             "\n[ $n = 1 ] && exit 3\n[ $n = 2 ] && sleep 1000\ncat >> " + path("got") + "\n");
  target.limit_s = 1;
  use(target);
  const auto push = open_push();
  add_event(*push, 1);
  add_event(*push, 2);
  ASSERT_TRUE(push->finish(120, {}));
  std::vector<int> persons;
  for (const std::string& line : test::lines_of(path("got")))
    persons.push_back(parse_json_or_throw(line)["event"]["person"]);
  EXPECT_EQ(persons, numbers(1, 2));
  EXPECT_EQ(read_file(path("count")).value(), "4\n");
}

}  // namespace
}  // namespace vantage
