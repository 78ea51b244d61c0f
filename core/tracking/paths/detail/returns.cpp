#include "core/tracking/paths/detail/returns.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage::path_detail {
namespace {

constexpr double kAlike = 1.0 / 500;
// Stretches with another one between them are compared.
constexpr double kStretch_s = 2;
constexpr double kStretchLooks = kStretch_s / kIndependent_s;
// The share of W that longer looking does not make smaller: other light, another side of the body.
constexpr double kLasting = 0.25;
// Fewer looks say nothing: those of a part in a camera, and all.
constexpr double kMinPartLooks = 2, kMinLooks = 4;
// Both are there for so long: shorter paths may be the same person twice.
constexpr double kTogether_s = 2;
// Standard deviations before anything is learnt, and how many differences they are worth.
constexpr double kWithinLuma = 16, kWithinChroma = 8, kWithinHeight_m = 0.03;
constexpr double kBetweenLuma = 40, kBetweenChroma = 12, kBetweenHeight_m = 0.1;
constexpr double kWithinWorth = 10, kBetweenWorth = 6;

Eigen::Matrix<double, 7, 7> diagonal(double luma, double chroma, double height_m) {
  Eigen::Matrix<double, 7, 1> deviations;
  deviations << luma, chroma, chroma, luma, chroma, chroma, height_m;
  return deviations.cwiseAbs2().asDiagonal();
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
  for (const BodyColor& color : colors)
    for (const bool legs : {false, true})
      if (const auto& mean = legs ? color.legs : color.trunk) {
        Sum& sum = parts[2 * color.camera + (legs ? 1 : 0)];
        sum.count += weight;
        sum.colors += weight * Eigen::Vector3d((*mean)[0], (*mean)[1], (*mean)[2]);
      }
}

void Appearance::add(const Appearance& other) {
  heights = heights + other.heights, count += other.count;
  for (const auto& [part, of_other] : other.parts) {
    Sum& sum = parts[part];
    sum.count += of_other.count, sum.colors += of_other.colors;
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
    if (!shown) shown = ShownPath{node.frame, node.frame, place, place, true, {}, {}};
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
  shown->is_new = nodes[path.front()].carries < 0;
  return shown;
}

std::optional<ReturningPeople::Difference> ReturningPeople::difference(const Appearance& a,
                                                                       const Appearance& b) {
  Difference between;
  for (const bool legs : {false, true}) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero(), shown = Eigen::Vector3d::Zero();
    double count = 0;
    for (const auto& [part, of_a] : a.parts) {
      const auto of_b = b.parts.find(part);
      if ((part % 2 == 1) != legs || of_b == b.parts.end()) continue;
      const double weight = std::min(of_a.count, of_b->second.count);
      if (weight < kMinPartLooks) continue;
      sum += weight * (of_a.colors / of_a.count - of_b->second.colors / of_b->second.count);
      shown += weight * of_b->second.colors / of_b->second.count;
      count += weight;
    }
    if (count == 0) continue;
    between.by.segment<3>(legs ? 3 : 0) = sum / count;
    between.shown.segment<3>(legs ? 3 : 0) = shown / count;
    (legs ? between.legs : between.trunk) = true;
  }
  if (!(between.trunk || between.legs) || std::min(a.count, b.count) < kMinLooks) return std::nullopt;
  between.shown[6] = b.heights.sum / b.heights.count;
  between.by[6] = a.heights.sum / a.heights.count - b.heights.sum / b.heights.count;
  const auto share = [](const Appearance& one) { return 1 / std::max(1.0, one.count / kStretchLooks); };
  between.share = (1 - kLasting) * (share(a) + share(b)) + 2 * kLasting;
  return between;
}

void ReturningPeople::learn(std::span<const std::optional<ShownPath>> paths) {
  const auto note = [](const std::optional<Difference>& between, double divided, Spread* spread) {
    if (!between || !between->trunk || !between->legs) return;
    spread->sum += between->by * between->by.transpose() / divided;
    spread->count += 1;
  };
  for (const std::optional<ShownPath>& path : paths) {
    if (!path) continue;
    Appearance before;
    for (size_t i = 2; i < path->stretches.size(); ++i) {
      before.add(path->stretches[i - 2]);
      const auto between = difference(before, path->stretches[i]);
      note(between, between ? between->share : 1, &within_);
    }
  }
  const auto together = static_cast<int64_t>(kTogether_s * frame_rate_);
  for (size_t i = 0; i < paths.size(); ++i)
    for (size_t k = i + 1; k < paths.size(); ++k) {
      if (!paths[i] || !paths[k]) continue;
      const int64_t from = std::max(paths[i]->first_frame, paths[k]->first_frame),
                    to = std::min(paths[i]->last_frame, paths[k]->last_frame);
      if (to - from >= together) note(difference(paths[i]->all, paths[k]->all), 1, &between_);
    }
}

double ReturningPeople::ratio(const Difference& between) const {
  const Covariance prior = diagonal(kWithinLuma, kWithinChroma, kWithinHeight_m);
  const Covariance within = between.share * within_.with(prior, kWithinWorth);
  const Covariance all =
      between_.with(2 * (prior + diagonal(kBetweenLuma, kBetweenChroma, kBetweenHeight_m)), kBetweenWorth);
  // People differ from each other at least as much as from themselves.
  const Eigen::SelfAdjointEigenSolver<Covariance> more(all - within);
  const Covariance others =
      within + Covariance(more.eigenvectors() * more.eigenvalues().cwiseMax(0).asDiagonal() *
                          more.eigenvectors().transpose());
  std::vector<int> known;
  for (int i = 0; i < kFeatures; ++i)
    if (i == 6 || (i < 3 ? between.trunk : between.legs)) known.push_back(i);
  const double height = within(6, 6) + kBetweenHeight_m * kBetweenHeight_m,
               off_m = between.shown[6] - kStranger_m;
  double stranger = -off_m * off_m / (2 * height) - std::log(height) / 2;
  for (const int part : {0, 3})
    if (part == 0 ? between.trunk : between.legs)
      stranger += log_stranger(between.shown.segment<3>(part), within.diagonal().segment<3>(part));
  const double log_ratio = log_density(between.by(known), within(known, known)) -
                           std::max(stranger, log_density(between.by(known), others(known, known)));
  return 1 / (std::exp(-log_ratio) + kAlike);
}

double ReturningPeople::ratio(const Person& person, const ShownPath& path) const {
  const double away_s = static_cast<double>(path.first_frame - person.last_frame) / frame_rate_;
  const double way_m = std::hypot(path.first_m[0] - person.last_m[0], path.first_m[1] - person.last_m[1]);
  if (away_s <= 0 || away_s > parameters_.return_s ||
      way_m > reach_m(away_s, parameters_.place_jitter_m, parameters_))
    return 0;
  const auto between = difference(person.seen, path.all);
  return between ? ratio(*between) : 0;
}

int64_t ReturningPeople::who(size_t path, std::span<const std::optional<ShownPath>> paths) const {
  if (!paths[path]) return 0;
  const ShownPath& shown = *paths[path];
  const Person* best = nullptr;
  double sum = 0, most = 0;
  for (const Person& person : people_) {
    const double r = ratio(person, shown);
    sum += r;
    if (r > most) most = r, best = &person;
  }
  if (!best || most / (1 + sum) < kSureReturn) return 0;
  for (size_t i = 0; i < paths.size(); ++i)
    if (i != path && paths[i] && paths[i]->is_new && paths[i]->first_frame <= shown.last_frame &&
        paths[i]->last_frame >= shown.first_frame)
      sum += ratio(*best, *paths[i]);
  return most / (1 + sum) < kSureReturn ? 0 : best->id;
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
