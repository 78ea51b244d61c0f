// What the blur of a case hides and keeps, counted in the true pixels of rendered footage
// (`vantage-cli synth --persons`, then `run`).
#pragma once

#include <tbb/parallel_for.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/export/case/blur.h"
#include "core/image/image_files.h"
#include "core/results/results_paths.h"
#include "core/results/results_pictures.h"
#include "core/run/analysis.h"

namespace vantage::test {

// The person of the truth that each ID of the results is most often nearest to, as truth/tracks.csv counts.
inline std::map<int64_t, int64_t> true_persons(const std::filesystem::path& project_file) {
  const auto project = load_project(project_file);
  const auto truth = read_paths(project_file.parent_path() / "truth" / "tracks.csv");
  const auto found = project ? read_paths(project->results_folder() / "tracks.csv") : truth;
  std::map<int64_t, std::map<int64_t, int>> votes;
  if (!truth || !found) return {};
  for (const PersonPath& path : *found)
    for (const PathPoint& point : path.points) {
      int64_t nearest = 0;
      double distance = 0.5;
      for (const PersonPath& person : *truth)
        for (const PathPoint& at : person.points)
          if (at.frame == point.frame && std::hypot(at.x_m - point.x_m, at.y_m - point.y_m) < distance)
            distance = std::hypot(at.x_m - point.x_m, at.y_m - point.y_m), nearest = person.id;
      if (nearest > 0) ++votes[path.id][nearest];
    }
  std::map<int64_t, int64_t> persons;
  for (const auto& [id, counts] : votes) {
    int most = 0;
    for (const auto& [person, count] : counts)
      if (count > most) most = count, persons[id] = person;
  }
  return persons;
}

// Over the pictures with truth; `shown` and `lost` only of pictures that are not covered as a whole.
struct BlurTruth {
  std::set<int64_t> kept_ids;
  int64_t pictures = 0, doubted = 0;
  int64_t hidden = 0, shown = 0;  // pixels of people who are to be covered; of these, those that are not
  int64_t kept = 0, lost = 0;     // of people who are kept; of these, those that are covered
  std::map<BlurDoubt, int64_t> doubts;
  std::vector<std::string> leaks;  // pictures that show hidden pixels

  double kept_share() const {
    return kept > 0 ? 1 - static_cast<double>(lost) / static_cast<double>(kept) : 1;
  }
};

inline void count_picture(const BlurredPicture& blurred, const ImageView<const uint8_t>& truth,
                          const std::set<int64_t>& kept_persons, const std::string& picture, BlurTruth* sum) {
  ++sum->pictures;
  if (blurred.doubt) {
    ++sum->doubted, ++sum->doubts[*blurred.doubt];
    return;
  }
  const auto levels = blurred.levels.view<uint8_t>();
  const int64_t before = sum->shown;
  for (int y = 0; y < truth.height; ++y)
    for (int x = 0; x < truth.width; ++x) {
      const int person = truth.at(x, y);
      if (person == 0) continue;
      const bool covered = levels.at(x / 2, y / 2) != 0;
      if (kept_persons.contains(person))
        ++sum->kept, sum->lost += covered;
      else
        ++sum->hidden, sum->shown += !covered;
    }
  if (sum->shown > before) sum->leaks.push_back(picture + ": " + std::to_string(sum->shown - before));
}

// For each set of kept IDs.
inline Result<std::vector<BlurTruth>> measure_blur(const std::filesystem::path& project_file,
                                                   const std::vector<std::set<int64_t>>& kept,
                                                   const DeviceBackends& backends) {
  VANTAGE_ASSIGN(const Project project, load_project(project_file));
  VANTAGE_ASSIGN(const CasePeople people, CasePeople::read(project));
  const std::map<int64_t, int64_t> persons = true_persons(project_file);
  std::vector<BlurTruth> truths(kept.size());
  std::vector<std::set<int64_t>> kept_persons(kept.size());
  for (size_t k = 0; k < kept.size(); ++k) {
    truths[k].kept_ids = kept[k];
    for (const int64_t id : kept[k]) kept_persons[k].insert(persons.at(id));
  }
  AnalysisOptions options;
  options.backends = backends;
  options.pipeline.unseen = UnseenFrames::go_on;
  VANTAGE_ASSIGN(const auto analysis, Analysis::open(project, options));
  VANTAGE_ASSIGN(const int64_t frames, analysis->source().wait_for_frame_count({}));
  FrameEffort effort;
  effort.last_stage = kForegroundStage;
  for (int64_t frame = 0; frame < frames; ++frame) {
    VANTAGE_ASSIGN(const auto result, analysis->pipeline().frame(frame, effort, {}));
    VANTAGE_ASSIGN(const std::vector<Image> masks, result->foreground()->host_masks.get());
    for (size_t c = 0; c < masks.size(); ++c) {
      const std::string& camera = project.cameras[c].name;
      const auto truth = read_png_gray(
          project_file.parent_path() / "truth" / "persons" / camera / frame_file_name(frame, "png"),
          HostPool::shared());
      if (!truth) continue;
      std::optional<std::vector<CasePerson>> present;
      if (people.known(frame)) present = people.at(frame);
      std::vector<Status> statuses(kept.size());
      tbb::parallel_for(size_t{0}, kept.size(), [&](size_t k) {
        const auto blurred =
            Blur(*project.cameras[c].calibration, kept[k]).cover(masks[c], present, HostPool::shared());
        if (blurred)
          count_picture(*blurred, truth->view<uint8_t>(), kept_persons[k],
                        camera + " frame " + std::to_string(frame), &truths[k]);
        else
          statuses[k] = fail(blurred.error());
      });
      for (Status& status : statuses) VANTAGE_TRY(status);
    }
  }
  return truths;
}

}  // namespace vantage::test
