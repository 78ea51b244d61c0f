// Tables of joints: DeepLabCut's CSV (lines scorer, individuals where there are several, bodyparts, coords;
// then a line a frame) and SLEAP's analysis CSV (track, frame_idx, instance.score, NODE.x, NODE.y,
// NODE.score; a line an instance). Joints count by their names.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/detections/formats/format.h"
#include "core/detections/formats/table.h"
#include "core/detections/skeletons.h"

namespace vantage::detections_detail {
namespace joint_tables {

constexpr size_t kFewestNamed = 5;  // joints named as a person's: fewer are another being's

// "left_ankle" of "LeftAnkle", "L_ankle", "ankle left".
std::string joint_name(std::string_view written) {
  std::vector<std::string> words(1);
  for (const char c : written) {
    const bool upper = c >= 'A' && c <= 'Z', letter = upper || (c >= 'a' && c <= 'z');
    if (upper || !letter) words.emplace_back();
    if (letter) words.back() += static_cast<char>(upper ? c - 'A' + 'a' : c);
  }
  std::erase(words, "");
  std::string side, name;
  for (const std::string& word : words)
    if (word == "left" || word == "l")
      side = "left_";
    else if (word == "right" || word == "r")
      side = "right_";
    else
      name += (name.empty() ? "" : "_") + word;
  return side + name;
}

// The columns of a person's joints; -1: there is none.
struct JointColumn {
  std::string name;
  int x = -1, y = -1, score = -1;
};

class JointRows {
 public:
  JointRows(const DetectionFileOptions& options, DetectionFile* file)
      : options_(options), file_(file), frames_(file) {}

  // Chooses the layout that has the most of the joints.
  void choose_layout(const std::vector<JointColumn>& joints);
  void add_person(int64_t frame, const std::vector<JointColumn>& joints,
                  const std::vector<std::string>& fields, const std::string& where);
  Frames& frames() { return frames_; }
  void finish(Numbers numbers) {
    file_->boxes_from_keypoints = true;
    frames_.finish(Gaps::empty, numbers, options_);
  }

 private:
  const DetectionFileOptions& options_;
  DetectionFile* file_;
  Frames frames_;
  const Skeleton* layout_ = nullptr;
};

void JointRows::choose_layout(const std::vector<JointColumn>& joints) {
  size_t most = kFewestNamed - 1;
  for (const char* name : {"COCO_17", "HALPE_26"}) {
    const Skeleton* layout = find_skeleton(name);
    const auto known = static_cast<size_t>(std::ranges::count_if(
        joints, [&](const JointColumn& joint) { return layout->joint(joint_name(joint.name)) >= 0; }));
    if (known > most) most = known, layout_ = layout;
  }
  std::string others;
  for (const JointColumn& joint : joints)
    if (layout_ && layout_->joint(joint_name(joint.name)) < 0) append_item(&others, joint.name);
  if (layout_) file_->skeleton = layout_->name;
  if (!others.empty()) file_->notes.push_back("joints that no skeleton here has left out: " + others);
  if (!layout_) file_->notes.emplace_back("joints are not named as a person's: boxes lie around all of them");
}

void JointRows::add_person(int64_t frame, const std::vector<JointColumn>& joints,
                           const std::vector<std::string>& fields, const std::string& where) {
  PersonDetection person;
  person.keypoints.resize(layout_ ? layout_->joints.size() : joints.size());
  const auto value = [&](int column) {
    return column >= 0 && column < static_cast<int>(fields.size())
               ? number_of_field(fields[static_cast<size_t>(column)], ',')
               : std::nullopt;
  };
  size_t seen = 0;
  for (size_t i = 0; i < joints.size(); ++i) {
    const int place = layout_ ? layout_->joint(joint_name(joints[i].name)) : static_cast<int>(i);
    const auto x = value(joints[i].x), y = value(joints[i].y);
    if (place < 0 || !x || !y) continue;
    const double score = joints[i].score >= 0 ? value(joints[i].score).value_or(0) : 1;
    person.keypoints[static_cast<size_t>(place)] = {static_cast<float>(*x), static_cast<float>(*y),
                                                    static_cast<float>(std::clamp(score, 0.0, 1.0))};
    ++seen;
  }
  if (seen == 0) return frames_.look(frame, where);
  if (!box_from_joints(file_->skeleton, &person)) {
    frames_.look(frame, where);
    return frames_.problem(where, "fewer than three joints were seen");
  }
  frames_.add(frame, std::move(person), where);
}

// ---- DeepLabCut

bool recognise_deep_lab_cut(const Source& source) {
  return !source.folder && !source.json && first_line(source.text).starts_with("scorer,");
}

// The lines above the rows, by their first field.
struct DlcHead {
  std::vector<std::string> individuals, parts, coords;
  size_t first = 1;  // column of the first value: behind the frame, or folders and the picture's name
  int64_t last_line = 0;
};

DlcHead head_of(std::string_view text) {
  DlcHead head;
  for_each_line(text, [&](int64_t number, std::string_view line) {
    if (number > 4) return;
    std::vector<std::string> fields = fields_of_row(line, ',');
    if (fields.empty()) return;
    const std::string name = fields[0];
    if (name == "scorer")
      while (head.first < fields.size() && fields[head.first].empty()) ++head.first;
    else if (name == "individuals")
      head.individuals = std::move(fields);
    else if (name == "bodyparts")
      head.parts = std::move(fields);
    else if (name == "coords")
      head.coords = std::move(fields);
    else
      return;
    head.last_line = number;
  });
  return head;
}

struct Individual {
  std::string name;
  std::vector<JointColumn> joints;
};

std::vector<Individual> individuals_of(const DlcHead& head) {
  std::vector<Individual> all;
  for (size_t column = head.first; column < std::min(head.parts.size(), head.coords.size()); ++column) {
    const std::string name = column < head.individuals.size() ? head.individuals[column] : std::string();
    auto one = std::ranges::find(all, name, &Individual::name);
    if (one == all.end()) one = all.insert(all.end(), {name, {}});
    auto joint = std::ranges::find(one->joints, head.parts[column], &JointColumn::name);
    if (joint == one->joints.end()) joint = one->joints.insert(one->joints.end(), {head.parts[column]});
    const std::string& coord = head.coords[column];
    const int index = static_cast<int>(column);
    (coord == "x" ? joint->x : coord == "y" ? joint->y : joint->score) = index;
  }
  return all;
}

Status read_deep_lab_cut(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  const DlcHead head = head_of(source.text);
  if (head.parts.empty() || head.coords.empty())
    return fail(ErrorKind::bad_data, "lines bodyparts and coords are expected behind scorer",
                source.path.string() + ", " + line_name(head.last_line + 1),
                "Export it again from DeepLabCut.");
  const std::vector<Individual> individuals = individuals_of(head);
  JointRows rows(options, file);
  if (!individuals.empty()) rows.choose_layout(individuals.front().joints);
  struct Row {
    std::string frame, where;
    std::vector<std::string> fields;
  };
  std::vector<Row> all;
  std::vector<std::string> pictures;
  for_each_line(source.text, [&](int64_t number, std::string_view line) {
    if (number <= head.last_line) return;
    Row row{{}, line_name(number), fields_of_row(line, ',')};
    if (row.fields.size() < head.first) return rows.frames().problem(row.where, "the frame is missing");
    row.frame = row.fields[head.first - 1];
    if (!to_number(row.frame)) pictures.push_back(row.frame);
    all.push_back(std::move(row));
  });
  PictureFrames named;
  if (!pictures.empty()) {
    VANTAGE_ASSIGN(named, frames_of_pictures(pictures, options, source.path.string()));
    tell(named, file);
  }
  for (const Row& row : all) {
    const auto known = named.frames.find(row.frame);
    const auto number = to_number(row.frame);
    if (known == named.frames.end() && (!number || !(*number >= 0 && *number <= 1e9))) {
      rows.frames().problem(row.where, "\"" + row.frame.substr(0, 60) + "\" is not a frame");
      continue;
    }
    const int64_t frame = known != named.frames.end() ? known->second : static_cast<int64_t>(*number);
    for (const Individual& one : individuals)
      rows.add_person(frame, one.joints, row.fields,
                      one.name.empty() ? row.where : row.where + ", " + one.name);
  }
  rows.finish(pictures.empty() || named.from_zero ? Numbers::from_zero : Numbers::from_one);
  return {};
}

// ---- SLEAP

std::vector<std::string> sleap_columns(const Source& source) {
  return fields_of_row(first_line(source.text), ',');
}

bool recognise_sleap(const Source& source) {
  if (source.folder || source.json) return false;
  const std::vector<std::string> columns = sleap_columns(source);
  return std::ranges::find(columns, "frame_idx") != columns.end() &&
         std::ranges::any_of(columns, [](const std::string& name) { return name.ends_with(".x"); });
}

Status read_sleap(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  const std::vector<std::string> columns = sleap_columns(source);
  const auto index = [&](const std::string& name) {
    const auto found = std::ranges::find(columns, name);
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
  };
  std::vector<JointColumn> joints;
  for (const std::string& column : columns)
    if (column.ends_with(".x")) {
      const std::string name = column.substr(0, column.size() - 2);
      joints.push_back({name, index(column), index(name + ".y"), index(name + ".score")});
    }
  JointRows rows(options, file);
  rows.choose_layout(joints);
  const auto frame_column = static_cast<size_t>(index("frame_idx"));
  bool head = true;
  for_each_line(source.text, [&](int64_t line, std::string_view text) {
    if (std::exchange(head, false)) return;
    const std::vector<std::string> fields = fields_of_row(text, ',');
    const auto frame = frame_column < fields.size() ? to_number(fields[frame_column]) : std::nullopt;
    if (!frame || !(*frame >= 0 && *frame <= 1e9))
      return rows.frames().problem(line_name(line), "a frame is expected as frame_idx");
    rows.add_person(static_cast<int64_t>(*frame), joints, fields, line_name(line));
  });
  rows.finish(Numbers::from_zero);
  return {};
}

}  // namespace joint_tables

const Format kDeepLabCut = {"DeepLabCut", joint_tables::recognise_deep_lab_cut,
                            joint_tables::read_deep_lab_cut,
                            "CSV with lines scorer, bodyparts and coords; joints by name; frames from 0"};
const Format kSleap = {"SLEAP", joint_tables::recognise_sleap, joint_tables::read_sleap,
                       "analysis CSV with frame_idx and columns NODE.x, NODE.y; frames from 0"};

}  // namespace vantage::detections_detail
