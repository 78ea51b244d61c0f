#include "app/server/routes.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include "app/server/folder_source.h"
#include "app/server/http_request.h"
#include "app/server/page.h"
#include "app/server/result_source.h"
#include "core/base/json.h"
#include "core/results/frame_lines.h"

namespace vantage::server {
namespace {

// Marks on events as clients read and write them.

// Key of a mark as clients write it; a line of the events' table names an event the same way.
std::optional<EventKey> key_in(const nlohmann::json& object) {
  if (!object.is_object() || !object.contains("rule") || !object["rule"].is_string() ||
      !object.contains("raised_frame") || !object["raised_frame"].is_number_integer())
    return std::nullopt;
  EventKey key{object["rule"], 0, object["raised_frame"]};
  if (!object.contains("person") || object["person"].is_null()) return key;  // the zone itself
  if (!object["person"].is_number_integer()) return std::nullopt;
  key.person = object["person"];
  return key;
}

Status find_event(const ResultSource& source, const EventKey& key) {
  VANTAGE_ASSIGN(const FileBody table, source.table(StoredTable::events));
  VANTAGE_ASSIGN(std::string text, text_of(table));
  std::istringstream lines(std::move(text));
  for (std::string line; std::getline(lines, line);)
    if (key_in(parse_json(line)) == key) return {};
  return fail(ErrorKind::not_found, "there is no such event", {},
              "Name rule, person and raised_frame as /v1/events has them.");
}

// Nothing: the body is not valid.
std::optional<EventMark> changed_mark(const nlohmann::json& body, EventMark mark) {
  if (body.contains("standing")) {
    const auto standing =
        body["standing"].is_string() ? standing_named(body["standing"].get<std::string>()) : std::nullopt;
    if (!standing) return std::nullopt;
    mark.standing = *standing;
  }
  if (body.contains("note")) {
    if (!body["note"].is_string()) return std::nullopt;
    mark.note = body["note"];
  }
  return mark;
}

// The document of event_marks.json.
Answer marks_answer(const ResultSource& source, const Request& request) {
  const Result<EventMarks> marks = source.marks();
  if (!marks) return error_answer(marks.error(), request.path);
  Answer answer;
  answer.body = event_marks_json(*marks) + "\n";
  return answer;
}

// Marks one event by the body: {"rule", "person", "raised_frame", "standing", "note"}; if one of the last two
// is absent its value is kept. Answers with the mark.
Answer mark_event(const ResultSource& source, const Request& request) {
  const nlohmann::json body = parse_json(request.body);
  const std::optional<EventKey> key = key_in(body);
  const Result<EventMarks> marks = source.marks();
  if (!marks) return error_answer(marks.error(), request.path);
  std::optional<EventMark> mark;
  if (key) {
    const auto known = marks->find(*key);
    mark = changed_mark(body, known == marks->end() ? EventMark() : known->second);
  }
  if (!mark)
    return error_answer(
        400, "the body is not the mark of an event", request.path,
        R"(Send JSON: {"rule": "door", "person": 3, "raised_frame": 120, "standing": "seen", )"
        R"("note": "…"}; standing is new, seen, false_alarm or exported.)");
  if (const Status found = find_event(source, *key); !found) return error_answer(found.error(), request.path);
  if (const auto changed = source.change_marks({{*key, *mark}}); !changed)
    return error_answer(changed.error(), request.path);
  Answer answer;
  answer.body = json_text(nlohmann::ordered_json{{"rule", key->rule},
                                                 {"person", key->person},
                                                 {"raised_frame", key->raised_frame},
                                                 {"standing", standing_name(mark->standing)},
                                                 {"note", mark->note}}) +
                "\n";
  return answer;
}

// The end of a picture's address.
struct PictureFile {
  PictureKind kind;
  const char *name, *type;
};
constexpr PictureFile kPictureFiles[] = {{PictureKind::mask, "mask.png", "image/png"},
                                         {PictureKind::confidence, "confidence.png", "image/png"},
                                         {PictureKind::flow, "flow.flo", "application/octet-stream"},
                                         {PictureKind::floor, "floor.png", "image/png"},
                                         {PictureKind::height, "height.png", "image/png"},
                                         {PictureKind::shell, "shell.ply", "application/octet-stream"}};

constexpr const char* kCameraPicture = "picture.jpg";

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (size_t begin = 1; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<int64_t> number(const std::string& text) {
  int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

Answer of_type(std::string type, std::string body) {
  Answer answer;
  answer.type = std::move(type), answer.body = std::move(body);
  return answer;
}

Answer json_answer(std::string body) {
  return of_type("application/json", std::move(body) + "\n");
}

Answer nothing_here(const Request& request) {
  return error_answer(404, "there is nothing at this address", request.path,
                      "The page at / has links to everything there is.");
}

Answer no_number(const Request& request, const std::string& what) {
  return error_answer(400, what + " is not a frame number", request.path,
                      "Frames are numbered from 0; /v1/status names the latest.");
}

Answer no_camera(const Request& request) {
  return error_answer(404, "there is no such camera", request.path, "/v1/cameras names them.");
}

// Health of the run and its cameras, from the status: presence and problem of each camera, and all
// measurements of live ones.
nlohmann::ordered_json health_of(const nlohmann::ordered_json& status) {
  nlohmann::ordered_json health;
  for (const char* key : {"kind", "running", "latency_ms", "cameras"}) health[key] = status[key];
  if (!status["live"].is_object()) return health;
  const nlohmann::ordered_json& live = status["live"]["cameras"];
  for (size_t i = 0; i < health["cameras"].size() && i < live.size(); ++i)
    for (const auto& [key, value] : live[i].items())
      if (!health["cameras"][i].contains(key)) health["cameras"][i][key] = value;
  return health;
}

// Reads the request's switches, true or false; absent ones keep their value. Returns an answer for other
// values.
std::optional<Answer> read_switches(const Request& request,
                                    std::initializer_list<std::pair<const char*, bool*>> switches) {
  for (const auto& [name, wanted] : switches) {
    const auto asked = request.query.find(name);
    if (asked == request.query.end()) continue;
    if (asked->second != "true" && asked->second != "false")
      return error_answer(400, std::string("'") + name + "' is neither true nor false", request.path, "");
    *wanted = asked->second == "true";
  }
  return std::nullopt;
}

}  // namespace

Answer Routes::answer(const Request& request) const {
  if (request.method == "POST" && request.path != "/v1/events/marks") {
    Answer refused =
        error_answer(405, "this is read only", request.path, "Events are marked at /v1/events/marks.");
    refused.headers.emplace_back("Allow", "GET, HEAD");
    return refused;
  }
  if (request.path == "/") return page();
  const Parts parts = parts_of(request.path);
  if (parts.size() < 2 || parts[0] != "v1") return nothing_here(request);
  if (parts[1] == "frames") return parts.size() == 2 ? frames(request) : of_frame(request, parts);
  if (parts.size() == 4 && parts[1] == "cameras" && parts[3] == "clip.mp4") return clip(request, parts[2]);
  if (parts.size() == 4 && parts[1] == "cameras" && parts[3] == "health") return health(request, parts[2]);
  if (request.path == "/v1/events/marks")
    return request.method == "POST" ? mark_event(source_, request) : marks_answer(source_, request);
  if (parts.size() > 2) return nothing_here(request);
  if (parts[1] == "status") return status();
  if (parts[1] == "health") return json_answer(json_text(health_of(source_.status())));
  if (parts[1] == "cameras") return json_answer(source_.facts().cameras_answer());
  if (parts[1] == "stream") return stream(request);
  if (parts[1] == "tracks.csv") return table(request, StoredTable::tracks, "text/csv");
  if (parts[1] == "events") return table(request, StoredTable::events, "application/x-ndjson");
  if (parts[1] == "openapi.json") return api_description();
  if (parts[1] == "timings") return timings(request);
  return nothing_here(request);
}

Answer Routes::status() const {
  nlohmann::ordered_json status = source_.status();
  status["server"] = server_state_();
  return json_answer(json_text(status));
}

Answer Routes::health(const Request& request, const std::string& camera) const {
  const nlohmann::ordered_json health = health_of(source_.status());
  for (const nlohmann::ordered_json& one : health["cameras"])
    if (one["name"] == camera) return json_answer(json_text(one));
  return no_camera(request);
}

Answer Routes::frames(const Request& request) const {
  int64_t from = 0, to = std::numeric_limits<int64_t>::max();
  for (const auto& [name, value] : {std::pair<const char*, int64_t*>{"from", &from}, {"to", &to}}) {
    const auto asked = request.query.find(name);
    if (asked == request.query.end()) continue;
    const std::optional<int64_t> frame = number(asked->second);
    if (!frame || *frame < 0) return no_number(request, std::string("'") + name + "'");
    *value = *frame;
  }
  if (from >= to)
    return error_answer(400, "the range holds no frame", request.path,
                        "'to' is excluded: choose it above 'from'.");
  Result<FrameLines::Range> range = source_.lines(from, to);
  if (!range) return error_answer(range.error(), request.path);
  Answer answer = of_type("application/x-ndjson", std::move(range->text));
  if (range->next) {
    std::string next = "/v1/frames?from=" + std::to_string(*range->next);
    if (request.query.contains("to")) next += "&to=" + std::to_string(to);
    answer.headers.emplace_back("Link", "<" + next + ">; rel=\"next\"");
  }
  return answer;
}

Answer Routes::stream(const Request& request) const {
  std::optional<int64_t> after;
  if (!request.last_event_id.empty() && !(after = number(request.last_event_id)))
    return no_number(request, "Last-Event-ID");
  if (after)
    after = std::min(*after, std::numeric_limits<int64_t>::max() - 1);  // another frame must exist after it
  Answer answer = of_type("text/event-stream", "");
  answer.feed = source_.feed(after);
  return answer;
}

Answer Routes::table(const Request& request, StoredTable table, std::string type) const {
  Result<FileBody> file = source_.table(table);
  if (!file) return error_answer(file.error(), request.path);
  Answer answer = of_type(std::move(type), "");
  if (file->bytes > 0) answer.file = std::move(*file);
  return answer;
}

Answer Routes::timings(const Request& request) const {
  Result<std::string> timings = source_.timings();
  return timings ? json_answer(std::move(*timings)) : error_answer(timings.error(), request.path);
}

// /v1/frames/FRAME and paths below it.
Answer Routes::of_frame(const Request& request, const Parts& parts) const {
  std::optional<int64_t> frame;
  if (parts[2] != "latest" && !(frame = number(parts[2]))) return no_number(request, "'" + parts[2] + "'");
  if (parts.size() > 3) return picture(request, parts, frame);
  Result<std::string> line = source_.line(frame);
  return line ? json_answer(std::move(*line)) : error_answer(line.error(), request.path);
}

// HEAD makes the clip, too: its size is unknown before.
Answer Routes::clip(const Request& request, const std::string& camera) const {
  FrameRange span;
  for (const auto& [name, value] :
       {std::pair<const char*, int64_t*>{"from", &span.begin}, {"to", &span.end}}) {
    const auto asked = request.query.find(name);
    const std::optional<int64_t> frame = asked == request.query.end() ? std::nullopt : number(asked->second);
    if (!frame || *frame < 0) return no_number(request, std::string("'") + name + "'");
    *value = *frame;
  }
  if (span.begin >= span.end)
    return error_answer(400, "the range holds no frame", request.path,
                        "'to' is excluded: choose it above 'from'.");
  ClipOptions options;
  options.span = span;
  if (auto wrong = read_switches(request, {{"blur", &options.blur.on}, {"people", &options.overlays.people}}))
    return std::move(*wrong);
  if (auto none = find_recording(request, span, camera, &options.project, &options.camera))
    return std::move(*none);
  return clips_->clip(std::move(options), request);
}

// Returns an answer if no recording has the span and the camera, or nothing can be made of it.
std::optional<Answer> Routes::find_recording(const Request& request, FrameRange span,
                                             const std::string& camera, Project* project,
                                             size_t* number) const {
  Result<Project> recording = source_.recording(span);
  if (!recording) return error_answer(recording.error(), request.path);
  const auto named = std::ranges::find(recording->cameras, camera, &ProjectCamera::name);
  if (named == recording->cameras.end()) return no_camera(request);
  if (!clips_) return nothing_here(request);
  *number = static_cast<size_t>(named - recording->cameras.begin());
  *project = std::move(*recording);
  return std::nullopt;
}

// The newest frame's picture is available; others are made from the recording.
Answer Routes::camera_picture(const Request& request, const std::string& name, size_t camera,
                              std::optional<int64_t> frame) const {
  StillOptions options;
  if (auto wrong = read_switches(request, {{"blur", &options.marks.blur}, {"people", &options.marks.people}}))
    return std::move(*wrong);
  Result<FrameStill> newest = source_.still(frame, camera, options.marks);
  if (newest) return still_answer(std::move(newest->still), newest->frame);
  if (newest.error().kind != ErrorKind::not_found) return error_answer(newest.error(), request.path);
  if (!frame) {
    const Result<std::string> line = source_.line(std::nullopt);
    if (!line) return error_answer(newest.error(), request.path);
    frame = frame_of_line(*line);
  }
  options.frame = frame.value_or(0);
  if (options.frame < 0 || options.frame == std::numeric_limits<int64_t>::max())
    return no_number(request, "'" + std::to_string(options.frame) + "'");
  if (auto none = find_recording(request, {options.frame, options.frame + 1}, name, &options.project,
                                 &options.camera))
    return std::move(*none);
  return clips_->still(std::move(options), request);
}

Answer Routes::picture(const Request& request, const Parts& parts, std::optional<int64_t> frame) const {
  const bool camera_named = parts.size() == 6 && parts[3] == "cameras";
  const bool is_camera_picture = camera_named && parts.back() == kCameraPicture;
  const auto file = std::ranges::find_if(kPictureFiles, [&](const PictureFile& one) {
    return parts.back() == one.name && (of_camera(one.kind) ? camera_named : parts.size() == 4);
  });
  if (file == std::end(kPictureFiles) && !is_camera_picture) return nothing_here(request);
  size_t camera = 0;
  if (camera_named) {
    const std::vector<std::string>& cameras = source_.facts().cameras();
    const auto named = std::ranges::find(cameras, parts[4]);
    if (named == cameras.end()) return no_camera(request);
    camera = static_cast<size_t>(named - cameras.begin());
  }
  if (is_camera_picture) return camera_picture(request, parts[4], camera, frame);
  Result<FramePicture> picture = source_.picture(frame, file->kind, camera);
  if (!picture) return error_answer(picture.error(), request.path);
  Answer answer = of_type(file->type, std::move(picture->bytes));
  answer.headers.emplace_back("Vantage-Frame", std::to_string(picture->frame));
  return answer;
}

}  // namespace vantage::server
