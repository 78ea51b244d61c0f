// ONNX models of a few layers, whose outputs follow from the picture in a way that a test can foresee.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/protobuf.h"

namespace vantage::test {

// Nodes, tensors and values of onnx.proto.
inline ProtobufMessage node(const char* kind, const std::vector<std::string>& inputs,
                            const std::string& output) {
  ProtobufMessage message;
  for (const std::string& input : inputs) message.bytes(1, input);
  return message.bytes(2, output).bytes(4, kind);
}
inline ProtobufMessage cast(const std::string& input, const std::string& output, uint64_t type) {
  return node("Cast", {input}, output)
      .bytes(5, ProtobufMessage().bytes(1, "to").varint(3, type).varint(20, 2));
}
inline constexpr uint64_t kFloats = 1, kIntegers = 7;
template <typename T>
ProtobufMessage weights(const char* name, uint64_t type, std::vector<uint64_t> shape, std::vector<T> values) {
  ProtobufMessage message;
  for (const uint64_t size : shape) message.varint(1, size);
  return message.varint(2, type).bytes(8, name).bytes(
      9, std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
}
inline ProtobufMessage value(const std::string& name, uint64_t type, std::vector<uint64_t> shape) {
  ProtobufMessage sizes;
  for (const uint64_t size : shape) sizes.bytes(1, ProtobufMessage().varint(1, size));
  return ProtobufMessage().bytes(1, name).bytes(
      2, ProtobufMessage().bytes(1, ProtobufMessage().varint(1, type).bytes(2, sizes)));
}

// As D-FINE is exported: boxes are shares of the size that it is given, the score is the picture's red.
inline std::string d_fine_model(const std::string& scores) {
  ProtobufMessage graph;
  for (const ProtobufMessage& one :
       {cast("orig_target_sizes", "size", kFloats), node("MatMul", {"size", "shares"}, "corners"),
        node("Reshape", {"corners", "rows"}, "boxes"), node("GlobalAveragePool", {"images"}, "means"),
        node("Flatten", {"means"}, "colour"), node("MatMul", {"colour", "red"}, scores),
        node("MatMul", {"colour", "none"}, "zeros"), node("Add", {"zeros", "classes"}, "real_labels"),
        cast("real_labels", "labels", kIntegers)})
    graph.bytes(1, one);
  graph.bytes(2, "detector");
  graph.bytes(5, weights<float>("shares", kFloats, {2, 8},
                                {0.25F, 0, 0.75F, 0, 0, 0, 1, 0, 0, 0.5F, 0, 0.875F, 0, 0, 0, 1}));
  graph.bytes(5, weights<int64_t>("rows", kIntegers, {3}, {1, 2, 4}));
  graph.bytes(5, weights<float>("red", kFloats, {3, 2}, {1, 0.5F, 0, 0, 0, 0}));
  graph.bytes(5, weights<float>("none", kFloats, {3, 2}, {0, 0, 0, 0, 0, 0}));
  graph.bytes(5, weights<float>("classes", kFloats, {1, 2}, {0, 2}));
  graph.bytes(11, value("images", kFloats, {1, 3, 64, 64}))
      .bytes(11, value("orig_target_sizes", kIntegers, {1, 2}));
  graph.bytes(12, value("labels", kIntegers, {1, 2})).bytes(12, value("boxes", kFloats, {1, 2, 4}));
  graph.bytes(12, value(scores, kFloats, {1, 2}));
  return ProtobufMessage().varint(1, 7).bytes(7, graph).bytes(8, ProtobufMessage().varint(2, 13)).text();
}

// As RTMPose is exported, each joint where its colour is strongest: red for the first, green for the second,
// blue for the others.
inline std::string joints_model(const std::string& x, uint64_t joints = 17) {
  std::vector<float> colours(joints * 3, 0);
  for (uint64_t joint = 0; joint < joints; ++joint) colours[joint * 3 + std::min<uint64_t>(joint, 2)] = 0.25F;
  const auto attribute = [](const char* name, uint64_t one, uint64_t other) {
    return ProtobufMessage().bytes(1, name).varint(8, one).varint(8, other).varint(20, 7);
  };
  const auto pooled = [&](const char* output, uint64_t rows, uint64_t columns) {
    return node("MaxPool", {"scores"}, output).bytes(5, attribute("kernel_shape", rows, columns));
  };
  ProtobufMessage graph;
  graph.bytes(1, node("Conv", {"input", "colours"}, "scores").bytes(5, attribute("kernel_shape", 1, 1)));
  graph.bytes(1, pooled("columns", 256, 1)).bytes(1, pooled("rows", 1, 192));
  graph.bytes(1, node("Reshape", {"columns", "along_x"}, x));
  graph.bytes(1, node("Reshape", {"rows", "along_y"}, "simcc_y"));
  graph.bytes(2, "joints");
  graph.bytes(5, weights<float>("colours", kFloats, {joints, 3, 1, 1}, colours));
  const auto count = static_cast<int64_t>(joints);
  graph.bytes(5, weights<int64_t>("along_x", kIntegers, {3}, {1, count, 192}));
  graph.bytes(5, weights<int64_t>("along_y", kIntegers, {3}, {1, count, 256}));
  graph.bytes(11, value("input", kFloats, {1, 3, 256, 192}));
  graph.bytes(12, value(x, kFloats, {1, joints, 192})).bytes(12, value("simcc_y", kFloats, {1, joints, 256}));
  return ProtobufMessage().varint(1, 7).bytes(7, graph).bytes(8, ProtobufMessage().varint(2, 13)).text();
}

}  // namespace vantage::test
