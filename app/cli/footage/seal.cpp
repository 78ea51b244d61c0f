// vantage-cli seal and verify: recordings sealed as they are, and compared with their seals.

#include <fmt/core.h>

#include <filesystem>

#include "app/cli/common/command.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/project/project.h"
#include "core/project/project_seals.h"
#include "core/seal/custody.h"
#include "core/seal/recording_seal.h"
#include "core/seal/signing_key.h"
#include "core/seal/verify_recording.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kRecordingsHelp = "video files, recordings (.segments), lists (.files) or projects";
constexpr const char* kVerifiedHelp =
    "the same; of a project also its custody log, or that file alone (.custody.jsonl)";

// A camera's files and the project that it is of; empty: the recording was named itself.
struct NamedFiles {
  CameraFiles camera;
  fs::path project;
};

std::vector<NamedFiles> cameras_of(const std::vector<std::string>& recordings) {
  std::vector<NamedFiles> cameras;
  for (const std::string& recording : recordings) {
    if (fs::path(recording).extension() != ".vantage") {
      cameras.push_back({{recording, recording, value_or_fail(files_to_seal(recording))}, {}});
      continue;
    }
    const Project project = value_or_fail(load_project(recording));
    for (CameraFiles& camera : value_or_fail(files_of_cameras(project)))
      cameras.push_back({std::move(camera), project.path});
  }
  return cameras;
}

struct SealArguments {
  std::vector<std::string> recordings;
  bool json = false;
};

void run_seal(const SealArguments& arguments) {
  const auto key = value_or_fail(SigningKey::of_user());
  auto sealed = ordered_json::array();
  for (const auto& [camera, project] : cameras_of(arguments.recordings)) {
    if (camera.files.empty()) log_warning(camera.camera + " is not sealed: it is not a video file");
    Progress progress("seal");
    const auto files =
        value_or_fail(seal_camera(camera, *key, interrupted(), [&](const fs::path& file, double seconds) {
          progress.update(file.filename().string(), static_cast<int64_t>(seconds), -1);
        }));
    for (const FileSeal& one : files) {
      const std::string file = one.file.string();
      sealed.push_back({{"file", file},
                        {"seal", seal_path(one.file).string()},
                        {"sealed_before", one.sealed_before},
                        {"groups", one.sealed_before ? ordered_json() : ordered_json(one.groups)}});
      if (arguments.json) continue;
      if (one.sealed_before)
        fmt::print("{}: sealed before; `vantage-cli verify` compares it\n", file);
      else
        fmt::print("{}: {} groups of pictures sealed\n", file, one.groups);
    }
    if (!project.empty()) check_or_fail(note_sealed(project, camera, files));
  }
  if (arguments.json)
    print_json(ordered_json{{"fingerprint", key->fingerprint()}, {"sealed", sealed}});
  else
    fmt::print("key {}\n", key->fingerprint());
}

struct RecordingVerifyArguments {
  std::vector<std::string> recordings;
  std::string key;
  bool broken_off = false, json = false;
};

class RecordingVerification {
 public:
  explicit RecordingVerification(const RecordingVerifyArguments& arguments)
      : arguments_(arguments), known_(value_or_fail(KnownKeys::with_own())) {}

  bool run() {
    std::vector<std::string> recordings;
    for (const std::string& recording : arguments_.recordings) {
      const fs::path log = recording.ends_with(".vantage") ? custody_path(recording) : fs::path(recording);
      std::error_code none;
      if (recording.ends_with(kCustodySuffix) || (log != recording && fs::exists(log, none))) verify_log(log);
      if (!recording.ends_with(kCustodySuffix)) recordings.push_back(recording);
    }
    verify_recordings(recordings);
    if (arguments_.json)
      print_json(ordered_json{{"untouched", untouched_},
                              {"recordings", recordings_},
                              {"custody", custody_},
                              {"faults", faults_}});
    for (const std::string& recording : recordings)
      if (recording.ends_with(".vantage"))
        note_custody(recording, "verified", {{"result", untouched_ ? "untouched" : "touched"}});
    return untouched_;
  }

 private:
  void verify_log(const fs::path& file) {
    const CustodyLog log = value_or_fail(read_custody(file));
    for (const CustodyEntry& entry : log.entries)
      custody_.push_back({{"utc", entry.utc},
                          {"user", entry.user},
                          {"host", entry.host},
                          {"program", entry.program},
                          {"what", entry.what},
                          {"details", entry.details},
                          {"fingerprint", entry.fingerprint}});
    if (!arguments_.json)
      fmt::print("{}: {}, {} entries, {} to {}\n", file.string(),
                 log.faults.empty() ? "untouched" : "TOUCHED", log.entries.size(), log.entries.front().utc,
                 log.entries.back().utc);
    for (const std::string& text : log.faults) fault(text);
  }

  void verify_recordings(const std::vector<std::string>& recordings) {
    for (const auto& [camera, project] : cameras_of(recordings)) {
      const CameraVerdict verdict = value_or_fail(verify_camera(camera, interrupted()));
      for (const SealVerdict& one : verdict.files) add(one);
      for (const std::string& text : verdict.faults) fault(text);
      if (!verdict.files.empty() && verdict.files.front().part > 0 && !arguments_.json)
        fmt::print("{}: {} earlier files of the recording are not there: no longer kept, or removed\n",
                   camera.recording, verdict.files.front().part);
    }
  }

  void fault(const std::string& text) {
    untouched_ = false;
    faults_.push_back(text);
    if (!arguments_.json) fmt::print("{}\n", text);
  }

  static ordered_json json_of(const SealVerdict& verdict, const SealFinding& finding) {
    return {{"change", kSealChangeNames[static_cast<size_t>(finding.change)]},
            {"first_group", finding.first_group},
            {"last_group", finding.last_group},
            {"first_s", verdict.time_s(finding.first_group)},
            {"last_s", verdict.time_s(finding.last_group)},
            {"text", finding_text(verdict, finding)}};
  }

  void add(const SealVerdict& verdict) {
    const bool whole = verdict.finished || arguments_.broken_off;
    const bool key_fits = arguments_.key.empty() || arguments_.key == verdict.fingerprint;
    untouched_ = untouched_ && verdict.untouched() && whole && key_fits;
    const std::string name = known_.name_of(verdict.fingerprint);
    auto changes = ordered_json::array(), broken_off = ordered_json::array();
    for (const SealFinding& one : verdict.findings) changes.push_back(json_of(verdict, one));
    for (const SealFinding& one : verdict.broken_off) broken_off.push_back(json_of(verdict, one));
    recordings_.push_back({{"file", verdict.file.string()},
                           {"untouched", verdict.untouched()},
                           {"finished", verdict.finished},
                           {"groups", verdict.groups},
                           {"made", verdict.made},
                           {"sealed_utc", verdict.sealed_utc},
                           {"program", verdict.program},
                           {"chain_sha256", verdict.chain_sha256},
                           {"fingerprint", verdict.fingerprint},
                           {"known_as", name.empty() ? ordered_json() : ordered_json(name)},
                           {"key_fits", key_fits},
                           {"torn_bytes", verdict.torn_bytes},
                           {"changes", changes},
                           {"broken_off", broken_off}});
    if (!arguments_.json) print(verdict, name, key_fits);
  }

  static void print(const SealVerdict& verdict, const std::string& name, bool key_fits) {
    const std::string file = verdict.file.string();
    if (verdict.untouched()) {
      fmt::print("{}: untouched, {} groups, {:.3f} to {:.3f} s\n", file, verdict.groups, verdict.time_s(0),
                 verdict.end_s);
    } else {
      const SealFinding &first = verdict.findings.front(),
                        &last = *std::max_element(verdict.findings.begin(), verdict.findings.end(),
                                                  [](const SealFinding& a, const SealFinding& b) {
                                                    return a.last_group < b.last_group;
                                                  });
      fmt::print("{}: TOUCHED, first group {} ({:.3f} s), last {} ({:.3f} s) of {}\n", file,
                 first.first_group, verdict.time_s(first.first_group), last.last_group,
                 verdict.time_s(last.last_group), verdict.groups);
      for (const SealFinding& one : verdict.findings) fmt::print("  {}\n", finding_text(verdict, one));
    }
    if (!verdict.finished) {
      fmt::print(
          "  The seal has no end: the recording goes on, broke off (crash, loss of power), or was cut "
          "off with its seal.\n");
      for (const SealFinding& one : verdict.broken_off) fmt::print("  {}\n", finding_text(verdict, one));
      if (verdict.torn_bytes > 0)
        fmt::print("  Its last line was not written completely ({} bytes).\n", verdict.torn_bytes);
    }
    fmt::print("  sealed {} ({}), key {}, {}\n", verdict.sealed_utc, verdict.made, verdict.fingerprint,
               name.empty() ? "not known here: compare it with the one that the recorder's owner names"
                            : ("known as " + name).c_str());
    if (!key_fits) fmt::print("  It is sealed with another key than the one asked for.\n");
  }

  const RecordingVerifyArguments& arguments_;
  KnownKeys known_;
  ordered_json recordings_ = ordered_json::array(), custody_ = ordered_json::array();
  std::vector<std::string> faults_;
  bool untouched_ = true;
};

}  // namespace

void add_seal(CLI::App& app) {
  auto arguments = std::make_shared<SealArguments>();
  CLI::App* command = app.add_subcommand(
      "seal",
      "Seal recorded videos: a signed chain of hashes of their groups of pictures, next to each file.");
  command->footer(
      "One pass over the packets, nothing is decoded or changed. A file that has a seal keeps it. Live "
      "recordings are\n"
      "sealed as they are written.\n"
      "Example: vantage-cli seal hall.vantage");
  command->add_option("recordings", arguments->recordings, kRecordingsHelp)->required();
  add_json_flag(*command, &arguments->json);
  command->callback([arguments] { run_seal(*arguments); });
}

void add_verify(CLI::App& app) {
  auto arguments = std::make_shared<RecordingVerifyArguments>();
  CLI::App* command = app.add_subcommand(
      "verify", "Check recordings against their seals: untouched, or which groups of pictures were changed.");
  command->footer(
      "Exits 0 where everything is as sealed, 1 where something was changed, has no seal, or the seal has no "
      "end. A key\n"
      "that is not known here is reported but is not a failure: give the one that has to have sealed it by "
      "--key.\n"
      "Example: vantage-cli verify hall.vantage");
  command->add_option("recordings", arguments->recordings, kVerifiedHelp)->required();
  command->add_option("--key", arguments->key, "fingerprint of the key that has to have sealed it; 64 digits")
      ->type_name("FINGERPRINT");
  command->add_flag("--broken-off", arguments->broken_off,
                    "accept a recording that broke off: up to its last sealed group it has to be untouched");
  add_json_flag(*command, &arguments->json);
  command->callback([arguments] {
    if (!RecordingVerification(*arguments).run()) throw CLI::RuntimeError(1);
  });
}

}  // namespace vantage::cli
