// vantage-cli evidence: which detections carry the people of a frame.
#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/session/evidence_text.h"

namespace vantage::cli {
namespace {

struct EvidenceOptions {
  ChainOptions chain;
  int64_t frame = -1;
  bool json = false;
};

// Their figures are those of results.jsonl, so JSON of them is `run`'s.
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
    std::printf("frame %lld: %s; %s\n", static_cast<long long>(result.frame),
                people_count(result) ? "no one" : "whether anyone is here is unknown",
                people->stopped_at.c_str());
  for (size_t i = 0; i < in_frame.size(); ++i) {
    const std::vector<std::string> lines = person_evidence_text(project, shown, i);
    if (lines.empty())
      fail_command({ErrorKind::invalid_argument, "this frame's people do not come from its detections", "",
                    "Use --set people.source=fused."});
    json["people"].push_back(
        {{"x_m", in_frame[i].found.x_m}, {"y_m", in_frame[i].found.y_m}, {"evidence", lines}});
    for (size_t k = 0; k < lines.size() && !options.json; ++k)
      std::printf("%s%s\n", k == 0 ? "" : "  ", lines[k].c_str());
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
  CLI::App* command = app.add_subcommand("evidence", "Say which detections support the people of a frame.");
  command->footer(
      "Figures in nats, natural logarithms of likelihood ratios: above 0 supports a person. Why no one is at "
      "a\n"
      "position: vantage-cli why.\n"
      "Example: vantage-cli evidence hall.vantage --frame 120");
  add_chain_options(*command, options->chain);
  command->add_option("--frame", options->frame, "frame of the base camera, from 0")
      ->required()
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { tell_evidence(*options); });
}

}  // namespace vantage::cli
