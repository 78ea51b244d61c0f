// People and their positions in the frames of a case: results on disk with the project's repairs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"
#include "core/results/floor_counts.h"
#include "core/results/results_reader.h"

namespace vantage {

struct CasePerson {
  int64_t id = 0;  // 0: found, but on no path
  double x_m = 0, y_m = 0, height_m = 0;
  bool seen = false;  // false: between two frames in which the path was found
};

// "#7", or the name; "#?" of a person who is on no path.
std::string person_label(int64_t id, const PersonNames& names = {});

// Everybody who is on a path, by frame, in the order of the paths; a gap of at most kLongestGap_s is crossed
// on a straight line, unseen.
std::map<int64_t, std::vector<CasePerson>> people_on_paths(const RecordedPeople& people);

class CasePeople {
 public:
  // Errors: not_found where the project has no results.
  static Result<CasePeople> read(const Project& project) { return read(project, project.results_folder()); }
  // People of another run, with the project's repairs.
  static Result<CasePeople> read(const Project& project, const std::filesystem::path& results);

  // True when the results state who is in the frame.
  bool known(int64_t frame) const { return known_.contains(frame); }
  // True when everything known of the span was found by that version of the stage `tracking` (pipeline.h):
  // with the present calibration, videos and parameters.
  bool found_by(FrameRange span, uint64_t version) const;
  // Everybody in the frame, by ID; paths continue over gaps of at most kLongestGap_s.
  std::vector<CasePerson> at(int64_t frame) const;
  const RecordedPeople& recorded() const { return recorded_; }
  // Removes the names of all other people.
  void keep_names_of(const std::set<int64_t>& ids);
  const std::string& device() const { return device_; }  // of the results
  bool has_person(int64_t id) const;

 private:
  void add_found(const StoredFrame& frame, size_t index, const std::map<int32_t, int64_t>& ids);

  RecordedPeople recorded_;            // with the repairs and names
  std::map<int64_t, uint64_t> known_;  // by frame: the version; 0: not stated
  std::map<int64_t, std::vector<CasePerson>> frames_;
  std::string device_;
};

}  // namespace vantage
