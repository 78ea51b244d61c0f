#include "core/detections/formats/classes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/detections/formats/format.h"

namespace vantage::detections_detail {
namespace {

constexpr std::string_view kPeople[] = {
    "person", "persons", "people", "pedestrian", "pedestrians", "ped",     "human",  "humans", "man",
    "men",    "woman",   "women",  "boy",        "boys",        "girl",    "girls",  "child",  "children",
    "kid",    "kids",    "adult",  "adults",     "walker",      "walkers", "player", "players"};
// Words that, next to a word for people, show that the box is something else.
constexpr std::string_view kNotThePerson[] = {
    "no",   "non",    "not",     "head",       "heads",      "face",   "faces", "hand",  "hands", "foot",
    "feet", "ignore", "ignored", "distractor", "reflection", "poster", "group", "crowd", "like"};
// Classes that are not people, so that a file with only these needs no question.
constexpr std::string_view kThings[] = {
    "bicycle",      "bike",        "car",        "cars",      "motorcycle", "motorbike",   "airplane",
    "aeroplane",    "bus",         "train",      "truck",     "van",        "tram",        "boat",
    "ship",         "vehicle",     "vehicles",   "trailer",   "tractor",    "cyclist",     "cyclists",
    "dontcare",     "misc",        "background", "traffic",   "fire",       "stop",        "parking",
    "bench",        "bird",        "cat",        "dog",       "horse",      "sheep",       "cow",
    "elephant",     "bear",        "zebra",      "giraffe",   "backpack",   "umbrella",    "handbag",
    "tie",          "suitcase",    "frisbee",    "skis",      "snowboard",  "sports",      "ball",
    "kite",         "baseball",    "skateboard", "surfboard", "tennis",     "bottle",      "wine",
    "cup",          "fork",        "knife",      "spoon",     "bowl",       "banana",      "apple",
    "sandwich",     "orange",      "broccoli",   "carrot",    "hot",        "pizza",       "donut",
    "cake",         "chair",       "couch",      "sofa",      "potted",     "pottedplant", "bed",
    "dining",       "diningtable", "toilet",     "tv",        "tvmonitor",  "laptop",      "mouse",
    "remote",       "keyboard",    "cell",       "microwave", "oven",       "toaster",     "sink",
    "refrigerator", "book",        "clock",      "vase",      "scissors",   "teddy",       "hair",
    "toothbrush",   "table",       "door",       "bag",       "animal"};

template <typename List>
bool lists(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::vector<std::string> words_in(std::string_view name) {
  const std::string text = lower(name);
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + ' ') {
    if (is_letter(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

bool names_thing(std::string_view name) {
  const std::vector<std::string> words = words_in(name);
  return std::any_of(words.begin(), words.end(), [](const auto& word) { return lists(kThings, word); }) ||
         (!names_person(name) && std::any_of(words.begin(), words.end(),
                                             [](const auto& word) { return lists(kNotThePerson, word); }));
}

bool is_number(const std::string& text) {
  return to_number(text).has_value();
}

// All numbers beyond the lists of classes are treated alike.
int64_t class_number(double number) {
  constexpr double kBeyond = 1e9;
  return std::isfinite(number) ? static_cast<int64_t>(std::clamp(number, -kBeyond, kBeyond)) : -1;
}

std::string counted(int64_t boxes, const std::string& name) {
  return std::to_string(boxes) + (boxes == 1 ? " box of class " : " boxes of class ") + name;
}

class Choice {
 public:
  Choice(const FileClasses& classes, ClassList list, const DetectionFileOptions& options,
         const std::string& where, DetectionFile* file)
      : classes_(classes), list_(list), options_(options), where_(where), file_(file) {}

  Result<std::map<std::string, bool>> choose() {
    if (!options_.person_class.empty() && !(classes_.boxes.size() == 1 && classes_.boxes.contains(""))) {
      as_asked();
    } else if (any_named()) {
      if (!by_names()) return question();
    } else if (!by_list()) {
      return question();
    }
    people_[""] = true;
    tell();
    return people_;
  }

 private:
  // The file's name for a class, or the class itself where it is a name.
  std::string name_of(const std::string& of) const {
    if (const auto known = classes_.names.find(of); known != classes_.names.end()) return known->second;
    return is_number(of) ? std::string() : of;
  }
  std::string shown(const std::string& of) const {
    const std::string name = name_of(of);
    return name.empty() || name == of ? of : of + " (" + name + ")";
  }
  bool any_named() const {
    return classes_.listed || std::any_of(classes_.boxes.begin(), classes_.boxes.end(), [&](const auto& one) {
             return !one.first.empty() && !name_of(one.first).empty();
           });
  }

  void as_asked() {
    std::set<std::string> asked;
    for (const std::string_view word : csv_fields(options_.person_class))
      asked.insert(lower(class_text(word)));
    for (const auto& [of, boxes] : classes_.boxes)
      people_[of] = asked.contains(lower(of)) || asked.contains(lower(name_of(of)));
    const bool none =
        std::none_of(people_.begin(), people_.end(), [](const auto& one) { return one.second; });
    if (none && !classes_.boxes.empty())
      file_->notes.push_back("no box is of class " + options_.person_class);
  }

  // False where none of the names is known for people, and some are not known for things either.
  bool by_names() {
    bool person = false, unknown = false;
    for (const auto& [of, name] : classes_.names) person = person || names_person(name);
    for (const auto& [of, boxes] : classes_.boxes) {
      if (of.empty()) continue;
      const std::string name = name_of(of);
      people_[of] = names_person(name);
      person = person || people_[of];
      unknown = unknown || !(people_[of] || names_thing(name));
    }
    return person || !unknown;
  }

  // For classes that are numbers without names in the file.
  bool by_list() {
    std::set<int64_t> numbers;
    for (const auto& [of, boxes] : classes_.boxes)
      if (const auto number = to_number(of)) numbers.insert(class_number(*number));
    std::erase_if(numbers, [](int64_t number) { return number < 0; });
    const auto all = [&](int64_t low, int64_t high) {
      return numbers.empty() || (*numbers.begin() >= low && *numbers.rbegin() <= high);
    };
    std::set<int64_t> people;
    if (list_ == ClassList::mot_challenge && all(1, 13)) {
      people = {1, 2, 7};
    } else if (numbers.size() <= 1 && all(0, list_ == ClassList::yolo ? 0 : 1)) {
      people = {0, 1};
    } else if (options_.ask) {
      return false;
    } else if (list_ == ClassList::coco && all(1, 90)) {
      people = {1};
      assumed_ = "class 1 is taken for people, as in COCO's list";
    } else if (list_ == ClassList::single && all(1, 13)) {
      people = {1, 2, 7};
      assumed_ = "classes 1, 2 and 7 are taken for people, as in MOTChallenge's list";
    } else if (list_ == ClassList::yolo) {
      people = {0};
      assumed_ = "class 0 is taken for people, as in YOLO's usual list";
    } else {
      return false;
    }
    for (const auto& [of, boxes] : classes_.boxes) {
      const auto number = to_number(of);
      people_[of] = !number || *number < 0 || people.contains(class_number(*number));
    }
    return true;
  }

  void tell() {
    if (!assumed_.empty()) file_->notes.push_back("no names of the classes are given: " + assumed_);
    std::string left_out;
    for (const auto& [of, boxes] : classes_.boxes)
      if (!people_[of]) append_item(&left_out, counted(boxes, shown(of)));
    if (!left_out.empty()) file_->notes.push_back(left_out + " left out");
  }

  tl::unexpected<Error> question() const {
    std::string counts, example;
    for (const auto& [of, boxes] : classes_.boxes) {
      if (of.empty()) continue;
      if (example.empty()) example = of;
      append_item(&counts, counted(boxes, shown(of)));
    }
    return fail(ErrorKind::invalid_argument, "the class of people is not stated: " + counts, where_,
                "State it with --person-class " + example + ", or another; several as 0,1.");
  }

  const FileClasses& classes_;
  const ClassList list_;
  const DetectionFileOptions& options_;
  const std::string& where_;
  DetectionFile* file_;
  std::map<std::string, bool> people_;
  std::string assumed_;
};

// The value of a "names:" key written on one line: [person, 'car'] or {0: person, 1: car}.
void add_flow_names(std::string_view text, std::map<std::string, std::string>* names) {
  const bool map = text.front() == '{';
  text.remove_prefix(1);
  text = text.substr(0, text.find_first_of("]}"));
  for (const std::string_view field : csv_fields(text)) {
    const size_t colon = map ? field.find(':') : std::string_view::npos;
    const std::string number =
        map ? class_text(field.substr(0, colon)) : std::to_string(static_cast<int64_t>(names->size()));
    if (!field.empty())
      (*names)[number] = class_text(colon == std::string_view::npos ? field : field.substr(colon + 1));
  }
}

}  // namespace

std::string class_text(std::string_view field) {
  field = trimmed(field);
  while (field.size() >= 2 && (field.front() == '"' || field.front() == '\'') &&
         field.back() == field.front())
    field = trimmed(field.substr(1, field.size() - 2));
  const auto number = to_number(field);
  if (number && *number == static_cast<double>(static_cast<int32_t>(std::clamp(*number, -1e9, 1e9))))
    return std::to_string(static_cast<int32_t>(*number));
  return std::string(field);
}

bool names_person(std::string_view name) {
  bool person = false;
  for (const std::string& word : words_in(name)) {
    if (lists(kNotThePerson, word)) return false;
    person = person || lists(kPeople, word);
  }
  return person;
}

Result<std::map<std::string, bool>> choose_people(const FileClasses& classes, ClassList list,
                                                  const DetectionFileOptions& options,
                                                  const std::string& where, DetectionFile* file) {
  return Choice(classes, list, options, where, file).choose();
}

std::map<std::string, std::string> parse_class_names(std::string_view text, bool yaml) {
  std::map<std::string, std::string> names;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  bool within = !yaml;
  for_each_line(text, [&](int64_t, std::string_view line) {
    const std::string_view value = trimmed(line);
    if (!yaml) {
      names[std::to_string(names.size())] = class_text(value);
      return;
    }
    if (value.starts_with("names:")) {
      const std::string_view rest = trimmed(value.substr(6));
      within = rest.empty();
      if (rest.starts_with('[') || rest.starts_with('{')) add_flow_names(rest, &names);
      return;
    }
    if (!within || value.starts_with('#')) return;
    const size_t colon = value.find(':');
    if (value.starts_with('-'))
      names[std::to_string(names.size())] = class_text(value.substr(1));
    else if (colon != std::string_view::npos && to_number(trimmed(value.substr(0, colon))))
      names[class_text(value.substr(0, colon))] = class_text(value.substr(colon + 1));
    else
      within = false;
  });
  return names;
}

}  // namespace vantage::detections_detail
