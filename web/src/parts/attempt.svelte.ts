/** Something one tries that takes a while and may fail: never twice at once, and what went wrong is kept to be said. */
export class Attempt {
  busy = $state(false);
  trouble = $state("");

  /** Whether it worked. */
  async run(job: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.trouble = "";
    try {
      await job();
      return true;
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
