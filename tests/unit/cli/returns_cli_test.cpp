// A person who leaves rendered footage and comes back, by the program as people run it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/base/byte_stream.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/metrics/tracking_metrics.h"
#include "core/project/project.h"
#include "core/results/results_paths.h"
#include "tests/support/cli_fixture.h"

namespace vantage {
namespace {

using test::CliTest;

constexpr int64_t kFrames = 320, kLeft = 120, kCame = 208;  // 8 frames/s: away for 11 s
constexpr int64_t kWho = 2;

// The rows of a file that are not of that person while away.
std::string without_absence(const std::string& rows) {
  std::string left;
  for_each_line(rows, [&](std::string_view line) {
    const auto row = read_mot_csv(std::string(line), "row").value();
    const bool away = !row.empty() && row[0].id == kWho && row[0].frame > kLeft && row[0].frame <= kCame;
    if (!away) left += std::string(line) + '\n';
  });
  return left;
}

TEST_F(CliTest, WhoComesBackKeepsTheIdAndIsListed) {
  ASSERT_EQ(cli({"synth", "--out", path("hall"), "--cameras", "4", "--people", "4", "--area", "5", "--size",
                 "320x240", "--fps", "8", "--seconds", "40", "--seed", "6"})
                .code,
            0);
  const std::string file = path("hall/hall.vantage");
  Project project = load_project(file).value();
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const std::string boxes = path("hall/truth/boxes_cam" + std::to_string(c + 1) + ".csv");
    ASSERT_TRUE(write_file_atomically(boxes, without_absence(read_file(boxes).value())));
    project.cameras[c].detections.file = boxes;
  }
  ASSERT_TRUE(save_project(project, file));
  const test::Finished run = cli({"run", file});
  ASSERT_EQ(run.code, 0) << run.err;

  std::map<int64_t, std::map<int64_t, TrackRow>> truth;  // by frame, by person
  const auto rows = read_mot_csv(read_file(path("hall/truth/tracks.csv")).value(), "truth").value();
  for (const TrackRow& row : rows) truth[row.frame - 1][row.id] = row;
  std::map<int64_t, std::map<int64_t, int>> people_of;  // sightings by ID, by person
  const auto paths = read_paths(project.results_folder() / "tracks.csv").value();
  for (const PersonPath& one : paths)
    for (const PathPoint& point : one.points)
      for (const auto& [person, row] : truth[point.frame])
        if (point.seen && std::hypot(row.x_m - point.x_m, row.y_m - point.y_m) < 0.3)
          ++people_of[one.id][person];
  EXPECT_EQ(people_of.size(), 4U) << "no one has two IDs";
  for (const auto& [id, people] : people_of) {
    int all = 0, most = 0;
    for (const auto& [person, count] : people) all += count, most = std::max(most, count);
    EXPECT_GT(most, 0.95 * all) << id << " is of one person";
  }

  const test::Finished listed = cli({"doubts", file, "--json"});
  ASSERT_EQ(listed.code, 0) << listed.err;
  const nlohmann::json returns = parse_json(listed.out)["returns"];
  ASSERT_EQ(returns.size(), 1U);
  EXPECT_EQ(people_of[returns[0]["person"]].count(kWho), 1U);
  EXPECT_NEAR(returns[0]["left_frame"].get<int>(), kLeft, 8);
  EXPECT_NEAR(returns[0]["came_frame"].get<int>(), kCame, 8);
  EXPECT_GE(returns[0]["probability"].get<double>(), 0.995);
  EXPECT_NE(cli({"doubts", file}).out.find("1 came back under their IDs"), std::string::npos);
}

}  // namespace
}  // namespace vantage
