// Why somebody is at a place: figures recomputed pixel by pixel and voxel by voxel, and thresholds that do
// what is said of them.
#include "core/why/why_place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/carving/voxel_votes.h"
#include "core/people/detail/body.h"
#include "core/why/answer.h"
#include "tests/support/dense_carving.h"
#include "tests/unit/why/rendered_hall.h"

namespace vantage {
namespace {

constexpr int64_t kFrame = 20;

class WhyPlaceTest : public test::RenderedHall {
 protected:
  // Places with people, rejected peaks, and some of the floor between them.
  static std::vector<std::pair<double, double>> places(const FrameResult& result) {
    std::vector<std::pair<double, double>> places;
    for (const FoundPerson& person : result.people()->found.people)
      places.emplace_back(person.x_m, person.y_m);
    for (const RejectedPeak& one : result.people()->found.rejected)
      if (places.size() < 7) places.emplace_back(one.peak.x_m, one.peak.y_m);
    places.insert(places.end(), {{-1.3, -1.1}, {1.2, 0.4}});
    return places;
  }
  static bool somebody_at(const FrameResult& result, double x_m, double y_m) {
    const auto& people = result.people()->found.people;
    return std::any_of(people.begin(), people.end(), [&](const FoundPerson& person) {
      return std::hypot(person.x_m - x_m, person.y_m - y_m) <= kWhyReach_m;
    });
  }
  static WhyPlace ask(const Project& project, Analysis& analysis, const FrameResult& result, double x_m,
                      double y_m) {
    const auto place = why_place(project, analysis, result, x_m, y_m, {});
    EXPECT_TRUE(place) << place.error().message();
    return place ? *place : WhyPlace();
  }

  // Every value that is said to change the outcome is set in the chain itself.
  static void expect_changes(const Project& project, Analysis& analysis, const WhyPlace& place,
                             int* changed) {
    ParameterStore together = project.parameters;
    for (const WhyThreshold& one : place.thresholds) {
      if (!one.changes_at) continue;
      SCOPED_TRACE(testing::Message()
                   << one.parameter() << " from " << one.setting << " to " << *one.changes_at);
      ASSERT_TRUE(together.set(one.stage, one.name, *one.changes_at));
      if (place.together) continue;
      ParameterStore tried = project.parameters;
      ASSERT_TRUE(tried.set(one.stage, one.name, *one.changes_at));
      expect_other(tried, analysis, place);
      ++*changed;
    }
    if (place.together) expect_other(together, analysis, place), ++*changed;
    ASSERT_TRUE(analysis.pipeline().configure(project.parameters));
  }
  static void expect_other(const ParameterStore& parameters, Analysis& analysis, const WhyPlace& place) {
    ASSERT_TRUE(analysis.pipeline().configure(parameters));
    EXPECT_NE(somebody_at(*frame(analysis, place.frame), place.figures.x_m, place.figures.y_m),
              place.person >= 0);
  }
};

// People found as they are, people whom stricter thresholds lose, one at a time and two together, and those
// of the occupancy map.
TEST_F(WhyPlaceTest, AThresholdThatIsNamedChangesTheOutcomeInTheChain) {
  struct Case {
    std::vector<std::tuple<const char*, const char*, double>> set;
    const char* decides;  // for somebody who is lost; empty: nobody is
    bool together = false;
  };
  const auto plain = open(project_);
  ASSERT_TRUE(plain);
  const std::vector<FoundPerson> found = frame(*plain, kFrame)->people()->found.people;
  ASSERT_GE(found.size(), 3U);
  for (const Case& one :
       {Case{{}, ""},
        {{{"people", "min_own", 0.95}}, "people.min_own"},
        {{{"carving", "threshold", 1}, {"people", "min_volume_l", 30}}, "carving.threshold"},
        {{{"people", "min_own", 0.95}, {"people", "min_fill", 1}}, "people.min_own", true},
        {{{"people", "source", 1}}, ""}}) {
    Project project = project_;
    for (const auto& [stage, name, value] : one.set) {
      ASSERT_TRUE(project.parameters.set(stage, name, value));
    }
    const auto analysis = open(project);
    ASSERT_TRUE(analysis);
    const FrameResultRef result = frame(*analysis, kFrame);
    std::vector<std::pair<double, double>> asked;
    if (*one.decides == 0) asked = places(*result);
    if (*one.decides != 0)
      for (const FoundPerson& person : found) asked.emplace_back(person.x_m, person.y_m);
    int changed = 0, somebody = 0, named = 0, together = 0;
    for (const auto& [x_m, y_m] : asked) {
      SCOPED_TRACE(testing::Message() << "x " << x_m << " y " << y_m);
      const WhyPlace place = ask(project, *analysis, *result, x_m, y_m);
      EXPECT_EQ(place.person >= 0, somebody_at(*result, x_m, y_m));
      int decisive = 0;
      for (const WhyThreshold& threshold : place.thresholds) {
        decisive += threshold.decisive;
        EXPECT_TRUE(!threshold.decisive || threshold.changes_at);
        EXPECT_EQ(threshold.setting, project.parameters.get(threshold.stage, threshold.name).value());
        named += threshold.decisive && place.person < 0 && threshold.parameter() == one.decides;
      }
      EXPECT_TRUE(place.together ? decisive > 1 : decisive <= 1) << decisive;
      somebody += place.person >= 0 && decisive == 1;
      together += place.together;
      expect_changes(project, *analysis, place, &changed);
      if (HasFatalFailure()) return;
    }
    if (*one.decides == 0) EXPECT_GE(somebody, 3) << "for somebody who is found, something decides";
    if (*one.decides != 0) EXPECT_GE(named, 1) << one.decides;
    if (one.together) EXPECT_GE(together, 1);
    EXPECT_GE(changed, 1);
  }
}

// Masks as pixels of the search's sample grid, bodies as sets of them.
TEST_F(WhyPlaceTest, FiguresAreThoseCountedPixelByPixel) {
  const auto analysis = open(project_);
  ASSERT_TRUE(analysis);
  const FrameResultRef result = frame(*analysis, kFrame);
  const std::vector<PinholeCamera<double>> cameras = analysis->cameras(kFrame);
  const std::vector<FoundPerson>& people = result->people()->found.people;
  std::vector<MaskSamples> samples;
  std::vector<people_detail::MaskBits> masks(cameras.size());
  for (size_t c = 0; c < cameras.size(); ++c) {
    samples.push_back(sample_mask(result->foreground()->cameras[c].indicator.view<uint8_t>()));
    masks[c].take(samples[c]);
  }
  const auto drawn = [&](double x_m, double y_m, double height_m) {
    people_detail::Body body;
    body.x_m = x_m, body.y_m = y_m, body.height_m = height_m;
    people_detail::draw(body, cameras, masks);
    return body;
  };
  const auto pixels_of = [&](const people_detail::Body& body, size_t c) {
    std::vector<std::pair<int, int>> pixels;
    const people_detail::Outline& outline = body.outlines[c];
    for (int r = 0; r < outline.rows; ++r)
      for (int x = body.runs_of(outline)[r].begin; x < body.runs_of(outline)[r].end; ++x)
        pixels.emplace_back(x, outline.first_row + r);
    return pixels;
  };
  int hidden = 0;
  for (const auto& [x_m, y_m] : places(*result)) {
    const WhyPlace place = ask(project_, *analysis, *result, x_m, y_m);
    const PlaceFigures& figures = place.figures;
    const people_detail::Body body = drawn(figures.x_m, figures.y_m, figures.body_height_m);
    double own_sum = 0, foreground_sum = 0, decided_sum = 0;
    int counting = 0;
    for (size_t c = 0; c < cameras.size(); ++c) {
      const BodyInCamera& part = figures.cameras[c];
      const auto pixels = pixels_of(body, c);
      if (pixels.empty()) continue;
      const ImageView<const uint8_t> indicator = result->foreground()->cameras[c].indicator.view<uint8_t>();
      int inside = 0, undecided = 0, own = 0, bare = 0, covered = 0;
      std::vector<int> by_person(people.size());
      for (const auto& [x, y] : pixels) {
        const SampleGrid& grid = samples[c].grid;
        const int level = indicator.at(x * grid.step_x + grid.step_x / 2, y * grid.step_y + grid.step_y / 2);
        bool free = true;
        for (size_t i = 0; i < people.size(); ++i) {
          if (static_cast<int32_t>(i) == place.person) continue;
          const auto other = drawn(people[i].x_m, people[i].y_m, people[i].height_m - 0.03);
          if (!other.outlines[c].seen()) continue;
          const auto theirs = pixels_of(other, c);
          if (std::find(theirs.begin(), theirs.end(), std::pair(x, y)) == theirs.end()) continue;
          free = false, ++by_person[i];
        }
        const bool in = level >= 128, maybe = level >= 64 && level < 128;
        inside += in, undecided += maybe, covered += !free;
        own += in && free, bare += !in && !maybe && free;
      }
      const auto all = static_cast<double>(pixels.size());
      EXPECT_DOUBLE_EQ(part.foreground, inside / all);
      EXPECT_DOUBLE_EQ(part.undecided, undecided / all);
      EXPECT_DOUBLE_EQ(part.covered, covered / all);
      EXPECT_NEAR(part.own, (own - 0.4 * bare) / all, 1e-12);
      const int most = by_person.empty() ? 0 : *std::max_element(by_person.begin(), by_person.end());
      EXPECT_DOUBLE_EQ(part.covers_most, most / all);
      if (most > 0) {
        EXPECT_EQ(by_person[part.covers], most);
        hidden += part.in_front;
      }
      if (!part.counts) continue;
      own_sum += part.own, foreground_sum += part.foreground, decided_sum += 1 - part.undecided, ++counting;
    }
    EXPECT_EQ(figures.counting, counting);
    if (counting == 0) continue;
    EXPECT_NEAR(figures.own, own_sum / counting, 1e-12);
    EXPECT_NEAR(figures.foreground, foreground_sum / counting, 1e-12);
    EXPECT_NEAR(figures.decided, std::max(0.4, decided_sum / counting), 1e-12);
    if (place.person >= 0)
      EXPECT_NEAR(figures.foreground / figures.decided, people[place.person].confidence, 0.02)
          << "what the search itself says of the person";
  }
  EXPECT_GT(hidden, 0) << "somebody has to stand before somebody";
}

TEST_F(WhyPlaceTest, VolumeAndAgreementAreThoseOfTheVoxels) {
  const auto analysis = open(project_);
  ASSERT_TRUE(analysis);
  const FrameResultRef result = frame(*analysis, kFrame);
  const VoxelGrid& grid = result->floor_map()->grid;
  std::vector<Image> indicators;
  for (const ForegroundImages& camera : result->foreground()->cameras) indicators.push_back(camera.indicator);
  const Carver::Arguments scene{analysis->cameras(kFrame), grid, false};
  const auto carving = project_.parameters.get<CarvingParameters>();
  const test::DenseVolume volume = test::carve_densely(scene, carving, indicators);
  const double lowest_m = project_.parameters.get<FloorMapParameters>().lowest_m;
  const auto people = project_.parameters.get<PeopleParameters>();
  const int radius = static_cast<int>(std::lround(people.footprint_m / 2 / grid.voxel_size_m));
  int with_volume = 0;
  for (const auto& [x_m, y_m] : places(*result)) {
    const WhyPlace place = ask(project_, *analysis, *result, x_m, y_m);
    const int cx =
        static_cast<int>(std::floor((place.figures.x_m - grid.origin_in_world_m[0]) / grid.voxel_size_m));
    const int cy =
        static_cast<int>(std::floor((place.figures.y_m - grid.origin_in_world_m[1]) / grid.voxel_size_m));
    std::vector<float> confidences;
    for (int z = 0; z < grid.nz; ++z)
      for (int y = std::max(0, cy - radius); y <= std::min(grid.ny - 1, cy + radius); ++y)
        for (int x = std::max(0, cx - radius); x <= std::min(grid.nx - 1, cx + radius); ++x)
          if (grid.center(2, z) >= lowest_m)
            confidences.push_back(volume.confidence[grid.linear_id(x, y, z)]);
    const auto occupied = std::count_if(confidences.begin(), confidences.end(),
                                        [&](float one) { return one >= carving.threshold; });
    EXPECT_NEAR(place.figures.volume_l, grid.liters(occupied), grid.liters(2));
    with_volume += occupied > 0;
    std::sort(confidences.rbegin(), confidences.rend());
    const auto needed =
        static_cast<size_t>(std::ceil(people.min_volume_l * place.figures.decided / grid.liters(1)));
    ASSERT_LE(needed, confidences.size());
    EXPECT_EQ(place.agreement.value_or(0), static_cast<double>(confidences[needed - 1]));
  }
  EXPECT_GE(with_volume, 3);
}

TEST_F(WhyPlaceTest, PlacesWherePeopleAreNotSearchedForSaySo) {
  Project project = project_;
  const auto analysis = open(project);
  ASSERT_TRUE(analysis);
  const FrameResultRef result = frame(*analysis, kFrame);
  const auto verdict = [&](const Project& of, double x_m, double y_m) {
    const WhyQuestion question{kFrame, FloorQuestion{x_m, y_m}};
    return answer_to(question, of, *analysis, *result, {}).value().text("verdict");
  };
  EXPECT_NE(verdict(project, 50, 0).find("outside the floor that is searched"), std::string::npos);
  FloorZone area;
  area.name = "there", area.kind = ZoneKind::area;
  area.corners_m = {{5, 5}, {6, 5}, {6, 6}, {5, 6}};
  project.zones.push_back(area);
  EXPECT_NE(verdict(project, -0.8, -0.9).find("outside the areas"), std::string::npos);
  auto bare = std::make_shared<FrameResult>(*result);
  bare->artifacts.people.reset();
  const auto nothing = why_place(project_, *analysis, *bare, 0, 0, {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, ErrorKind::invalid_argument);
  StopSource stopped;
  stopped.request_stop();
  const FoundPerson& person = result->people()->found.people.at(0);
  const auto stop = why_place(project_, *analysis, *result, person.x_m, person.y_m, stopped);
  ASSERT_FALSE(stop);
  EXPECT_EQ(stop.error().kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace vantage
