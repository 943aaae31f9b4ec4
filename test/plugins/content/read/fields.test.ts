import assert from "node:assert/strict";
import { Fields, toTerms } from "../../../../plugins/content/read/front-matter/fields.js";

/** What a reader says of one key, and how many warnings it leaves. */
function read<T>(value: unknown, reader: (fields: Fields) => T, key = "x"): [T, number] {
  const fields = new Fields({ [key]: value });
  return [reader(fields), fields.warnings.length];
}

describe("Fields", () => {
  for (const [value, text, warnings] of [
    ["a", "a", 0],
    [12, "12", 0],
    [false, "false", 0],
    ["", null, 0],
    [null, null, 0],
    [undefined, null, 0],
    [["a"], null, 1],
    [{}, null, 1],
  ] as const) {
    it(`reads ${JSON.stringify(value)} as text ${JSON.stringify(text)}`, () => {
      assert.deepEqual(
        read(value, (fields) => fields.text("x")),
        [text, warnings],
      );
    });
  }

  for (const [value, flag, warnings] of [
    [true, true, 0],
    [false, false, 0],
    ["yes", true, 0],
    ["ON", true, 0],
    ["1", true, 0],
    ["no", false, 0],
    ["Off", false, 0],
    ["0", false, 0],
    [undefined, true, 0],
    [null, true, 0],
    ["nope", false, 1],
    [1, true, 0],
    [0, false, 0],
    [2, false, 1],
    [[], false, 1],
  ] as const) {
    it(`reads ${JSON.stringify(value)} as ${flag} when absent is true and invalid false`, () => {
      assert.deepEqual(
        read(value, (fields) => fields.flag("x", { absent: true, whenInvalid: false })),
        [flag, warnings],
      );
    });
  }

  for (const [value, number, warnings] of [
    [1.5, 1.5, 0],
    [0, 0, 0],
    [null, null, 0],
    ["1", null, 1],
    [Number.NaN, null, 1],
    [Number.POSITIVE_INFINITY, null, 1],
  ] as const) {
    it(`reads ${String(value)} (${typeof value}) as number ${number}`, () => {
      assert.deepEqual(
        read(value, (fields) => fields.number("x")),
        [number, warnings],
      );
    });
  }

  it("distinguishes an invalid moment from an absent one", () => {
    const moment = (fields: Fields) => fields.moment("publish_date", "UTC");
    assert.deepEqual(read("2024-05-01", moment, "publish_date"), [Date.parse("2024-05-01"), 0]);
    assert.deepEqual(read(undefined, moment, "publish_date"), [null, 0]);
    assert.deepEqual(read("someday", moment, "publish_date"), ["invalid", 1]);
  });

  it("treats an invalid date as absent, with a warning", () => {
    const date = (fields: Fields) => fields.date();
    assert.deepEqual(read("2024-5-1", date, "date"), ["2024-05-01", 0]);
    assert.deepEqual(read("2024-02-30", date, "date"), [null, 1]);
    assert.deepEqual(read(5, date, "date"), [null, 1]);
  });

  for (const [value, status, warnings] of [
    ["draft", "draft", 0],
    ["in_review", "in_review", 0],
    ["published", "published", 0],
    ["archived", "archived", 0],
    [undefined, "published", 0],
    ["Published", "published", 0],
    ["In Review", "in_review", 0],
    ["publish", "draft", 1],
    [true, "draft", 1],
  ] as const) {
    it(`reads ${JSON.stringify(value)} as status ${status}`, () => {
      assert.deepEqual(
        read(value, (fields) => fields.status(true), "status"),
        [status, warnings],
      );
    });
  }

  it("reports the effect of invalid values: those about visibility hide the page", () => {
    const fields = new Fields({
      date: "soon",
      status: "publish",
      published: "maybe",
      publish_date: "x",
    });
    fields.date();
    fields.status(true);
    fields.flag("published", { absent: true, whenInvalid: false });
    fields.moment("publish_date", "UTC");
    assert.deepEqual(
      fields.warnings.map(({ message }) => message.slice(message.lastIndexOf("; ") + 2)),
      ["it is ignored", "it counts as draft", "it counts as false", "the page is off the site"],
    );
  });

  it("counts a page that is not published as a draft", () => {
    assert.equal(new Fields({}).status(false), "draft");
  });

  for (const [value, slug] of [
    ["my-page", "my-page"],
    [" 2024 ", "2024"],
    [7, "7"],
    ["u\u0308", "\u00fc"],
    ["a/b", null],
    ["..", null],
    [".", null],
    ["  ", null],
    ["a\\b", null],
    ["a\nb", null],
  ] as const) {
    it(`reads ${JSON.stringify(value)} as slug ${JSON.stringify(slug)}`, () => {
      const [found, warnings] = read(value, (fields) => fields.slug(), "slug");
      assert.equal(found, slug);
      assert.equal(warnings, slug === null ? 1 : 0);
    });
  }

  it("takes only names for templates", () => {
    const template = (fields: Fields) => fields.template();
    assert.deepEqual(read("blog-list_2", template, "template"), ["blog-list_2", 0]);
    assert.deepEqual(read("../secret", template, "template"), [null, 1]);
    assert.deepEqual(read("a.b", template, "template"), [null, 1]);
  });

  it("takes only paths of the site and http(s) URLs for redirects", () => {
    const redirect = (fields: Fields) => fields.redirect();
    assert.deepEqual(read("/new", redirect, "redirect"), ["/new", 0]);
    assert.deepEqual(read("javascript:alert(1)", redirect, "redirect"), [null, 1]);
    assert.deepEqual(read("//evil.example", redirect, "redirect"), [null, 1]);
  });

  it("returns aliases as routes and omits invalid ones", () => {
    const aliases = (routes: unknown) => new Fields({ routes }).aliases();
    assert.deepEqual(aliases({ aliases: ["old/", "/older", "", 5] }), ["/old", "/older"]);
    assert.deepEqual(aliases({ aliases: "old" }), ["/old"]);
    assert.deepEqual(aliases({}), []);
    assert.deepEqual(aliases(["/old"]), []);
  });

  it("reads taxonomies of any name, and warns about a value that is not a map", () => {
    const taxonomy = (fields: Fields) => fields.taxonomy();
    const map = { tag: ["a", "b", "a"], category: "news", year: 2024 };
    const terms = { tag: ["a", "b"], category: ["news"], year: ["2024"] };
    assert.deepEqual(read(map, taxonomy, "taxonomy"), [terms, 0]);
    assert.deepEqual(read(["a"], taxonomy, "taxonomy"), [{}, 1]);
  });

  it("includes key and truncated value in a warning", () => {
    const fields = new Fields({ order: "x".repeat(500) });
    fields.number("order");
    const [warning] = fields.warnings;
    assert.equal(warning?.code, "ERR_CONTENT_FIELD");
    assert.match(warning.message, /order is "xxx/);
    assert.ok(warning.message.length < 200);
  });
});

describe("toTerms", () => {
  for (const [value, terms] of [
    ["a", ["a"]],
    [" a ", ["a"]],
    [2024, ["2024"]],
    [
      ["a", "a ", "b"],
      ["a", "b"],
    ],
    [["", " ", null, {}, true], []],
    [null, []],
  ] as const) {
    it(`reads ${JSON.stringify(value)} as ${JSON.stringify(terms)}`, () => {
      assert.deepEqual(toTerms(value), terms);
    });
  }
});
