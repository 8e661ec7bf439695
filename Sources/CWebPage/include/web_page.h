// The files of the web page. They are part of the program, because an installed program is one file. They are embedded in C:
// as array literals, the Swift compiler took 45 seconds for them.
#pragma once

// A file of the web page.
struct web_page_file {
  // Its name in the folder.
  const char *name;
  // Its text in UTF-8, up to a zero.
  const char *text;
};

// All files, in the order of their names, and their number.
const struct web_page_file *web_page_files(int *count);
