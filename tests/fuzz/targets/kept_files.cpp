// Files that the program finds again beside a project, in a folder of tasks or of a case, and in the user's
// own folders: passwords, keys, views, plans, manifests, seals, custody logs, locks, lists of files. And
// moments and clocks, as people type them.
#include <fstream>

#include "core/base/process_owner.h"
#include "core/batch/plan.h"
#include "core/export/case/case_verify.h"
#include "core/live/credentials.h"
#include "core/live/known_views.h"
#include "core/project/recording_clock.h"
#include "core/seal/custody.h"
#include "core/seal/recording_seal.h"
#include "core/seal/signing_key.h"
#include "core/video/file_list.h"
#include "tests/fuzz/target.h"

using namespace vantage;

namespace {

void passwords(const std::string& text) {
  const auto store = make_credential_file(fuzz::as_file("cameras.json", text));
  const std::string address = "rtsp://camera.example/stream";
  if (!store->find(address)) return;
  fuzz::hold(store->keep(address, {"viewer", "s3cret"}).has_value(), "a list that was read can be written");
  const auto kept = store->find(address);
  fuzz::hold(kept && *kept && (*kept)->password == "s3cret", "a password is found again");
}

void views(const std::string& text) {
  KnownViews views(fuzz::as_file("views.json", text));
  if (!views.find("cam1", 1)) return;
  fuzz::hold(views.keep("cam1", 1, {}).has_value(), "views that were read can be written");
}

void verify(const std::string& text) {
  const auto folder = fuzz::empty_folder("case");
  std::ofstream(folder / "manifest.json", std::ios::binary) << text;
  const Result<CaseVerdict> verdict = verify_case(folder, {});
  fuzz::hold(!verdict || !verdict->faults.empty(), "a manifest without a signature does not verify");
  read_seal(fuzz::as_file("cam1.mkv.seal", text));
  read_custody(fuzz::as_file("hall.custody.jsonl", text));
}

void file_list(const std::string& text) {
  const Result<FileList> list = read_file_list(fuzz::as_file("cam1.files", text));
  if (!list) return;
  int64_t end = 0;
  for (const ListedSpan& span : spans_of(*list)) {
    fuzz::hold(span.begin == end && span.end > span.begin, "spans follow each other");
    end = span.end;
  }
  fuzz::hold(end <= kMaxListedFrames, "an accepted list has a length that memory holds");
  file_list_lines(*list);
  file_list_text(*list);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(fuzz::text_of(data + 1, size - 1));
  switch (data[0] % 8) {
    case 0:
      passwords(text);
      break;
    case 1:
      KnownKeys::read(fuzz::as_file("case_keys.json", text));
      break;
    case 2:
      views(text);
      break;
    case 3:
      read_plan(fuzz::as_file("plan.json", text));
      break;
    case 4:
      verify(text);
      break;
    case 5:
      if (const auto owner = owner_from_json(text))
        fuzz::hold(owner_from_json(owner_to_json(*owner)) == owner, "an owner is read as it is written");
      break;
    case 7:
      file_list(text);
      break;
    default:
      parse_clock(text);
      parse_time(text, 25, std::nullopt);
      parse_span(text, 25, parse_clock("2026-05-01T14:32:05Z").value());
  }
  return 0;
}
