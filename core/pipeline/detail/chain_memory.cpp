#include "core/pipeline/detail/chain_memory.h"

#include "core/base/byte_stream.h"
#include "core/base/hash.h"

namespace vantage::pipeline_detail {
namespace {

constexpr std::string_view kMemoryMark = "vantage stage memory\n";
constexpr uint32_t kFormat = 2;

uint64_t checksum(std::string_view bytes) {
  return Hasher().bytes(bytes.data(), bytes.size()).value();
}

// The content behind mark, format and checksum.
Result<std::string_view> checked_content(std::string_view bytes) {
  if (!bytes.starts_with(kMemoryMark))
    return fail(ErrorKind::bad_data, "this is not a memory of stages", "state", "Run the task before again.");
  ByteReader head(bytes.substr(kMemoryMark.size()));
  const auto format = head.take<uint32_t>();
  if (!head.damaged() && format != kFormat)
    return fail(ErrorKind::bad_data,
                "the memory of stages has format " + std::to_string(format) + ", this program reads " +
                    std::to_string(kFormat),
                "state", "Run all tasks with one version of the program.");
  const auto sum = head.take<uint64_t>();
  const std::string_view content = head.take_text();
  if (head.finish() && sum == checksum(content)) return content;
  return fail(ErrorKind::bad_data, "the memory of stages is damaged", "state", "Run the task before again.");
}

Status read_stage(ByteReader* from, int64_t frame, ChainStage* entry) {
  const std::string_view name = from->take_text();
  const auto version = from->take<uint64_t>();
  const std::string_view memory = from->take_text();
  if (from->damaged() || name != entry->name)
    return fail(ErrorKind::invalid_argument, "the memory is of a chain of other stages", entry->name);
  if (version != entry->version)
    return fail(ErrorKind::invalid_argument,
                "the memory was made with other parameters, cameras, inputs or another device", entry->name,
                "Run all tasks of a recording with the same ones.");
  ByteReader bytes(memory);
  entry->position.known = false;
  Status read = entry->stage->read_memory(&bytes);
  if (read) read = bytes.finish();
  if (!read) {
    Error error = read.error();
    error.where = entry->name + (error.where.empty() ? "" : ", " + error.where);
    return fail(std::move(error));
  }
  entry->position = {true, frame, entry->version, true};
  return {};
}

}  // namespace

Result<std::string> write_memory(const Chain& chain, int64_t frame) {
  ByteWriter content;
  content.add(frame);
  for (const ChainStage& entry : chain.stages) {
    if (!entry.has_memory) continue;
    if (!entry.position.is(entry.version, frame))
      return fail(ErrorKind::invalid_argument, "the stage does not stand at the frame", entry.name,
                  "Frame " + std::to_string(frame) + " must be the last that was analysed.");
    ByteWriter memory;
    VANTAGE_TRY(entry.stage->write_memory(&memory));
    content.add(entry.name).add(entry.version).add(memory.bytes());
  }
  ByteWriter whole;
  whole.raw(kMemoryMark.data(), kMemoryMark.size())
      .add(kFormat)
      .add(checksum(content.bytes()))
      .add(content.bytes());
  return whole.take();
}

Status read_memory(std::string_view bytes, int64_t frame, Chain* chain) {
  VANTAGE_ASSIGN(const std::string_view content, checked_content(bytes));
  ByteReader from(content);
  if (const auto of = from.take<int64_t>(); of != frame)
    return fail(ErrorKind::invalid_argument,
                "the memory is that after frame " + std::to_string(of) + ", not " + std::to_string(frame));
  for (ChainStage& entry : chain->stages)
    if (entry.has_memory) VANTAGE_TRY(read_stage(&from, frame, &entry));
  return from.finish();
}

}  // namespace vantage::pipeline_detail
