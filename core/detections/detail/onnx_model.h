// An ONNX file's own description: its inputs, outputs and metadata; weights are not read. The file
// format is the protocol-buffer encoding of onnx.proto (ModelProto), of which some fields are read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace vantage {

struct OnnxValue {
  std::string name;
  std::vector<int64_t> dimensions;  // -1: left free
};

struct OnnxModel {
  std::vector<OnnxValue> inputs, outputs;  // weights that are also listed as inputs are left out
  std::map<std::string, std::string> metadata;
};

// bad_data where the bytes are no ONNX model.
Result<OnnxModel> describe_onnx(std::string_view bytes, const std::string& where);

// The same model with the sizes of its input `name` fixed to `shape`; all else as it was. For what
// describe_onnx() took: unchanged where the input states no dimensions at all.
std::string with_input_shape(std::string_view bytes, const std::string& name,
                             const std::vector<int64_t>& shape);

}  // namespace vantage
