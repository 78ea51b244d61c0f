// Findings about a position, as sections of values.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/people/occupancy/marginals.h"
#include "core/why/why_place.h"

namespace vantage {
namespace {

constexpr Unit kPercent{"%", 0, 100};

std::string percent(double share) {
  return unit_text(share, kPercent);
}

std::string number_text(double value) {
  return fmt::format("{:.4g}", value);
}

class PlaceAnswer {
 public:
  PlaceAnswer(const WhyPlace& place, const Project& project, std::span<const std::string> people)
      : place_(place), project_(project), people_(people) {
    if (!place.detections) return;
    // The camera of each line is the section's, so its own name is left out.
    const std::vector<std::string> nobody(project.cameras.size());
    const std::vector<std::string> lines = vantage::describe(*place.detections, nobody, people);
    for (size_t c = 1; c < lines.size(); ++c) detections_.push_back(lines[c].substr(2));
  }

  Report make() const {
    Report answer;
    answer.add_sentence("verdict", verdict());
    answer.add_section("place", place());
    if (!place_.not_searched.empty()) return answer;
    for (const WhyThreshold& threshold : place_.thresholds) answer.add_row("thresholds", of(threshold));
    for (size_t c = 0; c < place_.figures.cameras.size(); ++c) answer.add_row("cameras", camera(c));
    return answer;
  }

 private:
  std::string called(int32_t person) const {
    const auto index = static_cast<size_t>(std::max(0, person));
    if (person >= 0 && index < people_.size() && !people_[index].empty()) return people_[index];
    return "a person";
  }

  const ParameterTable& table(const WhyThreshold& threshold) const {
    const auto& tables = project_.parameters.tables();
    return **std::find_if(tables.begin(), tables.end(),
                          [&](const ParameterTable* one) { return one->stage == threshold.stage; });
  }
  const ParameterDescription& about(const WhyThreshold& threshold) const {
    return *table(threshold).find(threshold.name);
  }
  static std::string with_unit(double value, const ParameterDescription& about) {
    return number_text(value) + (about.unit.empty() ? "" : " " + about.unit);
  }

  // "Minimum own outline (people.min_own) is 0.25, the figure here 0.18; at 0.17 a person would be found".
  std::string deciding(const WhyThreshold& one) const {
    const ParameterDescription& description = about(one);
    std::string text =
        description.display_name + " (" + one.parameter() + ") is " + with_unit(one.setting, description);
    if (one.figure) text += ", the figure here " + with_unit(*one.figure, description);
    if (place_.together) return text;
    return text + "; at " + with_unit(*one.changes_at, description) +
           (place_.person < 0 ? " a person would be found here" : " no one would be found here");
  }

  std::string unsatisfied() const {
    std::string all;
    for (const WhyThreshold& one : place_.thresholds)
      if (!one.holds)
        all += (all.empty() ? " Not satisfied: " : ", ") + about(one).display_name +
               (one.figure ? fmt::format(" ({:.3g} of ", *one.figure) : " (none of ") +
               with_unit(one.setting, about(one)) + ")";
    return all.empty() ? all : all + ".";
  }

  // A person so near explains most of the evidence.
  std::string neighbour() const {
    constexpr double kNear_m = 1;
    const PlaceFigures& figures = place_.figures;
    if (place_.person >= 0 || figures.neighbour < 0 || figures.neighbour_m > kNear_m) return {};
    return fmt::format(" {} is {:.2f} m away.", called(figures.neighbour), figures.neighbour_m);
  }

  std::string verdict() const {
    const std::string at = (place_.preview ? "Preview. " : "") +
                           fmt::format("x {:.2f}  y {:.2f} m: ", place_.asked_x_m, place_.asked_y_m);
    if (!place_.not_searched.empty()) return at + place_.not_searched;
    if (!place_.looked) return at + "no detector examined this frame: its people are carried over or unknown";
    std::string who = "no one is found here";
    if (place_.person >= 0) {
      who = called(place_.person) + " is found here";
    } else if (place_.rejected) {
      who += ": " + std::string(reject_reason_text(*place_.rejected));
    }
    std::string decisive;
    for (const WhyThreshold& one : place_.thresholds)
      if (one.decisive) decisive += (decisive.empty() ? "" : "; and ") + deciding(one);
    if (decisive.empty())
      return at + who + ". No threshold of the search changes that by itself." + unsatisfied() + neighbour();
    if (place_.together) return at + who + ". Only these together change that: " + decisive + ".";
    // A found person passes all thresholds; the one that would fail first is stated.
    return at + who + (place_.person < 0 ? ". Decisive: " : ". Nearest to changing that: ") + decisive + ".";
  }

  Report place() const {
    constexpr const char* kSources[] = {"volume", "occupancy map", "detections", ""};
    const PlaceFigures& figures = place_.figures;
    Report section{"Place"};
    section.summary =
        fmt::format("x {:.2f}  y {:.2f} m, {:.1f} l", figures.x_m, figures.y_m, figures.volume_l);
    section.add("frame", "Frame", static_cast<double>(place_.frame),
                std::to_string(place_.frame) + (place_.preview ? ", a preview" : ""));
    section.add_number("x_m", "Examined at x", figures.x_m, {"m", 2});
    section.add_number("y_m", "Examined at y", figures.y_m, {"m", 2});
    section.add("source", "People come from", kSources[static_cast<size_t>(place_.source)]);
    section.add_truth("found", "A person is found here", place_.person >= 0);
    if (place_.person >= 0)
      section.add("person", "Person of the frame", static_cast<double>(place_.person), called(place_.person));
    if (place_.rejected)
      section.add("rejected", "Not a person because", std::string(reject_reason_text(*place_.rejected)));
    section.add_number("volume_l", "Volume over the footprint", figures.volume_l, {"l", 1});
    section.add("height_m", "Height there", figures.height_m,
                figures.height_m > 0 ? fmt::format("{:.2f} m", figures.height_m) : "nothing is there");
    section.add_number("body_height_m", "Expected outline for", figures.body_height_m, {"m", 2});
    section.add("cameras", "Cameras seeing half of it", static_cast<double>(figures.counting),
                fmt::format("{}, needed {}", figures.counting, figures.needed));
    section.add_number("foreground", "Outline in the masks", figures.foreground, kPercent);
    section.add_number("own", "Own outline", figures.own, {"", 2});
    section.add_number("decided", "Of it decided", figures.decided, kPercent);
    if (place_.agreement)
      section.add_number("agreement", "Agreement that suffices", *place_.agreement, {"", 2});
    if (place_.probability)
      section.add("probability", "Occupancy probability", *place_.probability,
                  fmt::format("{:.3f}, from {:.1f} on a person is there", *place_.probability, kPresent));
    if (place_.detections) {
      section.add_number("detections_height_m", "Height that the boxes fit best", place_.detections->height_m,
                         {"m", 2});
      section.add("gain_nats", "Evidence of all boxes", place_.detections->gain_nats,
                  fmt::format("{:+.1f} nats, more than 0 is needed", place_.detections->gain_nats));
    }
    if (figures.neighbour >= 0)
      section.add("neighbour_m", "Nearest other person", figures.neighbour_m,
                  called(figures.neighbour) + fmt::format(", {:.2f} m away", figures.neighbour_m));
    return section;
  }

  Report of(const WhyThreshold& one) const {
    const ParameterDescription& description = about(one);
    Report section{table(one).display_name + ": " + description.display_name};
    section.add("parameter", "Parameter", one.parameter());
    section.add("setting", "Value", one.setting, with_unit(one.setting, description));
    if (one.figure)
      section.add("figure", "Figure here", *one.figure, with_unit(*one.figure, description));
    else
      section.add_unknown("figure", "Figure here", "none");
    section.add_truth("holds", "Satisfied", one.holds);
    if (one.changes_at)
      section.add("changes_at", "Changes the outcome at", *one.changes_at,
                  with_unit(*one.changes_at, description));
    else
      section.add_unknown("changes_at", "Changes the outcome at", "no value of its own that was tried");
    section.add_truth("decisive", "Decisive", one.decisive);
    section.decides = one.decisive;
    section.summary = (one.figure ? number_text(*one.figure) + ", " : std::string()) + "value " +
                      with_unit(one.setting, description) + (one.holds ? "" : ": not satisfied");
    if (one.changes_at) section.summary += "; changes at " + number_text(*one.changes_at);
    return section;
  }

  Report camera(size_t c) const {
    const BodyInCamera& body = place_.figures.cameras[c];
    Report section{project_.cameras[c].name};
    section.add("camera", "Camera", project_.cameras[c].name);
    section.add_truth("has_picture", "Has a picture", body.has_picture);
    section.add_number("inside", "Outline in the picture", body.inside, kPercent);
    section.add_truth("counts", "Sees at least half of it", body.counts);
    section.summary = summary(body);
    if (body.inside > 0) add_outline(body, &section);
    if (place_.detections && c < place_.detections->cameras.size()) add_detection(c, &section);
    return section;
  }

  std::string summary(const BodyInCamera& body) const {
    if (!body.has_picture) return "no picture";
    if (body.inside == 0) return "outside its picture";
    std::string text = percent(body.foreground) + " in the mask";
    if (!body.counts) text += ", less than half in the picture";
    if (body.covers >= 0 && body.in_front && body.covers_most >= 0.1)
      text += ", " + percent(body.covers_most) + " hidden by " + called(body.covers);
    return text;
  }

  void add_outline(const BodyInCamera& body, Report* to) const {
    to->add("box", "Expected around",
            fmt::format("x {:.0f} to {:.0f}, y {:.0f} to {:.0f} px", body.left_px, body.right_px, body.top_px,
                        body.bottom_px));
    to->add_number("foreground", "Of it in the mask", body.foreground, kPercent);
    to->add_number("undecided", "Of it undecided", body.undecided, kPercent);
    to->add_number("own", "Own outline", body.own, {"", 2});
    to->add_number("covered", "Covered by other people", body.covered, kPercent);
    if (body.covers < 0) return;
    to->add("covered_by", body.in_front ? "Hidden most by" : "Overlaps most, behind it", called(body.covers));
    to->add_number("covered_by_person", "That person covers", body.covers_most, kPercent);
  }

  void add_detection(size_t c, Report* to) const {
    constexpr const char* kAnswers[] = {"not_looked", "outside",      "hidden", "sees",
                                        "sees_head",  "other_person", "weak",   "nothing"};
    const CameraAtPlace& said = place_.detections->cameras[c];
    to->add("answer", "Detections", kAnswers[static_cast<size_t>(said.answer)], detections_[c]);
    if (said.answer == CameraAnswer::not_looked) return;
    to->add_number("visible", "Visible of a person here", said.visible, kPercent);
    to->add_number("in_mask", "Of that in the mask", said.in_mask, kPercent);
    if (said.head >= 0)
      to->add("head", "Head, by its number", static_cast<double>(said.head), std::to_string(said.head + 1));
    if (said.detection >= 0) {
      to->add("detection", "Box, by its number", static_cast<double>(said.detection),
              std::to_string(said.detection + 1));
      to->add_number("score", "Score of the box", said.score, {"", 2});
      to->add_number("overlap", "Overlap of the box", said.overlap, kPercent);
    }
    to->add_number("nats", "Evidence for a person here", said.nats, {"nats", 1, 1, true});
  }

  const WhyPlace& place_;
  const Project& project_;
  const std::span<const std::string> people_;
  std::vector<std::string> detections_;  // a description for each camera
};

}  // namespace

Report describe(const WhyPlace& place, const Project& project, std::span<const std::string> people) {
  return PlaceAnswer(place, project, people).make();
}

}  // namespace vantage
