// The report of a case: one HTML file that needs nothing else, with pictures, map, figures and settings.
#pragma once

#include <map>
#include <string>

#include "core/case/detail/case_scene.h"
#include "core/case/detail/case_tables.h"

namespace vantage::case_detail {

struct ReportFacts {
  std::string id, who, why, exported, program, project_name, project_sha256, fingerprint;
  const ExportedCase* told = nullptr;
  std::map<std::string, std::string> pictures;  // PNG files by camera
};

std::string report_html(const CaseScene& scene, const CaseTables& tables, const ReportFacts& facts);

// RGB PNG of a picture in host memory, made at most 640 pixels wide.
Result<std::string> report_picture(const Picture& picture);

}  // namespace vantage::case_detail
