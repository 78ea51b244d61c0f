#include "core/results/result_scalars.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "core/base/byte_stream.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/results/detail/scalar_figures.h"
#include "core/results/frame_lines.h"
#include "core/results/results_reader.h"

namespace vantage {
namespace {

using nlohmann::json;
using results_detail::member_of;
using results_detail::number_at;
using results_detail::text_at;
using results_detail::WantedScalar;

// Which file lies there, and when it was written last.
struct ScalarFileStamp {
  uint64_t device = 0, inode = 0;
  int64_t bytes = 0, written_ns = 0;
  bool operator==(const ScalarFileStamp&) const = default;
};

std::optional<ScalarFileStamp> stamp_of_scalars(const std::filesystem::path& file) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return ScalarFileStamp{status.st_dev, status.st_ino, status.st_size,
                         status.st_mtim.tv_sec * int64_t{1'000'000'000} + status.st_mtim.tv_nsec};
}

// Calls act(object) for each object in the arrays of an object's text, one by one: as a whole the spans of an
// hour would take a gigabyte as JSON. It returns whether it wants more.
template <typename Act>
void for_each_listed_object(std::string_view text, const Act& act) {
  int depth = 0;
  bool quoted = false;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' && ++depth == 2) begin = i;
    if (c == '}' && depth-- == 2 && !act(parse_json(text.substr(begin, i + 1 - begin)))) return;
  }
}

tl::unexpected<Error> stopped_reading(const std::filesystem::path& file) {
  return fail(ErrorKind::cancelled, "reading figures of results was stopped", file.string());
}

}  // namespace

ResultScalars scalars_in(const ResultScalars& scalars, FrameRange frames) {
  const auto begin = std::ranges::lower_bound(scalars.frames, frames.begin) - scalars.frames.begin();
  const auto end =
      std::max(begin, std::ranges::lower_bound(scalars.frames, frames.end) - scalars.frames.begin());
  ResultScalars part;
  part.frame_rate = scalars.frame_rate;
  part.frames.assign(scalars.frames.begin() + begin, scalars.frames.begin() + end);
  for (const ScalarSeries& series : scalars.series)
    part.series.push_back({series.name,
                           series.unit,
                           {series.values.begin() + begin, series.values.begin() + end},
                           series.found});
  return part;
}

// ---- following

struct ScalarFollower::State {
  std::filesystem::path folder;
  FrameRange range;
  std::vector<WantedScalar> wanted;
  std::vector<std::string> names;
  ResultScalars scalars;
  ScalarOwners owners;
  std::set<int64_t> people;
  std::filesystem::path file;  // that is read
  std::optional<LineBlocks> blocks;
  std::optional<ScalarFileStamp> stamp, timings_stamp;  // nothing: none was read
  bool header_taken = false;

  // As if nothing had been read. The wanted ones remember: those of the header and of paths, too.
  Status restart() {
    scalars = {}, owners = {}, people.clear();
    blocks.reset(), stamp.reset(), timings_stamp.reset();
    header_taken = false;
    wanted.clear();
    for (const std::string& name : names) {
      VANTAGE_ASSIGN(WantedScalar one, WantedScalar::of(name));
      scalars.series.push_back({name, std::string(one.kind().unit), {}, one.kind().of == ScalarOf::frame});
      wanted.push_back(std::move(one));
    }
    return {};
  }

  Status open() {
    VANTAGE_TRY(restart());
    Result<LineBlocks> opened = LineBlocks::open(file);
    if (!opened)
      return fail(ErrorKind::not_found, "there are no results here", file.string(),
                  "Analyse the recording first.");
    blocks.emplace(std::move(*opened));
    return {};
  }

  // Line by line: a day's results do not fit into memory. A last line without its end is still being written,
  // unless the file is complete.
  Status read_lines(const StopSource& stop) {
    for (;;) {
      if (stop.stop_requested()) return stopped_reading(file);
      VANTAGE_ASSIGN(std::string_view block, blocks->next());
      if (block.empty()) return {};
      const bool whole = block.back() == '\n' || file.extension() != ".part";
      if (!whole) {
        const size_t end = block.rfind('\n');
        const size_t kept = end == std::string_view::npos ? 0 : end + 1;
        blocks->put_back(block.size() - kept);
        block = block.substr(0, kept);
      }
      Status taken;
      for_each_line(block, [&](std::string_view line) {
        if (taken) taken = take_line(line);
      });
      VANTAGE_TRY(taken);
      if (!whole) return {};
    }
  }

  Status take_line(std::string_view line) {
    if (std::exchange(header_taken, true)) {
      take_frame(line);
      return {};
    }
    VANTAGE_ASSIGN(const StoredResults header, parse_header_line(line, file));
    scalars.frame_rate = header.frame_rate;
    const json whole = parse_json(line);
    if (const json* cameras = member_of(whole, "cameras"))
      for (const json& camera : *cameras) owners.cameras.push_back(text_at(camera, "name"));
    for (size_t i = 0; i < wanted.size(); ++i) {
      wanted[i].take_header(whole);
      if (wanted[i].kind().of == ScalarOf::camera) scalars.series[i].found = wanted[i].found();
    }
    return {};
  }

  // A line that cannot be understood is left out, as everywhere.
  void take_frame(std::string_view text) {
    const json line = parse_json(text);
    if (!line.is_object() || !line.contains("frame") || !line["frame"].is_number_integer()) return;
    const auto frame = line["frame"].get<int64_t>();
    if (frame >= range.end) return;
    const bool inside = frame >= range.begin;
    if (inside) {
      scalars.frames.push_back(frame);
      note_people(line);
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      // Also before the range: a speed needs what was before.
      const double value = wanted[i].take_line(line, scalars.frame_rate);
      if (!inside) continue;
      scalars.series[i].values.push_back(value);
      if (wanted[i].kind().of == ScalarOf::person) scalars.series[i].found |= wanted[i].found();
    }
  }

  void note_people(const json& line) {
    const json* of_frame = member_of(line, "people");
    const json* list = of_frame ? member_of(*of_frame, "people") : nullptr;
    if (!list || !list->is_array()) return;
    for (const json& person : *list)
      if (const double id = number_at(person, "id"); id > 0) people.insert(static_cast<int64_t>(id));
  }

  // Times of frames that are read later are looked up then, as those of a run come at its end.
  Status read_timings(const StopSource& stop) {
    VANTAGE_ASSIGN(const std::string text, read_file(folder / "timings.json"));
    std::set<std::string> stages, kernels;
    const bool timed = std::ranges::any_of(wanted, &WantedScalar::timed);
    for (size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i].timed())
        std::ranges::fill(scalars.series[i].values, std::numeric_limits<double>::quiet_NaN()),
            scalars.series[i].found = false;
    bool stopped = false;
    for_each_listed_object(text, [&](const json& one) {
      stopped = stop.stop_requested();
      const std::string kind = text_at(one, "kind"), name = text_at(one, "name");
      if (kind == "stage") stages.insert(name);
      if (kind == "kernel") kernels.insert(name);
      const double frame = number_at(one, "frame"), duration_ns = number_at(one, "duration_ns");
      if (std::isfinite(frame) && std::isfinite(duration_ns))
        take_span(kind, name, static_cast<int64_t>(frame), duration_ns * 1e-6);
      // The summary stands first, and says whose times there are.
      return !stopped && (timed || !std::isfinite(duration_ns) || !member_of(one, "lane"));
    });
    if (stopped) return stopped_reading(folder / "timings.json");
    owners.stages.assign(stages.begin(), stages.end());
    owners.kernels.assign(kernels.begin(), kernels.end());
    return {};
  }

  void take_span(const std::string& kind, const std::string& name, int64_t frame, double ms) {
    const auto at = std::ranges::lower_bound(scalars.frames, frame);
    if (at == scalars.frames.end() || *at != frame) return;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const std::string_view its = wanted[i].kind().of == ScalarOf::stage ? "stage" : "kernel";
      if (!wanted[i].timed() || kind != its || name != wanted[i].whose()) continue;
      scalars.series[i].found = true;
      double& value = scalars.series[i].values[at - scalars.frames.begin()];
      value = (std::isnan(value) ? 0 : value) + ms;
    }
  }
};

ScalarFollower::ScalarFollower(std::unique_ptr<State> state) : state_(std::move(state)) {}
ScalarFollower::~ScalarFollower() = default;
ScalarFollower::ScalarFollower(ScalarFollower&&) noexcept = default;
ScalarFollower& ScalarFollower::operator=(ScalarFollower&&) noexcept = default;

Result<ScalarFollower> ScalarFollower::make(std::filesystem::path results,
                                            const std::vector<std::string>& names, FrameRange frames) {
  auto state = std::make_unique<State>();
  state->folder = std::move(results), state->range = frames, state->names = names;
  VANTAGE_TRY(state->restart());
  return ScalarFollower(std::move(state));
}

Result<bool> ScalarFollower::read_on(const StopSource& stop, bool running) {
  State& s = *state_;
  s.file = results_file(s.folder);
  const std::filesystem::path growing = s.folder / "results.jsonl.part";
  if (running && stamp_of_scalars(growing)) s.file = growing;
  const std::optional<ScalarFileStamp> now = stamp_of_scalars(s.file);
  const bool grown = now && s.stamp && now->device == s.stamp->device && now->inode == s.stamp->inode &&
                     now->bytes >= s.stamp->bytes;
  bool changed = false;
  if (!grown) VANTAGE_TRY(s.open());
  if (!grown || now->bytes > s.stamp->bytes || !s.blocks) {
    const size_t before = s.scalars.frames.size();
    // What was read only in part is read again from the start the next time.
    s.stamp.reset();
    VANTAGE_TRY(s.read_lines(stop));
    s.stamp = now;
    changed = !grown || s.scalars.frames.size() != before;
    s.owners.people.assign(s.people.begin(), s.people.end());
  }
  // While a run is writing, they are those of older results.
  const auto timings =
      s.file == growing && running ? std::nullopt : stamp_of_scalars(s.folder / "timings.json");
  const bool timed = std::ranges::any_of(s.wanted, &WantedScalar::timed);
  if (timings && (timings != s.timings_stamp || (changed && timed))) {
    VANTAGE_TRY(s.read_timings(stop));
    s.timings_stamp = timings;
    changed = true;
  }
  return changed;
}

const ResultScalars& ScalarFollower::scalars() const {
  return state_->scalars;
}

const ScalarOwners& ScalarFollower::owners() const {
  return state_->owners;
}

Result<ResultScalars> read_scalars(const std::filesystem::path& results, std::span<const std::string> names,
                                   FrameRange frames) {
  VANTAGE_ASSIGN(ScalarFollower follower,
                 ScalarFollower::make(results, {names.begin(), names.end()}, frames));
  VANTAGE_TRY(follower.read_on());
  for (const ScalarSeries& series : follower.scalars().series)
    if (!series.found)
      return fail(ErrorKind::not_found,
                  "the results have no such camera, person, stage or kernel in these frames", series.name);
  if (follower.scalars().frames.empty())
    return fail(ErrorKind::not_found, "the results have none of these frames", results.string());
  return follower.scalars();
}

}  // namespace vantage
