/** The fixed set of things one can say without words. */
export type EmoteKind = "wow" | "laugh" | "clap" | "oops" | "hurry" | "wave";

export const EMOTES: readonly EmoteKind[] = ["wow", "laugh", "clap", "oops", "hurry", "wave"];

/** What each one says, read aloud. */
export const EMOTE_WORDS: Readonly<Record<EmoteKind, string>> = {
  wow: "Wow!",
  laugh: "Ha ha!",
  clap: "Well played!",
  oops: "Oops!",
  hurry: "Hurry up!",
  wave: "Hello!",
};
