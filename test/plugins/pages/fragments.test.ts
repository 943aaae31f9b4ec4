import assert from "node:assert/strict";
import { Fragments } from "../../../plugins/pages/routes/send.js";

describe("Fragments", () => {
  it("matches JSON.stringify, and encodes each item once", () => {
    const made: number[] = [];
    const fragments = new Fragments((source: { id: number }) => {
      made.push(source.id);
      return { id: source.id, text: '"</script>\u2028' };
    });
    const [one, two] = [{ id: 1 }, { id: 2 }];
    const expected = (list: readonly { id: number }[]) =>
      JSON.stringify(list.map(({ id }) => ({ id, text: '"</script>\u2028' })));
    for (const list of [[], [one], [one, two], [two, one, two]])
      assert.equal(fragments.list(list), expected(list));
    assert.deepEqual(made, [1, 2]);
  });
});
