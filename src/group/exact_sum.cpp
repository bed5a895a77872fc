#include "group/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vtemper {

namespace {

constexpr int bits = 32;
constexpr int64_t base = int64_t{1} << bits;
/// The smallest double is 2^smallest, and the significand of a double has `precision` bits.
constexpr int smallest = -1074, precision = 53;
/// After this many addends of less than 2^32 a digit is still below 2^63.
constexpr int64_t max_uncarried = int64_t{1} << 30;

}  // namespace

void ExactSum::add(double x) {
  if (!std::isfinite(x)) {
    not_finite_ += x;
    return;
  }
  int exponent = 0;
  const double fraction = std::frexp(std::abs(x), &exponent);
  // |x| is a multiple of 2^lowest: subnormal numbers have fewer bits.
  const int lowest = std::max(exponent - precision, smallest);
  const auto whole = static_cast<uint64_t>(std::ldexp(fraction, exponent - lowest));
  const int place = lowest - smallest, shift = place % bits;
  const auto low = static_cast<int64_t>((whole << shift) % base);
  const auto high = static_cast<int64_t>(whole >> (bits - shift));
  const int64_t sign = x < 0 ? -1 : 1;
  int64_t* const digit = digits_.data() + place / bits;
  digit[0] += sign * low;
  digit[1] += sign * (high % base);
  digit[2] += sign * (high / base);
  if (++uncarried_ == max_uncarried) carry();
}

/// Brings all digits except the last, which has the sign, into 0 ... 2^32 - 1.
void ExactSum::carry() {
  for (size_t i = 0; i + 1 < digits; ++i) {
    const int64_t rest = ((digits_[i] % base) + base) % base;
    digits_[i + 1] += (digits_[i] - rest) / base;
    digits_[i] = rest;
  }
  uncarried_ = 1;
}

double ExactSum::value() const {
  if (not_finite_ != 0) return not_finite_;
  ExactSum sum = *this;
  sum.carry();
  const bool is_negative = sum.digits_.back() < 0;
  if (is_negative) {
    for (int64_t& digit : sum.digits_) digit = -digit;
    sum.carry();
  }
  double value = 0;
  for (size_t i = 0; i < digits; ++i) {
    value += std::ldexp(static_cast<double>(sum.digits_[i]), static_cast<int>(i) * bits + smallest);
  }
  return is_negative ? -value : value;
}

ExactSum::Numbers ExactSum::numbers() const {
  ExactSum sum = *this;
  sum.carry();
  Numbers numbers;
  std::transform(sum.digits_.begin(), sum.digits_.end(), numbers.begin(),
                 [](int64_t digit) { return static_cast<double>(digit); });
  numbers.back() = not_finite_;
  return numbers;
}

void ExactSum::add(const double* numbers) {
  not_finite_ += numbers[digits];
  for (size_t i = 0; i < digits; ++i) {
    // Another rank may have sent impossible numbers.
    if (std::abs(numbers[i]) <= static_cast<double>(base)) {
      digits_[i] += static_cast<int64_t>(numbers[i]);
    } else {
      not_finite_ = std::numeric_limits<double>::quiet_NaN();
    }
  }
  if (++uncarried_ == max_uncarried) carry();
}

}  // namespace vtemper
