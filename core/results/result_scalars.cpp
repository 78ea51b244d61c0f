#include "core/results/result_scalars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/line_blocks.h"
#include "core/results/frame_lines.h"
#include "core/results/results_reader.h"

namespace vantage {
namespace {

using nlohmann::json;

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
// Speeds are taken over so long, that the noise of a position does not make one, and over no longer gap.
constexpr double kSpeedOver_s = 0.4, kSpeedGap_s = 1;

constexpr std::array<ScalarKind, 11> kKinds = {{
    {"people", "", "people in the frame"},
    {"rejected", "", "candidates that were not taken for people"},
    {"confidence", "", "mean confidence of the frame's people, 0 to 1"},
    {"litres", "l", "carved volume"},
    {"foreground", "", "share of the camera's pixels that are foreground, 0 to 1", ScalarOf::camera},
    {"x_m", "m", "position on the floor along x", ScalarOf::person},
    {"y_m", "m", "position on the floor along y", ScalarOf::person},
    {"height_m", "m", "height above the floor", ScalarOf::person},
    {"person_confidence", "", "confidence in the person, 0 to 1", ScalarOf::person},
    {"speed_m_per_s", "m/s", "speed over the floor, over 0.4 s", ScalarOf::person},
    {"ms", "ms", "time of the stage in the frame, of all its cameras together", ScalarOf::stage},
}};

struct Wanted {
  const ScalarKind* kind = nullptr;
  std::string whose;  // as it was asked for
  size_t camera = 0;  // by number
  int64_t person = 0;
  bool found = false;                                          // in some frame
  std::deque<std::pair<int64_t, std::array<double, 2>>> path;  // the person's last positions, for speeds
};

tl::unexpected<Error> no_scalar(const std::string& what, const std::string& name) {
  std::string known;
  for (const ScalarKind& kind : kKinds) known += (known.empty() ? "" : ", ") + scalar_name(kind);
  return fail(ErrorKind::invalid_argument, what, name, "There are " + known + ".");
}

Result<Wanted> wanted_of(const std::string& name) {
  const size_t colon = name.find(':');
  Wanted wanted;
  for (const ScalarKind& kind : kKinds)
    if (kind.name == name.substr(0, colon)) wanted.kind = &kind;
  if (!wanted.kind) return no_scalar("there is no such figure of results", name);
  const bool whose = colon != std::string::npos && colon + 1 < name.size();
  if (whose == (wanted.kind->of == ScalarOf::frame))
    return no_scalar(whose ? "this figure is one of the frame alone"
                           : "this figure needs whose it is, as " + scalar_name(*wanted.kind),
                     name);
  if (whose) wanted.whose = name.substr(colon + 1);
  if (wanted.kind->of == ScalarOf::person) {
    const bool digits =
        wanted.whose.size() < 18 && wanted.whose.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) return no_scalar("a person's ID is a number", name);
    wanted.person = std::stoll(wanted.whose);
  }
  return wanted;
}

double number_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : kNotKnown;
}

const json* member_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double mean_confidence(const json& people) {
  double sum = 0;
  size_t count = 0;
  for (const json& person : people)
    if (const double one = number_at(person, "confidence"); std::isfinite(one)) sum += one, ++count;
  return count > 0 ? sum / static_cast<double>(count) : kNotKnown;
}

double frame_figure(std::string_view name, const json& line) {
  if (name == "litres") {
    const json* volume = member_of(line, "volume");
    return volume ? number_at(*volume, "litres") : kNotKnown;
  }
  const json* people = member_of(line, "people");
  if (!people) return kNotKnown;
  if (name == "people") return number_at(*people, "count");
  const json* list = member_of(*people, name == "rejected" ? "rejected" : "people");
  if (!list) return kNotKnown;
  return name == "rejected" ? static_cast<double>(list->size()) : mean_confidence(*list);
}

double speed_of(Wanted* wanted, int64_t frame, const std::array<double, 2>& at, double frame_rate) {
  auto& path = wanted->path;
  const auto seconds = [&](int64_t then) { return static_cast<double>(frame - then) / frame_rate; };
  if (!path.empty() && seconds(path.back().first) > kSpeedGap_s) path.clear();
  while (path.size() > 1 && seconds(path[1].first) >= kSpeedOver_s) path.pop_front();
  double speed = kNotKnown;
  if (!path.empty() && seconds(path.front().first) >= kSpeedOver_s)
    speed = std::hypot(at[0] - path.front().second[0], at[1] - path.front().second[1]) /
            seconds(path.front().first);
  path.emplace_back(frame, at);
  return speed;
}

double person_figure(Wanted* wanted, const json& line, double frame_rate) {
  const json* people = member_of(line, "people");
  const json* list = people ? member_of(*people, "people") : nullptr;
  if (!list) return kNotKnown;
  for (const json& person : *list) {
    if (number_at(person, "id") != static_cast<double>(wanted->person)) continue;
    wanted->found = true;
    const std::string_view name = wanted->kind->name;
    if (name == "person_confidence") return number_at(person, "confidence");
    if (name != "speed_m_per_s") return number_at(person, std::string(name).c_str());
    return speed_of(wanted, line.at("frame").get<int64_t>(),
                    {number_at(person, "x_m"), number_at(person, "y_m")}, frame_rate);
  }
  return kNotKnown;
}

double camera_figure(Wanted* wanted, const json& line) {
  const json* cameras = member_of(line, "cameras");
  if (!cameras || wanted->camera >= cameras->size()) return kNotKnown;
  return number_at((*cameras)[wanted->camera], "foreground_share");
}

// Line by line: a day's results do not fit into memory.
class ScalarReader {
 public:
  ScalarReader(std::vector<Wanted> wanted, FrameRange frames) : wanted_(std::move(wanted)), range_(frames) {
    scalars_.series.resize(wanted_.size());
  }

  Result<ResultScalars> read(const std::filesystem::path& folder, std::span<const std::string> names) {
    VANTAGE_TRY(read_lines(results_file(folder)));
    VANTAGE_TRY(read_timings(folder));
    for (size_t i = 0; i < wanted_.size(); ++i) {
      scalars_.series[i].name = names[i], scalars_.series[i].unit = wanted_[i].kind->unit;
      if (wanted_[i].kind->of != ScalarOf::frame && !wanted_[i].found)
        return fail(ErrorKind::not_found, "the results have no such camera, person or stage in these frames",
                    names[i]);
    }
    if (scalars_.frames.empty())
      return fail(ErrorKind::not_found, "the results have none of these frames", folder.string());
    return std::move(scalars_);
  }

 private:
  Status read_lines(const std::filesystem::path& file) {
    Result<LineBlocks> blocks = LineBlocks::open(file);
    if (!blocks)
      return fail(ErrorKind::not_found, "there are no results here", file.string(),
                  "Analyse the recording first.");
    bool first = true;
    for (;;) {
      VANTAGE_ASSIGN(const std::string_view block, blocks->next());
      if (block.empty()) return {};
      Status taken;
      for_each_line(block, [&](std::string_view line) {
        if (!taken) return;
        if (std::exchange(first, false))
          taken = take_header(line, file);
        else
          take_frame(line);
      });
      VANTAGE_TRY(taken);
    }
  }

  Status take_header(std::string_view line, const std::filesystem::path& file) {
    VANTAGE_ASSIGN(const StoredResults header, parse_header_line(line, file));
    scalars_.frame_rate = header.frame_rate;
    const json whole = parse_json(line);
    const json* cameras = member_of(whole, "cameras");
    for (Wanted& wanted : wanted_) {
      if (wanted.kind->of != ScalarOf::camera || !cameras) continue;
      for (size_t i = 0; i < cameras->size(); ++i)
        if (text_at((*cameras)[i], "name") == wanted.whose) wanted.camera = i, wanted.found = true;
    }
    return {};
  }

  // A line that cannot be understood is left out, as everywhere.
  void take_frame(std::string_view text) {
    const json line = parse_json(text);
    if (!line.is_object() || !line.contains("frame") || !line["frame"].is_number_integer()) return;
    const auto frame = line["frame"].get<int64_t>();
    if (frame < range_.begin || frame >= range_.end) return;
    scalars_.frames.push_back(frame);
    for (size_t i = 0; i < wanted_.size(); ++i) {
      Wanted& wanted = wanted_[i];
      double value = kNotKnown;
      switch (wanted.kind->of) {
        case ScalarOf::frame:
          value = frame_figure(wanted.kind->name, line);
          break;
        case ScalarOf::camera:
          value = wanted.found ? camera_figure(&wanted, line) : kNotKnown;
          break;
        case ScalarOf::person:
          value = person_figure(&wanted, line, scalars_.frame_rate);
          break;
        case ScalarOf::stage:
          break;  // timings.json has them
      }
      scalars_.series[i].values.push_back(value);
    }
  }

  Status read_timings(const std::filesystem::path& folder) {
    const auto timed = [](const Wanted& wanted) { return wanted.kind->of == ScalarOf::stage; };
    if (std::none_of(wanted_.begin(), wanted_.end(), timed)) return {};
    VANTAGE_ASSIGN(const std::string text, read_file(folder / "timings.json"));
    const json timings = parse_json(text);
    const json* spans = timings.is_object() ? member_of(timings, "spans") : nullptr;
    if (!spans || !spans->is_array()) return {};
    std::map<int64_t, size_t> place;
    for (size_t i = 0; i < scalars_.frames.size(); ++i) place[scalars_.frames[i]] = i;
    for (const json& span : *spans) {
      if (text_at(span, "kind") != "stage") continue;
      const double frame = number_at(span, "frame"), duration_ns = number_at(span, "duration_ns");
      if (!std::isfinite(frame) || !std::isfinite(duration_ns)) continue;
      const auto at = place.find(static_cast<int64_t>(frame));
      if (at == place.end()) continue;
      for (size_t i = 0; i < wanted_.size(); ++i) {
        if (!timed(wanted_[i]) || text_at(span, "name") != wanted_[i].whose) continue;
        wanted_[i].found = true;
        double& value = scalars_.series[i].values[at->second];
        value = (std::isnan(value) ? 0 : value) + duration_ns * 1e-6;
      }
    }
    return {};
  }

  std::vector<Wanted> wanted_;
  const FrameRange range_;
  ResultScalars scalars_;
};

}  // namespace

std::span<const ScalarKind> scalar_kinds() {
  return kKinds;
}

std::string scalar_name(const ScalarKind& kind) {
  constexpr std::array<const char*, 4> kWhose = {"", ":CAMERA", ":ID", ":STAGE"};
  return std::string(kind.name) + kWhose[static_cast<size_t>(kind.of)];
}

Result<ResultScalars> read_scalars(const std::filesystem::path& results, std::span<const std::string> names,
                                   FrameRange frames) {
  std::vector<Wanted> wanted;
  for (const std::string& name : names) {
    VANTAGE_ASSIGN(Wanted one, wanted_of(name));
    wanted.push_back(std::move(one));
  }
  return ScalarReader(std::move(wanted), frames).read(results, names);
}

}  // namespace vantage
