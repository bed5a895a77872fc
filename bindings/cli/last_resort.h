#pragma once
/* Handles std::terminate. */

#ifdef __cplusplus
extern "C" {
#endif

/** From now on an exception that cannot be caught, such as std::bad_alloc in a destructor, ends the command with an
 *  error message and removes unfinished files, like every failure. */
void last_resort_set(void);

#ifdef __cplusplus
}
#endif
