// vantage-cli evidence: which detections carry the people of a frame, or why nobody is at a position.
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
  std::vector<double> place;  // x, y in metres; empty: the people
  bool json = false;
};

void print(const nlohmann::ordered_json& json) {
  print_json(json);
}

nlohmann::ordered_json json_of(const CameraAtPlace& said, const std::string& camera) {
  constexpr const char* kAnswers[] = {"not_looked",   "outside", "hidden", "sees",
                                      "other_person", "weak",    "nothing"};
  const auto index = [](int32_t value) {
    return value < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
  };
  return {{"camera", camera},        {"answer", kAnswers[static_cast<size_t>(said.answer)]},
          {"visible", said.visible}, {"detection", index(said.detection)},
          {"score", said.score},     {"overlap", said.overlap},
          {"nats", said.nats},       {"person", index(said.person)}};
}

void tell_place(const EvidenceOptions& options, const Project& project, const ShownFrame& shown) {
  const ExplainedPlace place =
      value_or_fail(explain_place(project, shown, options.place[0], options.place[1], {}));
  if (!options.json) {
    for (const std::string& line : place.lines) std::printf("%s\n", line.c_str());
    return;
  }
  const PlaceEvidence& evidence = place.evidence;
  nlohmann::ordered_json json = {{"frame", shown.result->frame},
                                 {"x_m", evidence.x_m},
                                 {"y_m", evidence.y_m},
                                 {"summary", place.lines.front()},
                                 {"cameras", nlohmann::ordered_json::array()}};
  if (!evidence.cameras.empty()) json["height_m"] = evidence.height_m, json["gain_nats"] = evidence.gain_nats;
  for (size_t c = 0; c < evidence.cameras.size(); ++c)
    json["cameras"].push_back(json_of(evidence.cameras[c], project.cameras[c].name));
  print(json);
}

// Their figures are those of results.jsonl, so JSON of them is `run`'s.
void tell_people(const EvidenceOptions& options, const Project& project, const ShownFrame& shown) {
  const FrameResult& result = *shown.result;
  const PeopleArtifact* people = result.people();
  if (!people || !result.detections()) value_or_fail(explain_place(project, shown, 0, 0, {}));
  nlohmann::ordered_json json = {
      {"frame", result.frame}, {"looked", people->looked}, {"people", nlohmann::ordered_json::array()}};
  const std::vector<FramePerson> in_frame = people_of(shown);
  if (!options.json && in_frame.empty())
    std::printf("frame %lld: %s; %s\n", static_cast<long long>(result.frame),
                people_count(result) ? "nobody" : "whether anybody is here is unknown",
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
  if (options.json) print(json);
}

void tell_evidence(const EvidenceOptions& options) {
  const OpenedChain chain = open_chain_or_fail(options.chain, load_project_or_fail(options.chain));
  cut_to_recording_or_fail({options.frame, options.frame + 1}, chain.analysis->source());
  const ShownFrame shown{
      .result = value_or_fail(chain.analysis->pipeline().frame(options.frame, {}, interrupted()))};
  if (options.place.empty())
    tell_people(options, chain.project, shown);
  else
    tell_place(options, chain.project, shown);
}

}  // namespace

void add_evidence(CLI::App& app) {
  auto options = std::make_shared<EvidenceOptions>();
  CLI::App* command = app.add_subcommand(
      "evidence", "Say which detections support the people of a frame, or why nobody is at a position.");
  command->footer(
      "With --why each camera says what it has there: a box that fits, nobody where a person would be seen, "
      "or\n"
      "why it cannot tell. Figures in nats, natural logarithms of likelihood ratios: above 0 supports a "
      "person.\n"
      "Example: vantage-cli evidence hall.vantage --frame 120\n"
      "Example: vantage-cli evidence hall.vantage --frame 120 --why 1.2,3.4");
  add_chain_options(*command, options->chain);
  command->add_option("--frame", options->frame, "frame of the base camera, from 0")
      ->required()
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--why", options->place, "why nobody is at this position on the floor, or who is; metres")
      ->type_name("X,Y")
      ->delimiter(',')
      ->expected(2);
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { tell_evidence(*options); });
}

}  // namespace vantage::cli
