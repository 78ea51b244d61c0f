#include "core/detections/detail/onnx_model.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/base/protobuf.h"

namespace vantage {
namespace {

// Field numbers of onnx.proto.
constexpr uint32_t kModelGraph = 7, kModelMetadata = 14;
constexpr uint32_t kGraphInitializer = 5, kGraphInput = 11, kGraphOutput = 12;
constexpr uint32_t kTensorName = 8, kValueName = 1, kValueType = 2, kTypeTensor = 1, kTensorShape = 2;
constexpr uint32_t kShapeDimension = 1, kDimensionValue = 1, kEntryKey = 1, kEntryValue = 2;

// Iterates over the fields of one message. Fields beyond the end are errors; nothing is read beyond it.
class Message {
 public:
  explicit Message(std::string_view bytes) : bytes_(bytes) {}
  struct Field {
    uint32_t number = 0;
    uint64_t value = 0;      // a varint's value
    std::string_view bytes;  // a text or message
  };
  // False at the end or after an error.
  bool next(Field* field) {
    if (bytes_.empty()) return false;
    const uint64_t tag = varint();
    *field = {static_cast<uint32_t>(tag >> 3), 0, {}};
    switch (tag & 7) {
      case 0:
        field->value = varint();
        break;
      case 1:
        field->bytes = take(8);
        break;
      case 2:
        field->bytes = take(varint());
        break;
      case 5:
        field->bytes = take(4);
        break;
      default:
        whole_ = false;
    }
    return whole_;
  }
  bool whole() const { return whole_; }
  size_t left() const { return bytes_.size(); }

 private:
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) break;
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    whole_ = false;
    return 0;
  }
  std::string_view take(uint64_t count) {
    if (count > bytes_.size()) {
      whole_ = false;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::string_view bytes_;
  bool whole_ = true;
};

template <typename Function>
bool for_each_field(std::string_view bytes, const Function& function) {
  Message message(bytes);
  Message::Field field;
  while (message.next(&field)) function(field);
  return message.whole();
}

// The bytes of the first field of that number.
std::string_view field_of(std::string_view bytes, uint32_t number) {
  std::string_view found;
  for_each_field(bytes, [&](const Message::Field& field) {
    if (field.number == number && found.empty()) found = field.bytes;
  });
  return found;
}

OnnxValue value_of(std::string_view bytes) {
  OnnxValue value;
  value.name = field_of(bytes, kValueName);
  const std::string_view shape = field_of(field_of(field_of(bytes, kValueType), kTypeTensor), kTensorShape);
  for_each_field(shape, [&](const Message::Field& dimension) {
    if (dimension.number != kShapeDimension) return;
    int64_t size = -1;
    for_each_field(dimension.bytes, [&](const Message::Field& field) {
      if (field.number == kDimensionValue && field.bytes.data() == nullptr)
        size = static_cast<int64_t>(field.value);
    });
    value.dimensions.push_back(size > 0 ? size : -1);
  });
  return value;
}

// The message with each field of that number replaced by `change` of its bytes.
template <typename Change>
std::string with_changed(std::string_view bytes, uint32_t number, const Change& change) {
  ProtobufMessage out;
  Message message(bytes);
  Message::Field field;
  for (size_t before = message.left(); message.next(&field); before = message.left()) {
    if (field.number == number && field.bytes.data() != nullptr)
      out.bytes(number, change(field.bytes));
    else
      out.raw(bytes.substr(bytes.size() - before, before - message.left()));
  }
  return out.text();
}

std::string shape_message(const std::vector<int64_t>& shape) {
  ProtobufMessage message;
  for (const int64_t size : shape)
    message.bytes(kShapeDimension, ProtobufMessage().varint(kDimensionValue, static_cast<uint64_t>(size)));
  return message.text();
}

}  // namespace

bool OnnxModel::takes_size() const {
  return inputs.size() == 2 && std::ranges::count(inputs, kSizeInput, &OnnxValue::name) == 1;
}

const OnnxValue& OnnxModel::picture() const {
  return takes_size() && inputs.front().name == kSizeInput ? inputs.back() : inputs.front();
}

std::string with_input_shape(std::string_view bytes, const std::string& name,
                             const std::vector<int64_t>& shape) {
  const auto typed = [&](std::string_view type) {
    return with_changed(type, kTypeTensor, [&](std::string_view tensor) {
      return with_changed(tensor, kTensorShape, [&](std::string_view) { return shape_message(shape); });
    });
  };
  return with_changed(bytes, kModelGraph, [&](std::string_view graph) {
    return with_changed(graph, kGraphInput, [&](std::string_view input) {
      if (field_of(input, kValueName) != name) return std::string(input);
      return with_changed(input, kValueType, typed);
    });
  });
}

Result<OnnxModel> describe_onnx(std::string_view bytes, const std::string& where) {
  OnnxModel model;
  std::string_view graph;
  const bool whole = for_each_field(bytes, [&](const Message::Field& field) {
    if (field.number == kModelGraph) graph = field.bytes;
    if (field.number == kModelMetadata)
      model.metadata[std::string(field_of(field.bytes, kEntryKey))] = field_of(field.bytes, kEntryValue);
  });
  std::set<std::string, std::less<>> weights;
  const bool graph_whole = for_each_field(graph, [&](const Message::Field& field) {
    if (field.number == kGraphInitializer) weights.emplace(field_of(field.bytes, kTensorName));
    if (field.number == kGraphInput) model.inputs.push_back(value_of(field.bytes));
    if (field.number == kGraphOutput) model.outputs.push_back(value_of(field.bytes));
  });
  std::erase_if(model.inputs, [&](const OnnxValue& input) { return weights.contains(input.name); });
  if (!whole || !graph_whole || model.inputs.empty() || model.outputs.empty())
    return fail(ErrorKind::bad_data, "is not a complete ONNX model", where,
                "Give the .onnx file of a detector; if it is truncated, download it again.");
  return model;
}

}  // namespace vantage
