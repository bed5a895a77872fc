#include "array_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "failure.h"
#include "numbers.h"

static bool ends_with(const char* text, const char* ending) {
  const size_t length = strlen(text), ending_length = strlen(ending);
  return length > ending_length && strcmp(text + length - ending_length, ending) == 0;
}

void array_check(const Arguments* arguments, const char* path) {
  static const char* const names[] = {"header", "labels"};
  if (!path) return;
  if (!ends_with(path, ".csv") && !ends_with(path, ".npy")) {
    fail_usage("the name of the output must end with .csv, .tsv, .json or .npy, not \"%s\"", path);
  }
  for (int i = 0; i < 2; ++i) {
    if (ends_with(path, ".npy") && argument(arguments, names[i])) {
      fail_usage("an .npy file holds numbers alone, so leave --%s out", names[i]);
    }
  }
  output_check(path, false);
}

/* NumPy format 1.0: magic, version, length of the header, a Python literal padded to 64 bytes. */
static void write_npy_header(FILE* stream, int rank, const int64_t* shape) {
  char sizes[64] = "";
  size_t used = 0;
  for (int i = 0; i < rank; ++i) { /* a one-element tuple needs a trailing comma */
    used += (size_t)snprintf(sizes + used, sizeof sizes - used,
                             i == 1  ? " %" PRId64
                             : i > 1 ? ", %" PRId64
                                     : "%" PRId64 ",",
                             shape[i]);
  }
  char header[118]; /* 128 together with the ten bytes before it */
  const int length =
      snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", sizes);
  memset(header + length, ' ', sizeof header - (size_t)length);
  header[sizeof header - 1] = '\n';
  const unsigned char start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, sizeof header, 0};
  fwrite(start, 1, sizeof start, stream);
  fwrite(header, 1, sizeof header, stream);
}

void array_open(ArrayFile* file, const char* path, int rank, const int64_t* shape) {
  file->npy = path && ends_with(path, ".npy");
  file->columns = 1;
  for (int i = 1; i < rank; ++i) file->columns *= shape[i];
  file->stream = stdout;
  if (!path) return;
  output_open(&file->output, path);
  file->stream = file->output.stream;
  if (file->npy) write_npy_header(file->stream, rank, shape);
}

static void write_little_endian(FILE* stream, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  unsigned char bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = (unsigned char)(bits >> (8 * i));
  fwrite(bytes, 1, sizeof bytes, stream);
}

void array_write(ArrayFile* file, const double* values, int64_t rows) {
  char text[NUMBER_LENGTH];
  for (int64_t i = 0; i < rows && !ferror(file->stream); ++i) {
    for (int64_t j = 0; j < file->columns; ++j) {
      const double value = values[i * file->columns + j];
      if (file->npy) {
        write_little_endian(file->stream, value);
        continue;
      }
      if (j > 0) fputc(',', file->stream);
      fputs(format_real(text, value), file->stream);
    }
    if (!file->npy) fputc('\n', file->stream);
  }
}

void array_close(ArrayFile* file) {
  if (file->stream != stdout) output_close(&file->output);
}
