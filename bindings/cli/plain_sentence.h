#pragma once
/* The library's sentences in the words of the command. */

/** The sentence without names of C functions; valid until the next call. */
const char* plain_sentence(const char* sentence);
