// Models: parameters, local posteriors, scores, files.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "api/collective.h"
#include "api/guard.h"
#include "api/handles.h"
#include "api/storage.h"
#include "api/structs.h"
#include "api/whole_model.h"
#include "data/spread.h"
#include "evaluation/evaluate.h"
#include "evaluation/topic_map.h"
#include "evaluation/words.h"
#include "inference/same_model.h"
#include "models/model.h"
#include "support/interruption.h"

namespace vtemper::api {
namespace {

constexpr const char* model_format = "vtemper.model";

void require_initialized(const Model& model) {
  if (model.initialized()) return;
  throw Error(VTEMPER_ERROR_STATE, "the model is not initialised: initialise it with data, or create an optimizer");
}

using Notes = std::map<std::string, std::string, std::less<>>;

vtemper_model* new_model(std::unique_ptr<Model> model, Notes notes = {}) {
  auto shared = std::make_shared<SharedModel>(std::move(model));
  shared->notes = std::move(notes);
  return model_handle(std::move(shared)).release();
}

constexpr std::string_view note_prefix = "note.";

/// A model with its notes.
vtemper_model* read_model(const ContainerReader& reader) {
  Notes notes;
  for (const auto& [name, text] : reader.texts()) {
    if (name.compare(0, note_prefix.size(), note_prefix) == 0) notes[name.substr(note_prefix.size())] = text;
  }
  return new_model(load_model(reader), std::move(notes));
}

OptionValues evaluate_values(const vtemper_options* options) {
  return OptionValues(evaluate_options(), set_of(options), "evaluate");
}

/// Results must be finite numbers, or the call fails.
void require_finite(const Quantity& quantity, const vtemper::Sink& sink) {
  const int64_t columns = quantity.shape.size() > 1 ? quantity.shape[1] : 1;
  const int64_t rows = columns > 0 ? quantity.size() / columns : 0;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const double value = sink(row, column);
      if (std::isfinite(value)) continue;
      throw Error(VTEMPER_ERROR_NUMERIC,
                  message(quantity.name, " in row ", row, ", column ", column, " is ", value,
                          ": the data or the parameters of the model are too large or too small"));
    }
  }
}

/// Runs a getter of `model` into a sink.
template <class MakeSink>
void read_parameter(const vtemper_model* model, const char* name, double* out, int64_t length,
                    const MakeSink& make_sink) {
  const Model& held = require_handle(model, "model").get();
  const std::string_view key = text_argument(name, "name");
  require_initialized(held);
  const std::vector<Quantity> parameters = held.parameters();
  const Quantity& quantity = find_quantity(parameters, key);
  require_array(out, "out", length, "length");
  require_length(length, quantity.name, quantity.size());
  const vtemper::Sink sink = make_sink(quantity);
  held.read_parameter(key, sink);
  require_finite(quantity, sink);
}

void require_same_group(const Data& observed, const Data& heldout) {
  if (vtemper::ranks_of(&heldout) == vtemper::ranks_of(&observed)) return;
  throw Error(VTEMPER_ERROR_DATA, "observed and heldout are not spread over the same group");
}

const Data* optional_data(const vtemper_data* data, const char* argument) {
  return data == nullptr ? nullptr : &require_handle(data, argument).get();
}

template <class MakeSink>
void infer_own(const vtemper_model* model, const vtemper_data* data, const char* quantity,
               const vtemper_options* options, double* out, int64_t length, const MakeSink& make_sink) {
  const Model& held = require_handle(model, "model").get();
  const Data& rows = require_handle(data, "data").get();
  const std::string_view key = text_argument(quantity, "quantity");
  require_initialized(held);
  check_data(held, rows);
  const std::vector<Quantity> quantities = held.local_quantities(rows);
  const Quantity& found = find_quantity(quantities, key);
  require_array(out, "out", length, "length");
  require_length(length, found.name, found.size());
  const OptionValues values = evaluate_values(options);
  check_infer_options(held, key, values);
  const vtemper::Sink sink = make_sink(found);
  borrow_rows(held, rows, nullptr);
  held.infer(rows, key, values, sink);
  require_finite(found, sink);
}

template <class MakeSink>
void infer(const vtemper_model* model, const vtemper_data* data, const char* quantity, const vtemper_options* options,
           double* out, int64_t length, const MakeSink& make_sink) {
  propagate_failures(model_of(model), nullptr, "the end of vtemper_model_infer",
                     [&] { infer_own(model, data, quantity, options, out, length, make_sink); });
}

double evaluate(const vtemper_model* model, const vtemper_data* observed, const vtemper_data* heldout,
                const char* measure, const vtemper_options* options) {
  const Model& held = require_handle(model, "model").get();
  const Data* rows = optional_data(observed, "observed");
  const Data* others = optional_data(heldout, "heldout");
  const std::string_view name = text_argument(measure, "measure");
  vtemper::OptionValues values;
  vtemper::run_locally(rows, {"vtemper_model_evaluate", 0}, [&] {
    require_initialized(held);
    if (rows != nullptr) check_data(held, *rows);
    if (others != nullptr) check_data(held, *others);
    if (rows != nullptr && others != nullptr) require_same_group(*rows, *others);
    values = evaluate_values(options);
  });
  if (vtemper::Group* const group = vtemper::ranks_of(rows)) {
    std::vector<vtemper::Group::Shared> shared =
        vtemper::shared_options(vtemper::evaluate_options(), set_of(options));
    shared.push_back({"the measure", std::string(name)});
    shared.push_back({"whether heldout is given", others != nullptr ? "true" : "false"});
    shared.push_back({"the number of columns of the data", vtemper::number_text(rows->columns())});
    require_same_model(*group, "vtemper_model_evaluate", held, shared);
  }
  return vtemper::evaluate(held, rows, others, name, values);
}

/// Parses the ranking criterion after checking that the requested components and words exist.
WordOrder ranking(const Model& model, const char* how, int64_t n, const int64_t* indices) {
  const std::string_view text = text_argument(how, "how");
  require_initialized(model);
  require_words(model);
  const WordOrder order = word_order(text);
  if (n < 1 || n > model.columns()) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("argument n is ", n, "; valid values are 1 to ", model.columns()));
  }
  require(indices, "indices");
  return order;
}

/// `whole`: the model of the handle, or the model gathered from it.
ContainerWriter model_writer(const vtemper_model* model, const Model& whole) {
  ContainerWriter writer(model_format);
  save_model(whole, writer);
  check_saved_model(whole, writer);
  for (const auto& [name, text] : notes_of(*model->shared)) writer.text(std::string(note_prefix) + name, text);
  return writer;
}

}  // namespace
}  // namespace vtemper::api

using namespace vtemper::api;
using vtemper::Data;
using vtemper::Error;
using vtemper::message;
using vtemper::Model;
using vtemper::Quantity;

vtemper_status vtemper_model_create(const char* kind, const vtemper_options* options, vtemper_model** model) {
  return guard([&] {
    const vtemper::ModelKind& known = vtemper::model_kind(text_argument(kind, "kind"));
    require(model, "model");
    const vtemper::OptionValues values(known.options(), set_of(options), known.name);
    *model = new_model(known.create(values));
  });
}

vtemper_status vtemper_model_copy(const vtemper_model* model, vtemper_model** copy) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    require(copy, "copy");
    *copy = new_model(held.copy(), notes_of(*model->shared));
  });
}

void vtemper_model_destroy(vtemper_model* model) {
  if (model != nullptr && model->tag) delete model;
}

const char* vtemper_model_kind(const vtemper_model* model) {
  return model != nullptr && model->tag ? model->get().kind().name : nullptr;
}

vtemper_status vtemper_model_option(const vtemper_model* model, const char* name, const char** text) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    const std::string_view key = text_argument(name, "name");
    require(text, "text");
    *text = held.options().text(key).c_str();
  });
}

vtemper_status vtemper_model_used_options(const vtemper_model* model, vtemper_options** options) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    require(options, "options");
    *options = new_options(held.used_options());
  });
}

vtemper_status vtemper_model_initialize(vtemper_model* model, const vtemper_data* data, uint64_t seed) {
  return guard([&] {
    const auto& shared = require_handle(model, "model").shared;
    const vtemper::Data& rows = require_handle(data, "data").get();
    require_idle(*shared, "initialised");
    const vtemper::Uninterrupted whole;
    if (shared->optimizers > 0 && shared->model->columns() != rows.columns()) {
      throw Error(VTEMPER_ERROR_STATE,
                  message("the model cannot be initialised for ", rows.columns(), " columns while it belongs to an ",
                          "optimizer for ", shared->model->columns(), " columns"));
    }
    shared->model->initialize(rows, seed);
    shared->model->count_change();
  });
}

vtemper_status vtemper_model_columns(const vtemper_model* model, int64_t* columns) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    require(columns, "columns");
    *columns = held.columns();
  });
}

vtemper_status vtemper_model_name(const vtemper_model* model, int64_t column, const char** name) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    require(name, "name");
    require_index(column, held.columns(), "column");
    const auto names = held.names();
    *name = names ? (*names)[static_cast<size_t>(column)].c_str() : "";
  });
}

vtemper_status vtemper_model_parameter_count(const vtemper_model* model, int32_t* count) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    require(count, "count");
    *count = static_cast<int32_t>(held.parameters().size());
  });
}

vtemper_status vtemper_model_parameter_info(const vtemper_model* model, int32_t index, vtemper_quantity* info) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    require_struct(info, "info");
    const std::vector<Quantity> parameters = held.parameters();
    require_index(index, static_cast<int64_t>(parameters.size()), "index");
    write_struct(describe(parameters[static_cast<size_t>(index)]), info);
  });
}

vtemper_status vtemper_model_get(const vtemper_model* model, const char* name, double* out, int64_t length) {
  return guard([&] {
    read_parameter(model, name, out, length, [&](const Quantity& quantity) { return row_major(out, quantity); });
  });
}

vtemper_status vtemper_model_get_strided(const vtemper_model* model, const char* name, double* out, int64_t length,
                                         int64_t row_stride, int64_t column_stride) {
  return guard([&] {
    read_parameter(model, name, out, length,
                   [&](const Quantity& quantity) { return strided(out, quantity, row_stride, column_stride); });
  });
}

vtemper_status vtemper_model_set(vtemper_model* model, const char* name, const double* in, int64_t length) {
  return guard([&] {
    const auto& shared = require_handle(model, "model").shared;
    const std::string_view key = text_argument(name, "name");
    require_idle(*shared, "changed");
    require_initialized(*shared->model);
    const std::vector<Quantity> parameters = shared->model->parameters();
    require_settable(find_quantity(parameters, key), in, length);
    shared->model->write_parameter(key, in);
    shared->model->count_change();
  });
}

vtemper_status vtemper_model_infer_count(const vtemper_model* model, const vtemper_data* data, int32_t* count) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    const vtemper::Data& rows = require_handle(data, "data").get();
    require(count, "count");
    require_initialized(held);
    check_data(held, rows);
    *count = static_cast<int32_t>(held.local_quantities(rows).size());
  });
}

vtemper_status vtemper_model_infer_info(const vtemper_model* model, const vtemper_data* data, int32_t index,
                                        vtemper_quantity* info) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    const vtemper::Data& rows = require_handle(data, "data").get();
    require_struct(info, "info");
    require_initialized(held);
    check_data(held, rows);
    const std::vector<Quantity> quantities = held.local_quantities(rows);
    require_index(index, static_cast<int64_t>(quantities.size()), "index");
    write_struct(describe(quantities[static_cast<size_t>(index)]), info);
  });
}

vtemper_status vtemper_model_infer(const vtemper_model* model, const vtemper_data* data, const char* quantity,
                                   const vtemper_options* options, double* out, int64_t length) {
  return guard([&] {
    infer(model, data, quantity, options, out, length, [&](const Quantity& found) { return row_major(out, found); });
  });
}

vtemper_status vtemper_model_infer_strided(const vtemper_model* model, const vtemper_data* data, const char* quantity,
                                           const vtemper_options* options, double* out, int64_t length,
                                           int64_t row_stride, int64_t column_stride) {
  return guard([&] {
    infer(model, data, quantity, options, out, length,
          [&](const Quantity& found) { return strided(out, found, row_stride, column_stride); });
  });
}

vtemper_status vtemper_model_evaluate(const vtemper_model* model, const vtemper_data* observed,
                                      const vtemper_data* heldout, const char* measure,
                                      const vtemper_options* options, double* out) {
  return guard([&] {
    double score = 0;
    propagate_failures(model_of(model), data_of(observed), "the end of vtemper_model_evaluate", [&] {
      require(out, "out");
      score = evaluate(model, observed, heldout, measure, options);
    });
    *out = score;
  });
}

vtemper_status vtemper_model_evaluate_topics(const vtemper_model* model, const vtemper_data* reference,
                                             const char* measure, const vtemper_options* options, double* out,
                                             int64_t length) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    const vtemper::Data* rows = optional_data(reference, "reference");
    const std::string_view name = text_argument(measure, "measure");
    require_initialized(held);
    const vtemper::WordModel& words = vtemper::require_words(held);
    require_array(out, "out", length, "length");
    require_length(length, "the measure", words.word_components());
    const std::vector<double> scores = vtemper::evaluate_topics(held, rows, name, evaluate_values(options));
    std::copy(scores.begin(), scores.end(), out);
  });
}

vtemper_status vtemper_model_rank_words(const vtemper_model* model, int64_t topic, const char* how, int64_t n,
                                        int64_t* indices, double* scores) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    const vtemper::WordOrder order = ranking(held, how, n, indices);
    require_index(topic, vtemper::require_words(held).word_components(), "topic");
    vtemper::rank_words(held, topic, 1, order, n, indices, scores);
  });
}

vtemper_status vtemper_model_rank_all_words(const vtemper_model* model, const char* how, int64_t n, int64_t* indices,
                                            double* scores) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    const vtemper::WordOrder order = ranking(held, how, n, indices);
    vtemper::rank_words(held, 0, vtemper::require_words(held).word_components(), order, n, indices, scores);
  });
}

vtemper_status vtemper_model_topic_map(const vtemper_model* model, const char* by, double* places, int64_t length) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    require_array(places, "places", length, "length");
    const vtemper::TopicDissimilarity dissimilarity = vtemper::topic_dissimilarity(text_argument(by, "by"));
    require_initialized(held);
    const int64_t topics = vtemper::require_words(held).word_components();
    require_length(length, "the map", 2 * topics);
    vtemper::topic_map(held, dissimilarity, places);
  });
}

vtemper_status vtemper_model_save(const vtemper_model* model, const char* path) {
  return guard([&] {
    propagate_failures(model_of(model), nullptr, "the end of vtemper_model_save", [&] {
      const Model& held = require_handle(model, "model").get();
      require(path, "path");
      require_initialized(held);
      write_whole(held, path, [&](const Model& whole) { model_writer(model, whole).write_file(path); });
    });
  });
}

vtemper_status vtemper_model_load(const char* path, vtemper_model** model) {
  return guard([&] {
    require(path, "path");
    require(model, "model");
    const auto reader = vtemper::ContainerReader::open_file(path, model_format, vtemper::Verify::everything,
                                                            vtemper::no_memory_for_blocks);
    *model = read_model(reader);
  });
}

vtemper_status vtemper_model_save_buffer(const vtemper_model* model, void* buffer, int64_t capacity, int64_t* size) {
  return guard([&] {
    const Model& held = require_handle(model, "model").get();
    require(size, "size");
    require_initialized(held);
    write_buffer(model_writer(model, held), buffer, capacity, size);
  });
}

vtemper_status vtemper_model_load_buffer(const void* buffer, int64_t size, vtemper_model** model) {
  return guard([&] {
    require(buffer, "buffer");
    require(model, "model");
    vtemper::Array<unsigned char> aligned;
    *model = read_model(read_buffer(buffer, size, model_format, aligned));
  });
}
