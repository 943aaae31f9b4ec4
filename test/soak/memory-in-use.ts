// What a server needs after garbage is collected: its resident memory alone also counts what V8 has not collected yet.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { deployedVariables } from "../../bench/support/deployed-variables.js";

const probe = fileURLToPath(new URL("memory-probe.mjs", import.meta.url));
const usage = z.object({
  rss: z.number(),
  heapTotal: z.number(),
  heapUsed: z.number(),
  external: z.number(),
  arrayBuffers: z.number(),
});

/** Memory in bytes, after a collection. */
export type MemoryInUse = z.infer<typeof usage>;

/** Reads the memory of a server that was started with `command`. */
export class MemoryProbe {
  /** Where snapshots are written. */
  readonly folder = mkdtempSync(join(tmpdir(), "site-memory-probe-"));
  /** Prefix of the server's command. */
  readonly command: readonly string[];
  #seen = 0;

  constructor(options: { snapshots?: boolean } = {}) {
    const deployed = Object.entries(deployedVariables()).map(
      ([name, value]) => `${name}=${value}${name === "NODE_OPTIONS" ? ` --import=${probe}` : ""}`,
    );
    const variables = [...deployed, `SOAK_MEMORY=${this.folder}`];
    this.command = ["env", ...variables, ...(options.snapshots ? ["SOAK_SNAPSHOT=1"] : [])];
  }

  /** Collects the garbage of the server, and reads what is left. */
  async collect(pid: number): Promise<MemoryInUse> {
    const file = join(this.folder, "usage");
    rmSync(file, { force: true });
    process.kill(pid, "SIGUSR2");
    while (!existsSync(file)) await delay(20);
    return usage.parse(JSON.parse(readFileSync(file, "utf8")));
  }

  /** What was left after each full collection of V8's own since the last call. */
  collections(pid: number): MemoryInUse[] {
    const file = join(this.folder, `collections-${pid}`);
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    const added = lines.slice(this.#seen);
    this.#seen = lines.length;
    return added.map((line) => usage.parse(JSON.parse(line)));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
