// Cameras' credentials in the desktop's key ring, through QtKeychain. Without one, or if it refuses, the
// other store is used, as place() states.
#pragma once

#include <memory>

#include "core/live/credentials.h"

namespace vantage::ui {

// Call on the GUI thread. find() and keep() wait for the key ring, which answers through that thread's event
// loop: call them on other threads; on the GUI thread they use only the other store.
std::shared_ptr<CredentialStore> make_keyring(std::shared_ptr<CredentialStore> otherwise);

}  // namespace vantage::ui
