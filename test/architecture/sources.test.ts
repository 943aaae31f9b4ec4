import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { codeOf, filesOf, repository, textOf } from "../support/repository.js";

const production = () => filesOf("kernel/**/*.{ts,tsx}", "plugins/**/*.{ts,tsx}");

const MAX_FILES = 22;

/** Functions of node:fs that create files and folders: with modes that let other users read them. */
const CREATES = /\b(?:mkdir|mkdtemp|writeFile|appendFile|createWriteStream|copyFile|cp)(?:Sync)?\b/;
const FILE_IMPORT = /^import \{([^}]*)\} from "node:fs(?:\/promises)?"/gm;
/** Who calls them, with a mode or for files that other users may read. All others call `lib/files`. */
const creators: Readonly<Record<string, string>> = {
  "kernel/cli/restore-version.mjs": "works without the kernel",
  "plugins/doctor/environment-checks.ts": "an empty file that shows the time of the disk",
  "plugins/doctor/folder-checks.ts": "an empty file that shows that a folder can be written",
  "kernel/testing/test-site.ts": "sites of tests",
  "plugins/backup/create/snapshot.ts": "copies in a private folder, which keep the modes",
  "plugins/backup/engines/dump-tables.ts": "streams, with a mode",
  "plugins/backup/restore/restore-site.ts": "the modes of the archive",
  "plugins/git-sync/workspace.ts": "the repository of the content",
  "plugins/history/save-journal.ts": "without fsync, with a mode",
  "plugins/markdown/render/render-cache.ts": "without fsync, with a mode",
  "plugins/media/engines/variant-stores.ts": "without fsync, with a mode",
  "plugins/media/testing/image-contracts.ts": "tests",
  "plugins/records/engines/log-files.ts": "appends, with a mode",
  "plugins/session/secret.ts": "a link that never replaces, with a mode",
  "plugins/static/commit/out-folder.ts": "the static export",
  "plugins/static/export-site.ts": "the static export",
  "plugins/static/make/generated-files.ts": "the static export",
  "plugins/static/make/media-copies.ts": "the static export",
  "plugins/static/make/page-exporter.ts": "the static export",
  "plugins/upgrade/apply/journal.ts":
    "copies in a private folder or beside a file, which keep the modes",
  "plugins/upgrade/apply/apply-upgrade.ts": "the code of a package",
  "plugins/upgrade/commands.ts": "a temporary folder, which mkdtemp makes private",
};

/** State of a process that all its sites share, and why. */
const sharedState: Readonly<Record<string, string>> = {
  "lib/modules/transpile.ts transpiled": "code of files, which is the same for every site",
  "kernel/call-check.ts running": "each call has its own value",
  "lib/files/file-steps.ts steps": "each call has its own step",
  "lib/http/sent-responses.ts refusals": "by socket, which belongs to one site",
  "lib/http/server-timing.ts Timings.#current": "each request has its own value",
  "lib/dates/index.ts ZoneClocks.#made": "a limited number of formatters, the same for every site",
  "plugins/content/read/front-matter/text-keys.ts kinds":
    "the built-in kinds, which are only looked up",
  "plugins/media/engines/sharp.ts shared": "the limits of libvips are those of the process",
  "plugins/testing.ts openSites": "closes the sites that a test leaves open",
};

const rootEntries = [
  ".ci",
  ".editorconfig",
  ".git-blame-ignore-revs",
  ".github",
  ".gitignore",
  ".npmrc",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "SUPPORT.md",
  "admin.yaml",
  "bench",
  "blueprints",
  "content",
  "create-sitewright",
  "kernel",
  "lib",
  "package-lock.json",
  "package.json",
  "plugins",
  "scripts",
  "search",
  "site.yaml",
  "system.yaml",
  "test",
  "themes",
  "tsconfig.json",
];

/** Classes whose objects do not change, or are not changed here. */
const CONSTANT = new Set([
  "Error",

  "OptionalPackages",
  "RegExp",
  "TextDecoder",
  "TextEncoder",
  "URL",
  "Uint8Array",
]);
const COLLECTIONS = new Set(["Array", "Map", "Set", "WeakMap", "WeakSet"]);

/** Names of the variables and static members of a module that hold state. */
function moduleState(text: string): string[] {
  const source = ts.createSourceFile("module.tsx", text, ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement): string[] => {
    if (ts.isVariableStatement(statement)) {
      const { declarations, flags } = statement.declarationList;
      const isConst = (flags & ts.NodeFlags.Const) !== 0;
      return declarations
        .filter(
          ({ name, initializer }) => !isConst || holdsState(initializer, name.getText(), text),
        )
        .map(({ name }) => name.getText());
    }
    if (!ts.isClassDeclaration(statement)) return [];
    return statement.members
      .filter(ts.isPropertyDeclaration)
      .filter(({ modifiers = [] }) =>
        modifiers.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword),
      )
      .filter(({ name, initializer }) => holdsState(initializer, name.getText(), text))
      .map(({ name }) => `${statement.name?.text ?? ""}.${name.getText()}`);
  });
}

function holdsState(value: ts.Expression | undefined, name: string, text: string): boolean {
  if (value === undefined) return false;
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value))
    return holdsState(value.expression, name, text);
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0;
  if (ts.isObjectLiteralExpression(value)) return value.properties.length === 0;
  if (ts.isCallExpression(value)) {
    return /^(?:create|open)(?!Require\b)[A-Z]/.test(value.expression.getText());
  }
  if (!ts.isNewExpression(value)) return false;
  const created = value.expression.getText();
  if (created.startsWith("Intl.") || CONSTANT.has(created)) return false;
  if (!COLLECTIONS.has(created) || (value.arguments ?? []).length === 0) return true;
  return new RegExp(String.raw`(?<!\w)${name}\.(?:set|add|delete|clear|push)\(`).test(text);
}

describe("kernel/ and plugins/", () => {
  it("reads the environment only in kernel/config", () => {
    const found = production()
      .filter((file) => !file.startsWith("kernel/config/"))
      .filter((file) =>
        /\bprocess\s*(\.|\?\.)\s*env\b|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(codeOf(file)),
      );
    assert.deepEqual(found, []);
  });

  it("creates files and folders with lib/files, which makes them private", () => {
    const files = filesOf("kernel/**/*.{ts,tsx,mjs}", "plugins/**/*.{ts,tsx,mjs}");
    const found = files
      .filter((file) => !file.startsWith("lib/files/"))
      .filter((file) =>
        [...textOf(file).matchAll(FILE_IMPORT)].some(([, names = ""]) => CREATES.test(names)),
      );
    const fix = "call atomicWrite or makeFolder; else add the file to `creators` with the reason";
    assert.deepEqual(found.toSorted(), Object.keys(creators).toSorted(), fix);
  });

  it("has no mutable state in modules", () => {
    // The panel's browser code runs for one person in one window.
    const files = filesOf("{kernel,lib,plugins}/**/*.{ts,tsx}").filter(
      (file) => !file.startsWith("plugins/panel/client/"),
    );
    const found = files.flatMap((file) =>
      moduleState(textOf(file)).map((name) => `${file} ${name}`),
    );
    const fix =
      "hold it in the object that a plugin or a site creates; else say why in sharedState";
    assert.deepEqual(found.toSorted(), Object.keys(sharedState).toSorted(), fix);
  });

  it("finds state of any class in modules, in their variables and in static members", () => {
    const code = `
      const compressions = new PQueue({ concurrency: 1 });
      export const seen = new Map<string, number>();
      let count = 0;
      const names = new Set(["a"]);
      export const cache = createCache();
      class Pool { static readonly open = new Set<string>(); }
      names.add("b");
      const FIXED = new Set(["a"]);
      const list: string[] = [];
      const pattern = new RegExp("a");
    `;
    const state = ["Pool.open", "cache", "compressions", "count", "list", "names", "seen"];
    assert.deepEqual(moduleState(code).toSorted(), state);
  });

  it("has folders that are read at one glance", () => {
    // One file per contract: their names are their order.
    const files = production().filter((file) => !file.startsWith("kernel/contracts/"));
    const counts = new Map<string, number>();
    for (const file of files) {
      const folder = dirname(file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const large = [...counts].filter(([, count]) => count > MAX_FILES);
    assert.deepEqual(large, [], "give them inner folders, named after the way data takes");
  });

  // Tests are per folder; the coverage report shows what they reach.
  it("has tests for each folder of the kernel and each plugin", () => {
    const rooms = production()
      .map((file) => file.split("/").slice(0, 2).join("/"))
      .filter((room) => !room.endsWith(".ts") && room !== "kernel/contracts");
    const untested = [...new Set(rooms)].filter(
      (room) =>
        filesOf(`test/${room}.test.{ts,tsx}`, `test/${room}/**/*.test.{ts,tsx}`).length === 0,
    );
    assert.deepEqual(untested, []);
  });

  it("disables a linter rule only for one line, with the reason", () => {
    const found = production().flatMap((file) =>
      textOf(file)
        .split("\n")
        .filter((line) => /@ts-(ignore|nocheck|expect-error)|(eslint|oxlint)-disable/.test(line))
        .filter((line) => !/oxlint-disable-(next-)?line \S+ -- \S+/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(found, []);
  });
});

describe("test/", () => {
  it("has no test that is skipped or marked `only`", () => {
    const found = filesOf("test/**/*.test.{ts,tsx}").filter((file) =>
      /\b(describe|it|context)\.(only|skip)\(|\bx(it|describe)\(/.test(codeOf(file)),
    );
    assert.deepEqual(found, []);
  });

  it("mirrors folders that exist", () => {
    const found = filesOf("test/{kernel,lib,plugins}/**/*.test.{ts,tsx}").filter(
      (file) => !existsSync(join(repository, dirname(file.replace(/^test\//, "")))),
    );
    assert.deepEqual(found, []);
  });
});

describe("the root", () => {
  it("matches the list in the README", () => {
    const tracked = execFileSync("git", ["ls-files"], { cwd: repository, encoding: "utf8" });
    const entries = new Set(tracked.split("\n").map((file) => file.split("/")[0] ?? ""));
    entries.delete("");
    assert.deepEqual(
      [...entries].filter((name) => !rootEntries.includes(name)),
      [],
    );
  });
});
