// Cameras' credentials in the desktop's key ring, through QtKeychain. Where there is none, or it refuses,
// they go to the other store, and place() says so.
#pragma once

#include <memory>

#include "core/live/credentials.h"

namespace vantage::ui {

// Made on the GUI thread. find() and keep() wait for the key ring, which answers through that thread's event
// loop: they are called on others; on the GUI thread itself they use the other store alone.
std::shared_ptr<CredentialStore> make_keyring(std::shared_ptr<CredentialStore> otherwise);

}  // namespace vantage::ui
