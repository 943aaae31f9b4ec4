import assert from "node:assert/strict";
import {
  entry,
  mediaDiscovered,
  pageLoaded,
  routeResolved,
} from "../../../plugins/content/payload-checks.js";
import { pageEntry } from "../../support/content/markdown-pages.js";

/** Where payloads of hooks have a page entry. */
const PAYLOADS: readonly (readonly [
  hook: string,
  check: (value: unknown) => string | null,
  payload: (entry: unknown) => unknown,
])[] = [
  ["onPageLoaded", pageLoaded, (page) => ({ page: { entry: page, raw: "", body: "", media: [] } })],
  ["onMediaDiscovered", mediaDiscovered, (page) => ({ media: [], page })],
  [
    "onRouteResolved, a page",
    routeResolved,
    (page) => ({ req: {}, match: { kind: "page", entry: page, lang: "en", pageNumber: 1 } }),
  ],
  [
    "onRouteResolved, a page for others",
    routeResolved,
    (page) => ({ req: {}, match: { kind: "gated", entry: page, lang: "en", need: "login" } }),
  ],
];

describe("the check of a page entry", () => {
  const page = pageEntry("blog/a/post.md", { title: "A" });
  const checked = Object.keys(page).filter(
    (name) => entry({ ...page, [name]: Symbol("x") }) !== null,
  );

  it("accepts an entry of the tree", () => assert.equal(entry(page), null));

  it("checks what lists and pages read", () => {
    for (const name of ["sourcePath", "route", "url", "title", "taxonomy", "frontmatter", "hash"])
      assert.ok(checked.includes(name), name);
  });

  for (const [hook, check, payload] of PAYLOADS) {
    it(`is the same in ${hook}`, () => {
      assert.equal(check(payload(page)), null);
      for (const name of checked)
        assert.match(
          check(payload({ ...page, [name]: Symbol("x") })) ?? "",
          new RegExp(`\\.${name}: |page\\.${name}: `),
          name,
        );
    });
  }
});
