#include "library_options.h"

#include <string.h>

#include "failure.h"
#include "numbers.h"

bool same_name(const char* a, const char* b) {
  for (; *a && *b; ++a, ++b) {
    if ((*a == '_' ? '-' : *a) != (*b == '_' ? '-' : *b)) return false;
  }
  return *a == *b;
}

bool is_kind(const char* name) {
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) {
    if (strcmp(vtemper_model_kind_name(i), name) == 0) return true;
  }
  return false;
}

static int32_t option_count(const char* subject) {
  int32_t count = 0;
  const vtemper_status status = vtemper_option_count(subject, &count);
  if (status == VTEMPER_ERROR_ARGUMENT) return 0; /* no such subject */
  check(status);
  return count;
}

bool find_option(const char* subject, const char* name, vtemper_option* info) {
  for (int32_t i = 0; i < option_count(subject); ++i) {
    info->struct_size = sizeof *info;
    check(vtemper_option_info(subject, i, info));
    if (same_name(info->name, name)) return true;
  }
  return false;
}

void consider_options(Nearest* nearest, const char* subject) {
  vtemper_option info = {.struct_size = sizeof info};
  for (int32_t i = 0; i < option_count(subject); ++i) {
    check(vtemper_option_info(subject, i, &info));
    nearest_consider(nearest, info.name);
  }
}

void consider_kinds(Nearest* nearest) {
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) nearest_consider(nearest, vtemper_model_kind_name(i));
}

const char* option_in_use(const vtemper_options* used, const char* name) {
  const char* text;
  const vtemper_status status = vtemper_options_get_text(used, name, &text);
  if (status == VTEMPER_ERROR_OPTION) return "";
  check(status);
  return text;
}

char* method_in_use(const vtemper_optimizer* optimizer) {
  vtemper_options* used;
  check(vtemper_optimizer_used_options(optimizer, &used));
  char* method = text_of("%s", option_in_use(used, "method"));
  vtemper_options_destroy(used);
  return method;
}

int64_t integer_in_use(const vtemper_optimizer* optimizer, const char* name) {
  vtemper_options* used;
  int64_t value;
  check(vtemper_optimizer_used_options(optimizer, &used));
  if (!parse_integer(option_in_use(used, name), &value)) fail("option %s is not a number", name);
  vtemper_options_destroy(used);
  return value;
}

vtemper_options* options_of_subject(const Arguments* arguments, const char* subject) {
  vtemper_options* options;
  check(vtemper_options_create(&options));
  vtemper_option info = {.struct_size = sizeof info};
  for (int i = 0; i < arguments->named_option_count; ++i) {
    const GivenOption* given = &arguments->named_options[i];
    if (find_option(subject, given->name, &info)) check(vtemper_options_set(options, info.name, given->value));
  }
  return options;
}
