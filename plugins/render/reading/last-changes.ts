import { type SiteContext, Git } from "#kernel";
import type { PageEntry } from "../../content/contract.js";

/**
 * When pages changed last, from git: read once per commit, when content has changed since. Without git,
 * and in a shallow clone, whose history ends too early, only the front matter tells.
 */
export class LastChanges {
  readonly #git: Git;
  readonly #log: SiteContext["log"];
  #dates: ReadonlyMap<string, number> = new Map();
  #head: string | null = null;
  #reading: Promise<void> | null = null;
  #isStale = true;

  constructor(site: Pick<SiteContext, "paths" | "log" | "lifecycle">) {
    this.#git = new Git(site.paths.content, { signal: site.lifecycle.signal });
    this.#log = site.log;
  }

  /** Content has changed: the next caller looks for a new commit. */
  invalidate(): void {
    this.#isStale = true;
  }

  /** ISO date: `updated` of the front matter, else of the last commit; null when unknown. */
  async of(entry: PageEntry): Promise<string | null> {
    const given = statedChange(entry);
    if (given !== null) return given;
    const { sourcePath } = entry;
    if (this.#isStale) this.#read();
    await this.#reading;
    const seconds = this.#dates.get(sourcePath);
    return seconds === undefined ? null : new Date(seconds * 1000).toISOString();
  }

  #read(): void {
    this.#isStale = false;
    this.#reading = this.#readNewCommits().catch((error: unknown) => {
      this.#dates = new Map();
      this.#log.debug("render.last_changes_unknown", { error: String(error) });
    });
  }

  async #readNewCommits(): Promise<void> {
    const [head = "", shallow] = (
      await this.#git.run(["rev-parse", "HEAD", "--is-shallow-repository"])
    ).split("\n");
    if (head === this.#head) return;
    this.#dates = shallow === "true" ? new Map() : await this.#readLog();
    this.#head = head;
  }

  /** The newest commit of each file below the content folder. */
  async #readLog(): Promise<ReadonlyMap<string, number>> {
    const args = [
      "log",
      "--format=%x00%ct",
      "--name-only",
      "--no-renames",
      "--relative",
      "--",
      ".",
    ];
    const dates = new Map<string, number>();
    for (const commit of (await this.#git.run(args)).split("\0").slice(1)) {
      const [time = "", ...paths] = commit.split("\n");
      for (const path of paths) {
        if (path !== "" && !dates.has(path)) dates.set(path, Number(time));
      }
    }
    return dates;
  }
}

/** The date of the last change that the front matter states; null without one. */
export function statedChange({ frontmatter: { updated } }: PageEntry): string | null {
  const given = updated instanceof Date ? updated.toISOString() : updated;
  return typeof given === "string" && !Number.isNaN(Date.parse(given)) ? given : null;
}
