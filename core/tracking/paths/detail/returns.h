// People who come back: which person who was there before a new path shows, by clothes and height.
//
// A person shows mean colours of trunk and legs in each camera, and a height. Two of them differ by d, the
// mean over the cameras that saw both. How a person differs from the same person later, W, and people from
// each other, T, is learnt from the recording: stretches of one path are of one person, paths at the same
// time are not. W counts by how long both were seen. Both are taken for normal:
//
//   r = N(d; 0, W) / max(N(d; 0, T), S), at most 1 / kAlike: strangers dress alike, too
//   p = r / (1 + sum of r over all who are away + sum of r over new paths at the same time)
//
// S is how often strangers look like that: dark clothes say little, coloured ones much. The first sum is over
// the people whom the path may be, the second over the paths that the person may be. From kSureReturn on the
// path goes on with the person's ID.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/tracking/paths/detail/path_windows.h"

namespace vantage::path_detail {

inline constexpr double kSureReturn = 0.995;

// Sums over sightings, each weighted as its look.
struct Appearance {
  struct Sum {
    double count = 0;
    Eigen::Vector3d colors = Eigen::Vector3d::Zero();
  };
  std::map<int32_t, Sum> parts;  // by twice the camera's index, and 1 more of legs
  HeightSums heights;
  double count = 0;  // of sightings with colours
  void add(const std::vector<BodyColor>& colors, double weight);
  void add(const Appearance& other);
};

// A window's path, up to a frame.
struct ShownPath {
  int64_t first_frame = 0, last_frame = 0;
  std::array<double, 2> first_m = {}, last_m = {};
  bool is_new = true;  // it continues none of the window before
  Appearance all;
  std::vector<Appearance> stretches;  // of kStretch_s each, one after the other
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
  // Learns how people differ from the paths of a window.
  void learn(std::span<const std::optional<ShownPath>> paths);
  // The ID of the person who comes back with that path, which is new; `paths`: all of its window. 0: no one
  // for sure.
  int64_t who(size_t path, std::span<const std::optional<ShownPath>> paths) const;
  // The person with that ID is on that path, of which `known` is final.
  void add(int64_t id, const ShownPath& path, const ShownPath& known);

 private:
  static constexpr int kFeatures = 7;  // Y', Cb and Cr of trunk and legs; height
  using Features = Eigen::Matrix<double, kFeatures, 1>;
  using Covariance = Eigen::Matrix<double, kFeatures, kFeatures>;
  struct Difference {
    Features by = Features::Zero(), shown = Features::Zero();  // the second of the two
    bool trunk = false, legs = false;
    double share = 0;  // of W that it has by chance
  };
  struct Spread {
    Covariance sum = Covariance::Zero();
    double count = 0;
    Covariance with(const Covariance& prior, double worth) const {
      return (sum + worth * prior) / (count + worth);
    }
  };
  struct Person {
    int64_t id = 0, last_frame = 0;
    std::array<double, 2> last_m = {};
    Appearance seen;
  };
  static std::optional<Difference> difference(const Appearance& a, const Appearance& b);
  double ratio(const Difference& between) const;
  double ratio(const Person& person, const ShownPath& path) const;

  double frame_rate_;
  PathParameters parameters_;
  Spread within_, between_;
  std::vector<Person> people_;
};

}  // namespace vantage::path_detail
