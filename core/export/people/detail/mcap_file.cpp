#include "core/export/people/detail/mcap_file.h"

#include <zlib.h>

namespace vantage::people_export_detail {
namespace {

constexpr std::string_view kMagic("\x89MCAP0\r\n", 8);
constexpr size_t kChunk_bytes = size_t{4} << 20;

enum Record : uint8_t {
  kHeader = 1,
  kFooter = 2,
  kSchema = 3,
  kChannel = 4,
  kMessage = 5,
  kChunk = 6,
  kMessageIndex = 7,
  kChunkIndex = 8,
  kStatistics = 11,
  kSummaryOffset = 14,
  kDataEnd = 15
};

uint32_t checksum_of(uint32_t before, std::string_view bytes) {
  return static_cast<uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// A text, map or list: its length in bytes, then these.
void add_sized(ByteWriter* writer, std::string_view bytes) {
  writer->add(static_cast<uint32_t>(bytes.size())).raw(bytes.data(), bytes.size());
}

std::string record(Record kind, const ByteWriter& content) {
  ByteWriter bytes;
  bytes.add(static_cast<uint8_t>(kind)).add(std::string_view(content.bytes()));
  return bytes.take();
}

}  // namespace

Result<McapFile> McapFile::create(const std::filesystem::path& file) {
  VANTAGE_ASSIGN(project_detail::PartFile part, project_detail::PartFile::open(file));
  McapFile mcap(std::move(part));
  ByteWriter header;
  add_sized(&header, "");  // no profile
  add_sized(&header, "Vantage " VANTAGE_VERSION);
  VANTAGE_TRY(mcap.write(kMagic));
  VANTAGE_TRY(mcap.write(record(kHeader, header)));
  return mcap;
}

Status McapFile::write(std::string_view bytes) {
  checksum_ = checksum_of(checksum_, bytes);
  written_ += bytes.size();
  return file_.write(bytes);
}

Result<uint16_t> McapFile::add_channel(const std::string& topic, const std::string& schema,
                                       const std::string& descriptors) {
  const auto [number, added] =
      schema_number_.try_emplace(schema, static_cast<uint16_t>(schema_number_.size() + 1));
  if (added) {
    ByteWriter content;
    content.add(number->second);
    for (const std::string& text : {schema, std::string("protobuf"), descriptors}) add_sized(&content, text);
    schemas_[schema] = record(kSchema, content);
    VANTAGE_TRY(write(schemas_[schema]));
  }
  ByteWriter content;
  const auto channel = static_cast<uint16_t>(channels_.size() + 1);
  content.add(channel).add(number->second);
  for (const std::string_view text :
       {std::string_view(topic), std::string_view("protobuf"), std::string_view()})
    add_sized(&content, text);
  channels_.push_back({channel, record(kChannel, content)});
  VANTAGE_TRY(write(channels_.back().record));
  return channel;
}

Status McapFile::add(uint16_t channel, int64_t time_ns, std::string_view message) {
  Channel& of = channels_[channel - 1];
  const auto time = static_cast<uint64_t>(time_ns);
  ByteWriter content;
  content.add(channel).add(of.messages++).add(time).add(time).raw(message.data(), message.size());
  chunk_.index[channel].emplace_back(time, chunk_.records.size());
  chunk_.records += record(kMessage, content);
  chunk_.times.add(time), times_.add(time);
  return chunk_.records.size() < kChunk_bytes ? Status() : write_chunk();
}

Status McapFile::write_chunk() {
  if (chunk_.records.empty()) return {};
  const Chunk chunk = std::exchange(chunk_, {});
  const uint64_t begin = written_, size = chunk.records.size();
  ByteWriter content;
  content.add(chunk.times.first).add(chunk.times.last).add(size).add(checksum_of(0, chunk.records));
  add_sized(&content, "");  // no compression
  content.add(std::string_view(chunk.records));
  VANTAGE_TRY(write(record(kChunk, content)));
  const uint64_t end = written_;
  ByteWriter offsets;
  for (const auto& [channel, messages] : chunk.index) {
    offsets.add(channel).add(written_);
    ByteWriter entries, index;
    for (const auto& [time, offset] : messages) entries.add(time).add(offset);
    index.add(channel);
    add_sized(&index, entries.bytes());
    VANTAGE_TRY(write(record(kMessageIndex, index)));
  }
  ByteWriter index;
  index.add(chunk.times.first).add(chunk.times.last).add(begin).add(end - begin);
  add_sized(&index, offsets.bytes());
  index.add(written_ - end);
  add_sized(&index, "");
  index.add(size).add(size);
  chunk_indexes_.push_back(record(kChunkIndex, index));
  return {};
}

std::string McapFile::statistics() const {
  uint64_t messages = 0;
  ByteWriter counts;
  for (const Channel& channel : channels_) {
    messages += channel.messages;
    counts.add(channel.number).add(uint64_t{channel.messages});
  }
  ByteWriter content;
  content.add(messages)
      .add(static_cast<uint16_t>(schemas_.size()))
      .add(static_cast<uint32_t>(channels_.size()))
      .add(uint32_t{0})  // attachments
      .add(uint32_t{0})  // metadata
      .add(static_cast<uint32_t>(chunk_indexes_.size()))
      .add(messages > 0 ? times_.first : uint64_t{0})
      .add(times_.last);
  add_sized(&content, counts.bytes());
  return record(kStatistics, content);
}

// The summary repeats schemas and channels, so that a reader needs nothing but the end of the file.
Status McapFile::finish() {
  VANTAGE_TRY(write_chunk());
  VANTAGE_TRY(write(record(kDataEnd, ByteWriter().add(checksum_))));
  std::string schemas, channels, chunks;
  for (const auto& [name, schema] : schemas_) schemas += schema;
  for (const Channel& channel : channels_) channels += channel.record;
  for (const std::string& index : chunk_indexes_) chunks += index;
  const uint64_t summary = written_;
  checksum_ = 0;
  std::string offsets;
  for (const auto& [kind, group] : {std::pair(kSchema, schemas),
                                    {kChannel, channels},
                                    {kStatistics, statistics()},
                                    {kChunkIndex, chunks}}) {
    if (group.empty()) continue;
    offsets += record(kSummaryOffset,
                      ByteWriter().add(static_cast<uint8_t>(kind)).add(written_).add(uint64_t{group.size()}));
    VANTAGE_TRY(write(group));
  }
  const uint64_t summary_offsets = written_;
  VANTAGE_TRY(write(offsets));
  // The footer's checksum is of everything from the summary up to itself.
  ByteWriter footer;
  constexpr uint64_t kFooter_bytes = 8 + 8 + 4;
  footer.add(static_cast<uint8_t>(kFooter)).add(kFooter_bytes).add(summary).add(summary_offsets);
  VANTAGE_TRY(write(footer.bytes()));
  VANTAGE_TRY(write(ByteWriter().add(checksum_).bytes()));
  VANTAGE_TRY(write(kMagic));
  return file_.complete();
}

}  // namespace vantage::people_export_detail
