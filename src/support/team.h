#pragma once
// A pool of worker threads ("helpers"). Helpers spin briefly between loops and then sleep. A helper that has not
// begun when the calling thread has finished the work is not waited for. If a team is slower than the calling
// thread alone, because other programs occupy the processors, the thread works alone for a while. Host threads share
// the helpers, which block the host's signals, take over the affinity mask and floating-point environment of the
// thread they help, and end when the library is unloaded. If the system cannot start a thread, there are fewer
// helpers.

namespace vtemper {

/// Maximum number of helpers alive at the same time.
constexpr int max_helpers = 1023;

/// Threads available to a team now: `threads`, or 1 inside a team and in a process forked after one has run (helpers
/// do not survive fork).
int threads_of_process(int threads);

/// Index of the calling thread within its team; 0 outside a team.
int thread_number();

/// Calls work(context, number) with number 0 on the calling thread and 1 .. threads - 1 on helpers; returns once all
/// calls that began have returned. Fewer than threads - 1 helpers may begin, or none, so every call must be prepared
/// to do all the remaining work. `threads` is from threads_of_process; work must not throw.
void run_team(int threads, void (*work)(const void* context, int number), const void* context);

/// work(number), likewise.
template <class Work>
void run_team(int threads, const Work& work) {
  run_team(
      threads, [](const void* context, int number) { (*static_cast<const Work*>(context))(number); }, &work);
}

/// Whether the process may start this many more threads now. They are started, wait for each other, and end; they
/// block the signals of the host.
bool threads_can_start(int count);

}  // namespace vtemper
