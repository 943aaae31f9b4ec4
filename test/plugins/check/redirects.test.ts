import assert from "node:assert/strict";
import fc from "fast-check";
import { addRedirects, withRedirects } from "../../../plugins/check/redirects.js";
import { redirectKey } from "../../../plugins/content/view/redirects.js";

describe("addRedirects", () => {
  it("creates no chain, no loop, and no redirect away from a page", () => {
    assert.deepEqual(addRedirects({ "/a": "/b" }, { "/b": "/c" }, redirectKey), {
      "/a": "/c",
      "/b": "/c",
    });
    assert.deepEqual(addRedirects({ "/a": "/b" }, { "/b": "/a" }, redirectKey), { "/b": "/a" });
    assert.deepEqual(addRedirects({}, { "/a": "/a" }, redirectKey), {});
  });

  it("compares addresses decoded, and keeps the spelling of site.yaml", () => {
    const known = { "/caf%C3%A9": "/menu", "/old": "/sp%C3%A4t/" };
    assert.deepEqual(addRedirects(known, { "/menu": "/café" }, redirectKey), {
      "/old": "/sp%C3%A4t/",
      "/menu": "/café",
    });
    assert.deepEqual(addRedirects(known, { "/spät": "/now", "/café": "/x" }, redirectKey), {
      "/caf%C3%A9": "/x",
      "/old": "/now",
      "/spät": "/now",
    });
  });

  it("computes the key of each address once", () => {
    const numbered = (name: string, to: string): [string, string][] =>
      Array.from({ length: 100 }, (_, at) => [`/${name}-${at}`, `/${to}-${at}`]);
    let calls = 0;
    addRedirects(
      Object.fromEntries(numbered("a", "b")),
      Object.fromEntries(numbered("b", "c")),
      (address) => {
        calls += 1;
        return redirectKey(address);
      },
    );
    assert.equal(calls, 400);
  });

  it("redirects in one step to the current address, after any sequence of moves", () => {
    const route = fc.constantFrom("/a", "/b", "/c", "/d");
    fc.assert(
      fc.property(fc.array(fc.tuple(route, route), { maxLength: 12 }), (moves) => {
        let redirects: Record<string, string> = {};
        for (const [from, to] of moves) {
          redirects = addRedirects(redirects, { [from]: to }, redirectKey);
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
      withRedirects(text, { "/b": "/c" }, redirectKey),
      "# mine\ntitle: T # short\nredirects:\n  /x: /y # old\n  /a: /c\n  /b: /c\nurl: http://x.example\n",
    );
    assert.throws(() => withRedirects("title: [", { "/b": "/c" }, redirectKey), {
      code: "ERR_CONFIG_KEY",
    });
  });
});
