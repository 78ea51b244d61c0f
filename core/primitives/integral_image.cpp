#include "core/primitives/integral_image.h"

#include <string>

#include "core/base/text.h"

namespace vantage {
namespace {

bool is_supported(IntegralType in, IntegralType out) {
  if (in == IntegralType::u8) return out != IntegralType::u8 && out != IntegralType::f64;
  return in == out && in != IntegralType::u64;
}

Status check_plane(const IntegralPlane& plane, IntegralType type, std::string_view where) {
  const std::string place(where);
  if (plane.width < 0 || plane.height < 0 || plane.width > kIntegralMaxSide + 1 ||
      plane.height > kIntegralMaxSide + 1)
    return fail(ErrorKind::invalid_argument,
                "size " + size_text(plane.width, plane.height) + " is outside 0 to 65536", place);
  if (plane.width == 0 || plane.height == 0) return {};
  if (plane.data == nullptr) return fail(ErrorKind::invalid_argument, "no memory given", place);
  const size_t size = integral_type_size_bytes(type);
  if (plane.stride_bytes < size * static_cast<size_t>(plane.width) && plane.height > 1)
    return fail(ErrorKind::invalid_argument, "a stride shorter than a row", place);
  if (plane.stride_bytes % size != 0 || reinterpret_cast<uintptr_t>(plane.data) % size != 0)
    return fail(ErrorKind::invalid_argument, "address or stride is not a multiple of the element size",
                place);
  return {};
}

}  // namespace

std::string_view integral_type_name(IntegralType type) {
  constexpr std::string_view kNames[] = {"u8", "s32", "u32", "u64", "f32", "f64"};
  return kNames[static_cast<size_t>(type)];
}

size_t integral_type_size_bytes(IntegralType type) {
  constexpr size_t kSizes[] = {1, 4, 4, 8, 4, 8};
  return kSizes[static_cast<size_t>(type)];
}

Status check_integral_request(const IntegralRequest& request) {
  if (!is_supported(request.in_type, request.out_type))
    return fail(ErrorKind::invalid_argument,
                "no integral image from " + std::string(integral_type_name(request.in_type)) + " to " +
                    std::string(integral_type_name(request.out_type)),
                "integral image",
                "Choose u8 to s32, u32, f32 or u64, or equal types among s32, u32, f32 and f64.");
  if (request.count < 0)
    return fail(ErrorKind::invalid_argument, "a negative number of pictures", "integral image");
  const IntegralPlane &in = request.in.first, &out = request.out.first;
  VANTAGE_TRY(check_plane(in, request.in_type, "integral image input"));
  VANTAGE_TRY(check_plane(out, request.out_type, "integral image output"));
  const int wider = out.width - in.width, taller = out.height - in.height;
  const bool same = wider == 0 && taller == 0;
  const bool larger = wider == 1 && taller == 1 && request.kind == IntegralKind::exclusive;
  if (in.width > kIntegralMaxSide || in.height > kIntegralMaxSide || !(same || larger))
    return fail(ErrorKind::invalid_argument,
                "output " + size_text(out.width, out.height) + " does not fit input " +
                    size_text(in.width, in.height),
                "integral image",
                "Give an output as large as the input, or, exclusive, one larger in both directions.");
  return {};
}

}  // namespace vantage
