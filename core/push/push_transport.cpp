#include "core/push/push_transport.h"

#include "core/push/detail/transports.h"

namespace vantage {

PushedProject pushed_project(const Project& project) {
  PushedProject pushed{project.path.stem().string(), project.rules, {}};
  for (const ProjectCamera& camera : project.cameras) pushed.cameras.push_back(camera.name);
  return pushed;
}

Result<std::unique_ptr<PushTransport>> make_push_transport(const PushTarget& target,
                                                           const std::optional<Credentials>& secret,
                                                           const PushedProject& project) {
  switch (target.kind) {
    case PushKind::mqtt:
      return make_mqtt_transport(target, secret, project);
    case PushKind::webhook:
      return make_webhook_transport(target, secret);
    case PushKind::command:
      break;
  }
  return make_command_transport(target);
}

}  // namespace vantage
