// Files written completely or not at all: contents, modes, links, and failures that leave the old file and no other.

#include "storage/atomic_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <thread>

#include "storage/temporary_file.h"
#include "support/refusal.h"

using namespace vtemper;

namespace {

char folder[] = "/tmp/vtemper-atomic-XXXXXX";

std::string in_folder(const std::string& name) {
  return std::string(folder) + "/" + name;
}

std::string content_of(const std::string& path) {
  std::string out;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return "no file";
  for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file)) out += static_cast<char>(byte);
  std::fclose(file);
  return out;
}

int mode_of(const std::string& path) {
  struct stat status;
  assert_int_equal(stat(path.c_str(), &status), 0);
  return static_cast<int>(status.st_mode & 0777);
}

int files_in_folder() {
  int count = -2;  // "." and ".."
  DIR* stream = opendir(folder);
  assert_non_null(stream);
  while (readdir(stream) != nullptr) ++count;
  closedir(stream);
  return count;
}

void write_text(const std::string& path, const std::string& text) {
  write_file_atomically(path, text.data(), static_cast<int64_t>(text.size()));
}

std::string refused(const std::string& path) {
  return refusal(VTEMPER_ERROR_IO, [&] { write_text(path, "new"); });
}

void remove_file(const std::string& path) {
  assert_int_equal(unlink(path.c_str()), 0);
}

void test_contents(void**) {
  const std::string path = in_folder("file");
  write_text(path, "");
  assert_text(content_of(path), "");
  write_text(path, "first");
  assert_text(content_of(path), "first");
  write_file_atomically(path, {{"se", 2}, {nullptr, 0}, {"cond", 4}});
  assert_text(content_of(path), "second");
  assert_int_equal(files_in_folder(), 1);
  remove_file(path);
  // A name of maximum length, and one without a folder.
  const std::string longest = in_folder(std::string(255, 'n'));
  write_text(longest, "long");
  assert_text(content_of(longest), "long");
  remove_file(longest);
  char here[4096];
  assert_non_null(getcwd(here, sizeof here));
  assert_int_equal(chdir(folder), 0);
  write_text("plain", "here");
  assert_int_equal(chdir(here), 0);
  assert_text(content_of(in_folder("plain")), "here");
  remove_file(in_folder("plain"));
}

void test_modes(void**) {
  const std::string path = in_folder("file");
  const mode_t old = umask(027);
  write_text(path, "x");
  umask(old);
  assert_int_equal(mode_of(path), 0640);
  // A private file stays private.
  assert_int_equal(chmod(path.c_str(), 0600), 0);
  write_text(path, "y");
  assert_int_equal(mode_of(path), 0600);
  // A file that has a name before it is complete is private, whatever its mode will be.
  {
    umask(027);
    TemporaryFile file(std::string(folder) + "/", path);
    assert_int_equal(file.mode_of_new_files(), 0640);
    umask(old);
    assert_int_equal(files_in_folder(), 1);
    assert_true(file.create_with_name());
    struct stat status;
    assert_int_equal(fstat(file.descriptor(), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
  }
  remove_file(path);
}

void test_links(void**) {
  const std::string path = in_folder("file"), link = in_folder("link");
  write_text(path, "old");
  assert_int_equal(symlink("file", link.c_str()), 0);
  write_text(link, "new");
  assert_text(content_of(path), "new");
  struct stat status;
  assert_int_equal(lstat(link.c_str(), &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  assert_int_equal(files_in_folder(), 2);
  remove_file(link);
  remove_file(path);
}

void test_refused(void**) {
  const std::string missing = in_folder("missing/file");
  assert_text(refused(missing), missing + " cannot be written: No such file or directory");
  assert_text(refused(""), "a file cannot be written: its path is empty");
  assert_text(refused(folder), std::string(folder) + " cannot be written: Is a directory");
  assert_text(refused("/dev/full"), "/dev/full cannot be written: it is not a regular file");
  const std::string pipe = in_folder("pipe");
  assert_int_equal(mkfifo(pipe.c_str(), 0600), 0);
  assert_text(refused(pipe), pipe + " cannot be written: it is not a regular file");
  remove_file(pipe);
  const std::string inside = in_folder("file");
  write_text(inside, "old");
  assert_text(refused(inside + "/file"), inside + "/file cannot be written: Not a directory");
  const std::string too_long = in_folder(std::string(256, 'n'));
  assert_text(refused(too_long), too_long + " cannot be written: File name too long");
  assert_text(content_of(inside), "old");
  assert_int_equal(files_in_folder(), 1);
  remove_file(inside);
}

/// Root may do everything, so this is tested as user nobody, in a child process.
void test_permissions(void**) {
  const std::string path = in_folder("file");
  write_text(path, "old");
  assert_int_equal(chmod(folder, 0777), 0);
  assert_int_equal(chmod(path.c_str(), 0444), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(77);
    try {
      write_text(path, "new");
    } catch (const Error& error) {
      _exit(error.status() == VTEMPER_ERROR_IO && error.what() == path + " cannot be written: Permission denied" ? 0
                                                                                                                 : 1);
    }
    _exit(2);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  assert_text(content_of(path), "old");
  assert_int_equal(files_in_folder(), 1);
  remove_file(path);
}

/// The owner of a file that root replaces keeps it; others who replace it give nobody more than everybody had.
void test_owners(void**) {
  if (geteuid() != 0) return;  // only root can give files away
  constexpr uid_t nobody = 65534;
  const std::string path = in_folder("file");
  struct stat status;
  write_text(path, "old");
  assert_int_equal(chmod(path.c_str(), 0640), 0);
  assert_int_equal(chown(path.c_str(), nobody, nobody), 0);
  write_text(path, "by root");
  assert_int_equal(stat(path.c_str(), &status), 0);
  assert_true(status.st_uid == nobody && status.st_gid == nobody && (status.st_mode & 0777) == 0640);
  assert_int_equal(chown(path.c_str(), 0, 0), 0);
  assert_int_equal(chmod(path.c_str(), 0662), 0);
  assert_int_equal(chmod(folder, 0777), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0) _exit(1);
    write_text(path, "by nobody");
    _exit(0);
  }
  int ending = 0;
  assert_int_equal(waitpid(child, &ending, 0), child);
  assert_int_equal(ending, 0);
  assert_int_equal(stat(path.c_str(), &status), 0);
  assert_true(status.st_uid == nobody && status.st_gid == nobody && (status.st_mode & 0777) == 0622);
  remove_file(path);
}

/// A write that fails in the middle, by a limit on the size of files.
void test_full_disk(void**) {
  const std::string path = in_folder("file");
  write_text(path, "old");
  rlimit old, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = old;
  small.rlim_cur = 1000;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string half(700, 'x');
  const std::string message = refusal(VTEMPER_ERROR_IO, [&] {
    write_file_atomically(path, {{half.data(), 700}, {half.data(), 700}});
  });
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  assert_text(message, path + " cannot be written: File too large");
  assert_text(content_of(path), "old");
  assert_int_equal(files_in_folder(), 1);
  remove_file(path);
}

/// Signals that interrupt the writing change nothing.
void test_signals(void**) {
  const std::string path = in_folder("file");
  struct sigaction action = {};
  action.sa_handler = [](int) {};  // without SA_RESTART: calls end with EINTR
  assert_int_equal(sigaction(SIGALRM, &action, nullptr), 0);
  itimerval often = {{0, 200}, {0, 200}}, never = {};
  assert_int_equal(setitimer(ITIMER_REAL, &often, nullptr), 0);
  const std::string large(8 << 20, 'x');
  for (int i = 0; i < 3; ++i) write_text(path, large);
  assert_int_equal(setitimer(ITIMER_REAL, &never, nullptr), 0);
  signal(SIGALRM, SIG_DFL);
  assert_true(content_of(path) == large);
  assert_int_equal(files_in_folder(), 1);
  remove_file(path);
}

/// A concurrent reader sees one of the two files, complete; two writers do not disturb each other.
void test_two_writers(void**) {
  const std::string path = in_folder("file");
  const auto writer = [&](char letter) {
    for (int i = 0; i < 20; ++i) write_text(path, std::string(100000, letter));
  };
  write_text(path, std::string(100000, 'a'));
  std::thread first(writer, 'a'), second(writer, 'b');
  bool whole = true;
  for (int i = 0; i < 20; ++i) {
    const std::string seen = content_of(path);
    whole = whole && (seen == std::string(100000, 'a') || seen == std::string(100000, 'b'));
  }
  first.join();
  second.join();
  assert_true(whole);
  assert_int_equal(files_in_folder(), 1);
  remove_file(path);
}

/// Leaves the temporary file of a process that is killed while it writes.
void be_killed_before(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    TemporaryFile file(std::string(folder) + "/", path);
    if (file.create_with_name() && file.write("half", 4)) raise(SIGKILL);
    _exit(1);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/// The next file that is written to a place removes the temporary files of killed processes for that place, however
/// its path is spelled, but not a file that is being written.
void test_strays(void**) {
  const std::string path = in_folder("file"), other = in_folder("other");
  for (const bool exists : {false, true}) {
    be_killed_before(path);
    be_killed_before(path);  // leaves a second one
    assert_int_equal(files_in_folder(), 2 + (exists ? 2 : 0));
    write_text(other, "another place");
    assert_int_equal(files_in_folder(), 3 + (exists ? 1 : 0));
    write_text(exists ? in_folder("./file") : path, "new");
    assert_text(content_of(path), "new");
    assert_int_equal(files_in_folder(), 2);
  }
  {
    TemporaryFile first(std::string(folder) + "/", path), second(std::string(folder) + "/", path);
    assert_true(first.create_with_name() && second.create_with_name());
    assert_true(first.write("first", 5) && second.write("second", 6));
    be_killed_before(path);
    write_text(path, "third");
    assert_int_equal(files_in_folder(), 4);
    assert_true(second.move(false));
    assert_text(content_of(path), "second");
    write_text(path, "third");
    assert_true(first.move(false));
    assert_text(content_of(path), "first");
  }
  assert_int_equal(files_in_folder(), 2);
  // Other files with such a name are kept.
  assert_int_equal(unlink(path.c_str()), 0);
  be_killed_before(path);
  std::string stray;
  DIR* stream = opendir(folder);
  while (const dirent* entry = readdir(stream)) {
    if (std::strncmp(entry->d_name, ".vtemper-", 9) == 0) stray = in_folder(entry->d_name);
  }
  closedir(stream);
  assert_int_equal(unlink(stray.c_str()), 0);
  for (const bool is_folder : {false, true}) {
    assert_int_equal(is_folder ? mkdir(stray.c_str(), 0700) : symlink(other.c_str(), stray.c_str()), 0);
    write_text(path, "new");
    write_text(path, "newer");
    assert_text(content_of(path), "newer");
    assert_text(content_of(other), "another place");
    assert_int_equal(files_in_folder(), 3);
    assert_int_equal(is_folder ? rmdir(stray.c_str()) : unlink(stray.c_str()), 0);
  }
  remove_file(path);
  remove_file(other);
}

/// Whether only new files can be created in the folder (chattr +a), set or reset; false where that cannot be set.
bool set_append_only(bool wanted) {
  const int file = open(folder, O_RDONLY | O_DIRECTORY);
  int flags = 0;
  bool done = ioctl(file, FS_IOC_GETFLAGS, &flags) == 0;
  flags = wanted ? flags | FS_APPEND_FL : flags & ~FS_APPEND_FL;
  done = done && ioctl(file, FS_IOC_SETFLAGS, &flags) == 0;
  close(file);
  return done;
}

/// A replacement that is refused is not tried again with a second temporary file: neither could be removed.
void test_append_only(void**) {
  const std::string path = in_folder("file");
  write_text(path, "old");
  if (set_append_only(true)) {
    const std::string reason = refused(path);
    const int files = files_in_folder();
    assert_true(set_append_only(false));
    assert_text(reason, path + " cannot be written: Operation not permitted");
    assert_int_equal(files, 2);
  }
  assert_text(content_of(path), "old");
  write_text(path, "new");
  assert_int_equal(files_in_folder(), 1);
  remove_file(path);
}

/// A folder whose own path is longer than any path may be.
void test_deep_folder(void**) {
  constexpr int levels = 25;
  const std::string level(200, 'd');
  const int start = open(".", O_RDONLY | O_DIRECTORY);
  assert_int_equal(chdir(folder), 0);
  for (int i = 0; i < levels; ++i) {
    assert_int_equal(mkdir(level.c_str(), 0700), 0);
    assert_int_equal(chdir(level.c_str()), 0);
  }
  write_text("file", "first");
  write_text("file", "second");
  assert_text(content_of("file"), "second");
  assert_int_equal(symlink("file", "link"), 0);
  write_text("link", "third");
  assert_text(content_of("file"), "third");
  remove_file("link");
  remove_file("file");
  for (int i = 0; i < levels; ++i) {
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(rmdir(level.c_str()), 0);
  }
  assert_int_equal(fchdir(start), 0);
  close(start);
}

int make_folder(void**) {
  return mkdtemp(folder) == nullptr;
}

int remove_folder(void**) {
  return rmdir(folder);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_contents), cmocka_unit_test(test_modes),       cmocka_unit_test(test_links),
      cmocka_unit_test(test_refused),  cmocka_unit_test(test_permissions), cmocka_unit_test(test_full_disk),
      cmocka_unit_test(test_owners),   cmocka_unit_test(test_signals),     cmocka_unit_test(test_two_writers),
      cmocka_unit_test(test_strays),   cmocka_unit_test(test_append_only), cmocka_unit_test(test_deep_folder),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
