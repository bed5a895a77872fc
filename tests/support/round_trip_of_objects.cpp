// For tests of the library's objects: linked with --wrap for the destructor of Optimizer.
#include "api/handles.h"
#include "support/round_trip.h"

extern "C" void __real__ZN7vtemper9OptimizerD1Ev(vtemper::Optimizer* optimizer);
extern "C" void __wrap__ZN7vtemper9OptimizerD1Ev(vtemper::Optimizer* optimizer);

extern "C" void __wrap__ZN7vtemper9OptimizerD1Ev(vtemper::Optimizer* optimizer) {
  const vtemper_report& report = optimizer->report();
  if (report.iteration > 0 && report.ranks == 1) {  // ranks save together
    vtemper_model model;
    model.shared = std::make_shared<vtemper::api::SharedModel>(optimizer->model());
    check_round_trip(&model);
  }
  __real__ZN7vtemper9OptimizerD1Ev(optimizer);
}
