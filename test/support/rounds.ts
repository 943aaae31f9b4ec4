/**
 * The number of rounds of a test that repeats a race or a kill at other moments: a quarter of `all`, at
 * least three. `ROUNDS=all npm test -- <files>` runs them all, for changes of what the test is about.
 */
export function rounds(all: number): number {
  return process.env["ROUNDS"] === "all" ? all : Math.max(3, Math.ceil(all / 4));
}
