#pragma once
/* Ctrl-C: the first asks the run to end at the next step boundary, the second ends at once. */

#include <stdbool.h>

/** From now on SIGINT and SIGTERM set a flag. Before, they end the command as usual. */
void interrupt_watch(void);

/** Whether the run was asked to end. */
bool interrupt_seen(void);
