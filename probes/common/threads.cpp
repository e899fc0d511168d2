// SPDX-License-Identifier: GPL-3.0-or-later
#include "probes/common/threads.h"

#include <barrier>
#include <chrono>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <vector>

namespace ridgepoint::probe {
namespace {

void pinTo(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(std::size_t(core), &set);
    // A container may forbid it; the measurement is then only less steady, which its quartiles show.
    (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

} // namespace

double timeOnCores(std::span<const int> cores, const std::function<void(std::size_t)>& work)
{
    using Clock = std::chrono::steady_clock;
    Clock::time_point start;
    Clock::time_point end;
    bool started = false;
    // The completion runs once when all threads are ready and once when all are done.
    std::barrier gate(std::ptrdiff_t(cores.size()), [&]() noexcept {
        (started ? end : start) = Clock::now();
        started = true;
    });
    {
        std::vector<std::jthread> threads;
        threads.reserve(cores.size());
        for (std::size_t i = 0; i < cores.size(); ++i) {
            threads.emplace_back([&, i] {
                pinTo(cores[i]);
                gate.arrive_and_wait();
                work(i);
                gate.arrive_and_wait();
            });
        }
    }
    return std::chrono::duration<double>(end - start).count();
}

} // namespace ridgepoint::probe
