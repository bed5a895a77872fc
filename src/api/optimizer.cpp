// Optimizers: steps, reports, callbacks, traces, checkpoints.

#include "inference/optimizer.h"

#include <optional>
#include <string>

#include "api/collective.h"
#include "api/guard.h"
#include "api/running.h"
#include "api/storage.h"
#include "api/whole_model.h"
#include "data/spread.h"

namespace vtemper::api {
namespace {

constexpr const char* checkpoint_format = "vtemper.checkpoint";

/// Runs `steps` steps, or until finished if negative.
void advance(vtemper_optimizer* optimizer, int64_t steps, vtemper_report* report) {
  vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
  require_report(report);
  if (!handle.data) {
    throw Error(VTEMPER_ERROR_STATE, "the optimizer was created without data: feed it rows, or create it with data");
  }
  const Running running(handle, nullptr);
  vtemper_status status = VTEMPER_OK;
  try {
    status = handle.optimizer->run(steps, monitor_of(handle), messages_of(handle));
  } catch (const Error& error) {
    if (error.status() == VTEMPER_CANCELLED) give_report(handle, report);
    throw;
  }
  give_report(handle, report);
  if (status == VTEMPER_CANCELLED) {
    throw Error(VTEMPER_CANCELLED, message("the monitor stopped the run after step ", report_of(handle).iteration));
  }
}

/// Completes a handle; cannot fail.
vtemper_optimizer* complete(std::unique_ptr<vtemper_optimizer> handle, std::unique_ptr<Optimizer> optimizer,
                            std::shared_ptr<SharedModel> model) {
  handle->optimizer = std::move(optimizer);
  handle->model = std::move(model);
  ++handle->model->optimizers;
  return handle.release();
}

std::shared_ptr<SharedData> optional_data(const vtemper_data* data) {
  return data == nullptr ? nullptr : require_handle(data, "data").shared;
}

template <class MakeSink>
void read_quantity(const vtemper_optimizer* optimizer, const char* name, double* out, int64_t length,
                   const MakeSink& make_sink) {
  const Optimizer& held = *require_handle(optimizer, "optimizer").optimizer;
  const std::string_view key = text_argument(name, "name");
  const std::vector<Quantity> quantities = held.quantities();
  const Quantity& quantity = find_quantity(quantities, key);
  require_array(out, "out", length, "length");
  require_length(length, quantity.name, quantity.size());
  held.read_quantity(key, make_sink(quantity));
}

/// `whole`: the model of the optimizer, or the model gathered from it.
ContainerWriter checkpoint_writer(const Optimizer& optimizer, const Model& whole) {
  ContainerWriter writer(checkpoint_format);
  optimizer.save(writer, whole);
  return writer;
}

/// The part of a load that can fail; `read` opens the checkpoint.
template <class Read>
void load(const vtemper_data* data, vtemper_optimizer** optimizer, const Read& read) {
  std::unique_ptr<vtemper_optimizer> handle;
  std::unique_ptr<Optimizer> loaded;
  std::shared_ptr<SharedModel> model;
  propagate_failures(nullptr, data_of(data), "the end of vtemper_optimizer_load", [&] {
    require(optimizer, "optimizer");
    handle = std::make_unique<vtemper_optimizer>();
    handle->data = optional_data(data);  // validated before a file is read
    const vtemper::DataPointer rows = handle->data ? handle->data->data : nullptr;
    std::optional<ContainerReader> reader;
    vtemper::run_locally(rows.get(), {"vtemper_optimizer_load", 0}, [&] { reader = read(); });
    loaded = Optimizer::load(*reader, rows);
    model = std::make_shared<SharedModel>(loaded->model());
  });
  *optimizer = complete(std::move(handle), std::move(loaded), std::move(model));
  keep_ending(**optimizer);
}

}  // namespace
}  // namespace vtemper::api

using namespace vtemper::api;
using vtemper::Error;
using vtemper::message;
using vtemper::Quantity;

vtemper_status vtemper_model_fit_memory(const vtemper_model* model, const vtemper_data* data,
                                        const vtemper_options* options, double* bytes) {
  return guard([&] {
    const vtemper::Model& held = *require_handle(model, "model").shared->model;
    const vtemper::Data& rows = require_handle(data, "data").get();
    require(bytes, "bytes");
    *bytes = vtemper::Optimizer::memory_needed(held, rows, set_of(options));
  });
}

vtemper_status vtemper_optimizer_create(vtemper_model* model, const vtemper_data* data,
                                        const vtemper_options* options, vtemper_optimizer** optimizer) {
  return guard([&] {
    std::unique_ptr<vtemper_optimizer> handle;
    std::unique_ptr<vtemper::Optimizer> fresh;
    propagate_failures(model_of(model), data_of(data), "the end of vtemper_optimizer_create", [&] {
      const auto& shared_model = require_handle(model, "model").shared;
      require(optimizer, "optimizer");
      require_idle(*shared_model, "given to an optimizer");
      const std::shared_ptr<SharedData> rows = optional_data(data);
      handle = std::make_unique<vtemper_optimizer>();
      handle->data = rows;
      // The optimizer initialises a copy, which replaces the model once nothing can fail any more.
      std::shared_ptr<vtemper::Model> start = shared_model->model;
      if (!start->initialized()) start = start->copy();
      fresh = std::make_unique<vtemper::Optimizer>(start, rows ? rows->data : nullptr, set_of(options));
    });
    const auto& shared_model = model->shared;
    shared_model->model = fresh->model();  // the start, or this rank's share of it
    *optimizer = complete(std::move(handle), std::move(fresh), shared_model);
  });
}

void vtemper_optimizer_destroy(vtemper_optimizer* optimizer) {
  if (optimizer == nullptr || !optimizer->tag) return;
  if (optimizer->running) {
    optimizer->ends_after_run = true;
  } else {
    delete optimizer;
  }
}

vtemper_status vtemper_optimizer_model(const vtemper_optimizer* optimizer, vtemper_model** model) {
  return guard([&] {
    const vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    require(model, "model");
    *model = model_handle(handle.model).release();
  });
}

vtemper_status vtemper_optimizer_option(const vtemper_optimizer* optimizer, const char* name, const char** text) {
  return guard([&] {
    const vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    const std::string_view key = text_argument(name, "name");
    require(text, "text");
    *text = handle.optimizer->options().text(key).c_str();
  });
}

vtemper_status vtemper_optimizer_used_options(const vtemper_optimizer* optimizer, vtemper_options** options) {
  return guard([&] {
    const vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    require(options, "options");
    *options = new_options(handle.optimizer->used_options());
  });
}

vtemper_status vtemper_optimizer_step(vtemper_optimizer* optimizer, int64_t steps, vtemper_report* report) {
  return guard([&] {
    require_handle(optimizer, "optimizer");
    if (steps < 0) {
      throw Error(VTEMPER_ERROR_ARGUMENT, message("argument steps is ", steps, ", which is negative"));
    }
    advance(optimizer, steps, report);
  });
}

vtemper_status vtemper_optimizer_run(vtemper_optimizer* optimizer, vtemper_report* report) {
  return guard([&] { advance(optimizer, -1, report); });
}

vtemper_status vtemper_optimizer_feed(vtemper_optimizer* optimizer, const vtemper_data* batch,
                                      vtemper_report* report) {
  return guard([&] {
    vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    const vtemper_data& rows = require_handle(batch, "batch");
    require_report(report);
    const auto held = rows.shared;
    const Running running(handle, held.get());
    handle.optimizer->feed(*held->data, messages_of(handle));
    give_report(handle, report);
  });
}

vtemper_status vtemper_optimizer_report(const vtemper_optimizer* optimizer, vtemper_report* report) {
  return guard([&] {
    const vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    require_struct(report, "report");
    write_struct(report_of(handle), report);
  });
}

vtemper_status vtemper_optimizer_set_monitor(vtemper_optimizer* optimizer, vtemper_monitor monitor, void* user) {
  return guard([&] {
    vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    Running::require_stopped(handle);
    handle.monitor = monitor;
    handle.monitor_user = user;
  });
}

vtemper_status vtemper_optimizer_set_messages(vtemper_optimizer* optimizer, vtemper_message message, void* user) {
  return guard([&] {
    vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    Running::require_stopped(handle);
    handle.message = message;
    handle.message_user = user;
  });
}

vtemper_status vtemper_optimizer_quantity_count(const vtemper_optimizer* optimizer, int32_t* count) {
  return guard([&] {
    const vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    require(count, "count");
    *count = static_cast<int32_t>(handle.optimizer->quantities().size());
  });
}

vtemper_status vtemper_optimizer_quantity_info(const vtemper_optimizer* optimizer, int32_t index,
                                               vtemper_quantity* info) {
  return guard([&] {
    const vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    require_struct(info, "info");
    const std::vector<Quantity> quantities = handle.optimizer->quantities();
    require_index(index, static_cast<int64_t>(quantities.size()), "index");
    write_struct(describe(quantities[static_cast<size_t>(index)]), info);
  });
}

vtemper_status vtemper_optimizer_get(const vtemper_optimizer* optimizer, const char* name, double* out,
                                     int64_t length) {
  return guard([&] {
    read_quantity(optimizer, name, out, length, [&](const Quantity& quantity) { return row_major(out, quantity); });
  });
}

vtemper_status vtemper_optimizer_get_strided(const vtemper_optimizer* optimizer, const char* name, double* out,
                                             int64_t length, int64_t row_stride, int64_t column_stride) {
  return guard([&] {
    read_quantity(optimizer, name, out, length,
                  [&](const Quantity& quantity) { return strided(out, quantity, row_stride, column_stride); });
  });
}

vtemper_status vtemper_optimizer_set(vtemper_optimizer* optimizer, const char* name, const double* in,
                                     int64_t length) {
  return guard([&] {
    vtemper_optimizer& handle = require_handle(optimizer, "optimizer");
    const std::string_view key = text_argument(name, "name");
    const Running running(handle, nullptr);
    const std::vector<Quantity> quantities = handle.optimizer->quantities();
    require_settable(find_quantity(quantities, key), in, length);
    handle.optimizer->write_quantity(key, in);
  });
}

vtemper_status vtemper_optimizer_save(const vtemper_optimizer* optimizer, const char* path) {
  return guard([&] {
    propagate_failures(model_of(optimizer), nullptr, "the end of vtemper_optimizer_save", [&] {
      const vtemper::Optimizer& held = *require_handle(optimizer, "optimizer").optimizer;
      require(path, "path");
      write_whole(*held.model(), path,
                  [&](const vtemper::Model& whole) { checkpoint_writer(held, whole).write_file(path); });
    });
  });
}

vtemper_status vtemper_checkpoint_kind(const char* path, const char** kind) {
  return guard([&] {
    require(path, "path");
    require(kind, "kind");
    const auto reader = vtemper::ContainerReader::open_file(path, checkpoint_format, vtemper::Verify::header,
                                                            vtemper::no_memory_for_blocks);
    *kind = vtemper::stored_kind(reader).name;
  });
}

vtemper_status vtemper_optimizer_load(const char* path, const vtemper_data* data, vtemper_optimizer** optimizer) {
  return guard([&] {
    load(data, optimizer, [&] {
      require(path, "path");
      return vtemper::ContainerReader::open_file(path, checkpoint_format, vtemper::Verify::everything,
                                                 vtemper::no_memory_for_blocks);
    });
  });
}

vtemper_status vtemper_optimizer_save_buffer(const vtemper_optimizer* optimizer, void* buffer, int64_t capacity,
                                             int64_t* size) {
  return guard([&] {
    const vtemper::Optimizer& held = *require_handle(optimizer, "optimizer").optimizer;
    require(size, "size");
    write_buffer(checkpoint_writer(held, *held.model()), buffer, capacity, size);
  });
}

vtemper_status vtemper_optimizer_load_buffer(const void* buffer, int64_t size, const vtemper_data* data,
                                             vtemper_optimizer** optimizer) {
  return guard([&] {
    vtemper::Array<unsigned char> aligned;
    load(data, optimizer, [&] {
      require(buffer, "buffer");
      return read_buffer(buffer, size, checkpoint_format, aligned);
    });
  });
}
