// vantage-cli seal and verify: recordings sealed as they are, and compared with their seals.

#include <fmt/core.h>

#include <filesystem>

#include "app/cli/common/command.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/process_owner.h"
#include "core/project/project.h"
#include "core/seal/custody.h"
#include "core/seal/recording_seal.h"
#include "core/seal/signing_key.h"
#include "core/seal/verify_recording.h"
#include "core/video/file_list.h"
#include "core/video/segments/segment_index.h"
#include "core/video/video_source.h"

namespace vantage::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kRecordingsHelp = "video files, recordings (.segments), lists (.files) or projects";
constexpr const char* kVerifiedHelp =
    "the same; of a project also its custody log, or that file alone (.custody.jsonl)";

// The files of one camera, in order.
struct CameraFiles {
  std::string name;
  std::vector<fs::path> files;  // none: nothing of it can be sealed
  fs::path project = {};        // empty: the file was named itself
};

std::vector<CameraFiles> cameras_of(const std::vector<std::string>& recordings) {
  std::vector<CameraFiles> cameras;
  const auto add = [&](const std::string& video, const fs::path& project) {
    cameras.push_back({video, value_or_fail(files_to_seal(video)), project});
  };
  for (const std::string& recording : recordings) {
    if (fs::path(recording).extension() != ".vantage") {
      add(recording, {});
      continue;
    }
    const Project project = value_or_fail(load_project(recording));
    if (project.live() || !project.has_pictures())
      fail_command({ErrorKind::invalid_argument, "has no recorded videos", recording,
                    "Live cameras are sealed as they are recorded."});
    for (const ProjectCamera& camera : project.cameras) {
      if (is_one_file(camera.video) || names_segments(camera.video) || names_file_list(camera.video))
        add(camera.video, project.path);
      else
        cameras.push_back({camera.name, {}, project.path});
    }
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
  for (const CameraFiles& camera : cameras_of(arguments.recordings)) {
    int64_t new_seals = 0;
    if (camera.files.empty()) log_warning(camera.name + " is not sealed: it is not a video file");
    for (const fs::path& file : camera.files) {
      std::error_code none;
      const bool before = fs::exists(seal_path(file), none);
      int64_t groups = 0;
      new_seals += !before;
      if (!before) {
        Progress progress("seal");
        groups = value_or_fail(seal_recording(file, *key, interrupted(), [&](double seconds) {
          progress.update(file.filename().string(), static_cast<int64_t>(seconds), -1);
        }));
      }
      sealed.push_back({{"file", file.string()},
                        {"seal", seal_path(file).string()},
                        {"sealed_before", before},
                        {"groups", before ? ordered_json() : ordered_json(groups)}});
      if (arguments.json) continue;
      if (before)
        fmt::print("{}: sealed before; `vantage-cli verify` compares it\n", file.string());
      else
        fmt::print("{}: {} groups of pictures sealed\n", file.string(), groups);
    }
    if (!camera.project.empty())
      check_or_fail(
          begin_or_note_custody(camera.project, "sealed",
                                {{"recording", fs::path(camera.name).filename().string()},
                                 {"files", std::to_string(camera.files.size())},
                                 {"sealed_before", std::to_string(camera.files.size() - new_seals)}}));
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
      : arguments_(arguments), known_(value_or_fail(KnownKeys::read())) {
    std::error_code none;
    if (fs::exists(config_folder() / "case_key.pem", none))
      if (const auto own = SigningKey::of_user()) known_.names.emplace((*own)->fingerprint(), "this user");
  }

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
    for (const CameraFiles& camera : cameras_of(recordings)) {
      std::vector<SealVerdict> verdicts;
      if (camera.files.empty()) fault(camera.name + " cannot have a seal: it is not a video file");
      for (const fs::path& file : camera.files) {
        auto verdict = verify_recording(file, interrupted());
        if (!verdict && camera.files.size() > 1 &&
            (verdict.error().kind == ErrorKind::not_found || verdict.error().kind == ErrorKind::bad_data)) {
          fault(verdict.error().message());
          continue;
        }
        verdicts.push_back(value_or_fail(std::move(verdict)));
        add(verdicts.back());
      }
      for (const std::string& text : faults_between(verdicts)) fault(camera.name + ": " + text);
      if (!verdicts.empty() && verdicts.front().part > 0 && !arguments_.json)
        fmt::print("{}: {} earlier files of the recording are not there: no longer kept, or removed\n",
                   camera.name, verdicts.front().part);
    }
  }

  void fault(const std::string& text) {
    untouched_ = false;
    faults_.push_back(text);
    if (!arguments_.json) fmt::print("{}\n", text);
  }

  std::string key_name(const SealVerdict& verdict) const {
    const auto name = known_.names.find(verdict.fingerprint);
    return name == known_.names.end() ? "" : name->second;
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
    const std::string name = key_name(verdict);
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
