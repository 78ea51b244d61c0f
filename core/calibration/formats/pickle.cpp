// Python's pickles, protocol 2 to 5, as far as they hold data: numbers, texts, lists, dictionaries and
// NumPy's arrays. A pickle is a program for a stack machine that may call anything; here the few calls by
// which NumPy describes an array are known by name, and no other is followed. Sources: Python's
// Lib/pickletools.py (the operations), NumPy's numpy/_core/src/multiarray/methods.c (array_reduce,
// array_setstate).

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <map>
#include <utility>

#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {
namespace {

using nlohmann::json;
static_assert(std::endian::native == std::endian::little, "numbers of pickles are little-endian");

struct Value;
using ValuePtr = Value*;  // of the reader: values may hold each other in a circle

struct Value {
  enum class Kind { none, boolean, whole, real, text, bytes, list, dictionary, named, type, array, mark };
  Kind kind = Kind::none;
  int64_t whole = 0;  // of `boolean`, too
  double real = 0;
  std::string text;  // of `bytes`, `named` ("numpy dtype"), `type` ("<f8") and an array's data, too
  std::vector<ValuePtr> items;  // of a dictionary: key, value, key, value, ...
  std::vector<int64_t> shape;   // of an array
  ValuePtr type = nullptr;      // of an array
  bool by_columns = false;      // an array in Fortran's order
};
using Kind = Value::Kind;

// Numbers in what a pickle describes: memos make it larger than the file.
constexpr size_t kMaxValues = 100'000;
constexpr int kMaxDepth = 16;
constexpr size_t kMaxNameBytes = 200;
// Bytes of all texts and data: calls copy what they are given, and may be given the same again and again.
constexpr size_t kMaxBytes = size_t{64} << 20;

struct Broken {
  std::string what;
};

// The bytes that Python calls latin1 of a text in UTF-8: old protocols keep bytes so.
std::string bytes_of_latin1(const std::string& utf8) {
  std::string bytes;
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto first = static_cast<unsigned char>(utf8[i]);
    if (first < 0x80) {
      bytes += utf8[i];
      continue;
    }
    if ((first != 0xC2 && first != 0xC3) || i + 1 == utf8.size()) throw Broken{"holds bytes beyond 255"};
    bytes += static_cast<char>(((first & 3) << 6) | (static_cast<unsigned char>(utf8[++i]) & 0x3F));
  }
  return bytes;
}

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  // Lives as long as the reader.
  const Value& read() {
    for (;;) {
      const auto operation = static_cast<unsigned char>(bytes(1)[0]);
      if (operation == '.') return *pop();
      apply(operation);
    }
  }

 private:
  ValuePtr made(Kind kind, std::string text = {}) {
    count(text.size());
    Value& value = values_.emplace_back();
    value.kind = kind, value.text = std::move(text);
    return &value;
  }

  void count(size_t bytes) {
    if ((bytes_ += bytes) > kMaxBytes) throw Broken{"holds too much for a calibration"};
  }

  ValuePtr whole_value(int64_t number) {
    const ValuePtr value = made(Kind::whole);
    value->whole = number;
    return value;
  }

  std::string bytes(uint64_t count) {
    if (count > text_.size() - at_) throw Broken{"is cut off"};
    at_ += count;
    return text_.substr(at_ - count, count);
  }

  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
    return value;
  }

  std::string line() {
    const size_t end = text_.find('\n', at_);
    if (end == std::string::npos) throw Broken{"is cut off"};
    std::string line = text_.substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }

  void push(ValuePtr value) { stack_.push_back(value); }

  ValuePtr top() const {
    if (stack_.empty()) throw Broken{"takes more than it holds"};
    return stack_.back();
  }

  ValuePtr pop() {
    ValuePtr value = top();
    stack_.pop_back();
    return value;
  }

  std::vector<ValuePtr> pop_to_mark() {
    std::vector<ValuePtr> items;
    while (top()->kind != Kind::mark) items.push_back(pop());
    stack_.pop_back();
    std::reverse(items.begin(), items.end());
    return items;
  }

  void append(std::vector<ValuePtr> items, Kind kind) {
    const ValuePtr target = top();
    if (target->kind != kind || (kind == Kind::dictionary && items.size() % 2 != 0))
      throw Broken{"adds to a value that is not a list or dictionary"};
    target->items.insert(target->items.end(), items.begin(), items.end());
  }

  void push_list(std::vector<ValuePtr> items) {
    push(made(Kind::list));
    top()->items = std::move(items);
  }

  void push_last(size_t count) {
    std::vector<ValuePtr> items(count);
    for (size_t i = count; i > 0; --i) items[i - 1] = pop();
    push_list(std::move(items));
  }

  // A whole number in two's complement, of any length.
  ValuePtr long_number() {
    const std::string digits = bytes(number<uint8_t>());
    if (digits.size() > 8) throw Broken{"holds a number of more than 64 bits"};
    uint64_t value = !digits.empty() && (digits.back() & 0x80) ? ~uint64_t{0} : 0;
    std::memcpy(&value, digits.data(), digits.size());
    return whole_value(static_cast<int64_t>(value));
  }

  double big_endian_real() {
    std::string raw = bytes(8);
    std::reverse(raw.begin(), raw.end());
    double value;
    std::memcpy(&value, raw.data(), 8);
    return value;
  }

  void apply(unsigned char operation) {
    switch (operation) {
      case 0x80:  // PROTO
        bytes(1);
        return;
      case 0x95:  // FRAME
        bytes(8);
        return;
      case '(':
        return push(made(Kind::mark));
      case '0':
        pop();
        return;
      case '1':
        pop_to_mark();
        return;
      case '2':
        return push(top());
      case 'N':
        return push(made(Kind::none));
      case 0x88:
      case 0x89: {
        push(made(Kind::boolean));
        top()->whole = operation == 0x88;
        return;
      }
      case 'J':
        return push(whole_value(number<int32_t>()));
      case 'K':
        return push(whole_value(number<uint8_t>()));
      case 'M':
        return push(whole_value(number<uint16_t>()));
      case 0x8A:
        return push(long_number());
      case 'G':
        push(made(Kind::real));
        top()->real = big_endian_real();
        return;
      case 'X':
        return push(made(Kind::text, bytes(number<uint32_t>())));
      case 0x8C:
        return push(made(Kind::text, bytes(number<uint8_t>())));
      case 0x8D:
        return push(made(Kind::text, bytes(number<uint64_t>())));
      case 'T':
      case 'B':
        return push(made(Kind::bytes, bytes(number<uint32_t>())));
      case 'U':
      case 'C':
        return push(made(Kind::bytes, bytes(number<uint8_t>())));
      case 0x8E:  // BINBYTES8
      case 0x96:  // BYTEARRAY8
        return push(made(Kind::bytes, bytes(number<uint64_t>())));
      default:
        return apply_to_stack(operation);
    }
  }

  void apply_to_stack(unsigned char operation) {
    switch (operation) {
      case ']':
      case ')':
        return push(made(Kind::list));
      case '}':
        return push(made(Kind::dictionary));
      case 't':
      case 'l':
        return push_list(pop_to_mark());
      case 0x85:
      case 0x86:
      case 0x87:
        return push_last(operation - 0x84);
      case 'a': {
        const ValuePtr item = pop();
        return append({item}, Kind::list);
      }
      case 'e':
        return append(pop_to_mark(), Kind::list);
      case 's': {
        const ValuePtr value = pop(), key = pop();
        return append({key, value}, Kind::dictionary);
      }
      case 'u':
        return append(pop_to_mark(), Kind::dictionary);
      case 0x94:
        memo_[memo_.size()] = top();
        return;
      case 'q':
        memo_[number<uint8_t>()] = top();
        return;
      case 'r':
        memo_[number<uint32_t>()] = top();
        return;
      case 'h':
        return push(remembered(number<uint8_t>()));
      case 'j':
        return push(remembered(number<uint32_t>()));
      case 'c': {
        const std::string module = line();
        return push(made(Kind::named, module + ' ' + line()));
      }
      case 0x93: {
        const ValuePtr name = pop(), module = pop();
        if (name->kind != Kind::text || module->kind != Kind::text ||
            name->text.size() + module->text.size() > kMaxNameBytes)
          throw Broken{"calls a function without a name"};
        return push(made(Kind::named, module->text + ' ' + name->text));
      }
      case 'R': {
        const ValuePtr arguments = pop(), called = pop();
        return push(call(*called, arguments->items));
      }
      case 'b': {
        const ValuePtr state = pop();
        return build(*top(), state->items);
      }
      default:
        throw Broken{"holds more than numbers, texts and NumPy's arrays, or is damaged"};
    }
  }

  ValuePtr remembered(uint64_t index) const {
    const auto found = memo_.find(index);
    if (found == memo_.end()) throw Broken{"refers to a value that it does not hold"};
    return found->second;
  }

  static ValuePtr argument(const std::vector<ValuePtr>& arguments, size_t index, Kind kind) {
    if (index >= arguments.size() || arguments[index]->kind != kind)
      throw Broken{"describes an array otherwise than NumPy does"};
    return arguments[index];
  }

  void fill_array(Value& array, const Value* shape, ValuePtr type, const Value* data) {
    count(data->text.size());
    array.kind = Kind::array, array.type = type, array.text = data->text, array.shape.clear();
    for (const ValuePtr size : shape->items) {
      if (size->kind != Kind::whole || size->whole < 0) throw Broken{"holds an array of no size"};
      array.shape.push_back(size->whole);
    }
  }

  // NumPy has moved its functions from numpy.core to numpy._core.
  static std::string name_of(const Value& called) {
    std::string name = called.kind == Kind::named ? called.text : "a value that is not a function";
    if (name.starts_with("numpy._core.")) name.erase(6, 1);
    return name;
  }

  ValuePtr call(const Value& called, const std::vector<ValuePtr>& arguments) {
    const std::string name = name_of(called);
    if (name == "numpy dtype") return made(Kind::type, argument(arguments, 0, Kind::text)->text);
    if (name == "numpy.core.multiarray _reconstruct") return made(Kind::array);
    if (name == "_codecs encode")
      return made(Kind::bytes, bytes_of_latin1(argument(arguments, 0, Kind::text)->text));
    const ValuePtr array = made(Kind::array);
    if (name == "numpy.core.multiarray scalar") {
      fill_array(*array, made(Kind::list), argument(arguments, 0, Kind::type),
                 argument(arguments, 1, Kind::bytes));
      return array;
    }
    if (name == "numpy.core.numeric _frombuffer") {
      fill_array(*array, argument(arguments, 2, Kind::list), argument(arguments, 1, Kind::type),
                 argument(arguments, 0, Kind::bytes));
      array->by_columns = argument(arguments, 3, Kind::text)->text == "F";
      return array;
    }
    throw Broken{"calls \"" + name.substr(0, 60) + "\", which no calibration needs"};
  }

  // The second half of an array's and a type's description.
  void build(Value& object, const std::vector<ValuePtr>& state) {
    if (object.kind == Kind::type) {
      const std::string order = argument(state, 1, Kind::text)->text;
      object.text = (order == "<" || order == ">" ? order : "") + object.text;
      return;
    }
    if (object.kind != Kind::array) throw Broken{"builds an object that no calibration needs"};
    fill_array(object, argument(state, 1, Kind::list), argument(state, 2, Kind::type),
               argument(state, 4, Kind::bytes));
    object.by_columns = argument(state, 3, Kind::boolean)->whole != 0;
  }

  const std::string& text_;
  size_t at_ = 0;
  std::deque<Value> values_;
  size_t bytes_ = 0;  // of texts and data
  std::vector<ValuePtr> stack_;
  std::map<uint64_t, ValuePtr> memo_;
};

// JSON of the values; arrays become arrays of arrays.
class Converter {
 public:
  json convert(const Value& value, int depth = 0) {
    if (depth > kMaxDepth || ++values_ > kMaxValues) throw Broken{"holds too much for a calibration"};
    switch (value.kind) {
      case Kind::boolean:
        return value.whole != 0;
      case Kind::whole:
        return value.whole;
      case Kind::real:
        return value.real;
      case Kind::text:
        values_ += value.text.size();
        return value.text;
      case Kind::list: {
        json list = json::array();
        for (const ValuePtr item : value.items) list.push_back(convert(*item, depth + 1));
        return list;
      }
      case Kind::dictionary: {
        json object = json::object();
        for (size_t i = 0; i < value.items.size(); i += 2)
          if (value.items[i]->kind == Kind::text && (values_ += value.items[i]->text.size()) <= kMaxValues)
            object[value.items[i]->text] = convert(*value.items[i + 1], depth + 1);
        return object;
      }
      case Kind::array:
        return array(value);
      default:
        return nullptr;
    }
  }

 private:
  template <typename T>
  static double element(const std::string& data, size_t index) {
    T value;
    std::memcpy(&value, data.data() + index * sizeof(T), sizeof(T));
    return static_cast<double>(value);
  }

  using ElementOf = double (*)(const std::string&, size_t);
  static std::pair<ElementOf, size_t> reader_of(const std::string& type) {
    if (type == "<f8") return {element<double>, 8};
    if (type == "<f4") return {element<float>, 4};
    if (type == "<i8") return {element<int64_t>, 8};
    if (type == "<i4") return {element<int32_t>, 4};
    if (type == "<u4") return {element<uint32_t>, 4};
    if (type == "<u2") return {element<uint16_t>, 2};
    if (type == "<i2") return {element<int16_t>, 2};
    if (type == "u1") return {element<uint8_t>, 1};
    throw Broken{"holds an array of \"" + type.substr(0, 20) + "\", a type that calibrations do not have"};
  }

  json array(const Value& value) {
    if (!value.type) throw Broken{"holds an array without content"};
    const auto [read, size] = reader_of(value.type->text);
    uint64_t count = 1;
    for (const int64_t length : value.shape)
      if ((count *= static_cast<uint64_t>(length)) > kMaxValues || length == 0 ||
          static_cast<size_t>(length) > kMaxValues)
        throw Broken{"holds too much for a calibration"};
    if ((values_ += count) > kMaxValues) throw Broken{"holds too much for a calibration"};
    if (value.text.size() != count * size) throw Broken{"holds an array of another size than it states"};
    return level(value, read, 0, 0);
  }

  static json level(const Value& value, ElementOf read, size_t axis, size_t index) {
    if (axis == value.shape.size()) return read(value.text, index);
    if (axis == kMaxDepth) throw Broken{"holds too much for a calibration"};
    size_t stride = 1;
    const size_t first = value.by_columns ? 0 : axis + 1, last = value.by_columns ? axis : value.shape.size();
    for (size_t i = first; i < last; ++i) stride *= static_cast<size_t>(value.shape[i]);
    json list = json::array();
    for (int64_t i = 0; i < value.shape[axis]; ++i)
      list.push_back(level(value, read, axis + 1, index + static_cast<size_t>(i) * stride));
    return list;
  }

  size_t values_ = 0;
};

}  // namespace

bool looks_like_pickle(const std::string& text) {
  return text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5;
}

ParsedDocument parse_pickle(const std::string& text, const std::string& where) {
  try {
    auto document = std::make_unique<JsonDocument>();
    Reader reader(text);
    document->json = Converter().convert(reader.read());
    return document;
  } catch (const Broken& broken) {
    return fail(
        ErrorKind::bad_data, "the Python pickle " + broken.what, where,
        "Copy the file again, or write another of the formats from Python. " + expected_in(Syntax::pickle));
  }
}

// OpenCap's cameraIntrinsicsExtrinsics.pickle, one camera a file, named after its folder: intrinsicMat,
// distortion, rotation and translation are OpenCV's, the world is the board in millimetres. Sources:
// OpenCap's rotateIntrinsics() (imageSize is height and width), and programs that read its sessions and agree
// on the rest.

bool is_opencap(const Document& file) {
  const nlohmann::json& document = json_of(file);
  return document.is_object() && document.contains("intrinsicMat") && document.contains("rotation");
}

Result<RawCalibration> read_opencap(const Document& file, const CalibrationOptions&) {
  const nlohmann::json& object = json_of(file);
  const std::string where = file.where();
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_picture_size(object, "imageSize", where, &camera));
  std::swap(camera.width_px, camera.height_px);
  VANTAGE_ASSIGN(const auto matrix, numbers(object, "intrinsicMat", where));
  VANTAGE_ASSIGN(const auto distortion, numbers(object, "distortion", where));
  VANTAGE_ASSIGN(const auto rotation, numbers(object, "rotation", where));
  VANTAGE_ASSIGN(const auto translation, numbers(object, "translation", where));
  VANTAGE_TRY(set_intrinsics(matrix, where + ", intrinsicMat", &camera));
  VANTAGE_TRY(set_distortion(distortion, where + ", distortion", &camera));
  VANTAGE_TRY(set_rotation(rotation, where + ", rotation", &camera));
  VANTAGE_TRY(set_translation(translation, where + ", translation", &camera));
  return RawCalibration{.unit_m = 0.001,
                        .world = "a pose of the board",
                        .names = {opencv_camera_name(file.path)},
                        .cameras = {camera}};
}

}  // namespace vantage::calibration_detail
