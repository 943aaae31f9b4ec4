import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { filesOf, pluginNames, repository } from "../support/repository.js";

// testing/: the conformance suite of its engine slot. scaffold/: templates of files that its commands write.
// client/: code that runs in browsers without a server.
const rooms = [
  "assets",
  "client",
  "commands",
  // The types of a large contract, by theme.
  "contract",
  "engines",
  "routes",
  "scaffold",
  "templates",
  "testing",
];
// Rooms that only one plugin needs, in the order in which data passes through them.
const ownRooms: Record<string, string[]> = {
  // dev-apply/: batches of changes to any file of the site. schemas/: of its routes, whose types the panel infers.
  admin: ["accounts", "write", "dev-apply", "working-copies", "schemas"],
  auth: ["tokens", "providers"],
  backup: ["create", "archive", "restore"],
  content: [
    "blueprints",
    "read",
    "index",
    "view",
    "schedule",
    "moments",
    "write",
    "watch",
    "problems",
  ],
  flex: ["records"],
  markdown: ["parse", "links", "formats", "render", "syntax"],
  // theme-api/: the exports of `#theme`.
  // reading/: what readers find beside the text.
  render: ["theme", "theme-api", "page", "reading", "dev"],
  media: ["originals", "variants"],
  import: ["sources", "plan", "text", "write", "export"],
  search: ["index", "query", "similar"],
  static: ["plan", "make", "commit"],
  upgrade: ["plan", "apply"],
};
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/;
const drawers = /^(utils?|helpers?|common|misc|shared|manager|types)\.tsx?$/;

for (const plugin of pluginNames()) {
  describe(`plugins/${plugin}`, () => {
    const folder = join(repository, "plugins", plugin);

    it("has an index.ts", () => {
      assert.ok(existsSync(join(folder, "index.ts")));
    });

    it("has only the folders that every plugin may have", () => {
      const found = readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name);
      const allowed = [...rooms, ...(ownRooms[plugin] ?? [])];
      assert.deepEqual(
        found.filter((name) => !allowed.includes(name)),
        [],
      );
    });

    it("names its files in kebab case, after their content", () => {
      const names = filesOf(`plugins/${plugin}/**/*.{ts,tsx}`)
        .filter((file) => !file.includes("/templates/") && !file.includes("/scaffold/"))
        .map((file) => file.split("/").at(-1) ?? "");
      assert.deepEqual(
        names.filter((name) => !kebabCase.test(name) || drawers.test(name)),
        [],
      );
    });

    it("has one file or folder for its routes", () => {
      const hasFile = existsSync(join(folder, "routes.ts"));
      assert.ok(!(hasFile && existsSync(join(folder, "routes"))), "routes.ts or routes/, not both");
    });
  });
}
