#pragma once
/* Queries the library's options: names, types, defaults. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

#include "command.h"
#include "nearest.h"

/** Whether two names are equal up to dashes and underscores. */
bool same_name(const char* a, const char* b);

/** Whether there is a model kind of this name. */
bool is_kind(const char* name);

/** Describes option `name` of a subject; returns false if subject or option is unknown. */
bool find_option(const char* subject, const char* name, vtemper_option* info);

/** Considers every option of a subject as the nearest word; does nothing if the subject is unknown. */
void consider_options(Nearest* nearest, const char* subject);

/** Considers every model kind. */
void consider_kinds(Nearest* nearest);

/** The value of an option in a set of values in use; "" if the set does not contain it, because it belongs to a part
 * that the run does not use. */
const char* option_in_use(const vtemper_options* used, const char* name);

/** The method of a run, as a new string. */
char* method_in_use(const vtemper_optimizer* optimizer);

/** The value of a run's option that is an integer. */
int64_t integer_in_use(const vtemper_optimizer* optimizer, const char* name);

/** The given options that belong to `subject`, as a new set. */
vtemper_options* options_of_subject(const Arguments* arguments, const char* subject);
