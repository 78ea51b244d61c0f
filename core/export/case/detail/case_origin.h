// Where a case's videos come from: the seals of the recordings, and the groups of pictures of its span.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/threads.h"

namespace vantage::case_detail {

struct OriginRequest {
  std::string video;              // the camera's, in the project
  double from_s = -1, to_s = -1;  // of the span, from the video's first picture; -1: not known
  std::filesystem::path folder;   // of the case, so far
  std::string name;               // of the camera, as files of the case have it
  std::string original;           // the copied packets, from the folder on; empty: there are none
  StopSource stop;
};

// The manifest's `origin` of a camera: for each sealed file that the span uses the seal, copied to seals/,
// its groups, and whether the file is as sealed now. Empty: it is not sealed. `note` receives sentences on
// what is sealed and nevertheless not proved. Errors: io, cancelled.
Result<nlohmann::ordered_json> origin_of(const OriginRequest& request, std::string* note);

// Checks of the `origin`s and `custody` of a manifest: seals and log are whole, signed and those
// that the manifest names, and original packets are those of the seal's groups.
struct OriginVerdict {
  std::vector<std::string> faults, notes;  // sentences
};
OriginVerdict check_origins(const nlohmann::json& manifest, const std::filesystem::path& folder);

}  // namespace vantage::case_detail
