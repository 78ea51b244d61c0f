// vantage-cli summary: what a run has left on disk, at a glance.

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "app/cli/common/command.h"
#include "core/project/project.h"
#include "core/results/frame_lines.h"
#include "core/results/results_reader.h"

namespace vantage::cli {
namespace {

// Frame by frame: the results of a day do not fit into memory.
Report summary_of(const std::filesystem::path& file) {
  ResultsReader reader = value_or_fail(ResultsReader::open(file));
  int64_t frames = 0, unknown = 0, without_picture = 0, last = 0;
  int max_people = 0;
  std::set<int64_t> ids;
  for (auto some = value_or_fail(reader.next()); !some.empty(); some = value_or_fail(reader.next()))
    for (const StoredFrame& frame : some) {
      ++frames, last = frame.frame, max_people = std::max(max_people, frame.people_count);
      unknown += frame.people_count < 0, without_picture += frame.without_picture + frame.with_problem > 0;
      for (const FloorPerson& person : frame.people)
        if (person.id > 0) ids.insert(person.id);
    }
  Report report;
  report.add("results", "Results", file.string());
  report.add("version", "Program", reader.header().program_version);
  report.add("device", "Device", reader.header().device);
  report.add_number("frame_rate", "Frame rate", reader.header().frame_rate, {"frames/s", 2});
  report.add_count("frames", "Frames", frames);
  if (frames > 0) report.add_count("last_frame", "Last frame", last);
  report.add_count("people_unknown", "Frames with unknown people", unknown);
  report.add_count("without_picture", "Frames in which a camera has no picture, or a damaged one",
                   without_picture);
  report.add_count("max_people", "People at once, at most", max_people);
  report.add_count("ids", "IDs", std::ssize(ids));
  report.add_count("damaged_lines", "Damaged lines, left out", reader.damaged_lines());
  report.add_truth("complete", "The run has ended", file.extension() != ".part");
  return report;
}

}  // namespace

void add_summary(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("summary", "Summarise the results of a run: frames, people, IDs, gaps.");
  command->footer("Also of a run that has not ended.\nExample: vantage-cli summary hall.vantage");
  command->add_option("results", *path, "a project that was run, or a folder of results")->required();
  add_json_flag(*command, json.get());
  command->callback([path, json] {
    const bool folder = std::filesystem::is_directory(*path);
    print_report(summary_of(results_file(folder ? std::filesystem::path(*path)
                                                : value_or_fail(load_project(*path)).results_folder())),
                 *json);
  });
}

}  // namespace vantage::cli
