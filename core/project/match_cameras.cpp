#include "core/project/match_cameras.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <optional>

#include "core/base/address_credentials.h"
#include "core/base/text.h"

namespace vantage {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Letters and digits alone, in lower case; "cam01" is "cam1".
std::string plain(const std::string& name) {
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool in_number = i > 0 && is_digit(name[i - 1]) && !result.empty() && is_digit(result.back());
    const bool more_digits = i + 1 < name.size() && is_digit(name[i + 1]);
    if (name[i] == '0' && !in_number && more_digits) continue;
    if (const auto c = static_cast<unsigned char>(name[i]); std::isalnum(c))
      result += static_cast<char>(std::tolower(c));
  }
  return result;
}

// "cam1" is not part of "cam10", nor "1" of "cam21".
bool contains_name(const std::string& whole, const std::string& part) {
  for (size_t at = whole.find(part); !part.empty() && at != std::string::npos;
       at = whole.find(part, at + 1)) {
    const size_t end = at + part.size();
    const bool cut_before = at > 0 && is_digit(whole[at - 1]) && is_digit(part.front());
    const bool cut_after = end < whole.size() && is_digit(whole[end]) && is_digit(part.back());
    if (!cut_before && !cut_after) return true;
  }
  return false;
}

// Minimum length of a part: one or two letters occur in names by chance ("b" in "hub"), and count only as a
// word of a video's own name.
constexpr size_t kMinPart = 3;

bool has_word(const std::string& name, const std::string& word) {
  std::string current;
  for (const char c : name + ' ') {
    if (const auto letter = static_cast<unsigned char>(c); std::isalpha(letter) != 0) {
      current += static_cast<char>(std::tolower(letter));
      continue;
    }
    if (!word.empty() && current == word) return true;
    current.clear();
  }
  return false;
}

template <typename Matches>
std::optional<size_t> only_match(const std::vector<std::string>& cameras, const Matches& matches) {
  std::optional<size_t> found;
  for (size_t i = 0; i < cameras.size(); ++i) {
    if (!matches(cameras[i])) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::optional<size_t> find_camera(const std::vector<std::string>& names,
                                  const std::vector<std::string>& cameras) {
  const auto equal = [](const std::string& camera, const std::string& name) { return camera == name; };
  const auto alike = [](const std::string& camera, const std::string& name) {
    return !plain(name).empty() && plain(camera) == plain(name);
  };
  const auto within = [](const std::string& camera, const std::string& name) {
    return contains_name(plain(camera), plain(name));
  };
  const auto around = [&names](const std::string& camera, const std::string& name) {
    const std::string part = plain(camera);
    if (part.size() >= kMinPart || std::any_of(part.begin(), part.end(), is_digit))
      return contains_name(plain(name), part);
    return !(names.size() > 1 && name == names.back()) && has_word(name, part);
  };
  for (const auto& rule : {std::function<bool(const std::string&, const std::string&)>(equal),
                           std::function<bool(const std::string&, const std::string&)>(alike),
                           std::function<bool(const std::string&, const std::string&)>(within),
                           std::function<bool(const std::string&, const std::string&)>(around)})
    for (const std::string& name : names)
      if (const auto found =
              only_match(cameras, [&](const std::string& camera) { return rule(camera, name); }))
        return found;
  return std::nullopt;
}

// The first of the texts: some calibrations have hundreds of cameras.
std::string joined(const std::vector<std::string>& texts) {
  constexpr size_t kMax = 12;
  std::string result;
  for (size_t i = 0; i < std::min(kMax, texts.size()); ++i) result += (i == 0 ? "" : ", ") + texts[i];
  if (texts.size() > kMax) result += " and " + std::to_string(texts.size() - kMax) + " more";
  return result;
}

tl::unexpected<Error> no_match(const std::string& what, const std::vector<std::string>& videos,
                               const std::vector<std::string>& cameras) {
  return fail(ErrorKind::invalid_argument,
              what + " (videos: " + joined(videos) + "; calibrated cameras: " + joined(cameras) + ")", "",
              "Match them with --map VIDEO=CAMERA, once for each video.");
}

}  // namespace

std::vector<std::string> names_of_video(const std::string& video) {
  std::filesystem::path path(split_credentials(video).address);  // names are shown, passwords never
  if (!path.has_filename()) path = path.parent_path();           // "cam1/"
  std::vector<std::string> names;
  const bool pattern = path.filename().string().find_first_of("%*?") != std::string::npos;
  if (!pattern) names.push_back(path.stem().string());
  const std::string folder =
      std::filesystem::absolute(path).lexically_normal().parent_path().filename().string();
  if (!folder.empty()) names.push_back(folder);
  return names;
}

std::vector<std::optional<size_t>> match_by_name(const std::vector<std::string>& videos,
                                                 const std::vector<std::string>& cameras) {
  std::vector<std::optional<size_t>> found;
  for (const std::string& video : videos) found.push_back(find_camera(names_of_video(video), cameras));
  std::vector<std::optional<size_t>> result = found;
  for (size_t i = 0; i < found.size(); ++i)
    if (std::count(found.begin(), found.end(), found[i]) > 1) result[i].reset();
  return result;
}

Result<std::vector<size_t>> match_cameras(const std::vector<std::string>& videos,
                                          const std::vector<std::string>& cameras,
                                          const std::vector<std::pair<std::string, std::string>>& mapped) {
  std::vector<size_t> result;
  std::vector<bool> map_used(mapped.size(), false);
  for (const std::string& video : videos) {
    std::vector<std::string> names = names_of_video(video);
    std::optional<size_t> found = find_camera(names, cameras);
    names.push_back(video);
    for (size_t m = 0; m < mapped.size(); ++m) {
      if (std::find(names.begin(), names.end(), mapped[m].first) == names.end()) continue;
      map_used[m] = true;
      const auto camera = std::find(cameras.begin(), cameras.end(), mapped[m].second);
      if (camera == cameras.end())
        return no_match("no calibrated camera is named " + mapped[m].second, videos, cameras);
      found = static_cast<size_t>(camera - cameras.begin());
    }
    if (!found) return no_match("no calibrated camera has the name of " + video, videos, cameras);
    if (std::find(result.begin(), result.end(), *found) != result.end())
      return no_match("two videos are assigned to " + cameras[*found], videos, cameras);
    result.push_back(*found);
  }
  for (size_t m = 0; m < mapped.size(); ++m)
    if (!map_used[m])
      return no_match("--map names " + mapped[m].first + ", which is not a video", videos, cameras);
  return result;
}

Result<size_t> camera_named(const std::vector<std::string>& cameras, std::string_view name) {
  std::string known;
  for (size_t c = 0; c < cameras.size(); ++c) {
    if (cameras[c] == name) return c;
    append_item(&known, cameras[c]);
  }
  return fail(ErrorKind::invalid_argument,
              "there is no camera '" + std::string(name) + "'; there are " + known);
}

}  // namespace vantage
