#include "core/push/push_transport.h"

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

Result<std::string> send_test_message(const PushTarget& target, const std::optional<Credentials>& secret,
                                      const PushedProject& project, const StopSource& stop) {
  VANTAGE_ASSIGN(const std::unique_ptr<PushTransport> transport,
                 make_push_transport(target, secret, project));
  PushMessage message;
  message.id = "test";
  message.body = test_body(project.name);
  return transport->send(message, stop);
}

}  // namespace vantage
