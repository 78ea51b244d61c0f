// What a detector's model puts out, which its file decides: shapes and values of any kind. The input's size
// is 64 x 64, whose heads have 84 (strides 8, 16, 32) or 85 cells (and 64).
#include <bit>
#include <cstring>

#include "core/detections/families/family.h"
#include "tests/fuzz/target.h"

using namespace vantage;
using namespace vantage::detections_detail;

namespace {

constexpr int64_t kMaxValues = 1 << 16;

class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint8_t next() { return at_ < size_ ? data_[at_++] : uint8_t{0}; }
  // Small numbers, and those that the families look for.
  int64_t length() {
    constexpr int64_t kKnown[] = {84, 85, 64, 16, 4, 1, 80, 91, 92, 32, 8, 2, 6, 7, 5, 0};
    const uint8_t byte = next();
    return byte < 16 ? kKnown[byte] : byte % 100;
  }
  float value() {
    const uint8_t byte = next();
    if (byte < 250) return static_cast<float>(byte) / 25 - 4;
    uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 8 | next();
    return std::bit_cast<float>(bits);
  }
  bool over() const { return at_ >= size_; }

 private:
  const uint8_t* data_;
  size_t size_, at_ = 0;
};

// As an engine gives them: as many values as the shape says.
Tensor tensor_of(Bytes& bytes) {
  Tensor tensor;
  int64_t count = 1;
  for (int dimensions = bytes.next() % 5; dimensions > 0; --dimensions) {
    tensor.shape.push_back(bytes.length());
    count *= tensor.shape.back();
  }
  if (count > kMaxValues) return {};
  const float first = bytes.value();
  tensor.values.assign(static_cast<size_t>(count), first);
  for (int64_t i = 0; i < std::min<int64_t>(count, 64) && !bytes.over(); ++i)
    tensor.values[i] = bytes.value();
  return tensor;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  std::vector<Tensor> outputs;
  for (int count = bytes.next() % 8; count > 0; --count) outputs.push_back(tensor_of(bytes));
  constexpr const char* kNames[] = {"", "labels", "boxes", "scores", "dets", "masks"};
  for (Tensor& output : outputs) output.name = kNames[bytes.next() % std::size(kNames)];
  const InputSize input{64, 64};
  constexpr float kMinScore = 0.05f;
  for (const Family* family : {&kRtmDet, &kYoloX, &kNanoDet, &kRfDetr, &kDFine, &kDetr, &kRtmo}) {
    if (!family->recognise(outputs, input)) continue;
    const std::vector<Detection> boxes = family->decode(outputs, input, kMinScore);
    for (const Detection& found : boxes)
      fuzz::hold(found.score >= kMinScore, "boxes have the score that was asked for");
    if (family->joints)
      fuzz::hold(family->joints(outputs, kMinScore).size() == boxes.size(), "every box has its joints");
  }
  return 0;
}
