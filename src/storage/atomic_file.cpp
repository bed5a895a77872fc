#include "storage/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "storage/failure.h"
#include "storage/temporary_file.h"

namespace vtemper {
namespace {

[[noreturn]] void fail(const std::string& path, int error_number) {
  fail_io(path, "cannot be written", error_number);
}

/// The target of a chain of symbolic links, even if it does not exist yet. The links are followed one by one, not by
/// realpath: a path from the folder in which the process runs is good however long the absolute path of that folder
/// is.
std::string resolved(const std::string& path) {
  std::string next = path;
  constexpr int max_links = 40;
  for (int links = 0; links < max_links; ++links) {
    char text[4096];
    const ssize_t length = readlink(next.c_str(), text, sizeof text);
    if (length < 0) return next;
    if (static_cast<size_t>(length) == sizeof text) fail(path, ENAMETOOLONG);
    const std::string link(text, static_cast<size_t>(length));
    const size_t slash = next.rfind('/');
    next.resize(link[0] == '/' || slash == std::string::npos ? 0 : slash + 1);
    next += link;
  }
  fail(path, ELOOP);
}

/// The file to be replaced, if there is one. Refuses what cannot or should not be replaced.
std::optional<struct stat> replaced_file(const std::string& path, const std::string& target) {
  struct stat status;
  if (stat(target.c_str(), &status) != 0) {
    if (errno != ENOENT) fail(path, errno);
    return std::nullopt;
  }
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
  if (!S_ISREG(status.st_mode)) throw Error(VTEMPER_ERROR_IO, path + " cannot be written: it is not a regular file");
  if (access(target.c_str(), W_OK) != 0) fail(path, errno);
  return status;
}

/// Makes the new name durable. Returns false, with errno set, on failure. Folders that may be written but not read,
/// and file systems that cannot flush folders, count as success.
bool flush_folder(const std::string& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return errno != EIO && errno != EMFILE && errno != ENFILE && errno != ENOMEM;
  int result = fsync(file);
  while (result != 0 && errno == EINTR) result = fsync(file);
  const int reason = errno;
  close(file);
  errno = reason;
  return result == 0 || (reason != EIO && reason != ENOSPC && reason != EDQUOT);
}

/// Where a file is written.
struct Place {
  std::string target;
  std::string folder;
  std::optional<struct stat> replaced;
};

Place place_of(const std::string& path) {
  if (path.empty()) throw Error(VTEMPER_ERROR_IO, "a file cannot be written: its path is empty");
  Place place;
  place.target = resolved(path);
  place.replaced = replaced_file(path, place.target);
  const size_t slash = place.target.rfind('/');
  place.folder = slash == std::string::npos ? "./" : place.target.substr(0, slash + 1);
  return place;
}

}  // namespace

std::string folder_of_file(const std::string& path) {
  std::string folder = place_of(path).folder;
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail(path, errno);
  return folder;
}

void write_file_atomically(const std::string& path, const std::vector<Piece>& pieces) {
  const Place place = place_of(path);
  const bool is_new = !place.replaced;

  const auto fill = [&](TemporaryFile& file, int mode_of_new) {
    for (const Piece& piece : pieces) {
      piece.visit([&](const void* bytes, int64_t size) {
        if (!file.write(bytes, size)) fail(path, errno);
      });
    }
    if (place.replaced && !file.set_owner_and_mode(*place.replaced)) fail(path, errno);
    if (mode_of_new >= 0 && !file.set_mode(mode_of_new)) fail(path, errno);
    if (!file.flush()) fail(path, errno);
  };
  bool written = false;
  {
    TemporaryFile file(place.folder, place.target);
    file.remove_strays();
    // Nobody else can open it before it is complete.
    if (file.create_without_name(is_new ? 0666 : 0600)) {
      fill(file, -1);
      written = file.move(is_new);
      // Where the complete file has got a name, but may not replace the other one, a second one may not either.
      if (!written && file.has_name() && (errno == EPERM || errno == EACCES)) fail(path, errno);
    }
  }
  if (!written) {  // unnamed files are not supported here, or cannot be given a name
    TemporaryFile file(place.folder, place.target);
    const int mode_of_new = is_new ? file.mode_of_new_files() : -1;
    if ((is_new && mode_of_new < 0) || !file.create_with_name()) fail(path, errno);
    fill(file, mode_of_new);
    if (!file.move(is_new)) fail(path, errno);
  }
  if (!flush_folder(place.folder)) {
    fail_io(path,
            "is written, but a loss of power may bring back what was there before: its folder cannot be flushed",
            errno);
  }
}

void write_file_atomically(const std::string& path, const void* bytes, int64_t size) {
  write_file_atomically(path, {{bytes, size}});
}

}  // namespace vtemper
