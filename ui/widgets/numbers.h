// Numbers as the window writes and reads them: by the language in use (QLocale's default), "2,50" in German.
#pragma once

#include <QDoubleSpinBox>
#include <QLocale>
#include <QString>

namespace vantage::ui {

inline QString number_text(double value, char format, int digits) {
  return QLocale().toString(value, format, digits);
}

// A typed number, with the language's decimal mark or with a point, as other programs write it.
inline double typed_number(const QString& text, bool* good) {
  const double number = QLocale().toDouble(text.trimmed(), good);
  return *good ? number : text.trimmed().toDouble(good);
}

// Takes both marks, likewise.
class DecimalField final : public QDoubleSpinBox {
 public:
  using QDoubleSpinBox::QDoubleSpinBox;
  QValidator::State validate(QString& text, int& position) const override {
    const QString mark = locale().decimalPoint();
    if (mark != "." && !text.contains(mark)) text.replace('.', mark);
    return QDoubleSpinBox::validate(text, position);
  }
};

}  // namespace vantage::ui
