#pragma once
// The element type in files for the numbers of a model that computes in Real.

#include "storage/container.h"

namespace vtemper {

template <class Real>
inline constexpr Element real_element = sizeof(Real) == sizeof(float) ? Element::f32 : Element::f64;

}  // namespace vtemper
