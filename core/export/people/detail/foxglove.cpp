#include "core/export/people/detail/foxglove.h"

#include "core/base/protobuf.h"
#include "core/geometry/lens_inverse.h"

namespace vantage::people_export_detail::foxglove {
namespace {

// ---- descriptors (google/protobuf/descriptor.proto)

enum Type : uint8_t {
  kDouble = 1,
  kInt64 = 3,
  kInt32 = 5,
  kFixed32 = 7,
  kBool = 8,
  kString = 9,
  kMessage = 11,
  kBytes = 12,
  kEnum = 14
};
enum Label : uint8_t { kOne = 1, kList = 3 };

struct Field {
  const char* name;
  uint32_t number;
  Type type;
  Label label = kOne;
  const char* of = "";  // the message or enumeration
};
struct MessageType {
  const char* name;
  std::vector<Field> fields;
  const char* enumeration = "";
  std::vector<const char*> values = {};  // from 0
};

constexpr const char *kTime = ".google.protobuf.Timestamp", *kDuration = ".google.protobuf.Duration";

// Fields have the numbers of Foxglove's own files. Those of a scene's entity are all here, as its readers go
// through every list.
const std::vector<MessageType>& message_types() {
  static const std::vector<MessageType> types = {
      {"Vector3", {{"x", 1, kDouble}, {"y", 2, kDouble}, {"z", 3, kDouble}}},
      {"Point3", {{"x", 1, kDouble}, {"y", 2, kDouble}, {"z", 3, kDouble}}},
      {"Quaternion", {{"x", 1, kDouble}, {"y", 2, kDouble}, {"z", 3, kDouble}, {"w", 4, kDouble}}},
      {"Color", {{"r", 1, kDouble}, {"g", 2, kDouble}, {"b", 3, kDouble}, {"a", 4, kDouble}}},
      {"Pose",
       {{"position", 1, kMessage, kOne, ".foxglove.Vector3"},
        {"orientation", 2, kMessage, kOne, ".foxglove.Quaternion"}}},
      {"KeyValuePair", {{"key", 1, kString}, {"value", 2, kString}}},
      {"CompressedImage",
       {{"timestamp", 1, kMessage, kOne, kTime},
        {"data", 2, kBytes},
        {"format", 3, kString},
        {"frame_id", 4, kString}}},
      {"CameraCalibration",
       {{"timestamp", 1, kMessage, kOne, kTime},
        {"width", 2, kFixed32},
        {"height", 3, kFixed32},
        {"distortion_model", 4, kString},
        {"D", 5, kDouble, kList},
        {"K", 6, kDouble, kList},
        {"R", 7, kDouble, kList},
        {"P", 8, kDouble, kList},
        {"frame_id", 9, kString}}},
      {"FrameTransform",
       {{"timestamp", 1, kMessage, kOne, kTime},
        {"parent_frame_id", 2, kString},
        {"child_frame_id", 3, kString},
        {"translation", 4, kMessage, kOne, ".foxglove.Vector3"},
        {"rotation", 5, kMessage, kOne, ".foxglove.Quaternion"}}},
      {"FrameTransforms", {{"transforms", 1, kMessage, kList, ".foxglove.FrameTransform"}}},
      {"ArrowPrimitive",
       {{"pose", 1, kMessage, kOne, ".foxglove.Pose"},
        {"shaft_length", 2, kDouble},
        {"shaft_diameter", 3, kDouble},
        {"head_length", 4, kDouble},
        {"head_diameter", 5, kDouble},
        {"color", 6, kMessage, kOne, ".foxglove.Color"}}},
      {"CubePrimitive",
       {{"pose", 1, kMessage, kOne, ".foxglove.Pose"},
        {"size", 2, kMessage, kOne, ".foxglove.Vector3"},
        {"color", 3, kMessage, kOne, ".foxglove.Color"}}},
      {"SpherePrimitive",
       {{"pose", 1, kMessage, kOne, ".foxglove.Pose"},
        {"size", 2, kMessage, kOne, ".foxglove.Vector3"},
        {"color", 3, kMessage, kOne, ".foxglove.Color"}}},
      {"CylinderPrimitive",
       {{"pose", 1, kMessage, kOne, ".foxglove.Pose"},
        {"size", 2, kMessage, kOne, ".foxglove.Vector3"},
        {"bottom_scale", 3, kDouble},
        {"top_scale", 4, kDouble},
        {"color", 5, kMessage, kOne, ".foxglove.Color"}}},
      {"LinePrimitive",
       {{"type", 1, kEnum, kOne, ".foxglove.LinePrimitive.Type"},
        {"pose", 2, kMessage, kOne, ".foxglove.Pose"},
        {"thickness", 3, kDouble},
        {"scale_invariant", 4, kBool},
        {"points", 5, kMessage, kList, ".foxglove.Point3"},
        {"color", 6, kMessage, kOne, ".foxglove.Color"},
        {"colors", 7, kMessage, kList, ".foxglove.Color"},
        {"indices", 8, kFixed32, kList}},
       "Type",
       {"LINE_STRIP", "LINE_LOOP", "LINE_LIST"}},
      {"TriangleListPrimitive",
       {{"pose", 1, kMessage, kOne, ".foxglove.Pose"},
        {"points", 2, kMessage, kList, ".foxglove.Point3"},
        {"color", 3, kMessage, kOne, ".foxglove.Color"},
        {"colors", 4, kMessage, kList, ".foxglove.Color"},
        {"indices", 5, kFixed32, kList}}},
      {"TextPrimitive",
       {{"pose", 1, kMessage, kOne, ".foxglove.Pose"},
        {"billboard", 2, kBool},
        {"font_size", 3, kDouble},
        {"scale_invariant", 4, kBool},
        {"color", 5, kMessage, kOne, ".foxglove.Color"},
        {"text", 6, kString}}},
      {"ModelPrimitive",
       {{"pose", 1, kMessage, kOne, ".foxglove.Pose"},
        {"scale", 2, kMessage, kOne, ".foxglove.Vector3"},
        {"color", 3, kMessage, kOne, ".foxglove.Color"},
        {"override_color", 4, kBool},
        {"url", 5, kString},
        {"media_type", 6, kString},
        {"data", 7, kBytes}}},
      {"SceneEntity",
       {{"timestamp", 1, kMessage, kOne, kTime},
        {"frame_id", 2, kString},
        {"id", 3, kString},
        {"lifetime", 4, kMessage, kOne, kDuration},
        {"frame_locked", 5, kBool},
        {"metadata", 6, kMessage, kList, ".foxglove.KeyValuePair"},
        {"arrows", 7, kMessage, kList, ".foxglove.ArrowPrimitive"},
        {"cubes", 8, kMessage, kList, ".foxglove.CubePrimitive"},
        {"spheres", 9, kMessage, kList, ".foxglove.SpherePrimitive"},
        {"cylinders", 10, kMessage, kList, ".foxglove.CylinderPrimitive"},
        {"lines", 11, kMessage, kList, ".foxglove.LinePrimitive"},
        {"triangles", 12, kMessage, kList, ".foxglove.TriangleListPrimitive"},
        {"texts", 13, kMessage, kList, ".foxglove.TextPrimitive"},
        {"models", 14, kMessage, kList, ".foxglove.ModelPrimitive"}}},
      {"SceneEntityDeletion",
       {{"timestamp", 1, kMessage, kOne, kTime},
        {"type", 2, kEnum, kOne, ".foxglove.SceneEntityDeletion.Type"},
        {"id", 3, kString}},
       "Type",
       {"MATCHING_ID", "ALL"}},
      {"SceneUpdate",
       {{"deletions", 1, kMessage, kList, ".foxglove.SceneEntityDeletion"},
        {"entities", 2, kMessage, kList, ".foxglove.SceneEntity"}}},
      {"PackedElementField",
       {{"name", 1, kString},
        {"offset", 2, kFixed32},
        {"type", 3, kEnum, kOne, ".foxglove.PackedElementField.NumericType"}},
       "NumericType",
       {"UNKNOWN", "UINT8", "INT8", "UINT16", "INT16", "UINT32", "INT32", "FLOAT32", "FLOAT64"}},
      {"PointCloud",
       {{"timestamp", 1, kMessage, kOne, kTime},
        {"frame_id", 2, kString},
        {"pose", 3, kMessage, kOne, ".foxglove.Pose"},
        {"point_stride", 4, kFixed32},
        {"fields", 5, kMessage, kList, ".foxglove.PackedElementField"},
        {"data", 6, kBytes}}}};
  return types;
}
enum NumericType : uint8_t { kUint32 = 5, kInt32Number = 6, kFloat32 = 7 };

ProtobufMessage described(const MessageType& type) {
  ProtobufMessage message;
  message.bytes(1, type.name);
  for (const Field& field : type.fields) {
    ProtobufMessage one;
    one.bytes(1, field.name).varint(3, field.number).varint(4, field.label).varint(5, field.type);
    if (*field.of) one.bytes(6, field.of);
    message.bytes(2, one);
  }
  if (type.values.empty()) return message;
  ProtobufMessage values;
  values.bytes(1, type.enumeration);
  for (size_t i = 0; i < type.values.size(); ++i)
    values.bytes(2, ProtobufMessage().bytes(1, type.values[i]).varint(2, i));
  return message.bytes(4, values);
}

ProtobufMessage file_of(const char* name, const char* package, std::span<const char* const> needed,
                        std::span<const MessageType> types) {
  ProtobufMessage file;
  file.bytes(1, name).bytes(2, package);
  for (const char* one : needed) file.bytes(3, one);
  for (const MessageType& type : types) file.bytes(4, described(type));
  return file.bytes(12, "proto3");
}

// ---- messages

constexpr int64_t kSecond_ns = 1'000'000'000;

ProtobufMessage time_of(int64_t time_ns) {
  return ProtobufMessage()
      .varint(1, static_cast<uint64_t>(time_ns / kSecond_ns))
      .varint(2, static_cast<uint64_t>(time_ns % kSecond_ns));
}
ProtobufMessage vector(const Eigen::Vector3d& v) {
  return ProtobufMessage().real(1, v.x()).real(2, v.y()).real(3, v.z());
}
ProtobufMessage turn(const Eigen::Quaterniond& q) {
  return ProtobufMessage().real(1, q.x()).real(2, q.y()).real(3, q.z()).real(4, q.w());
}
ProtobufMessage pose(const Eigen::Vector3d& place) {
  return ProtobufMessage().bytes(1, vector(place)).bytes(2, turn(Eigen::Quaterniond::Identity()));
}
ProtobufMessage color_of(const MarkColor& color, double opacity) {
  return ProtobufMessage()
      .real(1, color[0] / 255.0)
      .real(2, color[1] / 255.0)
      .real(3, color[2] / 255.0)
      .real(4, opacity);
}

constexpr double kLetters_m = 0.18, kOpacity = 0.7, kLine_px = 2;

ProtobufMessage entity_of(int64_t time_ns, const std::string& frame, const Entity& entity) {
  ProtobufMessage message;
  message.bytes(1, time_of(time_ns))
      .bytes(2, frame)
      .bytes(3, entity.id)
      .bytes(4, time_of(entity.lifetime_ns));
  for (const auto& [key, value] : entity.facts)
    message.bytes(6, ProtobufMessage().bytes(1, key).bytes(2, value));
  if (entity.height_m > 0) {
    const Eigen::Vector3d middle(entity.place_m.x(), entity.place_m.y(), entity.height_m / 2);
    message.bytes(10, ProtobufMessage()
                          .bytes(1, pose(middle))
                          .bytes(2, vector({2 * entity.radius_m, 2 * entity.radius_m, entity.height_m}))
                          .real(3, 1)
                          .real(4, 1)
                          .bytes(5, color_of(entity.color, kOpacity)));
    message.bytes(13, ProtobufMessage()
                          .bytes(1, pose(middle + Eigen::Vector3d(0, 0, entity.height_m / 2 + kLetters_m)))
                          .varint(2, 1)
                          .real(3, kLetters_m)
                          .bytes(5, color_of(entity.color, 1))
                          .bytes(6, entity.text));
  }
  if (entity.line_m.empty()) return message;
  ProtobufMessage line;
  line.varint(1, entity.closed ? 1 : 0)
      .bytes(2, pose(Eigen::Vector3d::Zero()))
      .real(3, kLine_px)
      .varint(4, 1);
  for (const Eigen::Vector3d& point : entity.line_m) line.bytes(5, vector(point));
  return message.bytes(11, line.bytes(6, color_of(entity.color, 1)));
}

}  // namespace

std::string descriptors() {
  constexpr const char *kTimeFile = "google/protobuf/timestamp.proto",
                       *kDurationFile = "google/protobuf/duration.proto";
  const std::vector<Field> parts = {{"seconds", 1, kInt64}, {"nanos", 2, kInt32}};
  const MessageType time = {"Timestamp", parts}, duration = {"Duration", parts};
  const char* const needed[] = {kTimeFile, kDurationFile};
  return ProtobufMessage()
      .bytes(1, file_of(kTimeFile, "google.protobuf", {}, {&time, 1}))
      .bytes(1, file_of(kDurationFile, "google.protobuf", {}, {&duration, 1}))
      .bytes(1, file_of("foxglove/messages.proto", "foxglove", needed, message_types()))
      .text();
}

std::string compressed_image(int64_t time_ns, const std::string& frame, std::string_view jpeg) {
  return ProtobufMessage().bytes(1, time_of(time_ns)).bytes(2, jpeg).bytes(3, "jpeg").bytes(4, frame).text();
}

std::string camera_calibration(int64_t time_ns, const std::string& frame, const Camera& camera, int width_px,
                               int height_px) {
  const PinholeCamera<double>& model = camera.model();
  const double sx = static_cast<double>(width_px) / model.width_px,
               sy = static_cast<double>(height_px) / model.height_px;
  const double fx = model.fx_px * sx, fy = model.fy_px * sy;
  const double cx = (model.cx_px + 0.5) * sx - 0.5, cy = (model.cy_px + 0.5) * sy - 0.5;
  std::vector<double> lens = lens_coefficients(model);
  const char* name = "plumb_bob";
  if (model.lens == LensModel::fisheye) name = "kannala_brandt";
  if (model.lens == LensModel::rational) name = "rational_polynomial", lens.resize(8);
  return ProtobufMessage()
      .bytes(1, time_of(time_ns))
      .fixed32(2, static_cast<uint32_t>(width_px))
      .fixed32(3, static_cast<uint32_t>(height_px))
      .bytes(4, name)
      .reals(5, lens)
      .reals(6, std::array{fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0})
      .reals(7, std::array{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0})
      .reals(8, std::array{fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0})
      .bytes(9, frame)
      .text();
}

std::string camera_pose(int64_t time_ns, const std::string& parent, const std::string& frame,
                        const Camera& camera) {
  const Eigen::Matrix3d world_from_cam = camera.rotation_cam_from_world().transpose();
  return ProtobufMessage()
      .bytes(1, ProtobufMessage()
                    .bytes(1, time_of(time_ns))
                    .bytes(2, parent)
                    .bytes(3, frame)
                    .bytes(4, vector(camera.center_in_world_m()))
                    .bytes(5, turn(Eigen::Quaterniond(world_from_cam).normalized())))
      .text();
}

std::string scene_update(int64_t time_ns, const std::string& frame, std::span<const Entity> entities) {
  ProtobufMessage update;
  for (const Entity& entity : entities) update.bytes(2, entity_of(time_ns, frame, entity));
  return update.text();
}

std::string point_cloud(int64_t time_ns, const std::string& frame, std::span<const FloorPoint> points) {
  ProtobufMessage cloud;
  cloud.bytes(1, time_of(time_ns)).bytes(2, frame).bytes(3, pose(Eigen::Vector3d::Zero()));
  cloud.fixed32(4, sizeof(FloorPoint));
  uint32_t offset = 0;
  for (const auto& [name, type] : {std::pair("x", kFloat32),
                                   {"y", kFloat32},
                                   {"z", kFloat32},
                                   {"height", kFloat32},
                                   {"id", kInt32Number},
                                   {"seen", kUint32}}) {
    cloud.bytes(5, ProtobufMessage().bytes(1, name).fixed32(2, offset).varint(3, type));
    offset += 4;
  }
  return cloud.bytes(6, {reinterpret_cast<const char*>(points.data()), points.size_bytes()}).text();
}

}  // namespace vantage::people_export_detail::foxglove
