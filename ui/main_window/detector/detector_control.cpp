#include "ui/main_window/detector/detector_control.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QVBoxLayout>
#include <memory>
#include <utility>

#include "core/pipeline/detector_models.h"
#include "ui/widgets/form.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

constexpr int kFileWidth = 420;

}  // namespace

DetectorDialog::DetectorDialog(const Project& project, QWidget* parent)
    : TaskDialog(tr("Detector"), tr("&Use"), tr("Open the models, then detect by them"), parent) {
  auto* rows = new QVBoxLayout(fields());
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(kWide);
  rows->addWidget(
      quiet_label(tr("ONNX models of the families RTMDet, YOLOX, NanoDet, DETR, RF-DETR, D-FINE or RTMO. "
                     "Cameras with a file of detections keep it.")));
  auto* form = new Form;
  rows->addLayout(form);
  people_ =
      add_model(form, tr("&People"), tr("The model that finds people; empty: none"), project.detection_model);
  joints_ = add_model(form, tr("&Joints"),
                      tr("A second model, RTMPose, that finds the joints of these people; empty: none"),
                      project.joints_model);
  connect(form, &Form::changed, this, [this] {
    refusal_.clear();
    update_state();
  });
  lay_out();
  update_state();
}

QLineEdit* DetectorDialog::add_model(Form* form, const QString& name, const QString& tip,
                                     const std::string& file) {
  QLineEdit* line = form->add_line(name, tip, QString::fromStdString(file), kFileWidth);
  line->setClearButtonEnabled(true);
  const QString title = tr("Choose a Model");
  add_chooser(line, title, [this, title](const QString& now) {
    const QString folder = now.isEmpty() ? QDir::homePath() : QFileInfo(now).absolutePath();
    return QFileDialog::getOpenFileName(this, title, folder, tr("ONNX models (*.onnx)"));
  });
  return line;
}

void DetectorDialog::show_refusal(const Error& error) {
  refusal_ = QString::fromStdString(error.message());
  update_state();
}

void DetectorDialog::update_state() {
  if (!refusal_.isEmpty()) return show_problem(refusal_);
  for (const QLineEdit* line : {people_, joints_}) {
    const QString file = line->text().trimmed();
    if (!file.isEmpty() && !QFileInfo(file).isFile()) return show_problem(tr("%1 is not a file.").arg(file));
  }
  const bool alone = people_->text().trimmed().isEmpty() && !joints_->text().trimmed().isEmpty();
  show_problem(alone ? tr("Joints are found in people's boxes: name the model of people, too.") : QString());
}

void DetectorDialog::start() {
  const auto path = [](const QLineEdit* line) {
    const QString file = line->text().trimmed();
    return file.isEmpty() ? file : QFileInfo(file).absoluteFilePath();
  };
  emit chosen(path(people_), path(joints_));
}

DetectorControl::DetectorControl(const WindowParts& parts) : Control(parts) {
  add_action(
      {"detector", "&Detector…", "Alt+Shift+D", "Choose the models that detect people and their joints"},
      {Menu::analysis, "check"}, [this] { ask(); },
      [this] {
        return unmet({{project().has_pictures(), tr("This project has no pictures, only detections.")},
                      {!state().recording(), tr("The cameras are being recorded.")},
                      idle()});
      });
}

void DetectorControl::forget() {
  job_.stop();
  delete dialog_;
}

void DetectorControl::ask() {
  delete dialog_;
  dialog_ = new DetectorDialog(project(), parts().window);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog_, &DetectorDialog::chosen, this, &DetectorControl::try_out);
  connect(dialog_, &DetectorDialog::cancelled, this, [this] {
    job_.stop();
    dialog_->show_running(false);
  });
  dialog_->open();
}

// The project changes only where the models can be opened.
void DetectorControl::try_out(const QString& people, const QString& joints) {
  if (people.isEmpty()) return use(people, joints, nullptr);
  dialog_->show_running(true);
  job_.start([this, people, joints, parameters = project().parameters.get<DetectionParameters>()](
                 const StopSource&) -> BackgroundJob::Deliver {
    using Opened = Result<std::unique_ptr<PersonDetector>>;
    const auto open = [&]() -> Opened {
      VANTAGE_ASSIGN(const DetectorModels models, read_models(people.toStdString(), joints.toStdString()));
      return PersonDetector::open(models, parameters, {.choice = parameters.engine});
    };
    return [this, people, joints, detector = std::make_shared<Opened>(open())] {
      if (!dialog_) return;
      dialog_->show_running(false);
      if (!*detector) return dialog_->show_refusal(detector->error());
      use(people, joints, (*detector)->get());
    };
  });
}

void DetectorControl::use(const QString& people, const QString& joints, const PersonDetector* detector) {
  const bool skeletons = detector && detector->finds_joints();
  post(command::Edit{"detector", [people, joints, skeletons](Project& project) {
                       project.detection_model = people.toStdString();
                       project.joints_model = joints.toStdString();
                       if (skeletons) static_cast<void>(project.parameters.set("skeletons", "enabled", 1));
                     }});
  if (detector) {
    const DetectorProvenance& of = detector->provenance();
    parts().messages->post(
        {Severity::note,
         tr("People are detected by %1 (%2, %3 px, %4 %5).")
             .arg(QString::fromStdString(of.model), QString::fromStdString(of.family))
             .arg(of.long_side_px)
             .arg(QString::fromStdString(of.engine), QString::fromStdString(of.engine_version))});
  }
  if (dialog_) dialog_->accept();
}

}  // namespace vantage::ui
