import assert from "node:assert/strict";
import { parseTarget } from "../../../../plugins/admin/dev-apply/allowed-path.js";

describe("parseTarget", () => {
  const isPage = (path: string) => path.endsWith(".md");
  const folders = { root: "/site", content: "/site/pages", isPage };
  for (const [path, expected] of [
    ["content/a/b.md", { kind: "content", path: "a/b.md", file: "page" }],
    ["content/a/b.png", { kind: "content", path: "a/b.png", file: "media" }],
    ["content/a/b.png.meta.yaml", { kind: "content", path: "a/b.png.meta.yaml", file: "sidecar" }],
    ["pages/a/b.md", { kind: "content", path: "a/b.md", file: "page" }],
    ["site.yaml", { kind: "config", file: "site" }],
    ["config/admin.yaml", { kind: "config", file: "admin" }],
    ["themes/x/theme.yaml", { kind: "theme", path: "themes/x/theme.yaml" }],
    ["data/flex/a.yaml", { kind: "flex", path: "data/flex/a.yaml" }],
  ] as const) {
    it(`accepts ${path}`, () => assert.deepEqual(parseTarget(path, folders), expected));
  }
});
