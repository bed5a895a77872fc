#pragma once
/* Ctrl-C: the first asks the run to end at the next step boundary, the second ends at once. */

#include <stdbool.h>

/** From now on SIGINT, SIGTERM and SIGHUP take an unfinished output away and then end the command as usual. */
void interrupt_clean_up(void);

/** From now on they set a flag instead. */
void interrupt_watch(void);

/** Whether the run was asked to end. */
bool interrupt_seen(void);

/** Between these two the first signal that would end the command waits until the second call; another one ends it at
 *  once. For the time in which the library writes a file, whose temporary one the command could not take away. */
void interrupt_hold(void);
void interrupt_release(void);

/** Whether one waits. */
bool interrupt_waits(void);
