#include "core/seal/verify_recording.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/video/file_list.h"
#include "core/video/segments/segment_index.h"

namespace vantage {
namespace {

const char* change_text(SealChange change) {
  switch (change) {
    case SealChange::bits:
      return "bits changed";
    case SealChange::missing:
      return "missing";
    case SealChange::swapped:
      return "in another order";
    case SealChange::spliced:
      return "spliced in";
    case SealChange::retimed:
      return "retimed";
    case SealChange::truncated:
      return "cut off at the end";
    case SealChange::appended:
      return "appended";
    case SealChange::parameters:
      return "other streams, codecs or sizes";
    case SealChange::container:
      return "changed outside the packets";
    case SealChange::seal:
      return "the seal itself was changed";
  }
  return "";
}

bool at_the_end(const SealFinding& finding) {
  return finding.change == SealChange::truncated || finding.change == SealChange::appended;
}

// A change of the seal explains what the file then seems to have at the same group.
std::vector<SealFinding> with_faults(const Seal& seal, std::vector<SealFinding> found) {
  for (const Seal::Fault& fault : seal.faults) {
    std::erase_if(found, [&](const SealFinding& one) {
      return one.first_group == fault.group && one.last_group == fault.group;
    });
    found.push_back({SealChange::seal, fault.group, fault.group, fault.text});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const SealFinding& a, const SealFinding& b) { return a.first_group < b.first_group; });
  return found;
}

Result<std::vector<SealFinding>> compare_file(const std::filesystem::path& file, const Seal& seal,
                                              const StopSource& stop) {
  const auto last = static_cast<int64_t>(std::max<size_t>(1, seal.groups.size())) - 1;
  auto packets = PacketDigests::open(file, stop);
  if (!packets && packets.error().kind == ErrorKind::bad_data)
    return std::vector<SealFinding>{
        {SealChange::container, 0, last, "the file can no longer be opened: " + packets.error().what}};
  if (!packets) return fail(packets.error());
  VANTAGE_ASSIGN(std::vector<SealFinding> found, compare_packets(seal.groups, [&](PacketDigest* packet) {
                   return (*packets)->next(packet);
                 }));
  if ((*packets)->streams() != seal.head.streams || (*packets)->video() != seal.head.video)
    found.insert(found.begin(), {SealChange::parameters, 0, last, {}});
  return found;
}

}  // namespace

double SealVerdict::time_s(int64_t group) const {
  if (times_s.empty()) return 0;
  return times_s[static_cast<size_t>(
      std::clamp<int64_t>(group, 0, static_cast<int64_t>(times_s.size()) - 1))];
}

Result<SealVerdict> verify_recording(const std::filesystem::path& file, const StopSource& stop) {
  VANTAGE_ASSIGN(const Seal seal, read_seal(seal_path(file)));
  SealVerdict verdict;
  verdict.file = file;
  verdict.made = seal.head.made, verdict.program = seal.head.program;
  verdict.sealed_utc = seal.signed_utc.empty() ? seal.head.utc : seal.signed_utc;
  verdict.series = seal.head.series, verdict.part = seal.head.part, verdict.follows = seal.head.follows;
  verdict.first_sha256 = seal.first_sha256, verdict.chain_sha256 = seal.last_sha256;
  verdict.fingerprint = seal.fingerprint;
  verdict.groups = static_cast<int64_t>(seal.groups.size());
  verdict.finished = seal.complete, verdict.torn_bytes = seal.torn_bytes;
  for (const SealedGroup& group : seal.groups) verdict.times_s.push_back(group.time_s);
  if (!verdict.times_s.empty()) verdict.end_s = verdict.times_s.back();

  std::vector<SealFinding> found;
  std::string digest;  // of a file that is complete: equal, it is untouched as a whole
  if (seal.complete) {
    VANTAGE_ASSIGN(digest, sha256_of_file(file));
  }
  if (digest.empty() || digest != seal.file_sha256 || !seal.faults.empty()) {
    VANTAGE_ASSIGN(found, compare_file(file, seal, stop));
    if (seal.complete && found.empty() && seal.faults.empty())
      found.push_back({SealChange::container, 0, std::max<int64_t>(0, verdict.groups - 1),
                       "every packet and its time are as sealed"});
  }
  if (!seal.complete) {
    for (const SealFinding& one : found)
      if (at_the_end(one)) verdict.broken_off.push_back(one);
    std::erase_if(found, at_the_end);
    if (seal.signed_groups < verdict.groups)
      verdict.broken_off.push_back({SealChange::seal, seal.signed_groups, verdict.groups - 1,
                                    "as sealed, but behind the last signature"});
  }
  verdict.findings = with_faults(seal, std::move(found));
  return verdict;
}

Result<std::vector<std::filesystem::path>> files_to_seal(const std::filesystem::path& video) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  if (names_segments(video.string())) {
    VANTAGE_TRY(read_segments_header(video));
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(segments_folder(video), code))
      if (entry.path().extension() == ".mkv") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
  }
  if (names_file_list(video.string())) {
    VANTAGE_ASSIGN(const FileList list, read_file_list(video));
    for (const ListedFile& file : list.files) files.push_back(file.file);
    return files;
  }
  return std::vector<fs::path>{video};
}

std::vector<std::string> faults_between(const std::vector<SealVerdict>& verdicts) {
  std::vector<std::string> faults;
  for (size_t i = 1; i < verdicts.size(); ++i) {
    const SealVerdict &before = verdicts[i - 1], &one = verdicts[i];
    if (one.made != "recording" && before.made != "recording") continue;
    const std::string name = one.file.filename().string(), former = before.file.filename().string();
    if (one.series != before.series)
      faults.push_back(fmt::format("{} is of another recording than {}", name, former));
    else if (one.part != before.part + 1)
      faults.push_back(
          fmt::format("between {} and {} files are missing, or in another order: parts {} and {}", former,
                      name, before.part, one.part));
    else if (one.follows != before.first_sha256)
      faults.push_back(fmt::format("the seal of {} is not that which {} follows", former, name));
    // A segment may end a little behind the begin of the next: both break off together.
    if (!before.finished && (one.finished || i + 1 < verdicts.size()))
      faults.push_back(fmt::format("the seal of {} has no end, and the recording goes on behind it", former));
  }
  return faults;
}

std::string finding_text(const SealVerdict& verdict, const SealFinding& finding) {
  std::string where;
  if (finding.first_group >= verdict.groups)
    where = fmt::format("behind the last group ({:.3f} s)", verdict.end_s);
  else if (finding.first_group == finding.last_group)
    where = fmt::format("group {} ({:.3f} s)", finding.first_group, verdict.time_s(finding.first_group));
  else
    where = fmt::format("groups {} to {} ({:.3f} to {:.3f} s)", finding.first_group, finding.last_group,
                        verdict.time_s(finding.first_group), verdict.time_s(finding.last_group));
  // Behind the last group of a seal without its end packets are no change.
  const bool open = !verdict.finished && finding.change == SealChange::appended;
  return where + ": " + (open ? "not sealed" : change_text(finding.change)) +
         (finding.text.empty() ? "" : ", " + finding.text);
}

}  // namespace vantage
