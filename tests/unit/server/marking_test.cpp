// Events are marked with the token for it and with no other, beside marks that others make meanwhile.
#include "app/server/folder_source.h"
#include "core/results/results_events.h"
#include "tests/unit/server/server_fixture.h"

namespace vantage::server {
namespace {

using nlohmann::json;

const EventKey kDoor = {"door", 3, 120}, kFull = {"full", 0, 7};

class MarkingTest : public ServerTest {
 protected:
  void serve_folder(const std::string& token, const std::string& mark_token) {
    std::filesystem::rename(folder_.path() / "results.jsonl.part", folder_.path() / "results.jsonl");
    std::ofstream(folder_.path() / "results.jsonl", std::ios::app) << line(0) << "\n";
    std::ofstream(folder_.path() / "events.jsonl")
        << R"({"rule":"door","person":3,"first_frame":100,"raised_frame":120})"
        << "\n"
        << R"({"rule":"full","person":null,"first_frame":2,"raised_frame":7})"
        << "\n";
    ServerOptions options;
    options.admission.token = token, options.admission.mark_token = mark_token;
    start(FolderSource::open(folder_.path()).value(), options);
  }
  static std::string bearer(const std::string& token) {
    return token.empty() ? "" : "Authorization: Bearer " + token + "\r\n";
  }
  test::HttpAnswer post(const std::string& body, const std::string& token,
                        const std::string& target = "/v1/events/marks", const std::string& more = {}) const {
    test::HttpConnection connection(port_);
    connection.ask("POST", target,
                   "Content-Length: " + std::to_string(body.size()) + "\r\n" + bearer(token) + more);
    connection.send(body);
    return connection.answer();
  }
  EventMarks marks() const { return read_event_marks(folder_.path()).value(); }
};

TEST_F(MarkingTest, AMarkIsWrittenBesideThoseOfOthers) {
  serve_folder("", "mark");
  EXPECT_EQ(parse_json_or_throw(get("/v1/events/marks").body)["marks"].size(), 0U);
  const test::HttpAnswer seen = post(
      R"({"rule":"door","person":3,"raised_frame":120,"standing":"seen","note":"the \"cat\" ü"})", "mark");
  EXPECT_EQ(seen.status, 200) << seen.body;
  EXPECT_EQ(parse_json_or_throw(seen.body)["standing"], "seen");
  EXPECT_EQ(marks(), (EventMarks{{kDoor, {EventStanding::seen, "the \"cat\" ü"}}}));
  // The window has judged another one.
  ASSERT_TRUE(change_event_marks(folder_.path(), {{kFull, {EventStanding::false_alarm, "wind"}}}));
  EXPECT_EQ(post(R"({"rule":"door","person":3,"raised_frame":120,"standing":"exported"})", "mark").status,
            200);
  EXPECT_EQ(post(R"({"rule":"full","person":null,"raised_frame":7,"note":"rain"})", "mark").status, 200);
  EXPECT_EQ(marks(), (EventMarks{{kDoor, {EventStanding::exported, "the \"cat\" ü"}},
                                 {kFull, {EventStanding::false_alarm, "rain"}}}));
  EXPECT_EQ(parse_json_or_throw(get("/v1/events/marks").body),
            parse_json_or_throw(event_marks_json(marks())));
}

TEST_F(MarkingTest, OnlyWithItsToken) {
  serve_folder("read", "mark");
  const std::string body = R"({"rule":"door","person":3,"raised_frame":120,"standing":"seen"})";
  EXPECT_EQ(post(body, "").status, 401);
  EXPECT_EQ(post(body, "wrong").status, 401);
  const test::HttpAnswer reads = post(body, "read");
  expect_error(reads, 403, "/v1/events/marks");
  EXPECT_NE(reads.body.find("reads only"), std::string::npos);
  EXPECT_TRUE(marks().empty());
  EXPECT_EQ(get("/v1/events/marks", bearer("mark")).status, 200) << "it reads, too";
  EXPECT_EQ(get("/v1/status", bearer("read")).status, 200);
  EXPECT_EQ(get("/v1/status").status, 401);
  EXPECT_EQ(post(body, "mark").status, 200);
  // One was wrong: nine more are answered at once.
  for (int i = 0; i < 9; ++i) EXPECT_EQ(post(body, "guess" + std::to_string(i)).status, 401) << i;
  EXPECT_EQ(post(body, "mark").status, 429) << "guesses at this token count, too";
}

TEST_F(MarkingTest, WithoutATokenForItNobodyMarks) {
  serve_folder("", "");
  const test::HttpAnswer refused = post(R"({"rule":"door","person":3,"raised_frame":120})", "");
  expect_error(refused, 405, "/v1/events/marks");
  EXPECT_EQ(refused.headers.at("allow"), "GET, HEAD");
  EXPECT_FALSE(parse_json_or_throw(get("/v1/status").body)["server"]["marking"].get<bool>());
}

TEST_F(MarkingTest, WhatIsNoMarkOfAnEventIsRefused) {
  serve_folder("", "mark");
  for (const char* body :
       {"", "[]", "nonsense", R"({"rule":"door"})", R"({"rule":7,"person":3,"raised_frame":120})",
        R"({"rule":"door","person":"3","raised_frame":120})",
        R"({"rule":"door","person":3,"raised_frame":1.5})",
        R"({"rule":"door","person":3,"raised_frame":120,"standing":"gone"})",
        R"({"rule":"door","person":3,"raised_frame":120,"standing":1})",
        R"({"rule":"door","person":3,"raised_frame":120,"note":1})"})
    expect_error(post(body, "mark"), 400, "/v1/events/marks");
  expect_error(post(R"({"rule":"door","person":4,"raised_frame":120,"standing":"seen"})", "mark"), 404,
               "/v1/events/marks");
  EXPECT_EQ(post("{}", "mark", "/v1/status").status, 405);
  EXPECT_EQ(post("{}", "mark", "/").status, 405);
  EXPECT_EQ(post(std::string(40'000, ' '), "mark").status, 413);
  test::HttpConnection reader(port_);
  reader.ask("GET", "/v1/events/marks", "Content-Length: 2\r\n");
  reader.send("{}");
  EXPECT_EQ(reader.answer().status, 413) << "what reads has no body";
  EXPECT_TRUE(marks().empty());
}

TEST_F(MarkingTest, ABodyThatIsAnnouncedIsWaitedFor) {
  serve_folder("", "mark");
  const std::string body = R"({"rule":"door","person":3,"raised_frame":120,"standing":"seen"})";
  test::HttpConnection connection(port_);
  connection.ask(
      "POST", "/v1/events/marks",
      "Content-Length: " + std::to_string(body.size()) + "\r\nExpect: 100-continue\r\n" + bearer("mark"));
  EXPECT_EQ(connection.head().status, 100);
  connection.send(body);
  EXPECT_EQ(connection.answer().status, 200);
}

TEST_F(MarkingTest, EventsOfARunAreNotMarked) {
  ServerOptions options;
  options.admission.mark_token = "mark";
  serve(options);
  expect_error(post(R"({"rule":"door","person":3,"raised_frame":120})", "mark"), 404, "/v1/events/marks");
  expect_error(get("/v1/events/marks"), 404, "/v1/events/marks");
}

TEST(MarkToken, IsAnother) {
  Admission admission;
  admission.token = admission.mark_token = "same";
  EXPECT_EQ(check_admission(admission).error().kind, ErrorKind::invalid_argument);
  admission.token.clear();
  EXPECT_TRUE(check_admission(admission));
  admission.address = parse_server_address("0.0.0.0:0").value();
  EXPECT_FALSE(check_admission(admission)) << "it lets nobody read";
}

}  // namespace
}  // namespace vantage::server
