// A server over a run that the test writes, asked over real sockets.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "app/server/result_server.h"
#include "app/server/run_source.h"
#include "core/base/json.h"
#include "tests/support/data.h"
#include "tests/support/http_client.h"

namespace vantage::server {

// A run of two cameras that the test writes line by line.
class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_.path() / "results.jsonl.part")
        << R"({"schema":"vantage-results-2","version":"1","backend":"cpu","device":"CPU","project":"/home/me/hall.vantage",)"
        << R"("frame_rate":25.0,"cameras":[{"name":"a b","video":"/home/me/a.mp4","width_px":4,"height_px":3},)"
        << R"({"name":"c","video":"rtsp://u:p@host/c","width_px":4,"height_px":3}],"grid":null,"parameters":{},"versions":{"video":"00000000000000ab"}})"
        << "\n";
  }
  void serve(ServerOptions options = {}, size_t kept_lines = 1000) {
    RunSourceOptions run;
    run.folder = folder_.path();
    run.kept_lines = kept_lines;
    run.total = 1000;
    source_ = RunSource::open(run).value();
    start(source_, std::move(options));
  }
  void start(std::shared_ptr<ResultSource> source, ServerOptions options = {}) {
    server_ = ResultServer::open(options).value();
    ASSERT_TRUE(server_->start(std::move(source)));
    const std::string url = server_->url();
    port_ = std::stoi(url.substr(url.rfind(':') + 1));
  }
  static std::string line(int64_t frame, size_t padding = 0) {
    return "{\"frame\":" + std::to_string(frame) + R"(,"cameras":[{},{"frame":-1,"problem":"gone"}],"x":")" +
           std::string(padding, 'x') + "\"}";
  }
  void write(int64_t frame, size_t padding = 0) {
    std::ofstream(folder_.path() / "results.jsonl.part", std::ios::app) << line(frame, padding) << "\n";
    source_->add_line(line(frame, padding));
  }
  test::HttpAnswer get(const std::string& target, const std::string& headers = {}) const {
    return test::http_get(port_, target, headers);
  }
  // The server finds by and by that clients have gone.
  void wait_until_well() const {
    while (get("/v1/status").status != 200) std::this_thread::yield();
  }
  // An error as every one is told: JSON with what, where, do.
  void expect_error(const test::HttpAnswer& answer, int status, const std::string& where) const {
    EXPECT_EQ(answer.status, status) << where;
    const auto error = parse_json(answer.body);
    ASSERT_TRUE(error.is_object()) << answer.body;
    EXPECT_FALSE(error.value("what", "").empty());
    EXPECT_EQ(error.value("where", "?"), where);
    EXPECT_TRUE(error.contains("do"));
    EXPECT_EQ(answer.body.find(folder_.path().string()), std::string::npos) << answer.body;
  }

  const test::TemporaryFolder folder_;
  std::shared_ptr<RunSource> source_;
  std::unique_ptr<ResultServer> server_;
  int port_ = 0;
};

}  // namespace vantage::server
