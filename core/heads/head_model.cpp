#include "core/heads/head_model.h"

#include <cstring>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/heads/head_window.h"

extern "C" {
extern const char vantage_head_model_begin[];
extern const char vantage_head_model_end[];
}
// The file becomes part of the program, so that it is there wherever the program is.
asm(".section .rodata\n"
    ".balign 16\n"
    ".global vantage_head_model_begin\n"
    ".global vantage_head_model_end\n"
    "vantage_head_model_begin:\n"
    ".incbin \"" VANTAGE_HEAD_MODEL
    "\"\n"
    "vantage_head_model_end:\n"
    ".byte 0\n"
    ".previous\n");

namespace vantage {
namespace {

constexpr std::string_view kMagic = "VANTAGE HEADS 1\n";
constexpr size_t kMaxText = 1 << 16;

// Little-endian numbers, as every machine this is built for stores them.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <typename T>
  bool number(T* value) {
    if (bytes_.size() < sizeof(T)) return false;
    std::memcpy(value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return true;
  }
  bool text(size_t size, std::string_view* value) {
    if (bytes_.size() < size) return false;
    *value = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return true;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

template <typename T>
void append(T value, std::string* to) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  to->append(bytes, sizeof(T));
}

bool read_weak(Reader& reader, WeakHeadClassifier* weak) {
  uint8_t block = 0;
  std::string_view table;
  if (!reader.number(&block) || !reader.number(&weak->x) || !reader.number(&weak->y) ||
      !reader.number(&weak->reject_below) || !reader.text(weak->table.size(), &table))
    return false;
  std::memcpy(weak->table.data(), table.data(), table.size());
  for (int i = 0; i < kHeadBlockCount; ++i)
    if (kHeadBlocks[i] == block) {
      weak->block = static_cast<uint8_t>(i);
      return weak->x + 3 * block <= kHeadWindow && weak->y + 3 * block <= kHeadWindow;
    }
  return false;
}

bool read_model(Reader& reader, HeadModel* model) {
  uint32_t text_bytes = 0, weak_count = 0;
  std::string_view text;
  if (!reader.number(&text_bytes) || text_bytes > kMaxText || !reader.text(text_bytes, &text)) return false;
  model->description = text;
  if (!reader.number(&model->score_unit) || !(model->score_unit > 0 && model->score_unit < 1e3f))
    return false;
  if (!reader.number(&model->accept_from) || !reader.number(&model->head_from) || !reader.number(&weak_count))
    return false;
  if (weak_count < 1 || weak_count > kMaxWeakClassifiers) return false;
  model->weak.resize(weak_count);
  for (WeakHeadClassifier& weak : model->weak)
    if (!read_weak(reader, &weak)) return false;
  return reader.at_end();
}

}  // namespace

Result<HeadModel> parse_head_model(std::string_view bytes, const std::string& source) {
  constexpr size_t kSum = sizeof(uint64_t);
  if (!bytes.starts_with(kMagic))
    return fail(ErrorKind::bad_data, "is not a head model of version 1", source,
                "Make one with vantage-cli train-heads.");
  const auto damaged = [&] {
    return fail(ErrorKind::bad_data, "the head model is damaged", source,
                "Make it again with vantage-cli train-heads.");
  };
  if (bytes.size() < kMagic.size() + kSum) return damaged();
  const std::string_view content = bytes.substr(0, bytes.size() - kSum);
  uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + content.size(), kSum);
  if (sum != Hasher().bytes(content.data(), content.size()).value()) return damaged();
  Reader reader(content.substr(kMagic.size()));
  HeadModel model;
  if (!read_model(reader, &model)) return damaged();
  return model;
}

std::string serialize_head_model(const HeadModel& model) {
  std::string bytes(kMagic);
  append(static_cast<uint32_t>(model.description.size()), &bytes);
  bytes += model.description;
  append(model.score_unit, &bytes);
  append(model.accept_from, &bytes);
  append(model.head_from, &bytes);
  append(static_cast<uint32_t>(model.weak.size()), &bytes);
  for (const WeakHeadClassifier& weak : model.weak) {
    append(static_cast<uint8_t>(kHeadBlocks[weak.block]), &bytes);
    append(weak.x, &bytes);
    append(weak.y, &bytes);
    append(weak.reject_below, &bytes);
    bytes.append(reinterpret_cast<const char*>(weak.table.data()), weak.table.size());
  }
  append(Hasher().bytes(bytes.data(), bytes.size()).value(), &bytes);
  return bytes;
}

Result<HeadModel> read_head_model(const std::filesystem::path& path) {
  VANTAGE_ASSIGN(const std::string bytes, read_file(path));
  return parse_head_model(bytes, path.string());
}

Status write_head_model(const std::filesystem::path& path, const HeadModel& model) {
  return write_file_atomically(path, serialize_head_model(model));
}

std::shared_ptr<const HeadModel> built_in_head_model() {
  static const std::shared_ptr<const HeadModel> model = [] {
    const std::string_view bytes(vantage_head_model_begin,
                                 static_cast<size_t>(vantage_head_model_end - vantage_head_model_begin));
    return std::make_shared<const HeadModel>(parse_head_model(bytes, "resources/heads.model").value());
  }();
  return model;
}

}  // namespace vantage
