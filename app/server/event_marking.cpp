#include "app/server/event_marking.h"

#include <optional>
#include <sstream>

#include "app/server/stored_files.h"
#include "core/base/json.h"

namespace vantage::server {
namespace {

// Key of a mark as clients write it; a line of the events' table names an event the same way.
std::optional<EventKey> key_in(const nlohmann::json& object) {
  if (!object.is_object() || !object.contains("rule") || !object["rule"].is_string() ||
      !object.contains("raised_frame") || !object["raised_frame"].is_number_integer())
    return std::nullopt;
  EventKey key{object["rule"], 0, object["raised_frame"]};
  if (!object.contains("person") || object["person"].is_null()) return key;  // the zone as a whole
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

// Nothing: the body does not say what it must.
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

}  // namespace

Answer marks_answer(const ResultSource& source, const Request& request) {
  const Result<EventMarks> marks = source.marks();
  if (!marks) return error_answer(marks.error(), request.path);
  Answer answer;
  answer.body = event_marks_json(*marks) + "\n";
  return answer;
}

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

}  // namespace vantage::server
