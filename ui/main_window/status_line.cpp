#include "ui/main_window/status_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <QAction>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kStatusHeight = 24, kButtonHeight = 20, kProgressWidth = 120, kProgressHeight = 8;

QLabel* named_label(const QString& name) {
  auto* label = new QLabel;
  label->setAccessibleName(name);
  return label;
}

}  // namespace

StatusLine::StatusLine(QAction* stop, QWidget* parent)
    : QStatusBar(parent),
      position_(named_label(tr("Position"))),
      volume_(named_label(tr("Volume"))),
      backend_(named_label(tr("Backend"))),
      activity_(named_label(tr("Activity"))),
      progress_(new QProgressBar),
      serving_(new QToolButton),
      stop_(new QPushButton(tr("Stop"))) {
  volume_->setToolTip(
      tr("Volume of all that the cameras see in this frame and that is not of the empty scene, people and "
         "things: a person has 60 to 100 litres, more where few cameras see them"));
  serving_->setToolTip(tr("The results can be read at this address: open it, copy it, stop"));
  serving_->setAutoRaise(true);
  serving_->setFocusPolicy(Qt::TabFocus);
  serving_->setPopupMode(QToolButton::InstantPopup);
  serving_->setFixedHeight(kButtonHeight);
  serving_->hide();
  describe(stop_, tr("Stop"), stop->toolTip());
  stop_->setFixedHeight(kButtonHeight);
  stop_->hide();
  connect(stop_, &QPushButton::clicked, stop, &QAction::trigger);
  connect(stop, &QAction::changed, this, [this, stop] { stop_->setToolTip(stop->toolTip()); });
  backend_->setObjectName("backend");
  setSizeGripEnabled(false);
  setFixedHeight(kStatusHeight);
  position_->setIndent(kApart);
  addWidget(position_, 1);
  progress_->setAccessibleName(tr("Progress"));
  progress_->setTextVisible(false);
  progress_->setFixedSize(kProgressWidth, kProgressHeight);
  progress_->hide();
  // What comes and goes is before the rest, which stays.
  for (QWidget* widget :
       std::initializer_list<QWidget*>{activity_, progress_, stop_, serving_, volume_, backend_}) {
    widget->setContentsMargins(kApart, 0, kApart, 0);
    addPermanentWidget(widget);
  }
  volume_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

// It stays as wide as its widest so far: else what is next to it would move.
void StatusLine::set_volume(const QString& text) {
  volume_->setText(text);
  volume_->setMinimumWidth(std::max(volume_->minimumWidth(), volume_->sizeHint().width()));
}

void StatusLine::set_activity(const QString& text, double share) {
  activity_->setText(text);
  progress_->setVisible(share >= 0);
  progress_->setValue(static_cast<int>(100 * share));
}

void StatusLine::set_position(const QString& text) {
  position_text_ = text;
  show_position();
}

void StatusLine::set_flow(const QString& text) {
  flow_text_ = text;
  show_position();
}

void StatusLine::show_position() {
  const bool both = !position_text_.isEmpty() && !flow_text_.isEmpty();
  position_->setText(position_text_ + (both ? QStringLiteral("  \u2502  ") : QString()) + flow_text_);
}

void StatusLine::set_surface(const QString& text) {
  surface_ = text;
  show_notes();
}

void StatusLine::add_note(const QString& note) {
  notes_ << note;
  show_notes();
}

void StatusLine::show_notes() {
  backend_->setToolTip((QStringList(surface_) + notes_).join('\n').trimmed());
}

namespace {

constexpr const char* kEnding = ".run";
constexpr std::string_view kAsked = "asked\n";  // the last line of a run that was asked to end

// The marker's path for a signal handler: plain bytes, written once before it is set.
std::array<char, 4096> marker_path{};

void note_asked() {
  const int file = ::open(marker_path.data(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, kAsked.data(), kAsked.size());
  ::close(file);
}

extern "C" void end_as_asked(int signal) {
  note_asked();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// Containers that share a home give the same process numbers.
std::string file_name() {
  const ProcessOwner owner = this_process();
  return owner.host + "-" + std::to_string(owner.process) + "-" + std::to_string(owner.started_ticks) +
         kEnding;
}

// The early end of the run that left `file`; none: the run is in progress, or it cannot be told.
std::optional<EarlyEnd> early_end(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return std::nullopt;
  const size_t line_end = text->find('\n');
  const std::optional<ProcessOwner> owner = owner_from_json(text->substr(0, line_end));
  if (!owner) return EarlyEnd{};  // a power failure left half of it
  if (state_of(*owner) != OwnerState::gone) return std::nullopt;
  EarlyEnd end;
  end.process = owner->process;
  end.asked = text->ends_with(kAsked);
  const size_t state_end = text->find('\n', line_end + 1);
  const auto state = parse_json(text->substr(line_end + 1, state_end - line_end - 1));
  try {
    end.project = state.at("project").get<std::string>();
    end.while_starting = state.at("starting").get<bool>();
    end.careful = state.at("careful").get<bool>();
  } catch (const nlohmann::json::exception&) {  // likewise
  }
  return end;
}

}  // namespace

RunMarker::RunMarker(std::filesystem::path folder)
    : folder_(std::move(folder)), file_(folder_ / file_name()) {
  if (const Status made = make_folder(folder_); !made) log_warning(made.error().message());
  take_over();
  write();
}

RunMarker::~RunMarker() {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

void RunMarker::take_over() {
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder_, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::filesystem::path file = at->path();
    if (file.extension() != kEnding) continue;
    std::optional<EarlyEnd> early = early_end(file);
    std::error_code kept;
    // The one that removes it reports it: of two starts at once only one does.
    if (early && std::filesystem::remove(file, kept) && !kept) early_ends_.push_back(std::move(*early));
  }
}

bool RunMarker::careful() const {
  return std::any_of(early_ends_.begin(), early_ends_.end(), [](const EarlyEnd& end) { return !end.asked; });
}

bool RunMarker::ended_while_starting() const {
  return std::any_of(early_ends_.begin(), early_ends_.end(),
                     [](const EarlyEnd& end) { return !end.asked && end.while_starting; });
}

bool RunMarker::ended_early_with(const std::filesystem::path& project) const {
  return std::any_of(early_ends_.begin(), early_ends_.end(), [&](const EarlyEnd& end) {
    return !end.asked && end.project == project && !project.empty();
  });
}

void RunMarker::started() {
  starting_ = false;
  write();
}

void RunMarker::set_project(const std::filesystem::path& project) {
  if (project == project_) return;
  project_ = project;
  write();
}

void RunMarker::write() const {
  const nlohmann::ordered_json state = {
      {"project", project_.string()}, {"starting", starting_}, {"careful", careful()}};
  const std::string text = owner_to_json(this_process()) + json_text(state) + "\n";
  if (const Status written = write_file_atomically(file_, text); !written)
    log_warning(written.error().message());
}

void RunMarker::end_as_asked_on_signals() const {
  if (file_.native().size() >= marker_path.size()) return;
  std::memcpy(marker_path.data(), file_.c_str(), file_.native().size());
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, end_as_asked);
  std::atexit(note_asked);  // Qt's way when the display goes away; after a normal end the file is gone
}

}  // namespace vantage::ui
