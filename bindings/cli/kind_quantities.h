#pragma once
/* The named arrays of a model kind, taken from a tiny model of that kind. */

#include <stdint.h>

#include <vtemper/vtemper.h>

typedef struct KindQuantities {
  vtemper_quantity* items;
  int32_t count;
  vtemper_model* model; /**< owns the strings */
} KindQuantities;

/** Parameters, as printed by vtemper get. */
KindQuantities kind_parameters(const char* kind);
/** Quantities computed by vtemper infer. */
KindQuantities kind_inferred(const char* kind);
void kind_quantities_free(KindQuantities* list);
