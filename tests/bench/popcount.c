/* The bare limit of grading. Every way's 80 numbers are already merged into one mask and ways that
 * share a payoff table stand together as a run, so there is no group to combine and no way to
 * find. Two ANDs, two population counts, a look-up and an addition a way, in memory order, are
 * the least any grader can do; what remains is reading the masks from memory once. */
#include <stdint.h>

void grade_ways(const uint64_t *low, const uint16_t *high, uint64_t drawn_low, uint16_t drawn_high,
                const int64_t (*pays)[81], const int32_t *run_ways, const int32_t *run_pays,
                const int32_t *run_ticket, int64_t runs, int64_t *awards)
{
    for (int64_t run = 0; run < runs; run++) {
        const int64_t *table = pays[run_pays[run]];
        int64_t award = 0;
        for (int32_t left = run_ways[run]; left > 0; left--, low++, high++)
            award += table[__builtin_popcountll(*low & drawn_low)
                           + __builtin_popcount(*high & drawn_high)];
        awards[run_ticket[run]] += award;
    }
}
