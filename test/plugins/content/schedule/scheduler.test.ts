import assert from "node:assert/strict";
import { Scheduler } from "../../../../plugins/content/schedule/announce-due-pages.js";
import { indexOf } from "../../../support/content/content-tree.js";

const page = (from: string, until: string): string =>
  `---\npublish_date: ${from}\nunpublish_date: ${until}\n---\n`;
const [january, february, march, april] = [0, 1, 2, 3].map((month) => Date.UTC(2024, month, 1));
assert.ok(january !== undefined && february !== undefined);
assert.ok(march !== undefined && april !== undefined);

describe("Scheduler", () => {
  const state = { now: january, due: [] as string[][] };
  let index = indexOf({});
  const create = () =>
    new Scheduler({
      clock: { now: () => state.now },
      index: () => index,
      onDue: (entries) => state.due.push(entries.map(({ sourcePath }) => sourcePath)),
    });

  beforeEach(() => {
    Object.assign(state, { now: january, due: [] });
    index = indexOf({
      "a.md": page("2024-02-01", "2024-04-01"),
      "b.md": page("2024-03-01", "2024-04-01"),
      "c.md": "always",
    });
  });

  it("reports each boundary once, with its pages", () => {
    const scheduler = create();
    scheduler.reset();
    for (const now of [february - 1, february, february + 1, march, march, april, april + 1]) {
      scheduler.check(now);
    }
    scheduler.close();
    assert.deepEqual(state.due, [["a.md"], ["b.md"], ["a.md", "b.md"]]);
  });

  it("reports all boundaries that a clock jump has passed", () => {
    const scheduler = create();
    scheduler.reset();
    scheduler.check(march);
    scheduler.close();
    assert.deepEqual(state.due, [["a.md", "b.md"]]);
  });

  it("does not report boundaries before its start", () => {
    state.now = march;
    const scheduler = create();
    scheduler.reset();
    scheduler.check(march + 1);
    assert.deepEqual(state.due, []);
    scheduler.check(april);
    scheduler.close();
    assert.equal(state.due.length, 1);
  });

  it("uses the boundaries of the next generation", () => {
    const scheduler = create();
    scheduler.reset();
    index = indexOf({ "new.md": page("2024-01-15", "2024-05-01") });
    scheduler.reset();
    scheduler.check(february);
    scheduler.close();
    assert.deepEqual(state.due, [["new.md"]]);
  });

  it("reports nothing after it is closed", () => {
    const scheduler = create();
    scheduler.reset();
    scheduler.close();
    scheduler.check(april);
    assert.deepEqual(state.due, []);
  });
});
