import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { codeOf, filesOf, repository, textOf } from "../support/repository.js";

const production = () => filesOf("kernel/**/*.{ts,tsx}", "plugins/**/*.{ts,tsx}");

// Declarations, doors and tables: what they hold is tested where it is used.
const withoutOwnTest = /(^|\/)(index|contract|contracts|settings|errors|theme-door)\.ts$|\.d\.ts$/;
const runtimeFiles = /^plugins\/[^/]+\/(templates|assets|scaffold|testing)\//;

const rootEntries = [
  ".ci",
  ".gitignore",
  ".npmrc",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "admin.yaml",
  "bench",
  "content",
  "kernel",
  "package-lock.json",
  "package.json",
  "plugins",
  "scripts",
  "site.yaml",
  "system.yaml",
  "test",
  "themes",
  "tsconfig.json",
];

describe("kernel/ and plugins/", () => {
  it("read the environment in kernel/config alone", () => {
    const found = production()
      .filter((file) => !file.startsWith("kernel/config/"))
      .filter((file) =>
        /\bprocess\s*(\.|\?\.)\s*env\b|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(codeOf(file)),
      );
    assert.deepEqual(found, []);
  });

  it("keep no mutable state in a module", () => {
    const found = production().filter((file) =>
      /^(export )?(let|var) |^(export )?const \w+(: [^=\n]+)? = (new (Map|Set|Array)(<[^\n]*>)?\(\)|\[\]|\{\});/m.test(
        codeOf(file),
      ),
    );
    assert.deepEqual(found, []);
  });

  // The rest is reached through the surface of its plugin: the coverage report says how far.
  it("have a test of the same name for each file of logic in the kernel, and for most in plugins", () => {
    const logic = production()
      .filter((file) => file.endsWith(".ts"))
      .filter((file) => !withoutOwnTest.test(file) && !runtimeFiles.test(file))
      // Types alone do nothing that could be tested.
      .filter((file) =>
        /^(export (default |async )*(function|class|const)|await )/m.test(codeOf(file)),
      );
    const missing = logic.filter((file) => {
      const stem = join(repository, "test", file.replace(/\.tsx?$/, ""));
      return !existsSync(`${stem}.test.ts`) && !existsSync(`${stem}.test.tsx`);
    });
    assert.deepEqual(
      missing.filter((file) => file.startsWith("kernel/")),
      [],
    );
    const share = 1 - missing.length / logic.length;
    assert.ok(
      share >= 0.85,
      `${Math.round(share * 100)} % of the files; without: ${missing.join(", ")}`,
    );
  });

  it("switch a rule of the linter off for one line, with the reason, or not at all", () => {
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
  it("has no test that is switched off or runs alone", () => {
    const found = filesOf("test/**/*.test.{ts,tsx}").filter((file) =>
      /\b(describe|it|context)\.(only|skip)\(|\bx(it|describe)\(/.test(codeOf(file)),
    );
    assert.deepEqual(found, []);
  });

  it("mirrors files that exist", () => {
    const found = filesOf("test/{kernel,plugins}/**/*.test.{ts,tsx}").filter((file) => {
      const stem = join(repository, file.replace(/^test\//, "").replace(/\.test\.tsx?$/, ""));
      return !existsSync(`${stem}.ts`) && !existsSync(`${stem}.tsx`) && !existsSync(stem);
    });
    assert.deepEqual(found, []);
  });
});

describe("the root", () => {
  it("is the list that the README draws", () => {
    const tracked = execFileSync("git", ["ls-files"], { cwd: repository, encoding: "utf8" });
    const entries = new Set(tracked.split("\n").map((file) => file.split("/")[0] ?? ""));
    entries.delete("");
    assert.deepEqual(
      [...entries].filter((name) => !rootEntries.includes(name)),
      [],
    );
  });
});
