#pragma once
// The derivatives of log Gamma in long double, for plain computations. Boost's headers take longer to compile than
// most tests, so only polygamma.cpp includes them. (accuracy_test.cpp uses them with its own error policies.)

namespace plain {

long double digamma(long double x);
long double trigamma(long double x);

}  // namespace plain
