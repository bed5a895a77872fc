# cmake -DFOLDER=... -DOUTPUT=... -P embed.cmake: the page, its style and its scripts as C++ strings. The scripts are
# in this order: each uses those before it, and main.js uses all of them.
set(scripts base topics search map curves documents ellipses sections main)

# All compilers accept strings of up to 64 KiB. Longer files become several strings, which the compiler joins.
function(as_string path result)
  file(READ "${path}" text)
  string(LENGTH "${text}" length)
  set(out "")
  set(start 0)
  while(start LESS length)
    string(SUBSTRING "${text}" ${start} 8000 part)
    string(APPEND out "R\"vtemper(${part})vtemper\"\n")
    math(EXPR start "${start} + 8000")
  endwhile()
  set(${result} "${out}" PARENT_SCOPE)
endfunction()

set(js "")
foreach(name IN LISTS scripts)
  as_string("${FOLDER}/${name}.js" part)
  string(APPEND js "${part}")
endforeach()
as_string("${FOLDER}/page.html" html)
as_string("${FOLDER}/page.css" css)
file(WRITE "${OUTPUT}" "#include \"report_assets.h\"\n\nconst char report_page_html[] =\n${html};\n"
                       "const char report_page_css[] =\n${css};\nconst char report_page_js[] =\n${js};\n")
