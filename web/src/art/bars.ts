/** How good a connection is: 0 lost, 1 weak to 3 good, or not measured yet. */
export type Bars = 0 | 1 | 2 | 3 | "unknown";

/** The same in words: one for a narrow place, and the whole. */
export const BAR_WORDS: Readonly<Record<Bars, { readonly brief: string; readonly long: string }>> =
  {
    0: { brief: "away", long: "no connection" },
    1: { brief: "slow", long: "weak connection" },
    2: { brief: "fair", long: "fair connection" },
    3: { brief: "good", long: "good connection" },
    unknown: { brief: "…", long: "connection not measured yet" },
  };
