// A reader of C3D files that knows nothing of the writer: by the public description of the format
// (www.c3d.org). Intel's order and floating point only.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace vantage::test {

struct C3dFile {
  struct Parameter {
    int type = 0;  // -1 text, 1 bytes, 2 integers, 4 floats
    std::vector<int> dimensions;
    std::string data;
  };
  struct Point {
    float x, y, z, fourth;
  };
  int points = 0, first_frame = 0, last_frame = 0;  // of the header
  float scale = 0, rate = 0;
  std::map<std::string, Parameter> parameters;  // "POINT:LABELS"
  std::vector<std::vector<Point>> frames;

  int integer(const std::string& name, size_t index = 0) const {
    uint16_t value = 0;
    std::memcpy(&value, parameters.at(name).data.data() + 2 * index, 2);
    return value;
  }
  float real(const std::string& name) const {
    float value = 0;
    std::memcpy(&value, parameters.at(name).data.data(), 4);
    return value;
  }
  // Trailing blanks are padding.
  std::vector<std::string> text(const std::string& name) const {
    const Parameter& parameter = parameters.at(name);
    const auto width = static_cast<size_t>(parameter.dimensions.at(0));
    std::vector<std::string> lines;
    for (size_t at = 0; at < parameter.data.size(); at += width) {
      const std::string line = parameter.data.substr(at, width);
      lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
    }
    return lines;
  }
};

class C3dReader {
 public:
  // Throws std::exception where the file breaks the format.
  static C3dFile read(const std::string& bytes) {
    if (bytes.size() % 512 != 0) throw std::runtime_error("no whole blocks");
    C3dReader reader(bytes);
    reader.read_parameters();
    reader.read_header();
    return std::move(reader.file_);
  }

 private:
  explicit C3dReader(const std::string& bytes) : bytes_(bytes) {}

  int byte(size_t at) const { return static_cast<unsigned char>(bytes_.at(at)); }
  int letters(size_t at) const { return std::abs(static_cast<signed char>(bytes_.at(at))); }
  int word(size_t at) const { return byte(at) + 256 * byte(at + 1); }
  float real(size_t at) const {
    float value = 0;
    std::memcpy(&value, bytes_.substr(at, 4).data(), 4);
    return value;
  }

  void read_parameters() {
    const size_t start = 512 * (static_cast<size_t>(byte(0)) - 1);
    if (byte(1) != 0x50 || byte(start + 3) != 84) throw std::runtime_error("no C3D file of Intel's order");
    const size_t end = start + 512 * static_cast<size_t>(byte(start + 2));
    std::map<int, std::string> groups;
    for (size_t at = start + 4; at < end && byte(at) != 0;) {
      const auto length = static_cast<size_t>(letters(at));
      const int id = static_cast<signed char>(bytes_.at(at + 1));
      const std::string name = bytes_.substr(at + 2, length);
      const size_t offset_at = at + 2 + length;
      if (id < 0)
        groups[-id] = name;
      else
        read_parameter(groups.at(id) + ":" + name, offset_at + 2);
      const int offset = word(offset_at);
      if (offset == 0) break;
      at = offset_at + static_cast<size_t>(offset);
    }
  }

  void read_parameter(const std::string& name, size_t at) {
    C3dFile::Parameter parameter;
    parameter.type = static_cast<signed char>(bytes_.at(at));
    const int dimensions = byte(at + 1);
    size_t size = static_cast<size_t>(std::abs(parameter.type));
    for (int i = 0; i < dimensions; ++i) {
      parameter.dimensions.push_back(byte(at + 2 + static_cast<size_t>(i)));
      size *= static_cast<size_t>(parameter.dimensions.back());
    }
    parameter.data = bytes_.substr(at + 2 + static_cast<size_t>(dimensions), size);
    file_.parameters[name] = parameter;
  }

  void read_header() {
    file_.points = word(2), file_.first_frame = word(6), file_.last_frame = word(8);
    file_.scale = real(12), file_.rate = real(20);
    size_t at = 512 * (static_cast<size_t>(word(16)) - 1);
    for (int frame = file_.first_frame; frame <= file_.last_frame; ++frame) {
      auto& points = file_.frames.emplace_back();
      for (int i = 0; i < file_.points; ++i, at += 16)
        points.push_back({real(at), real(at + 4), real(at + 8), real(at + 12)});
    }
  }

  const std::string& bytes_;
  C3dFile file_;
};

}  // namespace vantage::test
