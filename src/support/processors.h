#pragma once
// Processors available to this process: the affinity mask, the CPU quota of its control groups, OMP_NUM_THREADS.

#include <optional>
#include <string>
#include <string_view>

namespace vtemper {

/// Processors in the calling thread's affinity mask; at least 1.
int processors_of_affinity();

/// CPU time that the control groups of this process allow, in processors; infinity without a limit. Reads the files
/// below `root` + "/proc" and "/sys"; `root` is "" outside tests.
double processors_of_quota(const std::string& root);

/// The smaller of the two, rounded up to whole processors; at least 1.
int processors_within(int of_affinity, double of_quota);

/// The quota in a cpu.max (version 2: "150000 100000" is 1.5, "max 100000" none), or in cpu.cfs_quota_us and
/// cpu.cfs_period_us (version 1: -1 is none).
std::optional<double> quota_of_version_2(std::string_view cpu_max);
std::optional<double> quota_of_version_1(std::string_view quota, std::string_view period);

/// The number in a variable such as OMP_NUM_THREADS (the first one of "4,2"); 0 if invalid or NULL.
int threads_of_variable(const char* text);

}  // namespace vtemper
