// The report of a case: pictures, map, figures and settings.
#pragma once

#include <map>
#include <string>

#include "core/display/document.h"
#include "core/export/case/detail/case_scene.h"
#include "core/export/case/detail/case_tables.h"

namespace vantage::case_detail {

struct ReportFacts {
  std::string id, who, why, exported, program, project_name, project_sha256, fingerprint;
  const ExportedCase* told = nullptr;
  std::map<std::string, std::string> pictures;  // PNG files by camera
};

Document report_document(const CaseScene& scene, const CaseTables& tables, const ReportFacts& facts);

// Its parts, for other documents of a span.
DocumentTable people_table(const CaseScene& scene, const CaseTables& tables);
DocumentTable events_table(const CaseScene& scene, const CaseTables& tables);
DocumentTable bookmarks_table(const CaseScene& scene, const CaseTables& tables);
DocumentTable counts_table(const CaseScene& scene, const CaseTables& tables);
DocumentMap report_map(const CaseScene& scene, const CaseTables& tables);

// RGB PNG of a picture in host memory, made at most 640 pixels wide.
Result<std::string> report_picture(const Picture& picture);

}  // namespace vantage::case_detail
