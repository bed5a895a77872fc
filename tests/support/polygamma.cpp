#include "support/polygamma.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace plain {

long double digamma(long double x) {
  return boost::math::digamma(x);
}
long double trigamma(long double x) {
  return boost::math::trigamma(x);
}

}  // namespace plain
