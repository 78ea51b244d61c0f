// MQTT 5 by libmosquitto. Topics under the target's base:
//   status            online or offline, kept; the last will states offline
//   rules/RULE        ON while an event of the rule lasts, else OFF; kept
//   events/RULE       each event as JSON
//   pictures/RULE     the last event's picture, JPEG; kept
//   cameras/CAMERA    a camera's health as JSON, kept
//   test              test messages
// All with quality of service 1: the broker has answered for each before a message counts as delivered.
#include <mosquitto.h>
#include <mqtt_protocol.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "core/base/json.h"
#include "core/base/trace.h"
#include "core/push/detail/reach.h"
#include "core/push/detail/topics.h"
#include "core/push/push_transport.h"

namespace vantage {
namespace {

constexpr int kQuality = 1, kKeepAlive_s = 30;
constexpr int kPlainPort = 1883, kTlsPort = 8883;
constexpr int kFirstError = 0x80;  // the first error among MQTT 5's reason codes

struct Broker {
  std::string host;
  int port = kPlainPort;
  bool tls = false;
};

Broker broker_of(const std::string& address) {
  Broker broker;
  broker.tls = address.rfind("mqtts://", 0) == 0;
  broker.port = broker.tls ? kTlsPort : kPlainPort;
  const std::string place = host_of(address);
  const size_t bracket = place.find(']'), colon = place.rfind(':');
  const bool has_port = colon != std::string::npos && (bracket == std::string::npos || colon > bracket);
  broker.host = has_port ? place.substr(0, colon) : place;
  if (has_port) broker.port = std::atoi(place.c_str() + colon + 1);
  if (broker.host.size() > 2 && broker.host.front() == '[')
    broker.host = broker.host.substr(1, broker.host.size() - 2);
  return broker;
}

// A connection, from the first attempt until it fails once. libmosquitto's thread serves it.
class Connection {
 public:
  Connection() {
    static const bool initialized = mosquitto_lib_init() == MOSQ_ERR_SUCCESS;
    if (initialized) client_ = mosquitto_new(nullptr, true, this);
  }
  ~Connection() {
    if (!client_) return;
    if (looping_) {
      mosquitto_disconnect(client_);
      mosquitto_loop_stop(client_, false);
    }
    mosquitto_destroy(client_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Status open(const PushTarget& target, const std::optional<Credentials>& secret,
              const std::string& will_topic, int64_t end_ns, const StopSource& stop) {
    if (!client_) return fail(ErrorKind::out_of_memory, "libmosquitto cannot be used");
    const Broker broker = broker_of(target.address);
    mosquitto_int_option(client_, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    if (secret) mosquitto_username_pw_set(client_, secret->user.c_str(), secret->password.c_str());
    if (broker.tls) VANTAGE_TRY(use_tls(target));
    constexpr std::string_view kOffline = "offline";
    mosquitto_will_set_v5(client_, will_topic.c_str(), static_cast<int>(kOffline.size()), kOffline.data(),
                          kQuality, true, nullptr);
    mosquitto_connect_v5_callback_set(client_, on_connect);
    mosquitto_disconnect_v5_callback_set(client_, on_disconnect);
    mosquitto_publish_v5_callback_set(client_, on_publish);
    mosquitto_log_callback_set(client_, on_log);
    // libmosquitto's non-blocking connect tries only a name's first address. The blocking one tries all, and
    // would wait for minutes where none answers.
    if (const Status reached = reach(broker.host, broker.port, end_ns, stop); !reached) {
      if (reached.error().kind == ErrorKind::cancelled) return reached;
      return fail(ErrorKind::io, "the broker cannot be reached: " + reached.error().what);
    }
    if (const int code = mosquitto_connect(client_, broker.host.c_str(), broker.port, kKeepAlive_s);
        code != MOSQ_ERR_SUCCESS)
      return failed(code);
    if (const int code = mosquitto_loop_start(client_); code != MOSQ_ERR_SUCCESS) return failed(code);
    looping_ = true;
    return wait(end_ns, stop, [this] { return connected_; });
  }

  // Returns once the broker has it.
  Status publish(const std::string& topic, std::string_view payload, bool kept, int64_t end_ns,
                 const StopSource& stop) {
    int id = 0;
    const int code = mosquitto_publish_v5(client_, &id, topic.c_str(), static_cast<int>(payload.size()),
                                          payload.data(), kQuality, kept, nullptr);
    if (code != MOSQ_ERR_SUCCESS) return failed(code);
    return wait(end_ns, stop, [this, id] { return answered_.contains(id); });
  }

  bool usable() {
    const std::lock_guard lock(mutex_);
    return connected_ && problem_.empty();
  }

 private:
  // A TLS handshake that failed within the call was logged with its reason.
  tl::unexpected<Error> failed(int code) {
    const std::lock_guard lock(mutex_);
    if (!problem_.empty()) return fail(ErrorKind::io, problem_);
    return fail(ErrorKind::io,
                code == MOSQ_ERR_ERRNO ? "the broker cannot be reached" : mosquitto_strerror(code));
  }

  Status use_tls(const PushTarget& target) {
    const int code = target.ca.empty()
                         ? mosquitto_int_option(client_, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
                         : mosquitto_tls_set(client_, target.ca.c_str(), nullptr, nullptr, nullptr, nullptr);
    if (code == MOSQ_ERR_SUCCESS) return {};
    return fail(ErrorKind::io,
                std::string("the authorities' certificates cannot be used: ") + mosquitto_strerror(code),
                target.ca);
  }

  template <typename Done>
  Status wait(int64_t end_ns, const StopSource& stop, const Done& done) {
    constexpr std::chrono::milliseconds kTurn(20);  // for a stop request
    std::unique_lock lock(mutex_);
    while (!done()) {
      if (!problem_.empty()) return fail(ErrorKind::io, problem_);
      if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
      if (trace_now_ns() >= end_ns) return fail(ErrorKind::io, "the broker does not answer");
      changed_.wait_for(lock, kTurn);
    }
    if (!problem_.empty()) return fail(ErrorKind::io, problem_);
    return {};
  }

  void note(const std::function<void()>& change) {
    const std::lock_guard lock(mutex_);
    change();
    changed_.notify_all();
  }
  static void on_connect(mosquitto*, void* self, int code, int, const mosquitto_property*) {
    auto& connection = *static_cast<Connection*>(self);
    connection.note([&] {
      connection.connected_ = code == 0;
      if (code != 0)
        connection.problem_ = std::string("the broker refuses: ") + mosquitto_reason_string(code);
    });
  }
  static void on_disconnect(mosquitto*, void* self, int code, const mosquitto_property*) {
    auto& connection = *static_cast<Connection*>(self);
    connection.note([&] {
      if (!connection.problem_.empty()) return;
      const char* why = code >= kFirstError ? mosquitto_reason_string(code) : mosquitto_strerror(code);
      connection.problem_ = connection.connected_ ? std::string("the broker went away: ") + why
                                                  : std::string("the broker cannot be reached: ") + why;
    });
  }
  // The log is the only source of the reason of a failed TLS handshake.
  static void on_log(mosquitto*, void* self, int level, const char* text) {
    auto& connection = *static_cast<Connection*>(self);
    if (level != MOSQ_LOG_ERR) return;
    connection.note([&] {
      if (!connection.connected_ && connection.problem_.empty())
        connection.problem_ = std::string("no connection: ") + text;
    });
  }
  static void on_publish(mosquitto*, void* self, int id, int code, const mosquitto_property*) {
    auto& connection = *static_cast<Connection*>(self);
    connection.note([&] {
      connection.answered_.insert(id);
      if (code >= kFirstError)
        connection.problem_ = std::string("the broker refuses the message: ") + mosquitto_reason_string(code);
    });
  }

  mosquitto* client_ = nullptr;
  bool looping_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool connected_ = false;
  std::string problem_;
  std::set<int> answered_;
};

class MqttTransport final : public PushTransport {
 public:
  MqttTransport(PushTarget target, std::optional<Credentials> secret, PushedProject project)
      : target_(std::move(target)),
        secret_(std::move(secret)),
        project_(std::move(project)),
        base_(topic_base(target_, project_.name)) {}

  ~MqttTransport() override {
    constexpr int64_t kPatience_ns = 2'000'000'000;
    if (!connection_ || !connection_->usable()) return;
    static_cast<void>(
        connection_->publish(base_ + "/status", "offline", true, trace_now_ns() + kPatience_ns, {}));
  }

  Result<std::string> send(const PushMessage& message, const StopSource& stop) override {
    const int64_t end_ns = trace_now_ns() + static_cast<int64_t>(target_.limit_s * 1e9);
    Status sent;
    if (!connection_ || !connection_->usable()) sent = connect(end_ns, stop);
    if (sent) sent = publish_message(message, end_ns, stop);
    if (!sent) return failed(sent.error());
    return std::string("accepted by the broker");
  }

  Status keep(const StopSource& stop) override {
    if (connection_ && connection_->usable()) return {};
    const Status connected = connect(trace_now_ns() + static_cast<int64_t>(target_.limit_s * 1e9), stop);
    return connected ? connected : failed(connected.error());
  }

 private:
  tl::unexpected<Error> failed(Error error) {
    connection_.reset();
    error.where = target_.address;
    return fail(std::move(error));
  }

  // Connects and publishes the retained messages and the online status. A restarted broker may have lost its
  // retained messages.
  Status connect(int64_t end_ns, const StopSource& stop) {
    connection_ = std::make_unique<Connection>();
    VANTAGE_TRY(connection_->open(target_, secret_, base_ + "/status", end_ns, stop));
    if (!target_.discovery.empty())
      for (const auto& [topic, text] : discovery_messages(target_, project_, base_))
        VANTAGE_TRY(connection_->publish(topic, text, true, end_ns, stop));
    for (const auto& [topic, payload] : kept_)
      VANTAGE_TRY(connection_->publish(topic, payload, true, end_ns, stop));
    return connection_->publish(base_ + "/status", "online", true, end_ns, stop);
  }

  Status publish_message(const PushMessage& message, int64_t end_ns, const StopSource& stop) {
    const nlohmann::json body = parse_json(message.body);
    const std::string kind = body.value("kind", ""), text = message_text(message, false);
    const auto publish = [&](const std::string& topic, const std::string& payload, bool kept) {
      if (kept) kept_[base_ + topic] = payload;
      return connection_->publish(base_ + topic, payload, kept, end_ns, stop);
    };
    if (kind == "test") return publish("/test", text, false);
    if (kind == "health") return publish("/cameras/" + topic_level(body.value("camera", "")), text, true);
    if (kind == "started") {
      for (const FloorRule& rule : project_.rules)
        VANTAGE_TRY(publish("/rules/" + topic_level(rule.name), "OFF", true));
      return {};
    }
    const std::string rule = topic_level(body["event"].value("rule", ""));
    if (!message.jpeg.empty()) VANTAGE_TRY(publish("/pictures/" + rule, message.jpeg, true));
    VANTAGE_TRY(publish("/events/" + rule, text, false));
    if (body.value("state", "") != "ends") VANTAGE_TRY(publish("/rules/" + rule, "ON", true));
    return body.value("open", 0) > 0 ? Status() : publish("/rules/" + rule, "OFF", true);
  }

  const PushTarget target_;
  const std::optional<Credentials> secret_;
  const PushedProject project_;
  const std::string base_;
  std::map<std::string, std::string> kept_;  // retained messages by topic
  std::unique_ptr<Connection> connection_;   // null: none, or the last one failed
};

}  // namespace

Result<std::unique_ptr<PushTransport>> make_mqtt_transport(const PushTarget& target,
                                                           const std::optional<Credentials>& secret,
                                                           const PushedProject& project) {
  return std::make_unique<MqttTransport>(target, secret, project);
}

}  // namespace vantage
