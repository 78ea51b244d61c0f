// Heads of the height map and the people who were found otherwise.
#include "core/pipeline/head_views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/metrics/tracking_metrics.h"
#include "core/run/analysis.h"
#include "core/synth/synth.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

HeightMapHead head_at(double x_m, double y_m, double z_m) {
  HeightMapHead head;
  head.x_m = x_m, head.y_m = y_m, head.z_m = z_m;
  return head;
}

TEST(JoinedHeads, APersonGetsTheNearestHeadAndNoOther) {
  std::vector<FoundPerson> people;
  for (const double x_m : {0.0, 2.0, 5.0}) people.push_back({x_m, 0, 1.7, 60, 1, 3});
  const std::vector<SceneHead> detected = {{2.1, 0, 1.6}, {0, 0, 1.0}};
  const std::vector<HeightMapHead> heads = {head_at(0.3, 0, 1.6), head_at(0.1, 0, 1.6),
                                            head_at(2.05, 0.1, 1.65), head_at(4.4, 0, 1.6)};
  const std::vector<JoinedHead> joined = join_heads(heads, people, detected);
  ASSERT_EQ(joined.size(), heads.size());
  EXPECT_EQ(joined[0].person, -1);  // the second is nearer
  EXPECT_EQ(joined[1].person, 0);
  EXPECT_EQ(joined[2].person, 1);
  EXPECT_EQ(joined[3].person, -1);    // 0.6 m away
  EXPECT_EQ(joined[1].detected, -1);  // that one is 0.6 m lower
  EXPECT_EQ(joined[2].detected, 0);
  for (const JoinedHead& none : join_heads(heads, {}, {}))
    EXPECT_TRUE(none.person == -1 && none.detected == -1);
}

// People seen from above. The map finds all three; carving finds two, as a body's outline cannot be told
// where a camera looks straight down on it. Whoever both found is one person with one head.
TEST(JoinedHeads, OfRenderedPeopleEachFoundOneHasOneHead) {
  const test::TemporaryFolder folder;
  SynthOptions rendered;
  rendered.cameras = 3, rendered.people = 3, rendered.area_m = 4, rendered.layout = CameraLayout::overhead;
  rendered.width_px = 400, rendered.height_px = 300, rendered.seconds = 0.12, rendered.head_heights = true;
  ASSERT_TRUE(render_recording(rendered, folder.path() / "hall", {}, {}));
  Project project = load_project(folder.path() / "hall" / "hall.vantage").value();
  ASSERT_TRUE(project.parameters.set("heightmap", "enabled", 1));
  BackendRegistry registry;
  register_cpu_backends(registry);
  AnalysisOptions options;
  options.backends = &registry;
  const auto analysis = Analysis::open(project, options).value();
  const FrameResultRef result = analysis->pipeline().frame(1, {}, {}).value();
  ASSERT_NE(result->height_map(), nullptr);
  const std::vector<HeightMapHead>& heads = result->height_map()->heads;
  const std::vector<JoinedHead>& joined = result->joined_heads()->joined;
  const auto rows = read_mot_csv(read_file(folder.path() / "hall" / "truth" / "tracks.csv").value(), "truth");
  ASSERT_TRUE(rows);
  const std::vector<FoundPerson>& people = result->people()->found.people;
  EXPECT_EQ(heads.size(), 3u);
  EXPECT_GE(people.size(), 2u);
  std::map<int, int> heads_of;
  for (const TrackRow& row : *rows) {
    if (row.frame != 2) continue;
    const auto head = std::find_if(heads.begin(), heads.end(), [&](const HeightMapHead& h) {
      return std::hypot(h.x_m - row.x_m, h.y_m - row.y_m) < 0.2;
    });
    ASSERT_NE(head, heads.end()) << "person " << row.id;
    const int joined_with = joined[head - heads.begin()].person;
    if (joined_with < 0) continue;
    ++heads_of[joined_with];
    const FoundPerson& person = people[joined_with];
    EXPECT_LT(std::hypot(person.x_m - row.x_m, person.y_m - row.y_m), 0.2);
  }
  EXPECT_EQ(heads_of.size(), people.size());
  for (const auto& [person, count] : heads_of) EXPECT_EQ(count, 1) << "of person " << person;
}

}  // namespace
}  // namespace vantage
