// The folder of a sweep: what it is (plan.json), its points as they are measured (points.jsonl), and the
// table made of them (sweep.csv, sweep.json, moments.csv, sweep.svg). A sweep that was stopped continues with
// the points that are missing.
#pragma once

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/evaluate/sweep_points.h"
#include "core/base/json.h"
#include "core/run/sweep.h"

namespace vantage::cli {

// Null where the figure is unknown.
nlohmann::ordered_json number_json(double value);

class SweepFolder {
 public:
  // `plan`: everything that the figures depend on. Errors: invalid_argument where the folder holds another
  // sweep; io, also where another program writes it.
  static Result<std::unique_ptr<SweepFolder>> open(const std::filesystem::path& folder,
                                                   const nlohmann::ordered_json& plan, bool replace);
  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  const std::map<size_t, SweepPoint>& points() const { return points_; }  // those that are measured
  // On the disk when this returns.
  Status add(size_t point, SweepPoint measured);
  std::filesystem::path part() const { return folder_ / "point.part"; }
  const std::filesystem::path& path() const { return folder_; }

 private:
  explicit SweepFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Status read_points();

  const std::filesystem::path folder_;
  std::FILE* file_ = nullptr;
  std::map<size_t, SweepPoint> points_;
};

// What a table says of the points.
struct SweepTable {
  const SweepPoints& points;
  const std::vector<const SweepMetric*>& metrics;  // the first decides what is best
  const std::map<size_t, SweepPoint>& measured;
  bool tested = false;           // there is a test span
  nlohmann::ordered_json about;  // goes into sweep.json before the points
};

std::optional<BestPoint> best_point(const SweepTable& table);

std::string sweep_csv(const SweepTable& table);
// The worst moments behind each point's first metric, a line each.
std::string moments_csv(const SweepTable& table);
nlohmann::ordered_json sweep_json(const SweepTable& table);
// A curve over one parameter, a heat map over two; empty for random points of several parameters.
std::string sweep_svg(const SweepTable& table);

}  // namespace vantage::cli
