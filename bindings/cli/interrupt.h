#pragma once
/* Ctrl-C: the first requests a stop at the next step boundary, the second exits at once. */

#include <stdbool.h>

/** From now on SIGINT, SIGTERM, SIGHUP and SIGXCPU remove an unfinished output file before they take their
 *  default action. */
void interrupt_clean_up(void);

/** From now on these signals set a flag instead. */
void interrupt_watch(void);

/** Whether a stop was requested. */
bool interrupt_seen(void);

/** Between these two calls, the first signal that would end the process is deferred to the second call; another one
 *  ends it at once. For use while the library writes a file, whose temporary file the command could not remove. */
void interrupt_hold(void);
void interrupt_release(void);

/** Whether a signal is pending. */
bool interrupt_waits(void);
