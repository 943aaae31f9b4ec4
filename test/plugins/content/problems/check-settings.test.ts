import assert from "node:assert/strict";
import { checkSettings } from "../../../../plugins/content/problems/check-settings.js";
import { settings as schemas } from "../../../../plugins/content/settings.js";
import { loadConfig } from "../../../support/sites/config-root.js";

const problemsOf = async (yaml: string) => {
  const content = { name: "content", version: "1.0.0", settings: schemas, check: checkSettings };
  const { problems } = await loadConfig(
    { "site.yaml": `title: T\n${yaml}` },
    { plugins: [content] },
  );
  return problems;
};
const keysOf = async (yaml: string) =>
  (await problemsOf(yaml)).map(({ line, key }) => `${line} ${key}`);

describe("redirects and aliases", () => {
  it("in a cycle are reported once per cycle", async () => {
    assert.deepEqual(await keysOf("redirects:\n  /a: /b\n  /b: /a\n  /c: /c\n  /d: /a\n"), [
      "3 redirects./a",
      "5 redirects./c",
    ]);
    assert.deepEqual(await keysOf("redirects: { /a: '/b?x=1', /b: '/a#top' }"), ["2 redirects./a"]);
    assert.deepEqual(await keysOf("routes: { /a: /b, /b: /a }"), ["2 routes./a"]);
  });

  it("with a query lead in a cycle only when the target matches one", async () => {
    assert.deepEqual(await keysOf("redirects: { /?p=1: '/?x=2&p=1' }"), ["2 redirects./?p=1"]);
    assert.deepEqual(await keysOf("redirects: { /?p=1: '/?p=2', /?p=2: '/?p=1' }"), [
      "2 redirects./?p=1",
    ]);
    assert.deepEqual(await keysOf("redirects: { /?p=1: /, /?p=2: '/?p=3', /a?b=1: /a }"), []);
  });

  it("may be chained, and lead out of the site", async () => {
    assert.deepEqual(
      await keysOf("redirects: { /a: /b, /b: /c, /c: 'https://example.org/a' }"),
      [],
    );
    assert.deepEqual(await keysOf("redirects: { /old: /new }\nroutes: { /new: /old }"), []);
  });

  it("of everything below an address lead in a cycle when a target is below it", async () => {
    assert.deepEqual(await keysOf("redirects: { /a/*: /a/b/:splat }"), ["2 redirects./a/*"]);
    assert.deepEqual(await keysOf("redirects: { /*: /:splat }"), ["2 redirects./*"]);
    assert.deepEqual(await keysOf("redirects: { /a/*: /b/:splat, /b/y: /a/y }"), [
      "2 redirects./b/y",
    ]);
    assert.deepEqual(await keysOf("redirects: { /a/*: /b/:splat, /b/x: /c, /b/: /a2 }"), []);
    assert.deepEqual(await keysOf("redirects: { /*: 'https://example.org/:splat' }"), []);
  });

  it("in another spelling of the same address are part of a cycle", async () => {
    assert.deepEqual(await keysOf("redirects: { /caf%C3%A9: /b, /b/: /café }"), [
      "2 redirects./caf%C3%A9",
    ]);
  });

  it("compare addresses decoded once, and take a query with a second question mark", async () => {
    assert.deepEqual(await keysOf("redirects: { /a%2541: /b, /b: /a%2541 }"), [
      "2 redirects./a%2541",
    ]);
    assert.deepEqual(await keysOf("redirects: { /a/*: 'https://example.org?x=:splat' }"), []);
  });

  it("may have spaces, and say what is wrong with a key", async () => {
    assert.deepEqual(await keysOf("redirects: { '/old page': /new, /x: '/new page' }"), []);
    for (const key of ["old", "//x", "/a\\b", "/a*", "/a/*/b", "/a/*?x=1", "' /a'", "'/a '"]) {
      const [problem] = await problemsOf(`redirects: { ${key}: /new }`);
      assert.equal(problem?.received, key.replaceAll("'", ""), key);
      assert.match(problem?.expected ?? "", /^a key that is /, key);
    }
    for (const target of [
      "new",
      "//x",
      "javascript:x",
      "'https://'",
      "'https://a b/'",
      "'/:splat'",
    ]) {
      const [problem] = await problemsOf(`redirects: { /old: ${target} }`);
      assert.equal(problem?.received, target.replaceAll("'", ""), target);
    }
    assert.equal((await problemsOf("redirects: { /o/*: 'https://:splat/' }")).length, 1);
  });

  it("are followed in linear time", async () => {
    const chain = Array.from({ length: 5000 }, (_, index) => `  /r${index}: /r${index + 1}`).join(
      "\n",
    );
    assert.deepEqual(await keysOf(`redirects:\n${chain}\n  /r5000: /r0\n`), ["3 redirects./r0"]);
  });
});
