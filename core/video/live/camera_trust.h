// What the certificate of an rtsps:// camera is compared with: the file or the fingerprint in its address.
#pragma once

#include <string>
#include <vector>

#include "core/video/live/live_address.h"

// GLib's, by what is behind its names.
typedef struct _GTlsCertificate GTlsCertificate;
typedef struct _GTlsDatabase GTlsDatabase;

namespace vantage {

class CameraTrust {
 public:
  explicit CameraTrust(const LiveAddress& address);
  ~CameraTrust();
  CameraTrust(const CameraTrust&) = delete;
  CameraTrust& operator=(const CameraTrust&) = delete;

  // For GLib, which asks vouches_for() about certificates that it does not vouch for; null: nothing is
  // checked.
  GTlsDatabase* database() const { return database_; }
  // False: the file holds no certificate.
  bool usable() const { return !own_.empty() || !fingerprint_.empty(); }
  // It is the camera's own certificate, which says which camera it is, whatever its name or address and
  // however old it is.
  bool vouches_for(GTlsCertificate* shown) const;

 private:
  const std::string fingerprint_;      // SHA-256, as LiveAddress has it
  GTlsDatabase* database_ = nullptr;   // owned, as what follows
  std::vector<GTlsCertificate*> own_;  // of the file
};

}  // namespace vantage
