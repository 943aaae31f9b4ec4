import assert from "node:assert/strict";
import { indexOf, viewOf } from "../support/content/content-tree.js";

describe("the position of a page among its siblings", () => {
  const order = (value: string): string => `---\nvisible: true\norder: ${value}\n---\n`;
  const sources = {
    "01.home/default.md": "# Home",
    "02.two/default.md": "# Two",
    "00.zero/default.md": "# Zero",
    "half/default.md": `${order("1.5")}# Half`,
    "first/default.md": `${order("0")}# First`,
    "before/default.md": `${order("-1")}# Before`,
    "none/default.md": "---\nvisible: true\n---\n# None",
    "flat.md": `${order("2.5")}# Flat`,
  };
  const expected = ["Before", "First", "Zero", "Home", "Half", "Two", "Flat", "None"];

  it("is its order, 0 included; without one it is last", () => {
    const view = viewOf(indexOf({ ...sources, "index.md": "# Index" }));
    const titles = view.nav().map(({ title }) => title);
    assert.deepEqual(titles, expected);
    const list = view.list({ offset: 0, limit: 20, order: { by: "order", dir: "asc" } });
    const byOrder = list.items.map(({ title }) => title).filter((title) => title !== "Index");
    assert.deepEqual(byOrder, expected);
  });
});

describe("invalid front matter", () => {
  const warnings = (line: string): string[] =>
    indexOf({ "a.md": `---\n${line}\n---\n` }).problems.map(({ message }) => message);

  for (const value of [
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example/x",
    "mailto:a@b.c",
  ]) {
    it(`is reported as routes.canonical: ${value}`, () => {
      const [message = ""] = warnings(`routes: { canonical: ${JSON.stringify(value)} }`);
      assert.match(message, /routes\.canonical.*it is ignored/);
    });
  }
  it("is not reported for a path or an http(s) URL", () => {
    for (const value of ["/a", "https://example.org/a"])
      assert.deepEqual(warnings(`routes: { canonical: ${value} }`), []);
  });
  it('is reported as roles: ""', () => {
    assert.match(warnings('roles: ""')[0] ?? "", /roles is "".*everybody may read the page/);
    assert.deepEqual(warnings("roles: member"), []);
  });
});
