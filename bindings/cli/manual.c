#include "manual.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "kind_quantities.h"
#include "library_options.h"
#include "option_text.h"

/* Pages state their version; a build date would make builds irreproducible. */
static const char date_of_pages[] = "November 22, 2026";

/* Escapes characters that are special in mdoc. */
static void print_letter(FILE* stream, char letter) {
  if (letter == '\\') {
    fputs("\\e", stream);
  } else if (letter == '-') {
    fputs("\\-", stream);
  } else {
    fputc(letter, stream);
  }
}

/* `length` bytes of text at the beginning of a line. */
static void print_text(FILE* stream, const char* text, size_t length) {
  if (length > 0 && (text[0] == '.' || text[0] == '\'')) fputs("\\&", stream);
  for (size_t i = 0; i < length; ++i) print_letter(stream, text[i]);
}

/* As above, wrapped at blanks to about 80 bytes per line; ends the last line. */
static void print_lines(FILE* stream, const char* text, size_t length) {
  enum { WIDTH = 72 };
  size_t column = 0;
  for (size_t at = 0; at < length;) {
    size_t word = 0;
    while (at + word < length && text[at + word] != ' ') ++word;
    if (column > 0) fputc(column + word > WIDTH ? '\n' : ' ', stream);
    if (column + word > WIDTH) column = 0;
    if (column == 0) {
      print_text(stream, text + at, word);
    } else {
      for (size_t i = 0; i < word; ++i) print_letter(stream, text[at + i]);
    }
    column += word + 1;
    at += word;
    while (at < length && text[at] == ' ') ++at;
  }
  fputc('\n', stream);
}

/* One argument of a macro. */
static void print_quoted(FILE* stream, const char* text) {
  fputc('"', stream);
  for (const char* next = text; *next; ++next) {
    if (*next == '"') {
      fputs("\\(dq", stream);
    } else {
      print_text(stream, next, 1);
    }
  }
  fputc('"', stream);
}

/* One sentence per line, as is usual in mdoc sources. */
static void print_sentences(FILE* stream, const char* text) {
  while (*text) {
    const char* end = strstr(text, ". ");
    const size_t length = end ? (size_t)(end - text) + 1 : strlen(text);
    print_lines(stream, text, length);
    text += length;
    while (*text == ' ') ++text;
  }
}

/* Notes of a command: paragraphs, and indented lines of examples. */
static void print_notes(FILE* stream, const char* notes) {
  while (*notes) {
    if (*notes == '\n') {
      fputs(".Pp\n", stream);
      ++notes;
    } else if (*notes == ' ') {
      notes += strspn(notes, " ");
      const size_t length = strcspn(notes, "\n");
      fputs(".Dl ", stream);
      print_text(stream, notes, length);
      fputc('\n', stream);
      notes += length;
      if (*notes) ++notes;
    } else { /* the lines of a paragraph */
      size_t length = 0;
      while (notes[length] && !(notes[length] == '\n' && (notes[length + 1] == '\n' || notes[length + 1] == ' '))) {
        ++length;
      }
      char* paragraph = text_of("%.*s", (int)length, notes);
      for (char* letter = paragraph; *letter; ++letter) *letter = *letter == '\n' ? ' ' : *letter;
      print_sentences(stream, paragraph);
      free(paragraph);
      notes += length;
      if (*notes) ++notes;
    }
  }
}

static void print_flag(FILE* stream, const Flag* flag) {
  fputs(".It ", stream);
  if (flag->letter) fprintf(stream, "Fl %c , ", flag->letter);
  fputs("Fl \\-", stream);
  print_text(stream, flag->name, strlen(flag->name));
  if (flag->value) {
    fputs(" Ar ", stream);
    print_quoted(stream, flag->value);
  }
  fputc('\n', stream);
  print_sentences(stream, flag->description);
}

static void print_library_option(FILE* stream, const vtemper_option* option) {
  char range[512], usual[NUMBER_LENGTH];
  format_range(range, sizeof range, option);
  format_default(usual, option);
  fputs(".It Fl \\-", stream);
  for (const char* letter = option->name; *letter; ++letter) {
    fputs(*letter == '_' ? "\\-" : "", stream);
    if (*letter != '_') fputc(*letter, stream);
  }
  fputs(" Ar value\n", stream);
  print_sentences(stream, option->description);
  char* values = text_of("Default %s; values: %s.", usual, range);
  print_lines(stream, values, strlen(values));
  free(values);
}

static void print_subject(FILE* stream, const char* subject) {
  int32_t count;
  check(vtemper_option_count(subject, &count));
  fprintf(stream, ".Ss Options of %s%s\n.Bl -tag -width Ds\n", is_kind(subject) ? "the model " : "the ", subject);
  vtemper_option option = {.struct_size = sizeof option};
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_option_info(subject, i, &option));
    print_library_option(stream, &option);
  }
  fputs(".El\n", stream);
}

static void print_subjects(FILE* stream, const Command* command) {
  for (const char* const* subject = command->subjects; subject && *subject; ++subject) {
    if (strcmp(*subject, "model") != 0) {
      print_subject(stream, *subject);
      continue;
    }
    for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) print_subject(stream, vtemper_model_kind_name(i));
  }
}

/* The arrays of every kind, for commands that print them. */
static void print_quantities(FILE* stream, const Command* command) {
  const bool infers = strcmp(command->name, "infer") == 0;
  if (!infers && strcmp(command->name, "get") != 0) return;
  fputs(infers ? ".Sh QUANTITIES\n" : ".Sh PARAMETERS\n", stream);
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) {
    const char* kind = vtemper_model_kind_name(i);
    KindQuantities list = infers ? kind_inferred(kind) : kind_parameters(kind);
    fprintf(stream, ".Ss %s\n.Bl -tag -width Ds\n", kind);
    for (int32_t j = 0; j < list.count; ++j) {
      fprintf(stream, ".It Cm %s\n", list.items[j].name);
      print_sentences(stream, list.items[j].description);
    }
    fputs(".El\n", stream);
    kind_quantities_free(&list);
  }
}

void manual_print(FILE* stream, const Command* command) {
  char* title = text_of("%s", command->name);
  for (char* letter = title; *letter; ++letter) *letter = (char)(*letter - ('a' - 'A'));
  fprintf(stream, ".\\\" Made by: vtemper describe --manual %s\n.Dd %s\n.Dt VTEMPER-%s 1\n.Os\n", command->name,
          date_of_pages, title);
  free(title);
  fprintf(stream, ".Sh NAME\n.Nm vtemper-%s\n.Nd ", command->name);
  print_text(stream, command->description, strlen(command->description));
  fprintf(stream, "\n.Sh SYNOPSIS\n.Nm vtemper Cm %s\n", command->name);
  print_lines(stream, command->usage, strlen(command->usage));
  fputs(".Sh DESCRIPTION\n", stream);
  char* first = text_of("This command %s.", command->description);
  print_lines(stream, first, strlen(first));
  free(first);
  if (*command->notes) fputs(".Pp\n", stream);
  print_notes(stream, command->notes);
  fputs(".Sh OPTIONS\n.Bl -tag -width Ds\n", stream);
  const Flag* table;
  for (int i = 0; (table = flag_table(command, i)); ++i) {
    for (const Flag* flag = table; flag->name; ++flag) print_flag(stream, flag);
  }
  fputs(".El\n", stream);
  print_subjects(stream, command);
  print_quantities(stream, command);
  fputs(
      ".Sh EXIT STATUS\n"
      "0 on success, 1 on failure, 2 for an invalid command line,\n"
      "130 after an interruption.\n"
      ".Sh SEE ALSO\n"
      ".Xr vtemper 1\n",
      stream);
}
