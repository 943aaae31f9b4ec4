// What a server needs after garbage is collected: its resident memory alone also counts what V8 has not collected yet.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const probe = fileURLToPath(new URL("memory-probe.mjs", import.meta.url));
const usage = z.object({
  nth: z.number(),
  rss: z.number(),
  heapTotal: z.number(),
  heapUsed: z.number(),
  external: z.number(),
  arrayBuffers: z.number(),
});

/** Memory in bytes, and how many collections were asked for. */
export type MemoryInUse = z.infer<typeof usage>;

/** Collects the garbage of a server that was started with `command`, and reads what is left. */
export class MemoryProbe {
  /** Where snapshots are written. */
  readonly folder = mkdtempSync(join(tmpdir(), "site-memory-probe-"));
  /** Prefix of the server's command. */
  readonly command: readonly string[];
  readonly #file = join(this.folder, "usage");

  constructor(options: { snapshots?: boolean } = {}) {
    const variables = [`NODE_OPTIONS=--import=${probe}`, `SOAK_MEMORY=${this.#file}`];
    this.command = ["env", ...variables, ...(options.snapshots ? ["SOAK_SNAPSHOT=1"] : [])];
  }

  async read(pid: number): Promise<MemoryInUse> {
    rmSync(this.#file, { force: true });
    process.kill(pid, "SIGUSR2");
    while (!existsSync(this.#file)) await delay(20);
    return usage.parse(JSON.parse(readFileSync(this.#file, "utf8")));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
