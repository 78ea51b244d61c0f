#include "core/tracking/paths/detail/returns.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>
#include <utility>

namespace vantage::path_detail {
namespace {

constexpr double kAlike = 1.0 / 500;
// Stretches with another one between them are compared.
constexpr double kStretch_s = 2;
constexpr double kStretchLooks = kStretch_s / kIndependent_s;
// The share of W that longer looking does not make smaller: other light, another side of the body.
constexpr double kLasting = 0.4;
// Fewer looks say nothing: those of a part in a camera, and all.
constexpr double kMinPartLooks = 2, kMinLooks = 4;
// Both are there for so long: shorter paths may be the same person twice.
constexpr double kTogether_s = 2;
// Standard deviations before anything is learnt, and how many differences they are worth.
constexpr double kWithinLuma = 16, kWithinChroma = 8, kWithinHeight_m = 0.03;
constexpr double kBetweenLuma = 40, kBetweenChroma = 12, kBetweenHeight_m = 0.1;
constexpr double kWithinWorth = 10, kBetweenWorth = 6;
// Distance at which a person still comes back where they left; the least area for others.
constexpr double kNear_m = 1, kLeastArea_m2 = 10;
constexpr int kHabitRounds = 8;
constexpr double kMaxRate = 20;

using FeatureVector = Eigen::Matrix<double, 3 * kBodyParts + 1, 1>;
using FeatureMatrix = Eigen::Matrix<double, 3 * kBodyParts + 1, 3 * kBodyParts + 1>;

FeatureMatrix diagonal(double luma, double chroma, double height_m) {
  FeatureVector deviations;
  for (int part = 0; part < kBodyParts; ++part) deviations.segment<3>(3 * part) << luma, chroma, chroma;
  deviations[3 * kBodyParts] = height_m;
  return deviations.cwiseAbs2().asDiagonal();
}

// With no variance below that of `least`.
FeatureMatrix at_least(const FeatureMatrix& all, const FeatureMatrix& least) {
  const Eigen::SelfAdjointEigenSolver<FeatureMatrix> more(all - least);
  return least + FeatureMatrix(more.eigenvectors() * more.eigenvalues().cwiseMax(0).asDiagonal() *
                               more.eigenvectors().transpose());
}

double log_density(const Eigen::VectorXd& d, const Eigen::MatrixXd& covariance) {
  const Eigen::LLT<Eigen::MatrixXd> llt(covariance);
  const Eigen::VectorXd whitened = llt.matrixL().solve(d);
  return -whitened.squaredNorm() / 2 - llt.matrixLLT().diagonal().array().log().sum();
}

// Clothes of strangers, and heights: half of trunks and of legs are dark and hardly coloured.
struct Clothes {
  double share, luma, luma_deviation, chroma_deviation;
};
constexpr Clothes kClothes[] = {{0.5, 65, 15, 2.5}, {0.5, 110, 50, 14}};
constexpr double kStranger_m = 1.72;

// Up to the same constant as log_density(): of a part's mean colour, measured with that variance.
double log_stranger(const Eigen::Vector3d& color, const Eigen::Vector3d& measured) {
  double density = 0;
  for (const Clothes& clothes : kClothes) {
    const Eigen::Array3d deviations(clothes.luma_deviation, clothes.chroma_deviation,
                                    clothes.chroma_deviation);
    const Eigen::Array3d variance = deviations.square() + measured.array();
    const Eigen::Array3d away = color.array() - Eigen::Array3d(clothes.luma, 128, 128);
    density += clothes.share * std::exp(-(away.square() / variance).sum() / 2) / std::sqrt(variance.prod());
  }
  return std::log(density + 1e-300);
}

}  // namespace

void Appearance::add(const std::vector<BodyColor>& colors, double weight) {
  count += weight;
  for (const BodyColor& color : colors) {
    const std::array parts = {&color.trunk, &color.legs};
    for (size_t part = 0; part < parts.size(); ++part)
      if (const auto& mean = *parts[part]) {
        Sum& sum = cameras[color.camera][part];
        sum.count += weight;
        sum.colors += weight * Eigen::Vector3d((*mean)[0], (*mean)[1], (*mean)[2]);
      }
  }
}

void Appearance::add(const Appearance& other) {
  heights = heights + other.heights, count += other.count;
  for (const auto& [camera, of_other] : other.cameras)
    for (size_t part = 0; part < of_other.size(); ++part) {
      Sum& sum = cameras[camera][part];
      sum.count += of_other[part].count, sum.colors += of_other[part].colors;
    }
}

bool ReturningPeople::concerns(std::span<const Node> nodes) const {
  return parameters_.return_s > 0 && (!people_.empty() || std::ranges::any_of(nodes, [](const Node& node) {
           return !node.person.colors.empty();
         }));
}

std::optional<ShownPath> ReturningPeople::shown(std::span<const int32_t> path, std::span<const Node> nodes,
                                                int64_t end) const {
  std::optional<ShownPath> shown;
  int64_t stretch = -1, colored = INT64_MIN / 2;
  for (const int32_t number : path) {
    const Node& node = nodes[number];
    if (node.carries >= 0 || node.frame >= end) continue;
    const std::array<double, 2> place = {node.person.x_m, node.person.y_m};
    if (!shown) shown = ShownPath{0, node.frame, node.frame, place, place};
    const auto at =
        static_cast<int64_t>(static_cast<double>(node.frame - shown->first_frame) / frame_rate_ / kStretch_s);
    if (std::exchange(stretch, at) != at) shown->stretches.emplace_back();
    shown->last_frame = node.frame, shown->last_m = place;
    if (node.number < 0) continue;
    shown->stretches.back().heights.add(node.person.height_m, node.look.weight);
    if (node.person.colors.empty()) continue;
    // Not every sighting has colours.
    const auto since_s = static_cast<double>(node.frame - std::exchange(colored, node.frame)) / frame_rate_;
    shown->stretches.back().add(node.person.colors, look_weight(since_s));
  }
  if (!shown) return shown;
  for (const Appearance& one : shown->stretches) shown->all.add(one);
  return shown;
}

Eigen::Vector3d ReturningPeople::light(int32_t camera) const {
  const auto at = light_.find(camera);
  return at == light_.end() ? Eigen::Vector3d::Zero() : at->second;
}

std::optional<ReturningPeople::Difference> ReturningPeople::difference(const Appearance& a,
                                                                       const Appearance& b) const {
  Difference between;
  const auto by_same_cameras = [&](int part) {
    Appearance::Sum by, shown;
    for (const auto& [camera, of_a] : a.cameras) {
      const auto of_b = b.cameras.find(camera);
      if (of_b == b.cameras.end()) continue;
      const Appearance::Sum &x = of_a[part], &y = of_b->second[part];
      const double weight = std::min(x.count, y.count);
      if (weight < kMinPartLooks) continue;
      by.colors += weight * (x.mean() - y.mean()), by.count += weight;
      shown.colors += weight * y.mean(), shown.count += weight;
    }
    return std::pair(by, shown);
  };
  const auto by_all_cameras = [&](int part) {
    const auto normalised = [&](const Appearance& one) {
      Appearance::Sum all;
      for (const auto& [camera, parts] : one.cameras)
        all.colors += parts[part].colors - parts[part].count * light(camera), all.count += parts[part].count;
      return all;
    };
    const Appearance::Sum x = normalised(a), y = normalised(b);
    Appearance::Sum by;
    if (std::min(x.count, y.count) >= kMinPartLooks) by = {1, x.mean() - y.mean()};
    return std::pair(by, y);
  };
  const auto compare = [&](const auto& by_cameras) {
    for (int part = 0; part < kBodyParts; ++part) {
      const auto [by, shown] = by_cameras(part);
      between.known[part] = by.count > 0;
      if (by.count == 0) continue;
      between.by.segment<3>(3 * part) = by.mean(), between.shown.segment<3>(3 * part) = shown.mean();
    }
    return between.known[0] || between.known[1];
  };
  if (std::min(a.count, b.count) < kMinLooks) return std::nullopt;
  if (!compare(by_same_cameras)) {
    between.across = true;
    if (!compare(by_all_cameras)) return std::nullopt;
  }
  between.shown[3 * kBodyParts] = b.heights.sum / b.heights.count;
  between.by[3 * kBodyParts] = a.heights.sum / a.heights.count - b.heights.sum / b.heights.count;
  const auto share = [](const Appearance& one) { return 1 / std::max(1.0, one.count / kStretchLooks); };
  between.share = (1 - kLasting) * (share(a) + share(b)) + 2 * kLasting;
  return between;
}

ReturningPeople::Features ReturningPeople::Difference::has() const {
  Features has = Features::Ones();
  for (int part = 0; part < kBodyParts; ++part)
    if (!known[part]) has.segment<3>(3 * part).setZero();
  return has;
}

void ReturningPeople::Spread::add(const Difference& between, double divided) {
  sum += between.by * between.by.transpose() / divided;
  const Features has = between.has();
  count += has * has.transpose();
}

ReturningPeople::Covariance ReturningPeople::Spread::with(const Covariance& prior, double worth) const {
  const Covariance mean = (sum + worth * prior).cwiseQuotient((count.array() + worth).matrix());
  // Parts that were seen a different number of times need not agree.
  return at_least(mean, 1e-3 * Covariance(mean.diagonal().asDiagonal()));
}

// The light of each camera: what least squares over all pairs that saw the same part of a person at the same
// time leave, about 0 on the mean.
void ReturningPeople::learn_light(const Appearance& seen) {
  for (auto a = seen.cameras.begin(); a != seen.cameras.end(); ++a)
    for (auto b = std::next(a); b != seen.cameras.end(); ++b)
      for (size_t part = 0; part < a->second.size(); ++part) {
        const Appearance::Sum &x = a->second[part], &y = b->second[part];
        const double weight = std::min(x.count, y.count);
        if (weight < kMinPartLooks) continue;
        Appearance::Sum& pair = light_pairs_[{a->first, b->first}];
        pair.colors += weight * (x.mean() - y.mean()), pair.count += weight;
      }
}

void ReturningPeople::solve_light() {
  std::map<int32_t, int> numbers;
  for (const auto& [pair, sum] : light_pairs_)
    for (const int32_t camera : {pair.first, pair.second})
      numbers.try_emplace(camera, static_cast<int>(numbers.size()));
  const auto count = static_cast<Eigen::Index>(numbers.size());
  if (count == 0) return;
  Eigen::MatrixXd normal = 1e-3 * Eigen::MatrixXd::Identity(count, count);
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(count, 3);
  for (const auto& [pair, sum] : light_pairs_) {
    const int a = numbers.at(pair.first), b = numbers.at(pair.second);
    normal(a, a) += sum.count, normal(b, b) += sum.count;
    normal(a, b) -= sum.count, normal(b, a) -= sum.count;
    right.row(a) += sum.colors, right.row(b) -= sum.colors;
  }
  const Eigen::MatrixXd solved = normal.ldlt().solve(right);
  for (const auto& [camera, number] : numbers) light_[camera] = solved.row(number);
}

void ReturningPeople::learn(std::span<const std::optional<ShownPath>> paths) {
  for (const std::optional<ShownPath>& path : paths)
    if (path)
      for (const Appearance& stretch : path->stretches) learn_light(stretch);
  solve_light();
  for (const std::optional<ShownPath>& path : paths) {
    if (!path) continue;
    Appearance before;
    for (size_t i = 2; i < path->stretches.size(); ++i) {
      before.add(path->stretches[i - 2]);
      const Appearance& now = path->stretches[i];
      if (const auto between = difference(before, now)) within_.add(*between, between->share);
      for (const auto& [camera, parts] : now.cameras) {
        Appearance one = now, others = before;
        one.cameras = {{camera, parts}};
        others.cameras.erase(camera);
        if (const auto between = difference(others, one)) across_.add(*between, between->share);
      }
    }
  }
  const auto together = static_cast<int64_t>(kTogether_s * frame_rate_);
  for (size_t i = 0; i < paths.size(); ++i)
    for (size_t k = i + 1; k < paths.size(); ++k) {
      if (!paths[i] || !paths[k]) continue;
      const int64_t from = std::max(paths[i]->first_frame, paths[k]->first_frame),
                    to = std::min(paths[i]->last_frame, paths[k]->last_frame);
      const auto between = to - from >= together ? difference(paths[i]->all, paths[k]->all) : std::nullopt;
      if (between && !between->across) between_.add(*between, 1);
    }
  const Covariance prior = diagonal(kWithinLuma, kWithinChroma, kWithinHeight_m);
  learnt_.within = within_.with(prior, kWithinWorth);
  // Other cameras see a person at least as differently as the same ones.
  learnt_.across = at_least(across_.with(2 * prior, kWithinWorth), learnt_.within);
  learnt_.between =
      between_.with(2 * (prior + diagonal(kBetweenLuma, kBetweenChroma, kBetweenHeight_m)), kBetweenWorth);
}

double ReturningPeople::ratio(const Difference& between) const {
  const Covariance within = between.share * (between.across ? learnt_.across : learnt_.within);
  // People differ from each other at least as much as from themselves.
  const Covariance others = at_least(learnt_.between, within);
  const Features has = between.has();
  std::vector<int> known;
  for (int i = 0; i < kFeatures; ++i)
    if (has[i] > 0) known.push_back(i);
  constexpr int kHeight = kFeatures - 1;
  const double height = within(kHeight, kHeight) + kBetweenHeight_m * kBetweenHeight_m,
               off_m = between.shown[kHeight] - kStranger_m;
  double stranger = -off_m * off_m / (2 * height) - std::log(height) / 2;
  for (int part = 0; part < kBodyParts; ++part)
    if (between.known[part])
      stranger += log_stranger(between.shown.segment<3>(3 * part), within.diagonal().segment<3>(3 * part));
  const double log_ratio = log_density(between.by(known), within(known, known)) -
                           std::max(stranger, log_density(between.by(known), others(known, known)));
  return 1 / (std::exp(-log_ratio) + kAlike);
}

std::vector<ReturningPeople::Chain> ReturningPeople::chains_of(
    std::span<const std::optional<ShownPath>> paths) const {
  std::vector<Chain> chains;
  for (const Person& person : people_) {
    Chain chain{person.seen, 0, person.last_frame, {}, person.last_m, false, person.id};
    chains.push_back(std::move(chain));
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    if (!paths[i]) continue;
    const ShownPath& path = *paths[i];
    Chain chain{path.all,
                path.first_frame,
                path.last_frame,
                path.first_m,
                path.last_m,
                path.person == 0,
                path.person,
                i,
                i};
    const auto before = std::ranges::find(chains, path.person, &Chain::person);
    if (path.person != 0 && before != chains.end()) {
      chain.seen.add(before->seen);
      *before = std::move(chain);
    } else {
      chains.push_back(std::move(chain));
    }
  }
  return chains;
}

std::vector<ReturningPeople::Candidate> ReturningPeople::candidates(std::span<const Chain> chains) const {
  std::vector<std::array<double, 2>> places;
  std::array<double, 2> min = {1e9, 1e9}, max = {-1e9, -1e9};
  for (const Chain& chain : chains) {
    places.push_back(chain.last_m);
    if (chain.begins) places.push_back(chain.first_m);
  }
  for (const auto& place : places)
    for (const size_t axis : {0U, 1U})
      min[axis] = std::min(min[axis], place[axis]), max[axis] = std::max(max[axis], place[axis]);
  const double area_m2 = std::max(kLeastArea_m2, (max[0] - min[0]) * (max[1] - min[1]));
  const auto density = [](const std::array<double, 2>& a, const std::array<double, 2>& b) {
    const double x = (a[0] - b[0]) / kNear_m, y = (a[1] - b[1]) / kNear_m;
    return std::exp(-(x * x + y * y) / 2) / (2 * std::numbers::pi * kNear_m * kNear_m);
  };
  std::vector<Candidate> found;
  for (size_t s = 0; s < chains.size(); ++s) {
    const Chain& start = chains[s];
    if (!start.begins) continue;
    double around = 1 / area_m2 - density(start.first_m, start.first_m);  // its own does not count
    for (const auto& place : places) around += density(place, start.first_m);
    around /= static_cast<double>(places.size());
    for (size_t e = 0; e < chains.size(); ++e) {
      const Chain& end = chains[e];
      const double away_s = static_cast<double>(start.first_frame - end.last_frame) / frame_rate_;
      const double way_m = std::hypot(start.first_m[0] - end.last_m[0], start.first_m[1] - end.last_m[1]);
      if (away_s <= 0 || away_s > parameters_.return_s ||
          way_m > reach_m(away_s, parameters_.place_jitter_m, parameters_))
        continue;
      if (const auto between = difference(end.seen, start.seen))
        found.push_back({e, s, ratio(*between), density(end.last_m, start.first_m) / around});
    }
  }
  return found;
}

std::vector<Match> ReturningPeople::odds_of(std::span<const Candidate> candidates,
                                            const Habits& habits) const {
  std::vector<Match> matches;
  for (const Candidate& one : candidates)
    matches.push_back(
        {one.end, one.start, habits.rate * one.ratio * (1 - habits.near + habits.near * one.near)});
  return matches;
}

// Expectation maximisation: of a start while n are away, the odds that one of them comes are rate n before
// anything is seen.
ReturningPeople::Habits ReturningPeople::learn_habits(std::span<const Candidate> candidates,
                                                      std::span<const Chain> chains, int64_t settled) {
  std::map<size_t, size_t> away;  // by start
  for (const Candidate& one : candidates) ++away[one.start];
  std::map<size_t, double> starts = starts_;
  for (const auto& [start, count] : away) {
    ++starts[count];
    if (chains[start].first_frame < settled) ++starts_[count];
  }
  Habits habits;
  std::array<double, 2> all = {}, final_ones = {};  // returns, and those to where they left
  for (int round = 0; round < kHabitRounds; ++round) {
    const std::vector<double> probabilities = match_probabilities(odds_of(candidates, habits));
    all = {returned_, returned_near_}, final_ones = all;
    for (size_t i = 0; i < candidates.size(); ++i) {
      const double close = habits.near * candidates[i].near, p = probabilities[i];
      const std::array<double, 2> one = {p, p * close / (1 - habits.near + close)};
      for (const size_t k : {0U, 1U}) {
        all[k] += one[k];
        if (chains[candidates[i].start].first_frame < settled) final_ones[k] += one[k];
      }
    }
    double expected = 0;
    for (const auto& [count, times] : starts) {
      const double odds = habits.rate * static_cast<double>(count);
      expected += times * odds / (1 + odds);
    }
    // People who are away come at least as often as strangers.
    habits.rate = std::clamp(habits.rate * all[0] / expected, 1.0, kMaxRate);
    habits.near = all[1] / all[0];
  }
  returned_ = final_ones[0], returned_near_ = final_ones[1];
  return habits;
}

std::vector<Return> ReturningPeople::find(std::span<const std::optional<ShownPath>> paths, int64_t settled) {
  std::vector<Chain> chains = chains_of(paths);
  std::vector<Candidate> pairs = candidates(chains);
  const Habits habits = learn_habits(pairs, chains, settled);
  std::vector<Return> found;
  for (;;) {
    const std::vector<Match> matches = odds_of(pairs, habits);
    const std::vector<double> probabilities = match_probabilities(matches);
    std::vector<size_t> order;
    for (size_t i = 0; i < matches.size(); ++i)
      if (probabilities[i] >= kMinReturn) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](size_t i) { return chains[matches[i].start].first_frame; });
    const bool any_sure =
        std::ranges::any_of(order, [&](size_t i) { return probabilities[i] >= kSureReturn; });
    std::vector<size_t> chain_of(chains.size());
    std::iota(chain_of.begin(), chain_of.end(), size_t{0});
    for (const size_t i : order) {
      Chain &end = chains[chain_of[matches[i].end]], &start = chains[matches[i].start];
      const Return one{end.person, end.last, start.first, end.last_frame, end.last_m, probabilities[i]};
      if (any_sure && !one.sure()) continue;
      if (start.first_frame < settled) found.push_back(one);
      if (!one.sure()) continue;
      end.seen.add(start.seen);
      end.last_frame = start.last_frame, end.last_m = start.last_m, end.last = start.last;
      chain_of[matches[i].start] = chain_of[matches[i].end];
    }
    if (!any_sure) return found;
    std::vector<Chain> left;
    for (size_t i = 0; i < chains.size(); ++i)
      if (chain_of[i] == i) left.push_back(std::move(chains[i]));
    chains = std::move(left);
    pairs = candidates(chains);
  }
}

void ReturningPeople::add(int64_t id, const ShownPath& path, const ShownPath& known) {
  auto person = std::ranges::find(people_, id, &Person::id);
  if (person == people_.end()) person = people_.insert(person, Person{.id = id});
  person->last_frame = path.last_frame, person->last_m = path.last_m;
  person->seen.add(known.all);
  const auto kept = static_cast<int64_t>(parameters_.return_s * frame_rate_);
  std::erase_if(people_, [&](const Person& one) { return path.last_frame - one.last_frame > kept; });
}

}  // namespace vantage::path_detail
