/** `error`: something does not work. `warning`: it works, but not for long, or not safely. */
export type FindingLevel = "ok" | "warning" | "error";
/** The result of a check. Texts contain no secrets. */
export interface Finding {
  readonly level: FindingLevel;
  /** `Redis responds`. */
  readonly seen: string;
  /** What to do about it; absent for `ok`. */
  readonly fix?: string;
  /** Does so, when that is safe without a person: `--fix` runs it. Resolves with what it did. */
  repair?(): Promise<string>;
}
/** A check by name; `P`: what it receives of the site. */
export interface NamedCheck<P> {
  readonly name: string;
  run(place: P): Promise<readonly Finding[]>;
}

/** Difference between two clocks that counts as wrong, in ms. */
const SKEW_MS = 5_000;

/** A finding about the clock of a store; `skewMs`: its time minus ours. */
export function skewFinding(store: string, skewMs: number): Finding {
  const seconds = Math.round(skewMs / 1_000);
  if (Math.abs(skewMs) <= SKEW_MS) return { level: "ok", seen: `the clock agrees with ${store}` };
  const seen = `the clock of ${store} differs by ${seconds} seconds`;
  return { level: "warning", seen, fix: "set both clocks, for example with NTP" };
}
