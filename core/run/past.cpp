#include "core/run/past.h"

#include <cstdlib>
#include <random>
#include <string>
#include <system_error>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/process_owner.h"
#include "core/live/live_frame_source.h"

namespace vantage {
namespace {

constexpr double kSegment_s = 5;  // so much at once is dropped
constexpr const char* kOwnerSuffix = ".owner";

std::filesystem::path owner_file(const std::filesystem::path& folder) {
  return folder.string() + kOwnerSuffix;
}

void remove_past(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  std::filesystem::remove(owner_file(folder), ignored);
}

void remove_left_behind(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != kOwnerSuffix) continue;
    const Result<std::string> text = read_file(entry.path());
    const auto owner = text ? owner_from_json(*text) : std::nullopt;
    if (owner && state_of(*owner) == OwnerState::gone)
      remove_past(entry.path().parent_path() / entry.path().stem());
  }
}

}  // namespace

std::filesystem::path past_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return std::filesystem::path(cache) / "vantage" / "past";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home ? home : ".") / ".cache" / "vantage" / "past";
}

Result<std::unique_ptr<Past>> Past::start(const Project& project, LiveFrameSource& cameras,
                                          const std::filesystem::path& folder) {
  VANTAGE_TRY(make_folder(folder));
  remove_left_behind(folder);
  std::random_device random;
  std::unique_ptr<Past> past(new Past(folder / hex64(uint64_t{random()} << 32 | random())));
  VANTAGE_TRY(write_file_atomically(owner_file(past->folder_), owner_to_json(this_process())));
  VANTAGE_TRY(make_folder(past->folder_));
  std::error_code ignored;
  std::filesystem::permissions(past->folder_, std::filesystem::perms::owner_all, ignored);
  Project kept = project;
  VANTAGE_TRY(kept.parameters.set("recording", "segment_s", kSegment_s));
  VANTAGE_ASSIGN(past->recorder_, Recorder::start(kept, past->folder_ / "past.vantage", cameras,
                                                  {.what = "Keeping the past of the cameras"}));
  past->set_limits(project.parameters.get<RecordingParameters>());
  return past;
}

bool Past::has_space(const Project& project, const std::filesystem::path& folder) {
  constexpr double kGigabyte = 1e9;
  std::error_code code;
  const std::filesystem::space_info space = std::filesystem::space(folder, code);
  const double reserve_gb = project.parameters.get<RecordingParameters>().reserve_gb;
  return code || static_cast<double>(space.available) >= reserve_gb * kGigabyte;
}

void Past::set_limits(const RecordingParameters& limits) {
  recorder_->set_limits(limits.past_min / 60, limits.past_gb);
}

Past::~Past() {
  recorder_.reset();
  remove_past(folder_);
}

}  // namespace vantage
