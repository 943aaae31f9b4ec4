import type { BootStep } from "../contracts.js";

/** Durations of the startup steps. */
export class BootReport {
  readonly #steps: BootStep[] = [];

  /** Runs a step and records its duration, also when it fails. */
  async time<T>(step: BootStep["step"], plugin: string | null, work: () => T): Promise<Awaited<T>> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.#steps.push({ step, plugin, ms: performance.now() - started });
    }
  }

  /** Records a finished step. */
  note(step: BootStep["step"], plugin: string | null, ms: number): void {
    this.#steps.push({ step, plugin, ms });
  }

  /** All steps in order. */
  get steps(): readonly BootStep[] {
    return this.#steps;
  }
}

const WORDS: Readonly<Record<BootStep["step"], string>> = {
  load: "configuration and modules",
  setup: "set up",
  hooks: "startup hooks",
  ready: "get ready",
};

/** Maximum number of steps listed. */
const MAX_SHOWN = 12;
/** Faster steps are not listed, in ms. */
const SHORTEST_MS = 1;

/** The slowest steps, one per line, slowest first; the others are summed up in one line. */
export function formatBootReport(steps: readonly BootStep[]): string[] {
  const slowest = steps
    .filter(({ ms }) => ms >= SHORTEST_MS)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, MAX_SHOWN);
  const rest = steps.filter((step) => !slowest.includes(step));
  const lines = slowest.map(({ step, plugin, ms }) => line(ms, WORDS[step], plugin ?? ""));
  const restMs = rest.reduce((sum, { ms }) => sum + ms, 0);
  return rest.length === 0 ? lines : [...lines, line(restMs, `${rest.length} other steps`, "")];
}

function line(ms: number, what: string, plugin: string): string {
  return `${ms.toFixed(1).padStart(8)} ms  ${what.padEnd(25)}  ${plugin}`.trimEnd();
}
