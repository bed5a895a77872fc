#pragma once
/* Rephrases the library's messages for users of the command. */

/** The message without names of C functions; valid until the next call. */
const char* plain_message(const char* message);
