import assert from "node:assert/strict";
import {
  accessKey,
  pageDocument,
  recordDocument,
  searchRecordProblem,
} from "../../../../plugins/search/index/documents.js";
import { settings } from "../../../../plugins/search/settings.js";
import { indexOf } from "../../../support/content/content-tree.js";

const matter = `---
title: Pear
date: 2024-03-01
summary: A fruit
note: { deep: [one, 2, true, { x: 1 }] }
password: hunter2
taxonomy: { tag: [red, red, fruit] }
---
body`;

function headOf(search: Record<string, unknown>, text = matter) {
  const [entry] = indexOf({ "01.pear/post.md": text }).entries;
  assert.ok(entry);
  return pageDocument(entry, settings.system.parse({ search }).search);
}

describe("the document of a page", () => {
  it("has template and description, each value once, and no other front matter", () => {
    const head = headOf({});
    assert.deepEqual(head.fields, { template: "post", description: "A fruit" });
    assert.deepEqual(head.taxonomy["tag"], ["red", "fruit"]);
    assert.equal(head.date, "2024-03-01");
    assert.doesNotMatch(JSON.stringify(head), /hunter2/);
  });

  it("has custom fields by dot path: text, numbers and booleans, single or in lists", () => {
    assert.equal(headOf({ customFields: ["note.deep"] }).fields["note.deep"], "one 2 true");
    assert.ok(!("note" in headOf({ customFields: ["note"] }).fields));
  });

  for (const field of [
    "constructor.name",
    "__proto__",
    "note.constructor",
    "toString",
    "title.length",
  ]) {
    it(`has no values at the path ${field}`, () => {
      assert.deepEqual(headOf({ facets: [{ field }], customFields: [field] }).facets, {});
    });
  }
});

describe("the document of a record", () => {
  const record = { route: "/r", title: "R", body: "b" };
  const facets = [{ field: "subtype" }, { field: "taxonomy.tag" }];

  it("is a public page without a language by default", () => {
    const document = recordDocument(record, facets);
    assert.deepEqual(
      [document.template, document.lang, document.access, document.date],
      ["page", "", "", null],
    );
  });

  it("has its own subtype, else its type, as facet", () => {
    assert.deepEqual(recordDocument({ ...record, type: "event" }, facets).facets, {
      subtype: ["event"],
    });
    const own = recordDocument(
      { ...record, type: "event", fields: { subtype: "talk" }, taxonomy: { tag: ["a", "a"] } },
      facets,
    );
    assert.deepEqual(own.facets, { subtype: ["talk"], "taxonomy.tag": ["a"] });
  });

  for (const date of ["yesterday", "2024-1-1", "2024-01-01T00:00", ""]) {
    it(`is undated with ${JSON.stringify(date)}`, () =>
      assert.equal(recordDocument({ ...record, date }, facets).date, null));
  }

  for (const value of [
    null,
    1,
    "x",
    [],
    {},
    { ...record, route: "r" },
    { ...record, route: "javascript:x" },
    { ...record, title: 1 },
    { route: "/r", title: "R" },
    { ...record, fields: { price: 5 } },
    { ...record, taxonomy: { tag: [1] } },
    { ...record, taxonomy: { tag: "red" } },
    { ...record, lang: null },
    { ...record, date: 2026 },
  ]) {
    it(`rejects ${JSON.stringify(value)}`, () => assert.notEqual(searchRecordProblem(value), null));
  }
});

describe("the key of a role rule", () => {
  it("is empty for public pages, and equal for the same rule in any order", () => {
    assert.equal(accessKey(null), "");
    assert.equal(accessKey({ all: ["a", "b"], any: [] }), accessKey({ all: ["b", "a"], any: [] }));
    assert.notEqual(accessKey({ all: ["a"], any: [] }), accessKey({ all: [], any: ["a"] }));
    assert.notEqual(accessKey({ all: [], any: [] }), "");
    assert.notEqual(accessKey({ all: ["a,b"], any: [] }), accessKey({ all: ["a", "b"], any: [] }));
  });
});
