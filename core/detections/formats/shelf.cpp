// Joints and part affinities of a complete picture, as stored by 4D Association (Zhang et al., CVPR 2020): "4
// FRAMES" (4: BODY_25), then for each frame 25 times N and rows of N x, N y, N scores, in shares of the
// picture less a pixel, and 26 matrices of affinities between the joints of a limb's two ends. People are
// assembled as in OpenPose: limbs by descending affinity, each joint in one limb of a kind.
#include <algorithm>
#include <array>
#include <numeric>

#include "core/detections/formats/format.h"
#include "core/detections/skeletons.h"

namespace vantage::detections_detail {
namespace shelf {

constexpr size_t kJoints = 25;
struct Limb {
  size_t from, to;
};
constexpr std::array<Limb, 26> kLimbs = {
    {{1, 8},   {9, 10},  {10, 11}, {8, 9},   {8, 12},  {12, 13}, {13, 14}, {1, 2},  {2, 3},
     {3, 4},   {2, 17},  {1, 5},   {5, 6},   {6, 7},   {5, 18},  {1, 0},   {0, 15}, {0, 16},
     {15, 17}, {16, 18}, {14, 19}, {19, 20}, {14, 21}, {11, 22}, {22, 23}, {11, 24}}};
constexpr double kLowestAffinity = 0.2;
constexpr size_t kFewestJoints = 4;

struct Candidate {
  size_t limb, from, to;  // indices of joints of all kinds
  double affinity;
};

// Growing sets of joints; two that contain a joint of the same kind stay apart.
class Bodies {
 public:
  explicit Bodies(const std::vector<size_t>& kinds) : body_(kinds.size()) {
    std::iota(body_.begin(), body_.end(), size_t{0});
    for (size_t i = 0; i < kinds.size(); ++i) kinds_.push_back(1U << kinds[i]);
  }
  bool join(size_t a, size_t b) {
    const size_t x = body_[a], y = body_[b];
    if (x == y) return true;
    if (kinds_[x] & kinds_[y]) return false;
    kinds_[x] |= kinds_[y];
    std::replace(body_.begin(), body_.end(), y, x);
    return true;
  }
  size_t of(size_t joint) const { return body_[joint]; }

 private:
  std::vector<size_t> body_;
  std::vector<uint32_t> kinds_;
};

class Reader {
 public:
  Reader(const Source& source, const DetectionFileOptions& options, DetectionFile* file, Frames* frames)
      : text_(source.text), options_(options), file_(file), frames_(frames) {}

  void read() {
    (void)next();  // the layout, recognised before
    const auto count = static_cast<int64_t>(next());
    for (int64_t frame = 0; frame < count; ++frame) {
      const std::string where = "frame " + std::to_string(frame);
      if (!read_frame(frame))
        return frames_->problem(where + " and what follows", "it is truncated or not a number");
    }
  }

 private:
  double next() {
    const size_t begin = text_.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return failed_ = true, 0;
    text_.remove_prefix(begin);
    const size_t end = std::min(text_.find_first_of(" \t\r\n"), text_.size());
    const auto number = to_number(text_.substr(0, end));
    text_.remove_prefix(end);
    if (!number) failed_ = true;
    return number.value_or(0);
  }
  // The length of a list, at most what the text can contain.
  size_t next_count() {
    const double count = next();
    if (count < 0 || count > 1000) failed_ = true;
    return failed_ ? 0 : static_cast<size_t>(count);
  }

  bool read_frame(int64_t frame) {
    std::vector<Keypoint> joints;
    std::vector<size_t> kinds;
    std::array<size_t, kJoints + 1> first = {};
    for (size_t kind = 0; kind < kJoints; ++kind) {
      const size_t count = next_count();
      first[kind] = joints.size();
      joints.resize(joints.size() + count);
      kinds.resize(joints.size(), kind);
      for (size_t i = 0; i < count; ++i)
        joints[first[kind] + i].x_px = static_cast<float>(next() * (options_.width_px - 1));
      for (size_t i = 0; i < count; ++i)
        joints[first[kind] + i].y_px = static_cast<float>(next() * (options_.height_px - 1));
      for (size_t i = 0; i < count; ++i)
        joints[first[kind] + i].score = static_cast<float>(std::clamp(next(), 0.0, 1.0));
    }
    first[kJoints] = joints.size();
    std::vector<Candidate> candidates;
    for (size_t limb = 0; limb < kLimbs.size(); ++limb)
      for (size_t a = first[kLimbs[limb].from]; a < first[kLimbs[limb].from + 1]; ++a)
        for (size_t b = first[kLimbs[limb].to]; b < first[kLimbs[limb].to + 1]; ++b)
          if (const double affinity = next(); affinity >= kLowestAffinity)
            candidates.push_back({limb, a, b, affinity});
    if (failed_) return false;
    add_people(frame, joints, kinds, std::move(candidates));
    return true;
  }

  void add_people(int64_t frame, const std::vector<Keypoint>& joints, const std::vector<size_t>& kinds,
                  std::vector<Candidate> candidates) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.affinity > b.affinity; });
    Bodies bodies(kinds);
    std::vector<uint32_t> used_from(joints.size()), used_to(joints.size());
    for (const Candidate& c : candidates) {
      const uint32_t bit = 1U << c.limb;
      if ((used_from[c.from] & bit) || (used_to[c.to] & bit) || !bodies.join(c.from, c.to)) continue;
      used_from[c.from] |= bit, used_to[c.to] |= bit;
    }
    const std::string where = "frame " + std::to_string(frame);
    frames_->look(frame, where);
    for (size_t body = 0; body < joints.size(); ++body) {
      PersonDetection person;
      person.keypoints.resize(kJoints);
      size_t seen = 0;
      for (size_t i = 0; i < joints.size(); ++i)
        if (bodies.of(i) == body) person.keypoints[kinds[i]] = joints[i], ++seen;
      if (seen >= kFewestJoints && box_from_joints(file_->skeleton, &person))
        frames_->add(frame, std::move(person), where);
    }
  }

  std::string_view text_;
  const DetectionFileOptions& options_;
  DetectionFile* file_;
  Frames* frames_;
  bool failed_ = false;
};

bool recognise(const Source& source) {
  if (source.folder || source.json) return false;
  const std::string first = first_line(source.text);
  const auto numbers = to_numbers(split_fields(first, ' '));
  if (!numbers || numbers->size() != 2 || (*numbers)[0] != 4 || (*numbers)[1] < 1) return false;
  const std::string second = first_line(std::string_view(source.text).substr(source.text.find('\n') + 1));
  return split_fields(second, ' ').size() == 1;
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  if (options.width_px <= 0 || options.height_px <= 0)
    return fail(ErrorKind::invalid_argument, "the joints are shares of the picture, whose size is not known",
                source.path.string(), "Give the camera's picture size, a video or a calibration.");
  file->width_px = options.width_px, file->height_px = options.height_px;
  file->skeleton = "BODY_25";
  file->boxes_from_keypoints = true;
  Frames frames(file);
  Reader(source, options, file, &frames).read();
  frames.finish(Gaps::unknown, Numbers::from_zero, options);
  return {};
}

}  // namespace shelf

const Format kShelf = {"4D Association", shelf::recognise, shelf::read,
                       "joints (BODY_25) and part affinities of one camera, all frames in one file; from 0"};

}  // namespace vantage::detections_detail
