import assert from "node:assert/strict";
import fc from "fast-check";
import { Languages } from "../../../plugins/content/view/languages.js";
import {
  collectionsQuery as collectionsQueryIn,
  navQuery as navQueryIn,
  pagesQuery as pagesQueryIn,
  toListQuery,
} from "../../../plugins/pages/params.js";

const languages = new Languages({
  supported: ["en", "de"],
  default: "en",
  include_default_in_url: false,
  rtl_override: [],
});
const language = languages.parameters({ fallback: false });
const pagesQuery = pagesQueryIn(language);
const collectionsQuery = collectionsQueryIn(language);
const navQuery = navQueryIn(language);

const list = (query: Record<string, unknown>) => toListQuery(pagesQuery.parse(query));

describe("the query of /api/pages", () => {
  it("has defaults, and reads given values", () => {
    assert.deepEqual(list({}), {
      offset: 0,
      limit: 20,
      published: true,
      taxonomy: {},
      fallback: false,
    });
    assert.deepEqual(
      list({
        limit: "5",
        offset: "10",
        template: "post",
        lang: "de",
        published: "false",
        "taxonomy.tag": "a",
      }),
      {
        limit: 5,
        offset: 10,
        template: "post",
        lang: "de",
        fallback: false,
        published: false,
        taxonomy: { tag: "a" },
      },
    );
  });

  it("accepts or rejects any value of any parameter, and never throws", () => {
    const key = fc.constantFrom(
      "limit",
      "offset",
      "order",
      "template",
      "lang",
      "published",
      "taxonomy.tag",
      "__proto__",
    );
    fc.assert(
      fc.property(fc.dictionary(key, fc.anything()), (query) => {
        const parsed = pagesQuery.safeParse(query);
        if (parsed.success) assert.ok(toListQuery(parsed.data).limit <= 200);
        collectionsQuery.safeParse(query);
        navQuery.safeParse(query);
      }),
    );
  });
});
