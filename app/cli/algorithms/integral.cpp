#include "app/backends/backend_option.h"
#include "app/cli/common/command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

#include "app/backends/backends.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/image/backend/memory_transfer.h"
#include "core/image/npy.h"
#include "core/image/pfm.h"
#include "core/image/png.h"
#include "core/primitives/integral_image.h"

namespace vantage::cli {
namespace {

struct IntegralCommand {
  std::string picture, out, sums, algorithm, scan, backend = "auto";
  bool exclusive = false, json = false;
};

// Rows of elements of any type; as an image of bytes, because images have no elements of 64 bits.
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

// The picture's own elements, or brought to 64 bits where they are added so.
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

// The exclusive form is one larger each way, so it holds every sum.
Plane integral_of(Plane in, IntegralType sums, const IntegralCommand& command,
                  const IntegralImage::Arguments& arguments, const Backends& backends, double* took_ms) {
  const auto integral = value_or_fail(backends.on_device().create<IntegralImage>(arguments));
  const int larger = command.exclusive ? 1 : 0;
  Plane out = Plane::make(sums, in.width + larger, in.height() + larger);
  const auto transfer = value_or_fail(backends.on_device().create<MemoryTransfer>({}));
  in.bytes = value_or_fail(transfer->upload(in.bytes, 0, -1));
  out.bytes = value_or_fail(transfer->upload(out.bytes, 0, -1));
  // Both are there: run() takes addresses and knows of none.
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
    std::printf("%d x %d sums, %.3f ms (%s), written to %s\n", out.width, out.height(), took_ms,
                backends.description.c_str(), command.out.c_str());
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
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { add_up(*options); });
}

}  // namespace vantage::cli
