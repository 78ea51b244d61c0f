#include "core/export/case/detail/case_origin.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/file.h"
#include "core/seal/custody.h"
#include "core/seal/recording_seal.h"
#include "core/seal/verify_recording.h"
#include "core/video/file_list.h"
#include "core/video/packet_digests.h"
#include "core/video/segments/segment_index.h"
#include "core/video/video_source.h"

namespace vantage::case_detail {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

// A stretch of one file, from its first picture.
struct FileSpan {
  fs::path file;
  double from_s = 0, to_s = 0;  // the latter excluded
};

std::vector<FileSpan> segments_of(const OriginRequest& request) {
  const Result<SegmentsHeader> header = read_segments_header(request.video);
  if (!header) return {};
  SegmentIndex index(segments_folder(request.video));
  index.refresh();
  std::map<int, FileSpan> spans;
  const auto end = static_cast<int64_t>(std::ceil(request.to_s * header->frame_rate - 1e-6));
  for (auto frame = std::llround(request.from_s * header->frame_rate); frame < end; ++frame) {
    const SegmentIndex::Place place = index.at(frame);
    if (place.segment < 0) continue;
    const double at_s = place.time_ms * 1e-3;
    FileSpan& span = spans.try_emplace(place.segment, FileSpan{{}, at_s, at_s}).first->second;
    span.from_s = std::min(span.from_s, at_s), span.to_s = std::max(span.to_s, at_s + 1e-3);
  }
  std::vector<FileSpan> files;
  for (auto& [segment, span] : spans) {
    span.file = segment_path(segments_folder(request.video), segment);
    files.push_back(span);
  }
  return files;
}

std::vector<FileSpan> listed_files(const OriginRequest& request) {
  const Result<FileList> list = read_file_list(request.video);
  if (!list) return {};
  std::vector<FileSpan> files;
  const auto begin = std::llround(request.from_s * list->frame_rate);
  const auto end = static_cast<int64_t>(std::ceil(request.to_s * list->frame_rate - 1e-6));
  for (const ListedSpan& span : spans_of(*list)) {
    if (span.file < 0 || span.end <= begin || span.begin >= end) continue;
    const ListedFile& file = list->files[static_cast<size_t>(span.file)];
    const auto seconds = [&](int64_t frame) {
      return static_cast<double>(frame - file.first_frame) / list->frame_rate;
    };
    files.push_back(
        {file.file, seconds(std::max<int64_t>(begin, span.begin)), seconds(std::min(end, span.end))});
  }
  return files;
}

std::vector<FileSpan> file_spans(const OriginRequest& request) {
  if (request.from_s < 0) return {};
  if (names_segments(request.video)) return segments_of(request);
  if (names_file_list(request.video)) return listed_files(request);
  if (is_one_file(request.video)) return {{request.video, request.from_s, request.to_s}};
  return {};
}

// Groups of a span: the one that holds its first picture, to the last that begins before its end.
std::pair<int64_t, int64_t> groups_within(const std::vector<double>& times_s, const FileSpan& span,
                                          bool own_clock) {
  const double zero_s = own_clock || times_s.empty() ? 0 : times_s.front();
  int64_t first = 0, last = 0;
  constexpr double kRounding_s = 1e-3;
  for (size_t g = 0; g < times_s.size(); ++g) {
    const double at_s = times_s[g] - zero_s;
    if (at_s <= span.from_s + kRounding_s) first = static_cast<int64_t>(g);
    if (at_s < span.to_s - kRounding_s) last = static_cast<int64_t>(g);
  }
  return {first, std::max(first, last)};
}

// All pictures of a file compared with groups of a seal from one on. The last group may be there in part.
struct ComparedPictures {
  int64_t complete = 0;  // groups
  int64_t last = 0;      // group of which something is there; if not as sealed: the one that differs
  bool as_sealed = false;
};
Result<ComparedPictures> compare_pictures(const fs::path& file, const Seal& seal, int64_t first,
                                          const StopSource& stop = {}) {
  VANTAGE_ASSIGN(const auto packets, PacketDigests::open(file, stop));
  ComparedPictures compared{0, first, false};
  const auto end = static_cast<int64_t>(seal.groups.size());
  PacketDigest packet;
  Sha256 sum;
  int64_t pictures = 0;
  std::vector<uint64_t>::const_iterator tag;
  for (;;) {
    VANTAGE_ASSIGN(const bool more, packets->next(&packet));
    if (!more) break;
    if (!packet.picture) continue;
    compared.last = first + compared.complete;
    if (compared.last >= end) return compared;
    const SealedGroup& group = seal.groups[static_cast<size_t>(compared.last)];
    if (pictures == 0) tag = group.tags.begin();
    tag = std::find(tag, group.tags.end(), tag_of(packet));
    if (tag == group.tags.end()) return compared;
    ++tag, ++pictures;
    sum.add(content_line_of(packet));
    if (pictures < group.pictures) continue;
    if (hex_of(sum.finish()) != group.pictures_sha256) return compared;
    ++compared.complete, pictures = 0;
  }
  compared.as_sealed = compared.complete > 0 || pictures > 0;
  return compared;
}

class Origin {
 public:
  Origin(const OriginRequest& request, std::string* note) : request_(request), note_(*note) {}

  Result<ordered_json> of(const FileSpan& span) {
    const fs::path seal_file = seal_path(span.file);
    std::error_code none;
    const std::string name = span.file.filename().string();
    if (!fs::exists(seal_file, none)) return ordered_json();
    const auto verdict = verify_recording(span.file, request_.stop);
    if (!verdict && verdict.error().kind == ErrorKind::cancelled) return fail(verdict.error());
    if (!verdict) {
      note_ += verdict.error().message() + " ";
      return ordered_json();
    }
    const auto [first, last] = groups_within(verdict->times_s, span, names_segments(request_.video));
    const fs::path kept = fs::path("seals") / request_.name / seal_file.filename();
    VANTAGE_TRY(make_folder(request_.folder / kept.parent_path()));
    VANTAGE_ASSIGN(const std::string text, read_file(seal_file));
    VANTAGE_TRY(write_file_atomically(request_.folder / kept, text));
    ordered_json told = {{"file", name},
                         {"seal", kept.generic_string()},
                         {"chain_sha256", verdict->chain_sha256},
                         {"fingerprint", verdict->fingerprint},
                         {"first_group", first},
                         {"last_group", last},
                         {"first_s", verdict->time_s(first)},
                         {"last_s", verdict->time_s(last)},
                         {"as_sealed", true},
                         {"finished", verdict->finished},
                         {"changes", ordered_json::array()}};
    for (const SealFinding& one : verdict->findings) {
      told["changes"].push_back(finding_text(*verdict, one));
      if (one.first_group <= last && one.last_group >= first) told["as_sealed"] = false;
    }
    if (told["as_sealed"] == false) note_ += name + " is not as it was sealed, in the span itself. ";
    VANTAGE_TRY(add_original(told, request_.folder / kept, first, last));
    return told;
  }

 private:
  // Where the copied packets begin in the seal; null where they cannot be compared.
  Status add_original(ordered_json& told, const fs::path& seal_file, int64_t first, int64_t last) {
    told["original"] = nullptr;
    if (request_.original.empty()) return {};
    VANTAGE_ASSIGN(const Seal seal, read_seal(seal_file));
    for (int64_t at = std::max<int64_t>(0, first - 1); at <= std::min(first + 1, last); ++at) {
      const auto compared = compare_pictures(request_.folder / request_.original, seal, at, request_.stop);
      if (!compared && compared.error().kind == ErrorKind::cancelled) return fail(compared.error());
      if (!compared || !compared->as_sealed) continue;
      told["original"] = {{"file", request_.original}, {"first_group", at}};
      return {};
    }
    note_ +=
        request_.original + " cannot be compared with the seal: its container holds packets differently. ";
    return {};
  }

  const OriginRequest& request_;
  std::string& note_;
};

}  // namespace

Result<ordered_json> origin_of(const OriginRequest& request, std::string* note) {
  const std::vector<FileSpan> spans = file_spans(request);
  if (spans.empty()) *note += "which pictures of " + request.name + " were used is not known in its files. ";
  auto files = ordered_json::array();
  for (const FileSpan& span : spans) {
    VANTAGE_ASSIGN(ordered_json one, Origin(request, note).of(span));
    if (!one.is_null()) files.push_back(std::move(one));
  }
  return files;
}

namespace {

class OriginCheck {
 public:
  OriginCheck(const json& camera, const fs::path& folder, OriginVerdict& verdict)
      : name_(camera.at("name")), folder_(folder), verdict_(verdict) {}

  void check(const json& origin) {
    const std::string file = origin.at("seal");
    // The seal is a file of the case, wherever the manifest leads.
    if (fs::path(file).is_absolute() || file.find("..") != std::string::npos)
      return fault(file + " is not a file of the case");
    const Result<Seal> seal = read_seal(folder_ / file);
    if (!seal) return fault(seal.error().message());
    for (const Seal::Fault& one : seal->faults) fault(file + ": " + one.text);
    if (seal->last_sha256 != origin.at("chain_sha256") || seal->fingerprint != origin.at("fingerprint"))
      fault(file + " is not the seal that the manifest names");
    const int64_t first = origin.at("first_group"), last = origin.at("last_group");
    if (first < 0 || last < first || last >= static_cast<int64_t>(seal->groups.size()))
      return fault(file + " does not have the groups that the manifest names");
    if (origin.at("as_sealed") == false)
      verdict_.notes.push_back(fmt::format("{}: {} was not as sealed when the case was exported", name_,
                                           origin.at("file").get<std::string>()));
    if (origin.at("original").is_null()) {
      verdict_.notes.push_back(
          fmt::format("{}: that its video shows groups {} to {} of {} rests on the signature of the case: "
                      "without comparable "
                      "originals their hashes cannot be checked",
                      name_, first, last, origin.at("file").get<std::string>()));
      return;
    }
    check_original(origin.at("original"), *seal);
  }

 private:
  void fault(std::string text) { verdict_.faults.push_back(name_ + ": " + std::move(text) + "."); }

  void check_original(const json& original, const Seal& seal) {
    const std::string file = original.at("file");
    const int64_t first = original.at("first_group");
    if (file.find("..") != std::string::npos || first < 0 ||
        first >= static_cast<int64_t>(seal.groups.size()))
      return fault(file + " is not a file of the case");
    const auto compared = compare_pictures(folder_ / file, seal, first);
    if (!compared) return fault(compared.error().message());
    if (!compared->as_sealed)
      return fault(fmt::format("{} is not what was sealed, at group {}", file, compared->last));
    verdict_.notes.push_back(
        fmt::format("{}: {} holds groups {} to {} as they were sealed, {} of them complete", name_, file,
                    first, compared->last, compared->complete));
  }

  const std::string name_;
  const fs::path folder_;
  OriginVerdict& verdict_;
};

}  // namespace

OriginVerdict check_origins(const json& manifest, const fs::path& folder) {
  OriginVerdict verdict;
  try {
    for (const json& camera : manifest.value("cameras", json::array())) {
      OriginCheck check(camera, folder, verdict);
      for (const json& origin : camera.value("origin", json::array())) check.check(origin);
    }
    if (const json custody = manifest.value("custody", json()); !custody.is_null()) {
      const auto log = read_custody(folder / "data" / "custody.jsonl");
      if (!log) verdict.faults.push_back(log.error().message());
      if (log) verdict.faults.insert(verdict.faults.end(), log->faults.begin(), log->faults.end());
      if (log && log->last_sha256 != custody.at("last_sha256"))
        verdict.faults.push_back("data/custody.jsonl is not the log that the manifest names.");
    }
  } catch (const json::exception&) {
    verdict.faults.push_back("The origin of the videos in manifest.json cannot be understood.");
  }
  return verdict;
}

}  // namespace vantage::case_detail
