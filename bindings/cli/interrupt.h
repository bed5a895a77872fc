#pragma once
/* Ctrl-C: the first asks the run to end at the next step boundary, the second ends at once. */

#include <stdbool.h>

/** From now on SIGINT, SIGTERM and SIGHUP take an unfinished output away and then end the command as usual. */
void interrupt_clean_up(void);

/** From now on they set a flag instead. */
void interrupt_watch(void);

/** Whether the run was asked to end. */
bool interrupt_seen(void);
