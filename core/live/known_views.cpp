#include "core/live/known_views.h"

#include <cmath>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;

constexpr char kViewsSchema[] = "vantage-views-1";
constexpr double kSteps = 100;  // values are kept to a hundredth of an 8-bit step

tl::unexpected<Error> damaged(const std::filesystem::path& path) {
  return fail(ErrorKind::bad_data, "is not a list of cameras' views", path.string(),
              "Remove it: the views are then recorded again.");
}

// The list of cameras; empty where there is no file.
Result<ordered_json> read_cameras(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return ordered_json::array();
  VANTAGE_ASSIGN(const std::string text, read_file(path));
  const ordered_json document = parse_ordered_json(text);
  if (!document.is_object() || document.value("schema", ordered_json()) != kViewsSchema ||
      !document.contains("cameras") || !document["cameras"].is_array())
    return damaged(path);
  for (const ordered_json& entry : document["cameras"])
    if (!entry.is_object() || !entry.contains("name")) return damaged(path);
  return document["cameras"];
}

std::optional<KnownView> view_of(const ordered_json& entry) {
  const auto luma = entry.find("luma"), kept = entry.find("kept_utc_s");
  if (luma == entry.end() || !luma->is_array() || luma->size() != LumaThumbnail::kCells ||
      kept == entry.end() || !kept->is_number())
    return std::nullopt;
  KnownView view;
  view.utc_s = kept->get<double>();
  for (size_t i = 0; i < view.luma.size(); ++i) {
    if (!(*luma)[i].is_number()) return std::nullopt;
    view.luma[i] = (*luma)[i].get<float>();
  }
  return view;
}

}  // namespace

Result<std::optional<KnownView>> KnownViews::find(const std::string& camera, uint64_t calibration) const {
  const std::lock_guard lock(mutex_);
  VANTAGE_ASSIGN(const ordered_json cameras, read_cameras(path_));
  for (const ordered_json& entry : cameras) {
    if (entry["name"] != camera || entry.value("calibration", ordered_json()) != hex64(calibration)) continue;
    const std::optional<KnownView> view = view_of(entry);
    if (!view) return damaged(path_);
    return view;
  }
  return std::optional<KnownView>();
}

Status KnownViews::keep(const std::string& camera, uint64_t calibration, const KnownView& view) {
  const std::lock_guard lock(mutex_);
  VANTAGE_ASSIGN(ordered_json cameras, read_cameras(path_));
  std::erase_if(cameras.get_ref<ordered_json::array_t&>(),
                [&](const ordered_json& entry) { return entry["name"] == camera; });
  ordered_json luma = ordered_json::array();
  for (const float value : view.luma) luma.push_back(std::round(value * kSteps) / kSteps);
  cameras.push_back({{"name", camera},
                     {"calibration", hex64(calibration)},
                     {"kept_utc_s", std::round(view.utc_s)},
                     {"luma", std::move(luma)}});
  const ordered_json document = {{"schema", kViewsSchema}, {"cameras", std::move(cameras)}};
  return write_file_atomically(path_, json_text(document));
}

}  // namespace vantage
