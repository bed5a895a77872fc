#pragma once
// The derivatives of log Gamma in long double, for plain computations. Boost's headers take longer to compile than
// most tests: polygamma.cpp alone includes them. (accuracy_test.cpp has them with error policies of its own.)

namespace plain {

long double digamma(long double x);
long double trigamma(long double x);

}  // namespace plain
