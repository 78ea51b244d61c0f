// Figures from what frames add to them: those of evaluate_tracks() where all are taken, and of parts.
#include "core/metrics/track_figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/seed.h"

namespace vantage {
namespace {

using Rows = std::vector<TrackRow>;

TrackRow standing(int64_t frame, int64_t id, double x_m, double y_m = 0) {
  TrackRow row;
  row.frame = frame, row.id = id, row.x_m = x_m, row.y_m = y_m;
  row.left_px = 100 * x_m, row.top_px = 100 * y_m, row.width_px = 80, row.height_px = 160;
  return row;
}

// People who cross, are missed, found off, exchanged, and false ones.
struct Recording {
  Rows truth, given;
};
Recording random_recording(std::mt19937& random, int frames) {
  const auto share = [&] { return static_cast<double>(random()) / 4294967296.0; };
  Recording made;
  for (int f = 0; f < frames; ++f)
    for (int id = 1; id <= 4; ++id) {
      const double x_m = 0.4 * id + 0.02 * f * (id % 2 == 0 ? 1 : -1), y_m = 0.3 * id;
      if (share() < 0.9) made.truth.push_back(standing(f, id, x_m, y_m));
      const int64_t found = f > frames / 2 && id < 3 ? 3 - id : id;
      if (share() < 0.8)
        made.given.push_back(standing(f, found, x_m + 0.6 * (share() - 0.5), y_m + 0.6 * (share() - 0.5)));
      if (share() < 0.05) made.given.push_back(standing(f, 10 + id, 9 + share()));
    }
  return made;
}

double figure_of(const char* name, const std::vector<FrameCounts>& frames) {
  return find_track_figure(name)->value(sum_of(frames));
}

TEST(TrackFigures, OfAllFramesAreThoseOfEvaluateTracks) {
  std::mt19937 random(test::test_seed());
  for (const TrackSpace space : {TrackSpace::world, TrackSpace::image}) {
    const Recording made = random_recording(random, 60);
    EvaluationOptions options{space, space == TrackSpace::world ? 0.5 : 0.3};
    options.order = 2;
    const auto expected = evaluate_tracks(made.truth, made.given, options);
    const auto matched = MatchedTracks::make(made.truth, made.given, options);
    ASSERT_TRUE(expected && matched);
    const std::vector<FrameCounts> frames = matched->counts();
    EXPECT_EQ(frames.size(), static_cast<size_t>(expected->frames));
    for (const auto& [name, value] : {std::pair{"moda", expected->clear.moda},
                                      {"modp", expected->clear.modp},
                                      {"mota", expected->clear.mota},
                                      {"motp", expected->clear.motp},
                                      {"recall", expected->clear.recall},
                                      {"precision", expected->clear.precision},
                                      {"idf1", expected->identity.idf1},
                                      {"idr", expected->identity.recall},
                                      {"hota", expected->hota.hota},
                                      {"switches", static_cast<double>(expected->clear.switches)}})
      EXPECT_NEAR(figure_of(name, frames), value, 1e-9) << name;
    if (space == TrackSpace::image) continue;
    EXPECT_NEAR(figure_of("floor_error_m", frames), expected->places.floor_error_m, 1e-9);
    EXPECT_NEAR(figure_of("ospa_m", frames), expected->sets.ospa_m, 1e-9);
    EXPECT_NEAR(figure_of("gospa_m", frames), expected->sets.gospa_m, 1e-9);
    EXPECT_NEAR(sum_of(frames).missed / static_cast<double>(frames.size()), expected->sets.missed, 1e-9);
  }
}

// Person 1 is found in six of ten frames, person 2 in all; somebody false stands at x = 20.
TEST(TrackFigures, OfParts) {
  Rows truth, given;
  for (int f = 0; f < 10; ++f) {
    truth.push_back(standing(f, 1, 0)), truth.push_back(standing(f, 2, 10));
    if (f < 6) given.push_back(standing(f, 1, 0.1));
    given.push_back(standing(f, 2, 10));
    if (f < 3) given.push_back(standing(f, 3, 20));
  }
  const auto matched = MatchedTracks::make(truth, given, {TrackSpace::world, 0.5});
  ASSERT_TRUE(matched);
  EXPECT_EQ(matched->true_ids(), (std::vector<int64_t>{1, 2}));
  const auto of_person =
      matched->counts([](const TrackRow& row, bool is_true) { return is_true && row.id == 1; });
  EXPECT_EQ(of_person.size(), 10u);
  EXPECT_NEAR(figure_of("recall", of_person), 0.6, 1e-12);
  EXPECT_NEAR(figure_of("idr", of_person), 0.6, 1e-12);
  EXPECT_NEAR(figure_of("floor_error_m", of_person), 0.1, 1e-12);
  const auto far_away = matched->counts([](const TrackRow& row, bool) { return row.x_m > 15; });
  EXPECT_EQ(far_away.size(), 3u) << "frames in which nobody belongs are left out";
  EXPECT_EQ(figure_of("precision", far_away), 0);
  EXPECT_TRUE(std::isnan(figure_of("recall", far_away))) << "nobody is true there";
  const auto right = matched->counts([](const TrackRow& row, bool) { return row.x_m > 5; });
  EXPECT_NEAR(figure_of("moda", right), 1 - 0.3, 1e-12);
  EXPECT_NEAR(figure_of("gospa_m", right), 0.3 * 0.25, 1e-12);
}

// A match belongs where its true row does, though the found position lies outside.
TEST(TrackFigures, AMatchAcrossTheBorderIsOne) {
  const auto matched =
      MatchedTracks::make({standing(0, 1, 0.95)}, {standing(0, 1, 1.05)}, {TrackSpace::world, 0.5});
  ASSERT_TRUE(matched);
  const auto low = matched->counts([](const TrackRow& row, bool) { return row.x_m < 1; });
  EXPECT_EQ(figure_of("moda", low), 1);
  EXPECT_TRUE(matched->counts([](const TrackRow& row, bool) { return row.x_m >= 1; }).empty());
}

// ---- intervals

// So many people, each found or missed for a while; their true recall is known.
std::vector<FrameCounts> simulated(std::mt19937& random, int frames, double recall, double stay) {
  const auto share = [&] { return static_cast<double>(random()) / 4294967296.0; };
  constexpr int kPeople = 3;
  bool found[kPeople];
  for (bool& one : found) one = share() < recall;
  std::vector<FrameCounts> all;
  for (int f = 0; f < frames; ++f) {
    FrameCounts counts{.frame = f, .frames = 1, .true_rows = kPeople};
    for (bool& one : found) {
      if (share() > stay) one = share() < recall;
      counts.matched += one;
    }
    counts.given_rows = counts.matched + (share() < 0.1);
    counts.gospa_m = 0.25 * (counts.true_rows + counts.given_rows - 2 * counts.matched);
    all.push_back(counts);
  }
  return all;
}

// Of 400 simulated recordings whose errors last for ten frames on average.
TEST(FigureInterval, CoversTheTruthAboutAsOftenAsItSays) {
  std::mt19937 random(20080819);
  int known = 0, recall = 0, moda = 0, gospa = 0;
  for (int round = 0; round < 400; ++round) {
    const auto frames = simulated(random, 1500, 0.8, 0.9);
    const FigureInterval found = figure_interval(*find_track_figure("recall"), frames);
    if (!found.known()) continue;
    ++known;
    EXPECT_GT(found.block, 5);
    recall += found.from <= 0.8 && 0.8 <= found.to;
    const FigureInterval of_moda = figure_interval(*find_track_figure("moda"), frames);
    const double true_moda = 0.8 - 0.1 / 3;
    moda += of_moda.known() && of_moda.from <= true_moda && true_moda <= of_moda.to;
    const FigureInterval of_gospa = figure_interval(*find_track_figure("gospa_m"), frames);
    const double true_gospa = 0.25 * (3 * 0.2 + 0.1);
    gospa += of_gospa.known() && of_gospa.from <= true_gospa && true_gospa <= of_gospa.to;
  }
  EXPECT_GE(known, 380);
  for (const int covered : {recall, moda, gospa}) {
    EXPECT_GE(covered, static_cast<int>(0.88 * known)) << "of " << known;
    EXPECT_LE(covered, static_cast<int>(0.99 * known)) << "of " << known;
  }
}

// Frames taken one by one, as if independent, promise too much: this is what the blocks are for.
TEST(FigureInterval, SingleFramesCoverTooSeldom) {
  std::mt19937 random(20080819);
  int covered = 0;
  for (int round = 0; round < 200; ++round) {
    const auto frames = simulated(random, 1500, 0.8, 0.9);
    const FigureInterval found =
        figure_interval(*find_track_figure("recall"), frames, {.samples = 500, .block = 1});
    covered += found.from <= 0.8 && 0.8 <= found.to;
  }
  EXPECT_LT(covered, 140);
}

TEST(FigureInterval, TheSameInputGivesTheSameBytes) {
  std::mt19937 random(7);
  const auto frames = simulated(random, 500, 0.7, 0.5);
  const TrackFigure& figure = *find_track_figure("moda");
  const FigureInterval once = figure_interval(figure, frames), again = figure_interval(figure, frames);
  EXPECT_EQ(once.from, again.from);
  EXPECT_EQ(once.to, again.to);
  EXPECT_LT(once.from, once.value);
  EXPECT_GT(once.to, once.value);
  EXPECT_NE(figure_interval(figure, frames, {.seed = 2}).from, once.from);
}

// One long miss: how long such ones last cannot be told from it.
TEST(FigureInterval, AbstainsWhereTheSpanIsTooShort) {
  std::mt19937 random(7);
  const TrackFigure& figure = *find_track_figure("recall");
  const FigureInterval few = figure_interval(figure, simulated(random, 9, 0.8, 0));
  EXPECT_FALSE(few.known());
  EXPECT_TRUE(std::isnan(few.from));
  EXPECT_NE(few.why_unknown.find("9 frames are too few: 50 are needed"), std::string::npos);
  std::vector<FrameCounts> half;
  for (int f = 0; f < 400; ++f)
    half.push_back({.frame = f, .frames = 1, .true_rows = 1, .matched = f < 200 ? 1.0 : 0.0});
  const FigureInterval lasting = figure_interval(figure, half);
  EXPECT_FALSE(lasting.known()) << lasting.block;
  EXPECT_EQ(lasting.value, 0.5) << "the figure itself is known";
  EXPECT_FALSE(figure_interval(figure, {}).known());
  const FigureInterval asked = figure_interval(figure, half, {.block = 50});
  EXPECT_FALSE(asked.known());
  EXPECT_NE(asked.why_unknown.find("10 blocks of 50"), std::string::npos) << asked.why_unknown;
}

// Nobody was missed: that nobody ever is, nothing says.
TEST(FigureInterval, AbstainsWhereAllFramesAreAlike) {
  std::vector<FrameCounts> all;
  for (int f = 0; f < 50; ++f)
    all.push_back({.frame = f, .frames = 1, .true_rows = 2, .given_rows = 2, .matched = 2});
  const FigureInterval always = figure_interval(*find_track_figure("moda"), all);
  EXPECT_EQ(always.value, 1);
  EXPECT_FALSE(always.known());
  EXPECT_NE(always.why_unknown.find("alike"), std::string::npos) << always.why_unknown;
  all[20].matched = 1;
  EXPECT_TRUE(figure_interval(*find_track_figure("moda"), all).known());
}

// Long stretches are summed up before they are drawn from.
TEST(FigureInterval, OfALongRecording) {
  std::mt19937 random(11);
  const FigureInterval found =
      figure_interval(*find_track_figure("recall"), simulated(random, 20'000, 0.8, 0.95));
  EXPECT_TRUE(found.known()) << found.why_unknown;
  EXPECT_LT(found.to - found.from, 0.05);
  EXPECT_GE(found.block, 20);
}

// ---- two of them

const ComparedFigure& figure_named(const std::vector<ComparedFigure>& all, std::string_view name) {
  for (const ComparedFigure& one : all)
    if (one.figure->name == name) return one;
  ADD_FAILURE() << name;
  return all.front();
}

// The same errors but for somebody whom B finds more often: what both share cancels.
TEST(ComparedFigures, ThePairedDifferenceTellsThem) {
  std::mt19937 random(3);
  const auto a = simulated(random, 1500, 0.7, 0.9);
  auto b = a;
  for (FrameCounts& frame : b)
    if (frame.matched < frame.true_rows && random() % 4 == 0) ++frame.matched, ++frame.given_rows;
  const ComparedFigure better = figure_named(compare_figures(a, b, TrackSpace::world), "recall");
  EXPECT_EQ(better.verdict, FigureVerdict::better);
  EXPECT_GT(better.second, better.first);
  EXPECT_GT(better.difference.from, 0);
  EXPECT_NEAR(better.difference.value, better.second - better.first, 1e-12);
  EXPECT_EQ(figure_named(compare_figures(b, a, TrackSpace::world), "recall").verdict, FigureVerdict::worse);
  // Each alone is by far less sure than their difference is.
  const FigureInterval alone = figure_interval(*find_track_figure("recall"), a);
  EXPECT_GT(alone.to - alone.from, 2 * (better.difference.to - better.difference.from));
}

TEST(ComparedFigures, LowerIsBetterOfDistances) {
  std::mt19937 random(4);
  const auto a = simulated(random, 800, 0.6, 0.5), b = simulated(random, 800, 0.9, 0.5);
  EXPECT_EQ(figure_named(compare_figures(a, b, TrackSpace::world), "gospa_m").verdict, FigureVerdict::better);
  EXPECT_EQ(figure_named(compare_figures(b, a, TrackSpace::world), "gospa_m").verdict, FigureVerdict::worse);
}

// Of two that are equally good, nearly all are not told apart.
TEST(ComparedFigures, NoiseIsCalledSo) {
  std::mt19937 random(5);
  int not_told = 0;
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    const auto a = simulated(random, 1000, 0.8, 0.8), b = simulated(random, 1000, 0.8, 0.8);
    not_told += figure_named(compare_figures(a, b, TrackSpace::world, {.samples = 500}), "recall").verdict ==
                FigureVerdict::not_told;
  }
  EXPECT_GE(not_told, 88);
  EXPECT_LT(not_told, kRounds) << "5 % are told apart by chance";
}

TEST(ComparedFigures, TooShortToTell) {
  std::mt19937 random(6);
  const auto a = simulated(random, 5, 0.5, 0), b = simulated(random, 5, 0.9, 0);
  for (const ComparedFigure& one : compare_figures(a, b, TrackSpace::world))
    EXPECT_EQ(one.verdict, FigureVerdict::too_short) << one.figure->name;
}

// A frame in which only B has somebody is one of A's, too, with nobody.
TEST(ComparedFigures, AreOfTheFramesOfBoth) {
  std::vector<FrameCounts> a, b;
  for (int f = 0; f < 20; ++f) {
    if (f % 2 == 0)
      a.push_back({.frame = f, .frames = 1, .true_rows = 1, .given_rows = 1, .matched = 1, .ospa_m = 0.2});
    b.push_back({.frame = f, .frames = 1, .given_rows = 1, .ospa_m = 0.5});
  }
  const ComparedFigure ospa = figure_named(compare_figures(a, b, TrackSpace::world), "ospa_m");
  EXPECT_NEAR(ospa.first, 0.1, 1e-12) << "0.2 m in every other frame, 0 between";
  EXPECT_NEAR(ospa.second, 0.5, 1e-12);
}

}  // namespace
}  // namespace vantage
