import type { BootStep } from "./contracts.js";

/** What of the start took how long. */
export class BootReport {
  readonly #steps: BootStep[] = [];

  /** Runs a step and notes how long it took, also when it fails. */
  async time<T>(step: BootStep["step"], plugin: string | null, work: () => T): Promise<Awaited<T>> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.#steps.push({ step, plugin, ms: performance.now() - started });
    }
  }

  /** Notes a step that is over. */
  note(step: BootStep["step"], plugin: string | null, ms: number): void {
    this.#steps.push({ step, plugin, ms });
  }

  /** Every step in the order of the start. */
  get steps(): readonly BootStep[] {
    return this.#steps;
  }
}

const WORDS: Readonly<Record<BootStep["step"], string>> = {
  load: "configuration and modules",
  setup: "set up",
  hooks: "start-up hooks",
  ready: "get ready",
};

/** Most steps that are shown one by one. */
const MOST_SHOWN = 12;
/** What is faster is of no interest, in ms. */
const SHORTEST_MS = 1;

/** The slowest steps, a line each, the slowest first; what is left in one more. */
export function formatBootReport(steps: readonly BootStep[]): string[] {
  const slowest = steps
    .filter(({ ms }) => ms >= SHORTEST_MS)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, MOST_SHOWN);
  const rest = steps.filter((step) => !slowest.includes(step));
  const lines = slowest.map(({ step, plugin, ms }) => line(ms, WORDS[step], plugin ?? ""));
  const restMs = rest.reduce((sum, { ms }) => sum + ms, 0);
  return rest.length === 0 ? lines : [...lines, line(restMs, `${rest.length} other steps`, "")];
}

function line(ms: number, what: string, plugin: string): string {
  return `${ms.toFixed(1).padStart(8)} ms  ${what.padEnd(25)}  ${plugin}`.trimEnd();
}
