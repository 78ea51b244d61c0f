// vantage-cli case: exports a span of a recording, and verifies an export.

#include <fmt/core.h>
#include <cmath>
#include <limits>

#include "app/backends/backend_option.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/export/case/case_export.h"
#include "core/export/case/case_verify.h"
#include "core/export/case/handover.h"
#include "core/project/recording_clock.h"
#include "core/seal/signing_key.h"
#include "core/session/evidence_text.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct ExportArguments {
  std::string project, backend = "auto", from, to, clock, out, who, why, blur = "none";
  std::vector<std::string> cameras, overlays;
  bool grid = false, originals = false, without_sound = false, json = false;
};

// "none", "all" or "except:3,7".
CaseBlur read_blur(const std::string& text) {
  if (text == "none") return {};
  if (text == "all") return {true, {}};
  const std::string prefix = "except:";
  CaseBlur blur{true, {}};
  bool good = text.starts_with(prefix);
  for (size_t at = prefix.size(); good && at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string id = text.substr(at, end - at);
    good =
        !id.empty() && id.size() < 18 && id.find_first_not_of("0123456789") == std::string::npos && id != "0";
    if (good) blur.kept.insert(std::stoll(id));
    at = end + 1;
  }
  if (!good) throw CLI::ValidationError("--blur", "'" + text + "' is neither none, all nor except:ID,ID");
  return blur;
}

CaseOverlays read_overlays(const std::vector<std::string>& names) {
  CaseOverlays overlays;
  for (const std::string& name : names) {
    if (name == "people")
      overlays.people = true;
    else if (name == "trails")
      overlays.trails = true;
    else if (name == "floor")
      overlays.floor = true;
    else if (name != "none")
      throw CLI::ValidationError("--overlays", "'" + name + "' is neither people, trails, floor nor none");
  }
  return overlays;
}

ordered_json json_of(const ExportedCase& made) {
  ordered_json json = {{"folder", made.folder.string()},
                       {"case", made.id},
                       {"frames", made.frames},
                       {"frame_rate", made.frame_rate},
                       {"clock", made.clock ? ordered_json(made.clock->source) : ordered_json()},
                       {"fingerprint", made.fingerprint},
                       {"cameras", ordered_json::array()},
                       {"notes", made.notes}};
  // The manifest has the same figures of them.
  if (const auto manifest = read_file(made.folder / "manifest.json"))
    json["cameras"] = parse_ordered_json(*manifest)["cameras"];
  return json;
}

void print(const ExportedCase& made, bool blurred) {
  fmt::print("{} frames at {:g} frames/s, {} videos\n", made.frames, made.frame_rate, made.cameras.size());
  for (const CaseCamera& camera : made.cameras) {
    fmt::print("{}: {}, sound: {}", camera.video, camera.encoder, camera.sound);
    if (blurred) fmt::print(", {} wholly blurred", camera.fully_blurred);
    for (const auto& [doubt, frames] : camera.doubts) fmt::print(" ({}: {})", frames, blur_doubt_text(doubt));
    fmt::print("\n");
    if (!camera.original.empty()) fmt::print("  {}\n", camera.original);
  }
  for (const std::string& note : made.notes) fmt::print("{}\n", note);
  fmt::print("signed by the key {}\n{}\n", made.fingerprint, made.folder.string());
}

void run_export(const ExportArguments& arguments) {
  CaseOptions options;
  options.blur = read_blur(arguments.blur);
  options.overlays = read_overlays(arguments.overlays);
  if (!arguments.clock.empty()) {
    Result<RecordingClock> clock = parse_clock(arguments.clock);
    if (!clock) throw CLI::ValidationError("--clock", clock.error().message());
    options.clock = std::move(*clock);
  }
  const Project project = value_or_fail(load_project(arguments.project));
  for (const std::string& name : arguments.cameras)
    options.cameras.push_back(static_cast<size_t>(camera_named(project, name, "--cameras")));
  for (size_t c = 0; arguments.cameras.empty() && c < project.cameras.size(); ++c)
    options.cameras.push_back(c);
  const double rate = base_rate_or_fail(project);
  if (!options.clock) options.clock = find_clock(project);
  options.span = {frame_of_moment_or_fail("--from", arguments.from, rate, options.clock),
                  frame_of_moment_or_fail("--to", arguments.to, rate, options.clock)};
  options.project = arguments.project;
  options.grid = arguments.grid, options.originals = arguments.originals;
  options.sound = !arguments.without_sound;
  options.who = arguments.who, options.why = arguments.why, options.out = arguments.out;
  const Backends backends = value_or_fail(open_backends(arguments.backend, nullptr));
  options.backends = backends.on_device();
  options.hardware = backends.hardware;
  options.stop = interrupted();
  Progress progress("case");
  options.progress = [&](const CaseProgress& at) {
    if (at.doing == "videos") progress.update(at.done, at.total);
  };
  const ExportedCase made = value_or_fail(export_case(options));
  if (arguments.json)
    print_json(json_of(made));
  else
    print(made, options.blur.on);
}

void add_case_export(CLI::App& app) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand(
      "export", "Export a span of a recording: blurred videos, tables, a report, and a signed manifest.");
  command->footer(
      "MOMENT is a frame (1234), seconds (12.5s), +0:02:05 from the start, or a time of day (14:32:05) where "
      "the\n"
      "clock is known: by --clock, else by the first camera's container or file name.\n"
      "With --blur, people are covered by large squares in every camera; a picture in which this is "
      "uncertain\n"
      "is covered completely and counted. What is not saved in the project is not in the case.\n"
      "Example: vantage-cli case export hall.vantage --from 14:30:00 --to 14:32:30 --blur except:3 --out "
      "case7 --who \"A. Jones\" --why \"theft, file 7\"");
  command->add_option("project", arguments->project, "a project with videos; for --blur, one that was run")
      ->required();
  command->add_option("--from", arguments->from, "first instant")->required()->type_name("MOMENT");
  command->add_option("--to", arguments->to, "the instant after the last")->required()->type_name("MOMENT");
  command->add_option("--cameras", arguments->cameras, "cameras by name; all of them if absent")
      ->type_name("NAME,...")
      ->delimiter(',');
  command
      ->add_option(
          "--overlays", arguments->overlays,
          "what is drawn into the videos: people, trails, floor (zones and lines); nothing if absent")
      ->type_name("WHAT,...")
      ->delimiter(',');
  command
      ->add_option(
          "--blur", arguments->blur,
          "people made unrecognisable: none, all, or except:ID,ID (IDs as in the window and tracks.csv)")
      ->type_name("WHO")
      ->capture_default_str();
  command->add_option("--out", arguments->out, "the folder to create; it must not exist, or be empty")
      ->required()
      ->type_name("DIR");
  command->add_option("--who", arguments->who, "who exports it; in the manifest")->required();
  command->add_option("--why", arguments->why, "reason of the export; in the manifest")->required();
  command
      ->add_option(
          "--clock", arguments->clock,
          "time of day of frame 0, 2026-05-01T14:00:00, with Z or +02:00 unless it is this machine's")
      ->type_name("TIME");
  command->add_flag("--grid", arguments->grid, "also one video with all of these cameras and the plan");
  command->add_flag(
      "--originals", arguments->originals,
      "also the packets as they were recorded, from the key picture before the span on; not blurred");
  command->add_flag("--without-sound", arguments->without_sound, "do not copy the sound");
  add_backend_option(*command, arguments->backend, "auto takes a GPU when there is one");
  add_json_flag(*command, &arguments->json);
  command->callback([arguments] { run_export(*arguments); });
}

struct VerifyArguments {
  std::string folder, key, remember;
  bool json = false;
};

void print(const CaseVerdict& verdict, const std::string& folder) {
  fmt::print("case {}, exported {} by {}: {}\n", verdict.id, verdict.exported, verdict.who, verdict.why);
  for (const auto& [what, files] :
       {std::pair("changed", &verdict.changed), std::pair("missing", &verdict.missing),
        std::pair("not of the case", &verdict.extra)})
    for (const std::string& file : *files) fmt::print("{}: {}\n", what, file);
  for (const std::string& fault : verdict.faults) fmt::print("{}\n", fault);
  for (const std::string& note : verdict.notes) fmt::print("{}\n", note);
  if (!verdict.former_fingerprint.empty())
    fmt::print("This case was signed by another key before, {}: it has been signed again.\n",
               verdict.former_fingerprint);
  fmt::print("key {}, {}\n", verdict.fingerprint.empty() ? "none" : verdict.fingerprint.c_str(),
             verdict.key_name.empty() ? "not known here: compare it with the one that the exporter names"
                                      : ("known as " + verdict.key_name).c_str());
  if (verdict.untouched())
    fmt::print("untouched: {} files\n", verdict.files);
  else
    fmt::print("not as it was signed: {}\n", folder);
}

void run_verify(const VerifyArguments& arguments) {
  KnownKeys known = value_or_fail(KnownKeys::read());
  CaseVerdict verdict = value_or_fail(verify_case(arguments.folder, known));
  if (!arguments.key.empty() && arguments.key != verdict.fingerprint)
    verdict.faults.push_back("It is not signed by the key " + arguments.key + ".");
  if (!arguments.remember.empty() && verdict.untouched()) {
    known.names[verdict.fingerprint] = verdict.key_name = arguments.remember;
    known.cases[verdict.id] = verdict.fingerprint;
    check_or_fail(known.write());
  }
  if (arguments.json) {
    const ordered_json json = {
        {"untouched", verdict.untouched()},
        {"case", verdict.id},
        {"who", verdict.who},
        {"why", verdict.why},
        {"exported_utc", verdict.exported},
        {"program", verdict.program},
        {"files", verdict.files},
        {"changed", verdict.changed},
        {"missing", verdict.missing},
        {"extra", verdict.extra},
        {"faults", verdict.faults},
        {"notes", verdict.notes},
        {"fingerprint", verdict.fingerprint},
        {"known_as", verdict.key_name.empty() ? ordered_json() : ordered_json(verdict.key_name)},
        {"signed_before_by",
         verdict.former_fingerprint.empty() ? ordered_json() : ordered_json(verdict.former_fingerprint)}};
    print_json(json);
  } else {
    print(verdict, arguments.folder);
  }
  if (!verdict.untouched()) throw CLI::RuntimeError(1);
}

void add_case_verify(CLI::App& app) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command =
      app.add_subcommand("verify", "Check whether a case is unchanged since it was signed, and by whom.");
  command->footer(
      "Exits 0 where nothing was changed, 1 where a file was changed, is missing or was added, a signature "
      "is wrong,\n"
      "or the case was signed by another key before. A key that is not known here is reported but is not a "
      "failure: compare its\n"
      "fingerprint with the one that the exporter names, or give it by --key.\n"
      "Example: vantage-cli case verify case7");
  command->add_option("case", arguments->folder, "the folder that was exported")
      ->required()
      ->type_name("DIR");
  command->add_option("--key", arguments->key, "fingerprint of the key that has to have signed it; 64 digits")
      ->type_name("FINGERPRINT");
  command
      ->add_option("--remember", arguments->remember,
                   "keep the key under this name, if the case is untouched")
      ->type_name("NAME");
  add_json_flag(*command, &arguments->json);
  command->callback([arguments] { run_verify(*arguments); });
}

void add_key(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("key", "Print the fingerprint of this user's key, for those who verify.");
  command->footer("The key is made the first time. Example: vantage-cli case key");
  command->callback([] {
    const auto key = value_or_fail(SigningKey::of_user());
    fmt::print("{}\n", key->fingerprint());
  });
}

}  // namespace

void add_case(CLI::App& app) {
  CLI::App* command = app.add_subcommand("case", "Hand over a span of a recording, and verify one.");
  command->require_subcommand(1);
  command->footer("Example: vantage-cli case verify case7");
  add_case_export(*command);
  add_case_verify(*command);
  add_key(*command);
}

// vantage-cli evidence: the detections behind the people of a frame.

namespace {

struct EvidenceOptions {
  ChainOptions chain;
  int64_t frame = -1;
  bool json = false;
};

// Figures are those of results.jsonl, so the JSON is that of `run`.
void tell_people(const EvidenceOptions& options, const Project& project, const ShownFrame& shown) {
  const FrameResult& result = *shown.result;
  const PeopleArtifact* people = result.people();
  if (!people || !result.detections())
    fail_command({ErrorKind::invalid_argument, "this frame has no detections", "",
                  project.has_detections()
                      ? "Analyse it with detections.enabled on."
                      : "Name a model (detections.model) or a file of detections for each camera."});
  nlohmann::ordered_json json = {
      {"frame", result.frame}, {"looked", people->looked}, {"people", nlohmann::ordered_json::array()}};
  const std::vector<FramePerson> in_frame = people_of(shown);
  if (!options.json && in_frame.empty())
    fmt::print("frame {}: {}; {}\n", result.frame,
               people_count(result) ? "no one" : "whether anyone is here is unknown", people->stopped_at);
  for (size_t i = 0; i < in_frame.size(); ++i) {
    const std::vector<std::string> lines = person_evidence_text(project, shown, i);
    if (lines.empty())
      fail_command({ErrorKind::invalid_argument, "this frame's people do not come from its detections", "",
                    "Use --set people.source=fused."});
    json["people"].push_back(
        {{"x_m", in_frame[i].found.x_m}, {"y_m", in_frame[i].found.y_m}, {"evidence", lines}});
    for (size_t k = 0; k < lines.size() && !options.json; ++k)
      fmt::print("{}{}\n", k == 0 ? "" : "  ", lines[k]);
  }
  if (options.json) print_json(json);
}

void tell_evidence(const EvidenceOptions& options) {
  const OpenedChain chain = open_chain_or_fail(options.chain, load_project_or_fail(options.chain));
  cut_to_recording_or_fail({options.frame, options.frame + 1}, chain.analysis->source());
  const ShownFrame shown{
      .result = value_or_fail(chain.analysis->pipeline().frame(options.frame, {}, interrupted()))};
  tell_people(options, chain.project, shown);
}

}  // namespace

void add_evidence(CLI::App& app) {
  auto options = std::make_shared<EvidenceOptions>();
  CLI::App* command =
      app.add_subcommand("evidence", "List the detections that support the people of a frame.");
  command->footer(
      "Figures in nats, natural logarithms of likelihood ratios: above 0 supports a person. Why no one is at "
      "a\n"
      "position: vantage-cli why.\n"
      "Example: vantage-cli evidence hall.vantage --frame 120");
  add_chain_options(*command, options->chain);
  command->add_option("--frame", options->frame, "frame of the base camera, from 0")
      ->required()
      ->check(CLI::NonNegativeNumber);
  add_json_flag(*command, &options->json);
  command->callback([options] { tell_evidence(*options); });
}

// vantage-cli handover: the report of a shift.

namespace {

struct HandoverArguments {
  std::string project, from, to, who, out;
  bool json = false;
};

void handover(const HandoverArguments& arguments) {
  HandoverOptions options;
  options.project = value_or_fail(load_project(arguments.project));
  options.who = arguments.who;
  options.span = {0, std::numeric_limits<int64_t>::max()};
  if (!arguments.from.empty() || !arguments.to.empty()) {
    const double rate = base_rate_or_fail(options.project);
    const std::optional<RecordingClock> clock = find_clock(options.project);
    if (!arguments.from.empty())
      options.span.begin = frame_of_moment_or_fail("--from", arguments.from, rate, clock);
    if (!arguments.to.empty()) options.span.end = frame_of_moment_or_fail("--to", arguments.to, rate, clock);
  }
  const Document page = value_or_fail(handover_page(options));
  check_or_fail(write_handover(page, arguments.out));
  if (arguments.json) return print_json(nlohmann::ordered_json{{"file", arguments.out}});
  fmt::print("{}\n", arguments.out);
}

}  // namespace

void add_handover(CLI::App& app) {
  auto arguments = std::make_shared<HandoverArguments>();
  CLI::App* command = app.add_subcommand(
      "handover", "Write the hand-over page of a shift: events with their marks, notes, cases, open tasks.");
  command->footer(
      "MOMENT is a frame (1234), seconds (12.5s), +0:02:05 from the start, or a time of day (22:00:00) where "
      "the\n"
      "clock is known. Without --from and --to the page is of the whole recording.\n"
      "Example: vantage-cli handover hall.vantage --from 22:00:00 --to 06:00:00 --who \"A. Jones\" --out "
      "shift.pdf");
  command->add_option("project", arguments->project, "a project that was run")
      ->required()
      ->type_name("P.vantage");
  command->add_option("--from", arguments->from, "first instant")->type_name("MOMENT");
  command->add_option("--to", arguments->to, "the instant after the last")->type_name("MOMENT");
  command->add_option("--who", arguments->who, "who hands over; on the page")->required();
  command->add_option("--out", arguments->out, "the page: F.pdf or F.html")->required()->type_name("F");
  add_json_flag(*command, &arguments->json);
  command->callback([arguments] { handover(*arguments); });
}

}  // namespace vantage::cli
