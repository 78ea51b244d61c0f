// CVAT's XML: tracks of boxes, or boxes by picture.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <pugixml.hpp>

#include "core/detections/cvat_file.h"
#include "core/detections/formats/format.h"

namespace vantage {
namespace {

constexpr size_t kBeginning = 4096, kToldProblems = 20;
constexpr int64_t kMaxBetween = 2'000'000;  // boxes: more are not annotations

// Lines by offset, found once in ascending order.
class CvatText {
 public:
  CvatText(std::string_view text, CvatFile* file) : text_(text), file_(file) {}

  std::string line_of(ptrdiff_t offset) {
    const auto at = std::min(text_.size(), static_cast<size_t>(std::max<ptrdiff_t>(0, offset)));
    if (at < counted_) line_ = 1, counted_ = 0;
    line_ += std::count(text_.begin() + static_cast<ptrdiff_t>(counted_),
                        text_.begin() + static_cast<ptrdiff_t>(at), '\n');
    counted_ = at;
    return detections_detail::line_name(line_);
  }
  void problem(const std::string& where, const std::string& what) {
    ++file_->skipped;
    if (file_->problems.size() < kToldProblems) file_->problems.push_back(where + ": " + what);
  }
  void read_track(const pugi::xml_node& track);
  void read_image(const pugi::xml_node& image);

 private:
  std::optional<CvatBox> box_of(const pugi::xml_node& node, const char* label);

  std::string_view text_;
  CvatFile* file_;
  size_t counted_ = 0;
  int64_t line_ = 1;
};

std::optional<double> number_in(const pugi::xml_node& node, const char* name) {
  return detections_detail::to_number(node.attribute(name).value());
}

std::optional<int64_t> whole_in(const pugi::xml_node& node, const char* name) {
  const auto number = number_in(node, name);
  if (!number || std::abs(*number) > 1e9 || *number != std::floor(*number)) return std::nullopt;
  return static_cast<int64_t>(*number);
}

std::optional<CvatBox> CvatText::box_of(const pugi::xml_node& node, const char* label) {
  if (std::strcmp(node.name(), "box") != 0) {
    for (const char* other : {"polygon", "polyline", "points", "cuboid", "ellipse", "mask", "skeleton"})
      file_->other_shapes += std::strcmp(node.name(), other) == 0;
    return std::nullopt;
  }
  CvatBox box;
  box.where = line_of(node.offset_debug());
  box.label = label;
  double* const values[] = {&box.left_px, &box.top_px, &box.right_px, &box.bottom_px};
  const char* const names[] = {"xtl", "ytl", "xbr", "ybr"};
  for (int i = 0; i < 4; ++i) {
    const auto number = number_in(node, names[i]);
    if (!number) {
      problem(box.where, std::string("a number is expected as ") + names[i]);
      return std::nullopt;
    }
    *values[i] = *number;
  }
  const double turn = number_in(node, "rotation").value_or(0) * M_PI / 180;
  if (turn != 0) {
    const double x = (box.left_px + box.right_px) / 2, y = (box.top_px + box.bottom_px) / 2,
                 c = std::abs(std::cos(turn)), s = std::abs(std::sin(turn)),
                 w = (box.right_px - box.left_px) / 2, h = (box.bottom_px - box.top_px) / 2;
    box.left_px = x - w * c - h * s, box.right_px = x + w * c + h * s;
    box.top_px = y - w * s - h * c, box.bottom_px = y + w * s + h * c;
  }
  return box;
}

void CvatText::read_track(const pugi::xml_node& node) {
  CvatTrack track;
  track.label = node.attribute("label").value();
  track.person = detections_detail::names_person(track.label);
  track.id = whole_in(node, "id").value_or(static_cast<int64_t>(file_->tracks.size()));
  for (const pugi::xml_node& child : node.children()) {
    std::optional<CvatBox> box = box_of(child, track.label.c_str());
    if (!box) continue;
    const auto frame = whole_in(child, "frame");
    if (!frame || *frame < 0) {
      problem(box->where, "a frame, counted from 0, is expected");
      continue;
    }
    box->frame = *frame, box->outside = child.attribute("outside").as_int() != 0;
    for (const pugi::xml_node& attribute : child.children("attribute"))
      for (const char* id : {"id", "ID", "track_id"})
        if (std::strcmp(attribute.attribute("name").value(), id) == 0)
          if (const auto number = detections_detail::to_number(attribute.text().get());
              number && std::abs(*number) < 1e9)
            track.id = static_cast<int64_t>(*number);
    track.boxes.push_back(std::move(*box));
  }
  std::ranges::stable_sort(track.boxes, {}, &CvatBox::frame);
  const auto twice = std::ranges::adjacent_find(track.boxes, {}, &CvatBox::frame);
  if (twice != track.boxes.end()) problem(std::next(twice)->where, "its track has another box in this frame");
  const auto same = [](const CvatBox& a, const CvatBox& b) { return a.frame == b.frame; };
  track.boxes.erase(std::unique(track.boxes.begin(), track.boxes.end(), same), track.boxes.end());
  file_->tracks.push_back(std::move(track));
}

void CvatText::read_image(const pugi::xml_node& node) {
  CvatImage image;
  image.id = whole_in(node, "id").value_or(static_cast<int64_t>(file_->images.size()));
  image.name = node.attribute("name").value();
  for (const pugi::xml_node& child : node.children())
    if (auto box = box_of(child, child.attribute("label").value())) image.boxes.push_back(std::move(*box));
  file_->images.push_back(std::move(image));
}

// CVAT lists every frame of a track; other programs the key frames alone.
Status fill_between(CvatFile* file, const std::string& where) {
  int64_t added = 0;
  for (CvatTrack& track : file->tracks) {
    std::vector<CvatBox> all;
    for (const CvatBox& next : track.boxes) {
      const std::optional<CvatBox> last = all.empty() ? std::nullopt : std::optional(all.back());
      for (int64_t frame = last && !last->outside ? last->frame + file->step : next.frame; frame < next.frame;
           frame += file->step) {
        if (++added > kMaxBetween)
          return fail(ErrorKind::bad_data, "leaves more frames between its boxes than a recording has",
                      where + ", " + next.where, "Export it again as CVAT for video 1.1.");
        CvatBox box = *last;
        box.frame = frame;
        if (!next.outside) {
          const double share =
              static_cast<double>(frame - last->frame) / static_cast<double>(next.frame - last->frame);
          for (const auto side :
               {&CvatBox::left_px, &CvatBox::top_px, &CvatBox::right_px, &CvatBox::bottom_px})
            box.*side += share * (next.*side - box.*side);
        }
        all.push_back(std::move(box));
      }
      all.push_back(next);
    }
    track.boxes = std::move(all);
  }
  return {};
}

}  // namespace

bool names_cvat(std::string_view text) {
  const std::string_view beginning = text.substr(0, kBeginning);
  const size_t first = beginning.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && beginning[first] == '<' &&
         beginning.find("<annotations") != std::string_view::npos;
}

Result<CvatFile> parse_cvat(std::string_view text, const std::string& where) {
  CvatFile file;
  CvatText lines(text, &file);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed)
    return fail(ErrorKind::bad_data, std::string("is not well-formed XML: ") + parsed.description(),
                where + ", " + lines.line_of(parsed.offset), "Export it again, or copy it again.");
  const pugi::xml_node root = document.child("annotations");
  const std::string filter = root.child("meta").child("task").child("frame_filter").text().get();
  if (filter.starts_with("step="))
    file.step = std::clamp<int64_t>(
        static_cast<int64_t>(detections_detail::to_number(filter.substr(5)).value_or(1)), 1, 1'000'000);
  for (const pugi::xml_node& node : root.children()) {
    if (std::strcmp(node.name(), "track") == 0) lines.read_track(node);
    if (std::strcmp(node.name(), "image") == 0) lines.read_image(node);
  }
  VANTAGE_TRY(fill_between(&file, where));
  return file;
}

namespace detections_detail {
namespace cvat {

bool recognise(const Source& source) {
  return !source.folder && !source.json && names_cvat(source.text);
}

PersonDetection person_in(const CvatBox& box) {
  PersonDetection person;
  person.left_px = static_cast<float>(box.left_px), person.top_px = static_cast<float>(box.top_px);
  person.width_px = static_cast<float>(box.right_px - box.left_px);
  person.height_px = static_cast<float>(box.bottom_px - box.top_px);
  return person;
}

// Pictures' frames by their names, else by their numbers in the task.
Status read_images(const CvatFile& cvat, const Source& source, const DetectionFileOptions& options,
                   DetectionFile* file, Frames* frames, Numbers* numbers) {
  std::vector<std::string> names;
  for (const CvatImage& image : cvat.images) names.push_back(image.name);
  auto named = frames_of_pictures(names, options, source.path.string());
  if (!named && named.error().kind != ErrorKind::not_found) return fail(named.error());
  if (named) tell(*named, file);
  if (!named) file->frames_said = "frames are the pictures' numbers in the task";
  for (const CvatImage& image : cvat.images) {
    int64_t frame = image.id;
    if (named) {
      const auto known = named->frames.find(image.name);
      if (known == named->frames.end()) continue;  // told as left out
      frame = known->second;
    }
    frames->look(frame, image.name);
    for (const CvatBox& box : image.boxes) frames->add(frame, person_in(box), box.where, box.label);
  }
  *numbers = named && !named->from_zero ? Numbers::from_one : Numbers::from_zero;
  return {};
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  VANTAGE_ASSIGN(const CvatFile cvat, parse_cvat(source.text, source.path.string()));
  Frames frames(file);
  file->skipped = cvat.skipped, file->problems = cvat.problems;
  Numbers numbers = Numbers::from_zero;
  if (!cvat.images.empty()) VANTAGE_TRY(read_images(cvat, source, options, file, &frames, &numbers));
  for (const CvatTrack& track : cvat.tracks)
    for (const CvatBox& box : track.boxes)
      if (box.outside)
        frames.look(box.frame, box.where);
      else
        frames.add(box.frame, person_in(box), box.where, box.label);
  if (cvat.other_shapes > 0)
    file->notes.push_back(std::to_string(cvat.other_shapes) + " shapes that are not boxes left out");
  VANTAGE_TRY(frames.keep_people({}, ClassList::none, options, source.path.string()));
  frames.finish(cvat.images.empty() ? Gaps::empty : Gaps::unknown, numbers, options);
  return {};
}

}  // namespace cvat

const Format kCvat = {"CVAT", cvat::recognise, cvat::read,
                      "XML for video 1.1 (tracks) or images 1.1, boxes with labels; frames from 0"};

}  // namespace detections_detail

}  // namespace vantage
