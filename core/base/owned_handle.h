// Handles of C libraries that are freed with their owner: OwnedHandle<gnutls_pubkey_t,
// &gnutls_pubkey_deinit>.
#pragma once

#include <memory>
#include <type_traits>

namespace vantage {

template <typename Handle, void (*kFree)(Handle)>
struct FreeHandle {
  using pointer = Handle;
  void operator()(Handle handle) const { kFree(handle); }
};
template <typename Handle, void (*kFree)(Handle)>
using OwnedHandle = std::unique_ptr<std::remove_pointer_t<Handle>, FreeHandle<Handle, kFree>>;

}  // namespace vantage
