#include "inference/ascent.h"

namespace vtemper {

OptionTable ascent_options() {
  return {{"learning_rate", VTEMPER_OPTION_REAL, "auto", 1e-12, 1e3, "",
           "Size of the steps along gradients; auto: the model's own, else 0.001 of adam and 0.01 of the others."}};
}

}  // namespace vtemper
