#include "app/cli/evaluate/real_recordings.h"

#include <array>
#include <map>

#include "app/cli/evaluate/recording_parts.h"
#include "app/cli/evaluate/shelf_truth.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;

// ---- cmc-detections

bool in_cmc_region(const TrackRow& row) {
  return row.x_m >= 2.03 && row.x_m <= 6.3;
}

Result<Figures> judge_cmc(const fs::path& data, const fs::path& tracks, const std::string& name,
                          const std::array<double, 3>& asked) {
  VANTAGE_ASSIGN(const Rows truth, read_rows(data / (name + "_gt.txt")));
  VANTAGE_ASSIGN(const Rows rows, read_rows(tracks));
  VANTAGE_ASSIGN(const TrackingMetrics metrics, evaluated(truth, rows, in_cmc_region));
  return Figures{at_least("MODA", metrics.clear.moda, asked[0]),
                 at_least("IDF1", metrics.identity.idf1, asked[1]),
                 at_most("error on the floor", metrics.places.floor_error_m, asked[2], "m"),
                 {"switches", static_cast<double>(metrics.clear.switches), "count", std::nullopt, true}};
}

RealRecording cmc(const std::string& name, const std::string& people, const std::array<double, 3>& asked,
                  double window_s) {
  RealRecording recording;
  recording.folder = "cmc-detections", recording.name = people + ", boxes alone";
  recording.file = name;
  if (window_s > 0) {
    const int whole = static_cast<int>(window_s);
    recording.name += ", online in windows of " + std::to_string(whole) + " s";
    recording.file += "_windows";
    recording.settings = {"paths.window_s=" + std::to_string(whole),
                          "paths.overlap_s=" + std::to_string(whole / 2)};
  }
  recording.project = [name](const fs::path& data) {
    return from_detections(numbered(data, name + "_Cam_", 1, 4, "_det.txt"), 4, data / "calibration.json");
  };
  recording.judge = [name, asked](const fs::path& data, const fs::path& results) {
    return judge_cmc(data, results / "tracks.csv", name, asked);
  };
  return recording;
}

RealRecording cmc_subsets(const std::string& name, const std::string& people, size_t cameras) {
  RealRecording recording = cmc(name, people, {}, 0);
  recording.cameras = cameras;
  recording.judge = [name, cameras](const fs::path& data, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const Rows truth, read_rows(data / (name + "_gt.txt")));
    VANTAGE_ASSIGN(const Rows rows, read_rows(results / "tracks.csv"));
    VANTAGE_ASSIGN(const TrackingMetrics metrics, evaluated(truth, rows, in_cmc_region));
    return subset_figures(cameras, metrics.clear.recall, metrics.places.floor_error_m);
  };
  return recording;
}

// ---- shelf-detections

Rows necks_of(const std::vector<ShelfPerson>& truth) {
  Rows rows;
  for (const ShelfPerson& person : truth) {
    TrackRow& row = rows.emplace_back();
    row.frame = person.frame + 1, row.id = person.id;
    row.x_m = person.joints_m[kShelfNeck].x(), row.y_m = person.joints_m[kShelfNeck].y();
  }
  return rows;
}

RealRecording shelf() {
  RealRecording recording;
  recording.folder = "shelf-detections", recording.name = "four people, joints alone";
  recording.file = "shelf";
  recording.project = [](const fs::path& data) {
    return from_detections(numbered(data / "detection", "", 0, 5, ".txt"), 25, data / "calibration.json");
  };
  recording.judge = [](const fs::path& data, const fs::path& results) -> Result<Figures> {
    VANTAGE_ASSIGN(const std::vector<ShelfPerson> truth, read_shelf_truth(data / "gt.txt"));
    VANTAGE_ASSIGN(const Rows rows, read_rows(results / "tracks.csv"));
    VANTAGE_ASSIGN(const TrackingMetrics metrics,
                   evaluated(necks_of(truth), rows, [](const TrackRow&) { return false; }));
    VANTAGE_ASSIGN(const RecordedSkeletons skeletons, read_skeletons(results, {}));
    Figures figures{at_least("recall of necks", metrics.clear.recall, 0.97),
                    at_least("identity recall", metrics.identity.recall, 0.97)};
    // The fourth one is in few frames, and published figures leave him out.
    constexpr int64_t kActors = 3;
    std::map<int64_t, double> parts = shelf_parts_found(truth, skeletons);
    double sum = 0;
    for (int64_t id = 0; id < kActors; sum += parts[id++])
      figures.push_back({"PCP of actor " + std::to_string(id + 1), parts[id], {}, std::nullopt, false});
    figures.push_back({"mean PCP of the three", sum / kActors, {}, std::nullopt, false});
    return figures;
  };
  return recording;
}

}  // namespace

std::vector<RealRecording> real_recordings() {
  std::vector<RealRecording> all = {cmc("CMC1", "three people", {0.995, 0.995, 0.07}, 0),
                                    cmc("CMC2", "ten people", {0.98, 0.97, 0.12}, 0),
                                    cmc("CMC2", "ten people", {0.98, 0.85, 0.12}, 4),
                                    cmc_subsets("CMC1", "three people", 2),
                                    cmc_subsets("CMC2", "ten people", 2),
                                    cmc_subsets("CMC1", "three people", 1),
                                    cmc_subsets("CMC2", "ten people", 1),
                                    shelf()};
  for (const std::vector<RealRecording>& more : {recordings_with_detector(), recordings_by_masks()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace vantage::cli
