#include "markup.h"

void markup_text(FILE* out, const char* text) {
  for (; *text; ++text) {
    switch (*text) {
      case '&':
        fputs("&amp;", out);
        break;
      case '<':
        fputs("&lt;", out);
        break;
      case '>':
        fputs("&gt;", out);
        break;
      case '"':
        fputs("&quot;", out);
        break;
      case '\'':
        fputs("&#39;", out);
        break;
      default:
        if ((unsigned char)*text < ' ' || *text == 0x7f) {
          fputs("\xef\xbf\xbd", out);
        } else {
          fputc(*text, out);
        }
    }
  }
}
