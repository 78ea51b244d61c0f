// Rows of measurements, printed as a table and written as JSON.
#pragma once

#include <string>
#include <vector>

namespace vantage::bench {

struct Row {
  std::string group;   // "integral image, CUDA"
  std::string input;   // "u8 -> u32 4096 x 4096"
  std::string method;  // "single pass"
  double time_us = 0;
  double limit_us = 0;  // counted; 0: none is counted for this row
  double min_us = 0;    // of several rounds, where time_us is their median; 0: not known
};

class Report {
 public:
  void note(const std::string& text);  // printed at once, kept for the JSON
  void add(Row row);                   // printed at once
  bool write_json(const std::string& path) const;

 private:
  std::vector<Row> rows_;
  std::vector<std::string> notes_;
};

// Each measures its part and adds to the report.
void measure_integral_cpu(Report& report);
void measure_nms_cpu(Report& report);
void measure_integral_cuda(Report& report);
void measure_nms_cuda(Report& report);
void measure_npp_cuda(Report& report);  // integral images by NPP, where it is found

}  // namespace vantage::bench
