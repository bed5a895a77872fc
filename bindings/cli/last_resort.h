#pragma once
/* What ends the command where C++ cannot go on. */

#ifdef __cplusplus
extern "C" {
#endif

/** From now on an exception that nobody can catch, such as one of a destructor that finds no memory, ends the command
 *  with a sentence and without unfinished files, as every failure does. */
void last_resort_set(void);

#ifdef __cplusplus
}
#endif
