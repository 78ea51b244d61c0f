// vantage-cli bookmark: instants to be found again.
#include "core/project/bookmark.h"

#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/floor_text.h"
#include "app/cli/common/project_change.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/project/recording_clock.h"

namespace vantage::cli {
namespace {

struct BookmarkOptions {
  std::string project, at, note, place, remove;
  bool json = false;
};

struct Moments {
  double frame_rate = 0;
  std::optional<RecordingClock> clock;
};

int64_t frame_of(const char* option, const std::string& text, const Moments& moments) {
  const int64_t frame = frame_of_moment_or_fail(option, text, moments.frame_rate, moments.clock);
  if (frame < 0) throw CLI::ValidationError(option, "lies before the recording");
  return frame;
}

void print(const BookmarkOptions& options, const Project& project, const Moments& moments) {
  auto list = nlohmann::ordered_json::array();
  for (const Bookmark& one : project.bookmarks) {
    const double seconds = static_cast<double>(one.frame) / moments.frame_rate;
    const std::string time = moments.clock ? moments.clock->text(seconds) : elapsed_text(seconds);
    nlohmann::ordered_json entry = {{"frame", one.frame}, {"time", time}, {"note", one.note}};
    if (one.place_m) entry["x_m"] = one.place_m->x(), entry["y_m"] = one.place_m->y();
    list.push_back(std::move(entry));
    if (options.json) continue;
    std::printf("%s  frame %lld", time.c_str(), static_cast<long long>(one.frame));
    if (one.place_m) std::printf("  x %.2f m, y %.2f m", one.place_m->x(), one.place_m->y());
    std::printf("  %s\n", one.note.c_str());
  }
  if (options.json) return print_json(nlohmann::ordered_json{{"bookmarks", list}});
  if (list.empty()) std::printf("no bookmarks: --at sets one\n");
}

void run_bookmark(const BookmarkOptions& options) {
  auto [project, stamp] = read_project_or_fail(options.project);
  const Moments moments{base_rate_or_fail(project), find_clock(project)};
  if (!options.at.empty()) {
    Bookmark bookmark{frame_of("--at", options.at, moments), options.note, {}};
    if (!options.place.empty()) bookmark.place_m = read_place("--place", options.place);
    set_bookmark(&project.bookmarks, std::move(bookmark));
  }
  if (!options.remove.empty() &&
      !remove_bookmark(&project.bookmarks, frame_of("--remove", options.remove, moments)))
    fail_command({ErrorKind::not_found, "has no bookmark at " + options.remove, project.path.string(),
                  "`vantage-cli bookmark` lists them."});
  if (!options.at.empty() || !options.remove.empty()) write_project_or_fail(project, stamp);
  print(options, project, moments);
}

}  // namespace

void add_bookmark(CLI::App& app) {
  auto options = std::make_shared<BookmarkOptions>();
  CLI::App* command = app.add_subcommand("bookmark", "List, set or remove the bookmarks of a recording.");
  command->footer(
      "They are flags on the window's time axis, and part of exported cases. WHEN is a frame (1234), seconds "
      "(12.5s),\n"
      "+0:02:05 or, where the clock is known, 14:32:05.\n"
      "Example: vantage-cli bookmark hall.vantage --at 14:32:05 --note \"bag left here\" --place 1.2,0.4");
  command->add_option("project", options->project, "the project")->required()->type_name("P.vantage");
  CLI::Option* at = command->add_option("--at", options->at, "set one at that instant, in place of one there")
                        ->type_name("WHEN");
  command->add_option("--note", options->note, "what it is about")->type_name("TEXT")->needs(at);
  command->add_option("--place", options->place, "where on the floor, in metres")
      ->type_name("X,Y")
      ->needs(at);
  command->add_option("--remove", options->remove, "remove the one at that instant")
      ->type_name("WHEN")
      ->excludes(at);
  command->add_flag("--json", options->json, "print them as JSON");
  command->callback([options] { run_bookmark(*options); });
}

}  // namespace vantage::cli
