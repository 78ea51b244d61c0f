// An MCAP file (mcap.dev/spec, major version 0) as it is written: messages in chunks without compression, an
// index of each chunk, checksums, and a summary at the end. Private to core/export/people.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/byte_stream.h"
#include "core/base/result.h"
#include "core/results/finalized_lines.h"

namespace vantage::people_export_detail {

class McapFile {
 public:
  // The file has its name only once it is finished. Errors: io, as for the other functions.
  static Result<McapFile> create(const std::filesystem::path& file);

  // Messages in Protocol Buffers' encoding; `schema`: the message's full name, described by
  // `descriptors`, a FileDescriptorSet.
  Result<uint16_t> add_channel(const std::string& topic, const std::string& schema,
                               const std::string& descriptors);
  // Times of a file may descend.
  Status add(uint16_t channel, int64_t time_ns, std::string_view message);
  Status finish();
  void drop() { file_.drop(); }  // removes what was written; nothing is written after it

 private:
  struct Channel {
    uint16_t number = 0;
    std::string record;  // as it is in the file
    uint32_t messages = 0;
  };
  struct Times {
    uint64_t first = UINT64_MAX, last = 0;
    void add(uint64_t time) { first = std::min(first, time), last = std::max(last, time); }
  };
  struct Chunk {
    Times times;
    std::string records;
    std::map<uint16_t, std::vector<std::pair<uint64_t, uint64_t>>> index;  // times and offsets by channel
  };

  explicit McapFile(project_detail::PartFile file) : file_(std::move(file)) {}
  Status write(std::string_view bytes);
  Status write_chunk();
  std::string statistics() const;

  project_detail::PartFile file_;
  uint64_t written_ = 0;
  uint32_t checksum_ = 0;                          // of everything so far
  std::map<std::string, std::string> schemas_;     // records by name
  std::map<std::string, uint16_t> schema_number_;  // by name
  std::vector<Channel> channels_;
  Chunk chunk_;
  Times times_;
  std::vector<std::string> chunk_indexes_;
};

}  // namespace vantage::people_export_detail
