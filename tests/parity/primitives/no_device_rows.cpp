#include "tests/parity/primitives/device_rows.h"

namespace vantage::test {

std::string why_no_cuda() {
  return "built without CUDA";
}
int integral_variant_count() {
  return 0;
}
std::string integral_variant_name(int) {
  return {};
}
Status integral_on_cuda(int, const IntegralRequest&, std::span<std::byte>, std::span<std::byte>) {
  return fail(ErrorKind::unsupported, why_no_cuda());
}
int nms_variant_count(NmsMethod) {
  return 0;
}
std::string nms_variant_name(NmsMethod, int) {
  return {};
}
Result<NmsResult> nms_on_cuda(int, std::span<const Detection>, const NmsOptions&) {
  return fail(ErrorKind::unsupported, why_no_cuda());
}

}  // namespace vantage::test
