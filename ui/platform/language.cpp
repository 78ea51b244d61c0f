#include "ui/platform/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QTranslator>
#include <cstring>
#include <memory>

#include "core/base/log.h"

// Resources of a static library are there once this was called.
static void init_texts() {
  Q_INIT_RESOURCE(translations);
}

namespace vantage::ui {
namespace {

// One context holds all of the window's texts: a text is translated alike whatever class shows it, and a
// helper outside of classes finds it, too.
class WindowTexts final : public QTranslator {
 public:
  QString translate(const char* context, const char* text, const char* comment, int n) const override {
    if (context && context[0] == 'Q' && std::strcmp(context, "QObject") != 0) return {};  // Qt's own texts
    QString found = QTranslator::translate("Vantage", text, comment, n);
    // Numbers in a sentence are written as in its language, whether its translator thought of it or not.
    static const QRegularExpression value(QStringLiteral("%(?=[1-9])"));
    return found.isNull() ? found : found.replace(value, QStringLiteral("%L"));
  }
  bool isEmpty() const override { return false; }
};

struct Installed {
  Language language = Language::english;
  std::unique_ptr<QTranslator> of_qt, of_window;
};

Installed& installed() {
  static Installed one;
  return one;
}

Language language_of_user() {
  for (const QString& name : QLocale::system().uiLanguages()) {
    const QLocale::Language language = QLocale(name).language();
    if (language == QLocale::German) return Language::german;
    if (language == QLocale::English || language == QLocale::C) return Language::english;
  }
  return Language::english;
}

// German of the user's country, if that is one where it is spoken.
QLocale locale_of(Language language) {
  if (language == Language::english) return QLocale::c();
  const QLocale user = QLocale::system();
  QLocale german = user.language() == QLocale::German ? user : QLocale(QLocale::German, QLocale::Germany);
  german.setNumberOptions(QLocale::OmitGroupSeparator | QLocale::RejectGroupSeparator);
  return german;
}

}  // namespace

Language language_in_use() {
  return installed().language;
}

void use_language(Language language) {
  Installed& now = installed();
  now.of_qt.reset();  // leaves the application, too
  now.of_window.reset();
  now.language = language == Language::system ? language_of_user() : language;
  const bool german = now.language == Language::german;
  QLocale::setDefault(locale_of(now.language));
  init_texts();
  now.of_window = std::make_unique<WindowTexts>();
  if (now.of_window->load(german ? ":/translations/vantage_de.qm" : ":/translations/vantage_en.qm"))
    QCoreApplication::installTranslator(now.of_window.get());
  if (!german) return;
  now.of_qt = std::make_unique<QTranslator>();
  if (now.of_qt->load("qtbase_de", QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    QCoreApplication::installTranslator(now.of_qt.get());
  else
    log_info(
        "Qt's own texts, as on the buttons of its dialogs, are English: qt6-translations-l10n is missing");
}

}  // namespace vantage::ui
