import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { repository, textOf } from "../support/repository.js";

const run = promisify(execFile);

interface Listed {
  version?: string;
  dependencies?: Record<string, Listed>;
}

describe("an installation", () => {
  it("has one copy of zod, express and yaml", async () => {
    const names = ["zod", "express", "yaml"];
    const options = ["--omit=dev", "--all", "--package-lock-only", "--json"];
    const { stdout } = await run("npm", ["ls", ...names, ...options], { cwd: repository });
    const found = versionsIn(JSON.parse(stdout) as Listed);
    for (const name of names) assert.equal(found.get(name)?.size, 1, name);
  });

  it("shows npm audit every package that dist/ imports", () => {
    const { packages } = JSON.parse(textOf("package-lock.json")) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const { dependencies } = JSON.parse(textOf("package.json")) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(dependencies)) {
      assert.ok(!packages[`node_modules/${name}`]?.dev, name);
    }
  });
});

function versionsIn({ dependencies = {} }: Listed): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const visit = (name: string, { version, dependencies: inner = {} }: Listed): void => {
    if (version !== undefined) found.set(name, (found.get(name) ?? new Set()).add(version));
    for (const [child, listed] of Object.entries(inner)) visit(child, listed);
  };
  for (const [name, listed] of Object.entries(dependencies)) visit(name, listed);
  return found;
}
