// Shapes on the floor, as typed on the command line.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/common/command.h"

namespace vantage::cli {

// Numbers of "1,2,3,2"; empty: another text.
inline std::vector<double> read_numbers(const std::string& text) {
  std::vector<double> numbers;
  for (size_t at = 0;; ++at) {
    char* end = nullptr;
    numbers.push_back(std::strtod(text.c_str() + at, &end));
    if (end == text.c_str() + at || (*end != ',' && *end != 0)) return {};
    if ((at = text.find(',', at)) == std::string::npos) return numbers;
  }
}

// "1,2": a position in metres.
inline Eigen::Vector2d read_place(const char* option, const std::string& text) {
  const std::vector<double> numbers = read_numbers(text);
  if (numbers.size() != 2) throw CLI::ValidationError(option, "X,Y in metres is expected");
  return {numbers[0], numbers[1]};
}

// "door=1,2,3,2": a name and positions, x and y in turn.
inline std::pair<std::string, std::vector<Eigen::Vector2d>> read_shape(const std::string& text, size_t min) {
  const size_t equals = text.find('=');
  const std::vector<double> numbers =
      equals == std::string::npos ? std::vector<double>() : read_numbers(text.substr(equals + 1));
  if (equals == 0 || equals == std::string::npos || numbers.size() % 2 != 0 || numbers.size() < 2 * min)
    throw CLI::ValidationError(text, "NAME=X,Y,X,Y… in metres is expected");
  std::vector<Eigen::Vector2d> places;
  for (size_t i = 0; i < numbers.size(); i += 2) places.emplace_back(numbers[i], numbers[i + 1]);
  return {text.substr(0, equals), std::move(places)};
}

// Replaces the shape of the same name, or adds it.
template <typename Shape>
void draw_shape(std::vector<Shape>* shapes, Shape shape) {
  const auto same = std::find_if(shapes->begin(), shapes->end(),
                                 [&](const Shape& other) { return other.name == shape.name; });
  if (same == shapes->end())
    shapes->push_back(std::move(shape));
  else
    *same = std::move(shape);
}

}  // namespace vantage::cli
