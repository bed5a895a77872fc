# Run by CPack on the folders that become packages: Debian has manual pages and change logs compressed, without the time
# of compression in them, and the command finds its library where the system has it.
file(GLOB_RECURSE files ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(file IN LISTS files)
  if(file MATCHES "/man/man1/[^/]*\\.1$" OR file MATCHES "/share/doc/[^/]*/changelog(\\.Debian)?$")
    execute_process(COMMAND gzip -9 -n -f ${file} COMMAND_ERROR_IS_FATAL ANY)
  elseif(file MATCHES "/bin/vtemper$")
    file(RPATH_REMOVE FILE ${file})
  endif()
endforeach()
