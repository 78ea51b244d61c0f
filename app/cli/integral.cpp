#include "app/backends/backend_option.h"
#include "app/cli/command.h"

#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "app/backends/backends.h"
#include "app/cli/value_or_fail.h"
#include "core/backend/memory_transfer.h"
#include "core/image/npy.h"
#include "core/image/pfm.h"
#include "core/image/png.h"
#include "core/primitives/integral_image.h"

namespace vantage::cli {
namespace {

struct IntegralCommand {
  std::string picture, out, sums, backend = "auto";
  bool exclusive = false, json = false;
};

struct Sums {
  ImageType image;
  IntegralType integral;
};

Sums sums_of(const std::string& name, bool floats) {
  static const std::map<std::string, Sums> kSums = {{"s32", {ImageType::s32, IntegralType::s32}},
                                                    {"u32", {ImageType::u32, IntegralType::u32}},
                                                    {"f32", {ImageType::f32, IntegralType::f32}}};
  if (floats && !name.empty() && name != "f32")
    check_or_fail(fail(ErrorKind::invalid_argument, "floats are added to floats only", "--sums " + name,
                       "Leave --sums out, or give a PNG file."));
  return kSums.at(name.empty() ? (floats ? "f32" : "u32") : name);
}

// The exclusive form is one larger each way, so it holds every sum.
Image integral_of(const Image& picture, const Sums& sums, const IntegralCommand& command,
                  const Backends& backends, double* took_ms) {
  const int larger = command.exclusive ? 1 : 0;
  Image in = picture, out = value_or_fail(Image::make(sums.image, picture.width() + larger,
                                                      picture.height() + larger, HostPool::shared()));
  std::unique_ptr<MemoryTransfer> transfer;
  if (backends.device != Device::cpu) {
    transfer = value_or_fail(
        backends.registry.create<MemoryTransfer>(backends.device, {nullptr, backends.device_index}, {}));
    in = value_or_fail(transfer->upload(in, 0, -1));
    out = value_or_fail(transfer->upload(out, 0, -1));
    value_or_fail(transfer->download(out, 0, -1));  // both are there: run() takes addresses and knows of none
  }
  IntegralRequest request;
  request.in_type = picture.type() == ImageType::u8 ? IntegralType::u8 : IntegralType::f32;
  request.out_type = sums.integral;
  request.kind = command.exclusive ? IntegralKind::exclusive : IntegralKind::inclusive;
  request.in.first = {in.buffer()->data(), in.width(), in.height(), in.stride_bytes()};
  request.out.first = {out.buffer()->data(), out.width(), out.height(), out.stride_bytes()};
  const auto integral = value_or_fail(
      backends.registry.create<IntegralImage>(backends.device, {nullptr, backends.device_index}, {}));
  const auto start = std::chrono::steady_clock::now();
  check_or_fail(integral->run(request));
  *took_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return transfer ? value_or_fail(transfer->download(out, 0, -1)) : out;
}

void add_up(const IntegralCommand& command) {
  const bool floats = std::filesystem::path(command.picture).extension() == ".pfm";
  const Sums sums = sums_of(command.sums, floats);
  const Image picture = value_or_fail(floats ? read_pfm(command.picture, HostPool::shared())
                                             : read_png_gray(command.picture, HostPool::shared()));
  const Backends backends = value_or_fail(open_backends(command.backend, nullptr));
  double took_ms = 0;
  const Image out = integral_of(picture, sums, command, backends, &took_ms);
  check_or_fail(write_npy(command.out, out));
  if (!command.json) {
    std::printf("%d x %d sums, %.3f ms (%s), written to %s\n", out.width(), out.height(), took_ms,
                backends.description.c_str(), command.out.c_str());
    return;
  }
  const nlohmann::ordered_json json = {{"width", out.width()},           {"height", out.height()},
                                       {"exclusive", command.exclusive}, {"device", backends.description},
                                       {"milliseconds", took_ms},        {"out", command.out}};
  std::printf("%s\n", json.dump(2).c_str());
}

}  // namespace

void add_integral(CLI::App& app) {
  auto options = std::make_shared<IntegralCommand>();
  CLI::App* command = app.add_subcommand(
      "integral", "The integral image (summed-area table) of a picture, as a NumPy array.");
  command->footer(
      "Of a PNG file its luma in 8 bits, of a PFM file its floats. Integers wrap round at 2^32.\n"
      "Example: vantage-cli integral picture.png --sums u32 --out sums.npy");
  command->add_option("picture", options->picture, "PNG or PFM")->required();
  command->add_option("--out", options->out, "the sums, .npy")->required();
  command->add_option("--sums", options->sums, "their type; u32 of a PNG file, f32 of a PFM file")
      ->check(CLI::IsMember({"s32", "u32", "f32"}));
  command->add_flag("--exclusive", options->exclusive,
                    "sums of what lies above and to the left alone, one row and one column more");
  add_backend_option(*command, options->backend, "where it runs; auto takes a GPU when there is one");
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { add_up(*options); });
}

}  // namespace vantage::cli
