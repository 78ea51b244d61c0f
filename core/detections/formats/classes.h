// Decides which of a file's classes are people: by their names, else by the user's choice, else by the
// format's own list where the numbers in the file fit it; private to core/detections.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/detections/detection_file.h"

namespace vantage::detections_detail {

// The list of numbers that a format uses where a file has no names.
enum class ClassList {
  none,
  mot_challenge,  // 1 to 13: 1 a pedestrian, 2 on a vehicle, 7 standing still; -1 none
  coco,           // 1 to 90, 1 a person
  yolo,           // class numbers start at 0; 0 is a person
  single          // one class alone, 0 or 1; formerly MOTChallenge's
};

// Classes as a file writes them ("2", "2.0", "car"), and their names where the file has a list.
struct FileClasses {
  std::map<std::string, int64_t> boxes;      // keyed by class; "": boxes without a class
  std::map<std::string, std::string> names;  // keyed by class, from the file's list
  bool listed = false;                       // there is such a list
};

std::string class_text(std::string_view field);  // "2" of "2.0", without quotes and blanks
bool names_person(std::string_view name);        // "Person", "pedestrians", "Person_sitting"; not "car"

// The classes, each true for people. An undecidable case is an error (invalid_argument), which asks with the
// number of boxes of each class. Omissions and assumptions are added to the file's notes.
Result<std::map<std::string, bool>> choose_people(const FileClasses& classes, ClassList list,
                                                  const DetectionFileOptions& options,
                                                  const std::string& where, DetectionFile* file);

// Names by number from 0: "names: [person, car]" of a data.yaml, or one name per line of a classes.txt.
std::map<std::string, std::string> parse_class_names(std::string_view text, bool yaml);

}  // namespace vantage::detections_detail
