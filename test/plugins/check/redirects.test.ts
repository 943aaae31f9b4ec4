import assert from "node:assert/strict";
import fc from "fast-check";
import { addRedirects, withRedirects } from "../../../plugins/check/redirects.js";

describe("addRedirects", () => {
  it("creates no chain, no loop, and no redirect away from a page", () => {
    assert.deepEqual(addRedirects({ "/a": "/b" }, { "/b": "/c" }), { "/a": "/c", "/b": "/c" });
    assert.deepEqual(addRedirects({ "/a": "/b" }, { "/b": "/a" }), { "/b": "/a" });
    assert.deepEqual(addRedirects({}, { "/a": "/a" }), {});
  });

  it("redirects in one step to the current address, after any sequence of moves", () => {
    const route = fc.constantFrom("/a", "/b", "/c", "/d");
    fc.assert(
      fc.property(fc.array(fc.tuple(route, route), { maxLength: 12 }), (moves) => {
        let redirects: Record<string, string> = {};
        for (const [from, to] of moves) {
          redirects = addRedirects(redirects, { [from]: to });
          if (from === to) continue;
          assert.equal(redirects[from], to);
          assert.equal(redirects[to], undefined);
        }
        for (const target of Object.values(redirects)) assert.equal(redirects[target], undefined);
      }),
    );
  });
});

describe("withRedirects", () => {
  it("keeps the comments and the order of site.yaml", () => {
    const text =
      "# mine\ntitle: T # short\nredirects:\n  /x: /y # old\n  /a: /b\nurl: http://x.example\n";
    assert.equal(
      withRedirects(text, { "/b": "/c" }),
      "# mine\ntitle: T # short\nredirects:\n  /x: /y # old\n  /a: /c\n  /b: /c\nurl: http://x.example\n",
    );
    assert.throws(() => withRedirects("title: [", { "/b": "/c" }), { code: "ERR_CONFIG_KEY" });
  });
});
