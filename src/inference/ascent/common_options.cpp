#include "inference/ascent.h"

namespace vtemper {

OptionTable ascent_options() {
  return {{"learning_rate", VTEMPER_OPTION_REAL, "auto", 1e-12, 1e3, "",
           "Size of gradient steps; auto: the model's own, else 0.001 for adam and 0.01 for the others."}};
}

}  // namespace vtemper
