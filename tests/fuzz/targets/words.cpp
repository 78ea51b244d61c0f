// What people type or other programs send in one line: parameters, rules, addresses, credentials, backends.
#include "core/live/credentials.h"
#include "core/primitives/detection_csv.h"
#include "core/project/project.h"
#include "core/tracks/counting/rules.h"
#include "core/video/live/live_address.h"
#include "core/video/no_video.h"
#include "tests/fuzz/target.h"

using namespace vantage;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(fuzz::text_of(data + 1, size - 1));
  switch (data[0] % 6) {
    case 0: {
      Project project;
      set_from_text(&project, text);
      return 0;
    }
    case 1:
      parse_rule(text);
      return 0;
    case 2: {
      const SplitAddress split = split_credentials(text);
      if (split.credentials) {
        const SplitAddress again = split_credentials(join_credentials(split.address, *split.credentials));
        fuzz::hold(again.credentials && again.credentials->password == split.credentials->password,
                   "credentials survive being joined to their address");
        fuzz::hold(split.credentials->password.empty() || split.address.find('@') == std::string::npos ||
                       split.address.find("://") == std::string::npos ||
                       !split_credentials(split.address).credentials,
                   "an address without credentials has none");
      }
      host_of(text);
      return 0;
    }
    case 3:
      parse_live_address(text);
      return 0;
    case 4:
      parse_no_video(text);
      return 0;
    default:
      read_detections(text, "boxes");
      return 0;
  }
}
