#include "core/seal/recording_seal.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace vantage {
namespace {

constexpr const char* kSealSchema = "vantage-seal-1";
constexpr size_t kTagDigits = 16;
constexpr const char* kGoesOn = "the seal goes on behind its end";

using nlohmann::json;
using nlohmann::ordered_json;

std::string now_utc() {
  return utc_time(static_cast<double>(utc_now_ns()) * 1e-9);
}

double rounded_us(double seconds) {
  return std::round(seconds * 1e6) * 1e-6;
}

ordered_json json_of(const DigestedStream& stream) {
  return {{"kind", stream.kind},
          {"codec", stream.codec},
          {"width_px", stream.width_px},
          {"height_px", stream.height_px},
          {"sample_rate", stream.sample_rate},
          {"channels", stream.channels},
          {"time_base", fmt::format("{}/{}", stream.tick_num, stream.tick_den)},
          {"extradata_sha256", stream.extradata_sha256}};
}

DigestedStream stream_of(const json& from) {
  DigestedStream stream;
  stream.kind = from.at("kind"), stream.codec = from.at("codec");
  stream.width_px = from.at("width_px"), stream.height_px = from.at("height_px");
  stream.sample_rate = from.at("sample_rate"), stream.channels = from.at("channels");
  const std::string base = from.at("time_base");
  const char *end = base.data() + base.size(), *slash = std::find(base.data(), end, '/');
  std::from_chars(base.data(), slash, stream.tick_num);
  if (slash != end) std::from_chars(slash + 1, end, stream.tick_den);
  stream.extradata_sha256 = from.at("extradata_sha256");
  return stream;
}

}  // namespace

std::filesystem::path seal_path(const std::filesystem::path& recording) {
  return recording.string() + std::string(kSealSuffix);
}

uint64_t tag_of(const PacketDigest& packet) {
  uint64_t tag = 0;
  for (size_t i = 0; i < sizeof tag; ++i) tag = tag << 8 | packet.sha256[i];
  return tag;
}

// ---- made

SealLines::SealLines(SealHead head, const SigningKey& key)
    : key_(key), tick_s_([&] {
        const DigestedStream& video = head.streams.at(static_cast<size_t>(head.video));
        return static_cast<double>(video.tick_num) / static_cast<double>(video.tick_den);
      }()) {
  ordered_json line = {{"schema", kSealSchema},
                       {"file", head.file},
                       {"made", head.made},
                       {"series", head.series},
                       {"part", head.part},
                       {"follows", head.follows.empty() ? ordered_json() : ordered_json(head.follows)},
                       {"video", head.video},
                       {"streams", ordered_json::array()},
                       {"utc", now_utc()},
                       {"program", VANTAGE_VERSION},
                       {"fingerprint", key.fingerprint()},
                       {"public_key", key.public_pem()}};
  for (const DigestedStream& stream : head.streams) line["streams"].push_back(json_of(stream));
  append(std::move(line));
  first_sha256_ = before_;
}

std::string SealLines::append(ordered_json line) {
  if (!before_.empty()) line["before"] = before_;
  std::string text = json_text(line) + "\n";
  before_ = sha256(text);
  lines_ += text;
  return text;
}

void SealLines::add(const PacketDigest& packet) {
  if ((packet.key && pictures_ > 0) || packets_ >= kMaxPackets) end_group();
  sum_.add(line_of(packet));
  tags_ += hex_of(packet.sha256).substr(0, kTagDigits);
  ++packets_, bytes_ += packet.bytes;
  if (!packet.picture) return;
  pictures_sum_.add(content_line_of(packet));
  ++pictures_;
  if (!time_s_ && packet.time) time_s_ = static_cast<double>(*packet.time) * tick_s_;
}

void SealLines::end_group() {
  if (packets_ == 0) return;
  const double time_s = rounded_us(time_s_.value_or(0));
  append({{"group", groups_},
          {"time_s", time_s},
          {"packets", packets_},
          {"bytes", bytes_},
          {"pictures", pictures_},
          {"sha256", hex_of(sum_.finish())},
          {"pictures_sha256", hex_of(pictures_sum_.finish())},
          {"tags", std::exchange(tags_, {})}});
  if (unsigned_++ == 0) signed_s_ = time_s;
  ++groups_, all_packets_ += packets_;
  packets_ = bytes_ = pictures_ = 0;
  time_s_.reset();
}

bool SealLines::due() const {
  constexpr int64_t kManyGroups = 250;  // a stream without times
  return unsigned_ > 0 &&
         (unsigned_ >= kManyGroups || (time_s_ && std::abs(*time_s_ - signed_s_) >= kSign_s));
}

Status SealLines::mark(const ordered_json& file) {
  const std::string marked = append({{"groups", groups_},
                                     {"packets", all_packets_},
                                     {"utc", now_utc()},
                                     {"complete", !file.is_null()},
                                     {"recorded", file}});
  VANTAGE_ASSIGN(const std::string signature, key_.sign(marked));
  append({{"signature", base64(signature)}});
  unsigned_ = 0;
  return {};
}

Status SealLines::sign() {
  return mark(nullptr);
}

Status SealLines::complete(const std::filesystem::path& file) {
  end_group();
  VANTAGE_ASSIGN(const std::string digest, sha256_of_file(file));
  std::error_code none;
  return mark({{"bytes", std::filesystem::file_size(file, none)}, {"sha256", digest}});
}

Result<int64_t> seal_recording(const std::filesystem::path& file, const SigningKey& key,
                               const StopSource& stop, const std::function<void(double)>& progress) {
  std::error_code none;
  const std::filesystem::path to = seal_path(file);
  if (std::filesystem::exists(to, none))
    return fail(ErrorKind::invalid_argument, "is sealed already", file.string(),
                "Verify it; a seal is never replaced.");
  VANTAGE_ASSIGN(const std::unique_ptr<PacketDigests> packets, PacketDigests::open(file, stop));
  SealHead head;
  head.file = file.filename().string(), head.made = "import", head.series = random_id(16);
  head.streams = packets->streams(), head.video = packets->video();
  SealLines lines(head, key);
  PacketDigest packet;
  for (;;) {
    VANTAGE_ASSIGN(const bool more, packets->next(&packet));
    if (!more) break;
    lines.add(packet);
    if (lines.due()) VANTAGE_TRY(lines.sign());
    if (progress && packet.key && packet.time) progress(packets->seconds(*packet.time));
  }
  VANTAGE_TRY(lines.complete(file));
  VANTAGE_TRY(write_file_atomically(to, lines.take()));
  return lines.groups();
}

// ---- read

namespace {

class SealReader {
 public:
  explicit SealReader(const std::filesystem::path& file) : file_(file) {}

  Result<Seal> read() {
    VANTAGE_ASSIGN(const std::string text, read_file(file_));
    if (text.empty())
      return fail(ErrorKind::bad_data, "is empty: the recording broke off before its first group",
                  file_.string(), "Nothing is known of the recording.");
    VANTAGE_TRY(read_lines(text));
    return std::move(seal_);
  }

 private:
  void fault(int64_t group, std::string text) {
    if (!seal_.faults.empty() && seal_.faults.back().group == group) return;
    seal_.faults.push_back({group, std::move(text)});
  }

  Status read_lines(const std::string& text) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin);
      const std::string line = text.substr(begin, end == std::string::npos ? end : end + 1 - begin);
      json parsed = end == std::string::npos ? json(json::value_t::discarded) : parse_json(line);
      if (begin == 0) {
        VANTAGE_TRY(read_head(line, parsed));
      } else if (!parsed.is_object()) {
        // What a loss of power left: nothing behind it is a line.
        if (!holds_lines(text, end)) {
          seal_.torn_bytes = static_cast<int64_t>(text.size() - begin);
          if (seal_.complete) fault(expected_, kGoesOn);
          return {};
        }
        damaged();
      } else {
        read_line(parsed);
      }
      seal_.last_sha256 = sha256(line);
      former_ = line;
      begin = end == std::string::npos ? text.size() : end + 1;
    }
    return {};
  }

  static bool holds_lines(const std::string& text, size_t from) {
    for (size_t begin = from; begin != std::string::npos && begin < text.size();) {
      const size_t end = text.find('\n', begin);
      if (end == std::string::npos) return false;
      if (parse_json(text.substr(begin, end - begin)).is_object()) return true;
      begin = end + 1;
    }
    return false;
  }

  Status read_head(const std::string& line, const json& parsed) {
    const auto damaged_head = [&] {
      return fail(ErrorKind::bad_data, "is not the seal of a recording", file_.string(),
                  "It was changed or is damaged: nothing is known of the recording.");
    };
    try {
      const std::string schema = parsed.at("schema");
      if (schema != kSealSchema && schema.starts_with("vantage-seal-"))
        return fail(ErrorKind::unsupported, "is of a newer version of Vantage", file_.string(),
                    "Verify it with that version.");
      if (schema != kSealSchema) return damaged_head();
      SealHead& head = seal_.head;
      head.file = parsed.at("file"), head.made = parsed.at("made"), head.series = parsed.at("series");
      head.part = parsed.at("part"), head.video = parsed.at("video");
      if (!parsed.at("follows").is_null()) head.follows = parsed.at("follows");
      for (const json& stream : parsed.at("streams")) head.streams.push_back(stream_of(stream));
      if (head.video < 0 || static_cast<size_t>(head.video) >= head.streams.size()) return damaged_head();
      head.utc = parsed.at("utc"), head.program = parsed.at("program");
      seal_.public_pem = parsed.at("public_key");
      const Result<std::string> fingerprint = fingerprint_of(seal_.public_pem);
      if (!fingerprint) return damaged_head();
      seal_.fingerprint = *fingerprint;
      if (parsed.at("fingerprint") != seal_.fingerprint)
        fault(0, "the seal's first line names another key than it holds");
    } catch (const json::exception&) {
      return damaged_head();
    }
    seal_.first_sha256 = sha256(line);
    return {};
  }

  void damaged() {
    damaged_line_ = ++line_;
    fault(expected_, fmt::format("line {} of the seal cannot be read", line_ + 1));
  }

  void read_line(const json& parsed) {
    ++line_;
    try {
      const bool continues = parsed.at("before") == seal_.last_sha256;
      if (parsed.contains("group"))
        read_group(parsed, continues);
      else if (parsed.contains("groups"))
        read_mark(parsed, continues);
      else
        read_signature(parsed, continues);
    } catch (const json::exception&) {
      fault(expected_, fmt::format("line {} of the seal is not as seals have it", line_ + 1));
    }
  }

  // The line before was changed; where it does not continue its own one either, it alone.
  void broken_chain() {
    if (line_ == damaged_line_ + 1) return;
    if (line_ == broken_line_ + 1 && !seal_.faults.empty()) seal_.faults.pop_back();
    broken_line_ = line_;
    fault(std::max<int64_t>(0, expected_ - 1),
          fmt::format("line {} of the seal was changed: the one behind it states another hash", line_));
  }

  void read_group(const json& parsed, bool continues) {
    const int64_t number = parsed.at("group");
    SealedGroup group;
    group.time_s = parsed.at("time_s"), group.bytes = parsed.at("bytes");
    group.pictures = parsed.at("pictures");
    group.sha256 = parsed.at("sha256"), group.pictures_sha256 = parsed.at("pictures_sha256");
    const std::string tags = parsed.at("tags");
    for (size_t at = 0; at + kTagDigits <= tags.size(); at += kTagDigits) {
      uint64_t tag = 0;
      std::from_chars(tags.data() + at, tags.data() + at + kTagDigits, tag, 16);
      group.tags.push_back(tag);
    }
    group.packets = static_cast<int64_t>(group.tags.size());
    if (seal_.complete) fault(expected_, kGoesOn);
    if (continues && number != expected_)
      fault(expected_, fmt::format("line {} of the seal has another number than its place", line_ + 1));
    else if (!continues && number == expected_)
      broken_chain();
    else if (!continues)
      fault(std::min(number, expected_),
            fmt::format("lines of the seal are missing, repeated or in another order at line {}", line_ + 1));
    if (group.packets < 1 || parsed.at("packets") != group.packets)
      fault(expected_, fmt::format("line {} of the seal contradicts itself", line_ + 1));
    if (!continues && number < expected_) return;  // repeated: no other group
    if (!continues && number - expected_ < kMaxGap) seal_.groups.resize(static_cast<size_t>(number));
    seal_.groups.push_back(std::move(group));
    expected_ = static_cast<int64_t>(seal_.groups.size());
  }

  void read_mark(const json& parsed, bool continues) {
    if (!continues && parsed.at("groups") == expected_) broken_chain();
    if (parsed.at("groups") != expected_)
      fault(expected_, "the seal has another number of groups than it states");
    marked_end_ = parsed.at("complete");
    marked_utc_ = parsed.at("utc");
    if (marked_end_) seal_.file_sha256 = parsed.at("recorded").at("sha256");
  }

  void read_signature(const json& parsed, bool continues) {
    if (!continues) broken_chain();
    const Result<std::string> signature = base64_bytes(parsed.at("signature"));
    const Result<bool> valid =
        signature ? verify_signature(seal_.public_pem, former_, *signature) : Result<bool>(false);
    if (!valid || !*valid)
      return fault(
          std::max<int64_t>(0, expected_ - 1),
          fmt::format("line {} of the seal is not a signature of the line before by its key", line_ + 1));
    seal_.signed_groups = expected_;
    seal_.signed_utc = marked_utc_;
    seal_.complete = marked_end_;
  }

  static constexpr int64_t kMaxGap = 1 << 16;
  const std::filesystem::path file_;
  Seal seal_;
  std::string former_, marked_utc_;
  bool marked_end_ = false;
  int64_t expected_ = 0;       // number of the next group
  int64_t line_ = 0;           // from 0
  int64_t broken_line_ = -2;   // the last that does not continue the one before
  int64_t damaged_line_ = -2;  // the last that cannot be read
};

}  // namespace

Result<Seal> read_seal(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none))
    return fail(ErrorKind::not_found, "there is no seal", file.string(),
                "Only what was sealed can be verified: `vantage-cli seal` seals from now on.");
  return SealReader(file).read();
}

}  // namespace vantage
