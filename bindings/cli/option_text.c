#include "option_text.h"

#include <math.h>
#include <stdio.h>

static void format_bound(char text[NUMBER_LENGTH], double bound, int32_t type) {
  if (type == VTEMPER_OPTION_INTEGER && fabs(bound) < 1e15) {
    snprintf(text, NUMBER_LENGTH, "%.0f", bound);
  } else {
    snprintf(text, NUMBER_LENGTH, "%g", bound);
  }
}

void format_range(char* text, size_t room, const vtemper_option* option) {
  char least[NUMBER_LENGTH], most[NUMBER_LENGTH];
  const int numeric = option->type == VTEMPER_OPTION_INTEGER || option->type == VTEMPER_OPTION_REAL ||
                      option->type == VTEMPER_OPTION_REALS;
  if (option->type == VTEMPER_OPTION_CHOICE) {
    snprintf(text, room, "%s", option->choices);
  } else if (option->type == VTEMPER_OPTION_TEXT) {
    snprintf(text, room, "any text");
  } else if (!numeric) {
    snprintf(text, room, "true or false");
  } else {
    format_bound(least, option->minimum, option->type);
    format_bound(most, option->maximum, option->type);
    const int from = option->minimum > -1e15, to = option->maximum < 1e15;
    if (from && to) {
      snprintf(text, room, "%s to %s", least, most);
    } else if (from) {
      snprintf(text, room, "%s or more", least);
    } else if (to) {
      snprintf(text, room, "%s or less", most);
    } else {
      snprintf(text, room, "any");
    }
  }
}

void format_default(char text[NUMBER_LENGTH], const vtemper_option* option) {
  double value;
  if (option->type == VTEMPER_OPTION_REAL && parse_real(option->default_text, &value)) {
    snprintf(text, NUMBER_LENGTH, "%.4g", value);
  } else {
    snprintf(text, NUMBER_LENGTH, "%s", option->default_text);
  }
}
