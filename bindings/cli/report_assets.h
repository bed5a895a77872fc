#pragma once
// The files of bindings/cli/report, embedded by the build.

extern const char report_page_html[];
extern const char report_page_css[];
extern const char report_page_js[];
