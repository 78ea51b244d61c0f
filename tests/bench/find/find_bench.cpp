// find_bench [HOURS [PEOPLE]]: how long answers take over the tracks of a day (24 h of 10 people without
// these), made up: everybody walks from one place to the next, stands there for a while, and is lost every
// minute. Prints as JSON how long the index took and, for each kind of question, the median and the longest
// of nine answers in milliseconds, and how many moments were found.
#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/tracks/find/question.h"

namespace vantage {
namespace {

constexpr double kRate = 25, kSide_m = 6, kSpeed_m_per_s = 1.2;
constexpr int kRounds = 9;

double seconds(const std::function<void()>& act) {
  const auto start = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<PersonPath> day(double hours, int people) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto frames = static_cast<int64_t>(3600 * kRate * hours);
  const auto track = static_cast<int64_t>(60 * kRate);
  std::vector<PersonPath> paths;
  for (int person = 0; person < people; ++person) {
    Eigen::Vector2d place(kSide_m * unit(random), kSide_m * unit(random)), to = place;
    int64_t stands_until = 0;
    for (int64_t frame = 0; frame < frames; ++frame) {
      if (frame % track == 0) paths.push_back({static_cast<int64_t>(paths.size()) + 1, {}});
      const double step_m = kSpeed_m_per_s / kRate;
      if (frame >= stands_until && (to - place).norm() <= step_m) {
        to = {kSide_m * unit(random), kSide_m * unit(random)};
        stands_until = frame + static_cast<int64_t>(20 * kRate * unit(random));
      }
      if (frame >= stands_until) place += step_m * (to - place).normalized();
      const auto stored = [](double value) { return std::round(1000 * value) / 1000; };
      paths.back().points.push_back(
          {frame, stored(place.x()), stored(place.y()), 1.5 + 0.05 * person, 0.9, true});
    }
  }
  return paths;
}

nlohmann::ordered_json times(const TrackIndex& index, const FindQuestion& question) {
  std::vector<double> taken_ms;
  size_t found = 0;
  for (int i = 0; i < kRounds; ++i)
    taken_ms.push_back(1e3 * seconds([&] { found = answer(index, question).size(); }));
  std::ranges::sort(taken_ms);
  return {{"median_ms", taken_ms[kRounds / 2]}, {"longest_ms", taken_ms.back()}, {"moments", found}};
}

int run(double hours, int people) {
  std::vector<PersonPath> paths = day(hours, people);
  std::unique_ptr<TrackIndex> index;
  const double index_s = seconds([&] { index = std::make_unique<TrackIndex>(std::move(paths), kRate); });
  FindQuestion present, visits, crossings, meetings;
  visits.kind = FindKind::visits, visits.zone = {"door", {{2, 2}, {3, 2}, {3, 3}, {2, 3}}};
  crossings.kind = FindKind::crossings, crossings.line = {"line", {3, 0}, {3, 6}};
  meetings.kind = FindKind::meetings;
  FindQuestion tall_visits = visits, long_meetings = meetings;
  tall_visits.filter.taller_m = 1.8, tall_visits.filter.min_s = 5;
  long_meetings.filter.min_s = 10;
  nlohmann::ordered_json all = {{"hours", hours},
                                {"people", people},
                                {"tracks", index->people()},
                                {"points", index->points()},
                                {"index_s", index_s}};
  const std::pair<const char*, const FindQuestion*> questions[] = {
      {"present", &present},     {"visits", &visits},     {"tall visits of 5 s", &tall_visits},
      {"crossings", &crossings}, {"meetings", &meetings}, {"meetings of 10 s", &long_meetings}};
  for (const auto& [name, question] : questions) all[name] = times(*index, *question);
  fmt::print("{}\n", json_text(all));
  return 0;
}

}  // namespace
}  // namespace vantage

int main(int argc, char** argv) {
  return vantage::run(argc > 1 ? std::atof(argv[1]) : 24, argc > 2 ? std::atoi(argv[2]) : 10);
}
