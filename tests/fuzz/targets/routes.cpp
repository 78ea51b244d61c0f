// Requests that are let in, over results on disk: paths, queries, and the event after which a stream goes on.
// The input is lines: path, then "NAME=VALUE" of the query, then "id:VALUE" of Last-Event-ID.
#include "app/server/routes.h"

#include <fstream>
#include <sstream>

#include "app/server/feed.h"
#include "app/server/folder_source.h"
#include "core/base/json.h"
#include "tests/fuzz/target.h"

using namespace vantage;

namespace {

constexpr int kFrames = 5;

const server::FolderSource& results() {
  static const std::unique_ptr<server::FolderSource> source = [] {
    const auto folder = fuzz::empty_folder("hall.results");
    std::ofstream lines(folder / "results.jsonl");
    lines
        << R"({"schema":"vantage-results-1","version":"1","backend":"cpu","device":"CPU","project":"hall.vantage",)"
        << R"("frame_rate":25.0,"cameras":[{"name":"a","video":"a.mp4","width_px":4,"height_px":3}],"grid":null,"parameters":{}})"
        << "\n";
    for (int frame = 0; frame < kFrames; ++frame)
      lines << R"({"frame":)" << 2 * frame << R"(,"cameras":[{"name":"a","frame":0,"problem":null}]})"
            << "\n";
    lines.close();
    std::ofstream(folder / "tracks.csv") << "frame,id\n";
    auto opened = server::FolderSource::open(folder);
    fuzz::hold(opened.has_value(), "results of a run can be served");
    return std::move(*opened);
  }();
  return *source;
}

// At most as many events as there are lines, and the one that says that it is over.
void drain(std::unique_ptr<server::Feed> feed) {
  server::EventStream stream(std::move(feed));
  int events = 0;
  while (stream.next()) ++events;
  fuzz::hold(events <= kFrames + 2, "a stream gives every frame once");
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::istringstream lines{std::string(fuzz::text_of(data, size))};
  server::Request request;
  request.method = "GET";
  std::getline(lines, request.path);
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (line.starts_with("id:"))
      request.last_event_id = line.substr(3);
    else if (equals != std::string::npos)
      request.query.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  const server::Routes routes(results(), [] { return nlohmann::ordered_json::object(); });
  server::Answer answer = routes.answer(request);
  fuzz::hold(answer.status == 200 || answer.status == 400 || answer.status == 404,
             "a request is answered, wrong, or of something that is not there");
  if (answer.feed) drain(std::move(answer.feed));
  return 0;
}
