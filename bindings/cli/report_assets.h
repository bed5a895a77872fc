#pragma once
// The files of bindings/cli/report, as the build has put them into the command.

extern const char report_page_html[];
extern const char report_page_css[];
extern const char report_page_js[];
