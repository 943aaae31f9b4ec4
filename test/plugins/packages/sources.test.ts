import assert from "node:assert/strict";
import { listPackages, listSources } from "../../../plugins/packages/sources.js";

describe("sourcesOf", () => {
  const briefly = (site: Record<string, unknown>) =>
    listSources({ site }).map(({ kind, name, src, enabled }) =>
      [kind, name, src, enabled ? "" : "off"].join(" ").trim(),
    );

  it("reads plugins as a list or a map, and themes", () => {
    assert.deepEqual(
      briefly({
        plugins: ["search", "npm:a@1.0.0", { src: "./b.ts", enabled: false }, { name: "feeds" }],
        theme: { name: "t", src: "npm:@x/t@^1.0.0" },
        themes: [{ name: "u", src: "npm:u@~2.1.0" }],
      }),
      [
        "plugin search search",
        "plugin a npm:a@1.0.0",
        "plugin b ./b.ts off",
        "plugin feeds feeds",
        "theme t npm:@x/t@^1.0.0",
        "theme u npm:u@~2.1.0",
      ],
    );
    assert.deepEqual(briefly({ plugins: { a: { src: "npm:@x/a@1.0.0" }, b: {}, c: false } }), [
      "plugin a npm:@x/a@1.0.0",
      "plugin b b",
      "plugin c c off",
    ]);
  });

  for (const site of [
    {},
    { plugins: null, theme: null, themes: null },
    { plugins: "x", theme: "y", themes: {} },
    { plugins: [null, 1, []], theme: [], themes: [null, 1] },
  ]) {
    it(`finds nothing in ${JSON.stringify(site)}`, () => assert.deepEqual(briefly(site), []));
  }
});

describe("packagesOf", () => {
  it("lists each specifier in use once, and no paths, names or loose versions", () => {
    const site = {
      plugins: ["npm:a@^1.0.0", { src: "npm:b@1.0.0", enabled: false }, "npm:c@latest", "./d.ts"],
      themes: [{ name: "a", src: "npm:a@^1.0.0" }],
    };
    assert.deepEqual(
      listPackages({ site }).map(({ npm }) => npm),
      [{ name: "a", range: "^1.0.0" }],
    );
  });
});
