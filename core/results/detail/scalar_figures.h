// A figure of one line of results.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "core/results/result_scalars.h"

namespace vantage::results_detail {

// Null where there is none.
const nlohmann::json* member_of(const nlohmann::json& object, const char* key);
double number_at(const nlohmann::json& object, const char* key);  // NaN where there is none
std::string text_at(const nlohmann::json& object, const char* key);

class WantedScalar {
 public:
  // Errors: as scalar_kind(), and for an ID that is not a number.
  static Result<WantedScalar> of(const std::string& name);

  const ScalarKind& kind() const { return *kind_; }
  const std::string& whose() const { return whose_; }
  bool timed() const { return kind_->of == ScalarOf::stage || kind_->of == ScalarOf::kernel; }
  void take_header(const nlohmann::json& header);
  // NaN where it is not known, and of stages and kernels, whose times stand elsewhere. Lines come by frame.
  double take_line(const nlohmann::json& line, double frame_rate);
  // Whether frames, cameras in the header, or people in the last line taken had it.
  bool found() const { return found_; }

 private:
  double person_figure(const nlohmann::json& line, double frame_rate);
  double speed(int64_t frame, const std::array<double, 2>& at_m, double frame_rate);

  const ScalarKind* kind_ = nullptr;
  std::string whose_;  // the owner as asked for
  size_t camera_ = 0;  // by number
  int64_t person_ = 0;
  bool found_ = false;
  std::deque<std::pair<int64_t, std::array<double, 2>>> path_;  // the person's last positions, for speeds
};

}  // namespace vantage::results_detail
