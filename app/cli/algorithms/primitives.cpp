#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <map>

#include "app/backends/backend_option.h"
#include "app/backends/backends.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/image/backend/memory_transfer.h"
#include "core/image/image_files.h"
#include "core/primitives/detection_csv.h"
#include "core/primitives/integral_image.h"

namespace vantage::cli {
namespace {

struct IntegralCommand {
  std::string picture, out, sums, algorithm, scan, backend = "auto";
  bool exclusive = false, json = false;
};

// Rows of elements of any type, stored as an image of bytes, because images have no 64-bit elements.
struct Plane {
  IntegralType type;
  int width;  // elements
  Image bytes;

  static Plane make(IntegralType type, int width, int height) {
    const int row_bytes = width * static_cast<int>(integral_type_size_bytes(type));
    return {type, width, value_or_fail(Image::make(ImageType::u8, row_bytes, height, HostPool::shared()))};
  }
  int height() const { return bytes.height(); }
  IntegralPlane of_request() const { return {bytes.buffer()->data(), width, height(), bytes.stride_bytes()}; }
  template <typename T>
  ImageView<T> view() const {
    return {reinterpret_cast<T*>(bytes.buffer()->data()), width, height(), bytes.stride_bytes()};
  }
};

// The picture's own elements, or converted to 64 bits for 64-bit sums.
template <typename T>
Plane plane_of(const Image& picture, IntegralType type) {
  const Plane plane = Plane::make(type, picture.width(), picture.height());
  for (int y = 0; y < picture.height(); ++y) {
    const T* row = picture.view<T>().row(y);
    if (type == IntegralType::f64)
      std::copy_n(row, picture.width(), plane.view<double>().row(y));
    else
      std::copy_n(row, picture.width(), plane.view<T>().row(y));
  }
  return plane;
}

IntegralType sums_of(const std::string& name, bool floats) {
  static const std::map<std::string, IntegralType> kSums = {{"s32", IntegralType::s32},
                                                            {"u32", IntegralType::u32},
                                                            {"u64", IntegralType::u64},
                                                            {"f32", IntegralType::f32},
                                                            {"f64", IntegralType::f64}};
  const IntegralType sums = kSums.at(name.empty() ? (floats ? "f32" : "u32") : name);
  if (floats && sums != IntegralType::f32 && sums != IntegralType::f64)
    throw CLI::ValidationError("--sums", "sums of floats are f32 or f64; for integers give a PNG file");
  return sums;
}

IntegralImage::Arguments arguments_of(const IntegralCommand& command) {
  static const std::map<std::string, IntegralAlgorithm> kAlgorithms = {
      {"single-pass", IntegralAlgorithm::single_pass},
      {"scanrow-brlt", IntegralAlgorithm::scan_row_brlt},
      {"brlt-scanrow", IntegralAlgorithm::brlt_scan_row},
      {"scanrowcolumn", IntegralAlgorithm::scan_row_column}};
  IntegralImage::Arguments arguments;
  if (!command.algorithm.empty()) arguments.algorithm = kAlgorithms.at(command.algorithm);
  if (command.scan.empty()) return arguments;
  if (command.algorithm != "scanrow-brlt" && command.algorithm != "scanrowcolumn")
    throw CLI::ValidationError("--scan",
                               "only --algorithm scanrow-brlt and scanrowcolumn have a choice of scans");
  arguments.scan = command.scan == "kogge-stone" ? WarpScan::kogge_stone : WarpScan::ladner_fischer;
  return arguments;
}

// The exclusive form is larger by one in each direction, so it has every sum.
Plane integral_of(Plane in, IntegralType sums, const IntegralCommand& command,
                  const IntegralImage::Arguments& arguments, const Backends& backends, double* took_ms) {
  const auto integral = value_or_fail(backends.on_device().create<IntegralImage>(arguments));
  const int larger = command.exclusive ? 1 : 0;
  Plane out = Plane::make(sums, in.width + larger, in.height() + larger);
  const auto transfer = value_or_fail(backends.on_device().create<MemoryTransfer>({}));
  in.bytes = value_or_fail(transfer->upload(in.bytes, 0, -1));
  out.bytes = value_or_fail(transfer->upload(out.bytes, 0, -1));
  // Complete before run(), which uses addresses directly.
  check_or_fail(transfer->wait_for(in.bytes));
  check_or_fail(transfer->wait_for(out.bytes));
  IntegralRequest request;
  request.in_type = in.type;
  request.out_type = out.type;
  request.kind = command.exclusive ? IntegralKind::exclusive : IntegralKind::inclusive;
  request.in.first = in.of_request();
  request.out.first = out.of_request();
  const auto start = std::chrono::steady_clock::now();
  check_or_fail(integral->run(request));
  *took_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  out.bytes = value_or_fail(transfer->download(out.bytes, 0, -1));
  return out;
}

Status write_sums(const std::string& path, const Plane& sums) {
  switch (sums.type) {
    case IntegralType::f64:
      return write_npy(path, sums.view<const double>());
    case IntegralType::u64:
      return write_npy(path, sums.view<const uint64_t>());
    case IntegralType::f32:
      return write_npy(path, sums.view<const float>());
    case IntegralType::s32:
      return write_npy(path, sums.view<const int32_t>());
    default:
      return write_npy(path, sums.view<const uint32_t>());
  }
}

void add_up(const IntegralCommand& command) {
  const bool floats = std::filesystem::path(command.picture).extension() == ".pfm";
  const IntegralType sums = sums_of(command.sums, floats);
  const IntegralImage::Arguments arguments = arguments_of(command);
  const Image picture = value_or_fail(floats ? read_pfm(command.picture, HostPool::shared())
                                             : read_png_gray(command.picture, HostPool::shared()));
  const Backends backends = value_or_fail(open_backends(command.backend, nullptr));
  const IntegralType own = floats ? IntegralType::f32 : IntegralType::u8;
  const IntegralType added = sums == IntegralType::f64 ? sums : own;
  const Plane in = floats ? plane_of<float>(picture, added) : plane_of<uint8_t>(picture, added);
  double took_ms = 0;
  const Plane out = integral_of(in, sums, command, arguments, backends, &took_ms);
  check_or_fail(write_sums(command.out, out));
  if (!command.json) {
    fmt::print("{} x {} sums, {:.3f} ms ({}), written to {}\n", out.width, out.height(), took_ms,
               backends.description, command.out);
    return;
  }
  nlohmann::ordered_json json = {{"width", out.width},
                                 {"height", out.height()},
                                 {"exclusive", command.exclusive},
                                 {"sums", integral_type_name(out.type)},
                                 {"device", backends.description},
                                 {"milliseconds", took_ms},
                                 {"out", command.out}};
  if (!command.algorithm.empty()) json["algorithm"] = command.algorithm;
  if (!command.scan.empty()) json["scan"] = command.scan;
  print_json(json);
}

}  // namespace

void add_integral(CLI::App& app) {
  auto options = std::make_shared<IntegralCommand>();
  CLI::App* command = app.add_subcommand(
      "integral", "The integral image (summed-area table) of a picture, as a NumPy array.");
  command->footer(
      "A PNG file gives its 8-bit luma, a PFM file its floats. 32-bit integers wrap at 2^32.\n"
      "Example: vantage-cli integral picture.png --sums u32 --out sums.npy\n"
      "A published algorithm, on a GPU: vantage-cli integral picture.png --sums f64 --algorithm scanrow-brlt "
      "--scan ladner-fischer --out sums.npy");
  command->add_option("picture", options->picture, "PNG or PFM")->required();
  command->add_option("--out", options->out, "the sums, .npy")->required();
  command
      ->add_option("--sums", options->sums,
                   "type of the sums; if absent u32 for a PNG file, f32 for a PFM file; f64 converts the "
                   "picture to 64 bits first; floats allow f32 and f64 only")
      ->check(CLI::IsMember({"s32", "u32", "u64", "f32", "f64"}));
  command->add_flag("--exclusive", options->exclusive,
                    "exclusive sums, of the pixels above and to the left only; one row and one column more");
  command
      ->add_option("--algorithm", options->algorithm,
                   "on a GPU only: single-pass (the default), or an algorithm published by P. Chen et al. "
                   "that it is compared with")
      ->check(CLI::IsMember({"single-pass", "scanrow-brlt", "brlt-scanrow", "scanrowcolumn"}));
  command
      ->add_option("--scan", options->scan,
                   "scanrow-brlt and scanrowcolumn only: how a warp sums; kogge-stone by default")
      ->check(CLI::IsMember({"kogge-stone", "ladner-fischer"}));
  add_backend_option(*command, options->backend, "where it runs; auto takes a GPU when there is one");
  add_json_flag(*command, &options->json);
  command->callback([options] { add_up(*options); });
}

namespace {

struct NmsCommand {
  std::string boxes, out, method = "greedy", overlap, backend = "auto";
  float threshold = 0.5f, sigma = 0.5f, min_score = 0.001f;
  int partitions = 0;
  bool inclusive = false, across_classes = false, pixels = false, json = false;
};

// The published map-reduce uses the suppressor's area, suppresses at the threshold and counts pixels.
NmsOptions options_of(const NmsCommand& command) {
  static const std::map<std::string, NmsMethod> kMethods = {{"greedy", NmsMethod::greedy},
                                                            {"mapreduce", NmsMethod::mapreduce},
                                                            {"soft-linear", NmsMethod::soft_linear},
                                                            {"soft-gaussian", NmsMethod::soft_gaussian}};
  static const std::map<std::string, NmsOverlap> kOverlaps = {{"iou", NmsOverlap::iou},
                                                              {"own", NmsOverlap::own},
                                                              {"other", NmsOverlap::other},
                                                              {"min", NmsOverlap::smaller}};
  NmsOptions options;
  options.method = kMethods.at(command.method);
  if (options.method == NmsMethod::mapreduce) options = published_nms(command.threshold);
  options.rule.threshold = command.threshold;
  if (!command.overlap.empty()) options.rule.overlap = kOverlaps.at(command.overlap);
  options.rule.inclusive = options.rule.inclusive || command.inclusive;
  options.rule.per_class = !command.across_classes;
  if (command.pixels) options.rule.pixel = 1;
  options.sigma = command.sigma;
  options.min_score = command.min_score;
  options.partitions = command.partitions;
  return options;
}

void report(const NmsCommand& command, size_t boxes, size_t kept, const std::string& device, double ms) {
  if (!command.json) {
    fmt::print("{} of {} boxes kept, {:.3f} ms ({})\n", kept, boxes, ms, device);
    return;
  }
  nlohmann::ordered_json json = {{"boxes", boxes},   {"kept", kept},       {"method", command.method},
                                 {"device", device}, {"milliseconds", ms}, {"out", command.out}};
  if (command.partitions != 0) json["partitions"] = command.partitions;
  print_json(json);
}

void suppress(const NmsCommand& command) {
  if (command.partitions != 0 && command.method != "mapreduce")
    throw CLI::ValidationError("--partitions", "only --method mapreduce has partitions");
  const Result<std::string> text = read_file(command.boxes);
  if (!text) fail_command(text.error());
  const Result<DetectionTable> table = read_detections(*text, command.boxes);
  if (!table) fail_command(table.error());
  const Result<Backends> backends = open_backends(command.backend, nullptr);
  if (!backends) fail_command(backends.error());
  const auto nms = backends->on_device().create<NonMaximumSuppression>({});
  if (!nms) fail_command(nms.error());
  const NmsOptions options = options_of(command);
  const auto start = std::chrono::steady_clock::now();
  const Result<NmsResult> result = (*nms)->run(table->detections, options);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  if (!result) fail_command(result.error());
  const bool soft = options.method == NmsMethod::soft_linear || options.method == NmsMethod::soft_gaussian;
  if (const Status written = write_file_atomically(command.out, write_kept_rows(*table, *result, soft));
      !written)
    fail_command(written.error());
  report(command, table->rows.size(), result->kept.size(), backends->description, took.count());
}

}  // namespace

void add_nms(CLI::App& app) {
  auto options = std::make_shared<NmsCommand>();
  CLI::App* command =
      app.add_subcommand("nms", "Non-maximum suppression: of boxes that overlap, keep the best.");
  command->footer(
      "Example: vantage-cli nms boxes.csv --method greedy --threshold 0.5 --overlap iou --out keep.csv\n"
      "The published kernels, on a GPU: vantage-cli nms boxes.csv --method mapreduce --partitions 32 --out "
      "keep.csv");
  command->add_option("boxes", options->boxes, "CSV with the header x,y,w,h,score[,class]")->required();
  command->add_option("--out", options->out, "the kept rows, in the order of the input")->required();
  command->add_option("--method", options->method)
      ->check(CLI::IsMember({"greedy", "mapreduce", "soft-linear", "soft-gaussian"}))
      ->capture_default_str();
  command
      ->add_option("--partitions", options->partitions,
                   "mapreduce, on a GPU only: the published kernels, with a matrix of all pairs whose rows "
                   "are reduced in this many steps; up to 32768 boxes, at most 1024 a step. Without it no "
                   "matrix is made; the boxes kept are the same")
      ->check(CLI::Range(1, kMapReduceNmsMaxPartitions));
  command->add_option("--threshold", options->threshold, "overlap above which a box is suppressed")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      ->add_option(
          "--overlap", options->overlap,
          "common area over the union, the box's own area, the suppressor's (other) or the smaller one "
          "(min); iou unless the method is mapreduce, which takes other")
      ->check(CLI::IsMember({"iou", "own", "other", "min"}));
  command->add_flag("--inclusive", options->inclusive,
                    "a box is suppressed at the threshold too (mapreduce always)");
  command->add_flag("--across-classes", options->across_classes,
                    "boxes of different classes compete as well");
  command->add_flag("--pixels", options->pixels,
                    "a box covers the pixels x to x+w inclusive (mapreduce always)");
  command->add_option("--sigma", options->sigma, "soft-gaussian: width of the decay")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--min-score", options->min_score,
                   "soft methods: boxes whose score falls below are dropped")
      ->capture_default_str();
  add_backend_option(*command, options->backend, "where it runs; auto takes a GPU when there is one");
  add_json_flag(*command, &options->json);
  command->callback([options] { suppress(*options); });
}

}  // namespace vantage::cli
