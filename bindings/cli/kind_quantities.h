#pragma once
/* The named arrays of a kind of model, as a tiny model of that kind has them. */

#include <stdint.h>

#include <vtemper/vtemper.h>

typedef struct KindQuantities {
  vtemper_quantity* items;
  int32_t count;
  vtemper_model* model; /**< owns the texts */
} KindQuantities;

/** Parameters, as vtemper get prints them. */
KindQuantities kind_parameters(const char* kind);
/** What vtemper infer gives. */
KindQuantities kind_inferred(const char* kind);
void kind_quantities_free(KindQuantities* list);
