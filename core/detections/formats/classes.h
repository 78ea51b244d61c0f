// Which of a file's classes are people: by their names, else by what a person said, else by the format's own
// list where the numbers in the file fit it; private to core/detections.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/detections/detection_file.h"

namespace vantage::detections_detail {

// The list that a format's numbers are of where a file names none.
enum class ClassList {
  none,
  mot_challenge,  // 1 to 13: 1 a pedestrian, 2 on a vehicle, 7 standing still; -1 none
  coco,           // 1 to 90, 1 a person
  yolo,           // from 0, 0 a person
  single          // one class alone, 0 or 1; formerly MOTChallenge's
};

// A class as a file writes it ("2", "2.0", "car"), and its name where the file has a list of them.
struct FileClasses {
  std::map<std::string, int64_t> boxes;      // by class; "": boxes without a class
  std::map<std::string, std::string> names;  // by class, from the file's list
  bool listed = false;                       // there is such a list
};

std::string class_text(std::string_view field);  // "2" of "2.0", without quotes and blanks
bool names_person(std::string_view name);        // "Person", "pedestrians", "Person_sitting"; not "car"

// The classes that are people, each with true. An error (invalid_argument) that asks with the counts of each
// class where nothing says it. What is left out and what was taken for granted goes into the file's notes.
Result<std::map<std::string, bool>> choose_people(const FileClasses& classes, ClassList list,
                                                  const DetectionFileOptions& options,
                                                  const std::string& where, DetectionFile* file);

// "names: [person, car]" of a data.yaml, or a name a line, as classes.txt has them; by number from 0.
std::map<std::string, std::string> parse_class_names(std::string_view text, bool yaml);

}  // namespace vantage::detections_detail
