// vantage-cli handover: the hand-over page of a shift.
#include "core/export/case/handover.h"

#include <cstdio>
#include <limits>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/project/recording_clock.h"

namespace vantage::cli {
namespace {

struct HandoverArguments {
  std::string project, from, to, who, out;
  bool json = false;
};

void handover(const HandoverArguments& arguments) {
  HandoverOptions options;
  options.project = value_or_fail(load_project(arguments.project));
  options.who = arguments.who;
  options.span = {0, std::numeric_limits<int64_t>::max()};
  if (!arguments.from.empty() || !arguments.to.empty()) {
    const double rate = base_rate_or_fail(options.project);
    const std::optional<RecordingClock> clock = find_clock(options.project);
    if (!arguments.from.empty())
      options.span.begin = frame_of_moment_or_fail("--from", arguments.from, rate, clock);
    if (!arguments.to.empty()) options.span.end = frame_of_moment_or_fail("--to", arguments.to, rate, clock);
  }
  const Document page = value_or_fail(handover_page(options));
  check_or_fail(write_handover(page, arguments.out));
  if (arguments.json) return print_json(nlohmann::ordered_json{{"file", arguments.out}});
  std::printf("%s\n", arguments.out.c_str());
}

}  // namespace

void add_handover(CLI::App& app) {
  auto arguments = std::make_shared<HandoverArguments>();
  CLI::App* command = app.add_subcommand(
      "handover", "Write the hand-over page of a shift: events as judged, notes, cases, what is left to do.");
  command->footer(
      "MOMENT is a frame (1234), seconds (12.5s), +0:02:05 from the start, or a time of day (22:00:00) where "
      "the\n"
      "clock is known. Without --from and --to the page is of the whole recording.\n"
      "Example: vantage-cli handover hall.vantage --from 22:00:00 --to 06:00:00 --who \"A. Jones\" --out "
      "shift.pdf");
  command->add_option("project", arguments->project, "a project that was run")
      ->required()
      ->type_name("P.vantage");
  command->add_option("--from", arguments->from, "first instant")->type_name("MOMENT");
  command->add_option("--to", arguments->to, "the instant after the last")->type_name("MOMENT");
  command->add_option("--who", arguments->who, "who hands over; on the page")->required();
  command->add_option("--out", arguments->out, "the page: F.pdf or F.html")->required()->type_name("F");
  command->add_flag("--json", arguments->json, "print where it is as JSON");
  command->callback([arguments] { handover(*arguments); });
}

}  // namespace vantage::cli
