import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import * as testing from "../../plugins/testing.js";
import { repository, textOf } from "../support/repository.js";

/** Names of suites that are not the slot and `Contract`. */
const SUITES: Readonly<Record<string, string>> = {
  search: "searchEngineContract",
  image: "imageEngineContract",
};

/** Slots that plugins fill with a function, a list or a value: no engine that others replace, so without a suite. */
const EXTENSIONS = [
  "templateNames",
  "collectionSources",
  "imageAttributes",
  "mdxComponents",
  "cspSources",
  "pageHead",
  "redirects",
  "routeClaims",
  "prepareContent",
  "writeGuards",
  "commitTarget",
  "pageIncludes",
  "recordIncludes",
  "panelExtensions",
  "personalData",
  "rootFolders",
  "pluginProblems",
  "pageProps",
];

describe("the slots of engines", () => {
  const files = globSync("plugins/**/*.ts", { cwd: repository, absolute: true });
  const slots = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/engines\s*\.open\(\s*"(\w+)"/g)].map(
      ([, slot = ""]) => slot,
    ),
  );

  const specs = globSync("test/plugins/**/*.test.ts", { cwd: repository, absolute: true });
  const tests = specs.map((file) => readFileSync(file, "utf8"));

  it("are found", () => assert.ok(slots.length >= 8, slots.join(" ")));

  for (const slot of EXTENSIONS.filter((name) => slots.includes(name))) {
    it(`${slot}: is documented`, () => {
      assert.ok(textOf("content/06.extend/03.services/docs.md").includes(`| \`${slot}\``));
    });
  }

  for (const slot of slots.filter((name) => !EXTENSIONS.includes(name))) {
    it(`${slot}: has a suite in sitewright/testing that a first-party engine passes, and is documented`, () => {
      const suite = SUITES[slot] ?? `${slot}Contract`;
      assert.equal(
        typeof Object.entries(testing).find(([name]) => name === suite)?.[1],
        "function",
      );
      assert.ok(tests.some((text) => text.includes(`${suite}(`)));
      assert.match(
        textOf("content/06.extend/10.testing/docs.md"),
        new RegExp(`\`${slot}\`.*${suite}`),
      );
      assert.ok(textOf("content/06.extend/03.services/docs.md").includes(`| \`${slot}\``));
    });
  }
});
