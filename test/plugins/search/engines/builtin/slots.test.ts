import assert from "node:assert/strict";
import { Slots } from "../../../../../plugins/search/engines/builtin/segment.js";

describe("slots", () => {
  it("are constant per field, and map back to its name, for any number of fields", () => {
    const slots = new Slots();
    const names = Array.from({ length: 40 }, (_, at) => (at === 3 ? "__proto__" : `field${at}`));
    const numbers = names.map((name) => slots.ofField(name));
    assert.equal(new Set(numbers).size, 40);
    assert.deepEqual(
      names.map((name) => slots.ofField(name)),
      numbers,
    );
    assert.deepEqual(
      numbers.map((slot) => slots.field(slot)),
      names,
    );
    assert.deepEqual(new Slots(slots.fields).ofField("field39"), numbers[39]);
  });

  it("of taxonomy values never equal those of a field, even for the hundred-thousandth value", () => {
    const slots = new Slots(Array.from({ length: 40 }, (_, at) => `field${at}`));
    for (const position of [0, 1, 15, 16, 32_000, 100_000]) {
      assert.equal(slots.field(slots.ofValue(position)), null, String(position));
    }
    assert.notEqual(slots.ofValue(0), slots.ofValue(1));
  });
});
