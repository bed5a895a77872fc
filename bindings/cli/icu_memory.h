#pragma once
/* ICU's memory. */

#ifdef __cplusplus
extern "C" {
#endif

/** From now on a lack of memory within ICU ends the command with an error message, like every failure. ICU itself
 *  crashes, waits for itself for ever, or finds other words in Chinese and Thai. To be called before ICU is used. */
void icu_memory_set(void);

#ifdef __cplusplus
}
#endif
