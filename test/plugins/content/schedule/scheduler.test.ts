import assert from "node:assert/strict";
import { Scheduler } from "../../../../plugins/content/schedule/announce-due-pages.js";
import { indexOf } from "../../../support/content/content-tree.js";

const page = (from: string, until: string): string =>
  `---\npublish_date: ${from}\nunpublish_date: ${until}\n---\n`;
const [january, february, march, april] = [0, 1, 2, 3].map((month) => Date.UTC(2024, month, 1));
assert.ok(january !== undefined && february !== undefined);
assert.ok(march !== undefined && april !== undefined);

const pages = indexOf({
  "a.md": page("2024-02-01", "2024-04-01"),
  "b.md": page("2024-03-01", "2024-04-01"),
  "c.md": "always",
});

/** The files that each check of the clock reports as due; `prepare` runs before the checks. */
function dueAt(
  start: number,
  checks: readonly number[],
  prepare: (scheduler: Scheduler, exchange: (next: typeof pages) => void) => void = () => undefined,
): string[] {
  const due: string[] = [];
  let index = pages;
  const scheduler = new Scheduler({
    clock: { now: () => start },
    index: () => index,
    onDue: (entries) => due.push(entries.map(({ sourcePath }) => sourcePath).join(" ")),
  });
  scheduler.reset();
  prepare(scheduler, (next) => void (index = next));
  for (const now of checks) scheduler.check(now);
  scheduler.close();
  return due;
}

describe("Scheduler", () => {
  it("reports each boundary once, with its pages", () => {
    const checks = [february - 1, february, february + 1, march, march, april, april + 1];
    assert.deepEqual(dueAt(january, checks), ["a.md", "b.md", "a.md b.md"]);
  });

  it("reports all boundaries that a clock jump has passed, and none before its start", () => {
    assert.deepEqual(dueAt(january, [march]), ["a.md b.md"]);
    assert.deepEqual(dueAt(march, [march + 1]), []);
    assert.deepEqual(dueAt(march, [march + 1, april]), ["a.md b.md"]);
  });

  it("uses the boundaries of the next generation", () => {
    const due = dueAt(january, [february], (scheduler, exchange) => {
      exchange(indexOf({ "new.md": page("2024-01-15", "2024-05-01") }));
      scheduler.reset();
    });
    assert.deepEqual(due, ["new.md"]);
  });

  it("reports nothing after it is closed", () => {
    assert.deepEqual(
      dueAt(january, [april], (scheduler) => scheduler.close()),
      [],
    );
  });
});
