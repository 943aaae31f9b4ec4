import assert from "node:assert/strict";
import * as fc from "fast-check";
import { ANY, Ledger } from "../../../plugins/cdn/ledger.js";

const roomy = { mostUrls: 1_000, mostTags: 10_000 };
const reads = (...tags: string[]): Set<string> => new Set(tags);

describe("the ledger of a content delivery network", () => {
  it("returns everything while the contents of the network are unknown", () => {
    const ledger = new Ledger(roomy, false, () => 0);
    ledger.note("/a", reads("page:a"), 1);
    assert.equal(ledger.take(["page:b"]), null);
    ledger.emptied();
    assert.deepEqual(ledger.take(["page:a"]), ["/a"]);
  });

  it("detects a response whose dependencies changed during rendering", () => {
    const ledger = new Ledger(roomy, true, () => 10);
    ledger.take(["page:a"]);
    assert.equal(ledger.note("/a", reads("page:a"), 9), true);
    assert.equal(ledger.note("/a", reads("page:a"), 11), false);
  });

  it("affects everything once it was full, and requests clearing the cache", () => {
    const ledger = new Ledger({ mostUrls: 2, mostTags: 100 }, true, () => 0);
    for (const url of ["/a", "/b", "/c"]) ledger.note(url, reads("list"), 1);
    assert.equal(ledger.size, 2);
    assert.equal(ledger.take(["other"]), null);
    assert.equal(ledger.emptied(), true);
    assert.equal(ledger.emptied(), false);
    assert.deepEqual(ledger.take(["list"]), []);
  });

  it("returns addresses without known dependencies at any change", () => {
    const ledger = new Ledger(roomy, true, () => 0);
    ledger.note("/open", reads(ANY), 1);
    assert.deepEqual(ledger.take(["page:a"]), ["/open"]);
  });

  it("can also be full of tags", () => {
    const ledger = new Ledger({ mostUrls: 100, mostTags: 3 }, true, () => 0);
    ledger.note("/a", reads("1", "2"), 1);
    ledger.note("/b", reads("1", "2"), 1);
    assert.equal(ledger.take(["1"]), null);
  });

  it("matches a list of pairs for any sequence of calls", () => {
    const tag = fc.constantFrom("a", "b", "c", "d");
    const url = fc.constantFrom("/1", "/2", "/3");
    const step = fc.oneof(
      fc.record({ url, tags: fc.uniqueArray(tag, { minLength: 1 }) }),
      fc.record({ take: fc.uniqueArray(tag, { minLength: 1 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const clock = { at: 0 };
        const ledger = new Ledger(roomy, true, () => clock.at);
        const naive = new Map<string, string[]>();
        for (const each of steps) {
          clock.at += 1;
          if ("url" in each) {
            ledger.note(each.url, new Set(each.tags), clock.at);
            naive.set(each.url, each.tags);
          } else {
            const due = [...naive].filter(([, tags]) =>
              each.take.some((changed) => tags.includes(changed)),
            );
            const expected = due.map(([address]) => address).toSorted();
            assert.deepEqual(ledger.take(each.take)?.toSorted(), expected);
            for (const address of expected) naive.delete(address);
          }
        }
        assert.equal(ledger.size, naive.size);
      }),
    );
  });
});
