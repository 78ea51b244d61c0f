// The window in German for as long as this lives; then in English again, as tests begin.
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <QTranslator>

#include "ui/platform/language.h"

namespace vantage::ui {

// Asked last, for what no one else translates: it notes the window's texts.
class Untranslated final : public QTranslator {
 public:
  QString translate(const char* context, const char* text, const char*, int) const override {
    const bool of_qt = context && context[0] == 'Q' && qstrcmp(context, "QObject") != 0;
    if (!of_qt && *text && !texts.contains(QString::fromUtf8(text))) texts << QString::fromUtf8(text);
    return {};
  }
  bool isEmpty() const override { return false; }
  mutable QStringList texts;
};

class InGerman {
 public:
  InGerman() {
    QCoreApplication::installTranslator(&untranslated_);
    use_language(Language::german);
  }
  ~InGerman() { use_language(Language::english); }  // `untranslated_` leaves by itself
  InGerman(const InGerman&) = delete;
  const QStringList& untranslated() const { return untranslated_.texts; }

 private:
  Untranslated untranslated_;
};

}  // namespace vantage::ui
