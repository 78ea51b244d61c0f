// People who come back: which person who was there before a new path shows, by clothes, height and position.
// Reasons: resources/docs/algorithms/path-tracking.md.
//
// Two appearances differ by d, the mean over the cameras that saw both; without such a camera, over all, each
// less its own light. W is how a person differs from the same person later, T how people differ, both learnt
// from the recording; S is how often strangers look like that.
//
//   r = N(d; 0, W) / max(N(d; 0, T), S), at most 1 / kAlike: strangers dress alike, too
//   odds = rate r (1 - near + near N(x_start - x_end) / f(x_start))
//
// All ends and starts are matched together (match_odds.h). Those of kSureReturn on are one person, of whom
// all that was seen then counts, and the rest is matched again. The others are proposals.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/tracking/paths/detail/match_odds.h"
#include "core/tracking/paths/detail/path_windows.h"

namespace vantage::path_detail {

inline constexpr double kSureReturn = 0.995;

inline constexpr int kBodyParts = 2;  // trunk, legs

// Sums over sightings, each weighted as its look.
struct Appearance {
  struct Sum {
    double count = 0;
    Eigen::Vector3d colors = Eigen::Vector3d::Zero();
    Eigen::Vector3d mean() const { return colors / count; }
  };
  std::map<int32_t, std::array<Sum, kBodyParts>> cameras;  // by index
  HeightSums heights;
  double count = 0;  // of sightings with colours
  void add(const std::vector<BodyColor>& colors, double weight);
  void add(const Appearance& other);
};

// A window's path, up to a frame.
struct ShownPath {
  int64_t person = 0;  // ID of the person whose path of the window before it continues; 0: it is new
  int64_t first_frame = 0, last_frame = 0;
  std::array<double, 2> first_m = {}, last_m = {};
  Appearance all = {};
  std::vector<Appearance> stretches = {};  // of kStretch_s each, one after the other
};

// The person of a new path may be one who left.
struct Return {
  int64_t person = 0;  // who left, known from windows before; 0: who is on the path `from`
  size_t from = 0;     // among the window's paths
  size_t path = 0;     // among the window's paths: the new one
  int64_t left_frame = 0;
  std::array<double, 2> left_m = {};
  double probability = 0;
  bool sure() const { return probability >= kSureReturn; }
};

class ReturningPeople {
 public:
  ReturningPeople(double frame_rate, const PathParameters& parameters)
      : frame_rate_(frame_rate), parameters_(parameters) {}

  // Without colours so far, and in these nodes, there is nothing to learn.
  bool concerns(std::span<const Node> nodes) const;
  // Appearance of a path by its nodes before `end`; nothing where it has none.
  std::optional<ShownPath> shown(std::span<const int32_t> path, std::span<const Node> nodes,
                                 int64_t end) const;
  // Learns how people and cameras differ from the paths of a window.
  void learn(std::span<const std::optional<ShownPath>> paths);
  // Who comes back in a window, those of `paths` that begin before `settled` for good: sure ones, and others
  // down to kMinReturn. Each path has at most one sure one, and is that of at most one.
  std::vector<Return> find(std::span<const std::optional<ShownPath>> paths, int64_t settled);
  // The person with that ID is on that path, of which `known` is final.
  void add(int64_t id, const ShownPath& path, const ShownPath& known);

 private:
  static constexpr int kFeatures = 3 * kBodyParts + 1;  // Y', Cb and Cr of each part; height
  using Features = Eigen::Matrix<double, kFeatures, 1>;
  using Covariance = Eigen::Matrix<double, kFeatures, kFeatures>;
  struct Difference {
    Features by = Features::Zero(), shown = Features::Zero();  // the second of the two
    std::array<bool, kBodyParts> known = {};
    bool across = false;   // no camera saw both
    double share = 0;      // of W that it has by chance
    Features has() const;  // 1: the feature is known
  };
  struct Spread {
    Covariance sum = Covariance::Zero(), count = Covariance::Zero();
    void add(const Difference& between, double divided);
    Covariance with(const Covariance& prior, double worth) const;
  };
  struct Person {
    int64_t id = 0, last_frame = 0;
    std::array<double, 2> last_m = {};
    Appearance seen;
  };
  // Tracks that are one person's, one after the other.
  struct Chain {
    Appearance seen;
    int64_t first_frame = 0, last_frame = 0;
    std::array<double, 2> first_m = {}, last_m = {};
    bool begins = false;         // may be of a person who was there before
    int64_t person = 0;          // as Return's
    size_t first = 0, last = 0;  // among the window's paths
  };
  struct Candidate {
    size_t end = 0, start = 0;  // among the chains
    double ratio = 0;           // r
    double near = 0;            // N / f
  };
  std::vector<Chain> chains_of(std::span<const std::optional<ShownPath>> paths) const;
  std::vector<Candidate> candidates(std::span<const Chain> chains) const;
  // How likely returns are, and where.
  struct Habits {
    double rate = 1, near = 0.5;
  };
  std::vector<Match> odds_of(std::span<const Candidate> candidates, const Habits& habits) const;
  // Learns from the candidates, and those of the windows before; keeps what starts before `settled` say.
  Habits learn_habits(std::span<const Candidate> candidates, std::span<const Chain> chains, int64_t settled);
  std::optional<Difference> difference(const Appearance& a, const Appearance& b) const;
  Eigen::Vector3d light(int32_t camera) const;
  void learn_light(const Appearance& seen);
  void solve_light();
  double ratio(const Difference& between) const;

  double frame_rate_;
  PathParameters parameters_;
  Spread within_, across_, between_;
  struct {
    Covariance within, across, between;
  } learnt_;  // from these, after learn()
  std::map<std::pair<int32_t, int32_t>, Appearance::Sum> light_pairs_;
  std::map<int32_t, Eigen::Vector3d> light_;
  // How many paths began while so many were away, and how many of them were returns; before anything is
  // known, one of two while one was away.
  std::map<size_t, double> starts_ = {{1, 2}};
  double returned_ = 1;
  double returned_near_ = 0.5;  // of these, where they had left
  std::vector<Person> people_;
};

}  // namespace vantage::path_detail
