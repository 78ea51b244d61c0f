// Identities where fewer or other moments are seen: people found in recordings are numbered again as live
// analysis that sees fewer sets would number them, from every phase and with sets lost at random, so that one
// run's luck is no figure. Detections stay those of the whole recording.
//   thinned_tracking_bench [--rejoin METRES] RESULTS TRUTH.csv [RESULTS TRUTH.csv ...]
// RESULTS: folders that `run` wrote; TRUTH: truth/tracks.csv. Prints JSON: per rate and share of lost sets,
// over all recordings and phases, the mean and, of each recording's least, the mean.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/metrics/tracking_metrics.h"
#include "core/results/results_reader.h"
#include "core/tracking/tracker.h"
#include "tests/support/choose_instruction_set.h"

namespace vantage {
namespace {

constexpr double kWithin_m = 0.5;
constexpr int kPhases = 10;

struct Thinning {
  double sets_per_s, lost_share;
};
constexpr Thinning kThinnings[] = {{25, 0}, {12.5, 0}, {10, 0}, {10, 0.1}, {25.0 / 3, 0}, {5, 0}, {5, 0.1}};

struct Recording {
  StoredResults results;
  std::unordered_map<int64_t, std::vector<TrackRow>> truth;  // by frame, from 0
};

struct Moment {
  int64_t set = 0;  // as the tracker counts them
  const StoredFrame* frame = nullptr;
};

template <typename T>
T value_or_exit(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().message());
  std::exit(1);
}

Recording read_recording(const std::string& folder, const std::string& truth) {
  Recording recording{value_or_exit(read_results(folder)), {}};
  for (const TrackRow& row : value_or_exit(read_mot_csv(value_or_exit(read_file(truth)), truth)))
    recording.truth[row.frame - 1].push_back(row);
  return recording;
}

// The sets that are left, from `phase` (0 to 1) of their period on.
std::vector<Moment> thinned(const StoredResults& results, const Thinning& thinning, double phase,
                            std::mt19937& random) {
  const double step = results.frame_rate / thinning.sets_per_s;
  std::uniform_real_distribution<double> share(0, 1);
  std::vector<Moment> moments;
  for (int64_t set = 0;; ++set) {
    const auto at = static_cast<size_t>(std::floor(step * (static_cast<double>(set) + phase) + 1e-9));
    if (at >= results.frames.size()) return moments;
    if (share(random) >= thinning.lost_share) moments.push_back({set, &results.frames[at]});
  }
}

std::vector<FloorDetection> detections_of(const std::vector<FloorPerson>& people) {
  std::vector<FloorDetection> detections;
  for (const FloorPerson& person : people) detections.push_back({person.x_m, person.y_m, person.height_m});
  return detections;
}

TrackingMetrics follow(const Recording& recording, const std::vector<Moment>& moments, double sets_per_s,
                       const TrackingParameters& parameters) {
  Tracker tracker(sets_per_s);
  tracker.set_parameters(parameters);
  std::vector<TrackRow> truth, given;
  for (const auto& [set, frame] : moments) {
    const auto tracked =
        value_or_exit(tracker.update(set, detections_of(frame->people), detections_of(frame->rejected),
                                     sight_of(frame->cameras, frame->without_picture)));
    for (size_t i = 0; i < tracked.size(); ++i) {
      if (tracked[i].id == 0) continue;
      TrackRow row{frame->frame + 1, tracked[i].id};
      row.x_m = frame->people[i].x_m, row.y_m = frame->people[i].y_m;
      given.push_back(row);
    }
    if (const auto there = recording.truth.find(frame->frame); there != recording.truth.end())
      truth.insert(truth.end(), there->second.begin(), there->second.end());
  }
  return value_or_exit(evaluate_tracks(truth, given, {TrackSpace::world, kWithin_m}));
}

nlohmann::ordered_json figures(const std::vector<Recording>& recordings, const Thinning& thinning,
                               const TrackingParameters& parameters) {
  double idf1 = 0, least = 0, mota = 0, hota = 0, switches = 0;
  int runs = 0;
  for (const Recording& recording : recordings) {
    const double sets_per_s = std::min(thinning.sets_per_s, recording.results.frame_rate);
    const bool all = sets_per_s == recording.results.frame_rate && thinning.lost_share == 0;
    double min_here = 1;
    for (int phase = 0; phase < (all ? 1 : kPhases); ++phase, ++runs) {
      std::mt19937 random(static_cast<uint32_t>(phase));
      const auto moments = thinned(recording.results, {sets_per_s, thinning.lost_share},
                                   static_cast<double>(phase) / kPhases, random);
      const TrackingMetrics metrics = follow(recording, moments, sets_per_s, parameters);
      idf1 += metrics.identity.idf1, mota += metrics.clear.mota, hota += metrics.hota.hota;
      switches += static_cast<double>(metrics.clear.switches);
      min_here = std::min(min_here, metrics.identity.idf1);
    }
    least += min_here;
  }
  return {{"sets_per_s", thinning.sets_per_s},
          {"lost_share", thinning.lost_share},
          {"runs", runs},
          {"idf1", idf1 / runs},
          {"least_idf1", least / static_cast<double>(recordings.size())},
          {"mota", mota / runs},
          {"hota", hota / runs},
          {"switches", switches / runs}};
}

int run(std::vector<std::string> arguments) {
  TrackingParameters parameters;
  if (arguments.size() >= 2 && arguments[0] == "--rejoin") {
    parameters.rejoin_m = std::atof(arguments[1].c_str());
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  if (arguments.empty() || arguments.size() % 2 != 0) {
    fmt::print(stderr,
               "thinned_tracking_bench [--rejoin METRES] RESULTS TRUTH.csv [RESULTS TRUTH.csv ...]\n");
    return 2;
  }
  std::vector<Recording> recordings;
  for (size_t i = 0; i < arguments.size(); i += 2)
    recordings.push_back(read_recording(arguments[i], arguments[i + 1]));
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Thinning& thinning : kThinnings) list.push_back(figures(recordings, thinning, parameters));
  fmt::print("{}\n", vantage::json_text(list, 2));
  return 0;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  vantage::test::choose_instruction_set();
  return vantage::run({argv + 1, argv + argc});
}
