// Reads an ONNX file's description: inputs, outputs and metadata, without weights. The file is the
// protocol-buffer encoding of onnx.proto (ModelProto), of which some fields are read.
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
  std::vector<int64_t> dimensions;  // -1: any
};

// Input by which RT-DETR and D-FINE take the width and height for which they scale their boxes.
inline constexpr std::string_view kSizeInput = "orig_target_sizes";

struct OnnxModel {
  std::vector<OnnxValue> inputs, outputs;  // without weights, which may also be listed as inputs
  std::map<std::string, std::string> metadata;

  bool takes_size() const;
  const OnnxValue& picture() const;  // the first other input
};

// bad_data where the bytes are not an ONNX model.
Result<OnnxModel> describe_onnx(std::string_view bytes, const std::string& where);

// The same model with the sizes of its input `name` fixed to `shape`. `bytes`: accepted by describe_onnx();
// unchanged where the input states no dimensions.
std::string with_input_shape(std::string_view bytes, const std::string& name,
                             const std::vector<int64_t>& shape);

}  // namespace vantage
