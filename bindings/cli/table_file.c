#include "table_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"
#include "numbers.h"
#include "outside_text.h"

const Flag table_flags[] = {
    {"as", 0, "FORMAT", "csv, tsv or json, each with column names; by default from the extension of FILE"},
    {"header", 0, NULL, "CSV with names of columns and rows"},
    {NULL, 0, NULL, NULL},
};

static TableFormat format_named(const char* name) {
  if (strcmp(name, "csv") == 0) return TABLE_CSV;
  if (strcmp(name, "tsv") == 0) return TABLE_TSV;
  return strcmp(name, "json") == 0 ? TABLE_JSON : TABLE_NONE;
}

TableFormat table_format(const Arguments* arguments, const char* path) {
  const char* as = argument(arguments, "as");
  if (as) {
    if (format_named(as) == TABLE_NONE) fail_usage("there is no format \"%s\"; --as accepts csv, tsv or json", as);
    return format_named(as);
  }
  const char* ending = path ? strrchr(path, '.') : NULL;
  return ending ? format_named(ending + 1) : TABLE_NONE;
}

TableFile table_start(TableFormat format) {
  return (TableFile){.format = format};
}

void table_column(TableFile* table, const char* name) {
  if (table->column_count == table->column_room) {
    table->column_room = 2 * table->column_room + 16;
    table->columns = reallocate(table->columns, (size_t)table->column_room, sizeof *table->columns);
  }
  table->columns[table->column_count++] = text_of("%s", name);
}

void table_numbered_column(TableFile* table, const char* name, int64_t number) {
  char* text = text_of("%s_%" PRId64, name, number);
  table_column(table, text);
  free(text);
}

static void write_quoted(FILE* stream, const char* text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, stream);
    return;
  }
  fputc('"', stream);
  for (; *text; ++text) {
    if (*text == '"') fputc('"', stream);
    fputc(*text, stream);
  }
  fputc('"', stream);
}

/* TSV has no quoting: characters that would break it become blanks. */
static void write_without_tabs(FILE* stream, const char* text) {
  for (; *text; ++text) fputc(strchr("\t\r\n", *text) ? ' ' : *text, stream);
}

static void write_json(FILE* stream, const char* text) {
  fputc('"', stream);
  for (; *text; ++text) {
    const unsigned char byte = (unsigned char)*text;
    if (byte == '"' || byte == '\\') {
      fprintf(stream, "\\%c", byte);
    } else if (byte < 0x20) {
      fprintf(stream, "\\u%04x", byte);
    } else {
      fputc(byte, stream);
    }
  }
  fputc('"', stream);
}

static void write_text(const TableFile* table, const char* text) {
  char* shown = table->is_terminal ? outside_text(text_of("%s", text), 1) : NULL;
  if (shown) text = shown;
  if (table->format == TABLE_CSV) write_quoted(table->stream, text);
  if (table->format == TABLE_TSV) write_without_tabs(table->stream, text);
  if (table->format == TABLE_JSON) write_json(table->stream, text);
  free(shown);
}

void table_open(TableFile* table, const char* path) {
  table->stream = stdout;
  table->is_terminal = !path && isatty(STDOUT_FILENO);
  if (path) {
    output_open(&table->output, path);
    table->stream = table->output.stream;
  }
  if (table->format == TABLE_JSON) {
    fputc('[', table->stream);
    return;
  }
  for (int64_t j = 0; j < table->column_count; ++j) {
    if (j > 0) fputc(table->format == TABLE_TSV ? '\t' : ',', table->stream);
    write_text(table, table->columns[j]);
  }
  fputc('\n', table->stream);
}

static void begin_cell(TableFile* table) {
  if (table->format != TABLE_JSON) {
    if (table->column > 0) fputc(table->format == TABLE_TSV ? '\t' : ',', table->stream);
    return;
  }
  fputs(table->column > 0 ? ", " : table->rows > 0 ? ",\n{" : "\n{", table->stream);
  write_text(table, table->columns[table->column]);
  fputs(": ", table->stream);
}

static void end_cell(TableFile* table) {
  if (++table->column < table->column_count) return;
  table->column = 0;
  ++table->rows;
  fputs(table->format == TABLE_JSON ? "}" : "\n", table->stream);
}

void table_text(TableFile* table, const char* text) {
  begin_cell(table);
  write_text(table, text);
  end_cell(table);
}

void table_real(TableFile* table, double value) {
  char text[NUMBER_LENGTH];
  begin_cell(table);
  /* JSON has no non-finite numbers. */
  fputs(table->format == TABLE_JSON && !isfinite(value) ? "null" : format_real(text, value), table->stream);
  end_cell(table);
}

void table_integer(TableFile* table, int64_t value) {
  begin_cell(table);
  fprintf(table->stream, "%" PRId64, value);
  end_cell(table);
}

void table_close(TableFile* table) {
  if (table->format == TABLE_JSON) fputs("\n]\n", table->stream);
  if (table->stream != stdout) output_close(&table->output);
  for (int64_t j = 0; j < table->column_count; ++j) free(table->columns[j]);
  free(table->columns);
}
