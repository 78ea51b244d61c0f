// vantage-cli events: events of a project's rules with the marks that people gave them, and new marks.
#include <cstdio>
#include <string>
#include <vector>

#include "app/cli/common/recorded_people.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/project/project.h"
#include "core/project/recording_clock.h"
#include "core/results/event_marks.h"
#include "core/tracks/counting/rules.h"

namespace vantage::cli {
namespace {

struct EventArguments {
  std::string project, only, mark, rule;
  std::optional<std::string> note;
  int64_t person = 0, frame = -1;
  bool json = false;
};

struct MarkedEvent {
  FloorEvent event;
  EventMark mark;
};

struct Marked {
  Project project;
  RecordedPeople people;
  std::vector<MarkedEvent> events;
};

EventStanding standing_or_fail(const char* option, const std::string& name) {
  if (const auto standing = standing_named(name)) return *standing;
  throw CLI::ValidationError(option, "'" + name + "' is neither new, seen, false_alarm nor exported");
}

Marked read_events(const EventArguments& arguments) {
  Marked marked;
  marked.project = value_or_fail(load_project(arguments.project));
  const Project& project = marked.project;
  marked.people = read_people_or_fail(project, {}, {});
  const EventMarks marks = value_or_fail(read_event_marks(project.results_folder()));
  for (FloorEvent& event :
       value_or_fail(find_events(marked.people.range(), project.rules, project.zones, project.lines))) {
    const auto known = marks.find(key_of(event));
    marked.events.push_back({std::move(event), known == marks.end() ? EventMark() : known->second});
  }
  return marked;
}

nlohmann::ordered_json json_of(const RecordedPeople& people, const MarkedEvent& one) {
  const FloorEvent& event = one.event;
  return {{"rule", event.rule},
          {"person", event.id > 0 ? nlohmann::ordered_json(event.id) : nlohmann::ordered_json()},
          {"raised_frame", event.raised_frame},
          {"time", time_of(people, event.raised_frame)},
          {"standing", standing_name(one.mark.standing)},
          {"note", one.mark.note}};
}

// The event that the options name gets its mark; what is not said of it stays.
void mark_event(const EventArguments& arguments, Marked* marked) {
  const EventKey key{arguments.rule, arguments.person, arguments.frame};
  for (MarkedEvent& one : marked->events) {
    if (key_of(one.event) != key) continue;
    if (!arguments.mark.empty()) one.mark.standing = standing_or_fail("--mark", arguments.mark);
    if (arguments.note) one.mark.note = *arguments.note;
    value_or_fail(change_event_marks(marked->project.results_folder(), {{key, one.mark}}));
    marked->events = {one};
    return;
  }
  fail_command({ErrorKind::not_found, "there is no such event", marked->project.path.string(),
                "Name it by --rule, --person and --frame as `vantage-cli events` lists it."});
}

void events(const EventArguments& arguments) {
  const bool marking = !arguments.mark.empty() || arguments.note;
  if (marking && (arguments.rule.empty() || arguments.frame < 0))
    throw CLI::ValidationError("--mark",
                               "--rule and --frame, and --person unless it is of a zone, name an event");
  if (!arguments.mark.empty()) standing_or_fail("--mark", arguments.mark);
  Marked marked = read_events(arguments);
  if (marking) mark_event(arguments, &marked);
  if (!arguments.only.empty()) {
    const EventStanding only = standing_or_fail("--only", arguments.only);
    std::erase_if(marked.events, [only](const MarkedEvent& one) { return one.mark.standing != only; });
  }
  if (arguments.json) {
    auto list = nlohmann::ordered_json::array();
    for (const MarkedEvent& one : marked.events) list.push_back(json_of(marked.people, one));
    return print_json(nlohmann::ordered_json{{"events", list}});
  }
  for (const auto& [event, mark] : marked.events)
    std::printf("%s  frame %lld  %s  %s  %s%s%s\n", time_of(marked.people, event.raised_frame).c_str(),
                static_cast<long long>(event.raised_frame), event.rule.c_str(),
                event.id > 0 ? ("person " + std::to_string(event.id)).c_str() : "zone",
                std::string(standing_name(mark.standing)).c_str(), mark.note.empty() ? "" : "  ",
                mark.note.c_str());
  std::printf("%zu events\n", marked.events.size());
}

}  // namespace

void add_events(CLI::App& app) {
  auto arguments = std::make_shared<EventArguments>();
  CLI::App* command = app.add_subcommand(
      "events", "List the events of a project's rules, and mark them as seen or otherwise.");
  command->footer(
      "Marks are those of the window and of the server (`serve --serve-mark-token-file`): kept next to the "
      "results, in\n"
      "event_marks.json.\n"
      "Example: vantage-cli events hall.vantage --only new\n"
      "Example: vantage-cli events hall.vantage --mark seen --rule door --person 3 --frame 120 --note \"the "
      "postman\"");
  command->add_option("project", arguments->project, "a project that was run")
      ->required()
      ->type_name("P.vantage");
  command->add_option("--only", arguments->only, "list these alone: new, seen, false_alarm, exported")
      ->type_name("STANDING");
  command->add_option("--mark", arguments->mark, "mark one event: new, seen, false_alarm, exported")
      ->type_name("STANDING");
  command->add_option("--note", arguments->note, "its note")->type_name("TEXT");
  command->add_option("--rule", arguments->rule, "the event's rule")->type_name("NAME");
  command->add_option("--person", arguments->person, "its person; left out: of the zone as a whole")
      ->type_name("ID");
  command->add_option("--frame", arguments->frame, "the frame in which it was raised")->type_name("N");
  command->add_flag("--json", arguments->json, "print it as JSON");
  command->callback([arguments] { events(*arguments); });
}

}  // namespace vantage::cli
