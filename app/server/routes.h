// Maps requests to answers. resources/docs/formats.md, "Results over HTTP", describes every route, and so
// does resources/server/openapi.json, which is also served, for programs.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/server/clips.h"
#include "app/server/http_request.h"
#include "app/server/result_source.h"

namespace vantage::server {

class Routes {
 public:
  // `server_state`: the server's part of /v1/status, "server". `clips`: null: none are made.
  Routes(const ResultSource& source, std::function<nlohmann::ordered_json()> server_state,
         Clips* clips = nullptr)
      : source_(source), server_state_(std::move(server_state)), clips_(clips) {}

  Answer answer(const Request& request) const;

 private:
  using Parts = std::vector<std::string>;
  Answer status() const;
  Answer health(const Request& request, const std::string& camera) const;
  Answer frames(const Request& request) const;
  Answer stream(const Request& request) const;
  Answer table(const Request& request, StoredTable table, std::string type) const;
  Answer timings(const Request& request) const;
  Answer of_frame(const Request& request, const Parts& parts) const;
  Answer picture(const Request& request, const Parts& parts, std::optional<int64_t> frame) const;
  Answer camera_picture(const Request& request, const std::string& name, size_t camera,
                        std::optional<int64_t> frame) const;
  Answer clip(const Request& request, const std::string& camera) const;
  std::optional<Answer> find_recording(const Request& request, FrameRange span, const std::string& camera,
                                       Project* project, size_t* number) const;

  const ResultSource& source_;
  const std::function<nlohmann::ordered_json()> server_state_;
  Clips* const clips_;
};

}  // namespace vantage::server
