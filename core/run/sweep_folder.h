// The folder of a sweep: its plan (plan.json), its points as they are measured (points.jsonl), and their
// table (sweep.csv, sweep.json, `moments.csv`, sweep.svg). A stopped sweep continues with the missing points.
// `vantage-cli sweep` writes to a stated folder; the window has its own in NAME.sweep next to the project.
#pragma once

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/pipeline/pipeline.h"
#include "core/run/sweep_points.h"
#include "core/run/sweep_project.h"

namespace vantage {

// Head of a sweep's table; `ground_truth`: its path, empty: there is none.
nlohmann::ordered_json sweep_head(const Project& project, const std::string& device,
                                  const SweepPoints& points, const SweepSpans& spans,
                                  const SweepMeasurement& how, const std::string& ground_truth);
// The head with everything else that the figures depend on: versions represent videos, calibration and every
// parameter. Errors: those of reading masks.
Result<nlohmann::ordered_json> sweep_plan(nlohmann::ordered_json head, const SweepPoints& points,
                                          const SweepMeasurement& how, const Pipeline& pipeline);
// Hash of the ground truth and masks.
Result<std::string> sweep_truth_hash(const SweepMeasurement& how);

// The points in a folder's points.jsonl, without an incomplete last line. `complete`: bytes of complete
// lines. Errors: those of reading.
struct StoredPoints {
  std::map<size_t, SweepPoint> points;
  size_t complete = 0, size = 0;
};
Result<StoredPoints> read_sweep_points(const std::filesystem::path& folder);

class SweepFolder {
 public:
  // `plan`: everything that the figures depend on. Errors: invalid_argument where the folder has another
  // sweep; io, also where another program writes it.
  static Result<std::unique_ptr<SweepFolder>> open(const std::filesystem::path& folder,
                                                   const nlohmann::ordered_json& plan, bool replace);
  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  const std::map<size_t, SweepPoint>& points() const { return points_; }  // the measured ones
  // Returns once it is on the disk.
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

// A table of the points.
struct SweepTable {
  const SweepPoints& points;
  const std::vector<const SweepMetric*>& metrics;  // the first decides which point is best
  const std::map<size_t, SweepPoint>& measured;
  bool tested = false;           // there is a test span
  nlohmann::ordered_json about;  // written to sweep.json before the points
};

std::optional<BestPoint> best_point(const SweepTable& table);
// Writes all files of the table.
Status write_sweep_table(const SweepTable& table, const std::filesystem::path& folder);

std::string sweep_csv(const SweepTable& table);
// The worst instants of each point by the first metric, one per line.
std::string moments_csv(const SweepTable& table);
nlohmann::ordered_json sweep_json(const SweepTable& table);
// A curve over one parameter, a heat map over two; empty for random points of several parameters.
std::string sweep_svg(const SweepTable& table);

// Sweeps kept by the window next to a project, in NAME.sweep: one folder each, named by its plan, so that the
// same sweep continues where it was stopped.

inline constexpr size_t kMaxKeptSweeps = 20;  // older ones are removed

std::filesystem::path kept_sweeps_folder(const Project& project);
// The folder of that plan, within NAME.sweep.
std::filesystem::path kept_sweep_folder(const Project& project, const nlohmann::ordered_json& plan);
// Removes all but the newest.
void drop_old_sweeps(const Project& project);

struct KeptSweep {
  SweepRequest request;  // without ground truth and masks
  std::map<size_t, SweepPoint> measured;
  // The project's other parameters or the ground truth differed then.
  bool outdated = false;
};
// The sweep written last; nothing: there is none that this version can read. `truth`, `masks`: the present
// ones.
std::optional<KeptSweep> last_kept_sweep(const Project& project, const GroundTruth& truth,
                                         const DrawnMasks& masks);

}  // namespace vantage
