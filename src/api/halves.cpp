// The local and the global half of a step, and the layout of the statistics passed between them.

#include "api/guard.h"
#include "api/running.h"
#include "inference/optimizer.h"

using namespace vtemper::api;
using vtemper::Error;
using vtemper::message;

namespace {

/// Whether statistics are single precision; refuses element types other than float and double.
bool is_single(const vtemper_element& element) {
  const int32_t type = enum_value(element);
  if (type != VTEMPER_FLOAT && type != VTEMPER_DOUBLE) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument statistics_type is ", type, "; valid values are VTEMPER_FLOAT and VTEMPER_DOUBLE"));
  }
  return type == VTEMPER_FLOAT;
}

void require_own_data(const vtemper_optimizer& handle) {
  if (handle.data) return;
  throw Error(VTEMPER_ERROR_STATE, "argument batch is NULL, and the optimizer was created without data");
}

void require_places(const vtemper_data* batch, int64_t first_place, int64_t step_rows) {
  constexpr int64_t most = INT32_MAX;
  const int64_t rows = batch == nullptr ? 0 : batch->get().rows();
  if (step_rows < rows || step_rows > most || (batch == nullptr && step_rows != 0)) {
    throw Error(
        VTEMPER_ERROR_ARGUMENT,
        message("argument step_rows is ", step_rows,
                batch == nullptr
                    ? std::string("; it must be 0 where batch is NULL: the optimizer's own rows have their places")
                    : message("; it must lie between the rows of the batch, ", rows, ", and ", most)));
  }
  if (first_place < 0 || first_place > step_rows - rows) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("argument first_place is ", first_place, "; a batch of ", rows,
                                                " rows of ", step_rows, " begins between 0 and ", step_rows - rows));
  }
}

}  // namespace

vtemper_status vtemper_optimizer_statistics_length(const vtemper_optimizer* optimizer, int64_t* length) {
  return guard([&] {
    const vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    require(length, "length");
    *length = handle.optimizer->statistics_length();
  });
}

vtemper_status vtemper_optimizer_local_step(vtemper_optimizer* optimizer, const vtemper_data* batch,
                                            double* statistics, int64_t length) {
  return guard([&] {
    vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    const auto rows = batch == nullptr ? nullptr : require_handle(batch, "batch").shared;
    require(statistics, "statistics");
    require_length(length, "statistics", handle.optimizer->statistics_length());
    if (!rows) require_own_data(handle);
    const Running running(handle, rows.get());
    handle.optimizer->undo_start_on_error([&] {
      handle.optimizer->local_step(rows ? rows->data.get() : nullptr);
      handle.optimizer->write_statistics(statistics);
    });
  });
}

vtemper_status vtemper_optimizer_global_step(vtemper_optimizer* optimizer, const double* statistics, int64_t length,
                                             vtemper_report* report) {
  return guard([&] {
    vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    require(statistics, "statistics");
    require_report(report);
    require_length(length, "statistics", handle.optimizer->statistics_length());
    const Running running(handle, nullptr);
    handle.optimizer->global_step(statistics, messages_of(handle));
    give_report(handle, report);
  });
}

vtemper_status vtemper_optimizer_local_step_at(vtemper_optimizer* optimizer, const vtemper_data* batch,
                                               int64_t first_place, int64_t step_rows, void* statistics,
                                               vtemper_element statistics_type, int64_t length) {
  return guard([&] {
    vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    const auto rows = batch == nullptr ? nullptr : require_handle(batch, "batch").shared;
    require(statistics, "statistics");
    const bool single = is_single(statistics_type);
    require_length(length, "statistics", handle.optimizer->statistics_length());
    require_places(batch, first_place, step_rows);
    if (!rows) require_own_data(handle);
    const Running running(handle, rows.get());
    vtemper::Optimizer& held = *handle.optimizer;
    held.undo_start_on_error([&] {
      if (rows) {
        held.local_step_at(*rows->data, first_place, step_rows);
      } else {
        held.local_step(nullptr);
      }
      if (single) {
        held.write_statistics(static_cast<float*>(statistics));
      } else {
        held.write_statistics(static_cast<double*>(statistics));
      }
    });
  });
}

vtemper_status vtemper_optimizer_global_step_of(vtemper_optimizer* optimizer, const void* statistics,
                                                vtemper_element statistics_type, int64_t length,
                                                vtemper_report* report) {
  return guard([&] {
    vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    require(statistics, "statistics");
    require_report(report);
    const bool single = is_single(statistics_type);
    require_length(length, "statistics", handle.optimizer->statistics_length());
    const Running running(handle, nullptr);
    if (single) {
      handle.optimizer->global_step(static_cast<const float*>(statistics), messages_of(handle));
    } else {
      handle.optimizer->global_step(static_cast<const double*>(statistics), messages_of(handle));
    }
    give_report(handle, report);
  });
}

vtemper_status vtemper_optimizer_statistics_count(const vtemper_optimizer* optimizer, int32_t* count) {
  return guard([&] {
    const vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    require(count, "count");
    *count = static_cast<int32_t>(handle.optimizer->statistics().size());
  });
}

vtemper_status vtemper_optimizer_statistics_info(const vtemper_optimizer* optimizer, int32_t index,
                                                 vtemper_quantity* info) {
  return guard([&] {
    const vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    require_struct(info, "info");
    const std::vector<vtemper::Quantity> arrays = handle.optimizer->statistics();
    require_index(index, static_cast<int64_t>(arrays.size()), "index");
    write_struct(describe(arrays[static_cast<size_t>(index)]), info);
  });
}
