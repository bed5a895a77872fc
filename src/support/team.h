#pragma once
// Threads that help the calling one. Helpers sleep between loops, after a short wait for the next one; one that has
// not begun when the calling thread has finished the work is not waited for; and where teams do less than the calling
// thread alone, because other programs hold the processors, it works alone for a while. Threads of the host share the
// helpers, which block the host's signals, run where the thread that they help may run, compute with its rounding,
// and end when the library is unloaded. Where the system gives no thread there are fewer.

namespace vtemper {

/// Helpers that may live at the same time.
constexpr int max_helpers = 1023;

/// Threads that a team may have now: `threads`, or 1 within a team, and in a process forked after one has run:
/// helpers do not survive fork.
int threads_of_process(int threads);

/// Number of the calling thread within its team, from 0; 0 outside of one.
int thread_number();

/// work(context, number) with number 0 on the calling thread and with 1 .. threads - 1 on helpers; returns once all
/// calls that began have ended. Fewer than threads - 1 helpers may begin, or none, so every call must be ready to do
/// all that is left. `threads` is from threads_of_process; work must not throw.
void run_team(int threads, void (*work)(const void* context, int number), const void* context);

/// work(number), likewise.
template <class Work>
void run_team(int threads, const Work& work) {
  run_team(
      threads, [](const void* context, int number) { (*static_cast<const Work*>(context))(number); }, &work);
}

}  // namespace vtemper
